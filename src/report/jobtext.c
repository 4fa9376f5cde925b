// SPDX-License-Identifier: MIT
#include "report/jobtext.h"

#include <math.h>
#include <string.h>

#include "flow/storage.h"
#include "flow/workflow.h"
#include "graph/fresh.h"

void job_text_free(struct job_text *text)
{
    arena_free(&text->scratch);
    vec_free(&text->inputs);
    buf_free(&text->shared.inputs);
    buf_free(&text->shared.updated);
    buf_free(&text->block);
    buf_free(&text->shell);
}

/* A file of a storage is shown as the storage knows it. label: what to say of the file first. */
static void add_name(const struct graph *g, const char *path, const char *title, const char *label,
                     struct buf *out)
{
    struct arena in = {0};
    struct storage_place place;
    bool stored = storage_find(g->workflow, &in, path, &place);
    const char *where = !stored                    ? ""
                        : !strcmp(title, "reason") ? "in storage"
                        : !place.copied            ? "only provide storage uri"
                        : !strcmp(title, "input")  ? "retrieve from storage"
                                                   : "send to storage";
    buf_str(out, stored ? place.shown : path);
    if (*label || *where)
        buf_printf(out, " (%s%s%s)", label, *label && *where ? ", " : "", where);
    arena_free(&in);
}

/* How a file is going to be read: access.sequential() and its like. */
static const char *access_label(struct vm *vm, value flags, struct arena *in)
{
    value way = dict_get_str(vm, flags, "access_pattern");
    return way && is_str(way) ? arena_printf(in, "access: %s", str_text(way)) : "";
}

static const char *file_label(const struct graph *g, const struct job_file *file, struct arena *in)
{
    return file->flags & FLAG_PIPE            ? "pipe"
           : file->flags & FLAG_SERVICE       ? "service"
           : file->flags & FLAG_UPDATE        ? "update"
           : file->flags & FLAG_BEFORE_UPDATE ? "before update"
           : file->item && file->item->flags_dict
               ? access_label(g->workflow->vm, file->item->flags_dict, in)
               : "";
}

void job_file_shown(const struct graph *g, const char *path, struct buf *out)
{
    add_name(g, path, "reason", "", out);
}

static void add_files(const struct graph *g, const char *title, const struct job_file *files,
                      uint32_t n, struct buf *out)
{
    struct arena in = {0};
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            buf_add(out, ", ", 2);
        if (files[i].checkpoint) {
            buf_str(out, "<TBD>");
            continue;
        }
        add_name(g, sym_text(g->names, files[i].path), title, file_label(g, &files[i], &in), out);
    }
    arena_free(&in);
}

/* The texts of a job's inputs if it shares them all with others, else NULL. */
static struct shared_text *shared_text(struct job_text *text, job_id id)
{
    struct shared_text *shared = &text->shared;
    bundle_id bundle = job_bundle(text->g, id);
    if (bundle && (bundle != shared->bundle || shared->decided != text->g->decided)) {
        shared->bundle = bundle;
        shared->decided = text->g->decided;
        shared->has_updated = false;
        buf_reset(&shared->inputs);
    }
    return bundle ? shared : NULL;
}

static void add_inputs_line(struct job_text *text, job_id id, const struct job_eval *eval,
                            struct buf *out)
{
    struct shared_text *shared = shared_text(text, id);
    struct buf *list = shared ? &shared->inputs : out;
    if (!eval->ninput)
        return;
    buf_str(out, "\n    input: ");
    if (!shared || !shared->inputs.len)
        add_files(text->g, "input", eval->input, eval->ninput, list);
    if (shared)
        buf_add(out, list->at, list->len);
}

void job_files_line(const struct graph *g, const char *title, const struct job_file *files,
                    uint32_t n, struct buf *out)
{
    if (!n)
        return;
    buf_str(out, "\n    ");
    buf_str(out, title);
    buf_add(out, ": ", 2);
    add_files(g, title, files, n, out);
}

void job_wildcards_text(const struct graph *g, job_id id, struct buf *out)
{
    const struct rule *rule = job_rule(g, id);
    for (uint32_t i = 0; i < rule->wildcards.n; i++) {
        if (i)
            buf_add(out, ", ", 2);
        buf_str(out, sym_text(g->names, rule->wildcards.name[i]));
        buf_char(out, '=');
        buf_str(out, sym_text(g->names, job_wildcards(g, id)[i]));
    }
}

/* ": a, b", the files that a reason is about. */
static void add_details(const struct graph *g, job_id id, enum reason reason, struct arena *in,
                        struct buf *out)
{
    uint32_t n;
    sym_t *files = fresh_details(g, id, reason, in, &n);
    for (uint32_t i = 0; i < n; i++) {
        buf_add(out, i ? ", " : ": ", 2);
        job_file_shown(g, sym_text(g->names, files[i]), out);
    }
}

/* shared: the texts of the job's inputs, or NULL. What makes them is the same for all jobs that
 * share them and have outputs. */
static void add_shared_details(const struct graph *g, job_id id, enum reason reason,
                               struct shared_text *shared, struct arena *in, struct buf *out)
{
    if (reason != REASON_UPDATED_INPUT_RUN || !shared || !g->jobs.at[id].noutputs) {
        add_details(g, id, reason, in, out);
        return;
    }
    if (!shared->has_updated) {
        buf_reset(&shared->updated);
        add_details(g, id, reason, in, &shared->updated);
        shared->has_updated = true;
    }
    buf_add(out, shared->updated.at, shared->updated.len);
}

