// SPDX-License-Identifier: MIT
/* past.h: what survives the engine, for all executors that submit jobs to somebody else. Before a
 * job is submitted, a row of the journal says under which name (its token) it goes out; whoever
 * comes after a crash reads the rows, and takes each job up where it is: waiting, running, or
 * ended. What an earlier run has submitted is found by its keys (which jobs it is) and counts only
 * if its fingerprint (of code, params and inputs) is that of today.
 *
 * A row's jobs are lines of
 *
 *     ATTEMPT TAB FOLDER TAB FINGERPRINT TAB KEYS TAB NAME TAB MEMO TAB NEWEST
 *
 * with %XX for what would disturb. */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/pool.h"
#include "exec/exec.h"

enum { TOKEN_SIZE = 40, SHOWN_IDS = 20 /* in a message, of many */ };

/* What the tokens of jobs in Slurm begin with, and those that other commands have submitted. */
extern const char slurm_tokens[], generic_tokens[];

/* A job as the journal knows it; its texts are owned. It lies inside what an executor keeps of a
 * job. */
struct past_job {
    char *name;        /* for messages */
    char *folder;      /* where its files are; the executor's to read */
    char *keys;        /* separated by ',' */
    char *fingerprint; /* of what it computes */
    char *memo;        /* given back to the caller when it is adopted */
    int attempt;
    int64_t submit_ns; /* wall clock */
    int64_t newest_ns; /* of its inputs and scripts then, by the clock of their files; 0: none */
    bool superseded;   /* another is to take its place, or nobody wants it */
    uint32_t place;    /* in the past + 1; 0: it is of this run, or adopted */
};

/* What an executor knows of its jobs of earlier runs. */
struct past_kind {
    /* Whether it may still write. */
    bool (*is_alive)(const struct past_job *job);
    /* Whether what is known of it is of use to a run that wants the same. */
    bool (*is_usable)(const struct past_job *job);
    /* It is of this run from now on; it has left the past. */
    void (*take_over)(struct past_job *job, const struct launch *launch);
    /* Ends it; it leaves the past when it is dead. Not called twice. */
    void (*supersede)(struct past_job *job);
    const char *tokens; /* slurm_tokens or generic_tokens: other rows are another executor's */
    /* What people know it by: "Slurm job", "5487_3". */
    const char *what;
    void (*id)(const struct past_job *job, char *out, size_t size);
};

struct past {
    const struct past_kind *kind;
    const struct exec_journal *journal; /* borrowed; NULL: none */
    VEC(struct past_job *) jobs;        /* of earlier runs, not adopted; NULL: gone */
    struct map by_key;                  /* hash of a key -> place in jobs + 1 */
    VEC(char *) garbage;                /* owned paths, removed a little later */
};

/* A name for a run that no other has. */
void past_name_run(char out[16]);

/* Fills it from a launch that is being submitted; the texts are copied. */
void past_describe(struct past_job *job, const struct launch *launch);
/* Frees what past_describe has copied. */
void past_forget_job(struct past_job *job);
/* Adds the job's line of a row. */
void past_write_job(const struct past_job *job, struct buf *out);
/* Reads a line. */
void past_read_job(const char *line, struct past_job *job);
/* The number of lines. */
uint32_t past_count(const char *jobs);

/* Passes on the rows of earlier runs that have not ended. */
void past_each_row(const struct past *past,
                   void (*visit)(void *to, const struct exec_submission *row), void *to);
/* Writes a row (false: the disk fails), that of a single job, changes one, or says that it has
 * ended: with the caller's next commit. */
bool past_add_row(const struct past *past, const struct exec_submission *row);
bool past_add_job(const struct past *past, const char *token, const struct past_job *job);
void past_set_row(const struct past *past, const struct exec_submission *row);
void past_end_row(const struct past *past, const char *token);
/* It is of this run from now on: others that share the directory leave it alone. */
void past_own_row(const struct past *past, const char *token);
/* All of it is on disk then; false: it cannot be written. */
bool past_flush(const struct past *past);
/* A file that serves no more once the journal has forgotten its job; the path is taken. */
void past_discard(struct past *past, char *take_path);
/* Removes such files if there are many. */
void past_sweep(struct past *past);

/* Makes a job of an earlier run findable. */
void past_add(struct past *past, struct past_job *job);
/* It is not found any more. */
void past_remove(struct past *past, struct past_job *job);
/* For executor_adopt: the job that an earlier run has submitted is taken over if it is the same;
 * what stands in its way is superseded. */
bool past_adopt(struct past *past, const struct launch *launch, struct adopted *adopted);
/* Whether jobs of an earlier run that write the same outputs still live. */
bool past_blocks(const struct past *past, const struct past_job *job);
/* Ends what an earlier run has left of a job, if it is not being ended already; NULL is fine. */
void past_supersede(struct past *past, struct past_job *job);
/* For executor_orphans: adds those with no key that is known, in words, unless there are none.
 * Those that are dead, or are to be cancelled, are superseded. */
uint32_t past_orphans(struct past *past, bool (*is_known)(void *user, const char *key), void *user,
                      bool cancel, struct buf *words);
/* Says at the second signal that n jobs are left; ids: of the first SHOWN_IDS, a blank before
 * each. */
void past_tell_left(const struct past *past, const struct exec_options *options, uint32_t n,
                    const char *ids);
/* Removes what is discarded, if the journal is on disk. The jobs are the executor's to free. */
void past_close(struct past *past);

/* Takes the claim of an attempt away: a file that its script makes when it begins, and looks at.
 * True: the job cannot begin any more. begun: that of one that has begun, for its watch to see. */
bool past_revoke(const char *claim, bool begun);
