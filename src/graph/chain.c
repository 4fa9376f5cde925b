// SPDX-License-Identifier: MIT
/* chain.c: two passes in topological order: how many jobs lie above each, how many below. A
 * bundle's part of it is found once, when the first job asks: all that it depends on is known by
 * then. */
#include "graph/chain.h"

#include <stdlib.h>

#include "base/memory.h"
#include "graph/ready.h"

struct chains {
    const struct graph *g;
    uint32_t *above, *below; /* by job: longest chain that ends, or begins, with it */
    /* by bundle: the longest of its makers' or users', + 1; 0: not known */
    uint32_t *bundle;
};

static uint32_t more(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ---- downwards: what must be made before ---- */

static uint32_t above_edges(struct chains *c, uint32_t first, uint32_t n);

static uint32_t above_bundle(struct chains *c, bundle_id b)
{
    const struct bundle *bundle = &c->g->bundles.at[b];
    if (!c->bundle[b])
        c->bundle[b] = 1 + above_edges(c, bundle->first, bundle->n);
    return c->bundle[b] - 1;
}

/* A bundle holds files only: one level of recursion. */
static uint32_t above_edges(struct chains *c, uint32_t first, uint32_t n)
{
    uint32_t longest = 0;
    for (uint32_t i = first; i < first + n; i++) {
        struct edge e = c->g->edges.at[i];
        longest = more(longest, edge_is_bundle(e) ? above_bundle(c, edge_id(e))
                                                  : c->above[c->g->files.at[e.to].maker]);
    }
    return longest;
}

/* ---- upwards: what can only run after ---- */

static uint32_t below_bundle(struct chains *c, bundle_id b)
{
    const struct uses *uses = &c->g->bundle_uses;
    if (c->bundle[b])
        return c->bundle[b] - 1;
    uint32_t longest = 0;
    for (uint32_t i = uses->start[b]; i < uses->start[b + 1]; i++)
        longest = more(longest, c->below[uses->who[i]]);
    c->bundle[b] = 1 + longest;
    return longest;
}

static uint32_t below_file(struct chains *c, file_id f)
{
    const struct uses *uses = &c->g->file_uses;
    uint32_t longest = 0;
    for (uint32_t i = uses->start[f]; i < uses->start[f + 1]; i++) {
        uint32_t who = uses->who[i];
        longest = more(longest,
                       who & EDGE_BUNDLE ? below_bundle(c, who & ~EDGE_BUNDLE) : c->below[who]);
    }
    return longest;
}

static uint32_t below_job(struct chains *c, job_id id)
{
    uint32_t longest = 0;
    struct product_walk products = product_walk(c->g, id);
    for (file_id f; (f = product_next(c->g, &products));)
        longest = more(longest, below_file(c, f));
    return longest;
}

uint32_t *graph_chains(const struct graph *g)
{
    uint32_t n;
    job_id *order = graph_order(g, job_must_run, &n);
    struct chains c = {g, memory_numbers(g->jobs.len), memory_numbers(g->jobs.len),
                       memory_numbers(g->bundles.len)};
    for (uint32_t i = 0; i < n; i++) {
        const struct job *job = &g->jobs.at[order[i]];
        c.above[order[i]] = 1 + above_edges(&c, job->first_edge, job->nedges);
    }
    free(c.bundle);
    c.bundle = memory_numbers(g->bundles.len);
    for (uint32_t i = n; i--;)
        c.below[order[i]] = 1 + below_job(&c, order[i]);
    for (uint32_t i = 0; i < n; i++)
        c.above[order[i]] += c.below[order[i]] - 1;
    free(order);
    free(c.bundle);
    free(c.below);
    return c.above;
}
