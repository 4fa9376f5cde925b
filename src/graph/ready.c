// SPDX-License-Identifier: MIT
#include "graph/ready.h"

#include <stdlib.h>

#include "base/memory.h"
#include "graph/gang.h"

bool job_must_run(const struct job *job)
{
    return job->must_run && !job->done;
}

struct awaiting {
    const struct graph *g;
    bool any;
};

static bool note_awaiting(void *user, job_id job)
{
    struct awaiting *awaiting = user;
    awaiting->any = job_must_run(&awaiting->g->jobs.at[job]);
    return !awaiting->any;
}

bool file_is_awaited(const struct graph *g, file_id file)
{
    struct awaiting awaiting = {g, false};
    file_users(g, file, note_awaiting, &awaiting);
    return awaiting.any;
}

static bool takes_part(const struct ready *ready, job_id id)
{
    const struct job *job = &ready->g->jobs.at[id];
    return id && job->needed && (!ready->takes_part || ready->takes_part(job));
}

static bool is_awaited(const struct ready *ready, file_id file)
{
    return takes_part(ready, ready->g->files.at[file].maker);
}

static bool uses_output_of(const struct graph *g, job_id user, job_id maker)
{
    struct input_walk walk = input_walk(g, user);
    file_id f;
    while ((f = input_next(g, &walk)) && g->files.at[f].maker != maker)
        ;
    return f;
}

/* Whether a job that updates a file waits for one that wants it as it was: not if that needs what
 * it makes. */
static bool waits_for(const struct graph *g, job_id updater, job_id user)
{
    return user != updater && !uses_output_of(g, user, updater);
}

/* Only an update() waits: other makers of such a file make it as they are asked to. */
static bool is_update(const struct graph *g, const struct previous *pair)
{
    return !pair->unawaited && g->files.at[pair->after].flags & FLAG_UPDATE;
}

/* Once for each time that the file is among the inputs. */
static void count_waiter(struct ready *ready, job_id updater, job_id user)
{
    ready->left[updater] += takes_part(ready, user) && waits_for(ready->g, updater, user);
}

static void count_waiters(struct ready *ready, const struct previous *pair)
{
    const struct graph *g = ready->g;
    job_id updater = g->files.at[pair->after].maker;
    if (!is_update(g, pair) || !takes_part(ready, updater))
        return;
    for (uint32_t i = g->file_uses.start[pair->before]; i < g->file_uses.start[pair->before + 1];
         i++) {
        uint32_t who = g->file_uses.who[i], b = who & ~EDGE_BUNDLE;
        if (!(who & EDGE_BUNDLE)) {
            count_waiter(ready, updater, who);
            continue;
        }
        for (uint32_t u = g->bundle_uses.start[b]; u < g->bundle_uses.start[b + 1]; u++)
            count_waiter(ready, updater, g->bundle_uses.who[u]);
    }
}

static void count_bundle(struct ready *ready, bundle_id b)
{
    const struct bundle *bundle = &ready->g->bundles.at[b];
    for (uint32_t i = bundle->first; i < bundle->first + bundle->n; i++)
        ready->bundle_left[b] += is_awaited(ready, ready->g->edges.at[i].to);
}

static void count_job(struct ready *ready, job_id id)
{
    const struct job *job = &ready->g->jobs.at[id];
    for (uint32_t i = job->first_edge; i < job->first_edge + job->nedges; i++) {
        struct edge e = ready->g->edges.at[i];
        ready->left[id] += edge_is_bundle(e) ? ready->bundle_left[edge_id(e)] > 0
                                             : is_awaited(ready, e.to);
    }
    if (!ready->left[id])
        vec_push(&ready->queue, id);
}

