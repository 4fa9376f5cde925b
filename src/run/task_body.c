// SPDX-License-Identifier: MIT
#include "run/task_body.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/path.h"
#include "exec/shell.h"
#include "flow/resources.h"
#include "flow/workflow.h"
#include "run/cache.h"
#include "run/deploy.h"
#include "run/litter.h"
#include "run/shadow.h"
#include "run/spec.h"
#include "run/task_files.h"

/* The shell of a task: its resource shell_exec, or the workflow's. *prefix: the strict mode goes
 * with bash only. */
static const char *shell_of(const struct task_context *context, const struct task *task,
                            const char **prefix)
{
    const struct workflow *workflow = context->g->workflow;
    const char *program = workflow_shell_executable(workflow);
    *prefix = workflow_shell_prefix(workflow);
    for (uint32_t i = 0; i < task->eval.nresources; i++) {
        const struct resource *r = &task->eval.resources[i];
        if (!r->is_text || strcmp(sym_text(context->g->names, r->name), "shell_exec"))
            continue;
        program = sym_text(context->g->names, r->text);
        *prefix = strcmp(path_basename(program), "bash") ? "" : *prefix;
    }
    return program;
}

/* How commands of the task run: in the software that its rule asks for, which is made if need be.
 * Tools of cwl: name their own, and cwltool is this program's, as in Snakemake. */
static bool set_wrap(const struct task_context *context, struct task *task)
{
    struct job_eval *eval = &task->eval;
    struct software software;
    bool script = eval->rule->body == BODY_SCRIPT || eval->rule->body == BODY_WRAPPER ||
                  eval->rule->body == BODY_NOTEBOOK;
    task->wrap = (struct software_wrap){.before = ""};
    if (!context->deploy || eval->rule->body == BODY_NONE || eval->rule->body == BODY_CWL ||
        !software_is_asked_for(context->g->workflow, eval->rule))
        return true;
    if (!eval_software(eval, &software))
        return task_raised(task, &task->eval);
    const char *path = script && software.image ? eval_script(eval) : NULL;
    if (!path && script && software.image)
        return task_raised(task, &task->eval);
    const char *dir = path ? path_dirname(&task->scratch, path) : NULL;
    if (!deploy_make(context->deploy, &software, false, &task->why) ||
        !deploy_wrap(context->deploy, &software, task->shadow, dir, &task->scratch, &task->wrap,
                     &task->why))
        return false;
    eval->python = script && deploy_has_python(context->deploy, &task->wrap) ? "python" : NULL;
    return true;
}

/* What the shell gets: shell.prefix() and shell.suffix() go with commands of any kind, also with
 * the one that starts a script, in the software of the rule. */
static void set_shell(const struct task_context *context, struct task *task, const char *command,
                      struct launch *launch)
{
    const char *prefix, *suffix = workflow_shell_suffix(context->g->workflow);
    launch->program = shell_of(context, task, &prefix);
    launch->shell = arena_printf(&task->scratch, "%s%s%s%s%s", prefix, *prefix ? " " : "", command,
                                 *suffix ? " " : "", suffix);
    launch->shell = software_command(&task->scratch, &task->wrap, launch->shell);
}

static bool shell_body(const struct task_context *context, struct task *task, struct launch *launch)
{
    task->command = eval_shell(&task->eval, false);
    if (!task->command)
        return task_raised(task, &task->eval);
    set_shell(context, task, task->command, launch);
    return true;
}

static void note_scripts(const struct task_context *context, const struct task *task)
{
    for (size_t i = 0; i < 2; i++)
        if (task->script[i] && !context->skip_script_cleanup)
            litter_note(context->litter, task->script[i]);
}

static bool script_body(const struct task_context *context, struct task *task,
                        struct launch *launch)
{
    struct script_run run = {0};
    const char *dir = path_join(&task->scratch, context->g->workflow->workdir,
                                ".snakemake/scripts");
    enum rule_body body = task->eval.rule->body;
    bool good = body == BODY_NOTEBOOK
                    ? eval_notebook_command(&task->eval, dir, context->edit_notebook, &run)
                : body == BODY_TEMPLATE ? eval_template_command(&task->eval, dir, &run)
                : body == BODY_CWL      ? eval_cwl_command(&task->eval, dir, &run)
                                        : eval_script_command(&task->eval, dir, &run);
    task->script[0] = run.file;
    task->script[1] = run.data;
    note_scripts(context, task);
    if (!good)
        return task_raised(task, &task->eval);
    if (body == BODY_TEMPLATE) /* no command of the workflow's: Snakemake fills it in itself */
        launch->shell = software_command(&task->scratch, &task->wrap, run.command);
    else
        set_shell(context, task, run.command, launch);
    task->source = eval_body_text(&task->eval, "script");
    return true;
}

/* A child of this program runs it. */
static bool own_body(const struct task_context *context, struct task *task, struct launch *launch)
{
    launch->argv = spec_command(context, task, &task->script[0]);
    note_scripts(context, task);
    launch->cwd = context->started_in;
    return launch->argv != NULL;
}

static bool body_of(const struct task_context *context, struct task *task, struct launch *launch)
{
    if (eval_template_is_own(task->eval.rule))
        return own_body(context, task, launch);
    switch (task->eval.rule->body) {
    case BODY_NONE: return true;
    case BODY_SHELL: return shell_body(context, task, launch);
    case BODY_TEMPLATE:
    case BODY_NOTEBOOK:
    case BODY_WRAPPER:
    case BODY_CWL:
    case BODY_SCRIPT: return script_body(context, task, launch);
    case BODY_RUN: return own_body(context, task, launch);
    }
    return true;
}

