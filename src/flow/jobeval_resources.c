// SPDX-License-Identifier: MIT
/* jobeval_resources.c: threads, resources and priority of one job: defaults, functions and
 * expressions evaluated, units converted, limits applied. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "flow/evalvalues.h"
#include "flow/hold.h"
#include "flow/resources.h"
#include "flow/state.h"

enum { RESOURCE_AUX = AUX_BIT(INPUT) | AUX_BIT(ATTEMPT) | AUX_BIT(RULENAME) | AUX_BIT(ASYNC_RUN) };

static enum eval_result expression_value(struct job_eval *eval, value v, uint32_t available,
                                         value *out)
{
    struct vm *vm = eval->workflow->vm;
    value names = dict_new(vm), at;
    dict_set_str(vm, names, "wildcards", eval_seen_wildcards(eval));
    for (int aux = 0; aux < AUX_COUNT; aux++) {
        if (!(available >> aux & 1))
            continue;
        enum eval_result result = eval_aux(eval, (enum aux)aux, &at);
        if (result != EVAL_OK)
            return result;
        dict_set_str(vm, names, aux_name((enum aux)aux), at);
    }
    eval_hold(eval, names);
    hold_heap(vm);
    *out = resource_expression_value(eval->workflow, v, names);
    release_heap(vm);
    return *out ? EVAL_OK : EVAL_FAILED;
}

/* A stored resource evaluated: a number, a text or None. */
static enum eval_result resource_value(struct job_eval *eval, const char *name, value stored,
                                       uint32_t available, value *out)
{
    enum resource_unit unit;
    *out = resource_function(stored, &unit);
    if (!value_callable(*out))
        return EVAL_OK;
    enum eval_result result = is_resource_expression(*out)
                                  ? expression_value(eval, *out, available, out)
                                  : eval_call(eval, *out, available, out);
    if (result == EVAL_CHECKPOINT) {
        *out = small(0);
        return EVAL_OK;
    }
    if (result == EVAL_FAILED && eval_missing_input(eval)) {
        *out = str_from(eval->workflow->vm, "<TBD>");
        return EVAL_OK;
    }
    if (result != EVAL_OK || (is_str(*out) && !strcmp(str_text(*out), "<TBD>")))
        return result;
    value path = is_str(*out) ? NO_VALUE : path_value(eval->workflow->vm, *out);
    *out = resource_convert(eval->workflow, name, path ? path : *out, unit);
    return *out ? EVAL_OK : EVAL_FAILED;
}

static enum eval_result eval_threads(struct job_eval *eval, int cores)
{
    value v = eval->rule->threads.v;
    int64_t n = 1;
    const int *most = eval->workflow->options.max_threads;
    if (v && resource_value(eval, "threads", v, RESOURCE_AUX, &v) != EVAL_OK)
        return EVAL_FAILED;
    if (v && is_float(v) && !(v = resource_convert(eval->workflow, "threads", v, UNIT_PLAIN)))
        return EVAL_FAILED;
    if (v && !int_get(v, &n)) {
        flow_raise(eval->workflow, "WorkflowError", "Threads must be given as an int (rule %s)",
                   flow_text(eval->workflow, eval->rule->name));
        return EVAL_FAILED;
    }
    if (most && n > *most)
        n = *most;
    if (cores && n > cores)
        n = cores;
    eval->threads = n < INT_MAX ? (int)n : INT_MAX;
    eval->threads_known = true;
    return EVAL_OK;
}

static struct resource *add_resource(struct job_eval *eval, const char *name, int64_t number)
{
    struct resource *resource = &eval->resources[eval->nresources++];
    *resource = (struct resource){.name = intern_str(eval->workflow->names, name),
                                  .number = number};
    return resource;
}

static void add_text(struct job_eval *eval, const char *name, const char *text)
{
    struct resource *resource = add_resource(eval, name, 0);
    resource->is_text = true;
    resource->text = intern_str(eval->workflow->names, text);
}

/* mem_mb=1000 shows also as mem="1 GB" and mem_mib=954. */
static void add_spellings(struct job_eval *eval, const char *name, int64_t mb)
{
    char shown[32], other[32];
    int stem = (int)strlen(name) - 3;
    resource_show_mb(mb, shown);
    snprintf(other, sizeof other, "%.*s", stem, name);
    add_text(eval, other, shown);
    snprintf(other, sizeof other, "%.*s_mib", stem, name);
    add_resource(eval, other, resource_mb_to_mib(mb));
}

/* A size that is not known yet is not known in any spelling. */
static void add_unknown(struct job_eval *eval, const char *name)
{
    char other[32];
    int stem = (int)strlen(name) - 3;
    add_text(eval, name, "<TBD>");
    snprintf(other, sizeof other, "%.*s", stem, name);
    add_text(eval, other, "<TBD>");
    snprintf(other, sizeof other, "%.*s_mib", stem, name);
    add_text(eval, other, "<TBD>");
}

static enum eval_result limit_resource(struct job_eval *eval, const char *name, int64_t *number,
                                       bool is_text)
{
    int64_t most;
    value limit = dict_get_str(eval->workflow->vm, eval->workflow->flow->limits.v, name);
    if (!limit || !int_get(limit, &most))
        return EVAL_OK;
    if (is_text) {
        flow_raise(eval->workflow, "WorkflowError",
                   "Specified resource %s is of different type than global constraint provided by "
                   "--resources (rule %s)",
                   name, flow_text(eval->workflow, eval->rule->name));
        return EVAL_FAILED;
    }
    if (*number > most)
        *number = most;
    return EVAL_OK;
}

