// SPDX-License-Identifier: MIT
/* select.h: parts of a built graph: --until, --omit-from and --prioritize. */
#pragma once

#include "graph/graph.h"

/* Rules and files named by the user; each list 0-terminated, may be NULL. */
struct selection {
    const rule_id *rules;
    const file_id *files;
};

/* Keeps only the jobs named and what they need. */
void graph_until(struct graph *g, const struct selection *until);
/* Leaves out the jobs named and all that depends on them; what those needed stays a target. */
void graph_omit(struct graph *g, const struct selection *omit);
/* Gives the jobs named, and all that they need, the highest priority; once more when the graph has grown. */
void graph_prioritize(struct graph *g, const struct selection *first);
