// SPDX-License-Identifier: MIT
/* Builtins that walk through iterables, and the lazy ones as types of their own. */
#include <string.h>

#include "python/builtins.h"
#include "python/numbers.h"
#include "python/types.h"
#include "python/vm_state.h"

/* ---- any, all, sum, min, max, sorted ---- */

static value any_or_all(struct vm *vm, value iterable, bool wanted)
{
    struct iter it;
    bool truth;
    if (!iter_open(vm, iterable, &it))
        return NO_VALUE;
    for (value item; (item = iter_next(vm, &it));) {
        if (!value_truth(vm, item, &truth))
            return NO_VALUE;
        if (truth == wanted)
            return value_bool(wanted);
    }
    return vm->error ? NO_VALUE : value_bool(!wanted);
}

static value builtin_any(struct vm *vm, const struct args *args)
{
    return any_or_all(vm, args->at[0], true);
}

static value builtin_all(struct vm *vm, const struct args *args)
{
    return any_or_all(vm, args->at[0], false);
}

static value builtin_sum(struct vm *vm, const struct args *args)
{
    struct iter it;
    value total = arg_or(args, 1, small(0));
    if (is_str(total))
        return vm_raise(vm, "TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
    if (is_instance(total, &type_bytes))
        return vm_raise(vm, "TypeError", "sum() can't sum bytes [use b''.join(seq) instead]");
    if (is_instance(total, &type_bytearray))
        return vm_raise(vm, "TypeError", "sum() can't sum bytearray [use b''.join(seq) instead]");
    if (!iter_open(vm, args->at[0], &it))
        return NO_VALUE;
    for (value item; total && (item = iter_next(vm, &it));)
        total = value_binary(vm, OP_ADD, total, item);
    return vm->error ? NO_VALUE : total;
}

/* The smallest or greatest of an iterable; NO_VALUE and nothing raised: it was empty. */
static value extreme(struct vm *vm, value iterable, value key, bool greatest)
{
    struct iter it;
    value best = NO_VALUE, best_key = NO_VALUE;
    if (!iter_open(vm, iterable, &it))
        return NO_VALUE;
    for (value item; (item = iter_next(vm, &it));) {
        bool better = true;
        value item_key = key == VALUE_NONE ? item : vm_call1(vm, key, item);
        if (!item_key)
            return NO_VALUE;
        if (best) {
            value order = value_compare(vm, greatest ? OP_GT : OP_LT, item_key, best_key);
            if (!order || !value_truth(vm, order, &better))
                return NO_VALUE;
        }
        if (better) {
            best = item;
            best_key = item_key;
        }
    }
    return vm->error ? NO_VALUE : best;
}

static value min_or_max(struct vm *vm, const struct args *args, bool greatest)
{
    const char *name = greatest ? "max" : "min";
    size_t n;
    const value *items = sequence_items(args->at[0], &n);
    value key = arg_or(args, 1, VALUE_NONE);
    if (!n)
        return vm_raise(vm, "TypeError", "%s expected at least 1 argument, got 0", name);
    if (n > 1 && arg_given(args, 2))
        return vm_raise(vm, "TypeError",
                        "Cannot specify a default for %s() with multiple positional arguments",
                        name);
    value best = extreme(vm, n == 1 ? items[0] : args->at[0], key, greatest);
    if (best || vm->error)
        return best;
    return arg_given(args, 2) ? args->at[2]
                              : vm_raise(vm, "ValueError", "%s() iterable argument is empty", name);
}

static value builtin_min(struct vm *vm, const struct args *args)
{
    return min_or_max(vm, args, false);
}

static value builtin_max(struct vm *vm, const struct args *args)
{
    return min_or_max(vm, args, true);
}

static value builtin_sorted(struct vm *vm, const struct args *args)
{
    bool reverse;
    if (!arg_bool(vm, args, 2, false, &reverse))
        return NO_VALUE;
    value list = list_from(vm, args->at[0]);
    return list && list_sort(vm, list, arg_or(args, 1, VALUE_NONE), reverse) ? list : NO_VALUE;
}

/* ---- iter, next ---- */

static value builtin_iter(struct vm *vm, const struct args *args)
{
    if (!arg_given(args, 1))
        return value_iter(vm, args->at[0]);
    if (!value_callable(args->at[0]))
        return vm_raise(vm, "TypeError", "iter(object, sentinel): object must be callable");
    struct iterator *it = iterator_new(vm, ITER_CALL, args->at[0]);
    it->sentinel = args->at[1];
    return from_object(it);
}

static value builtin_next(struct vm *vm, const struct args *args)
{
    value item = value_next(vm, args->at[0]);
    if (item)
        return item;
    if (vm->error) {
        if (!arg_given(args, 1) || !vm_failed_with(vm, "StopIteration"))
            return NO_VALUE;
        vm_take_error(vm);
    }
    return arg_given(args, 1) ? args->at[1] : raise_exhausted(vm, args->at[0]);
}

/* ---- the lazy ones ---- */

/* enumerate, map, filter, reversed, zip: one layout. */
struct lazy {
    struct object object;
    /* of map and filter; the sequence of reversed; where enumerate starts if beyond 64 bits */
    value function;
    value sources; /* tuple of iterators */
    int64_t at;    /* enumerate: next number; reversed: items left; zip: 1 strict */
};

static struct lazy *as_lazy(value v)
{
    return (struct lazy *)as_object(v);
}

static void lazy_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct lazy *)self)->function);
    heap_mark(vm, ((struct lazy *)self)->sources);
}

