// SPDX-License-Identifier: MIT
/* state.c: see state.h. */
#include "flow/state.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "flow/exceptions.h"

/* ---- errors ---- */

static bool told_is_in_flight(const struct workflow *w)
{
    return vm_failed(w->vm) && vm_error(w->vm) == w->flow->told.v;
}

void flow_forget_told(struct workflow *w)
{
    if (w->flow->told.v != VALUE_NONE)
        diag_remove(w->diags, w->flow->told_at, w->flow->told_n);
    w->flow->told.v = VALUE_NONE;
}

bool flow_stop(struct workflow *w, int mark)
{
    if (told_is_in_flight(w))
        return false;
    int n = diag_mark(w->diags) - mark;
    const char *kind = diag_kind(w->diags), *text = diag_last(w->diags);
    if (kind && dict_get_str(w->vm, vm_builtins(w->vm), kind))
        vm_raise(w->vm, kind, "%s", text);
    else
        flow_raise(w, kind ? kind : "WorkflowError", "%s", text);
    flow_forget_told(w);
    w->flow->told_at = diag_mark(w->diags) - n;
    w->flow->told_n = n;
    w->flow->told.v = vm_error(w->vm);
    return false;
}

bool flow_refuse(struct workflow *w, const char *kind, struct span span, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    int mark = diag_mark(w->diags);
    complain_kind(w->diags, kind, span, "%s", buf_text(&text));
    buf_free(&text);
    return flow_stop(w, mark);
}

bool flow_refuse_raised(struct workflow *w, struct span span)
{
    int mark = diag_mark(w->diags);
    if (told_is_in_flight(w))
        return false;
    vm_report_at(w->vm, span);
    return flow_stop(w, mark);
}

bool flow_took_told(struct workflow *w)
{
    if (!told_is_in_flight(w))
        return false;
    vm_take_error(w->vm);
    w->flow->told.v = VALUE_NONE;
    return true;
}

bool flow_report(struct workflow *w)
{
    if (flow_took_told(w))
        return false;
    flow_forget_told(w);
    if (vm_failed(w->vm))
        vm_report(w->vm);
    return false;
}

value flow_raise(struct workflow *w, const char *class_name, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    value message = str_new(w->vm, buf_text(&text), text.len);
    buf_free(&text);
    value exception = vm_call1(w->vm, flow_class(w, class_name), message);
    return exception ? vm_raise_value(w->vm, exception) : NO_VALUE;
}

/* ---- where one is ---- */

const char *flow_dir(const struct workflow *w)
{
    uint32_t n = w->flow->readings.len;
    return n ? w->flow->readings.at[n - 1].dir : w->basedir;
}

struct reading flow_running_file(const struct workflow *w)
{
    const struct flow_state *flow = w->flow;
    struct place place;
    bool known = source_place(w->sources, vm_running(w->vm).at, &place);
    for (uint32_t i = 0; known && i < flow->read.len; i++)
        if (flow->read.at[i].source == place.source)
            return flow->read.at[i];
    if (flow->readings.len)
        return flow->readings.at[flow->readings.len - 1];
    return (struct reading){.path = w->options.snakefile, .dir = w->basedir};
}

struct rule *scope_rule(const struct scope *scope, sym_t name)
{
    for (uint32_t i = scope->rules.len; i-- > 0;)
        if (scope->rules.at[i].name == name)
            return scope->rules.at[i].rule;
    for (uint32_t i = scope->borrowed.len; i-- > 0;)
        if (scope->borrowed.at[i].name == name)
            return scope->borrowed.at[i].rule;
    return NULL;
}

const char *scope_nearest_rule(const struct workflow *w, const struct scope *scope,
                               const char *name)
{
    struct nearest near = nearest_to(name);
    for (uint32_t i = 0; i < scope->rules.len; i++)
        nearest_offer(&near, flow_text(w, scope->rules.at[i].name));
    return near.best;
}

value path_value(struct vm *vm, value v)
{
    if (!is_object(v) || is_str(v))
        return is_str(v) ? v : NO_VALUE;
    if (is_list(v) || is_tuple(v) || is_dict(v) || is_exact(v, &type_function))
        return NO_VALUE;
    if (!value_attr_find(vm, v, intern_str(vm_names(vm), "__fspath__")) ||
        is_instance(v, &type_type))
        return NO_VALUE;
    return vm_call_method(vm, v, "__fspath__", NULL, 0);
}
