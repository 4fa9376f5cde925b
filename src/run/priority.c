// SPDX-License-Identifier: MIT
#include "run/priority.h"

#include "graph/graph.h"

static bool set_one(struct graph *g, job_id id, struct arena *scratch, struct job_files *inputs)
{
    struct job *job = &g->jobs.at[id];
    struct job_eval eval;
    double priority;
    bool good = graph_job_eval(g, id, scratch, inputs, &eval) == EVAL_OK &&
                eval_priority(&eval, &priority) == EVAL_OK;
    if (!good)
        eval_report(&eval);
    else if (job->priority != PRIORITY_HIGHEST)
        job->priority = priority;
    job->has_priority = !job->waits_checkpoint; /* its inputs may tell more */
    job_eval_free(&eval);
    arena_reset(scratch);
    return good;
}

bool priorities_set(struct graph *g)
{
    struct arena scratch = {0};
    struct job_files inputs = {0};
    bool good = true;
    for (job_id j = 1; good && j < g->jobs.len; j++)
        if (g->jobs.at[j].must_run && !g->jobs.at[j].has_priority && job_rule(g, j)->priority.v)
            good = set_one(g, j, &scratch, &inputs);
    vec_free(&inputs);
    arena_free(&scratch);
    return good;
}