static value lazy_iter(struct vm *vm, value self)
{
    return self;
}

/* A lazy object over the iterators of n iterables. */
static value lazy_new(struct vm *vm, const struct type *type, const value *iterables, size_t n)
{
    struct lazy *lazy = object_new(vm, type);
    lazy->sources = tuple_new(vm, iterables, n);
    value *at = as_tuple(lazy->sources)->at;
    for (size_t i = 0; i < n; i++) {
        at[i] = value_iter(vm, iterables[i]);
        if (!at[i])
            return NO_VALUE;
    }
    return from_object(lazy);
}

static value lazy_source(value self, size_t i)
{
    return as_tuple(as_lazy(self)->sources)->at[i];
}

static value enumerate_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"iterable", "start", NULL};
    value slot[2];
    if (!make_args(vm, "enumerate", names, 0, args, kwargs, slot))
        return NO_VALUE;
    if (!slot[0])
        return vm_raise(vm, "TypeError", "enumerate() missing required argument 'iterable'");
    int64_t start = 0;
    value index = slot[1] ? int_index(vm, slot[1]) : small(0);
    if (!index)
        return NO_VALUE;
    bool big = !int_get(index, &start) || start >= INT64_MAX / 2;
    value v = lazy_new(vm, type, slot, 1);
    if (v && big)
        as_lazy(v)->function = index;
    else if (v)
        as_lazy(v)->at = start;
    return v;
}

static value enumerate_next(struct vm *vm, value self)
{
    value item = value_next(vm, lazy_source(self, 0)), number;
    if (!item)
        return NO_VALUE;
    number = int_from(vm, as_lazy(self)->at++);
    if (as_lazy(self)->function)
        number = value_binary(vm, OP_ADD, as_lazy(self)->function, number);
    return tuple_new(vm, (value[]){number, item}, 2);
}

static value zip_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n, pos = 0;
    bool strict = false;
    value key, item;
    const value *items = sequence_items(args, &n);
    while (kwargs && dict_next(kwargs, &pos, &key, &item)) {
        if (strcmp(str_text(key), "strict"))
            return vm_raise(vm, "TypeError", "zip() got an unexpected keyword argument '%s'",
                            str_text(key));
        if (!value_truth(vm, item, &strict))
            return NO_VALUE;
    }
    value v = lazy_new(vm, type, items, n);
    if (v)
        as_lazy(v)->at = strict;
    return v;
}

/* A strict zip ended at source i: all must be at their end. */
static value zip_ended(struct vm *vm, value self, size_t i, size_t n)
{
    if (vm->error || !as_lazy(self)->at)
        return NO_VALUE;
    if (i)
        return i == 1 ? vm_raise(vm, "ValueError", "zip() argument 2 is shorter than argument 1")
                      : vm_raise(vm, "ValueError",
                                 "zip() argument %zu is shorter than arguments 1-%zu", i + 1, i);
    for (size_t k = 1; k < n; k++)
        if (value_next(vm, lazy_source(self, k)))
            return k == 1 ? vm_raise(vm, "ValueError", "zip() argument 2 is longer than argument 1")
                          : vm_raise(vm, "ValueError",
                                     "zip() argument %zu is longer than arguments 1-%zu", k + 1, k);
    return NO_VALUE;
}

