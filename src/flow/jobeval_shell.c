// SPDX-License-Identifier: MIT
/* jobeval_shell.c: the texts of a job: shell command, message, script path; and run blocks.
 * Formatting is Python's str.format with Snakemake's changes: names come from the job and the
 * Snakefile's globals, lists are joined with blanks, the suffix q of a format spec quotes for the
 * shell. */
#include <string.h>

#include "base/path.h"
#include "flow/evalvalues.h"
#include "flow/namedlist.h"
#include "flow/state.h"
#include "flow/textformat.h"

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
    bool few; /* only wildcards and params are known */
};

static value lookup_name(struct vm *vm, void *user, const char *name, size_t len)
{
    const struct job_text *text = user;
    struct job_eval *eval = text->eval;
    for (int i = 0; i < JOB_NAMES; i++) {
        bool known = !text->few || i == JOB_PARAMS || i == JOB_WILDCARDS;
        if (known && strlen(job_names[i]) == len && !memcmp(job_names[i], name, len))
            return job_value(eval, (enum job_name)i);
    }
    value key = str_new(vm, name, len);
    value found = dict_get(vm, eval->rule->scope->globals.v, key);
    if (!found)
        found = dict_get(vm, vm_builtins(vm), key);
    if (found && !text->few)
        return found;
    sym_t sym = intern_find(eval->workflow->names, name, len);
    if (sym && wildcard_slot(&eval->rule->wildcards, sym) >= 0)
        return vm_raise(
            vm, "NameError",
            "The name '%.*s' is unknown in this context. Did you mean 'wildcards.%.*s'?", (int)len,
            name, (int)len, name);
    return vm_raise(vm, "NameError",
                    "The name '%.*s' is unknown in this context. Please make sure that you defined "
                    "that variable. "
                    "Also note that braces not used for variable access have to be escaped by "
                    "repeating them, i.e. "
                    "{{print $1}}",
                    (int)len, name);
}

const char *eval_format(struct job_eval *eval, value text, bool few)
{
    struct buf out = {0};
    struct job_text job = {eval, few};
    struct format_rules rules = {.lookup = lookup_name, .emit = textformat_emit, .user = &job};
    bool fine = format_expand(eval->workflow->vm, str_text(text), as_str(text)->len, &rules, &out);
    const char *result = fine ? arena_copy(eval->scratch, buf_text(&out), out.len) : NULL;
    buf_free(&out);
    return result;
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

value eval_body(struct job_eval *eval, value function, value constant)
{
    value v = function ? call_body(eval, function) : constant;
    return v ? eval_hold(eval, v) : NO_VALUE;
}

static const char *body_text(struct job_eval *eval, value v, const char *what, bool few)
{
    struct vm *vm = eval->workflow->vm;
    value text = v ? path_value(vm, v) : NO_VALUE;
    if (v && !text && !vm_failed(vm))
        vm_raise(vm, "TypeError", "the %s of rule %s must be a text, not %s", what,
                 flow_text(eval->workflow, eval->rule->name), type_of(v)->name);
    const char *result = text ? eval_format(eval, text, few) : NULL;
    if (!result)
        eval_failed(eval, what, eval->rule->body_span);
    return result;
}

const char *eval_shell(struct job_eval *eval, bool display)
{
    const struct rule *rule = eval->rule;
    value v = eval_body(eval, rule->body_function.v, rule->body_value.v);
    return body_text(eval, v, "shell command", false);
}

const char *eval_message(struct job_eval *eval)
{
    const struct rule *rule = eval->rule;
    if (!rule->message_value.v && !rule->message_function.v)
        return NULL;
    value v = eval_body(eval, rule->message_function.v, rule->message_value.v);
    return v == VALUE_NONE ? NULL : body_text(eval, v, "message", false);
}

const char *eval_script(struct job_eval *eval)
{
    const struct rule *rule = eval->rule;
    value v = rule->body_value.v ? eval_hold(eval, rule->body_value.v)
                                 : eval_body(eval, rule->body_function.v, rule->body_value.v);
    const char *path = body_text(eval, v, "script path", true);
    if (!path)
        return NULL;
    if (!strncmp(path, "file://", 7))
        path += 7;
    return path_absolute(eval->scratch, path_dirname(eval->scratch, rule->snakefile), path);
}

bool eval_run(struct job_eval *eval)
{
    if (call_body(eval, eval->rule->body_function.v))
        return true;
    eval_failed(eval, "run block", eval->rule->body_span);
    return false;
}
