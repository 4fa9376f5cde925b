// SPDX-License-Identifier: MIT
/* ready.h: which jobs can start now. Counts, for each job that takes part, the inputs that others
 * still have to make; a bundle counts as one input of all its users. Used to put jobs in order, and
 * by the run while jobs finish.
 *
 *     struct ready ready;
 *     ready_start(&ready, g, must_run);          // jobs that wait for nobody are in ready.queue
 *     for (uint32_t i = 0; i < ready.queue.len; i++)
 *         ready_done(&ready, ready.queue.at[i]); // its users join the queue when nothing else
 * holds them ready_end(&ready); */
#pragma once

#include "graph/graph.h"

struct ready {
    const struct graph *g; /* borrowed */
    bool (*takes_part)(const struct job *job);
    uint32_t *left;        /* by job: inputs still missing */
    uint32_t *bundle_left; /* by bundle: files still missing */
    uint32_t *level;       /* by job: makers in a row before it */
    bool streams; /* pipes and services count as made by ready_streams, not when the maker ends */
    VEC(job_id) queue; /* jobs in the order in which they became ready */
};

/* Counts what each job waits for; those that wait for nothing are queued. takes_part NULL: every
 * needed job. The graph is borrowed and must not grow until ready_end. */
void ready_start(struct ready *ready, const struct graph *g,
                 bool (*takes_part)(const struct job *job));
/* A job has ended well: those that waited for it alone are queued. */
void ready_done(struct ready *ready, job_id id);
/* The pipes and services of a job are there: it is about to start. */
void ready_streams(struct ready *ready, job_id id);
/* Frees what it holds. */
void ready_end(struct ready *ready);

/* The whole order at once: all that take part are in the queue, with their levels. */
void ready_walk(struct ready *ready, const struct graph *g,
                bool (*takes_part)(const struct job *job));

/* The usual choice: jobs that must run and are not done. */
bool job_must_run(const struct job *job);
/* Whether one of these uses the file. */
bool file_is_awaited(const struct graph *g, file_id file);

/* All needed jobs (or those that keep says), makers before users; *n of them, in malloc memory, the
 * caller's. */
job_id *graph_order(const struct graph *g, bool (*keep)(const struct job *job), uint32_t *n);

/* All needed jobs in the order of their numbers; *n of them, in malloc memory, the caller's. */
job_id *graph_by_number(const struct graph *g, uint32_t *n);