static value zip_next(struct vm *vm, value self)
{
    size_t n = as_tuple(as_lazy(self)->sources)->len;
    if (!n)
        return NO_VALUE;
    value tuple = tuple_new(vm, NULL, n);
    for (size_t i = 0; i < n; i++) {
        value item = value_next(vm, lazy_source(self, i));
        if (!item)
            return zip_ended(vm, self, i, n);
        as_tuple(tuple)->at[i] = item;
    }
    return tuple;
}

static value with_function(struct vm *vm, const struct type *type, value args)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (n < 2)
        return vm_raise(vm, "TypeError",
                        type == &type_map ? "map() must have at least two arguments."
                                          : "filter expected 2 arguments, got %zu",
                        n);
    value v = lazy_new(vm, type, items + 1, n - 1);
    if (v)
        as_lazy(v)->function = items[0];
    return v;
}

static value map_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    return with_function(vm, type, args);
}

static value map_next(struct vm *vm, value self)
{
    size_t n = as_tuple(as_lazy(self)->sources)->len;
    value few[16], *items = few;
    if (n > sizeof few / sizeof *few)
        items = as_tuple(tuple_new(vm, NULL, n))->at;
    for (size_t i = 0; i < n; i++)
        if (!(items[i] = value_next(vm, lazy_source(self, i))))
            return NO_VALUE;
    return vm_call(vm, as_lazy(self)->function, items, n, NO_VALUE);
}

static value filter_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    return with_function(vm, type, args);
}

static value filter_next(struct vm *vm, value self)
{
    value function = as_lazy(self)->function;
    for (value item; (item = value_next(vm, lazy_source(self, 0)));) {
        bool truth;
        value verdict = function == VALUE_NONE ? item : vm_call1(vm, function, item);
        if (!verdict || !value_truth(vm, verdict, &truth))
            return NO_VALUE;
        if (truth)
            return item;
    }
    return NO_VALUE;
}

static value reversed_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n, len;
    const value *items = sequence_items(args, &n);
    if (n != 1)
        return vm_raise(vm, "TypeError", "reversed expected 1 argument, got %zu", n);
    value v = items[0];
    if (is_exact(v, &type_list))
        return from_object(iterator_new(vm, ITER_LIST_BACK, v));
    value hook = attr_special(vm, v, vm->sym.__reversed__);
    if (hook && hook != VALUE_NONE)
        return vm_call0(vm, hook);
    if (vm->error)
        return NO_VALUE;
    const struct type *of = type_of(v);
    if (hook || is_dict(v) || !type_slot(of, get_index) || !type_slot(of, len) ||
        is_instance(v, &type_set))
        return vm_raise(vm, "TypeError", "'%s' object is not reversible", type_name(v));
    if (!value_len(vm, v, &len))
        return NO_VALUE;
    struct lazy *lazy = object_new(vm, type);
    lazy->function = v;
    lazy->sources = VALUE_NONE;
    lazy->at = (int64_t)len;
    return from_object(lazy);
}

static value reversed_next(struct vm *vm, value self)
{
    struct lazy *lazy = as_lazy(self);
    value item = lazy->at > 0 ? value_index(vm, lazy->function, small(--lazy->at)) : NO_VALUE;
    if (!item && (vm_failed_with(vm, "IndexError") || vm_failed_with(vm, "StopIteration"))) {
        vm_take_error(vm);
        lazy->at = 0;
    }
    return item;
}

#define LAZY_TYPE(name_)                                                                           \
    const struct type type_##name_ = {                                                             \
        .object = {.type = &type_type},                                                            \
        .name = #name_,                                                                            \
        .base = &type_object,                                                                      \
        .size = sizeof(struct lazy),                                                               \
        .mark = lazy_mark,                                                                         \
        .make = name_##_make,                                                                      \
        .iter = lazy_iter,                                                                         \
        .next = name_##_next,                                                                      \
    };
LAZY_TYPE(enumerate)
LAZY_TYPE(zip)
LAZY_TYPE(map)
LAZY_TYPE(filter)
LAZY_TYPE(reversed)

const struct native_def builtins_iteration[] = {
    {"any", builtin_any, "iterable /", "Whether one of them is true."},
    {"all", builtin_all, "iterable /", "Whether all of them are true."},
    {"sum", builtin_sum, "iterable start=0", "Their sum."},
    {"min", builtin_min, "*args key=None default=", "The smallest."},
    {"max", builtin_max, "*args key=None default=", "The greatest."},
    {"sorted", builtin_sorted, "iterable / * key=None reverse=False", "A sorted list of them."},
    {"iter", builtin_iter, "object sentinel= /", "An iterator over it."},
    {"next", builtin_next, "iterator default= /", "The next item."},
    {0}};
