// SPDX-License-Identifier: MIT
/* dot.h: the graph as text for graphviz or mermaid-js. */
#pragma once

#include "base/buf.h"
#include "graph/graph.h"

enum drawing {
    DRAW_DOT,
    DRAW_MERMAID,
    DRAW_FILES, /* rules only: dot, each with its inputs and outputs */
};

/* All needed jobs; those that need not run are dashed. */
void dot_jobs(const struct graph *g, enum drawing form, struct buf *out);
/* The same by rule: each rule once. */
void dot_rules(const struct graph *g, enum drawing form, struct buf *out);
/* All needed jobs as JSON, with edges from those that must run. */
void d3_jobs(const struct graph *g, struct buf *out);
