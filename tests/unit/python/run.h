// SPDX-License-Identifier: MIT
/* run.h: for tests of the evaluator: runs a piece of Python and shows its global `result`. */
#pragma once

#include "base/arena.h"
#include "modules/modules.h"
#include "python/vm.h"
#include "syntax/parse.h"

struct session {
    struct arena arena;
    struct intern *names;
    struct sources *sources;
    struct diags *dx;
    struct vm *vm;
    struct root globals;
};

static inline void session_start(struct session *s, const struct workflow_hooks *hooks)
{
    *s = (struct session){.names = intern_new(), .sources = sources_new()};
    s->dx = diags_new(s->sources);
    s->vm = vm_new(&(struct vm_options){
        .names = s->names, .diags = s->dx, .hooks = hooks, .modules = native_modules});
    heap_root(s->vm, &s->globals, vm_globals_new(s->vm, "__main__"));
}

static inline void session_end(struct session *s)
{
    heap_unroot(&s->globals);
    vm_free(s->vm);
    diags_free(s->dx);
    sources_free(s->sources);
    intern_free(s->names);
    arena_free(&s->arena);
}

/* Runs text; false: raised or did not parse. */
static inline bool session_run(struct session *s, const char *text)
{
    int source = source_add(s->sources, "test.py", text, strlen(text));
    struct parse_options options = {.python = true};
    struct node *tree = parse_source(&s->arena, s->names, s->dx, source, &options);
    return tree && vm_run(s->vm, tree, s->globals.v);
}

/* The repr of the global `result` after running text, or "Class: message" of what it raised; valid
 * until the next call. */
static inline const char *session_result(struct session *s, const char *text)
{
    static char shown[4096];
    const char *result = NULL;
    bool ran = session_run(s, text);
    value v = ran ? dict_get_str(s->vm, s->globals.v, "result") : NO_VALUE;
    value repr = v ? value_repr(s->vm, v) : NO_VALUE;
    if (repr)
        result = str_text(repr);
    else if (vm_failed(s->vm))
        result = exception_text(s->vm, vm_take_error(s->vm));
    else
        result = diag_last(s->dx);
    snprintf(shown, sizeof shown, "%s", result);
    return shown;
}
