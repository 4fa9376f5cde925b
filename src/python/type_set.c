// SPDX-License-Identifier: MIT
/* set and frozenset: the table of a dict without items. */
#include <string.h>

#include "python/sequence.h"
#include "python/types.h"
#include "python/vm_ops.h"
#include "python/vm_state.h"

static bool is_set(value v)
{
    return is_instance(v, &type_set) || is_instance(v, &type_frozenset);
}

static void set_mark(struct vm *vm, struct object *self)
{
    struct dict *set = (struct dict *)self;
    for (uint32_t i = 0; i < set->used; i++)
        heap_mark(vm, set->at[i].key);
}

static void set_finish(struct vm *vm, struct object *self)
{
    dict_clear(vm, (struct dict *)self);
}

bool set_update(struct vm *vm, value set, value iterable)
{
    if (is_set(iterable) || is_exact(iterable, &type_dict))
        return dict_update(vm, as_dict(set), as_dict(iterable));
    struct iter it;
    if (!iter_open(vm, iterable, &it))
        return false;
    for (value item; (item = iter_next(vm, &it));)
        if (!set_add(vm, set, item))
            return false;
    return !vm->error;
}

static value set_of(struct vm *vm, const struct type *type, value iterable)
{
    value set = from_object(object_new(vm, type));
    return !iterable || set_update(vm, set, iterable) ? set : NO_VALUE;
}

/* The same kind as like, plain. */
static const struct type *plain_type(value like)
{
    return is_instance(like, &type_frozenset) ? &type_frozenset : &type_set;
}

static value set_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (kwargs && !type->info)
        return vm_raise(vm, "TypeError", "%s() takes no keyword arguments", type->name);
    if (n > 1)
        return vm_raise(vm, "TypeError", "%s expected at most 1 argument, got %zu", type->name, n);
    return set_of(vm, type, n ? items[0] : NO_VALUE);
}

/* ---- slots ---- */

static value set_repr(struct vm *vm, value self)
{
    bool plain = is_exact(self, &type_set);
    if (!set_len(self))
        return str_printf(vm, "%s()", type_name(self));
    if (!show_begin(vm, self))
        return str_printf(vm, "%s(...)", type_name(self));
    struct buf out = {0};
    value item, text = VALUE_NONE;
    for (size_t pos = 0; text && set_next(self, &pos, &item);) {
        text = value_repr(vm, item);
        buf_str(&out, out.len ? ", " : "");
        buf_str(&out, text ? str_text(text) : "");
    }
    show_end(vm);
    if (text)
        text = plain ? str_printf(vm, "{%s}", buf_text(&out))
                     : str_printf(vm, "%s({%s})", type_name(self), buf_text(&out));
    buf_free(&out);
    return text;
}

static bool set_length(struct vm *vm, value self, size_t *out)
{
    *out = set_len(self);
    return true;
}

/* What stands in a set for item: a set is looked for as a frozenset. */
static value element(struct vm *vm, value item)
{
    bool mutable = is_object(item) && is_instance(item, &type_set) &&
                   type_slot(type_of(item), hash) == type_set.hash;
    return mutable ? dict_copy(vm, &type_frozenset, as_dict(item)) : item;
}

static bool set_contains(struct vm *vm, value self, value item, bool *out)
{
    *out = set_has(vm, self, element(vm, item));
    return !vm->error;
}

static bool is_subset(struct vm *vm, value a, value b)
{
    value item;
    for (size_t pos = 0; set_next(a, &pos, &item);)
        if (!set_has(vm, b, item))
            return false;
    return true;
}

value sets_compare(struct vm *vm, int op, struct counted a, struct counted b, subset_test *within)
{
    bool holds = false;
    switch (op) {
    case OP_EQ:
    case OP_NE: holds = (a.n == b.n && within(vm, a.v, b.v)) == (op == OP_EQ); break;
    case OP_LE:
    case OP_LT: holds = (op == OP_LE ? a.n <= b.n : a.n < b.n) && within(vm, a.v, b.v); break;
    default: holds = (op == OP_GE ? a.n >= b.n : a.n > b.n) && within(vm, b.v, a.v);
    }
    return vm->error ? NO_VALUE : value_bool(holds);
}

