// SPDX-License-Identifier: MIT
/* jobeval_shell.c: the texts of a job: shell command, message, script path; and run blocks.
 * Formatting is Python's str.format with Snakemake's changes: names come from the job and the
 * Snakefile's globals, lists are joined with blanks, the suffix q of a format spec quotes for the
 * shell. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/http.h"
#include "base/nearest.h"
#include "flow/implicit.h"
#include "flow/evalvalues.h"
#include "flow/hold.h"
#include "flow/origin.h"
#include "flow/state.h"
#include "flow/textformat.h"
#include "flow/wrapper.h"
#include "python/types.h"

/* Names of a body, in the order of BODY_PARAMS, then those that only texts know. */
enum job_name {
    JOB_INPUT,
    JOB_OUTPUT,
    JOB_PARAMS,
    JOB_WILDCARDS,
    JOB_THREADS,
    JOB_RESOURCES,
    JOB_LOG,
    JOB_RULE,
    JOB_JOBID,
    JOB_BENCH,
    JOB_NAME,
    JOB_RULENAME,
    JOB_NAMES
};
static const char *const job_names[JOB_NAMES] = {BODY_PARAMS, "name", "rulename"};

static value aux_value(struct job_eval *eval, enum aux aux)
{
    value v;
    return eval_aux(eval, aux, &v) == EVAL_OK ? v : NO_VALUE;
}

static value job_value(struct job_eval *eval, enum job_name name)
{
    struct vm *vm = eval->workflow->vm;
    switch (name) {
    case JOB_INPUT: return eval_seen_input(eval);
    case JOB_OUTPUT: return eval_seen_output(eval);
    case JOB_PARAMS: return eval_seen_params(eval);
    case JOB_WILDCARDS: return eval_seen_wildcards(eval);
    case JOB_THREADS: return aux_value(eval, AUX_THREADS);
    case JOB_RESOURCES: return eval_seen_resources(eval);
    case JOB_LOG: return eval_seen_log(eval);
    case JOB_JOBID: return int_from(vm, eval->jobid);
    case JOB_BENCH: return eval->bench_iteration ? small(eval->bench_iteration - 1) : VALUE_NONE;
    default: return str_from_sym(vm, eval->rule->name);
    }
}

/* ---- texts ---- */

struct job_text {
    struct job_eval *eval;
    bool few;  /* only wildcards and params are known */
    int known; /* how many of enum job_name: a command that runs knows no `name` */
    const struct text_name *more; /* these come first */
    uint32_t nmore;
};

/* The name that a text knows and that is nearest to a mistyped one, or NULL. */
static const char *nearest_known(const struct job_text *text, const char *name)
{
    struct nearest near = nearest_to(name);
    value key, item;
    for (int i = 0; i < text->known; i++)
        if (!text->few || i == JOB_PARAMS || i == JOB_WILDCARDS)
            nearest_offer(&near, job_names[i]);
    for (size_t pos = 0;
         !text->few && dict_next(text->eval->rule->scope->globals.v, &pos, &key, &item);)
        if (is_str(key))
            nearest_offer(&near, str_text(key));
    return near.best;
}

static value lookup_name(struct vm *vm, void *user, const char *name, size_t len)
{
    struct job_text *text = user;
    struct job_eval *eval = text->eval;
    for (uint32_t i = 0; i < text->nmore; i++)
        if (strlen(text->more[i].name) == len && !memcmp(text->more[i].name, name, len))
            return str_from(vm, text->more[i].text);
    for (int i = 0; i < text->known; i++) {
        bool known = !text->few || i == JOB_PARAMS || i == JOB_WILDCARDS;
        if (known && strlen(job_names[i]) == len && !memcmp(job_names[i], name, len))
            return job_value(eval, (enum job_name)i);
    }
    value key = str_new(vm, name, len);
    value found = dict_get(vm, eval->rule->scope->globals.v, key);
    if (!found)
        found = dict_get(vm, vm_builtins(vm), key);
    if (!found)
        found = implicit_name(eval->workflow, str_text(key));
    if (found && !text->few)
        return found;
    sym_t sym = intern_find(eval->workflow->names, name, len);
    if (sym && wildcard_slot(&eval->rule->wildcards, sym) >= 0)
        return vm_raise(
            vm, "NameError",
            "The name '%.*s' is unknown in this context. Did you mean 'wildcards.%.*s'?", (int)len,
            name, (int)len, name);
    const char *near = nearest_known(text, str_text(key));
    return vm_raise(
        vm, "NameError",
        "The name '%.*s' is unknown in this context.%s%s%s Please make sure that you defined "
        "that variable. Also note that braces not used for variable access have to be escaped by "
        "repeating them, i.e. {{print $1}}",
        (int)len, name, near ? " Did you mean '" : "", near ? near : "", near ? "'?" : "");
}

