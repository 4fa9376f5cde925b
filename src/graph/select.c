// SPDX-License-Identifier: MIT
#include "graph/select.h"

#include <stdlib.h>

#include "base/memory.h"
#include "graph/batch.h"

static bool selects(const struct graph *g, const struct selection *selection, job_id id)
{
    if (id_listed(selection->rules, g->jobs.at[id].rule))
        return true;
    struct product_walk products = product_walk(g, id);
    for (file_id f; (f = product_next(g, &products));)
        if (id_listed(selection->paths, g->files.at[f].path))
            return true;
    return false;
}

/* Files that were asked for stay so: jobs that make them are not targets for all that they make. */
static void clear_targets(struct graph *g)
{
    for (uint32_t i = 0; i < g->target_jobs.len; i++)
        g->jobs.at[g->target_jobs.at[i]].target = false;
    g->target_jobs.len = g->target_files.len = 0;
}

/* A job that need not run is no target for what is missing of it, as a temporary file is: when the
 * graph has grown it is decided again, and those who would not have wanted that are gone. */
static void add_target(struct graph *g, job_id id)
{
    struct job *job = &g->jobs.at[id];
    if (!job->target)
        vec_push(&g->target_jobs, id);
    job->target = true;
    job->wanted |= job->must_run;
}

/* ---- --until ---- */

static bool can_uncut(const struct graph *g)
{
    return g->uncut_jobs.len || g->uncut_files.len;
}

void graph_uncut(struct graph *g)
{
    if (!can_uncut(g))
        return;
    clear_targets(g);
    for (uint32_t i = 0; i < g->uncut_files.len; i++)
        vec_push(&g->target_files, g->uncut_files.at[i]);
    for (uint32_t i = 0; i < g->uncut_jobs.len; i++) {
        g->jobs.at[g->uncut_jobs.at[i]].target = true;
        vec_push(&g->target_jobs, g->uncut_jobs.at[i]);
    }
}

static void keep_targets(struct graph *g)
{
    for (uint32_t i = 0; i < g->target_files.len; i++)
        vec_push(&g->uncut_files, g->target_files.at[i]);
    for (uint32_t i = 0; i < g->target_jobs.len; i++)
        vec_push(&g->uncut_jobs, g->target_jobs.at[i]);
}

/* A rule of which no job is known: its jobs may come behind a checkpoint. */
static bool any_unknown(const struct graph *g, const rule_id *rules)
{
    bool *known = memory_zeroed(g->workflow->rules.len + 1, sizeof *known);
    for (job_id j = 1; j < g->jobs.len; j++)
        known[g->jobs.at[j].rule] |= g->jobs.at[j].needed;
    while (rules && *rules && known[*rules])
        rules++;
    free(known);
    return rules && *rules;
}

/* The checkpoints that others wait for, who ask again when these have run. */
static void add_checkpoints(struct graph *g)
{
    for (uint32_t i = 0; i < g->waiting.len; i++) {
        struct waiting *wait = &g->waiting.at[i];
        job_id maker = g->files.at[wait->file].maker;
        wait->asks = maker && g->jobs.at[wait->job].needed;
        if (wait->asks)
            add_target(g, maker);
    }
}

static void keep_until(struct graph *g, const struct selection *until)
{
    VEC(job_id) keep = {0};
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed && selects(g, until, j))
            vec_push(&keep, j);
    if (g->waiting.len && !can_uncut(g) && any_unknown(g, until->rules))
        keep_targets(g);
    if (can_uncut(g))
        graph_keep_numbers(g);
    clear_targets(g);
    for (uint32_t i = 0; i < keep.len; i++)
        add_target(g, keep.at[i]);
    if (can_uncut(g))
        add_checkpoints(g);
    vec_free(&keep);
    graph_link(g);
}

/* ---- --omit-from ---- */

struct omission {
    struct graph *g;
    uint8_t *omitted; /* by job */
    VEC(job_id) stack;
};

static void omit_job(struct omission *o, job_id id)
{
    if (!o->omitted[id]) {
        o->omitted[id] = 1;
        vec_push(&o->stack, id);
    }
}

static bool omit_user(void *user, job_id job)
{
    omit_job(user, job);
    return true;
}

static void omit_downstream(struct omission *o)
{
    while (o->stack.len) {
        struct product_walk products = product_walk(o->g, o->stack.at[--o->stack.len]);
        for (file_id f; (f = product_next(o->g, &products));)
            file_users(o->g, f, omit_user, o);
    }
}

/* What an omitted job needs and that stays becomes a target. */
static void keep_makers(struct omission *o, job_id id)
{
    struct input_walk walk = input_walk(o->g, id);
    for (file_id f; (f = input_next(o->g, &walk));) {
        job_id maker = o->g->files.at[f].maker;
        if (maker && !o->omitted[maker])
            add_target(o->g, maker);
    }
}

static void omit_from(struct graph *g, const struct selection *omit)
{
    struct omission o = {.g = g, .omitted = memory_zeroed(g->jobs.len + 1, 1)};
    VEC(job_id) old = {0};
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed && selects(g, omit, j))
            omit_job(&o, j);
    omit_downstream(&o);
    for (uint32_t i = 0; i < g->target_jobs.len; i++)
        vec_push(&old, g->target_jobs.at[i]);
    for (uint32_t i = 0; i < g->target_files.len; i++)
        vec_push(&old, g->files.at[g->target_files.at[i]].maker);
    clear_targets(g);
    for (uint32_t i = 0; i < old.len; i++)
        if (old.at[i] && !o.omitted[old.at[i]])
            add_target(g, old.at[i]);
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].needed && o.omitted[j])
            keep_makers(&o, j);
    free(o.omitted);
    vec_free(&o.stack);
    vec_free(&old);
    graph_link(g);
}

/* ---- all together ---- */

static void forget_left_out(struct graph *g)
{
    g->nmust_run = 0;
    for (job_id j = 1; j < g->jobs.len; j++) {
        struct job *job = &g->jobs.at[j];
        job->must_run &= job->needed;
        g->nmust_run += job->must_run;
    }
}

void graph_select(struct graph *g, const struct cut *cut)
{
    struct selection batch = {.rules = (rule_id[]){batch_omitted(g), 0}};
    if (cut->until.rules || cut->until.paths)
        keep_until(g, &cut->until);
    if (*batch.rules)
        omit_from(g, &batch);
    if (cut->omit.rules || cut->omit.paths)
        omit_from(g, &cut->omit);
    forget_left_out(g);
}

void graph_prioritize(struct graph *g, const struct selection *first)
{
    VEC(job_id) stack = {0};
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].priority == PRIORITY_HIGHEST ||
            (g->jobs.at[j].needed && selects(g, first, j)))
            vec_push(&stack, j);
    while (stack.len) {
        job_id j = stack.at[--stack.len];
        g->jobs.at[j].priority = PRIORITY_HIGHEST;
        struct input_walk walk = input_walk(g, j);
        for (file_id f; (f = input_next(g, &walk));) {
            job_id maker = g->files.at[f].maker;
            if (maker && g->jobs.at[maker].priority != PRIORITY_HIGHEST)
                vec_push(&stack, maker);
        }
    }
    vec_free(&stack);
}
