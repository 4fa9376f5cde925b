// SPDX-License-Identifier: MIT
/* select.h: parts of a built graph: --until, --omit-from and --prioritize. */
#pragma once

#include "graph/graph.h"

/* Rules and files named by the user; each list 0-terminated, may be NULL. */
struct selection {
    const rule_id *rules;
    const sym_t *paths;
};

struct cut {
    struct selection until; /* only these jobs stay, and what they need */
    /* these go, and all that depends on them; what those needed stays a target */
    struct selection omit;
};

/* Cuts a graph, of which it is decided what must run: the jobs that stay run for what goes, too, as
 * in Snakemake. Once more when the graph has grown. */
void graph_select(struct graph *g, const struct cut *cut);
/* Has the next build look at all that --until has left out, if jobs that it names may be found
 * behind a checkpoint that it has kept. */
void graph_uncut(struct graph *g);
/* Gives the jobs named, and all that they need, the highest priority; once more when the graph has
 * grown. */
void graph_prioritize(struct graph *g, const struct selection *first);
