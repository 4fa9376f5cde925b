// SPDX-License-Identifier: MIT
/* _traceback: where an exception passed, and where the program is. A traceback object stands for
 * one place and those after it; it is its own frame and code, as far as anybody asks these for
 * names and lines. The texts are made in lib/traceback.py. */
#include <string.h>

#include "python/builtins.h"
#include "python/modules.h"
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

static const struct trace *trace_of(const struct args *args)
{
    const struct traceback *t = (const struct traceback *)as_object(args->at[0]);
    return &as_exception(t->exception)->trace[t->at];
}

/* The column behind the end of a span, within the line where it begins. */
static int end_column(const struct sources *sources, struct span span, const struct place *begin)
{
    struct place end;
    if (source_place(sources, span.end, &end) && end.line == begin->line)
        return end.column;
    int columns = 1;
    for (size_t i = 0; i < begin->line_len; i++)
        columns += ((uint8_t)begin->line_text[i] & 0xC0) != 0x80;
    return columns;
}

/* (file, line, name, text of the line, column, end column); columns count from 0. */
static value place_of(struct vm *vm, const struct code *code, struct span span)
{
    struct place place;
    const struct sources *sources = diags_sources(vm->diags);
    const char *name = sym_text(vm->names, code->name ? code->name : code->qualname);
    if (!source_place(sources, span.at, &place))
        return tuple_new(vm,
                         (value[]){str_from(vm, "<unknown>"), small(0), str_from(vm, name),
                                   str_from(vm, ""), VALUE_NONE, VALUE_NONE},
                         6);
    return tuple_new(vm,
                     (value[]){str_from(vm, place.name), small(place.line), str_from(vm, name),
                               str_new(vm, place.line_text, place.line_len),
                               small(place.column - 1),
                               small(end_column(sources, span, &place) - 1)},
                     6);
}

// _traceback.places(tb): of a traceback or an exception, outermost first
static value traceback_places(struct vm *vm, const struct args *args)
{
    value list = list_new(vm, NULL, 0), v = args->at[0];
    if (is_exact(v, &type_traceback)) {
        const struct traceback *t = (const struct traceback *)as_object(v);
        const struct exception *e = as_exception(t->exception);
        for (uint32_t i = t->at + 1; i-- > 0;)
            list_push(vm, list, place_of(vm, e->trace[i].code, e->trace[i].span));
    } else if (is_object(v) && is_instance(v, &type_exception)) {
        const struct exception *e = as_exception(v);
        for (uint32_t i = e->ntrace; i-- > 0;)
            list_push(vm, list, place_of(vm, e->trace[i].code, e->trace[i].span));
    }
    return list;
}

/* Where a call is; NO_VALUE: it has no code, or has not begun. */
static value frame_place(struct vm *vm, const struct frame *f)
{
    bool begun = f->code && f->ip > f->code->ops;
    return begun ? place_of(vm, f->code, f->code->spans[f->ip - f->code->ops - 1]) : NO_VALUE;
}

// _traceback.stack(): the calls that are running, outermost first
static value traceback_stack(struct vm *vm, const struct args *args)
{
    value list = list_new(vm, NULL, 0);
    for (const struct frame *f = vm->frames + 1; f <= vm->frame; f++) {
        value place = frame_place(vm, f);
        if (place)
            list_push(vm, list, place);
    }
    return list;
}

// _traceback.frames(): the same, each as (place, globals, locals)
static value traceback_frames(struct vm *vm, const struct args *args)
{
    value list = list_new(vm, NULL, 0);
    for (const struct frame *f = vm->frames + 1; f <= vm->frame; f++) {
        value place = f->globals ? frame_place(vm, f) : NO_VALUE;
        if (!place)
            continue;
        value row[] = {place, from_object(f->globals), frame_locals(vm, f)};
        list_push(vm, list, list_new(vm, row, 3));
    }
    return list;
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

static const struct native_def functions[] = {
    {"places", traceback_places, "tb /", "Where an exception passed."},
    {"stack", traceback_stack, "", "Where the program is."},
    {"frames", traceback_frames, "", "The same, with what is known there."},
    {0}};

const struct native_module module_traceback = {"_traceback", functions, NULL};
