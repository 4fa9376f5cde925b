// SPDX-License-Identifier: MIT
#include "run/grouptask.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/path.h"
#include "exec/generic_script.h"
#include "exec/shell.h"
#include "exec/slurm_args.h"
#include "graph/gang.h"
#include "run/layers.h"
#include "run/shadow.h"
#include "run/task_body.h"
#include "run/temp.h"

/* ---- evaluation ---- */

struct outside {
    const struct groups *groups;
    uint32_t group;
    bool found;
};

static bool is_outside(void *user, job_id id)
{
    struct outside *o = user;
    const struct job *job = &o->groups->g->jobs.at[id];
    o->found |= group_of(o->groups, id) != o->group && job->must_run && !job->done;
    return !o->found;
}

static bool used_outside(const struct groups *groups, uint32_t group, file_id file)
{
    struct outside o = {groups, group, false};
    file_users(groups->g, file, is_outside, &o);
    return o.found;
}

/* Temporary files that only this group needs may be gone, or on another machine, at the end. */
static void mark_inner(const struct groups *groups, uint32_t group, struct task *part)
{
    struct graph *g = groups->g;
    part->in_group = true;
    if (temps_are_kept(g, part->job))
        return;
    for (uint32_t i = 0; i < part->eval.output.len; i++) {
        struct job_file *out = &part->eval.output.at[i];
        file_id file = graph_file(g, out->path);
        if (out->flags & FLAG_TEMP && !g->files.at[file].target &&
            !used_outside(groups, group, file))
            out->flags |= FLAG_NODELOCAL;
    }
}

static bool made_inside(const struct groups *groups, uint32_t group, sym_t path)
{
    file_id file = graph_find_file(groups->g, path);
    return file && group_of(groups, groups->g->files.at[file].maker) == group;
}

/* The paths that jobs of the group read, each with the last layer that reads it, + 1. */
static struct map uses_of(const struct task *task)
{
    struct map uses = {0};
    for (uint32_t i = 0; i < task->nparts; i++)
        for (uint32_t k = 0; k < task->part[i]->eval.ninput; k++) {
            uint32_t *last = map_at(&uses, task->part[i]->eval.input[k].path);
            *last = task->part[i]->layer >= *last ? task->part[i]->layer + 1 : *last;
        }
    return uses;
}

/* Of several jobs together: names of one say nothing. */
static void unname(struct job_files *files)
{
    for (uint32_t i = 0; i < files->len; i++)
        files->at[i].name = 0;
}

/* The files of the whole: inputs that come from outside, outputs that nobody inside uses. */
static void gather_files(const struct groups *groups, uint32_t group, struct task *task)
{
    struct job_eval *eval = &task->eval;
    struct map uses = uses_of(task);
    for (uint32_t i = 0; i < task->nparts; i++) {
        struct job_eval *part = &task->part[i]->eval;
        for (uint32_t k = 0; k < part->ninput; k++) {
            struct job_file *input = &task->part[i]->inputs.at[k];
            input->flags &= (uint16_t)~FLAG_INSIDE;
            if (made_inside(groups, group, input->path))
                input->flags |= FLAG_INSIDE;
            else
                vec_push(&task->inputs, *input);
        }
        for (uint32_t k = 0; k < part->output.len; k++)
            if (!map_find(&uses, part->output.at[k].path))
                vec_push(&eval->output, part->output.at[k]);
        for (uint32_t k = 0; k < part->log.len; k++)
            vec_push(&eval->log, part->log.at[k]);
    }
    map_free(&uses);
    unname(&task->inputs);
    unname(&eval->output);
    unname(&eval->log);
    eval->input = task->inputs.at;
    eval->ninput = task->inputs.len;
    eval->output_known = true;
}