static void add_reasons(const struct graph *g, job_id id, struct shared_text *shared,
                        struct arena *in, struct buf *out)
{
    uint16_t reasons = g->jobs.at[id].reasons;
    uint16_t alone = reasons & (REASON_FORCED | REASON_NO_IO | REASON_NO_OUTPUT);
    bool first = true;
    for (uint32_t bit = 0; reasons >> bit; bit++) {
        if (!(reasons >> bit & 1) || (alone && !(alone >> bit & 1)))
            continue;
        buf_str(out, first ? "" : "; ");
        buf_str(out, reason_phrase(bit));
        add_shared_details(g, id, 1u << bit, shared, in, out);
        first = false;
    }
}

void job_reason_text(const struct graph *g, job_id id, struct arena *in, struct buf *out)
{
    add_reasons(g, id, NULL, in, out);
}

static void add_resources(const struct graph *g, const struct job_eval *eval, struct buf *out)
{
    bool first = true;
    for (uint32_t i = 0; i < eval->nresources; i++) {
        const struct resource *r = &eval->resources[i];
        const char *name = sym_text(g->names, r->name);
        if (*name == '_')
            continue;
        buf_str(out, first ? "\n    resources: " : ", ");
        buf_str(out, name);
        buf_char(out, '=');
        if (r->is_text)
            buf_str(out, sym_text(g->names, r->text));
        else if (r->is_truth)
            buf_str(out, r->number ? "True" : "False");
        else
            buf_int(out, r->number);
        first = false;
    }
}

/* As Python shows it, but whole numbers without ".0". */
static void add_priority(double priority, struct buf *out)
{
    if (!priority)
        return;
    buf_str(out, "\n    priority: ");
    if (priority == PRIORITY_HIGHEST)
        buf_str(out, "highest");
    else
        buf_printf(out, priority == trunc(priority) && fabs(priority) < 0x1p53 ? "%.0f" : "%.15g",
                   priority);
}

static const char *rule_word(const struct job_text *text, const struct rule *rule)
{
    bool local = !text->dry_run;
    return rule->checkpoint ? (local ? "localcheckpoint" : "checkpoint")
                            : (local ? "localrule" : "rule");
}

/* A rule with a message shows it instead of its files. */
static void message_block(struct job_text *text, job_id id, const char *message)
{
    buf_printf(&text->block, "Job %u: %s", text->g->jobs.at[id].number, message);
    if (text->with_reason) {
        buf_str(&text->block, "\nReason: ");
        add_reasons(text->g, id, shared_text(text, id), &text->scratch, &text->block);
    }
}

static void files_block(struct job_text *text, job_id id, const struct job_eval *eval)
{
    const struct graph *g = text->g;
    const struct job *job = &g->jobs.at[id];
    struct buf *out = &text->block;
    buf_str(out, rule_word(text, eval->rule));
    buf_char(out, ' ');
    buf_str(out, sym_text(g->names, eval->rule->name));
    buf_char(out, ':');
    add_inputs_line(text, id, eval, out);
    job_files_line(g, "output", eval->output.at, eval->output.len, out);
    job_files_line(g, "log", eval->log.at, eval->log.len, out);
    buf_str(out, "\n    jobid: ");
    buf_int(out, job->number);
    job_files_line(g, "benchmark", eval->benchmark.at, eval->benchmark.len, out);
    if (text->with_reason) {
        buf_str(out, "\n    reason: ");
        add_reasons(g, id, shared_text(text, id), &text->scratch, out);
    }
    if (eval->rule->wildcards.n) {
        buf_str(out, "\n    wildcards: ");
        job_wildcards_text(g, id, out);
    }
    add_priority(job->priority ? job->priority : text->own_priority, out);
    if (eval->threads != 1)
        buf_printf(out, "\n    threads: %d", eval->threads);
    add_resources(g, eval, out);
}

void job_text_log(const struct job_text *text, const struct rule *rule, struct log *log)
{
    log_block(log, buf_text(&text->block), text->block.len, text->from_rule);
    if (text->with_shell)
        log_say(log, LOG_PLAIN, "Shell command: %s", buf_text(&text->shell));
    if (rule->checkpoint)
        log_say(log, LOG_INFO, "DAG of jobs will be updated after completion.");
    if (rule->handover)
        log_say(log, LOG_INFO, "Handing over execution to foreign system...");
}

bool job_text_of(struct job_text *text, job_id id, struct job_eval *eval)
{
    struct vm *vm = text->g->workflow->vm;
    buf_reset(&text->block);
    buf_reset(&text->shell);
    const char *message = eval_message(eval);
    if (!message && vm_failed(vm))
        return eval_report(eval);
    text->from_rule = message != NULL;
    if (message)
        message_block(text, id, message);
    else
        files_block(text, id, eval);
    if (text->with_trial && !eval_try(eval))
        return !workflow_took_exit(eval->workflow) && eval_report(eval);
    if (!text->with_shell)
        return true;
    const char *shell = eval->rule->body == BODY_SHELL ? eval_shell(eval, true) : "None";
    if (!shell)
        return eval_report(eval);
    buf_str(&text->shell, shell);
    return true;
}

bool job_text_make(struct job_text *text, job_id id)
{
    struct job_eval eval;
    double priority = 0;
    bool good = graph_job_eval(text->g, id, &text->scratch, &text->inputs, &eval) == EVAL_OK;
    if (good)
        eval_output(&eval);
    good = good && eval_resources(&eval, text->cores) == EVAL_OK &&
           (!eval.rule->priority.v || eval_priority(&eval, &priority) == EVAL_OK);
    if (!good)
        eval_report(&eval);
    text->own_priority = priority;
    good = good && job_text_of(text, id, &eval);
    job_eval_free(&eval);
    arena_reset(&text->scratch);
    return good;
}