/* A job with a device finds it in KINTSUGI_DEVICE_MODE, too. */
static const char *const *with_device(struct task *task, struct intern *names,
                                      const char *const *env)
{
    const struct job_eval *eval = &task->eval;
    const struct resource *device = eval_resource(eval, intern_find(names, "device", 6));
    uint32_t n = 0;
    if (!device || !device->is_text)
        return env;
    const char *mode = sym_text(names, device->text);
    if (strcmp(mode, "gpu") && strcmp(mode, "cpu"))
        return env;
    while (env && env[n])
        n++;
    const char **more = arena_array(&task->scratch, const char *, n + 2);
    for (uint32_t i = 0; i < n; i++)
        more[i] = env[i];
    more[n] = arena_printf(&task->scratch, "KINTSUGI_DEVICE_MODE=%s", mode);
    return more;
}

/* Not one that somebody has chosen: another machine has its own. */
static bool is_machines_tmpdir(const struct task_context *context, const struct task *task,
                               const char *tmpdir)
{
    return !strcmp(tmpdir, resource_tmpdir()) &&
           resource_is_default(context->g->workflow, task->eval.rule, "tmpdir");
}

/* A submitted job makes it where it runs. */
static bool make_tmpdir(const struct task_context *context, struct task *task,
                        const struct launch *launch)
{
    if (task->submitted || !launch->tmpdir || task->eval.rule->body == BODY_NONE)
        return true;
    const char *root = task->shadow ? task->shadow : context->g->workflow->workdir;
    const char *path = path_absolute(&task->scratch, root, launch->tmpdir);
    if (fs_mkdirs(path))
        return true;
    buf_printf(&task->why, "cannot make the directory for temporary files '%s': %s", path,
               strerror(errno));
    return false;
}

static void describe(const struct task_context *context, struct task *task, struct launch *launch)
{
    struct job_eval *eval = &task->eval;
    struct intern *names = context->g->names;
    struct launch_resource *list = task_request(eval, &task->scratch, launch);
    launch->name = sym_text(names, eval->rule->name);
    const char *tmpdir = NULL;
    for (uint32_t i = 0; i < eval->nresources; i++) {
        const char *name = list[i].name;
        list[i].is_default = resource_is_default(context->g->workflow, eval->rule, name);
        if (!strcmp(name, "tmpdir") && eval->resources[i].is_text)
            tmpdir = list[i].text;
    }
    if (task->submitted && tmpdir && is_machines_tmpdir(context, task, tmpdir))
        tmpdir = NULL;
    launch->tmpdir = tmpdir;
    launch->env = with_device(task, names,
                              shell_environment(&task->scratch, eval->threads, tmpdir));
    launch->look = eval->benchmark.len > 0;
}

static bool make_record(const struct task_context *context, struct task *task)
{
    struct diags *dx = context->g->workflow->diags;
    int mark = diag_mark(dx);
    if (task->record.code || fresh_record(context->g, task->job, &task->scratch, &task->record))
        return true;
    buf_str(&task->why, diag_last(dx));
    diag_drop(dx, mark);
    return false;
}

/* They may end the run by sys.exit(), with its status. */
static bool work_out_params(struct task *task)
{
    task->eval.starts = !task->touched;
    if (eval_params(&task->eval) == EVAL_OK)
        return true;
    if (!workflow_took_exit(task->eval.workflow))
        return task_raised(task, &task->eval);
    buf_str(&task->why, "a function of params has called sys.exit()");
    return false;
}

bool task_resume(const struct task_context *context, struct task *task, const char *shadow)
{
    struct launch unused = {0};
    task->start_ns = clock_wall_ns();
    task->begun = true;
    task->shadow = shadow;
    if (!work_out_params(task))
        return false;
    task->wrap = (struct software_wrap){.before = ""};
    return (task->eval.rule->body != BODY_SHELL || shell_body(context, task, &unused)) &&
           make_record(context, task);
}

bool task_repeat(const struct task_context *context, struct task *task, struct launch *launch)
{
    *launch = (struct launch){0};
    task->eval.bench_iteration++;
    task_remove_scripts(context, task); /* those of the time before */
    if (!body_of(context, task, launch))
        return false;
    if (task->shadow && !launch->cwd)
        launch->cwd = task->shadow;
    describe(context, task, launch);
    return true;
}

bool task_prepare(const struct task_context *context, struct task *task, struct launch *launch)
{
    task->start_ns = clock_wall_ns();
    *launch = (struct launch){0};
    if (!work_out_params(task))
        return false;
    task->eval.bench_iteration = task->eval.benchmark.len > 0;
    if (!shadow_open(context, task) || !set_wrap(context, task) ||
        !body_of(context, task, launch) || !files_prepare(context, task) ||
        !shadow_fill(context, task))
        return false;
    if (task->shadow && !launch->cwd)
        launch->cwd = task->shadow;
    describe(context, task, launch);
    if (!make_tmpdir(context, task, launch) || !make_record(context, task))
        return false;
    if (cache_restore(context, task))
        launch->shell = NULL, launch->argv = NULL;
    return true;
}

bool task_pretend(const struct task_context *context, struct task *task, struct launch *launch)
{
    *launch = (struct launch){0};
    describe(context, task, launch);
    launch->shell = task->eval.rule->body == BODY_NONE ? NULL : ":";
    return true;
}