/* Jobs joined by pipes have one number: the lowest index among them. */
static uint32_t *units_of(const struct groups *groups, const struct group *group, struct arena *in)
{
    const struct graph *g = groups->g;
    uint32_t *unit = arena_array(in, uint32_t, group->n + 1);
    struct map index = {0};
    for (uint32_t i = 0; i < group->n; i++) {
        map_set(&index, groups->members.at[group->first + i], i + 1);
        unit[i] = i;
    }
    for (uint32_t i = 0; i < group->n; i++) {
        struct input_walk walk = input_walk(g, groups->members.at[group->first + i]);
        for (file_id f; (f = input_next(g, &walk));) {
            uint32_t maker = g->files.at[f].maker ? map_find(&index, g->files.at[f].maker) : 0;
            if (!maker || !(g->files.at[f].flags & (FLAG_PIPE | FLAG_SERVICE)))
                continue;
            uint32_t from = unit[i], to = unit[maker - 1];
            for (uint32_t k = 0; k < group->n; k++)
                unit[k] = unit[k] == from ? to : unit[k];
        }
    }
    map_free(&index);
    return unit;
}

static bool make_layers(const struct groups *groups, uint32_t k, struct task *task,
                        const struct picker *picker)
{
    struct graph *g = groups->g;
    struct layers layers = {.task = task->part,
                            .level = group_levels(groups, k, &task->scratch),
                            .unit = units_of(groups, &groups->all.at[k], &task->scratch),
                            .n = task->nparts,
                            .cores = picker->cores,
                            .limits = picker->limits,
                            .nlimits = picker->nlimits};
    if (!layers_make(&layers, g->names, &task->scratch, &task->why))
        return complain_kind(g->workflow->diags, "WorkflowError", task->eval.rule->span,
                             "group %s: %s", sym_text(g->names, groups->all.at[k].name),
                             buf_text(&task->why));
    for (uint32_t i = 0; i < task->nparts; i++)
        task->part[i]->layer = layers.layer[i];
    task->eval.threads = layers.threads;
    task->eval.threads_known = true;
    task->eval.resources = layers.resources;
    task->eval.nresources = layers.nresources;
    task->eval.resources_known = true;
    return true;
}

struct task *group_task_new(const struct groups *groups, uint32_t k, int attempt,
                            const struct picker *picker)
{
    const struct group *group = &groups->all.at[k];
    struct task *task = memory_zeroed(1, sizeof *task);
    task->job = group->head;
    task->attempt = attempt;
    task->part = memory_zeroed(group->n, sizeof *task->part);
    task->eval = job_eval_of(groups->g, group->head, &task->scratch);
    task->eval.attempt = attempt;
    task->group = group->name;
    task->group_id = group_uuid(groups, k, &task->scratch);
    bool good = true;
    for (uint32_t i = 0; good && i < group->n; i++) {
        struct task *part = task_new(groups->g, groups->members.at[group->first + i], attempt,
                                     picker->cores);
        good = part != NULL;
        if (good) {
            mark_inner(groups, k, part);
            task->part[task->nparts++] = part;
        }
    }
    if (good)
        gather_files(groups, k, task);
    if (good && make_layers(groups, k, task, picker))
        return task;
    task_free(task);
    return NULL;
}

/* ---- the script ---- */

static const char *path_of(const struct task_context *context, const struct job_file *file)
{
    return path_absolute(&context->g->scratch, context->g->workflow->workdir,
                         sym_text(context->g->names, file->path));
}

static void add_parents(const struct task_context *context, const struct job_files *files,
                        struct buf *out)
{
    for (uint32_t i = 0; i < files->len; i++) {
        buf_str(out, "mkdir -p ");
        buf_shell_word(out, path_dirname(&context->g->scratch, path_of(context, &files->at[i])));
        buf_char(out, '\n');
    }
}

/* A step of the allocation with what the job itself asks for: without --mem steps would wait for
 * each other (0: it takes what it needs of the whole, without counting), without --gres each would
 * take all GPUs. */
