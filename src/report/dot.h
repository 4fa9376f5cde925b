// SPDX-License-Identifier: MIT
/* dot.h: the graph as text for graphviz. */
#pragma once

#include "base/buf.h"
#include "graph/graph.h"

/* All needed jobs; those that need not run are dashed. */
void dot_jobs(const struct graph *g, struct buf *out);
/* The same by rule: each rule once. */
void dot_rules(const struct graph *g, struct buf *out);
