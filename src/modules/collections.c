// SPDX-License-Identifier: MIT
/* _collections: deque, and what namedtuples read their fields with; the rest of collections is
 * lib/collections.py. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "modules/modules.h"
#include "python/class.h"
#include "python/class_slots.h"
#include "python/numbers.h"
#include "python/sequence.h"
#include "python/vm_state.h"

/* ==== deque: a ring ==== */

struct deque {
    struct object object;
    value *at; /* owned */
    uint32_t head, len, cap;
    uint32_t changes;
    int64_t maxlen; /* -1: none */
};
struct deque_iterator {
    struct object object;
    struct deque *deque;
    uint32_t i, changes;
    bool back;
};
static const struct type type_deque;

static struct deque *as_deque(value v)
{
    return (struct deque *)as_object(v);
}

static value *deque_at(const struct deque *deque, uint32_t i)
{
    uint32_t at = deque->head + i;
    return &deque->at[at < deque->cap ? at : at - deque->cap];
}

static void deque_grow(struct vm *vm, struct deque *deque)
{
    uint32_t cap = deque->cap ? 2 * deque->cap : 8;
    value *at = memory_resized(NULL, cap, sizeof *at);
    for (uint32_t i = 0; i < deque->len; i++)
        at[i] = *deque_at(deque, i);
    free(deque->at);
    heap_owns(vm, (int64_t)((cap - deque->cap) * sizeof *at));
    deque->at = at;
    deque->cap = cap;
    deque->head = 0;
}

static value deque_take(struct deque *deque, bool left)
{
    value item = *deque_at(deque, left ? 0 : deque->len - 1);
    if (left)
        deque->head = deque->head + 1 < deque->cap ? deque->head + 1 : 0;
    deque->len--;
    deque->changes++;
    return item;
}

static void deque_put(struct vm *vm, struct deque *deque, value item, bool left)
{
    if (!deque->maxlen)
        return;
    if (deque->maxlen > 0 && deque->len == deque->maxlen)
        deque_take(deque, !left);
    if (deque->len == deque->cap)
        deque_grow(vm, deque);
    deque->len++;
    if (left)
        deque->head = deque->head ? deque->head - 1 : deque->cap - 1;
    *deque_at(deque, left ? 0 : deque->len - 1) = item;
    deque->changes++;
}

static bool deque_fill(struct vm *vm, struct deque *deque, value iterable, bool left)
{
    struct iter it;
    if (iterable == from_object(deque) && !(iterable = list_from(vm, iterable)))
        return false;
    if (!iter_open(vm, iterable, &it))
        return false;
    for (value item; (item = iter_next(vm, &it));)
        deque_put(vm, deque, item, left);
    return !vm->error;
}

static void deque_mark(struct vm *vm, struct object *self)
{
    struct deque *deque = (struct deque *)self;
    for (uint32_t i = 0; i < deque->len; i++)
        heap_mark(vm, *deque_at(deque, i));
}

static void deque_finish(struct vm *vm, struct object *self)
{
    struct deque *deque = (struct deque *)self;
    heap_owns(vm, -(int64_t)(deque->cap * sizeof *deque->at));
    free(deque->at);
}

/* maxlen as it is given: None or nothing for -1. False: raised. */
static bool take_maxlen(struct vm *vm, value given, int64_t *maxlen)
{
    *maxlen = -1;
    if (!given || given == VALUE_NONE)
        return true;
    if (!int_get(given, maxlen))
        return vm_raise(vm, "TypeError", "an integer is required");
    return *maxlen >= 0 || vm_raise(vm, "ValueError", "maxlen must be non-negative");
}

static value deque_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"iterable", "maxlen", NULL};
    value slot[2];
    if (!make_args(vm, "deque", names, 0, args, kwargs, slot))
        return NO_VALUE;
    struct deque *deque = object_new(vm, type);
    if (!take_maxlen(vm, slot[1], &deque->maxlen))
        return NO_VALUE;
    return !slot[0] || deque_fill(vm, deque, slot[0], false) ? from_object(deque) : NO_VALUE;
}

