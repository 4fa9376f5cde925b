// SPDX-License-Identifier: MIT
#include "run/task.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum task_state task_next(enum task_state state, enum task_event event)
{
    switch (event) {
    case TASK_ON_FETCH: return state == TASK_WAITING ? TASK_FETCHING : state;
    case TASK_ON_SUBMIT: return state <= TASK_FETCHING ? TASK_SUBMITTED : state;
    case TASK_ON_START: return state == TASK_SUBMITTED ? TASK_RUNNING : state;
    case TASK_ON_SUCCESS:
        return state == TASK_SUBMITTED || state == TASK_RUNNING ? TASK_SETTLING : state;
    case TASK_ON_FAILURE: return state == TASK_DONE ? state : TASK_FAILED;
    case TASK_ON_STORE: return state == TASK_SETTLING ? TASK_STORING : state;
    }
    return state;
}

struct task *task_new(struct graph *g, job_id job, int attempt, int cores)
{
    struct task *task = memory_zeroed(1, sizeof *task);
    task->job = job;
    task->attempt = attempt;
    bool good = graph_job_eval(g, job, &task->scratch, &task->inputs, &task->eval) == EVAL_OK;
    task->eval.attempt = attempt;
    if (good)
        eval_output(&task->eval);
    if (good && eval_resources(&task->eval, cores) == EVAL_OK)
        return task;
    eval_report(&task->eval);
    task_free(task);
    return NULL;
}

void task_free(struct task *task)
{
    if (!task)
        return;
    task_free(task->gang);
    for (uint32_t i = 0; i < task->nparts; i++)
        task_free(task->part[i]);
    free(task->part);
    job_eval_free(&task->eval);
    vec_free(&task->inputs);
    buf_free(&task->why);
    buf_free(&task->removed);
    arena_free(&task->scratch);
    free(task);
}

bool task_raised(struct task *task, struct job_eval *eval)
{
    struct diags *dx = eval->workflow->diags;
    int mark = diag_mark(dx);
    eval_report(eval);
    diag_last_told(dx, &task->why);
    diag_drop(dx, mark);
    return false;
}

struct launch_resource *task_request(const struct job_eval *eval, struct arena *in,
                                     struct launch *launch)
{
    const struct intern *names = eval->workflow->names;
    struct launch_resource *list = arena_array(in, struct launch_resource, eval->nresources + 1);
    for (uint32_t i = 0; i < eval->nresources; i++) {
        const struct resource *r = &eval->resources[i];
        list[i] = (struct launch_resource){
            .name = sym_text(names, r->name),
            .text = r->is_text ? sym_text(names, r->text)
                               : arena_printf(in, "%lld", (long long)r->number)};
        if (!strcmp(list[i].name, "mem_mb"))
            launch->mem_mb = r->number;
        if (!strcmp(list[i].name, "runtime"))
            launch->runtime_min = r->number;
    }
    launch->cores = eval->threads;
    launch->resource = list;
    launch->nresource = eval->nresources;
    return list;
}
