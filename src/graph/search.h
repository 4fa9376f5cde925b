// SPDX-License-Identifier: MIT
/* search.h: private to the graph layer: what went wrong while producers were looked for, kept until
 * it is known whether it matters (another rule or an existing file may help). */
#pragma once

#include "graph/graph.h"

enum failure_kind {
    FAILURE_MISSING,  /* inputs that nothing makes and that do not exist */
    FAILURE_FUNCTION, /* an input function raised: aside */
    FAILURE_CYCLE,    /* the job needs its own output */
    FAILURE_PERIODIC, /* a wildcard value repeats itself: text */
};

struct failure {
    uint8_t kind;
    uint8_t root; /* the kind of the failure behind it: why the missing file could not be made */
    job_id job;
    file_id file;     /* the missing input, or the file that closes the cycle */
    uint32_t next;    /* next failure of a candidate for the same file */
    const char *text; /* PERIODIC: the wildcard's name; borrowed */
    uint32_t aside;   /* FUNCTION: the diagnostic that was put aside, or 0 */
};

struct failures {
    POOL(struct failure) all;
    struct map of_job;  /* job -> its failure */
    struct map of_file; /* file -> first failure of its candidates */
};

/* Reports why a target cannot be made, from the root cause outwards. Always false. */
bool failure_report(struct graph *g, const struct failures *failures, job_id target_job,
                    file_id target_file);
/* Reports jobs that need each other without end, of which this is the last. Always false. */
bool depth_report(struct graph *g, job_id job);
/* Warns that a job is not the one that makes a file, or a file not made at all, because of a circle
 * that the job is in or needs files of. */
void circle_warn(struct graph *g, const struct failures *failures, job_id job, file_id file);
/* Reports two rules that make the same file. Always false. */
bool ambiguity_report(struct graph *g, file_id file, job_id a, job_id b);

/* Tells every product of a needed job its maker (link.c). False after a diagnostic: two make it. */
bool graph_claim(struct graph *g);