// deque.__init__(iterable=(), maxlen=None)
static value deque_init(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    int64_t maxlen;
    if (!take_maxlen(vm, args->at[2], &maxlen))
        return NO_VALUE;
    deque->len = 0;
    deque->maxlen = maxlen;
    return !arg_given(args, 1) || deque_fill(vm, deque, args->at[1], false) ? VALUE_NONE : NO_VALUE;
}

static value deque_like(struct vm *vm, const struct deque *like)
{
    struct deque *deque = object_new(vm, like->object.type);
    deque->maxlen = like->maxlen;
    for (uint32_t i = 0; i < like->len; i++)
        deque_put(vm, deque, *deque_at(like, i), false);
    return from_object(deque);
}

static value deque_list(struct vm *vm, value self)
{
    value list = list_new(vm, NULL, 0);
    for (uint32_t i = 0; i < as_deque(self)->len; i++)
        list_push(vm, list, *deque_at(as_deque(self), i));
    return list;
}

static value deque_repr(struct vm *vm, value self)
{
    struct deque *deque = as_deque(self);
    if (!show_begin(vm, self))
        return str_from(vm, "[...]");
    value items = value_repr(vm, deque_list(vm, self));
    show_end(vm);
    if (!items)
        return NO_VALUE;
    if (deque->maxlen < 0)
        return str_printf(vm, "%s(%s)", type_short_name(type_of(self)), str_text(items));
    return str_printf(vm, "%s(%s, maxlen=%lld)", type_short_name(type_of(self)), str_text(items),
                      (long long)deque->maxlen);
}

static bool deque_len(struct vm *vm, value self, size_t *out)
{
    *out = as_deque(self)->len;
    return true;
}

static value deque_get_index(struct vm *vm, value self, value key)
{
    struct deque *deque = as_deque(self);
    size_t i;
    if (is_exact(key, &type_slice))
        return vm_raise(vm, "TypeError", "sequence index must be integer, not 'slice'");
    if (!index_settle(vm, &key))
        return NO_VALUE;
    return index_of(vm, key, deque->len, "deque", &i) ? *deque_at(deque, (uint32_t)i) : NO_VALUE;
}

static void deque_cut(struct deque *deque, uint32_t i)
{
    for (; i + 1 < deque->len; i++)
        *deque_at(deque, i) = *deque_at(deque, i + 1);
    deque_take(deque, false);
}

static bool deque_set_index(struct vm *vm, value self, value key, value item)
{
    struct deque *deque = as_deque(self);
    size_t i;
    if (!index_settle(vm, &key) || !index_of(vm, key, deque->len, "deque", &i))
        return false;
    if (item)
        *deque_at(deque, (uint32_t)i) = item;
    else
        deque_cut(deque, (uint32_t)i);
    return true;
}

/* Where the first item equal to wanted is in [i, end), or -1 (also when comparing raised). */
static int64_t deque_find(struct vm *vm, struct deque *deque, value wanted, int64_t i, int64_t end)
{
    uint32_t changes = deque->changes;
    for (bool same; i < end; i++) {
        if (!value_equal(vm, *deque_at(deque, (uint32_t)i), wanted, &same))
            return -1;
        if (deque->changes != changes) {
            vm_raise(vm, "RuntimeError", "deque mutated during iteration");
            return -1;
        }
        if (same)
            return i;
    }
    return -1;
}

static bool deque_contains(struct vm *vm, value self, value item, bool *out)
{
    *out = deque_find(vm, as_deque(self), item, 0, as_deque(self)->len) >= 0;
    return !vm->error;
}

static value deque_compare(struct vm *vm, int op, value a, value b)
{
    if (!is_instance(b, &type_deque))
        return VALUE_NOT_IMPLEMENTED;
    return sequence_compare(vm, op, deque_list(vm, a), deque_list(vm, b));
}

