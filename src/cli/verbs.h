// SPDX-License-Identifier: MIT
/* verbs.h: what the program can be asked to do; a row a verb. */
#pragma once

#include <stdbool.h>

struct verb {
    const char *name;
    int (*run)(const char *self, int argc,
               const char *const *argv); /* the exit status; argv without the verb */
    const char *help;                    /* one line; NULL: not shown */
};

/* All verbs; ends with a NULL name. */
extern const struct verb verbs[];

/* Each takes what is behind its name; the exit status, after an error on stderr. */
int verb_run(const char *self, int argc, const char *const *argv);
int verb_accounts(const char *self, int argc, const char *const *argv);
/* [FILE.html|FILE.zip] and what `run` takes: its --report. */
int verb_report(const char *self, int argc, const char *const *argv);
/* [DIR]: what its last run did or does. */
int verb_status(const char *self, int argc, const char *const *argv);
/* How the last run in a directory has ended, or that it goes on; *left: whether none goes on, and
 * jobs may be left in Slurm, as by one that a second signal ended, */
enum last_run { LAST_NONE, LAST_RUNNING, LAST_KILLED, LAST_STOPPED, LAST_FAILED, LAST_DONE };
enum last_run status_of(const char *dir, bool *left);
/* and a word for the first; NULL: there was none. */
const char *status_word(enum last_run last);
/* [DIR]: why its jobs failed. */
int verb_logs(const char *self, int argc, const char *const *argv);
/* [DIR]: ends its run, and what an earlier one has left in Slurm. */
int verb_stop(const char *self, int argc, const char *const *argv);
int verb_batch(const char *self, int argc, const char *const *argv);
/* Shows the batch of a folder and its projects; false: there are none in it. */
bool batch_status(const char *dir);
/* Ends the batch of a folder and waits for it; false if none runs there. *stopped: false after an
 * error on stderr. */
bool batch_stop(const char *dir, bool *stopped);
/* Calls stop for the runs of a folder's projects, which may go on without their batch, or have left
 * jobs; false: there are no projects. *status: that of the verb, after an error on stderr. */
bool batch_stop_runs(const char *dir, int (*stop)(const char *dir), int *status);
int verb_config(const char *self, int argc, const char *const *argv);
int verb_simulate(const char *self, int argc, const char *const *argv);
/* Runs one run: block in a child: SPECFILE, then the options of the run. */
int verb_run_block(const char *self, int argc, const char *const *argv);
/* Carries files between storages and local copies for a run, as its stdin says. */
int verb_carry_files(const char *self, int argc, const char *const *argv);
