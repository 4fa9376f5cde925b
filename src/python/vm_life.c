// SPDX-License-Identifier: MIT
/* A vm's beginning and end, its roots, and running trees in it. */
#include "python/vm_state.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/ensure.h"
#include "base/memory.h"
#include "python/call.h"
#include "python/class.h"
#include "python/compile.h"
#include "python/file.h"
#include "python/foreign.h"
#include "python/str.h"
#include "python/threads.h"
#include "python/types.h"

enum { STACK_VALUES = 4 << 20, DEFAULT_DEPTH = 1000, C_RESERVE = 512 << 10 };

/* ---- roots ---- */

void vm_mark_stack(struct vm *vm, const value *stack, const value *sp, const struct frame *frames,
                   const struct frame *top)
{
    for (const value *v = stack; v < sp; v++)
        heap_mark(vm, *v);
    for (const struct frame *frame = frames + 1; frame <= top; frame++) {
        value held[] = {from_object(frame->code),
                        from_object(frame->globals),
                        from_object(frame->function),
                        frame->names,
                        frame->handled,
                        from_object(frame->generator),
                        frame->instance};
        for (size_t i = 0; i < sizeof held / sizeof *held; i++)
            heap_mark(vm, held[i]);
    }
}

static void mark_roots(struct vm *vm)
{
    vm_mark_stack(vm, vm->stack, vm->sp, vm->frames, vm->frame);
    threads_mark(vm);
    foreign_roots(vm);
    heap_mark(vm, vm->error);
    heap_mark(vm, vm->search_path);
    heap_mark(vm, from_object(vm->builtins));
    heap_mark(vm, from_object(vm->modules));
    for (uint32_t i = 0; i < vm->exception_types.len; i++)
        heap_mark(vm, from_object(vm->exception_types.at[i]));
    for (uint32_t i = 0; i < vm->type_values.len; i++)
        heap_mark(vm, vm->type_values.at[i]);
}

static void forget_dead(struct vm *vm)
{
    sym_strings_forget(vm);
    str_places_forget(vm);
    attrs_forget(vm);
}

static const struct heap_hooks hooks = {mark_roots, forget_dead};

/* ---- life ---- */

static void make_stack(struct vm *vm)
{
    size_t bytes = STACK_VALUES * sizeof(value);
    vm->stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (vm->stack == MAP_FAILED)
        out_of_memory();
    vm->stack_end = vm->stack + STACK_VALUES - 64;
    vm->sp = vm->stack;
    int depth = vm->options.max_depth ? vm->options.max_depth : DEFAULT_DEPTH;
    vm->frames = memory_zeroed((size_t)depth + 2, sizeof *vm->frames);
    vm->frame = vm->frames;
    vm->frames_end = vm->frames + depth + 1;
}

/* Where the C stack of this thread ends, with room left for what needs none of ours. */
static void find_c_limit(struct vm *vm)
{
    pthread_attr_t attr;
    void *low = NULL;
    size_t size = 0;
    if (!pthread_getattr_np(pthread_self(), &attr)) {
        pthread_attr_getstack(&attr, &low, &size);
        pthread_attr_destroy(&attr);
    }
    char *here = __builtin_frame_address(0);
    size_t most = 6 << 20;
    char *limit = low ? (char *)low + (size / 2 < C_RESERVE ? size / 2 : C_RESERVE) : here - most;
    vm->c_limit = here - limit > (ptrdiff_t)(64 << 20) ? here - (64 << 20) : limit;
}

static void find_symbols(struct vm *vm)
{
#define X(name) vm->sym.name = intern_str(vm->names, #name);
    VM_SYMBOLS(X)
#undef X
    vm->sym.func_ = intern_str(vm->names, "__func__");
    vm->sym.errno_ = intern_str(vm->names, "errno");
    static const char *const inplace[] = {
        "__iadd__", "__isub__", "__imul__",    "__itruediv__", "__ifloordiv__",
        "__imod__", "__ipow__", "__imatmul__", "__ilshift__",  "__irshift__",
        "__iand__", "__ior__",  "__ixor__"};
    for (int op = OP_ADD; op <= OP_BITXOR; op++)
        vm->sym.inplace[op] = intern_str(vm->names, inplace[op]);
}

