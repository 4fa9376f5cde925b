// SPDX-License-Identifier: MIT
#include "run/remote.h"

#include <string.h>

#include "graph/ready.h"
#include "run/copies.h"
#include "run/handover.h"

enum { MOST_FILES = 100 }; /* longer lists are left out of the properties */

static bool start_groups(struct remote *remote)
{
    remote->groups_fed = 0;
    return groups_start(&remote->groups, remote->g, &remote->options->groups);
}

/* A file in a storage that a job of the run makes, in words; NULL: there is none. */
static const char *stored_output(struct graph *g)
{
    for (file_id f = 1; workflow_has_storage(g->workflow) && f < g->files.len; f++) {
        struct storage_copy copy;
        job_id maker = g->files.at[f].maker;
        if (maker && job_must_run(&g->jobs.at[maker]) && copies_find(g, f, &g->scratch, &copy))
            return copy.place.shown;
    }
    return NULL;
}

bool remote_start(struct remote *remote, struct graph *g, const struct remote_options *options)
{
    *remote = (struct remote){.g = g, .options = options};
    if (!options->slurm && !options->submit)
        return complain_kind(g->workflow->diags, "WorkflowError", (struct span){0},
                             "You have to specify a submit command via "
                             "--cluster-generic-submit-cmd.");
    if (!options->slurm && !strstr(options->jobname, "{jobid}"))
        return complain_kind(g->workflow->diags, "WorkflowError", (struct span){0},
                             "the job name '%s' must contain {jobid}", options->jobname);
    if (options->site.detached && !options->notemp)
        return complain_kind(g->workflow->diags, "WorkflowError", (struct span){0},
                             "--immediate-submit has to be combined with --notemp: the engine ends "
                             "before temporary files could be removed");
    if (options->site.detached && g->waiting.len)
        return complain_kind(g->workflow->diags, "WorkflowError", (struct span){0},
                             "--immediate-submit cannot be used with checkpoints: the engine ends "
                             "before they do");
    const char *stored = options->site.detached ? stored_output(g) : NULL;
    if (stored)
        return complain_kind(g->workflow->diags, "WorkflowError", (struct span){0},
                             "--immediate-submit cannot be used with outputs in a storage ('%s'): "
                             "the engine ends before it could store them",
                             stored);
    return start_groups(remote);
}

bool remote_regroup(struct remote *remote)
{
    groups_end(&remote->groups);
    return start_groups(remote);
}

void remote_end(struct remote *remote)
{
    groups_end(&remote->groups);
    map_free(&remote->external);
    vec_free(&remote->ids);
    arena_free(&remote->texts);
}

bool remote_stays(const struct remote *remote, job_id job)
{
    const struct rule *rule = job_rule(remote->g, job);
    return !group_of(&remote->groups, job) &&
           (rule->local || rule->body == BODY_NONE || rule->body == BODY_TEMPLATE);
}

struct task *remote_task(const void *user, job_id job, int attempt, const struct picker *picker)
{
    const struct remote *remote = user;
    uint32_t group = group_of(&remote->groups, job);
    if (group)
        return group_task_new(&remote->groups, group, attempt, picker);
    struct task *task = task_new(remote->g, job, attempt, picker->cores);
    if (task)
        task->local = remote_stays(remote, job);
    return task;
}

/* ---- ids ---- */

void remote_submitted(struct remote *remote, const struct task *task, const char *id)
{
    vec_push(&remote->ids, arena_str(&remote->texts, id));
    for (uint32_t i = 0; i < task_parts(task); i++)
        map_set(&remote->external, task_part(task, i)->job, remote->ids.len);
}

/* The ids of the jobs that make the inputs, each once. */
static const char *dependencies(struct remote *remote, struct task *task)
{
    struct graph *g = remote->g;
    struct map seen = {0};
    struct buf out = {0};
    for (uint32_t i = 0; i < task->eval.ninput; i++) {
        file_id file = graph_find_file(g, task->eval.input[i].path);
        job_id maker = file ? g->files.at[file].maker : 0;
        uint32_t id = maker && remote->ids.len ? map_find(&remote->external, maker) : 0;
        if (!id || map_find(&seen, id))
            continue;
        map_set(&seen, id, 1);
        buf_printf(&out, "%s%s", out.len ? " " : "", remote->ids.at[id - 1]);
    }
    const char *text = arena_str(&task->scratch, buf_text(&out));
    buf_free(&out);
    map_free(&seen);
    return text;
}

/* ---- properties ---- */

static void put_key(struct buf *out, const char *key)
{
    buf_printf(out, "%s\"%s\": ", out->len > 1 ? ", " : "", key);
}

static void put_files(struct buf *out, const struct intern *names, const char *key,
                      const struct job_file *files, uint32_t n, bool all)
{
    put_key(out, key);
    if (n > MOST_FILES && !all) {
        buf_str(out, "null");
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        buf_str(out, i ? ", " : "[");
        buf_json_text(out, sym_text(names, files[i].path));
    }
    buf_str(out, n ? "]" : "[]");
}

