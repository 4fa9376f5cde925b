// SPDX-License-Identifier: MIT
/* jobtext.h: a job as the log shows it: rule, files, number, reason, wildcards, threads,
 * resources. */
#pragma once

#include "base/buf.h"
#include "graph/graph.h"
#include "report/log.h"

/* Texts of a list of inputs that jobs share, kept from one to the next. */
struct shared_text {
    bundle_id bundle; /* 0: none yet */
    uint32_t decided; /* graph.decided when they were made */
    bool has_updated;
    struct buf inputs;  /* "a, b" */
    struct buf updated; /* those that other jobs make */
};

struct job_text {
    const struct graph *g;
    struct arena scratch;    /* of one job; owned */
    struct job_files inputs; /* owned */
    bool dry_run;            /* "rule a:", else "localrule a:" */
    bool with_reason;
    bool with_shell;     /* fills .shell */
    bool from_rule;      /* the block shows the message that the rule gives */
    bool with_trial;     /* evaluates what the job's body will be given, too */
    int cores;           /* caps threads; 0: none */
    double own_priority; /* of the rule, where no run has given it to the job yet */
    struct shared_text shared;
    struct buf block; /* the block, without time and final newline */
    struct buf shell; /* the command, "None" without one */
};

/* Frees block and shell. */
void job_text_free(struct job_text *text);

/* Fills text->block (and .shell) for a job. The reason phrases list at most what the job has.
 * False: evaluating it raised; the exception has been reported as a diagnostic. */
bool job_text_make(struct job_text *text, job_id job);
/* The same from an evaluated job, at launch: threads and resources as they are. */
bool job_text_of(struct job_text *text, job_id job, struct job_eval *eval);

/* Writes both, and what else is to be said of a job of that rule. */
void job_text_log(const struct job_text *text, const struct rule *rule, struct log *log);

/* "Missing output files: a; Code has changed since last execution" */
void job_reason_text(const struct graph *g, job_id id, struct arena *in, struct buf *out);
/* "\n    TITLE: a, b", as the log shows files of a job; nothing if there are none. */
void job_files_line(const struct graph *g, const char *title, const struct job_file *files,
                    uint32_t n, struct buf *out);
/* A path as messages show it: that of a file in a storage as "QUERY (in storage)". */
void job_file_shown(const struct graph *g, const char *path, struct buf *out);
/* "sample=A, unit=1" */
void job_wildcards_text(const struct graph *g, job_id id, struct buf *out);