static void add_srun(const struct launch *launch, struct buf *out)
{
    struct arena scratch = {0};
    const char *gres = launch_gres(&scratch, launch),
               *per_cpu = launch_text(launch, "mem_mb_per_cpu");
    int64_t cpus = launch_number(launch, "cpus_per_task", 0);
    cpus = cpus > 0 ? cpus : launch->cores > 0 ? launch->cores : 1;
    buf_printf(
        out, "srun --exact --quiet --nodes=1 --ntasks=1 --cpus-per-task=%lld --input=none --gres=",
        (long long)cpus);
    buf_shell_word(out, gres ? gres : "none");
    arena_free(&scratch);
    if (per_cpu)
        buf_printf(out, " --mem-per-cpu=%lldM",
                   (long long)launch_number(launch, "mem_mb_per_cpu", 0));
    else
        buf_printf(out, " --mem=%lldM", (long long)(launch->mem_mb > 0 ? launch->mem_mb : 0));
    buf_str(out, " -- ");
}

static void add_command(const struct launch *launch, bool step, struct buf *out)
{
    if (step && (launch->shell || launch->argv))
        add_srun(launch, out);
    if (launch->shell) {
        buf_shell_word(out, launch->program ? launch->program : shell_program());
        buf_str(out, " -c ");
        buf_shell_word(out, launch->shell);
    }
    for (uint32_t i = 0; !launch->shell && launch->argv && launch->argv[i]; i++) {
        buf_str(out, i ? " " : "");
        buf_shell_word(out, launch->argv[i]);
    }
    buf_str(out, launch->shell || launch->argv ? " || exit\n" : "");
}

/* What the group itself makes was not there when the shadow was filled. A path that leads out of
 * the shadow is not found there, as in a job of no group. */
static void bring_inside(const struct task_context *context, const struct task *part,
                         struct buf *out)
{
    for (uint32_t i = 0; part->shadow && i < part->eval.ninput; i++) {
        const struct job_file *file = &part->eval.input[i];
        const char *path = sym_text(context->g->names, file->path);
        if (!(file->flags & FLAG_INSIDE) || path_is_absolute(path) || path_leads_out(path))
            continue;
        const char *there = path_join(&context->g->scratch, part->shadow, path);
        buf_str(out, "[ -e ");
        buf_shell_word(out, there);
        buf_str(out, " ] || { mkdir -p ");
        buf_shell_word(out, path_dirname(&context->g->scratch, there));
        buf_str(out, shadow_copies(part) ? " && cp -RHp " : " && ln -s ");
        buf_shell_word(out, path_of(context, file));
        buf_char(out, ' ');
        buf_shell_word(out, there);
        buf_str(out, "; } || exit\n");
    }
}

/* What later jobs of the group need goes from the shadow to its place at once. */
static void bring_back(const struct task_context *context, const struct task *part,
                       const struct job_files *files, struct buf *out)
{
    struct arena *in = &context->g->scratch;
    for (uint32_t i = 0; part->shadow && i < files->len; i++) {
        const char *path = sym_text(context->g->names, files->at[i].path);
        if (path_is_absolute(path) || shadow_holds(context, part, path_normal(in, path)))
            continue;
        const char *there = path_join(in, part->shadow, path);
        const char *place = path_of(context, &files->at[i]);
        buf_str(out, "[ ! -e ");
        buf_shell_word(out, there);
        buf_str(out, " ] || [ ");
        buf_shell_word(out, there);
        buf_str(out, " -ef ");
        buf_shell_word(out, place);
        buf_str(out, " ] || { ");
        if (files->at[i].flags & FLAG_DIRECTORY) { /* made for a log inside */
            buf_str(out, "rm -rf ");
            buf_shell_word(out, place);
            buf_str(out, " && ");
        }
        buf_str(out, "mv ");
        buf_shell_word(out, there);
        buf_char(out, ' ');
        buf_shell_word(out, place);
        buf_str(out, "; } || exit\n");
    }
}

static void add_touches(const struct task_context *context, const struct task *part,
                        struct buf *out)
{
    for (uint32_t i = 0; i < part->eval.output.len; i++) {
        uint32_t flags = part->eval.output.at[i].flags;
        if (!(flags & FLAG_TOUCH))
            continue;
        buf_str(out, flags & FLAG_DIRECTORY ? "mkdir -p " : "touch ");
        buf_shell_word(out, path_of(context, &part->eval.output.at[i]));
        buf_str(out, " || exit\n");
    }
}