static value deque_binary(struct vm *vm, int op, value a, value b)
{
    int64_t times;
    if (op == OP_ADD && is_instance(a, &type_deque)) {
        if (!is_instance(b, &type_deque))
            return vm_raise(vm, "TypeError", "can only concatenate deque (not \"%s\") to deque",
                            type_name(b));
        value sum = deque_like(vm, as_deque(a));
        return deque_fill(vm, as_deque(sum), b, false) ? sum : NO_VALUE;
    }
    if (op != OP_MUL || !int_get(is_instance(a, &type_deque) ? b : a, &times))
        return VALUE_NOT_IMPLEMENTED;
    value of = is_instance(a, &type_deque) ? a : b, product = deque_like(vm, as_deque(of));
    if (times <= 0)
        as_deque(product)->len = 0;
    for (int64_t i = 1; i < times; i++)
        deque_fill(vm, as_deque(product), of, false);
    return product;
}

static value deque_iterator(struct vm *vm, value self, bool back);

static value deque_iter(struct vm *vm, value self)
{
    return deque_iterator(vm, self, false);
}

// deque.__reversed__()
static value deque_reversed(struct vm *vm, const struct args *args)
{
    return deque_iterator(vm, args->at[0], true);
}

// deque.append(x)
static value deque_append(struct vm *vm, const struct args *args)
{
    deque_put(vm, as_deque(args->at[0]), args->at[1], false);
    return VALUE_NONE;
}

// deque.appendleft(x)
static value deque_appendleft(struct vm *vm, const struct args *args)
{
    deque_put(vm, as_deque(args->at[0]), args->at[1], true);
    return VALUE_NONE;
}

// deque.extend(iterable)
static value deque_extend(struct vm *vm, const struct args *args)
{
    return deque_fill(vm, as_deque(args->at[0]), args->at[1], false) ? VALUE_NONE : NO_VALUE;
}

// deque.__iadd__(iterable)
static value deque_iadd(struct vm *vm, const struct args *args)
{
    return deque_fill(vm, as_deque(args->at[0]), args->at[1], false) ? args->at[0] : NO_VALUE;
}

// deque.__imul__(times)
static value deque_imul(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    value product = deque_binary(vm, OP_MUL, args->at[0], args->at[1]);
    if (!product || product == VALUE_NOT_IMPLEMENTED)
        return product;
    deque->len = 0;
    return deque_fill(vm, deque, product, false) ? args->at[0] : NO_VALUE;
}

// deque.extendleft(iterable)
static value deque_extendleft(struct vm *vm, const struct args *args)
{
    return deque_fill(vm, as_deque(args->at[0]), args->at[1], true) ? VALUE_NONE : NO_VALUE;
}

// deque.pop()
static value deque_pop(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    return deque->len ? deque_take(deque, false)
                      : vm_raise(vm, "IndexError", "pop from an empty deque");
}

// deque.popleft()
static value deque_popleft(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    return deque->len ? deque_take(deque, true)
                      : vm_raise(vm, "IndexError", "pop from an empty deque");
}

// deque.clear()
static value deque_clear(struct vm *vm, const struct args *args)
{
    as_deque(args->at[0])->len = 0;
    as_deque(args->at[0])->changes++;
    return VALUE_NONE;
}

// deque.copy()
static value deque_copy(struct vm *vm, const struct args *args)
{
    return deque_like(vm, as_deque(args->at[0]));
}

// deque.rotate(n=1)
static value deque_rotate(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    int64_t n;
    if (!arg_int(vm, args, 1, 1, &n))
        return NO_VALUE;
    n = deque->len ? n % deque->len : 0;
    for (; n > 0; n--)
        deque_put(vm, deque, deque_take(deque, false), true);
    for (; n < 0; n++)
        deque_put(vm, deque, deque_take(deque, true), false);
    return VALUE_NONE;
}

