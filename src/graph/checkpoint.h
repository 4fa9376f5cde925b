// SPDX-License-Identifier: MIT
/* checkpoint.h: jobs whose inputs are only known when a checkpoint has run. Until then such a job
 * has the inputs that are known, and the first outputs of checkpoints in place of the others
 * (job.waits_checkpoint, graph.waiting); each time one of these is complete its inputs are
 * evaluated anew and the graph grows.
 *
 *     checkpoint_watch(g);
 *     checkpoint_build(g, &fresh, &cut);           // those of an earlier run tell their jobs
 *     ... a checkpoint has ended ...
 *     checkpoint_grow(g, &fresh, &cut, &changed);  // this one does so, too */
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
/* The same again if there are jobs that may ask again, or are to be compared; *changed: there were.
 */
bool checkpoint_grow(struct graph *g, const struct fresh_options *fresh, const struct cut *cut,
                     bool *changed);

/* Takes jobs whose inputs come from a queue back to BUILD_NEW: the queue may have yielded more. */
void graph_reopen_queued(struct graph *g);
