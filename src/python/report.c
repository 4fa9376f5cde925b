// SPDX-License-Identifier: MIT
/* Exceptions as diagnostics. The innermost place is the primary one; the places that called it
 * follow as notes, as do the exceptions that caused it. */
#include <string.h>

#include "python/types.h"
#include "python/vm_state.h"

enum { MAX_NOTES = 12 };

static const char *where(struct vm *vm, const struct code *code)
{
    const char *name = sym_text(vm->names, code->qualname ? code->qualname : code->name);
    return !strcmp(name, "<module>") ? NULL : name;
}

/* Files of the engine's own library are named <pathlib>; <string> is what exec() was given. */
static bool is_library(struct vm *vm, struct span span)
{
    struct place place;
    return source_place(diags_sources(vm->diags), span.at, &place) && *place.name == '<' &&
           strcmp(place.name, "<string>");
}

/* The innermost place that is not inside the library: what a reader can change; e->ntrace if there
 * is none. */
static uint32_t innermost(struct vm *vm, const struct exception *e)
{
    uint32_t i = 0;
    while (i < e->ntrace && is_library(vm, e->trace[i].span))
        i++;
    return i;
}

bool vm_error_has_place(struct vm *vm)
{
    value error = vm_take_error(vm);
    const struct exception *e = error ? as_exception(error) : NULL;
    bool has = e && innermost(vm, e) < e->ntrace;
    if (error)
        vm_raise_value(vm, error);
    return has;
}

/* "called here" for each place further out than that one; a long chain shows both ends. */
static void note_chain(struct vm *vm, const struct exception *e, uint32_t from)
{
    for (uint32_t i = from + 1; i < e->ntrace; i++) {
        if (e->ntrace > MAX_NOTES && i == MAX_NOTES / 2) {
            diag_note(vm->diags, (struct span){0}, "... %u calls are left out ...",
                      e->ntrace - MAX_NOTES);
            i = e->ntrace - MAX_NOTES / 2;
        }
        const char *callee = where(vm, e->trace[i - 1].code);
        if (callee)
            diag_note(vm->diags, e->trace[i].span, "%s was called here", callee);
        else
            diag_note(vm->diags, e->trace[i].span, "reached from here");
    }
}

static void note_causes(struct vm *vm, const struct exception *e)
{
    for (int depth = 0; depth < 4; depth++) {
        bool direct = e->cause;
        value next = e->cause ? e->cause : e->suppress_context ? NO_VALUE : e->context;
        if (!next)
            return;
        e = as_exception(next);
        struct span span = e->ntrace ? e->trace[0].span : (struct span){0};
        diag_note(vm->diags, span, direct ? "caused by %s" : "while handling %s",
                  exception_text(vm, next));
    }
}

static void hint_name(struct vm *vm, const struct exception *e, const struct trace *at)
{
    const struct workflow_hooks *hooks = vm->options.hooks;
    value name = e->attrs ? dict_get_sym(vm, as_dict(e->attrs), vm->sym.name) : NO_VALUE;
    if (at && hooks && name && is_str(name) && !where(vm, at->code) &&
        exception_is(vm, from_object((void *)e), "NameError"))
        hooks->unknown(vm, hooks->user, str_text(name), at->span);
}

static void hint(struct vm *vm, value error, const struct trace *at)
{
    const struct exception *e = as_exception(error);
    const struct workflow_hooks *hooks = vm->options.hooks;
    bool told = diag_meant(vm->diags, raise_meant(vm, e));
    value help = e->attrs ? dict_get_str(vm, e->attrs, ".help") : NO_VALUE;
    if (help)
        diag_hint(vm->diags, "%s", str_text(help));
    if (!told && vm->foreign && !strcmp(type_of(error)->name, "ModuleNotFoundError"))
        diag_hint(vm->diags, "%s does not have it either; --python PROGRAM names another Python",
                  vm->options.python ? vm->options.python : "python3");
    if (hooks && e->lacking)
        hooks->lacking(vm, hooks->user, e->lacking);
    hint_name(vm, e, at);
}

static void note_texts(struct vm *vm, value notes)
{
    size_t n = 0;
    const value *items = notes ? sequence_items(notes, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        if (is_str(items[i]))
            diag_note(vm->diags, (struct span){0}, "%s", str_text(items[i]));
}

static void note_notes(struct vm *vm, const struct exception *e)
{
    note_texts(vm, e->attrs ? dict_get_sym(vm, as_dict(e->attrs), vm->sym.__notes__) : NO_VALUE);
}

bool vm_report_at(struct vm *vm, struct span otherwise)
{
    value error = vm_take_error(vm);
    if (!error)
        return false;
    const struct exception *e = as_exception(error);
    uint32_t at = innermost(vm, e);
    bool placed = at < e->ntrace || (e->ntrace && !otherwise.end);
    at = at < e->ntrace ? at : 0;
    struct span span = placed ? e->trace[at].span : otherwise;
    if (e->culprit.end && e->culprit.at >= span.at && e->culprit.end <= span.end)
        span = e->culprit;
    const char *text = exception_text(vm, error), *colon = strstr(text, ": ");
    char kind[128];
    size_t len = colon ? (size_t)(colon - text) : strlen(text);
    if (len < sizeof kind) {
        memcpy(kind, text, len);
        kind[len] = 0;
        complain_kind(vm->diags, kind, span, "%s", colon ? colon + 2 : "");
    } else {
        complain(vm->diags, span, "%s", text);
    }
    /* inside a foreign module */
    note_texts(vm, e->attrs ? dict_get_str(vm, e->attrs, ".trace") : NO_VALUE);
    if (placed)
        note_chain(vm, e, at);
    note_causes(vm, e);
    note_notes(vm, e);
    hint(vm, error, e->ntrace ? &e->trace[at] : NULL);
    return false;
}

bool vm_report(struct vm *vm)
{
    return vm_report_at(vm, (struct span){0});
}
