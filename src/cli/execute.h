// SPDX-License-Identifier: MIT
/* execute.h: a real run, from the lock to the closing hook. */
#pragma once

#include "cli/session.h"
#include "run/run.h"
#include "state/lock.h"

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
/* Takes the lock for the graph's files; *lock: NULL with --nolock. False after a diagnostic:
 * another run has it. */
bool execute_open_lock(struct session *s, struct lock **lock);
/* The same lock (or NULL) for a graph that has grown. False after a diagnostic. */
bool execute_renew_lock(struct session *s, struct lock *lock);
/* Says how many jobs that killed runs have submitted may still be there, and what that means. */
void execute_say_left(struct session *s, const char *means);
/* Runs one of the workflow's hooks, unless there is none or --no-hooks is given. False after a
 * diagnostic. */
bool execute_hook(struct session *s, const struct hook *hook);
/* The last hook: onsuccess or onerror. Where onstart failed, nothing has been run that could end.
 * False: not all is well. */
bool execute_end_hook(struct session *s, bool started, bool good);
/* A run without jobs is recorded if the last one was broken off or has failed: it is made good. */
void execute_record_nothing(struct session *s);
/* Runs all that must run; the exit status. Diagnostics may be left to print. */
int execute(struct session *s);
