// SPDX-License-Identifier: MIT
/* list. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "python/sequence.h"
#include "python/types.h"
#include "python/vm_state.h"

/* ---- the array ---- */

static void reserve(struct vm *vm, struct list *list, size_t need)
{
    if (need <= list->cap)
        return;
    uint32_t before = list->cap, cap = before < 4 ? 4 : before + before / 2;
    list->cap = cap < need ? (uint32_t)need : cap;
    list->at = memory_resized(list->at, list->cap, sizeof *list->at);
    heap_owns(vm, (int64_t)((list->cap - before) * sizeof *list->at));
}

value list_new(struct vm *vm, const value *at, size_t len)
{
    struct list *list = object_alloc(vm, &type_list, sizeof *list);
    list->at = NULL;
    list->len = list->cap = 0;
    if (len) {
        reserve(vm, list, len);
        for (size_t i = 0; i < len; i++)
            list->at[i] = at ? at[i] : VALUE_NONE;
        list->len = (uint32_t)len;
    }
    return from_object(list);
}

void list_push(struct vm *vm, value v, value item)
{
    struct list *list = as_list(v);
    if (list->len == list->cap)
        reserve(vm, list, list->len + 1);
    list->at[list->len++] = item;
}

bool list_extend(struct vm *vm, value v, value iterable)
{
    struct list *list = as_list(v);
    if (is_exact(iterable, &type_list) || is_exact(iterable, &type_tuple)) {
        size_t n;
        sequence_items(iterable, &n);
        reserve(vm, list, list->len + n);
        const value *items = sequence_items(iterable, &n);
        if (n)
            memmove(list->at + list->len, items, n * sizeof *items);
        list->len += (uint32_t)n;
        return true;
    }
    struct iter it;
    if (!iter_open(vm, iterable, &it))
        return false;
    for (value item; (item = iter_next(vm, &it));)
        list_push(vm, v, item);
    return !vm->error;
}

static void list_splice(struct vm *vm, struct list *list, size_t at, size_t drop,
                        const value *items, size_t n)
{
    size_t tail = list->len - at - drop;
    reserve(vm, list, list->len - drop + n);
    if (tail)
        memmove(list->at + at + n, list->at + at + drop, tail * sizeof *list->at);
    if (n)
        memcpy(list->at + at, items, n * sizeof *items);
    list->len = (uint32_t)(at + n + tail);
}

static void list_mark(struct vm *vm, struct object *self)
{
    struct list *list = (struct list *)self;
    for (uint32_t i = 0; i < list->len; i++)
        heap_mark(vm, list->at[i]);
}

static void list_finish(struct vm *vm, struct object *self)
{
    struct list *list = (struct list *)self;
    heap_owns(vm, -(int64_t)(list->cap * sizeof *list->at));
    free(list->at);
}

/* ---- slots ---- */

static value list_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (kwargs && !type->info)
        return vm_raise(vm, "TypeError", "list() takes no keyword arguments");
    if (n > 1)
        return vm_raise(vm, "TypeError", "list expected at most 1 argument, got %zu", n);
    value list = from_object(object_new(vm, type));
    return !n || list_extend(vm, list, items[0]) ? list : NO_VALUE;
}

static value list_repr(struct vm *vm, value self)
{
    return sequence_repr(vm, self, "[", "]");
}

static bool list_len(struct vm *vm, value self, size_t *out)
{
    *out = as_list(self)->len;
    return true;
}

static value list_get_index(struct vm *vm, value self, value key)
{
    const struct list *list = as_list(self);
    size_t i, count;
    int64_t start, step;
    if (!index_settle(vm, &key))
        return NO_VALUE;
    if (!is_exact(key, &type_slice))
        return index_of(vm, key, list->len, "list", &i) ? list->at[i] : NO_VALUE;
    if (!slice_indices(vm, key, list->len, &start, &step, &count))
        return NO_VALUE;
    if (step == 1)
        return list_new(vm, count ? list->at + start : NULL, count);
    value part = list_new(vm, NULL, count);
    for (size_t k = 0; k < count; k++)
        as_list(part)->at[k] = list->at[start + (int64_t)k * step];
    return part;
}

