// SPDX-License-Identifier: MIT
/* record.h: what is kept from run to run, in .snakemake/kintsugi.db: every output with what made
 * it, every attempt. One writer; changes are transactions. The file system may be a network one: no
 * shared-memory journal.
 *
 * A commit to disk costs milliseconds, a small job one: so state_commit collects what comes within
 * forty times of what the last commit took, 0.2 s at most, unless the attempts that wait took long
 * together. Until then an output's marker in .snakemake/incomplete, made before its job starts and
 * removed after its record is on disk, stands for it: after a kill -9 within that time it is made
 * again, never trusted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "state/output.h"

struct state;

/* Opens or makes the store below dir (usually "."); NULL after a diagnostic. readonly: nothing is
 * created or written. */
struct state *state_open(const char *dir, struct intern *names, struct diags *dx, bool readonly);
/* Makes durable what waits, if it can be written. NULL is fine. */
void state_close(struct state *state);
/* Whether something could not be read or written; a diagnostic has said what. */
bool state_failed(const struct state *state);
/* Says how Snakemake names an output in its records and markers, by its path here (until then: that
 * path); in the arena. */
typedef const char *state_namer(void *user, struct arena *in, const char *path);
void state_name_outputs(struct state *state, state_namer *name, void *user);
/* Keeps Snakemake's database of records too (see mirror.h; url NULL: the usual one). False after a
 * diagnostic. */
bool state_mirror(struct state *state, const char *url);

/* The record of an output; NULL if nothing is known. All records are read at the first call; where
 * ours know nothing, or Snakemake has made the output again since, its metadata is taken. Of an
 * output that is only known to be incomplete all texts are "". The record is valid until its output
 * changes. shell is not read with the rest: state_shell. */
const struct output_record *state_find(struct state *state, sym_t path);
/* The output of that path; if it is not known, the one that Snakemake knows by that name. */
sym_t state_named(struct state *state, const char *name);
/* The command that made an output, "" if not known; in the arena. Commands over 4 KiB are kept cut
 * off. */
const char *state_shell(struct state *state, sym_t path, struct arena *in);

/* A transaction is open from the first change on; commit makes it durable, now or a little later
 * (see above). False after a diagnostic (disk full). */
bool state_begin_outputs(struct state *state, const sym_t *paths,
                         uint32_t n); /* incomplete from now on */
bool state_end_output(struct state *state,
                      const struct output_record *record); /* complete, with this record */
bool state_keep_outputs(struct state *state, const sym_t *paths,
                        uint32_t n); /* no longer incomplete, what was known of them stays */
bool state_drop_outputs(struct state *state, const sym_t *paths,
                        uint32_t n); /* forget: removed or failed */
bool state_commit(struct state *state);
/* Whether changes wait for a later state_commit (call it again within a second), and a commit that
 * does not wait. */
bool state_pending(const struct state *state);
/* Writes what waits. False after a diagnostic. */
bool state_flush(struct state *state);

/* A run and its attempts, for status, report and run-time statistics. */
#define STATE_CANCELLED "cancelled: the run was stopped"
struct attempt_record {
    const char *rule, *wildcards; /* "sample=A,unit=1" */
    int attempt;
    int status, signal;
    int64_t start_ns, end_ns;
    double cpu_s;
    int64_t max_rss_kb;
    /* resources: what it asked for, "cpus=4,mem_mb=500,device=gpu" */
    const char *external_id, *host, *resources;
    /* of one that failed: in words (STATE_CANCELLED: the run was stopped); its logs, one a line;
     * else NULL */
    const char *why, *log;
};
/* Notes that a run begins or has ended; what comes between is part of it. False after a
 * diagnostic. */
bool state_begin_run(struct state *state, const char *command_line);
bool state_end_run(struct state *state, int exit_status);
/* Adds an attempt of this run, whose texts are borrowed; NULL is allowed. False after a
 * diagnostic. */
bool state_add_attempt(struct state *state, const struct attempt_record *attempt);
/* The texts are borrowed during the visit, "" where nothing is known. */
typedef void attempt_visit(void *user, const struct attempt_record *attempt);
/* All attempts at jobs that ended well, of all runs, oldest first. False after a diagnostic. */
bool state_attempts(struct state *state, attempt_visit *visit, void *user);
/* Those of the last run that failed, and were not cancelled, in the same way. */
bool state_failures(struct state *state, attempt_visit *visit, void *user);
/* All of this run (state_begin_run), in the same way. */
bool state_run_attempts(struct state *state, attempt_visit *visit, void *user);
/* The peak memory of an attempt of this run, by its external id: it may be known later than its
 * end. */
bool state_set_memory(struct state *state, const char *external_id, int64_t max_rss_kb);

/* The last run that was begun, and how its jobs have ended so far, by their last attempts. Texts
 * live in the arena. False: there was none. */
struct run_record {
    int64_t start_ns, end_ns; /* end 0: it runs, or was killed */
    const char *command, *host, *user;
    int status;
    int64_t good, bad, cancelled; /* jobs */
};
/* The last run that is recorded. False: there is none. */
bool state_last_run(struct state *state, struct arena *in, struct run_record *out);
/* The same without the numbers of jobs, which take their time to count where there were many. */
bool state_last_end(struct state *state, struct arena *in, struct run_record *out);
/* The last one of a process. */
bool state_run_of(struct state *state, const char *host, long pid, struct arena *in,
                  struct run_record *out);

/* Batches handed to a cluster: a row is on disk (state_flush) before sbatch is called, so that
 * whoever comes after a crash finds them by their token. */
struct submission {
    const char *token; /* the job name that tells this call of sbatch from all others */
    const char *account;
    const char *jobs;        /* what it holds: the caller's text */
    const char *external_id; /* "" until known */
    const char *status;      /* the caller's word; "submitting" at first */
    int64_t time_ns;
};
/* Adds one of this run; texts are borrowed. False after a diagnostic. */
bool state_add_submission(struct state *state, const struct submission *submission);
/* Sets external_id, account and status, where not NULL; it is of this run from now on. */
bool state_set_submission(struct state *state, const struct submission *submission);
/* All whose status is not "ended", oldest first; the texts are borrowed during the visit. False
 * after a diagnostic. */
bool state_submissions(struct state *state,
                       void (*visit)(void *user, const struct submission *submission), void *user);
/* Those of them that another run, which still holds a lock of the directory, does not follow. */
bool state_left_submissions(struct state *state,
                            void (*visit)(void *user, const struct submission *submission),
                            void *user);
