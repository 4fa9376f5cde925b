// SPDX-License-Identifier: MIT
/* Traceback objects: each stands for one place where an exception passed and those after it. It is
 * its own frame and code, as far as anybody asks these for names and lines. */
#include "python/types.h"
#include "python/vm_state.h"

struct traceback {
    struct object object;
    value exception;
    uint32_t at; /* index in its trace, which is innermost first */
};
static const struct type type_traceback;

static value traceback_new(struct vm *vm, value exception, uint32_t at)
{
    struct traceback *t = object_new(vm, &type_traceback);
    t->exception = exception;
    t->at = at;
    return from_object(t);
}

value traceback_of(struct vm *vm, value exception)
{
    uint32_t n = as_exception(exception)->ntrace;
    return n ? traceback_new(vm, exception, n - 1) : VALUE_NONE;
}

const struct trace *traceback_trace(value v, uint32_t *n)
{
    *n = 0;
    if (is_exact(v, &type_traceback)) {
        const struct traceback *t = (const struct traceback *)as_object(v);
        *n = t->at + 1;
        return as_exception(t->exception)->trace;
    }
    if (!is_object(v) || !is_instance(v, &type_exception))
        return NULL;
    *n = as_exception(v)->ntrace;
    return as_exception(v)->trace;
}

static const struct trace *trace_of(const struct args *args)
{
    uint32_t n;
    const struct trace *trace = traceback_trace(args->at[0], &n);
    return &trace[n - 1];
}

static value tb_lineno(struct vm *vm, const struct args *args)
{
    struct place place;
    return small(
        source_place(diags_sources(vm->diags), trace_of(args)->span.at, &place) ? place.line : 0);
}

static value tb_filename(struct vm *vm, const struct args *args)
{
    struct place place;
    bool known = source_place(diags_sources(vm->diags), trace_of(args)->span.at, &place);
    return str_from(vm, known ? place.name : "<unknown>");
}

static value tb_name(struct vm *vm, const struct args *args)
{
    const struct code *code = trace_of(args)->code;
    return str_from(vm, sym_text(vm->names, code->name ? code->name : code->qualname));
}

static value tb_next(struct vm *vm, const struct args *args)
{
    const struct traceback *t = (const struct traceback *)as_object(args->at[0]);
    return t->at ? traceback_new(vm, t->exception, t->at - 1) : VALUE_NONE;
}

static value tb_itself(struct vm *vm, const struct args *args)
{
    return args->at[0];
}

static void traceback_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct traceback *)self)->exception);
}

static const struct native_def traceback_properties[] = {
    {"tb_lineno", tb_lineno, "self", "The line."},
    {"f_lineno", tb_lineno, "self", "The line."},
    {"co_firstlineno", tb_lineno, "self", "The line."},
    {"tb_next", tb_next, "self", "The next place further in, or None."},
    {"tb_frame", tb_itself, "self", "What stands for the frame."},
    {"f_code", tb_itself, "self", "What stands for the code."},
    {"co_filename", tb_filename, "self", "The file."},
    {"co_name", tb_name, "self", "The function."},
    {0}};

static const struct type type_traceback = {
    .object = {.type = &type_type},
    .name = "traceback",
    .base = &type_object,
    .size = sizeof(struct traceback),
    .properties = traceback_properties,
    .mark = traceback_mark,
};
