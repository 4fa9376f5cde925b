// SPDX-License-Identifier: MIT
#include "run/spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "flow/software.h"

/* ---- writing ---- */

static void put(struct buf *out, const char *text)
{
    buf_add(out, text, strlen(text) + 1);
}

static void put_number(struct buf *out, int64_t n)
{
    buf_printf(out, "%lld", (long long)n);
    buf_char(out, '\0');
}

static void put_inputs(const struct intern *names, const struct job_eval *eval, struct buf *out)
{
    put_number(out, eval->ninput);
    for (uint32_t i = 0; i < eval->ninput; i++) {
        put(out, sym_text(names, eval->input[i].path));
        put(out, eval->input[i].name ? sym_text(names, eval->input[i].name) : "");
        put_number(out, eval->input[i].in_list);
    }
    put_number(out, eval->nbare);
    for (uint32_t i = 0; i < eval->nbare; i++)
        put(out, sym_text(names, eval->bare[i]));
}

static void put_resources(const struct intern *names, const struct job_eval *eval, struct buf *out)
{
    put_number(out, eval->nresources);
    for (uint32_t i = 0; i < eval->nresources; i++) {
        const struct resource *r = &eval->resources[i];
        put(out, sym_text(names, r->name));
        put_number(out, r->is_text);
        put_number(out, r->is_truth);
        if (r->is_text)
            put(out, sym_text(names, r->text));
        else
            put_number(out, r->number);
    }
}

static void put_job(const struct graph *g, const struct task *task, struct buf *out)
{
    const struct job_eval *eval = &task->eval;
    put(out, sym_text(g->names, eval->rule->name));
    put_number(out, task->attempt);
    put_number(out, eval->jobid);
    put_number(out, eval->threads);
    put_number(out, eval->bench_iteration);
    put_number(out, eval->rule->wildcards.n);
    for (uint32_t i = 0; i < eval->rule->wildcards.n; i++)
        put(out, sym_text(g->names, eval->wildcards[i]));
    put_inputs(g->names, eval, out);
    put_resources(g->names, eval, out);
    put(out, task->wrap.before ? task->wrap.before : "");
    put(out, task->wrap.container ? task->wrap.container : "");
    put(out, task->shadow ? task->shadow : "");
}

const char *const *spec_command(const struct task_context *context, struct task *task,
                                const char **file)
{
    struct buf spec = {0};
    size_t n = 0;
    while (context->run_args[n])
        n++;
    const char **argv = arena_array(&task->scratch, const char *, n + 4);
    put_job(context->g, task, &spec);
    /* a job of Slurm may still wait to read the file of an earlier run that had our pid */
    *file = arena_printf(&task->scratch, "%s/.snakemake/scripts/run-%d-%u-%llx.spec",
                         context->g->workflow->workdir, (int)getpid(), (unsigned)task->job,
                         (unsigned long long)task->start_ns);
    bool good = fs_make_parent(*file) && fs_write(*file, spec.at, spec.len);
    buf_free(&spec);
    if (!good) {
        buf_printf(&task->why, "cannot write '%s': %s", *file, strerror(errno));
        return NULL;
    }
    argv[0] = context->self;
    argv[1] = "run-block";
    argv[2] = *file;
    memcpy(argv + 3, context->run_args, n * sizeof *argv);
    return argv;
}

/* ---- reading ---- */

struct reader {
    const char *at, *end;
};

static const char *get(struct reader *r)
{
    const char *text = r->at;
    if (r->at >= r->end)
        return "";
    r->at += strlen(r->at) + 1;
    return text;
}

static int64_t get_number(struct reader *r)
{
    return strtoll(get(r), NULL, 10);
}

static sym_t get_sym(struct reader *r, struct intern *names)
{
    const char *text = get(r);
    return *text ? intern_str(names, text) : 0;
}

static void get_inputs(struct reader *r, struct intern *names, struct job_eval *eval)
{
    eval->ninput = (uint32_t)get_number(r);
    struct job_file *files = arena_array(eval->scratch, struct job_file, eval->ninput + 1);
    for (uint32_t i = 0; i < eval->ninput; i++) {
        files[i].path = get_sym(r, names);
        files[i].name = get_sym(r, names);
        files[i].in_list = get_number(r) != 0;
    }
    eval->input = files;
    eval->nbare = (uint32_t)get_number(r);
    sym_t *bare = arena_array(eval->scratch, sym_t, eval->nbare + 1);
    for (uint32_t i = 0; i < eval->nbare; i++)
        bare[i] = get_sym(r, names);
    eval->bare = bare;
}

