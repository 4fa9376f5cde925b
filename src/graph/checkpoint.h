// SPDX-License-Identifier: MIT
/* checkpoint.h: jobs whose inputs are only known when a checkpoint has run. Until then such a job
 * has the inputs that are known, and the first outputs of checkpoints in place of the others
 * (job.waits_checkpoint, graph.waiting); each time one of these is complete its inputs are
 * evaluated anew and the graph grows.
 *
 *     checkpoint_watch(g);                        // before the first graph_build
 *     ... graph_build, graph_stat, fresh_decide ...
 *     while (checkpoint_reopen(g)) ...            // those that are complete from an earlier run:
 * build and decide again */
#pragma once

#include "graph/fresh.h"
#include "graph/select.h"

/* Lets checkpoints.NAME.get() of the workflow ask this graph. */
void checkpoint_watch(struct graph *g);

/* Whether any job that is to run waits for a checkpoint, or for one that is to run: what it will
 * need is not known yet. */
bool checkpoint_is_awaited(const struct graph *g);

/* Takes the waiting jobs of which a checkpoint is complete (its job is done, or need not run and
 * its outputs exist) back to BUILD_NEW, to be evaluated by the next graph_build. False if there are
 * none. */
bool checkpoint_reopen(struct graph *g);

/* Builds the graph as far as checkpoints let it, looks at its files, decides what must run, and
 * cuts it (cut may be NULL). False after diagnostics. */
bool checkpoint_build(struct graph *g, const struct fresh_options *fresh, const struct cut *cut);
/* The same again as long as there are jobs that may ask again; *changed: there were. */
bool checkpoint_grow(struct graph *g, const struct fresh_options *fresh, const struct cut *cut,
                     bool *changed);

/* Takes jobs whose inputs come from a queue back to BUILD_NEW: the queue may have yielded more. */
void graph_reopen_queued(struct graph *g);
