// SPDX-License-Identifier: MIT
/* set and frozenset. What makes a set of others does it in CPython's order, which shows in sets of
 * numbers. */
#include "python/sequence.h"
#include "python/set.h"
#include "python/types.h"
#include "python/vm_state.h"

/* ---- as values ---- */

value set_new(struct vm *vm)
{
    return from_object(object_new(vm, &type_set));
}

bool set_add(struct vm *vm, value set, value item)
{
    uint64_t hash;
    return value_hash(vm, item, &hash) && set_place(vm, as_set(set), item, hash);
}

bool set_has(struct vm *vm, value set, value item)
{
    uint64_t hash;
    return value_hash(vm, item, &hash) && set_holds(vm, as_set(set), item, hash);
}

size_t set_len(value set)
{
    return as_set(set)->len;
}

bool set_next(value set, size_t *pos, value *item)
{
    const struct set_entry *entry = set_walk(as_set(set), pos);
    if (entry)
        *item = entry->key;
    return entry;
}

/* Goes through the items of any iterable; those of sets and dicts have their hashes with them. */
struct walk {
    const struct set *set;
    const struct dict *dict;
    size_t pos;
    struct iter it;
};

static bool walk_open(struct vm *vm, value of, struct walk *walk)
{
    *walk = (struct walk){0};
    if (is_set(of))
        walk->set = as_set(of);
    else if (is_exact(of, &type_dict))
        walk->dict = as_dict(of);
    else
        return iter_open(vm, of, &walk->it);
    return true;
}

/* False: the end, or raised. */
static bool walk_next(struct vm *vm, struct walk *walk, struct set_entry *out)
{
    if (vm->error)
        return false;
    if (walk->set) {
        const struct set_entry *entry = set_walk(walk->set, &walk->pos);
        if (entry)
            *out = *entry;
        return entry;
    }
    if (walk->dict) {
        uint32_t i = dict_ahead(walk->dict, (uint32_t)walk->pos);
        walk->pos = i + (size_t)1;
        if (i < walk->dict->used)
            *out = (struct set_entry){walk->dict->at[i].hash, walk->dict->at[i].key};
        return i < walk->dict->used;
    }
    out->key = iter_next(vm, &walk->it);
    return out->key && value_hash(vm, out->key, &out->hash);
}

bool set_update(struct vm *vm, value set, value iterable)
{
    struct walk walk;
    struct set_entry item;
    if (is_set(iterable))
        return set_merge(vm, as_set(set), as_set(iterable));
    if (!walk_open(vm, iterable, &walk))
        return false;
    if (walk.dict)
        set_expect(vm, as_set(set), walk.dict->len);
    while (walk_next(vm, &walk, &item) && set_place(vm, as_set(set), item.key, item.hash))
        ;
    return !vm->error;
}

static void set_mark(struct vm *vm, struct object *self)
{
    struct set *set = (struct set *)self;
    for (uint32_t i = 0; i < set->used; i++)
        heap_mark(vm, set->at[i].key);
}

static void set_finish(struct vm *vm, struct object *self)
{
    set_clear(vm, (struct set *)self);
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
    if (n && type == &type_frozenset && is_exact(items[0], type))
        return items[0];
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
    return mutable ? set_copy(vm, &type_frozenset, as_set(item)) : item;
}

static bool set_contains(struct vm *vm, value self, value item, bool *out)
{
    *out = set_has(vm, self, element(vm, item));
    return !vm->error;
}

