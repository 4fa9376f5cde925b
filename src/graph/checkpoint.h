// SPDX-License-Identifier: MIT
/* checkpoint.h: jobs whose inputs are only known when a checkpoint has run. Until then such a job
 * has the inputs that are known, and the first outputs of checkpoints in place of the others
 * (job.waits_checkpoint, graph.waiting); each time one of these is complete its inputs are
 * evaluated anew and the graph grows. So are those of a job that uses what a checkpoint makes and
 * has input functions: they may look for files without asking for the checkpoint.
 *
 *     checkpoint_watch(g);
 *     checkpoint_build(g, &fresh, &cut);           // those of an earlier run tell their jobs
 *     checkpoint_ended(g, job);                    // a checkpoint has run
 *     checkpoint_grow(g, &fresh, &cut, &changed);  // it does so, too */
#pragma once

#include "graph/fresh.h"
#include "graph/select.h"

/* Lets checkpoints.NAME.get() of the workflow ask this graph. */
void checkpoint_watch(struct graph *g);

/* Whether any job that is to run waits for a checkpoint, or for one that is to run: what it will
 * need is not known yet. */
bool checkpoint_is_awaited(const struct graph *g);

/* Builds the graph as far as checkpoints let it, looks at its files, decides what must run, and
 * cuts it (cut may be NULL): --until when all is known that can be known. False after diagnostics.
 */
bool checkpoint_build(struct graph *g, const struct fresh_options *fresh, const struct cut *cut);
/* The job of a checkpoint has run (job.done): the graph is to grow. Until then those that use what
 * it has made, and may look for more, wait. */
void checkpoint_ended(struct graph *g, job_id id);
/* The same again if there are jobs that may ask again, or are to be compared; *changed: there were.
 */
bool checkpoint_grow(struct graph *g, const struct fresh_options *fresh, const struct cut *cut,
                     bool *changed);

/* Takes jobs whose inputs come from a queue back to BUILD_NEW: the queue may have yielded more. */
void graph_reopen_queued(struct graph *g);
