// SPDX-License-Identifier: MIT
/* link.c: what is derived from the finished jobs: who makes what, which jobs are needed, their
 * numbers, the tables of consumers, and the check that all of it fits together. */
#include "graph/graph.h"

#include <stdlib.h>

#include "base/ensure.h"
#include "base/memory.h"
#include "graph/search.h"

void uses_free(struct uses *uses)
{
    free(uses->start);
    free(uses->who);
    *uses = (struct uses){0};
}

/* ---- makers ---- */

static bool claim_outputs(struct graph *g, job_id id)
{
    const struct items *items = &job_rule(g, id)->output;
    for (uint32_t i = 0; i < g->jobs.at[id].noutputs; i++) {
        file_id f = job_outputs(g, id)[i];
        struct file *file = &g->files.at[f];
        if (file->maker && file->maker != id && g->jobs.at[file->maker].needed &&
            !g->options.allow_ambiguity)
            return ambiguity_report(g, f, file->maker, id);
        file->maker = id;
        file->flags |= items->at[i].flags;
    }
    return true;
}

bool graph_claim(struct graph *g)
{
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed && !claim_outputs(g, j))
            return false;
    return true;
}

/* ---- consumers: two passes over the edges, counting and filling ---- */

struct link {
    struct graph *g;
    bool *bundle_needed;
    bool filling;
};

static void note_use(struct uses *uses, uint32_t what, uint32_t who, bool filling)
{
    if (filling)
        uses->who[uses->start[what]++] = who;
    else
        uses->start[what + 1]++;
}

static void link_edges(struct link *link, uint32_t first, uint32_t n, uint32_t who)
{
    struct graph *g = link->g;
    for (uint32_t i = first; i < first + n; i++) {
        struct edge e = g->edges.at[i];
        if (!edge_is_bundle(e)) {
            note_use(&g->file_uses, e.to, who, link->filling);
            continue;
        }
        note_use(&g->bundle_uses, edge_id(e), who, link->filling);
        link->bundle_needed[edge_id(e)] = true;
    }
}

static void link_pass(struct link *link, bool filling)
{
    struct graph *g = link->g;
    link->filling = filling;
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed)
            link_edges(link, g->jobs.at[j].first_edge, g->jobs.at[j].nedges, j);
    for (bundle_id b = 1; b < g->bundles.len; b++)
        if (link->bundle_needed[b])
            link_edges(link, g->bundles.at[b].first, g->bundles.at[b].n, b | EDGE_BUNDLE);
}

static void uses_start(struct uses *uses, uint32_t n)
{
    uses_free(uses);
    uses->start = memory_zeroed((size_t)n + 2, sizeof *uses->start);
}

/* Counts become first places. */
static void uses_counted(struct uses *uses, uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++)
        uses->start[i] += uses->start[i - 1];
    uses->who = memory_zeroed((size_t)uses->start[n] + 1, sizeof *uses->who);
}

/* Filling moved each first place to its end, which is the next one's first. */
static void uses_filled(struct uses *uses, uint32_t n)
{
    for (uint32_t i = n; i > 0; i--)
        uses->start[i] = uses->start[i - 1];
    uses->start[0] = 0;
}

/* Preorder from the targets, as Snakemake numbers jobs; explicit stack of (edge, end) pairs. */
struct walk_frame {
    uint32_t edge, end;
};

struct numbering {
    struct graph *g;
    VEC(struct walk_frame) stack;
    bool *bundle_seen;
    uint32_t next;
};

static void number_job(struct numbering *n, job_id id)
{
    struct job *job = &n->g->jobs.at[id];
    if (!id || job->needed)
        return;
    job->needed = true;
    job->number = id < n->g->numbers.len && n->g->numbers.at[id] ? n->g->numbers.at[id] - 1
                                                                 : n->next++;
    struct walk_frame frame = {job->first_edge, job->first_edge + job->nedges};
    vec_push(&n->stack, frame);
}

static void number_edge(struct numbering *n, struct edge e)
{
    if (!edge_is_bundle(e)) {
        number_job(n, n->g->files.at[e.to].maker);
        return;
    }
    if (n->bundle_seen[edge_id(e)])
        return;
    n->bundle_seen[edge_id(e)] = true;
    const struct bundle *bundle = &n->g->bundles.at[edge_id(e)];
    struct walk_frame frame = {bundle->first, bundle->first + bundle->n};
    vec_push(&n->stack, frame);
}

static void number_from(struct numbering *n, job_id job)
{
    number_job(n, job);
    while (n->stack.len) {
        struct walk_frame *top = &n->stack.at[n->stack.len - 1];
        if (top->edge == top->end)
            n->stack.len--;
        else
            number_edge(n, n->g->edges.at[top->edge++]);
    }
}