static bool delete_slice(struct vm *vm, struct list *list, int64_t start, int64_t step,
                         size_t count)
{
    if (step == 1) {
        list_splice(vm, list, count ? (size_t)start : 0, count, NULL, 0);
        return true;
    }
    if (step < 0 && count) {
        start += (int64_t)(count - 1) * step;
        step = -step;
    }
    uint32_t to = 0;
    size_t gone = 0;
    for (uint32_t i = 0; i < list->len; i++)
        if (gone < count && (int64_t)i == start + (int64_t)gone * step)
            gone++;
        else
            list->at[to++] = list->at[i];
    list->len = to;
    return true;
}

static bool set_slice(struct vm *vm, struct list *list, value key, value item)
{
    size_t count, n;
    int64_t start, step;
    if (!slice_indices(vm, key, list->len, &start, &step, &count))
        return false;
    if (!item)
        return delete_slice(vm, list, start, step, count);
    if (!value_iterable(item))
        return vm_raise(vm, "TypeError",
                        step == 1 ? "can only assign an iterable"
                                  : "must assign iterable to extended slice");
    value source = list_from(vm, item);
    if (!source)
        return false;
    const value *items = sequence_items(source, &n);
    if (step == 1) {
        size_t at = list->len < start ? list->len : (size_t)start; /* item may have taken some */
        list_splice(vm, list, at, list->len - at < count ? list->len - at : count, items, n);
        return true;
    }
    if (n != count)
        return vm_raise(vm, "ValueError",
                        "attempt to assign sequence of size %zu to extended slice of size %zu", n,
                        count);
    for (size_t k = 0; k < count; k++)
        list->at[start + (int64_t)k * step] = items[k];
    return true;
}

static bool list_set_index(struct vm *vm, value self, value key, value item)
{
    struct list *list = as_list(self);
    size_t i;
    if (!index_settle(vm, &key))
        return false;
    if (is_exact(key, &type_slice))
        return set_slice(vm, list, key, item);
    if (!index_of(vm, key, list->len, "list assignment", &i))
        return false;
    if (item)
        list->at[i] = item;
    else
        list_splice(vm, list, i, 1, NULL, 0);
    return true;
}

static value list_compare(struct vm *vm, int op, value a, value b)
{
    return is_list(b) ? sequence_compare(vm, op, a, b) : VALUE_NOT_IMPLEMENTED;
}

static value repeat(struct vm *vm, value list, value count)
{
    size_t n = as_list(list)->len;
    int64_t times;
    if (!sequence_times(vm, count, &times))
        return vm->error ? NO_VALUE : VALUE_NOT_IMPLEMENTED;
    if (n && (uint64_t)times > UINT32_MAX / n)
        return vm_raise(vm, "MemoryError", "the list would be too long");
    value result = list_new(vm, NULL, n * (size_t)times);
    memory_repeat(as_list(result)->at, as_list(list)->at, n * sizeof(value), (size_t)times);
    return result;
}

static value list_binary(struct vm *vm, int op, value a, value b)
{
    if (op == OP_ADD && is_list(a) && is_list(b)) {
        value sum = list_new(vm, as_list(a)->at, as_list(a)->len);
        size_t n;
        const value *items = sequence_items(b, &n);
        list_splice(vm, as_list(sum), as_list(sum)->len, 0, items, n);
        return sum;
    }
    if (op != OP_MUL)
        return VALUE_NOT_IMPLEMENTED;
    return is_list(a) ? repeat(vm, a, b) : repeat(vm, b, a);
}

// list.__iadd__(iterable)
static value list_iadd(struct vm *vm, const struct args *args)
{
    return list_extend(vm, args->at[0], args->at[1]) ? args->at[0] : NO_VALUE;
}

// list.__imul__(times)
static value list_imul(struct vm *vm, const struct args *args)
{
    value product = list_binary(vm, OP_MUL, args->at[0], args->at[1]);
    if (!product || product == VALUE_NOT_IMPLEMENTED)
        return product;
    struct list *list = as_list(args->at[0]);
    list_splice(vm, list, 0, list->len, as_list(product)->at, as_list(product)->len);
    return args->at[0];
}

static value list_iter(struct vm *vm, value self)
{
    return from_object(iterator_new(vm, ITER_LIST, self));
}

/* ---- methods ---- */

// list.__init__(iterable=())
static value list_init(struct vm *vm, const struct args *args)
{
    as_list(args->at[0])->len = 0;
    return !arg_given(args, 1) || list_extend(vm, args->at[0], args->at[1]) ? VALUE_NONE : NO_VALUE;
}

// list.append(object)
static value list_append(struct vm *vm, const struct args *args)
{
    list_push(vm, args->at[0], args->at[1]);
    return VALUE_NONE;
}

