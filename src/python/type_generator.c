// SPDX-License-Identifier: MIT
/* Generators: a function's frame put aside. Its values are copied out when it yields and back when
 * it goes on. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "python/opcode.h"
#include "python/types.h"
#include "python/vm_ops.h"
#include "python/vm_state.h"

void generator_save(struct vm *vm, struct generator *generator, value *locals, value *sp)
{
    uint32_t n = (uint32_t)(sp - locals);
    if (n > generator->cap) {
        heap_owns(vm, (int64_t)((n - generator->cap) * sizeof(value)));
        generator->saved = memory_resized(generator->saved, n, sizeof(value));
        generator->cap = n;
    }
    if (n)
        memcpy(generator->saved, locals, n * sizeof(value));
    generator->nsaved = n;
    generator->state = GENERATOR_PAUSED;
}

bool generator_enter(struct vm *vm, struct generator *generator, value sent, int kind)
{
    const struct code *code = generator->code;
    value *base = vm->sp;
    if (generator->state == GENERATOR_RUNNING)
        return vm_raise(vm, "ValueError", "generator already executing");
    if (vm->frame + 1 >= vm->frames_end || base + code->nlocals + code->depth + 2 >= vm->stack_end)
        return raise_too_deep(vm);
    struct frame *frame = ++vm->frame;
    *frame = (struct frame){.code = code,
                            .ip = code->ops + generator->ip,
                            .base = base,
                            .locals = base,
                            .globals = generator->globals,
                            .function = generator->function,
                            .handled = generator->handled,
                            .generator = generator,
                            .kind = (uint8_t)kind};
    if (generator->nsaved)
        memcpy(base, generator->saved, generator->nsaved * sizeof(value));
    vm->sp = base + generator->nsaved;
    if (generator->state == GENERATOR_PAUSED)
        *vm->sp++ = value_or_none(sent);
    generator->state = GENERATOR_RUNNING;
    return true;
}

value generator_resume(struct vm *vm, struct generator *generator, value sent)
{
    if (generator->state == GENERATOR_DONE)
        return NO_VALUE;
    if (vm_too_deep(vm) || !generator_enter(vm, generator, sent, FRAME_ENTRY))
        return NO_VALUE;
    value item = vm_execute(vm);
    return generator->state == GENERATOR_DONE ? NO_VALUE : item;
}

static void generator_mark(struct vm *vm, struct object *self)
{
    struct generator *g = (struct generator *)self;
    heap_mark(vm, from_object(g->code));
    heap_mark(vm, from_object(g->function));
    heap_mark(vm, from_object(g->globals));
    heap_mark(vm, g->handled);
    heap_mark(vm, g->result);
    for (uint32_t i = 0; i < g->nsaved && g->state != GENERATOR_DONE; i++)
        heap_mark(vm, g->saved[i]);
}

static void generator_finish(struct vm *vm, struct object *self)
{
    struct generator *g = (struct generator *)self;
    heap_owns(vm, -(int64_t)(g->cap * sizeof(value)));
    free(g->saved);
}

static value generator_next(struct vm *vm, value self)
{
    return generator_resume(vm, as_generator(self), NO_VALUE);
}

static value generator_iter(struct vm *vm, value self)
{
    return self;
}

static value generator_repr(struct vm *vm, value self)
{
    return str_printf(vm, "<%s object %s at 0x%llx>", type_name(self),
                      sym_text(vm->names, as_generator(self)->code->qualname),
                      (unsigned long long)self);
}

static value item_or_stop(struct vm *vm, struct generator *generator, value item)
{
    return item || vm->error ? item : raise_stop(vm, generator->result);
}

// generator.send(value)
static value generator_send(struct vm *vm, const struct args *args)
{
    struct generator *generator = as_generator(args->at[0]);
    if (generator->state == GENERATOR_NEW && args->at[1] != VALUE_NONE)
        return vm_raise(vm, "TypeError", "can't send non-None value to a just-started %s",
                        type_name(args->at[0]));
    return item_or_stop(vm, generator, generator_resume(vm, generator, args->at[1]));
}

static value throw_into(struct vm *vm, struct generator *generator, value exception);

/* What a paused generator takes its items from by yield from, or NO_VALUE. */
static value source_of(const struct generator *generator)
{
    enum { YIELD_IN_FROM = 1 };
    bool inside = generator->state == GENERATOR_PAUSED &&
                  generator->code->ops[generator->ip - 1] == (OPC_YIELD | YIELD_IN_FROM << 8);
    return inside ? generator->saved[generator->nsaved - 1] : NO_VALUE;
}

/* The source of yield from has ended with a result: goes on behind it. */
static value leave_source(struct vm *vm, struct generator *generator, value result)
{
    uint32_t send = generator->code->ops[generator->ip - 2];
    generator->nsaved--;
    generator->ip = send >> 8;
    return generator_resume(vm, generator, value_or_none(result));
}

/* close() of the source, where it has one. False: raised. */
static bool close_source(struct vm *vm, value source)
{
    value close = value_attr_find(vm, source, vm->sym.close);
    return !vm->error && (!close || vm_call0(vm, close));
}

/* Throws into the source of yield from. Returns whether that was the end of it; else the generator
 * itself is to go on with *exception, which is another one if the source raised one. */
