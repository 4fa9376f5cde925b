// SPDX-License-Identifier: MIT
#include "graph/checkpoint.h"

#include "graph/ready.h"

/* What a checkpoint cannot make because it lacks inputs, but what is there: source files, then. */
static bool is_source(const struct graph *g, file_id f)
{
    return g->files.at[f].state == FILE_SOURCE;
}

/* decided: fresh_decide has looked at the job, so that "need not run" means something. A checkpoint
 * that nobody waits for any more stays complete: one function may ask for several, one after the
 * other. */
static bool is_complete(struct graph *g, job_id id)
{
    struct job *job = &g->jobs.at[id];
    bool cannot_run = job->state == BUILD_FAILED;
    if (job->done)
        return true;
    if (!g->decided || job->must_run || !job->noutputs || !(job->needed || job->told || cannot_run))
        return false;
    for (uint32_t i = 0; i < job->noutputs; i++) {
        file_id f = job_outputs(g, id)[i];
        if (cannot_run ? !is_source(g, f) : g->files.at[f].mtime < 0)
            return false;
    }
    return job->told = true;
}

/* Values of several wildcards may come out otherwise where the path is taken apart again: the job
 * is the one that makes that path, as for any other input. */
static bool ready(void *user, rule_id number, const sym_t *wildcards)
{
    struct graph *g = user;
    const struct rule *rule = g->workflow->rules.at[number];
    bool by_path = rule->wildcards.n > 1 && rule->output.len;
    sym_t path = by_path ? pattern_apply(&rule->output.at[0].pattern, g->names, wildcards) : 0;
    job_id job = by_path ? graph_known_job(g, number, path) : graph_job(g, number, wildcards, 0);
    return job && is_complete(g, job);
}

void checkpoint_watch(struct graph *g)
{
    g->workflow->checkpoint_ready = ready;
    g->workflow->checkpoint_user = g;
}

/* Whether the job may ask again, and will hear something else: the checkpoint that it waits for is
 * complete. One that was left out, as by --omit-from, need not. */
static bool may_go_on(struct graph *g, struct waiting wait)
{
    const struct job *job = &g->jobs.at[wait.job];
    bool asks = job->waits_checkpoint && (job->needed || wait.asks);
    job_id j = asks ? g->files.at[wait.file].first_job : 0;
    while (j && !(job_rule(g, j)->checkpoint && is_complete(g, j)))
        j = g->jobs.at[j].next_same;
    return j;
}

static bool is_to_run(const struct graph *g, job_id id)
{
    return id && g->jobs.at[id].needed && job_must_run(&g->jobs.at[id]);
}

bool checkpoint_is_awaited(const struct graph *g)
{
    bool found = false;
    for (uint32_t i = 0; !found && i < g->waiting.len; i++) {
        struct waiting wait = g->waiting.at[i];
        found = is_to_run(g, wait.job) || is_to_run(g, g->files.at[wait.file].maker);
    }
    return found;
}

void graph_reopen_queued(struct graph *g)
{
    for (uint32_t i = 0; i < g->queued.len; i++) {
        g->jobs.at[g->queued.at[i]].waits_queue = false;
        graph_reopen(g, g->queued.at[i]);
    }
    g->queued.len = 0;
}

static bool has_function(const struct items *items)
{
    uint32_t i = 0;
    while (i < items->len && items->at[i].kind != ITEM_FUNCTION)
        i++;
    return i < items->len;
}

/* A checkpoint that has ended, and what it has made. */
struct ended {
    struct graph *g;
    file_id first;
};

static bool let_wait(void *user, job_id id)
{
    struct ended *ended = user;
    struct job *job = &ended->g->jobs.at[id];
    if (job->needed && !job->taken && !job->waits_checkpoint &&
        has_function(&job_rule(ended->g, id)->input)) {
        vec_push(&ended->g->waiting, ((struct waiting){.job = id, .file = ended->first}));
        job->waits_checkpoint = true;
    }
    return true;
}

void checkpoint_ended(struct graph *g, job_id id)
{
    struct ended ended = {g, g->jobs.at[id].noutputs ? job_outputs(g, id)[0] : 0};
    struct product_walk products = product_walk(g, id);
    for (file_id f; ended.first && (f = product_next(g, &products));)
        file_users(g, f, let_wait, &ended);
}

/* Takes the waiting jobs of which a checkpoint is complete (its job is done, or need not run and
 * its outputs exist) back to BUILD_NEW, to be evaluated by the next graph_build. False if that has
 * nothing to evaluate. */
static bool reopen(struct graph *g)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->waiting.len; i++) {
        job_id id = g->waiting.at[i].job;
        if (!may_go_on(g, g->waiting.at[i]))
            continue;
        g->jobs.at[id].waits_checkpoint = false;
        graph_reopen(g, id);
    }
    for (uint32_t i = 0; i < g->waiting.len; i++)
        if (g->jobs.at[g->waiting.at[i].job].waits_checkpoint)
            g->waiting.at[kept++] = g->waiting.at[i];
    g->waiting.len = kept;
    return g->reopened.len > 0;
}

/* Whether jobs that were not to run for what a checkpoint makes may hear something else from it. */
static bool may_compare(const struct graph *g)
{
    uint32_t i = 0;
    while (i < g->undecided.len && !g->jobs.at[g->undecided.at[i]].done)
        i++;
    return i < g->undecided.len;
}

bool checkpoint_build(struct graph *g, const struct fresh_options *fresh, const struct cut *cut)
{
    bool until = cut && (cut->until.rules || cut->until.paths);
    graph_uncut(g);
    do {
        if (!graph_build(g) || !graph_stat(g) || !fresh_decide(g, fresh))
            return false;
        if (cut && !until)
            graph_select(g, cut); /* who is left out need not ask */
    } while (reopen(g));
    if (until)
        graph_select(g, cut); /* what it names is known as far as it can be */
    return true;
}

bool checkpoint_grow(struct graph *g, const struct fresh_options *fresh, const struct cut *cut,
                     bool *changed)
{
    *changed = reopen(g) || may_compare(g);
    return !*changed || checkpoint_build(g, fresh, cut);
}
