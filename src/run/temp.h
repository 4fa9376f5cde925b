// SPDX-License-Identifier: MIT
/* temp.h: when a temporary file has served its last job. A file flagged temp goes when no job that
 * must run and is not done needs it any more, unless it is itself a target. */
#pragma once

#include "graph/graph.h"

struct temps {
    const struct graph *g;
    void (*remove)(void *user, file_id file); /* a file that has served */
    void *user;
    uint32_t *left; /* by file: jobs that still need it; NULL when no rule has temporary outputs */
    bool held;      /* a checkpoint is open: nothing is removed yet */
};

/* A job that was asked for, by its rule or by a file of it, keeps all that it made, until others
 * have used it; so does a checkpoint, whose directory may hold inputs of others. */
bool temps_are_kept(const struct graph *g, job_id id);

/* Counts who needs each temporary file. The graph is borrowed and must not grow until temps_end. */
void temps_start(struct temps *temps, const struct graph *g,
                 void (*remove)(void *user, file_id file), void *user);
/* A job is done: removes each temporary file that nobody needs now, its own outputs included. */
void temps_done(struct temps *temps, job_id id);
/* Removes what was held back when jobs were done, and is there. */
void temps_sweep(struct temps *temps);
/* Removes one here. False, with errno: it is still there. */
bool temp_remove(struct graph *g, file_id file);
/* Frees what it holds. */
void temps_end(struct temps *temps);
