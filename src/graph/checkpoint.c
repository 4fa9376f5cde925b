// SPDX-License-Identifier: MIT
#include "graph/checkpoint.h"

/* decided: fresh_decide has looked at the job, so that "need not run" means something. */
static bool is_complete(const struct graph *g, job_id id)
{
    const struct job *job = &g->jobs.at[id];
    if (job->done)
        return true;
    if (!g->decided || !job->needed || job->must_run || !job->noutputs)
        return false;
    for (uint32_t i = 0; i < job->noutputs; i++)
        if (g->files.at[job_outputs(g, id)[i]].mtime < 0)
            return false;
    return true;
}

static bool ready(void *user, rule_id rule, const sym_t *wildcards)
{
    struct graph *g = user;
    return is_complete(g, graph_job(g, rule, wildcards));
}

void checkpoint_watch(struct graph *g)
{
    g->workflow->checkpoint_ready = ready;
    g->workflow->checkpoint_user = g;
}

static job_id awaited(const struct graph *g, job_id id)
{
    return g->files.at[g->edges.at[g->jobs.at[id].first_edge].to].maker;
}

bool checkpoint_reopen(struct graph *g)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->waiting.len; i++) {
        job_id id = g->waiting.at[i];
        struct job *job = &g->jobs.at[id];
        if (!is_complete(g, awaited(g, id))) {
            g->waiting.at[kept++] = id;
            continue;
        }
        job->state = BUILD_NEW;
        job->nedges = 0;
        job->waits_checkpoint = false;
        vec_push(&g->reopened, id);
    }
    g->waiting.len = kept;
    return g->reopened.len > 0;
}
