/* SPDX-License-Identifier: MIT
 *
 * page.h: a project's quality as one HTML file that needs nothing else: no network, no other
 * file. The pictures in it are also left as PNG beside it. */
#pragma once

#include "image/experiment.h"
#include "qc/table.h"

struct qc_page {
    const char *project; /* its directory */
    const struct experiment *exp;
    const struct qc_table *table;        /* sorted */
    const struct kin_progress *progress; /* may be NULL */
};

/* Writes DIR/index.html (under a temporary name first) and DIR/NAME.png; DIR must be there. Stages
 * without images are left out. */
bool qc_page_write(const struct qc_page *page, const char *dir, struct kin_error *err);

/* Writes DIR/STAGE_heatmap.csv: cycle, channel, marker and the mean of every field over the
 * planes. */
bool qc_csv_write(const struct qc_page *page, const char *dir, struct kin_error *err);