// deque.reverse()
static value deque_reverse(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    for (uint32_t i = 0, j = deque->len; i + 1 < j; i++) {
        value *a = deque_at(deque, i), *b = deque_at(deque, --j), item = *a;
        *a = *b;
        *b = item;
    }
    deque->changes++;
    return VALUE_NONE;
}

// deque.count(x)
static value deque_count(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    int64_t n = 0, i = -1;
    while ((i = deque_find(vm, deque, args->at[1], i + 1, deque->len)) >= 0)
        n++;
    return vm->error ? NO_VALUE : small(n);
}

static int64_t clamp(int64_t i, uint32_t len)
{
    i = i < 0 ? i + len : i;
    return i < 0 ? 0 : i > len ? len : i;
}

// deque.index(x, start=0, stop=len)
static value deque_index(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    int64_t start, stop;
    if (!arg_int(vm, args, 2, 0, &start) || !arg_int(vm, args, 3, deque->len, &stop))
        return NO_VALUE;
    int64_t i = deque_find(vm, deque, args->at[1], clamp(start, deque->len),
                           clamp(stop, deque->len));
    if (i >= 0 || vm->error)
        return vm->error ? NO_VALUE : small(i);
    value text = value_repr(vm, args->at[1]);
    return text ? vm_raise(vm, "ValueError", "%s is not in deque", str_text(text)) : NO_VALUE;
}

// deque.insert(i, x)
static value deque_insert(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    int64_t i;
    if (!arg_int(vm, args, 1, 0, &i))
        return NO_VALUE;
    if (deque->maxlen >= 0 && deque->len >= deque->maxlen)
        return vm_raise(vm, "IndexError", "deque already at its maximum size");
    i = clamp(i, deque->len);
    deque_put(vm, deque, args->at[2], false);
    for (uint32_t k = deque->len - 1; k > i; k--)
        *deque_at(deque, k) = *deque_at(deque, k - 1);
    *deque_at(deque, (uint32_t)i) = args->at[2];
    return VALUE_NONE;
}

// deque.remove(value)
static value deque_remove(struct vm *vm, const struct args *args)
{
    struct deque *deque = as_deque(args->at[0]);
    int64_t i = deque_find(vm, deque, args->at[1], 0, deque->len);
    if (vm->error)
        return NO_VALUE;
    value text = i < 0 ? value_repr(vm, args->at[1]) : NO_VALUE;
    if (i < 0)
        return text ? vm_raise(vm, "ValueError", "%s is not in deque", str_text(text)) : NO_VALUE;
    deque_cut(deque, (uint32_t)i);
    return VALUE_NONE;
}

static value deque_maxlen(struct vm *vm, const struct args *args)
{
    int64_t maxlen = as_deque(args->at[0])->maxlen;
    return maxlen < 0 ? VALUE_NONE : small(maxlen);
}

static const struct native_def deque_methods[] = {
    {"__init__", deque_init, "self iterable=() maxlen=None", ""},
    {"__reversed__", deque_reversed, "self", ""},
    {"__copy__", deque_copy, "self", ""},
    {"append", deque_append, "self x /", "Adds at the right end."},
    {"appendleft", deque_appendleft, "self x /", "Adds at the left end."},
    {"extend", deque_extend, "self iterable /", "Adds all at the right end."},
    {"extendleft", deque_extendleft, "self iterable /",
     "Adds one after the other at the left end."},
    {"__iadd__", deque_iadd, "self value /", ""},
    {"__imul__", deque_imul, "self value /", ""},
    {"pop", deque_pop, "self", "Takes the rightmost."},
    {"popleft", deque_popleft, "self", "Takes the leftmost."},
    {"clear", deque_clear, "self", "Takes out all items."},
    {"copy", deque_copy, "self", "A new deque of the same items."},
    {"rotate", deque_rotate, "self n=1 /", "Turns by n steps to the right."},
    {"reverse", deque_reverse, "self", "Turns the order around."},
    {"count", deque_count, "self x /", "How often x occurs."},
    {"index", deque_index, "self x start=0 stop= /", "Where x first is."},
    {"insert", deque_insert, "self i x /", "Adds x before place i."},
    {"remove", deque_remove, "self value /", "Takes out the first that is equal."},
    {0}};

