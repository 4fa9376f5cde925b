// SPDX-License-Identifier: MIT
/* vm.h: the evaluator. Trees are compiled to bytecode once (compile.c) and run by one loop
 * (vm_loop.c) on frames of their own, so that generators are frames put aside and Python recursion
 * does not use the C stack.
 *
 *     struct vm_options options = {.names = names, .diags = dx, .modules = native_modules};
 *     struct vm *vm = vm_new(&options);
 *     value globals = vm_globals_new(vm, "__main__");
 *     if (!vm_run(vm, tree, globals)) vm_report(vm);      // the exception becomes a diagnostic
 *
 * An exception in flight is kept in the vm: natives raise with vm_raise and return NO_VALUE; C
 * callers test the result (or vm_failed) and either pass it on, take it (vm_take_error) or report
 * it as a diagnostic with the Snakefile-level call trace. */
#pragma once

#include "base/diag.h"
#include "python/native.h"
#include "python/value.h"
#include "syntax/ast.h"

/* What the workflow layer does when a Snakemake statement is executed where it stands. Calls
 * returning false have raised. Argument lists come as they were evaluated: positional items in
 * order (stars expanded) with their places, keywords in order. */
struct directive_args {
    const value *at;         /* positional, then keyword values */
    const sym_t *name;       /* name[i]: keyword of at[i], 0 for a positional one */
    const struct span *span; /* span[i]: where at[i] stands in the source */
    uint32_t n;
};
struct workflow_hooks {
    void *user;
    /* RULE, MODULE, USE_RULE: begins; what it returns (any value) is handed to the calls below. */
    value (*begin)(struct vm *vm, void *user, const struct node *statement);
    /* One directive. body: for run, shell, script, notebook, wrapper, template_engine and message a
     * function of BODY_PARAMS whose call evaluates the expression (or runs the block) with these
     * names as locals; NO_VALUE for other directives and for bodies that are constants. run has no
     * args. */
    bool (*directive)(struct vm *vm, void *user, value builder, const struct node *directive,
                      const struct directive_args *args, value body);
    bool (*end)(struct vm *vm, void *user, value builder);
    /* KEYWORD_STMT: include, configfile, localrules (args are strings there), ... */
    bool (*keyword)(struct vm *vm, void *user, const struct node *statement,
                    const struct directive_args *args);
    /* HOOK: function(log) */
    bool (*hook)(struct vm *vm, void *user, const struct node *statement, value function);
    /* A dict has not the key that was asked for, or is not as it should be, and the last diagnostic
     * says so: adds hints. */
    void (*lacking)(struct vm *vm, void *user, value dict);
    /* A name is not known at that place, outside of functions, and the last diagnostic says so. */
    void (*unknown)(struct vm *vm, void *user, const char *name, struct span span);
};
/* Parameters of a body function, in this order. */
#define BODY_PARAMS                                                                                \
    "input", "output", "params", "wildcards", "threads", "resources", "log", "rule", "jobid",      \
        "bench_iteration"
enum { BODY_PARAM_COUNT = 10 };

struct vm_options {
    struct intern *names;               /* borrowed: the session's symbols */
    struct diags *diags;                /* borrowed */
    const struct workflow_hooks *hooks; /* borrowed; NULL: Snakemake statements are errors */
    /* borrowed: modules in C that can be imported, ended by NULL (modules/modules.h); NULL: none */
    const struct native_module *const *modules;
    /* print(); NULL: stdout, stderr */
    void (*write)(void *user, bool to_stderr, const char *text, size_t len);
    void *user;
    int max_depth; /* Python frames; 0: 1000 as CPython */
    /* loop turns and calls until KeyboardInterrupt is raised; 0: no end. For untrusted code */
    int64_t budget;
    const char *python;      /* borrowed: what is started for foreign modules; NULL: python3 */
    const char *const *argv; /* borrowed: what sys.argv has behind the program; NULL: nothing */
};

/* An evaluator without a module yet; the caller's, free with vm_free. */
struct vm *vm_new(const struct vm_options *options);
/* What Python does when a program ends, both with foreign code, which may call ours: waits for the
 * threads that are no daemons; calls what atexit was given. Once more does no harm. */