static void get_resources(struct reader *r, struct intern *names, struct job_eval *eval)
{
    eval->nresources = (uint32_t)get_number(r);
    eval->resources = arena_array(eval->scratch, struct resource, eval->nresources + 1);
    for (uint32_t i = 0; i < eval->nresources; i++) {
        struct resource *resource = &eval->resources[i];
        resource->name = get_sym(r, names);
        resource->is_text = get_number(r) != 0;
        resource->is_truth = get_number(r) != 0;
        if (resource->is_text)
            resource->text = get_sym(r, names);
        else
            resource->number = get_number(r);
    }
}

static bool get_job(struct reader *r, struct workflow *workflow, struct job_eval *eval)
{
    const char *name = get(r);
    eval->workflow = workflow;
    eval->rule = workflow_rule(workflow, name);
    if (!eval->rule)
        return complain(workflow->diags, (struct span){0}, "the workflow has no rule '%s' any more",
                        name);
    eval->attempt = (int)get_number(r);
    eval->jobid = (uint32_t)get_number(r);
    eval->threads = (int)get_number(r);
    eval->bench_iteration = (int)get_number(r);
    uint32_t n = (uint32_t)get_number(r);
    if (n != eval->rule->wildcards.n)
        return complain(workflow->diags, eval->rule->span,
                        "rule '%s' has changed while the workflow ran", name);
    sym_t *wildcards = arena_array(eval->scratch, sym_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        wildcards[i] = intern_str(workflow->names, get(r));
    eval->wildcards = wildcards;
    get_inputs(r, workflow->names, eval);
    get_resources(r, workflow->names, eval);
    return true;
}

/* Its calls of shell() run in the software of the rule. */
static bool get_wrap(struct reader *r, struct workflow *workflow)
{
    const char *before = get(r), *container = get(r);
    software_use(workflow, &(struct software_wrap){before, *container ? container : NULL});
    return true;
}

/* Reading the Snakefile again may have made files that were removed before the job. */
static void remove_old(const struct workflow *workflow, const struct job_eval *eval)
{
    for (uint32_t i = 0; i < eval->output.len; i++) {
        const struct job_file *file = &eval->output.at[i];
        if (!(file->flags & (FLAG_UPDATE | FLAG_PIPE | FLAG_SERVICE | FLAG_DIRECTORY)))
            unlink(sym_text(workflow->names, file->path));
        else if (file->flags & FLAG_DIRECTORY && !(file->flags & FLAG_UPDATE))
            fs_remove_tree(sym_text(workflow->names, file->path));
    }
    for (uint32_t i = 0; i < eval->output.len; i++) /* one output may lie inside another */
        fs_make_parent(sym_text(workflow->names, eval->output.at[i].path));
}

/* Here is no graph to ask: a checkpoint whose outputs are there has run before this job. */
static bool has_run(void *user, rule_id number, const sym_t *wildcards)
{
    const struct workflow *workflow = user;
    const struct items *output = &workflow->rules.at[number]->output;
    uint32_t i = 0;
    while (i < output->len &&
           fs_exists(sym_text(workflow->names,
                              pattern_apply(&output->at[i].pattern, workflow->names, wildcards))))
        i++;
    return i == output->len;
}

static bool run_block(struct workflow *workflow, struct job_eval *eval, const char *shadow)
{
    eval_output(eval);
    if (eval->bench_iteration <= 1) /* repeat(): what an earlier time has made stays */
        remove_old(workflow, eval);
    workflow->checkpoint_ready = has_run;
    workflow->checkpoint_user = workflow;
    eval->starts = true;
    bool good = eval_params(eval) == EVAL_OK; /* by files that a shadow may lack */
    if (good && *shadow && chdir(shadow))
        return complain(workflow->diags, (struct span){0}, "cannot enter '%s': %s", shadow,
                        strerror(errno));
    if (good && (eval_template_is_own(eval->rule) ? eval_template(eval) : eval_run(eval)))
        return true;
    vm_report(workflow->vm);
    return false;
}

bool spec_run(struct workflow *workflow, const char *file)
{
    struct arena scratch = {0};
    struct job_eval eval = {.scratch = &scratch};
    size_t len;
    const char *bytes = fs_read(&scratch, file, &len);
    vm_leave_threads(workflow->vm); /* one may feed a queue that nobody reads here */
    bool good = bytes || complain(workflow->diags, (struct span){0}, "cannot read '%s': %s", file,
                                  strerror(errno));
    if (good) {
        struct reader reader = {bytes, bytes + len};
        good = get_job(&reader, workflow, &eval) && get_wrap(&reader, workflow) &&
               run_block(workflow, &eval, get(&reader));
    }
    vm_wait_threads(workflow->vm); /* they may still write the outputs */
    vm_call_exits(workflow->vm);
    job_eval_free(&eval);
    arena_free(&scratch);
    return good;
}
