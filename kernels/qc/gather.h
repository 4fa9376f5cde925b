/* SPDX-License-Identifier: MIT
 *
 * gather.h: what a project's stages say of themselves, and what their images say when they do
 * not.
 *
 * Every stage leaves JSON in data/processed/qc with {"stage": ..., "cycle": ...}; numbers at its
 * top, in "channels" and in "cycles" become values, "planes" (qc/json.h) become planes. Planes that
 * no stage has reported are measured from the image files once, and kept in
 * data/processed/qc/planes/STAGE_cycNN.json until the stage is made again. */
#pragma once

#include "image/experiment.h"
#include "qc/table.h"

/* The stages in order, and where their images are. */
enum qc_stage { QC_STITCH, QC_DECON, QC_EDF, QC_REGISTRATION, QC_ISOLATE, QC_STAGES };

/* "stitch", "decon", "edf", "registration", "isolate". */
const char *qc_stage_name(enum qc_stage stage);

/* The stage of that name ("deconv", "edof", "register", "signal_isolation"... are understood too);
 * QC_STAGES: none. */
enum qc_stage qc_stage_find(const char *name);

/* Path of a stage's image: z counts planes from 1 (ignored where there are none). False: no such
 * file (kin_is_taken). */
bool qc_image_path(const char *project, const struct experiment *exp, enum qc_stage stage,
                   int cycle, int channel, int z, char *path, size_t size);

/* Whether the stage has left any image of that cycle. */
bool qc_stage_has(const char *project, const struct experiment *exp, enum qc_stage stage,
                  int cycle);

struct qc_gather {
    const char *project;
    const struct experiment *exp;
    int threads;
    bool pixels;                         /* measure again, whatever is reported or kept */
    const struct kin_progress *progress; /* may be NULL */
};

/* Adds all that is known of a stage to the table, and a note for each image that no channel is
 * named after. A stage that has not run adds nothing. False: a file is damaged, by name. */
bool qc_gather_stage(const struct qc_gather *gather, enum qc_stage stage, struct qc_table *table,
                     struct kin_error *err);

/* Adds a yellow value and a note for each file among the reports that is none, or of which a part
 * cannot be read: not an object, of no known stage, a list that is none. Reports of all stages are
 * looked at. False: a file is damaged, by name. */
bool qc_gather_odd(const struct qc_gather *gather, struct qc_table *table, struct kin_error *err);
