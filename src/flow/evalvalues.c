// SPDX-License-Identifier: MIT
/* evalvalues.c: a job's values as Python objects (see evalvalues.h). Each is made once per job. */
#include "flow/evalvalues.h"

#include <string.h>

#include "flow/iofile.h"
#include "flow/module_snakemake.h"
#include "flow/namedlist.h"
#include "flow/state.h"

void eval_begin(struct job_eval *eval)
{
    struct flow_state *flow = eval->workflow->flow;
    if (eval->epoch && eval->epoch == flow->epoch)
        return;
    eval->epoch = ++flow->epoch;
    eval->seen_wildcards = eval->seen_input = eval->seen_output = NO_VALUE;
    eval->asked_input = NO_VALUE;
    eval->seen_log = eval->seen_resources = eval->params = eval->counted_params = NO_VALUE;
    flow->keep.v = list_new(eval->workflow->vm, NULL, 0);
}

value eval_hold(struct job_eval *eval, value v)
{
    eval_begin(eval);
    list_push(eval->workflow->vm, eval->workflow->flow->keep.v, v);
    return v;
}

value eval_seen_wildcards(struct job_eval *eval)
{
    struct vm *vm = eval->workflow->vm;
    eval_begin(eval);
    if (eval->seen_wildcards)
        return eval->seen_wildcards;
    value seen = eval_hold(eval, namedlist_new(vm, &type_wildcards));
    for (uint32_t i = 0; i < eval->rule->wildcards.n; i++) {
        list_push(vm, seen, str_from_sym(vm, eval->wildcards[i]));
        namedlist_name(seen, eval->rule->wildcards.name[i], i, 1, false);
    }
    return eval->seen_wildcards = seen;
}

/* ---- files ---- */

static bool has_name(value list, sym_t wanted)
{
    sym_t name;
    uint32_t at, len;
    bool is_list;
    for (size_t i = 0; namedlist_range(list, i, &name, &at, &len, &is_list); i++)
        if (name == wanted)
            return true;
    return false;
}

/* That of an empty list at the end of n files, unless the list has it. */
static void add_bare_name(value list, sym_t name, uint32_t n)
{
    if (!has_name(list, name))
        namedlist_name(list, name, n, 0, true);
}

static value files_value(struct job_eval *eval, const struct type *type,
                         const struct job_file *file, uint32_t n, const struct items *items,
                         bool asked)
{
    struct vm *vm = eval->workflow->vm;
    value list = eval_hold(eval, namedlist_new(vm, type));
    for (uint32_t i = 0; i < n; i++)
        list_push(vm, list,
                  asked ? iofile_new(vm, file[i].path, NO_VALUE) : str_from_sym(vm, file[i].path));
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && file[i].name && file[end].name == file[i].name; end++)
            ;
        if (file[i].name)
            namedlist_name(list, file[i].name, i, end - i, file[i].in_list || end - i > 1);
    }
    for (uint32_t i = 0; i < items->names.len; i++)
        add_bare_name(list, items->names.at[i].name, n);
    return list;
}

static value input_value(struct job_eval *eval, bool asked)
{
    value list = files_value(eval, &type_input_files, eval->input, eval->ninput, &eval->rule->input,
                             asked);
    for (uint32_t i = 0; i < eval->nbare; i++)
        add_bare_name(list, eval->bare[i], eval->ninput);
    return list;
}

value eval_seen_input(struct job_eval *eval)
{
    eval_begin(eval);
    if (!eval->seen_input)
        eval->seen_input = input_value(eval, false);
    return eval->seen_input;
}

value eval_asked_input(struct job_eval *eval)
{
    eval_begin(eval);
    if (!eval->asked_input)
        eval->asked_input = input_value(eval, true);
    return eval->asked_input;
}

value eval_seen_output(struct job_eval *eval)
{
    eval_begin(eval);
    if (!eval->output_known)
        eval_output(eval);
    if (!eval->seen_output)
        eval->seen_output = files_value(eval, &type_output_files, eval->output.at, eval->output.len,
                                        &eval->rule->output, false);
    return eval->seen_output;
}

value eval_seen_log(struct job_eval *eval)
{
    eval_begin(eval);
    if (!eval->output_known)
        eval_output(eval);
    if (!eval->seen_log)
        eval->seen_log = files_value(eval, &type_log, eval->log.at, eval->log.len, &eval->rule->log,
                                     false);
    return eval->seen_log;
}

/* ---- resources and params ---- */

static bool know_resources(struct job_eval *eval)
{
    return eval->resources_known || eval_resources(eval, eval->workflow->options.cores) == EVAL_OK;
}

static void add_resource(struct vm *vm, value list, const char *name, value v)
{
    const struct list *items = as_list(list);
    list_push(vm, list, v);
    namedlist_name(list, intern_str(vm_names(vm), name), items->len - 1, 1, false);
}