void ready_start(struct ready *ready, const struct graph *g, bool (*part)(const struct job *job))
{
    *ready = (struct ready){.g = g, .takes_part = part};
    ready->left = memory_numbers(g->jobs.len);
    ready->level = memory_numbers(g->jobs.len);
    ready->bundle_left = memory_numbers(g->bundles.len);
    for (bundle_id b = 1; b < g->bundles.len; b++)
        count_bundle(ready, b);
    for (uint32_t i = 0; i < g->previous.len; i++)
        count_waiters(ready, &g->previous.at[i]);
    for (job_id j = 1; j < g->jobs.len; j++)
        if (takes_part(ready, j))
            count_job(ready, j);
}

static void one_less(struct ready *ready, job_id id, uint32_t level)
{
    if (!takes_part(ready, id) || --ready->left[id])
        return;
    ready->level[id] = level; /* in order of the queue, the last maker is the deepest */
    vec_push(&ready->queue, id);
}

static void file_done(struct ready *ready, file_id file, uint32_t level)
{
    const struct graph *g = ready->g;
    for (uint32_t i = g->file_uses.start[file]; i < g->file_uses.start[file + 1]; i++) {
        uint32_t who = g->file_uses.who[i], b = who & ~EDGE_BUNDLE;
        if (!(who & EDGE_BUNDLE))
            one_less(ready, who, level);
        else if (!--ready->bundle_left[b])
            for (uint32_t u = g->bundle_uses.start[b]; u < g->bundle_uses.start[b + 1]; u++)
                one_less(ready, g->bundle_uses.who[u], level);
    }
}

/* A job has seen the files that it wanted as they were. */
static void release_updaters(struct ready *ready, job_id id)
{
    const struct graph *g = ready->g;
    struct input_walk walk = input_walk(g, id);
    for (file_id f; (f = input_next(g, &walk));) {
        file_id after = graph_find_file(g, g->files.at[f].path);
        uint32_t pair = after != f ? map_find(&g->previous_of, after) : 0;
        if (pair && is_update(g, &g->previous.at[pair - 1]) &&
            waits_for(g, g->files.at[after].maker, id))
            one_less(ready, g->files.at[after].maker, ready->level[id] + 1);
    }
}

void ready_done(struct ready *ready, job_id id)
{
    if (ready->g->previous.len)
        release_updaters(ready, id);
    struct product_walk products = product_walk(ready->g, id);
    for (file_id f; (f = product_next(ready->g, &products));)
        if (ready->g->files.at[f].maker == id && !(ready->streams && is_stream(ready->g, f)))
            file_done(ready, f, ready->level[id] + 1);
}

void ready_streams(struct ready *ready, job_id id)
{
    for (uint32_t i = 0; i < ready->g->jobs.at[id].noutputs; i++) {
        file_id f = job_outputs(ready->g, id)[i];
        if (is_stream(ready->g, f))
            file_done(ready, f, ready->level[id] + 1);
    }
}

void ready_end(struct ready *ready)
{
    free(ready->left);
    free(ready->level);
    free(ready->bundle_left);
    vec_free(&ready->queue);
}

void ready_walk(struct ready *ready, const struct graph *g, bool (*part)(const struct job *job))
{
    ready_start(ready, g, part);
    for (uint32_t i = 0; i < ready->queue.len; i++)
        ready_done(ready, ready->queue.at[i]);
}

job_id *graph_order(const struct graph *g, bool (*keep)(const struct job *job), uint32_t *n)
{
    struct ready ready;
    ready_walk(&ready, g, keep);
    *n = ready.queue.len;
    job_id *order = ready.queue.at;
    ready.queue.at = NULL;
    ready_end(&ready);
    return order ? order : (job_id *)memory_numbers(0);
}

job_id *graph_by_number(const struct graph *g, uint32_t *n)
{
    job_id *jobs = (job_id *)memory_numbers(g->jobs.len);
    *n = 0;
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed)
            jobs[g->jobs.at[j].number] = j;
    for (uint32_t i = 0; i < g->jobs.len;
         i++) /* the numbers of jobs that were needed once are gaps */
        if (jobs[i])
            jobs[(*n)++] = jobs[i];
    return jobs;
}
