// SPDX-License-Identifier: MIT
#include "cli/notebooks.h"

#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/tool.h"
#include "cli/deployment.h"
#include "cli/execute.h"
#include "run/backup.h"
#include "run/run.h"
#include "run/task_body.h"
#include "run/task_files.h"

static const char *target(const struct options *o)
{
    return option_word(o, o->given[OPT_DRAFT_NOTEBOOK] ? OPT_DRAFT_NOTEBOOK : OPT_EDIT_NOTEBOOK,
                       NULL);
}

bool notebook_is_asked_for(struct session *s)
{
    struct options *o = &s->options;
    if (!o->given[OPT_DRAFT_NOTEBOOK] && !o->given[OPT_EDIT_NOTEBOOK])
        return false;
    o->targets.len = 0;
    vec_push(&o->targets, target(o));
    o->given[OPT_FORCE] |= o->given[OPT_EDIT_NOTEBOOK]; /* its inputs must be there to be read */
    return true;
}

/* The job that makes the target with a notebook; 0 after a diagnostic. */
static job_id notebook_job(struct session *s)
{
    struct graph *g = s->graph;
    for (uint32_t i = 0; i < g->target_files.len; i++) {
        job_id maker = g->files.at[g->target_files.at[i]].maker;
        if (maker && job_rule(g, maker)->body == BODY_NOTEBOOK)
            return maker;
    }
    complain(s->diags, (struct span){0}, "'%s' is not made by a rule with a notebook",
             target(&s->options));
    return 0;
}

/* A skeleton of the notebook, where there is none yet. */
static bool draft(struct session *s, struct task *task, bool only_new)
{
    struct job_eval *eval = &task->eval;
    const char *path = eval_params(eval) == EVAL_OK ? eval_script(eval) : NULL;
    if (path && only_new && fs_exists(path))
        return true;
    if (path && fs_exists(path))
        return complain(s->diags, (struct span){0},
                        "the notebook '%s' exists already; edit it with --edit-notebook", path);
    path = path ? eval_notebook_draft(eval) : NULL;
    if (path)
        log_say(&s->log, LOG_INFO, "Generated skeleton notebook:\n%s", path);
    return path || eval_report(eval);
}

static bool failed(struct session *s, const struct task *task)
{
    return complain(s->diags, (struct span){0}, "%s", buf_text(&task->why));
}

/* The editor runs in front; when it has ended, its notebook is kept, and the job is done if the
 * outputs are there. */
static bool edit(struct session *s, const struct task_context *context, struct task *task)
{
    struct launch launch;
    bool missing;
    int status;
    if (!task_prepare(context, task, &launch))
        return failed(s, task);
    log_say(&s->log, LOG_INFO, "Opening notebook for editing at %s", context->edit_notebook);
    log_flush(&s->log);
    task->end.start_ns = clock_wall_ns();
    tool_wait("bash", launch.shell, &status);
    task->end_ns = task->end.end_ns = clock_wall_ns();
    if (status)
        return complain(s->diags, (struct span){0}, "the editor ended with status %d", status);
    log_say(&s->log, LOG_INFO, "Saving modified notebook.");
    if (!eval_notebook_keep(&task->eval, task->script[0]))
        return eval_report(&task->eval);
    task_after_body(context, task);
    if (!task_check(context, task, &missing) || !task_seal(context, task) ||
        !task_commit(context, task))
        return failed(s, task);
    backup_drop(context, task);
    return true;
}

/* What the notebook needs is made first, without it. */
static bool make_inputs(struct session *s, job_id job)
{
    struct graph *g = s->graph;
    g->nmust_run -= g->jobs.at[job].must_run;
    g->jobs.at[job].must_run = false;
    return !g->nmust_run || execute(s) == EXIT_OK;
}

int notebook_work(struct session *s)
{
    job_id job = notebook_job(s);
    bool only_draft = s->options.given[OPT_DRAFT_NOTEBOOK];
    struct run_options options;
    if (!job || !execute_options(s, &options))
        return EXIT_BAD;
    options.task.edit_notebook = option_word(&s->options, OPT_NOTEBOOK_LISTEN, "localhost:8888");
    if (!make_inputs(s, job) || !deployment_make(s, false, false))
        return EXIT_BAD;
    options.task.deploy = s->deploy;
    struct task *task = task_new(s->graph, job, 1, s->cores);
    bool good = task && draft(s, task, !only_draft) && (only_draft || edit(s, &options.task, task));
    task_free(task);
    return good && (only_draft || !s->state || state_flush(s->state)) ? EXIT_OK : EXIT_BAD;
}
