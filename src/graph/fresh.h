// SPDX-License-Identifier: MIT
/* fresh.h: which jobs must run, and why: Snakemake's decision (reference B13), over arrays.
 *
 *   1. each needed job is judged alone: forced, missing output of a target, an input newer than its
 * oldest output (unless the checksum of a small input is unchanged), and, where the store knows its
 * outputs, a changed set of inputs, code, params or software;
 *   2. breadth-first from those: makers whose needed outputs are missing, and every consumer,
 * unless all the files between are ancient and exist. */
#pragma once

#include "graph/graph.h"
#include "state/record.h"

enum rerun_trigger {
    TRIGGER_MTIME = 1,
    TRIGGER_PARAMS = 2,
    TRIGGER_INPUT = 4,
    TRIGGER_SOFTWARE = 8,
    TRIGGER_CODE = 16,
    TRIGGER_ALL = 31,
};

struct fresh_options {
    unsigned triggers; /* enum rerun_trigger */
    bool force_targets, force_all;
    const rule_id *force_rules;   /* 0-terminated or NULL */
    const sym_t *force_paths;     /* 0-terminated or NULL */
    const rule_id *ancient_rules; /* --consider-ancient; 0-terminated or NULL */
    int64_t max_checksum_size;    /* bytes; inputs up to this are compared by content */
    struct state *state;          /* borrowed; NULL: no records */
    bool rerun_incomplete;
};

/* Sets job.reasons and job.must_run of every needed job, g->nmust_run. False after diagnostics (a
 * params function raised). */
bool fresh_decide(struct graph *g, const struct fresh_options *options);

/* What a reason of a job is about: the missing outputs, the updated inputs, the changed params, ...
 * as symbols in the arena. */
sym_t *fresh_details(const struct graph *g, job_id id, enum reason reason, struct arena *in,
                     uint32_t *n);

/* The phrase of a reason beside a job ("Missing output files"), and its name in a dry run's list
 * ("output files have to be generated"). */
const char *reason_phrase(enum reason_bit reason);
const char *reason_title(enum reason_bit reason);

/* What the store keeps of a job for the triggers. In the arena. */
struct job_record {
    const char *code, *params; /* texts compared */
    const char *inputs;        /* sorted paths joined by newlines */
    const char *software;      /* fingerprint of the environment */
};
/* False after a diagnostic: params could not be evaluated. */
bool fresh_record(struct graph *g, job_id job, struct arena *in, struct job_record *out);