static bool throw_into_source(struct vm *vm, struct generator *generator, value source,
                              value *exception, value *item)
{
    struct generator *inner = is_generator(source) ? as_generator(source) : NULL;
    bool ended = false;
    value method = NO_VALUE, result = NO_VALUE;
    generator->state = GENERATOR_RUNNING;
    if (exception_is(vm, *exception, "GeneratorExit")) {
        close_source(vm, source);
    } else if (inner) {
        *item = throw_into(vm, inner, *exception);
        ended = !*item && !vm->error;
        result = inner->result;
    } else if ((method = value_attr_find(vm, source, vm->sym.throw))) {
        *item = vm_call1(vm, method, *exception);
    }
    generator->state = GENERATOR_PAUSED;
    if (*item)
        return true;
    if (!inner && vm_failed_with(vm, "StopIteration")) {
        result = exception_value(vm, vm_take_error(vm));
        ended = true;
    }
    if (ended)
        *item = leave_source(vm, generator, result);
    else if (vm->error)
        *exception = vm_take_error(vm);
    return ended;
}

/* Lets the generator go on with an exception. Its next item; NO_VALUE at its end and if it
 * raised. */
static value throw_into(struct vm *vm, struct generator *generator, value exception)
{
    if (generator->state == GENERATOR_RUNNING)
        return vm_raise(vm, "ValueError", "generator already executing");
    value source = source_of(generator), item = NO_VALUE;
    if (vm_too_deep(vm) || (source && throw_into_source(vm, generator, source, &exception, &item)))
        return item;
    if (generator->state == GENERATOR_NEW)
        generator->state = GENERATOR_DONE;
    if (generator->state == GENERATOR_DONE)
        return vm_raise_value(vm, exception);
    if (!generator_enter(vm, generator, NO_VALUE, FRAME_ENTRY))
        return NO_VALUE;
    vm_raise_value(vm, exception);
    exception_add_trace(vm, exception, generator->code, generator->code->spans[generator->ip - 1]);
    vm->entries++;
    bool handled = vm_unwind(vm);
    vm->entries--;
    item = handled ? vm_execute(vm) : NO_VALUE;
    return generator->state == GENERATOR_DONE ? NO_VALUE : item;
}

/* What throw(type, given) throws: given itself, or an exception of the type made from it. */
static value exception_of(struct vm *vm, value type, value given)
{
    size_t n = 1;
    if (given == VALUE_NONE)
        return exception_from(vm, type);
    if (is_instance(type, &type_exception))
        return vm_raise(vm, "TypeError", "instance exception may not have a separate value");
    if (is_instance(given, &type_exception))
        return given;
    const value *items = is_tuple(given) ? sequence_items(given, &n) : &given;
    value made = vm_call(vm, type, items, n, NO_VALUE);
    return made ? exception_from(vm, made) : NO_VALUE;
}

// generator.throw(type, value=None, traceback=None)
static value generator_throw(struct vm *vm, const struct args *args)
{
    value exception = exception_of(vm, args->at[1], arg_or(args, 2, VALUE_NONE));
    if (!exception)
        return NO_VALUE;
    struct generator *generator = as_generator(args->at[0]);
    return item_or_stop(vm, generator, throw_into(vm, generator, exception));
}

// generator.close()
static value generator_close(struct vm *vm, const struct args *args)
{
    struct generator *generator = as_generator(args->at[0]);
    if (generator->state == GENERATOR_NEW || generator->state == GENERATOR_DONE) {
        generator->state = GENERATOR_DONE;
        return VALUE_NONE;
    }
    value exit = vm_call0(vm, dict_get_str(vm, from_object(vm->builtins), "GeneratorExit"));
    if (!exit)
        return NO_VALUE;
    value item = throw_into(vm, generator, exit);
    if (item)
        return vm_raise(vm, "RuntimeError", "generator ignored GeneratorExit");
    if (vm_failed_with(vm, "GeneratorExit") || vm_failed_with(vm, "StopIteration"))
        vm_take_error(vm);
    return vm->error ? NO_VALUE : VALUE_NONE;
}

static const struct native_def generator_methods[] = {
    {"send", generator_send, "self value /", "Goes on with value as the result of yield."},
    {"throw", generator_throw, "self type value=None traceback=None /",
     "Goes on with an exception."},
    {"close", generator_close, "self", "Ends the generator."},
    {0}};

static value generator_name(struct vm *vm, const struct args *args)
{
    return str_from_sym(vm, as_generator(args->at[0])->code->name);
}

static value generator_qualname(struct vm *vm, const struct args *args)
{
    return str_from_sym(vm, as_generator(args->at[0])->code->qualname);
}

static const struct native_def generator_properties[] = {
    {"__name__", generator_name, "self", "The name of its function."},
    {"__qualname__", generator_qualname, "self", "The same with what the function stands in."},
    {0}};

const struct type type_generator = {
    .object = {.type = &type_type},
    .name = "generator",
    .size = sizeof(struct generator),
    .methods = generator_methods,
    .properties = generator_properties,
    .mark = generator_mark,
    .finish = generator_finish,
    .repr = generator_repr,
    .iter = generator_iter,
    .next = generator_next,
};

const struct type type_coroutine = {
    .object = {.type = &type_type},
    .name = "coroutine",
    .size = sizeof(struct generator),
    .methods = generator_methods,
    .properties = generator_properties,
    .mark = generator_mark,
    .finish = generator_finish,
    .repr = generator_repr,
};
