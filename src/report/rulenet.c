// SPDX-License-Identifier: MIT
#include "report/rulenet.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "graph/ready.h"

static void add_edges(const struct graph *g, job_id job, const uint32_t *node, struct map *seen,
                      struct rule_net *net, uint32_t *room)
{
    struct input_walk walk = input_walk(g, job);
    uint32_t to = node[g->jobs.at[job].rule] - 1;
    for (file_id f; (f = input_next(g, &walk));) {
        job_id maker = g->files.at[f].maker;
        uint32_t from = maker ? node[g->jobs.at[maker].rule] : 0;
        if (!from || map_find(seen, map_pair(from, to + 1)))
            continue;
        map_set(seen, map_pair(from, to + 1), 1);
        if (net->nedges == *room)
            net->edge = pool_grow(net->edge, room, net->nedges + 1, sizeof *net->edge);
        net->edge[net->nedges++] = (struct rule_edge){from - 1, to};
    }
}

struct rule_net rule_net(const struct graph *g)
{
    struct rule_net net = {0};
    struct map seen = {0};
    uint32_t n, room = 0, nrules = g->workflow->rules.len;
    uint32_t *node = memory_zeroed(nrules + 1, sizeof *node);
    job_id *jobs = graph_by_number(g, &n);
    net.node = memory_zeroed(nrules + 1, sizeof *net.node);
    for (uint32_t i = 0; i < n; i++) {
        rule_id rule = g->jobs.at[jobs[i]].rule;
        if (!node[rule]) {
            net.node[net.nnodes++].rule = rule;
            node[rule] = net.nnodes;
        }
        net.node[node[rule] - 1].njobs++;
    }
    for (uint32_t i = 0; i < n; i++)
        add_edges(g, jobs[i], node, &seen, &net, &room);
    map_free(&seen);
    free(node);
    free(jobs);
    return net;
}

void rule_net_free(struct rule_net *net)
{
    free(net->node);
    free(net->edge);
    *net = (struct rule_net){0};
}
