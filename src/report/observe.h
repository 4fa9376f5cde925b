// SPDX-License-Identifier: MIT
/* observe.h: a run as the log tells it: jobs as they start, finish and fail, progress with the time
 * left. */
#pragma once

#include "report/jobtext.h"
#include "report/log.h"
#include "run/run.h"

struct observe {
    struct graph *g;
    struct log *log;
    struct job_text text;
    bool show_failed_logs;
    int64_t start_ns;             /* monotonic */
    struct run_observer observer; /* give this to run_jobs */
};

/* Fills in observe; graph and log are borrowed until observe_end. shell: commands are shown. */
void observe_start(struct observe *observe, struct graph *g, struct log *log, bool shell,
                   bool show_failed_logs);
/* Says that a temporary file was removed, or why (else NULL) it was not. */
void observe_removed(const struct graph *g, struct log *log, const char *path, const char *why);
/* How it ended: the log that onerror gets says so. */
void observe_outcome(struct observe *observe, const struct run_result *result);
/* The closing words; kept: --keep-incomplete was given. */
void observe_end(struct observe *observe, const struct run_result *result, bool kept);
