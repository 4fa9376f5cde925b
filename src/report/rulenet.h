// SPDX-License-Identifier: MIT
/* rulenet.h: the rules of a graph's jobs and which needs which. */
#pragma once

#include "graph/graph.h"

struct rule_net {
    struct rule_node {
        rule_id rule;
        uint32_t njobs;
    } * node; /* in the order in which their first job was found */
    uint32_t nnodes;
    struct rule_edge {
        uint32_t from, to; /* nodes: what is made by from is an input of to */
    } * edge;              /* each once */
    uint32_t nedges;
};

/* All needed jobs; the arrays are the caller's: rule_net_free. */
struct rule_net rule_net(const struct graph *g);
void rule_net_free(struct rule_net *net);
