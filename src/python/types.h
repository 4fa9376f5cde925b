// SPDX-License-Identifier: MIT
/* types.h: the layout of the smaller built-in objects, for the files that make or look into them;
 * at the end the exceptions that say more than a message does. */
#pragma once

#include "python/code.h"
#include "python/dict.h"

struct range {
    struct object object;
    int64_t start, stop, step, len;
};
struct slice {
    struct object object;
    value start, stop, step;
};
/* Where a slice begins and ends in n items, clamped to them, and how many it takes. */
struct slice_bounds {
    int64_t start, stop, step;
    size_t count;
};
/* False: raised, as one of the three is no number. */
bool slice_bounds(struct vm *vm, value slice, size_t n, struct slice_bounds *out);
/* The elements start, start + step, ... that it takes; false: raised. */
bool slice_indices(struct vm *vm, value slice, size_t n, int64_t *start, int64_t *step,
                   size_t *count);
/* An index as Python takes it (negative from the end); false: raised TypeError or IndexError "what
 * index out of range". */
bool index_of(struct vm *vm, value key, size_t n, const char *what, size_t *out);
/* Puts what __index__ says in the place of an index or of a slice's numbers: it may change the
 * container, so those that change ask before they look at their length. False: raised. */
bool index_ask(struct vm *vm, value *key);
static inline bool index_settle(struct vm *vm, value *key)
{
    return is_small(*key) || index_ask(vm, key);
}

enum iterator_kind {
    ITER_LIST,
    ITER_TUPLE,
    ITER_RANGE,
    ITER_KEYS,
    ITER_VALUES,
    ITER_ITEMS,
    ITER_STR,
    ITER_BYTES,
    ITER_LIST_BACK,
    ITER_KEYS_BACK,
    ITER_VALUES_BACK,
    ITER_ITEMS_BACK,
    ITER_SET,
    ITER_INDEX, /* __getitem__ with 0, 1, ... */
    ITER_CALL,  /* iter(callable, sentinel) */
    ITER_DONE,
};
struct iterator {
    struct object object;
    value source, sentinel;
    /* RANGE: next number, step, how many are left; DICT kinds: how many were there */
    int64_t pos, step, left;
    uint32_t len; /* DICT kinds, SET: len when it began */
    uint8_t kind;
};
static inline struct iterator *as_iterator(value v)
{
    return (struct iterator *)as_object(v);
}
/* An iterator of that kind over a source that fits it. */
struct iterator *iterator_new(struct vm *vm, enum iterator_kind kind, value source);
/* The next item; NO_VALUE at the end, or raised. */
value iterator_next(struct vm *vm, struct iterator *it);

extern const struct type type_defaultdict;
value defaultdict_factory(value v); /* None if it has none; v must be one */

/* dict.keys(), .values(), .items(). */
struct view {
    struct object object;
    value dict;
};
extern const struct type type_dict_keys, type_dict_values, type_dict_items;

/* A mapping that can only be read. */
extern const struct type type_mappingproxy;
/* One over a dict. */
value mappingproxy_new(struct vm *vm, value mapping);

/* list[int], and int | None. */
extern const struct type type_alias, type_union;
/* origin[key] */
value alias_new(struct vm *vm, value origin, value key);
/* list of list[int]; NO_VALUE for anything else. */
value alias_origin(value v);
/* The tuple (int,) of list[int], or (int, NoneType) of int | None. */
value alias_args(value v);
/* a | b of two types; VALUE_NOT_IMPLEMENTED if one is none. */
value union_of(struct vm *vm, value a, value b);

enum generator_state { GENERATOR_NEW, GENERATOR_PAUSED, GENERATOR_RUNNING, GENERATOR_DONE };
struct generator {
    struct object object;
    const struct code *code;
    struct function *function;
    struct dict *globals;
    value *saved; /* owned: locals and temporaries while it is paused */
    uint32_t nsaved, cap;
    uint32_t ip; /* next instruction */
    value handled;
    value result; /* of its return, once done */
    uint8_t state;
};
static inline struct generator *as_generator(value v)
{
    return (struct generator *)as_object(v);
}
/* A generator or a coroutine, which is one that only await asks for items. */
static inline bool is_generator(value v)
{
    return is_exact(v, &type_generator) || is_exact(v, &type_coroutine);
}
/* Puts the generator's frame on top, ready to run with what is sent to it (NO_VALUE for the first
 * time). */
bool generator_enter(struct vm *vm, struct generator *generator, value sent, int kind);
/* Takes the running frame's values into its generator. */
void generator_save(struct vm *vm, struct generator *generator, value *locals, value *sp);
/* Asks for the next item from C: NO_VALUE at the end or when it raised. */
value generator_resume(struct vm *vm, struct generator *generator, value sent);

struct trace {
    const struct code *code;
    struct span span;
};
struct exception {
    struct object object;
    value args; /* tuple */
    value cause, context, attrs;
    value lacking;       /* the dict that lacks a key, or is not as it should be; or NO_VALUE */
    struct trace *trace; /* owned: innermost first */
    uint32_t ntrace, cap;
    struct span culprit; /* the part of the innermost place that is wrong, or {0} */
    bool suppress_context;
};
static inline struct exception *as_exception(value v)
{
    return (struct exception *)as_object(v);
}
/* The dict of its attributes, made where there is none. */
struct dict *exception_attrs(struct vm *vm, struct exception *e);
/* What a StopIteration brings. */
value exception_value(struct vm *vm, value exception);
/* Adds a place to its traceback, the innermost first. */
void exception_add_trace(struct vm *vm, value exception, const struct code *code, struct span span);
/* What __traceback__ gives: an object of type traceback, or None. */
value traceback_of(struct vm *vm, value exception);
/* The places of a traceback or an exception, innermost first: *n of them, none for other values. */
const struct trace *traceback_trace(value v, uint32_t *n);
/* Makes the builtin exception classes and adds them to builtins. */
void exceptions_start(struct vm *vm);

/* ---- raising with more than a message ---- */
/* Raises NameError with the nearest known name as hint. */
value raise_name_error(struct vm *vm, value name);
/* UnboundLocalError, or NameError of a free variable. Always NO_VALUE. */
value raise_unbound(struct vm *vm, const struct code *code, uint32_t slot, bool free);
/* AttributeError, with the nearest attribute as hint. */
value raise_no_attribute(struct vm *vm, value v, sym_t name);
/* The same as ImportError of `from module import name`. */
value raise_no_import(struct vm *vm, value module, value name);
/* Adds what may have been meant, if that is not NULL, to the exception in flight. */
void raise_hint(struct vm *vm, const char *best);
/* Adds what is to be done to the exception in flight. */
void raise_help(struct vm *vm, const char *text);
/* What an exception that nobody caught may have meant: the nearest name, attribute or key; borrowed
 * from the heap. NULL: nothing near. */
const char *raise_meant(struct vm *vm, const struct exception *e);
/* NotImplementedError for what Python has and the evaluator has not; always NO_VALUE. */
value raise_unsupported(struct vm *vm, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Whether that is in flight. */
bool raise_is_unsupported(struct vm *vm);
/* StopIteration with a value; always NO_VALUE. */
value raise_stop(struct vm *vm, value result);
/* The same for an iterator that has ended: with the result of a generator's return. */
value raise_exhausted(struct vm *vm, value iterator);
/* An instance of the class (or the exception itself) as `raise` takes it; NO_VALUE: raised. */
value exception_from(struct vm *vm, value v);
