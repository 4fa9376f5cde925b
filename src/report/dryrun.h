// SPDX-License-Identifier: MIT
/* dryrun.h: what a run would do, as text: every job in an order in which it could run, why, and
 * what would be removed. */
#pragma once

#include "graph/graph.h"
#include "report/log.h"

struct dryrun_options {
    bool shell; /* -p */
    int cores;  /* 0: none given, threads are not capped */
    bool notemp;
    bool drafts; /* notebooks that are not there would be drafted */
};

/* Prints to the log (stdout). False after diagnostics: evaluating a job raised. */
bool dryrun_print(struct graph *g, struct log *log, const struct dryrun_options *options);
/* Says which rules have jobs that stay as they are and of which no execution is recorded. */
void dryrun_unrecorded(const struct graph *g, struct log *log);