static value set_compare(struct vm *vm, int op, value a, value b)
{
    if (!is_set(b))
        return VALUE_NOT_IMPLEMENTED;
    return sets_compare(vm, op, (struct counted){a, set_len(a)}, (struct counted){b, set_len(b)},
                        is_subset);
}

/* Adds to `into` the items of a that are (or are not) in b. */
static bool pick(struct vm *vm, value into, value a, value b, bool in_b)
{
    const struct dict *from = as_dict(a);
    for (uint32_t i = 0; (i = dict_ahead(from, i)) < from->used; i++) {
        const struct dict_entry entry = from->at[i]; /* its __eq__ may change a */
        bool in = dict_find(vm, as_dict(b), entry.key, entry.hash);
        if (vm->error)
            return false;
        if (in == in_b && !dict_place_hashed(vm, as_dict(into), entry.key, entry.hash, NULL))
            return false;
    }
    return true;
}

/* Takes the items of a set out of another one: in so many steps as the smaller has items. */
static bool drop_set(struct vm *vm, value set, value other)
{
    struct dict *own = as_dict(set), *walked = as_dict(other);
    bool within = own->len < walked->len;
    if (within)
        walked = own;
    for (uint32_t i = 0; (i = dict_ahead(walked, i)) < walked->used; i++) {
        const struct dict_entry entry = walked->at[i];
        struct dict_entry *found = dict_find(vm, within ? as_dict(other) : own, entry.key,
                                             entry.hash);
        if (found && within) /* asking may have moved the entries of both */
            found = dict_find(vm, own, entry.key, entry.hash);
        if (vm->error)
            return false;
        if (found)
            dict_drop(vm, own, found);
    }
    return true;
}

static bool drop_all(struct vm *vm, value set, value other)
{
    struct iter it;
    if (set == other)
        return dict_clear(vm, as_dict(set)), true;
    if (is_set(other))
        return drop_set(vm, set, other);
    if (!iter_open(vm, other, &it))
        return false;
    for (value item; (item = iter_next(vm, &it));)
        if (!dict_delete(vm, set, item) && vm->error)
            return false;
    return !vm->error;
}

static value combine(struct vm *vm, int op, value a, value b)
{
    value result = from_object(object_new(vm, plain_type(a)));
    bool done, less = set_len(b) < set_len(a);
    switch (op) {
    case OP_BITOR: done = set_update(vm, result, a) && set_update(vm, result, b); break;
    case OP_BITAND: done = pick(vm, result, less ? b : a, less ? a : b, true); break;
    case OP_SUB: done = pick(vm, result, a, b, false); break;
    default: done = pick(vm, result, a, b, false) && pick(vm, result, b, a, false);
    }
    return done ? result : NO_VALUE;
}

static value set_binary(struct vm *vm, int op, value a, value b)
{
    bool known = op == OP_BITOR || op == OP_BITAND || op == OP_SUB || op == OP_BITXOR;
    return known && is_set(a) && is_set(b) ? combine(vm, op, a, b) : VALUE_NOT_IMPLEMENTED;
}

static bool set_hash(struct vm *vm, value self, uint64_t *out)
{
    return vm_raise(vm, "TypeError", "unhashable type: '%s'", type_name(self));
}

static bool frozenset_hash(struct vm *vm, value self, uint64_t *out)
{
    const struct dict *set = as_dict(self);
    *out = set->len * 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < set->used; i++)
        if (set->at[i].key)
            *out ^= hash_mix(set->at[i].hash + 0x1234567);
    *out = hash_settle(*out);
    return true;
}

static value set_iter(struct vm *vm, value self)
{
    return from_object(iterator_new(vm, ITER_KEYS, self));
}

/* ---- methods ---- */

static value as_set(struct vm *vm, value v)
{
    return is_set(v) ? v : set_of(vm, &type_set, v);
}

/* Makes self what result is, which nobody else has. */
static value become(value self, value result)
{
    if (result)
        dict_swap(as_dict(self), as_dict(result));
    return result ? VALUE_NONE : NO_VALUE;
}

static value one(struct vm *vm, const struct args *args, int op)
{
    value other = as_set(vm, args->at[1]);
    return other ? combine(vm, op, args->at[0], other) : NO_VALUE;
}

