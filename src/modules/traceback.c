// SPDX-License-Identifier: MIT
/* _traceback: where an exception passed, and where the program is. The texts are made in
 * lib/traceback.py. */
#include <string.h>

#include "modules/modules.h"
#include "python/builtins.h"
#include "python/types.h"
#include "python/vm_state.h"

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
    uint32_t n;
    const struct trace *trace = traceback_trace(args->at[0], &n);
    value list = list_new(vm, NULL, 0);
    while (n-- > 0)
        list_push(vm, list, place_of(vm, trace[n].code, trace[n].span));
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

static const struct native_def functions[] = {
    {"places", traceback_places, "tb /", "Where an exception passed."},
    {"stack", traceback_stack, "", "Where the program is."},
    {"frames", traceback_frames, "", "The same, with what is known there."},
    {0}};

const struct native_module module_traceback = {"_traceback", functions, NULL};