void vm_wait_threads(struct vm *vm);
void vm_call_exits(struct vm *vm);
/* The threads of ours that run now are not to be waited for. */
void vm_leave_threads(struct vm *vm);
/* With its heap; values must not be used any more. NULL does no harm. */
void vm_free(struct vm *vm);
/* What it was made with: borrowed. */
struct intern *vm_names(const struct vm *vm);
struct diags *vm_diags(const struct vm *vm);

/* A module's namespace: a dict value with __name__ and __builtins__. */
value vm_globals_new(struct vm *vm, const char *name);
/* The dict of builtins, for adding names that every namespace sees (expand, config, ...). */
value vm_builtins(struct vm *vm);

/* Runs a tree (BLOCK) in a namespace. False: raised. */
bool vm_run(struct vm *vm, const struct node *block, value globals);
/* The same for a statement of a Snakefile that runs another file where it stands. The C code in
 * between must hold no value that hangs on no root: then garbage of that file is swept while it
 * runs, as it is in the outer one. */
bool vm_run_included(struct vm *vm, const struct node *block, value globals);
/* Evaluates an expression tree; locals (a dict or NO_VALUE) is searched before globals. */
value vm_eval(struct vm *vm, const struct node *expr, value globals, value locals);

/* Calls. kwargs: a dict or NO_VALUE. */
value vm_call(struct vm *vm, value callee, const value *args, size_t n, value kwargs);
value vm_call0(struct vm *vm, value callee);
value vm_call1(struct vm *vm, value callee, value arg);
/* self.name(*args) */
value vm_call_method(struct vm *vm, value self, const char *name, const value *args, size_t n);

/* A parameter of a function. */
struct param_info {
    sym_t name;
    uint8_t kind; /* enum param_kind */
    bool has_default;
};
/* The *n parameters of a function in order, ended by one without a name; borrowed. Also through
 * partial and bound methods. NULL: v is no function with known parameters. */
const struct param_info *function_params(struct vm *vm, value v, size_t *n);
/* The place of the Python code that runs now, as seen by a native that it called; {0}: none
 * does. */
struct span vm_running(const struct vm *vm);

/* ---- exceptions ---- */
/* Raises the builtin exception class of that name ("ValueError") with a message. Always
 * NO_VALUE. */
value vm_raise(struct vm *vm, const char *class_name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* of a call with two paths */
value vm_raise_errno2(struct vm *vm, int error, const char *path, const char *other);
/* OSError family: [Errno 2] No such file ... */
value vm_raise_errno(struct vm *vm, int error, const char *path);
/* Raises an exception object. Always NO_VALUE. */
value vm_raise_value(struct vm *vm, value exception);
/* Whether the C stack is nearly used up; then raises RecursionError. For natives that call
 * themselves for what is inside a value, which may hold itself. */
bool vm_too_deep(struct vm *vm);
/* Whether an exception is in flight. */
bool vm_failed(const struct vm *vm);
/* The exception in flight, which stays there; NO_VALUE if none. */
value vm_error(const struct vm *vm);
/* Takes the exception off the vm (NO_VALUE if none). */
value vm_take_error(struct vm *vm);
/* Whether the exception in flight, or this one, is of the named builtin class (or derived). */
bool vm_failed_with(struct vm *vm, const char *class_name);
bool exception_is(struct vm *vm, value exception, const char *class_name);
/* "ValueError: bad" without the trace; in the arena-less static buffer of the vm until the next
 * call. */
const char *exception_text(struct vm *vm, value exception);
/* A new exception class derived from another that is known by name, for natives (WorkflowError,
 * ...). init: its __init__, or NULL. */
value exception_class(struct vm *vm, const char *name, const char *base,
                      const struct native_def *init);
/* Turns the exception in flight into a diagnostic with its call trace as notes, and clears it.
 * Always false. */
bool vm_report(struct vm *vm);
/* The same of one that no line of Python raised, or only lines of the engine's own library: it
 * stands where the value was asked for. */
bool vm_report_at(struct vm *vm, struct span otherwise);
/* Whether the exception in flight comes from a line that a reader can change. */
bool vm_error_has_place(struct vm *vm);