static enum eval_result store_resource(struct job_eval *eval, const char *name, value v)
{
    int64_t number = 0;
    bool tbd = is_str(v) && !strcmp(str_text(v), "<TBD>");
    if (is_instance(v, &type_int) && !int_get(v, &number)) {
        flow_raise(eval->workflow, "WorkflowError",
                   "Resource '%s' is too large: resources are less than 2**63", name);
        return EVAL_FAILED;
    }
    if (!is_str(v) && !int_get(v, &number)) {
        flow_raise(eval->workflow, "WorkflowError",
                   "Resource '%s' assigned invalid value of type %s. Must be str, int, float, "
                   "Path, or callable (function).",
                   name, type_of(v)->name);
        return EVAL_FAILED;
    }
    if (!tbd && limit_resource(eval, name, &number, is_str(v)) != EVAL_OK)
        return EVAL_FAILED;
    if (!is_str(v)) {
        add_resource(eval, name, number)->is_truth = v == VALUE_TRUE || v == VALUE_FALSE;
        if (resource_is_size(name))
            add_spellings(eval, name, number);
        return EVAL_OK;
    }
    if (tbd && resource_is_size(name))
        add_unknown(eval, name);
    else
        add_text(eval, name, str_text(v));
    return EVAL_OK;
}

/* Whether nothing has to be called to know the threads and resources of a rule. */
static bool is_fixed(const struct rule *rule)
{
    enum resource_unit unit;
    value dict = rule->resources.v, key, stored;
    size_t pos = 0;
    if (rule->threads.v && value_callable(resource_function(rule->threads.v, &unit)))
        return false;
    while (dict_next(dict, &pos, &key, &stored))
        if (value_callable(resource_function(stored, &unit)))
            return false;
    return true;
}

static struct resource *copy_resources(struct arena *in, const struct resource *from, uint32_t n)
{
    struct resource *copy = arena_array(in, struct resource, n + 1);
    if (n)
        memcpy(copy, from, n * sizeof *copy);
    return copy;
}

/* What the rule's other jobs have, too: a copy, which the run may change. */
static bool take_fixed(struct job_eval *eval, const struct fixed_resources *fixed, int cores)
{
    if (fixed->kind != FIXED || fixed->cores != cores)
        return false;
    eval->threads = fixed->threads;
    eval->resources = copy_resources(eval->scratch, fixed->at, fixed->n);
    eval->nresources = fixed->n;
    eval->threads_known = true;
    return true;
}

static void keep_fixed(const struct job_eval *eval, struct fixed_resources *fixed, int cores)
{
    if (fixed->kind == FIXED_UNKNOWN)
        fixed->kind = is_fixed(eval->rule) ? FIXED : FIXED_NOT;
    if (fixed->kind == FIXED_NOT)
        return;
    fixed->cores = cores;
    fixed->threads = eval->threads;
    fixed->n = eval->nresources;
    fixed->at = copy_resources(&eval->workflow->arena, eval->resources, fixed->n);
}

static enum eval_result evaluate_resources(struct job_eval *eval, int cores)
{
    value dict = eval->rule->resources.v, key, stored, v;
    size_t pos = 0;
    eval->resources = arena_array(eval->scratch, struct resource, 3 * dict_len(dict) + 1);
    eval->nresources = 0;
    if (eval_threads(eval, cores) != EVAL_OK)
        return eval_failed(eval, "threads", directive_span(eval->rule, DIRECTIVE_THREADS));
    while (dict_next(dict, &pos, &key, &stored)) {
        const char *name = str_text(key);
        bool good = resource_value(eval, name, stored, RESOURCE_AUX | AUX_BIT(THREADS), &v) ==
                        EVAL_OK &&
                    (v == VALUE_NONE || store_resource(eval, name, v) == EVAL_OK);
        if (!good)
            return eval_failed(
                eval, "resources",
                item_span(eval->rule, DIRECTIVE_RESOURCES, str_sym(eval->workflow->vm, key)));
    }
    return EVAL_OK;
}

enum eval_result eval_resources(struct job_eval *eval, int cores)
{
    struct flow_state *flow = eval->workflow->flow;
    vec_reach(&flow->fixed, eval->rule->id);
    eval->resources_known = false;
    eval->seen_resources = NO_VALUE;
    if (!take_fixed(eval, &flow->fixed.at[eval->rule->id], cores)) {
        enum eval_result result = evaluate_resources(eval, cores);
        if (result != EVAL_OK)
            return result;
        keep_fixed(eval, &flow->fixed.at[eval->rule->id], cores);
    }
    eval->resources_known = true;
    return EVAL_OK;
}

enum eval_result eval_priority(struct job_eval *eval, double *out)
{
    value v = eval->rule->priority.v;
    double number;
    *out = 0;
    if (!v || v == VALUE_NONE)
        return EVAL_OK;
    if (value_callable(v) && eval_call(eval, v, RESOURCE_AUX, &v) != EVAL_OK)
        return eval_failed(eval, "priority", directive_span(eval->rule, DIRECTIVE_PRIORITY));
    if (float_get(v, &number)) {
        *out = isnan(number) ? 0 : number;
        return EVAL_OK;
    }
    flow_raise(eval->workflow, "RuleException",
               "Priority function must return a numeric value (int or float), got %s.",
               type_of(v)->name);
    return eval_failed(eval, "priority", directive_span(eval->rule, DIRECTIVE_PRIORITY));
}

int eval_retries(const struct rule *rule, int otherwise)
{
    int64_t n;
    if (!rule->retries.v || rule->retries.v == VALUE_NONE || !int_get(rule->retries.v, &n))
        return otherwise;
    return n < INT_MAX ? (int)n : INT_MAX;
}