// set.__init__(iterable=())
static value set_init(struct vm *vm, const struct args *args)
{
    dict_clear(vm, as_dict(args->at[0]));
    return !arg_given(args, 1) || set_update(vm, args->at[0], args->at[1]) ? VALUE_NONE : NO_VALUE;
}

// set.add(elem)
static value set_add_method(struct vm *vm, const struct args *args)
{
    return set_add(vm, args->at[0], args->at[1]) ? VALUE_NONE : NO_VALUE;
}

// set.discard(elem)
static value set_discard(struct vm *vm, const struct args *args)
{
    dict_delete(vm, args->at[0], element(vm, args->at[1]));
    return vm->error ? NO_VALUE : VALUE_NONE;
}

static value missing(struct vm *vm, value key)
{
    value error = vm_call1(vm, dict_get_str(vm, from_object(vm->builtins), "KeyError"), key);
    return error ? vm_raise_value(vm, error) : NO_VALUE;
}

// set.remove(elem)
static value set_remove(struct vm *vm, const struct args *args)
{
    if (dict_delete(vm, args->at[0], element(vm, args->at[1])))
        return VALUE_NONE;
    return vm->error ? NO_VALUE : missing(vm, args->at[1]);
}

// set.pop()
static value set_pop(struct vm *vm, const struct args *args)
{
    size_t pos = 0;
    value item;
    if (!set_next(args->at[0], &pos, &item))
        return missing(vm, str_from(vm, "pop from an empty set"));
    dict_delete(vm, args->at[0], item);
    return item;
}

// set.clear()
static value set_clear(struct vm *vm, const struct args *args)
{
    dict_clear(vm, as_dict(args->at[0]));
    return VALUE_NONE;
}

// set.copy()
static value set_copy(struct vm *vm, const struct args *args)
{
    return dict_copy(vm, plain_type(args->at[0]), as_dict(args->at[0]));
}

/* Adds what is in any of the others. */
static bool add_others(struct vm *vm, value set, const struct args *args)
{
    size_t n;
    const value *others = sequence_items(args->at[1], &n);
    for (size_t i = 0; i < n; i++)
        if (!set_update(vm, set, others[i]))
            return false;
    return true;
}

// set.update(*others)
static value set_update_method(struct vm *vm, const struct args *args)
{
    return add_others(vm, args->at[0], args) ? VALUE_NONE : NO_VALUE;
}

// set.union(*others)
static value set_union(struct vm *vm, const struct args *args)
{
    value result = set_copy(vm, args);
    return result && add_others(vm, result, args) ? result : NO_VALUE;
}

// set.intersection(*others)
static value set_intersection(struct vm *vm, const struct args *args)
{
    size_t n;
    const value *others = sequence_items(args->at[1], &n);
    value result = n ? args->at[0] : set_copy(vm, args);
    for (size_t i = 0; i < n && result; i++) {
        value other = as_set(vm, others[i]);
        result = other ? combine(vm, OP_BITAND, result, other) : NO_VALUE;
    }
    return result;
}

/* Takes out what is in any of the others. */
static bool drop_others(struct vm *vm, value set, const struct args *args)
{
    size_t n;
    const value *others = sequence_items(args->at[1], &n);
    for (size_t i = 0; i < n; i++)
        if (!drop_all(vm, set, others[i]))
            return false;
    return true;
}

// set.difference(*others)
static value set_difference(struct vm *vm, const struct args *args)
{
    value result = set_copy(vm, args);
    return drop_others(vm, result, args) ? result : NO_VALUE;
}

// set.symmetric_difference(other)
static value set_symmetric(struct vm *vm, const struct args *args)
{
    return one(vm, args, OP_BITXOR);
}

// set.intersection_update(*others)
static value set_intersection_update(struct vm *vm, const struct args *args)
{
    return become(args->at[0], set_intersection(vm, args));
}

// set.difference_update(*others)
static value set_difference_update(struct vm *vm, const struct args *args)
{
    return drop_others(vm, args->at[0], args) ? VALUE_NONE : NO_VALUE;
}

// set.symmetric_difference_update(other)
static value set_symmetric_update(struct vm *vm, const struct args *args)
{
    return become(args->at[0], one(vm, args, OP_BITXOR));
}