// list.extend(iterable)
static value list_extend_method(struct vm *vm, const struct args *args)
{
    return list_extend(vm, args->at[0], args->at[1]) ? VALUE_NONE : NO_VALUE;
}

// list.insert(index, object)
static value list_insert(struct vm *vm, const struct args *args)
{
    struct list *list = as_list(args->at[0]);
    int64_t i;
    if (!arg_int(vm, args, 1, 0, &i))
        return NO_VALUE;
    i = i < 0 ? i + list->len : i;
    i = i < 0 ? 0 : i > list->len ? list->len : i;
    list_splice(vm, list, (size_t)i, 0, &args->at[2], 1);
    return VALUE_NONE;
}

// list.pop(index=-1)
static value list_pop(struct vm *vm, const struct args *args)
{
    struct list *list = as_list(args->at[0]);
    value key = arg_or(args, 1, small(-1));
    size_t i;
    if (!index_settle(vm, &key))
        return NO_VALUE;
    if (!list->len)
        return vm_raise(vm, "IndexError", "pop from empty list");
    if (!index_of(vm, key, list->len, "pop", &i))
        return NO_VALUE;
    value item = list->at[i];
    list_splice(vm, list, i, 1, NULL, 0);
    return item;
}

// list.remove(value)
static value list_remove(struct vm *vm, const struct args *args)
{
    struct list *list = as_list(args->at[0]);
    for (uint32_t i = 0; i < list->len; i++) {
        bool equal;
        if (!value_equal(vm, list->at[i], args->at[1], &equal))
            return NO_VALUE;
        if (equal && i < list->len) {
            list_splice(vm, list, i, 1, NULL, 0);
            return VALUE_NONE;
        }
    }
    return vm_raise(vm, "ValueError", "list.remove(x): x not in list");
}

// list.clear()
static value list_clear(struct vm *vm, const struct args *args)
{
    as_list(args->at[0])->len = 0;
    return VALUE_NONE;
}

// list.copy()
static value list_copy(struct vm *vm, const struct args *args)
{
    return list_new(vm, as_list(args->at[0])->at, as_list(args->at[0])->len);
}

// list.reverse()
static value list_reverse(struct vm *vm, const struct args *args)
{
    struct list *list = as_list(args->at[0]);
    for (uint32_t i = 0, j = list->len; i + 1 < j; i++) {
        value item = list->at[i];
        list->at[i] = list->at[--j];
        list->at[j] = item;
    }
    return VALUE_NONE;
}

// list.sort(*, key=None, reverse=False)
static value list_sort_method(struct vm *vm, const struct args *args)
{
    bool reverse;
    if (!arg_bool(vm, args, 2, false, &reverse))
        return NO_VALUE;
    return list_sort(vm, args->at[0], arg_or(args, 1, VALUE_NONE), reverse) ? VALUE_NONE : NO_VALUE;
}

static const struct native_def list_methods[] = {
    {"__init__", list_init, "self iterable=() /", ""},
    {"__iadd__", list_iadd, "self value /", ""},
    {"__imul__", list_imul, "self value /", ""},
    {"append", list_append, "self object /", "Adds an item at the end."},
    {"extend", list_extend_method, "self iterable /", "Adds all items of an iterable."},
    {"insert", list_insert, "self index object /", "Adds an item before index."},
    {"pop", list_pop, "self index=-1 /", "Takes an item out and returns it."},
    {"remove", list_remove, "self value /", "Takes out the first item equal to value."},
    {"clear", list_clear, "self", "Takes out all items."},
    {"copy", list_copy, "self", "A new list of the same items."},
    {"reverse", list_reverse, "self", "Turns the order around."},
    {"sort", list_sort_method, "self * key=None reverse=False", "Sorts in place, stable."},
    {"index", sequence_index, "self value start=0 stop=9223372036854775807 /",
     "Where value first is."},
    {"count", sequence_count, "self value /", "How often value occurs."},
    {0}};

const struct type type_list = {
    .object = {.type = &type_type},
    .name = "list",
    .size = sizeof(struct list),
    .methods = list_methods,
    .mark = list_mark,
    .finish = list_finish,
    .make = list_make,
    .repr = list_repr,
    .len = list_len,
    .get_index = list_get_index,
    .set_index = list_set_index,
    .compare = list_compare,
    .binary = list_binary,
    .hash = unhashable,
    .iter = list_iter,
    .contains = sequence_contains,
};