static const struct native_def deque_properties[] = {
    {"maxlen", deque_maxlen, "self", "Most items, or None."}, {0}};

static const struct type type_deque = {
    .object = {.type = &type_type},
    .name = "collections.deque",
    .size = sizeof(struct deque),
    .methods = deque_methods,
    .properties = deque_properties,
    .mark = deque_mark,
    .finish = deque_finish,
    .make = deque_make,
    .repr = deque_repr,
    .len = deque_len,
    .get_index = deque_get_index,
    .set_index = deque_set_index,
    .contains = deque_contains,
    .compare = deque_compare,
    .hash = unhashable,
    .binary = deque_binary,
    .iter = deque_iter,
};

static void deque_iterator_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, from_object(((struct deque_iterator *)self)->deque));
}

static value deque_iterator_self(struct vm *vm, value self)
{
    return self;
}

static value deque_iterator_next(struct vm *vm, value self)
{
    struct deque_iterator *it = (struct deque_iterator *)as_object(self);
    if (it->changes != it->deque->changes)
        return vm_raise(vm, "RuntimeError", "deque mutated during iteration");
    if (it->i >= it->deque->len)
        return NO_VALUE;
    uint32_t i = it->i++;
    return *deque_at(it->deque, it->back ? it->deque->len - 1 - i : i);
}

static const struct type type_deque_iterator = {
    .object = {.type = &type_type},
    .name = "_collections._deque_iterator",
    .size = sizeof(struct deque_iterator),
    .mark = deque_iterator_mark,
    .iter = deque_iterator_self,
    .next = deque_iterator_next,
};

static value deque_iterator(struct vm *vm, value self, bool back)
{
    struct deque_iterator *it = object_new(vm, &type_deque_iterator);
    it->deque = as_deque(self);
    it->changes = it->deque->changes;
    it->back = back;
    return from_object(it);
}

/* ==== fields of namedtuples ==== */

static value read_field(struct vm *vm, const struct args *args)
{
    size_t n, i = (uintptr_t)args->user;
    const value *items = sequence_items(args->at[0], &n);
    return items && i < n ? items[i] : vm_raise(vm, "IndexError", "tuple index out of range");
}

static const struct native_def field_def = {"field", read_field, "self /", "An item of a tuple."};

// _collections.tuplegetter(index, doc=None): a property that is an item of the tuple
static value tuplegetter(struct vm *vm, const struct args *args)
{
    int64_t i;
    if (!arg_int(vm, args, 0, 0, &i))
        return NO_VALUE;
    struct property *property = object_new(vm, &type_property);
    property->get = native_new(vm, &field_def, (void *)(uintptr_t)i);
    property->doc = arg_or(args, 1, VALUE_NONE);
    return from_object(property);
}

/* to_front(dict, key): makes a key of the dict its first one. */
static value to_front(struct vm *vm, const struct args *args)
{
    uint64_t hash;
    struct dict *dict = as_dict(args->at[0]);
    struct dict_entry *entry = value_hash(vm, args->at[1], &hash)
                                   ? dict_find(vm, dict, args->at[1], hash)
                                   : NULL;
    if (entry)
        dict_to_front(vm, dict, entry);
    return vm->error ? NO_VALUE : VALUE_NONE;
}

static const struct native_def functions[] = {
    {"to_front", to_front, "dict key /", "Makes a key of the dict its first one."},
    {"tuplegetter", tuplegetter, "index doc=None /", "A property that is an item of the tuple."},
    {0}};

static bool fill(struct vm *vm, value module)
{
    return module_set(vm, module, "deque", type_value(&type_deque)) &&
           module_set(vm, module, "defaultdict", type_value(&type_defaultdict));
}

const struct native_module module_collections = {"_collections", functions, fill};
