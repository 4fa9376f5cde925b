// SPDX-License-Identifier: MIT
/* execute.h: a real run, from the lock to the closing hook. */
#pragma once

#include "cli/session.h"
#include "run/run.h"

/* What the options say of a run. False after a diagnostic. */
bool execute_options(struct session *s, struct run_options *out);
/* Of these, the limits over all jobs (submitted: jobs go to a site), */
void execute_limits(struct session *s, bool submitted, struct run_options *out);
/* and how many jobs are submitted at once; without a limit, otherwise. False after a diagnostic. */
bool execute_most_jobs(struct session *s, int otherwise, int *out);
/* A run on this machine is told how many cores it may use. False after a diagnostic. */
bool execute_has_cores(struct session *s);
/* --wait-for-files and --wait-for-files-file; --latency-wait is for all of them together. False
 * after a diagnostic. */
bool execute_wait_for_files(struct session *s);
/* Whether what --cache asks for is possible. False after a diagnostic. */
bool execute_can_cache(struct session *s);
/* Runs all that must run; the exit status. Diagnostics may be left to print. */
int execute(struct session *s);
/* --touch: marks existing outputs of jobs that would run as up to date. */
int execute_touch(struct session *s);
