// SPDX-License-Identifier: MIT
/* filegraph.h: one rule of --filegraph: a table with its input and output patterns. */
#pragma once

#include "base/buf.h"
#include "graph/graph.h"

/* Adds the node; color is red, green, blue. */
void filegraph_node(const struct graph *g, rule_id id, uint32_t number, const int color[3],
                    struct buf *out);