static void put_wildcards(struct buf *out, const struct intern *names, const struct job_eval *eval)
{
    const struct wildcard_names *wildcards = &eval->rule->wildcards;
    put_key(out, "wildcards");
    buf_char(out, '{');
    for (uint32_t i = 0; i < wildcards->n; i++) {
        buf_str(out, i ? ", " : "");
        buf_json_text(out, sym_text(names, wildcards->name[i]));
        buf_str(out, ": ");
        buf_json_text(out, sym_text(names, eval->wildcards[i]));
    }
    buf_char(out, '}');
}

static void put_resources(struct buf *out, const struct intern *names, const struct job_eval *eval)
{
    put_key(out, "resources");
    buf_char(out, '{');
    for (uint32_t i = 0; i < eval->nresources; i++) {
        const struct resource *r = &eval->resources[i];
        buf_str(out, i ? ", " : "");
        buf_json_text(out, sym_text(names, r->name));
        buf_str(out, ": ");
        if (r->is_text)
            buf_json_text(out, sym_text(names, r->text));
        else
            buf_printf(out, "%lld", (long long)r->number);
    }
    buf_char(out, '}');
}

static void put_params(struct buf *out, struct job_eval *eval)
{
    struct buf params = {0};
    if (eval_params_json(eval, &params)) {
        put_key(out, "params");
        buf_add(out, params.at, params.len);
    } else {
        vm_take_error(eval->workflow->vm); /* not for JSON: left out */
    }
    buf_free(&params);
}

/* What submit scripts read from the second line of a job script. */
static const char *properties(const struct remote *remote, struct task *task, const char *jobid)
{
    const struct intern *names = remote->g->names;
    struct job_eval *eval = &task->eval;
    struct buf out = {0};
    buf_char(&out, '{');
    put_key(&out, "type");
    buf_json_text(&out, task->nparts ? "group" : "single");
    put_key(&out, task->nparts ? "groupid" : "rule");
    buf_json_text(&out, sym_text(names, task->nparts ? task->group : eval->rule->name));
    put_key(&out, "local");
    buf_str(&out, task->local ? "true" : "false");
    put_files(&out, names, "input", eval->input, eval->ninput, false);
    put_files(&out, names, "output", eval->output.at, eval->output.len, false);
    if (!task->nparts) {
        put_wildcards(&out, names, eval);
        put_params(&out, eval);
        put_files(&out, names, "log", eval->log.at, eval->log.len, true);
    }
    put_key(&out, "threads");
    buf_printf(&out, "%d", eval->threads);
    put_resources(&out, names, eval);
    put_key(&out, "jobid");
    buf_printf(&out, task->nparts ? "\"%s\"" : "%s", jobid);
    put_key(&out, "cluster");
    buf_str(&out, "{}}");
    const char *text = arena_copy(&task->scratch, buf_text(&out), out.len);
    buf_free(&out);
    return text;
}

/* ---- the submit command ---- */

/* "group0_a_b": the group and its rules, five at most. */
static const char *group_name(const struct remote *remote, struct task *task)
{
    const struct intern *names = remote->g->names;
    const char *text = sym_text(names, task->group);
    const char *last = "";
    for (int n = 0;; n++) {
        const char *next = NULL;
        for (uint32_t i = 0; i < task->nparts; i++) {
            const char *rule = sym_text(names, task->part[i]->eval.rule->name);
            if (strcmp(rule, last) > 0 && (!next || strcmp(rule, next) < 0))
                next = rule;
        }
        if (!next)
            return text;
        if (n == 5)
            return arena_printf(&task->scratch, "%s_...", text);
        text = arena_printf(&task->scratch, "%s_%s", text, next);
        last = next;
    }
}

bool remote_describe(struct remote *remote, const struct task_context *context, struct task *task,
                     struct launch *launch)
{
    launch->precommand = remote->options->precommand;
    if (remote->options->slurm)
        return handover_describe(context, task, launch);
    const char *rule = task->nparts ? "GROUP" : sym_text(remote->g->names, task->eval.rule->name);
    const char *jobid = task->nparts
                            ? task->group_id
                            : arena_printf(&task->scratch, "%u", (unsigned)task->eval.jobid);
    const struct text_name names[] = {
        {"dependencies", dependencies(remote, task)},
        {"rule", rule},
        {"rulename", rule},
        {"name", task->nparts ? group_name(remote, task) : rule},
        {"jobid", jobid},
    };
    enum { NAMES = sizeof names / sizeof *names };
    launch->submit = eval_format(&task->eval, remote->options->submit, names, NAMES);
    launch->script_name = launch->submit
                              ? eval_format(&task->eval, remote->options->jobname, names, NAMES)
                              : NULL;
    if (!launch->script_name) {
        buf_str(&task->why, launch->submit ? "job name: " : "submit command: ");
        return task_raised(task, &task->eval);
    }
    if (strchr(launch->script_name, '/')) {
        buf_printf(&task->why, "the job name '%s' must not contain '/'", launch->script_name);
        return false;
    }
    launch->properties = properties(remote, task, jobid);
    if (remote->options->site.detached && !task->nparts)
        group_complete(context, task, launch);
    return !context->state || handover_mark(context, task, launch);
}