static void add_part(const struct task_context *context, const struct task *part,
                     const struct launch *launch, struct buf *out)
{
    const char *rule = sym_text(context->g->names, part->eval.rule->name);
    buf_str(out, "(\n");
    add_parents(context, &part->eval.output, out);
    add_parents(context, &part->eval.log, out);
    bring_inside(context, part, out);
    buf_str(out, "cd ");
    buf_shell_word(out, launch->cwd ? launch->cwd : context->g->workflow->workdir);
    buf_str(out, " || exit\n");
    script_exports(launch, out);
    add_command(launch, part->in_group && context->steps, out);
    bring_back(context, part, &part->eval.log, out);
    bring_back(context, part, &part->eval.output, out);
    add_touches(context, part, out);
    buf_printf(out, ") || { s=$?; echo \"rule %s, jobid %u: exit status $s\" >&2; exit $s; }", rule,
               (unsigned)part->eval.jobid);
    arena_reset(&context->g->scratch);
}

static void add_pipes(const struct task_context *context, const struct task *part, struct buf *out)
{
    for (uint32_t i = 0; i < part->eval.output.len; i++) {
        if (!(part->eval.output.at[i].flags & FLAG_PIPE))
            continue;
        const char *path = path_of(context, &part->eval.output.at[i]);
        buf_str(out, "mkdir -p ");
        buf_shell_word(out, path_dirname(&context->g->scratch, path));
        buf_str(out, " && rm -f ");
        buf_shell_word(out, path);
        buf_str(out, " && mkfifo ");
        buf_shell_word(out, path);
        buf_str(out, " || exit\n");
    }
}

/* Services end with the jobs that use them, or with the script. Each has a process group of its
 * own, so that what it has started ends, too. */
static const char stop_services[] =
    "services=\n"
    "stop_services() {\n"
    "[ -n \"$services\" ] || return 0\n"
    "for p in $services; do kill -0 $p 2>/dev/null || wait $p || status=$?; done\n"
    "for p in $services; do kill -TERM -- -$p 2>/dev/null || kill -TERM $p 2>/dev/null; done\n"
    "wait $services 2>/dev/null\n"
    "services=\n"
    "}\n"
    "trap 'exit 143' TERM\n"
    "trap 'exit 130' INT\n"
    "trap stop_services EXIT\n";

/* A job starts when the files of the services that it uses are there. */
static void add_waits(const struct task_context *context, const struct task *part, struct buf *out)
{
    const struct graph *g = context->g;
    for (uint32_t i = 0; i < part->eval.ninput; i++) {
        file_id file = graph_find_file(g, part->eval.input[i].path);
        if (!file || !(g->files.at[file].flags & FLAG_SERVICE))
            continue;
        const char *path = path_of(context, &part->eval.input[i]);
        buf_str(out, "while [ ! -e ");
        buf_shell_word(out, path);
        buf_str(out, " ]; do kill -0 $services 2>/dev/null || ");
        buf_str(out, "{ echo the service has ended that makes ");
        buf_shell_word(out, path);
        buf_str(out, " >&2; exit 1; }; sleep 0.1; done\n");
    }
}

static void add_started(const struct task_context *context, const struct task *part,
                        const struct launch *launch, const char *list, struct buf *out)
{
    buf_str(out, "{ ");
    add_waits(context, part, out);
    add_part(context, part, launch, out);
    buf_printf(out, "\n} & %s=\"$%s $!\"\n", list, list);
}

static bool has_service(const struct task_context *context, const struct task *task)
{
    bool any = false;
    for (uint32_t i = 0; i < task->nparts && !any; i++)
        any = is_service(context->g, task->part[i]->job);
    return any;
}

/* The jobs of a layer start together; the first that failed says how the group ends, when all have
 * ended. */