// set.issubset(other)
static value set_issubset(struct vm *vm, const struct args *args)
{
    value other = as_set(vm, args->at[1]);
    return other ? set_compare(vm, OP_LE, args->at[0], other) : NO_VALUE;
}

// set.issuperset(other)
static value set_issuperset(struct vm *vm, const struct args *args)
{
    value other = as_set(vm, args->at[1]);
    return other ? set_compare(vm, OP_GE, args->at[0], other) : NO_VALUE;
}

// set.isdisjoint(other)
static value set_isdisjoint(struct vm *vm, const struct args *args)
{
    value both = one(vm, args, OP_BITAND);
    return both ? value_bool(!set_len(both)) : NO_VALUE;
}

#define COMMON                                                                                     \
    {"copy", set_copy, "self", "A new set of the same items."},                                    \
        {"union", set_union, "self *others", "What is in any of them."},                           \
        {"intersection", set_intersection, "self *others", "What is in all of them."},             \
        {"difference", set_difference, "self *others", "What is in none of the others."},          \
        {"symmetric_difference", set_symmetric, "self other /",                                    \
         "What is in exactly one of both."},                                                       \
        {"issubset", set_issubset, "self other /", "Whether other has all its items."},            \
        {"issuperset", set_issuperset, "self other /", "Whether it has all of other's items."},    \
    {                                                                                              \
        "isdisjoint", set_isdisjoint, "self other /", "Whether nothing is in both."                \
    }

/* self op= other, of sets alone */
static value change(struct vm *vm, const struct args *args, int op)
{
    if (!is_set(args->at[1]))
        return VALUE_NOT_IMPLEMENTED;
    return become(args->at[0], combine(vm, op, args->at[0], args->at[1])) ? args->at[0] : NO_VALUE;
}

// set.__ior__(other)
static value set_ior(struct vm *vm, const struct args *args)
{
    if (!is_set(args->at[1]))
        return VALUE_NOT_IMPLEMENTED;
    return set_update(vm, args->at[0], args->at[1]) ? args->at[0] : NO_VALUE;
}

// set.__iand__(other)
static value set_iand(struct vm *vm, const struct args *args)
{
    return change(vm, args, OP_BITAND);
}

// set.__isub__(other)
static value set_isub(struct vm *vm, const struct args *args)
{
    if (!is_set(args->at[1]))
        return VALUE_NOT_IMPLEMENTED;
    return drop_all(vm, args->at[0], args->at[1]) ? args->at[0] : NO_VALUE;
}

// set.__ixor__(other)
static value set_ixor(struct vm *vm, const struct args *args)
{
    return change(vm, args, OP_BITXOR);
}

static const struct native_def set_methods[] = {
    COMMON,
    {"__ior__", set_ior, "self value /", ""},
    {"__iand__", set_iand, "self value /", ""},
    {"__isub__", set_isub, "self value /", ""},
    {"__ixor__", set_ixor, "self value /", ""},
    {"__init__", set_init, "self iterable=() /", ""},
    {"add", set_add_method, "self elem /", "Adds an item."},
    {"discard", set_discard, "self elem /", "Takes an item out if it is there."},
    {"remove", set_remove, "self elem /", "Takes an item out; KeyError if absent."},
    {"pop", set_pop, "self", "Takes out some item."},
    {"clear", set_clear, "self", "Takes out everything."},
    {"update", set_update_method, "self *others", "Adds all items of the others."},
    {"intersection_update", set_intersection_update, "self *others",
     "Keeps what is in all of them."},
    {"difference_update", set_difference_update, "self *others",
     "Takes out what is in the others."},
    {"symmetric_difference_update", set_symmetric_update, "self other /",
     "Keeps what is in exactly one."},
    {0}};
static const struct native_def frozenset_methods[] = {COMMON, {0}};

#define SET                                                                                        \
    .object = {.type = &type_type}, .size = sizeof(struct dict), .mark = set_mark,                 \
    .finish = set_finish, .make = set_make, .repr = set_repr, .len = set_length,                   \
    .contains = set_contains, .compare = set_compare, .binary = set_binary, .iter = set_iter
const struct type type_set = {SET, .name = "set", .methods = set_methods, .hash = set_hash};
const struct type type_frozenset = {SET, .name = "frozenset", .methods = frozenset_methods,
                                    .hash = frozenset_hash};