struct span field_span(const struct workflow *w, struct span span, const char *field, size_t n)
{
    size_t len;
    const char *text = span_text(w->sources, span, &len);
    for (size_t i = 0; text && n && i + n + 1 < len; i++)
        if (text[i] == '{' && !memcmp(text + i + 1, field, n) && strchr("}:!,", text[i + n + 1]))
            return (struct span){span.at + (uint32_t)i + 1, span.at + (uint32_t)(i + n) + 1};
    return span;
}

/* Expands a format string with the job's names. In scratch; NULL: raised, *span is narrowed to the
 * culprit. */
static const char *format_job_text(struct job_text *job, const char *text, size_t len,
                                   struct span *span)
{
    struct buf out = {0}, culprit = {0};
    struct job_eval *eval = job->eval;
    struct format_rules rules = {
        .lookup = lookup_name, .emit = textformat_emit, .user = job, .culprit = &culprit};
    struct vm *vm = eval->workflow->vm;
    hold_heap(vm);
    bool fine = format_expand(vm, text, len, &rules, &out);
    release_heap(vm);
    if (fine && memchr(buf_text(&out), 0, out.len))
        fine = vm_raise(vm, "ValueError", "embedded null byte");
    const char *result = fine ? arena_copy(eval->scratch, buf_text(&out), out.len) : NULL;
    if (!fine)
        *span = field_span(eval->workflow, *span, buf_text(&culprit), culprit.len);
    buf_free(&culprit);
    buf_free(&out);
    return result;
}

static const char *format_text(struct job_eval *eval, value text, bool few, int known,
                               struct span *span)
{
    struct job_text job = {.eval = eval, .few = few, .known = known};
    return format_job_text(&job, str_text(text), as_str(text)->len, span);
}

/* ---- bodies ---- */

static value call_body(struct job_eval *eval, value function)
{
    value args[BODY_PARAM_COUNT];
    for (int i = 0; i < BODY_PARAM_COUNT; i++) {
        args[i] = job_value(eval, (enum job_name)i);
        if (!args[i])
            return NO_VALUE;
        eval_hold(eval, args[i]);
    }
    return vm_call(eval->workflow->vm, function, args, BODY_PARAM_COUNT, NO_VALUE);
}

/* The expression of a body evaluated in the job's names: the value at definition if it is a
 * constant. */
static value eval_body(struct job_eval *eval, value function, value constant)
{
    value v = function ? call_body(eval, function) : constant;
    return v ? eval_hold(eval, v) : NO_VALUE;
}

static const char *body_text(struct job_eval *eval, value v, const char *what, bool few, int known)
{
    struct vm *vm = eval->workflow->vm;
    struct span span = *what == 'm' ? directive_span(eval->rule, DIRECTIVE_MESSAGE)
                                    : eval->rule->body_span;
    value text = v ? path_value(vm, v) : NO_VALUE;
    if (v && !text && !vm_failed(vm))
        vm_raise(vm, "TypeError", "the %s of rule %s must be a text, not %s", what,
                 flow_text(eval->workflow, eval->rule->name), type_of(v)->name);
    const char *result = text ? format_text(eval, text, few, known, &span) : NULL;
    if (!result)
        eval_failed(eval, what, span);
    return result;
}

const char *eval_shell(struct job_eval *eval, bool display)
{
    const struct rule *rule = eval->rule;
    value v = eval_body(eval, rule->body_function.v, rule->body_value.v);
    return body_text(eval, v, "shell command", false, display ? JOB_NAMES : JOB_NAME);
}