static bool is_subset(struct vm *vm, value a, value b)
{
    const struct set_entry *entry;
    for (size_t pos = 0; (entry = set_walk(as_set(a), &pos));)
        if (!set_holds(vm, as_set(b), entry->key, entry->hash))
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

static value copy_of(struct vm *vm, value set)
{
    return set_copy(vm, plain_type(set), as_set(set));
}

/* What is in a and in an iterable. */
static value intersect(struct vm *vm, value a, value b)
{
    struct walk walk;
    struct set_entry item;
    if (a == b)
        return copy_of(vm, a);
    bool swap = is_set(b) && set_len(b) > set_len(a);
    struct set *in = as_set(swap ? b : a), *result = object_new(vm, plain_type(a));
    if (!walk_open(vm, swap ? a : b, &walk))
        return NO_VALUE;
    while (walk_next(vm, &walk, &item))
        if (set_holds(vm, in, item.key, item.hash))
            set_place(vm, result, item.key, item.hash);
    return vm->error ? NO_VALUE : from_object(result);
}

/* Takes out what an iterable gives: of a set in so many steps as the smaller of both has items. */
static bool drop_all(struct vm *vm, value set, value other)
{
    struct walk walk;
    struct set_entry item;
    if (set == other)
        return set_clear(vm, as_set(set)), true;
    bool within = is_set(other) && set_len(set) < set_len(other);
    if (!walk_open(vm, within ? set : other, &walk))
        return false;
    while (walk_next(vm, &walk, &item))
        if (!within || set_holds(vm, as_set(other), item.key, item.hash))
            set_drop(vm, as_set(set), item.key, item.hash);
    if (!vm->error)
        set_tidy(vm, as_set(set));
    return !vm->error;
}

/* What is in a and not in an iterable. */
static value subtract(struct vm *vm, value a, value b)
{
    struct walk walk;
    struct set_entry item;
    bool dict = is_exact(b, &type_dict);
    size_t n = dict ? dict_len(b) : is_set(b) ? set_len(b) : 0;
    if (!(dict || is_set(b)) || set_len(a) >> 2 > n) {
        value rest = copy_of(vm, a);
        return drop_all(vm, rest, b) ? rest : NO_VALUE;
    }
    struct set *result = object_new(vm, plain_type(a));
    walk_open(vm, a, &walk);
    while (walk_next(vm, &walk, &item)) {
        bool in = dict ? (bool)dict_find(vm, as_dict(b), item.key, item.hash)
                       : set_holds(vm, as_set(b), item.key, item.hash);
        if (!in && !vm->error)
            set_place(vm, result, item.key, item.hash);
    }
    return vm->error ? NO_VALUE : from_object(result);
}

/* Takes out what a set or dict has too, and adds what only that one has. */
static bool toggle(struct vm *vm, value set, value other)
{
    struct walk walk;
    struct set_entry item;
    if (set == other)
        return set_clear(vm, as_set(set)), true;
    walk_open(vm, other, &walk);
    while (walk_next(vm, &walk, &item))
        if (!set_drop(vm, as_set(set), item.key, item.hash) && !vm->error)
            set_place(vm, as_set(set), item.key, item.hash);
    return !vm->error;
}

/* What is in exactly one of a and an iterable. */
static value differ(struct vm *vm, value a, value b)
{
    value result = set_of(vm, plain_type(a), b);
    return result && toggle(vm, result, a) ? result : NO_VALUE;
}

static value combine(struct vm *vm, int op, value a, value b)
{
    switch (op) {
    case OP_BITAND: return intersect(vm, a, b);
    case OP_SUB: return subtract(vm, a, b);
    case OP_BITXOR: return differ(vm, a, b);
    }
    value result = copy_of(vm, a);
    return a == b || set_update(vm, result, b) ? result : NO_VALUE;
}

static value set_binary(struct vm *vm, int op, value a, value b)
{
    bool known = op == OP_BITOR || op == OP_BITAND || op == OP_SUB || op == OP_BITXOR;
    return known && is_set(a) && is_set(b) ? combine(vm, op, a, b) : VALUE_NOT_IMPLEMENTED;
}

/* As CPython does it. */
static bool frozenset_hash(struct vm *vm, value self, uint64_t *out)
{
    const struct set_entry *entry;
    uint64_t hash = 0;
    *out = as_set(self)->hash;
    if (*out)
        return true;
    for (size_t pos = 0; (entry = set_walk(as_set(self), &pos));)
        hash ^= ((entry->hash ^ 89869747) ^ entry->hash << 16) * 3644798167u;
    hash ^= (as_set(self)->len + (uint64_t)1) * 1927868237;
    hash ^= hash >> 11 ^ hash >> 25;
    hash = hash * 69069 + 907133923;
    *out = as_set(self)->hash = hash == UINT64_MAX ? 590923713 : hash;
    return true;
}

static value set_iter(struct vm *vm, value self)
{
    return from_object(iterator_new(vm, ITER_SET, self));
}

/* ---- methods ---- */

static value as_a_set(struct vm *vm, value v)
{
    return is_set(v) ? v : set_of(vm, &type_set, v);
}

/* Makes self what result is, which nobody else has; false: there is none, as something raised. */
static bool become(struct vm *vm, value self, value result)
{
    if (result)
        set_become(vm, as_set(self), as_set(result));
    return result;
}

// set.__init__(iterable=())
static value set_init(struct vm *vm, const struct args *args)
{
    set_clear(vm, as_set(args->at[0]));
    return !arg_given(args, 1) || set_update(vm, args->at[0], args->at[1]) ? VALUE_NONE : NO_VALUE;
}

// set.add(elem)
static value set_add_method(struct vm *vm, const struct args *args)
{
    return set_add(vm, args->at[0], args->at[1]) ? VALUE_NONE : NO_VALUE;
}

/* False: it is not there, or raised. */
static bool take_item(struct vm *vm, value set, value item)
{
    uint64_t hash;
    value key = element(vm, item);
    return value_hash(vm, key, &hash) && set_drop(vm, as_set(set), key, hash);
}

// set.discard(elem)
static value set_discard(struct vm *vm, const struct args *args)
{
    take_item(vm, args->at[0], args->at[1]);
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
    if (take_item(vm, args->at[0], args->at[1]))
        return VALUE_NONE;
    return vm->error ? NO_VALUE : missing(vm, args->at[1]);
}

// set.pop()
static value set_pop(struct vm *vm, const struct args *args)
{
    value item = set_take(vm, as_set(args->at[0]));
    return item ? item : missing(vm, str_from(vm, "pop from an empty set"));
}

// set.clear()
static value set_clear_method(struct vm *vm, const struct args *args)
{
    set_clear(vm, as_set(args->at[0]));
    return VALUE_NONE;
}

// set.copy()
static value set_copy_method(struct vm *vm, const struct args *args)
{
    bool same = is_exact(args->at[0], &type_frozenset);
    return same ? args->at[0] : copy_of(vm, args->at[0]);
}

/* Adds to a set, self or a copy of it, what is in any of the others. */
static bool add_others(struct vm *vm, value set, const struct args *args)
{
    size_t n;
    const value *others = sequence_items(args->at[1], &n);
    for (size_t i = 0; i < n; i++)
        if (others[i] != args->at[0] && !set_update(vm, set, others[i]))
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
    value result = copy_of(vm, args->at[0]);
    return add_others(vm, result, args) ? result : NO_VALUE;
}

// set.intersection(*others)
static value set_intersection(struct vm *vm, const struct args *args)
{
    size_t n;
    const value *others = sequence_items(args->at[1], &n);
    value result = n ? args->at[0] : copy_of(vm, args->at[0]);
    for (size_t i = 0; i < n && result; i++)
        result = intersect(vm, result, others[i]);
    return result;
}

// set.difference(*others)
static value set_difference(struct vm *vm, const struct args *args)
{
    size_t n;
    const value *others = sequence_items(args->at[1], &n);
    value result = n ? subtract(vm, args->at[0], others[0]) : copy_of(vm, args->at[0]);
    for (size_t i = 1; i < n && result; i++)
        if (!drop_all(vm, result, others[i]))
            return NO_VALUE;
    return result;
}

// set.symmetric_difference(other)
static value set_symmetric(struct vm *vm, const struct args *args)
{
    return differ(vm, args->at[0], args->at[1]);
}

// set.intersection_update(*others)
static value set_intersection_update(struct vm *vm, const struct args *args)
{
    return become(vm, args->at[0], set_intersection(vm, args)) ? VALUE_NONE : NO_VALUE;
}

// set.difference_update(*others)
static value set_difference_update(struct vm *vm, const struct args *args)
{
    size_t n;
    const value *others = sequence_items(args->at[1], &n);
    for (size_t i = 0; i < n; i++)
        if (!drop_all(vm, args->at[0], others[i]))
            return NO_VALUE;
    return VALUE_NONE;
}

// set.symmetric_difference_update(other)
static value set_symmetric_update(struct vm *vm, const struct args *args)
{
    value other = args->at[1];
    if (!is_exact(other, &type_dict))
        other = as_a_set(vm, other);
    return other && toggle(vm, args->at[0], other) ? VALUE_NONE : NO_VALUE;
}

// set.issubset(other)
static value set_issubset(struct vm *vm, const struct args *args)
{
    value other = as_a_set(vm, args->at[1]);
    return other ? set_compare(vm, OP_LE, args->at[0], other) : NO_VALUE;
}

/* Whether each item of the other is in the set, or (wanted false) none; it ends with the first that
 * says no. */
static value each_item(struct vm *vm, value set, value other, bool wanted)
{
    struct walk walk;
    struct set_entry item;
    if (!walk_open(vm, other, &walk))
        return NO_VALUE;
    while (walk_next(vm, &walk, &item))
        if (set_holds(vm, as_set(set), item.key, item.hash) != wanted)
            return vm->error ? NO_VALUE : VALUE_FALSE;
    return vm->error ? NO_VALUE : VALUE_TRUE;
}

// set.issuperset(other)
static value set_issuperset(struct vm *vm, const struct args *args)
{
    return each_item(vm, args->at[0], args->at[1], true);
}

// set.isdisjoint(other)
static value set_isdisjoint(struct vm *vm, const struct args *args)
{
    bool swap = is_set(args->at[1]) && set_len(args->at[1]) > set_len(args->at[0]);
    return each_item(vm, args->at[swap], args->at[!swap], false);
}

#define COMMON                                                                                     \
    {"copy", set_copy_method, "self", "A new set of the same items."},                             \
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

static value self_if(const struct args *args, bool done)
{
    return done ? args->at[0] : NO_VALUE;
}

// set.__ior__(other)
static value set_ior(struct vm *vm, const struct args *args)
{
    if (!is_set(args->at[1]))
        return VALUE_NOT_IMPLEMENTED;
    return self_if(args, set_update(vm, args->at[0], args->at[1]));
}

// set.__iand__(other)
static value set_iand(struct vm *vm, const struct args *args)
{
    if (!is_set(args->at[1]))
        return VALUE_NOT_IMPLEMENTED;
    return self_if(args, become(vm, args->at[0], intersect(vm, args->at[0], args->at[1])));
}

// set.__isub__(other)
static value set_isub(struct vm *vm, const struct args *args)
{
    if (!is_set(args->at[1]))
        return VALUE_NOT_IMPLEMENTED;
    return self_if(args, drop_all(vm, args->at[0], args->at[1]));
}

// set.__ixor__(other)
static value set_ixor(struct vm *vm, const struct args *args)
{
    if (!is_set(args->at[1]))
        return VALUE_NOT_IMPLEMENTED;
    return self_if(args, toggle(vm, args->at[0], args->at[1]));
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
    {"clear", set_clear_method, "self", "Takes out everything."},
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
    .object = {.type = &type_type}, .size = sizeof(struct set), .mark = set_mark,                  \
    .finish = set_finish, .make = set_make, .repr = set_repr, .len = set_length,                   \
    .contains = set_contains, .compare = set_compare, .binary = set_binary, .iter = set_iter
const struct type type_set = {SET, .name = "set", .methods = set_methods, .hash = unhashable};
const struct type type_frozenset = {SET, .name = "frozenset", .methods = frozenset_methods,
                                    .hash = frozenset_hash};