struct vm *vm_new(const struct vm_options *options)
{
    struct vm *vm = memory_zeroed(1, sizeof *vm);
    vm->options = *options;
    vm->ticks = options->budget;
    vm->names = options->names;
    vm->diags = options->diags;
    vm->attrs = memory_zeroed(ATTR_SLOTS, sizeof *vm->attrs);
    vm->code_arena = memory_zeroed(1, sizeof *vm->code_arena);
    heap_start(vm, &hooks);
    make_stack(vm);
    find_c_limit(vm);
    find_symbols(vm);
    vm->builtins = as_dict(dict_new(vm));
    vm->modules = as_dict(dict_new(vm));
    exceptions_start(vm);
    for (const struct native_module *const *m = options->modules; m && *m; m++)
        module_add(vm, *m);
    ensure(builtins_fill(vm, from_object(vm->builtins)));
    return vm;
}

/* module.function(), where that has been imported; what it raises is lost. */
static void call_imported(struct vm *vm, const char *module, const char *function)
{
    value own = dict_get_str(vm, from_object(vm->modules), module);
    if (own)
        vm_call_method(vm, own, function, NULL, 0);
    vm_take_error(vm);
}

static void call_foreign(struct vm *vm, const char *module, const char *function)
{
    value there = foreign_runs(vm) ? foreign_import(vm, module) : NO_VALUE;
    if (there)
        vm_call_method(vm, there, function, NULL, 0);
    vm_take_error(vm);
}

void vm_leave_threads(struct vm *vm)
{
    call_imported(vm, "threading", "_leave");
}

void vm_wait_threads(struct vm *vm)
{
    vm_take_error(vm);
    call_imported(vm, "threading", "_shutdown");
    call_foreign(vm, "threading", "_shutdown");
}

void vm_call_exits(struct vm *vm)
{
    vm_take_error(vm);
    call_imported(vm, "atexit", "_run_exitfuncs");
    call_foreign(vm, "atexit", "_run_exitfuncs");
}

void vm_free(struct vm *vm)
{
    if (!vm)
        return;
    heap_free(vm);
    threads_end(vm);
    foreign_end(vm);
    munmap(vm->stack, STACK_VALUES * sizeof(value));
    free(vm->frames);
    free(vm->attrs);
    arena_free(vm->code_arena);
    free(vm->code_arena);
    for (uint32_t i = 0; i < vm->signature_list.len; i++)
        free(vm->signature_list.at[i]);
    vec_free(&vm->signature_list);
    vec_free(&vm->natives_known);
    vec_free(&vm->exception_types);
    vec_free(&vm->type_values);
    free(vm->sym_strings);
    str_places_forget(vm);
    vec_free(&vm->showing);
    map_free(&vm->exceptions);
    map_free(&vm->type_dicts);
    map_free(&vm->signatures);
    buf_free(&vm->text);
    free(vm);
}

struct intern *vm_names(const struct vm *vm)
{
    return vm->names;
}

struct diags *vm_diags(const struct vm *vm)
{
    return vm->diags;
}

value vm_globals_new(struct vm *vm, const char *name)
{
    value globals = dict_new(vm);
    dict_set_sym(vm, as_dict(globals), vm->sym.__name__, str_from(vm, name));
    dict_set_sym(vm, as_dict(globals), vm->sym.__doc__, VALUE_NONE);
    dict_set_sym(vm, as_dict(globals), vm->sym.__builtins__, from_object(vm->builtins));
    return globals;
}

value vm_builtins(struct vm *vm)
{
    return from_object(vm->builtins);
}

/* ---- running ---- */

bool vm_tick(struct vm *vm)
{
    return --vm->ticks > 0 ||
           vm_raise(vm, "KeyboardInterrupt", "the budget of this program is used up");
}

struct span vm_running(const struct vm *vm)
{
    const struct frame *frame = vm->frame;
    if (frame == vm->frames)
        return (struct span){0};
    return frame->ip > frame->code->ops ? frame->code->spans[frame->ip - frame->code->ops - 1]
                                        : frame->code->span;
}

bool vm_run(struct vm *vm, const struct node *block, value globals)
{
    struct code *code = compile_tree(vm, block, false, false);
    if (!code)
        return raise_complaint(vm);
    bool fine = enter_code(vm, code, as_dict(globals), NO_VALUE, NULL) && vm_execute(vm);
    file_settle(vm);
    return fine;
}

bool vm_run_included(struct vm *vm, const struct node *block, value globals)
{
    int entries = vm->entries;
    vm->entries = entries == 1 ? 0 : entries;
    bool fine = vm_run(vm, block, globals);
    vm->entries = entries;
    return fine;
}

value vm_eval(struct vm *vm, const struct node *expr, value globals, value locals)
{
    bool by_names = locals && locals != VALUE_NONE;
    struct code *code = compile_tree(vm, expr, true, by_names);
    if (!code)
        return raise_complaint(vm);
    if (!enter_code(vm, code, as_dict(globals), by_names ? locals : NO_VALUE, NULL))
        return NO_VALUE;
    return vm_execute(vm);
}