value eval_seen_resources(struct job_eval *eval)
{
    struct vm *vm = eval->workflow->vm;
    eval_begin(eval);
    if (!know_resources(eval))
        return NO_VALUE;
    if (eval->seen_resources)
        return eval->seen_resources;
    value list = eval_hold(eval, namedlist_new(vm, &type_resources));
    for (uint32_t i = 0; i < eval->nresources; i++) {
        const struct resource *resource = &eval->resources[i];
        value v = resource->is_text    ? str_from_sym(vm, resource->text)
                  : resource->is_truth ? value_bool(resource->number)
                                       : int_from(vm, resource->number);
        add_resource(vm, list, flow_text(eval->workflow, resource->name), v);
    }
    add_resource(vm, list, "_cores", int_from(vm, eval->threads));
    add_resource(vm, list, "_nodes", small(1));
    return eval->seen_resources = list;
}

value eval_seen_params(struct job_eval *eval)
{
    eval_begin(eval);
    if (!eval->params && eval_params(eval) != EVAL_OK)
        return NO_VALUE;
    return eval->params;
}

static value aux_threads(struct job_eval *eval)
{
    if (!eval->threads_known && !know_resources(eval))
        return NO_VALUE;
    return small(eval->threads);
}

enum eval_result eval_aux(struct job_eval *eval, enum aux aux, value *out)
{
    struct vm *vm = eval->workflow->vm;
    switch (aux) {
    case AUX_INPUT: *out = eval_asked_input(eval); break;
    case AUX_OUTPUT: *out = eval_seen_output(eval); break;
    case AUX_PARAMS: *out = eval_seen_params(eval); break;
    case AUX_THREADS: *out = aux_threads(eval); break;
    case AUX_RESOURCES: *out = eval_seen_resources(eval); break;
    case AUX_ATTEMPT: *out = small(eval->attempt > 0 ? eval->attempt : 1); break;
    case AUX_RULENAME: *out = str_from_sym(vm, eval->rule->name); break;
    case AUX_GROUPID:
        eval->wants_groupid |= !eval->groupid;
        *out = eval->groupid ? str_from(vm, eval->groupid) : VALUE_NONE;
        break;
    case AUX_ASYNC_RUN: *out = module_snakemake_async_run(vm); break;
    default: *out = VALUE_NONE; break;
    }
    return *out ? EVAL_OK : EVAL_FAILED;
}

/* ---- values not known yet ---- */

struct tbd {
    struct object object;
};

static value tbd_str(struct vm *vm, value self)
{
    return str_from(vm, "<TBD>");
}

static value tbd_same(struct vm *vm, value self, value other)
{
    return self;
}

static value tbd_call(struct vm *vm, value self, value args, value kwargs)
{
    return self;
}

static value tbd_attr(struct vm *vm, value self, sym_t name)
{
    const char *text = sym_text(vm_names(vm), name);
    return text[0] == '_' && text[1] == '_' ? NO_VALUE : self;
}

/* self may stand on either side. */
static value tbd_binary(struct vm *vm, int op, value a, value b)
{
    return is_str(a) ? b : a;
}

static value tbd_unary(struct vm *vm, int op, value self)
{
    return self;
}

static value tbd_format(struct vm *vm, value self, value spec)
{
    return str_from(vm, "<TBD>");
}

static const struct type type_tbd = {.object = {.type = &type_type},
                                     .name = "TBDString",
                                     .size = sizeof(struct tbd),
                                     .repr = tbd_str,
                                     .str = tbd_str,
                                     .call = tbd_call,
                                     .get_attr = tbd_attr,
                                     .get_index = tbd_same,
                                     .binary = tbd_binary,
                                     .unary = tbd_unary,
                                     .format = tbd_format};

value eval_tbd(struct job_eval *eval)
{
    return eval_hold(eval, from_object(object_new(eval->workflow->vm, &type_tbd)));
}

/* ---- what counts for the params trigger ---- */

/* "<C object at 0x7f3a>" */
static bool shows_address(const char *text)
{
    static const char address[] = " at 0x";
    while ((text = strstr(text, address))) {
        text += strlen(address);
        size_t digits = strspn(text, "0123456789abcdefABCDEF");
        if (digits && text[digits] == '>')
            return true;
    }
    return false;
}

value eval_param_text(struct vm *vm, value v)
{
    static const struct type *const counted[] = {
        &type_str,  &type_int,   &type_float, &type_complex, &type_bytes, &type_bytearray,
        &type_list, &type_tuple, &type_dict,  &type_range,   &type_set,   &type_frozenset};
    bool counts = !is_object(v) && v != VALUE_ELLIPSIS && v != VALUE_NOT_IMPLEMENTED;
    for (size_t i = 0; is_object(v) && i < sizeof counted / sizeof *counted; i++)
        counts |= is_instance(v, counted[i]);
    value text = counts ? value_repr(vm, v) : NO_VALUE;
    return text && (is_str(v) || !shows_address(str_text(text))) ? text : NO_VALUE;
}