static void number_jobs(struct graph *g)
{
    struct numbering n = {.g = g, .bundle_seen = memory_zeroed(g->bundles.len + 1, 1)};
    for (uint32_t i = 0; i < g->numbers.len; i++)
        n.next = g->numbers.at[i] > n.next ? g->numbers.at[i] : n.next;
    for (job_id j = 1; j < g->jobs.len; j++)
        g->jobs.at[j].needed = false;
    for (uint32_t i = 0; i < g->target_jobs.len; i++)
        number_from(&n, g->target_jobs.at[i]);
    for (uint32_t i = 0; i < g->target_files.len; i++)
        number_from(&n, g->files.at[g->target_files.at[i]].maker);
    vec_free(&n.stack);
    free(n.bundle_seen);
}

void graph_keep_numbers(struct graph *g)
{
    while (g->numbers.len < g->jobs.len)
        vec_push(&g->numbers, 0);
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed)
            g->numbers.at[j] = g->jobs.at[j].number + 1;
}

void graph_reopen(struct graph *g, job_id id)
{
    if (!g->reopened.len) /* the search uses the numbers of those for its own ends */
        graph_keep_numbers(g);
    g->jobs.at[id].state = BUILD_NEW;
    g->jobs.at[id].nedges = 0;
    g->jobs.at[id].reasons = 0;
    vec_push(&g->reopened, id);
}

void graph_link(struct graph *g)
{
    number_jobs(g);
    uint32_t nfiles = g->files.len ? g->files.len : 1,
             nbundles = g->bundles.len ? g->bundles.len : 1;
    uses_start(&g->file_uses, nfiles);
    uses_start(&g->bundle_uses, nbundles);
    struct link link = {.g = g, .bundle_needed = memory_zeroed(nbundles, 1)};
    link_pass(&link, false);
    uses_counted(&g->file_uses, nfiles);
    uses_counted(&g->bundle_uses, nbundles);
    link_pass(&link, true);
    uses_filled(&g->file_uses, nfiles);
    uses_filled(&g->bundle_uses, nbundles);
    free(link.bundle_needed);
}

/* ---- check ---- */

static void check_edges(const struct graph *g, uint32_t first, uint32_t n)
{
    ensure(first + n <= g->edges.len);
    for (uint32_t i = first; i < first + n; i++) {
        struct edge e = g->edges.at[i];
        ensure(edge_id(e) > 0);
        ensure(edge_id(e) < (edge_is_bundle(e) ? g->bundles.len : g->files.len));
    }
}

static uint32_t count_uses(const struct graph *g)
{
    uint32_t n = 0;
    for (job_id j = 1; j < g->jobs.len; j++) {
        const struct job *job = &g->jobs.at[j];
        if (!job->needed)
            continue;
        ensure(job->state == BUILD_OK);
        check_edges(g, job->first_edge, job->nedges);
        for (uint32_t i = 0; i < job->nedges; i++)
            n += !edge_is_bundle(g->edges.at[job->first_edge + i]);
    }
    return n;
}

static bool is_previous(const struct graph *g, file_id file)
{
    uint32_t at = map_find(&g->previous_of, g->file_of.at[g->files.at[file].path]);
    return at && g->previous.at[at - 1].before == file;
}

static bool makes(const struct graph *g, job_id job, file_id file)
{
    struct product_walk products = product_walk(g, job);
    for (file_id f; (f = product_next(g, &products));)
        if (f == file)
            return true;
    return false;
}

/* Needed jobs are numbered without gaps as long as the graph has not grown, what must run is
 * needed, outputs know their job. */
static void check_jobs(const struct graph *g)
{
    uint32_t needed = 0, must_run = 0;
    uint8_t *seen = memory_zeroed(g->jobs.len + 1, 1);
    for (job_id j = 1; j < g->jobs.len; j++) {
        const struct job *job = &g->jobs.at[j];
        must_run += job->must_run;
        if (!job->needed)
            continue;
        needed++;
        ensure(job->number < g->jobs.len && !seen[job->number]++);
        for (uint32_t i = 0; i < job->noutputs; i++)
            ensure(g->files.at[job_outputs(g, j)[i]].maker == j || g->options.allow_ambiguity);
    }
    for (uint32_t i = 0; i < needed; i++)
        ensure(seen[i] || g->numbers.len);
    ensure(!g->decided || must_run == g->nmust_run);
    free(seen);
}

void graph_check(const struct graph *g)
{
    uint32_t plain = count_uses(g), listed = 0;
    check_jobs(g);
    for (file_id f = 1; f < g->files.len; f++) {
        const struct file *file = &g->files.at[f];
        ensure(g->file_of.at[file->path] == f || is_previous(g, f));
        ensure(!file->maker || file->maker < g->jobs.len);
        ensure(file->state != FILE_VISITING);
        ensure(file->state != FILE_MADE || makes(g, file->maker, f));
        for (uint32_t i = g->file_uses.start[f]; i < g->file_uses.start[f + 1]; i++)
            listed += !(g->file_uses.who[i] & EDGE_BUNDLE);
    }
    ensure(plain == listed);
    for (bundle_id b = 1; b < g->bundles.len; b++)
        check_edges(g, g->bundles.at[b].first, g->bundles.at[b].n);
}
