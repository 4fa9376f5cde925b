// SPDX-License-Identifier: MIT
/* html.h: the report of a workflow: one page that holds all it needs (styles, script, results, the
 * graph of rules), or an archive with that page and the results beside it. Nothing is fetched from
 * anywhere. */
#pragma once

#include "graph/graph.h"
#include "report/log.h"
#include "state/record.h"

struct report_options {
    const char *path;       /* FILE.html or FILE.zip */
    const char *stylesheet; /* text behind our own style, or NULL */
    const char *metadata;   /* path of a YAML file: what stands beside the description; or NULL */
};

/* Collects the results of all needed jobs and writes the report. state NULL: run times are not
 * known. False after diagnostics; what stood at the path is still there then. */
bool report_write(struct graph *g, struct state *state, struct log *log,
                  const struct report_options *options);