const char *eval_message(struct job_eval *eval)
{
    const struct rule *rule = eval->rule;
    if (!rule->message_value.v && !rule->message_function.v)
        return NULL;
    value v = eval_body(eval, rule->message_function.v, rule->message_value.v);
    const char *text = v == VALUE_NONE ? NULL : body_text(eval, v, "message", false, JOB_NAMES);
    return text && *text ? text : NULL;
}

const char *eval_format(struct job_eval *eval, const char *text, const struct text_name *more,
                        uint32_t n)
{
    struct job_text job = {.eval = eval, .known = JOB_NAMES, .more = more, .nmore = n};
    struct span span = {0}; /* it stands in no Snakefile */
    eval_begin(eval);
    const char *result = format_job_text(&job, text, strlen(text), &span);
    if (!result)
        eval_failed(eval, "submit command", span);
    return result;
}

const char *eval_body_text(struct job_eval *eval, const char *what)
{
    const struct rule *rule = eval->rule;
    value v = rule->body_value.v ? eval_hold(eval, rule->body_value.v)
                                 : eval_body(eval, rule->body_function.v, rule->body_value.v);
    return body_text(eval, v, what, true, JOB_NAMES);
}

const char *eval_script(struct job_eval *eval)
{
    const struct rule *rule = eval->rule;
    struct arena *in = eval->scratch;
    struct workflow *w = eval->workflow;
    const char *path = eval_body_text(eval, "script path");
    if (!path)
        return NULL;
    bool wrapper = rule->body == BODY_WRAPPER;
    path = wrapper ? wrapper_origin(w, in, rule->scope, path)
                   : origin_join(in, origin_dirname(in, rule->snakefile), path);
    if (path && !(rule->body == BODY_CWL && http_is_url(path))) /* cwltool reads URLs itself */
        path = wrapper ? wrapper_script(w, in, path) : origin_local(w, path);
    if (!path)
        eval_failed(eval, "script", rule->body_span);
    return path;
}

int64_t eval_script_time(struct job_eval *eval)
{
    enum rule_body body = eval->rule->body;
    bool own = body == BODY_SCRIPT || body == BODY_NOTEBOOK || body == BODY_CWL;
    const char *path = own ? eval_script(eval) : NULL;
    struct stat st, link;
    if (own && !path)
        vm_take_error(eval->workflow->vm);
    if (!path || stat(path, &st) || lstat(path, &link))
        return -1;
    return fs_mtime(&st) > fs_mtime(&link) ? fs_mtime(&st) : fs_mtime(&link);
}

bool rule_script_constant(const struct rule *rule)
{
    bool script = rule->body == BODY_SCRIPT || rule->body == BODY_NOTEBOOK ||
                  rule->body == BODY_WRAPPER || rule->body == BODY_CWL;
    return script && rule->body_value.v && is_str(rule->body_value.v) &&
           !strchr(str_text(rule->body_value.v), '{');
}

bool eval_find_script(struct job_eval *eval)
{
    const char *path = eval_script(eval);
    if (!path || http_is_url(path) || fs_exists(path))
        return path;
    vm_raise_errno(eval->workflow->vm, ENOENT, path);
    raise_hint(eval->workflow->vm, nearest_file(eval->scratch, path));
    eval_failed(eval, "script", eval->rule->body_span);
    return false;
}

bool eval_try(struct job_eval *eval)
{
    enum eval_result params = eval_params(eval);
    if (params != EVAL_OK)
        return params == EVAL_CHECKPOINT;
    if (eval->rule->body == BODY_SHELL)
        return eval_shell(eval, true);
    bool script = eval->rule->body == BODY_SCRIPT || eval->rule->body == BODY_NOTEBOOK ||
                  eval->rule->body == BODY_CWL;
    return !script || eval_find_script(eval);
}

bool eval_run(struct job_eval *eval)
{
    if (call_body(eval, eval->rule->body_function.v))
        return true;
    eval_failed(eval, "run block", eval->rule->body_span);
    return false;
}