static void add_layer(const struct task_context *context, const struct task *task,
                      const struct launch *launches, const uint32_t *part, uint32_t n,
                      struct buf *out)
{
    bool services = false;
    buf_str(out, "pids=\n");
    for (uint32_t i = 0; i < n; i++) {
        if (!is_service(context->g, task->part[part[i]]->job))
            continue;
        services = true;
        buf_str(out, "set -m\n");
        add_started(context, task->part[part[i]], &launches[part[i]], "services", out);
        buf_str(out, "set +m\n");
    }
    for (uint32_t i = 0; i < n; i++)
        if (!is_service(context->g, task->part[part[i]]->job))
            add_started(context, task->part[part[i]], &launches[part[i]], "pids", out);
    buf_str(out, "for p in $pids; do wait $p || status=$?; done\n");
    buf_printf(out, "%s[ $status -eq 0 ] || exit $status\n", services ? "stop_services\n" : "");
}

/* By layer: what removes the temporary files of the group that have served when it has ended. */
static struct buf *removals_of(const struct task_context *context, struct task *task,
                               uint32_t nlayers)
{
    struct buf *out = arena_array(&task->scratch, struct buf, nlayers);
    struct map uses = uses_of(task);
    for (uint32_t i = 0; i < task->nparts && !context->notemp; i++) {
        const struct task *part = task->part[i];
        for (uint32_t k = 0; k < part->eval.output.len; k++) {
            const struct job_file *file = &part->eval.output.at[k];
            if (!(file->flags & FLAG_TEMP) || !(file->flags & FLAG_NODELOCAL))
                continue;
            uint32_t used = map_find(&uses, file->path);
            struct buf *after = &out[used > part->layer ? used - 1 : part->layer];
            buf_str(after, "rm -rf ");
            buf_shell_word(after, path_of(context, file));
            buf_char(after, '\n');
        }
    }
    map_free(&uses);
    return out;
}

static const char *script_of(const struct task_context *context, struct task *task,
                             const struct launch *launches)
{
    struct buf out = {0};
    uint32_t *layer = arena_array(&task->scratch, uint32_t, task->nparts);
    buf_str(&out, "status=0\n");
    buf_str(&out, has_service(context, task) ? stop_services : "");
    for (uint32_t i = 0; i < task->nparts; i++) {
        layer[i] = task->part[i]->layer;
        add_pipes(context, task->part[i], &out);
    }
    struct levels levels = levels_sort(layer, task->nparts, &task->scratch);
    struct buf *removals = removals_of(context, task, levels.last + 1);
    for (uint32_t l = 0; l <= levels.last; l++) {
        add_layer(context, task, launches, levels.order + levels.first[l],
                  levels.first[l + 1] - levels.first[l], &out);
        buf_add(&out, buf_text(&removals[l]), removals[l].len);
        buf_free(&removals[l]);
    }
    const char *text = arena_copy(&task->scratch, buf_text(&out), out.len);
    buf_free(&out);
    return text;
}

bool group_prepare(const struct task_context *context, struct task *task, struct launch *launch)
{
    struct launch *launches = arena_array(&task->scratch, struct launch, task->nparts);
    bool any = false;
    task->start_ns = clock_wall_ns();
    *launch = (struct launch){.name = sym_text(context->g->names, task->group)};
    for (uint32_t i = 0; i < task->nparts; i++) {
        struct task *part = task->part[i];
        if (!task_prepare(context, part, &launches[i])) {
            buf_str(&task->why, buf_text(&part->why));
            return false;
        }
        any |= launches[i].shell || launches[i].argv;
    }
    if (any)
        launch->shell = script_of(context, task, launches);
    launch->steps = any && context->steps;
    task_request(&task->eval, &task->scratch, launch);
    return true;
}

void group_complete(const struct task_context *context, struct task *task, struct launch *launch)
{
    struct buf out = {0};
    add_part(context, task, launch, &out);
    launch->shell = arena_copy(&task->scratch, buf_text(&out), out.len);
    launch->program = NULL;
    launch->argv = NULL;
    launch->cwd = NULL;
    buf_free(&out);
}
