// SPDX-License-Identifier: MIT
/* tuple. */
#include <string.h>

#include "base/memory.h"
#include "python/sequence.h"
#include "python/types.h"
#include "python/vm_state.h"

static struct tuple *tuple_alloc(struct vm *vm, const struct type *type, size_t len)
{
    struct tuple *tuple = object_alloc_derived(vm, type,
                                               offsetof(struct tuple, at) + len * sizeof(value));
    tuple->len = (uint32_t)len;
    return tuple;
}

value tuple_new(struct vm *vm, const value *at, size_t len)
{
    struct tuple *tuple = tuple_alloc(vm, &type_tuple, len);
    for (size_t i = 0; i < len; i++)
        tuple->at[i] = at ? at[i] : VALUE_NONE;
    return from_object(tuple);
}

static void tuple_mark(struct vm *vm, struct object *self)
{
    struct tuple *tuple = (struct tuple *)self;
    for (uint32_t i = 0; i < tuple->len; i++)
        heap_mark(vm, tuple->at[i]);
}

static value tuple_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n, len = 0;
    const value *items = sequence_items(args, &n);
    if (kwargs && !type->info)
        return vm_raise(vm, "TypeError", "tuple() takes no keyword arguments");
    if (n > 1)
        return vm_raise(vm, "TypeError", "tuple expected at most 1 argument, got %zu", n);
    if (n && type == &type_tuple && is_exact(items[0], &type_tuple))
        return items[0];
    value list = n ? list_from(vm, items[0]) : NO_VALUE;
    if (n && !list)
        return NO_VALUE;
    const value *from = list ? sequence_items(list, &len) : NULL;
    struct tuple *tuple = tuple_alloc(vm, type, len);
    for (size_t i = 0; i < len; i++)
        tuple->at[i] = from[i];
    return from_object(tuple);
}

static value tuple_repr(struct vm *vm, value self)
{
    return sequence_repr(vm, self, "(", ")");
}

static bool tuple_len(struct vm *vm, value self, size_t *out)
{
    *out = as_tuple(self)->len;
    return true;
}

static value tuple_get_index(struct vm *vm, value self, value key)
{
    const struct tuple *tuple = as_tuple(self);
    size_t i, count;
    int64_t start, step;
    if (!is_exact(key, &type_slice))
        return index_of(vm, key, tuple->len, "tuple", &i) ? tuple->at[i] : NO_VALUE;
    if (!slice_indices(vm, key, tuple->len, &start, &step, &count))
        return NO_VALUE;
    struct tuple *part = tuple_alloc(vm, &type_tuple, count);
    for (size_t k = 0; k < count; k++)
        part->at[k] = tuple->at[start + (int64_t)k * step];
    return from_object(part);
}

static value tuple_compare(struct vm *vm, int op, value a, value b)
{
    return is_tuple(b) ? sequence_compare(vm, op, a, b) : VALUE_NOT_IMPLEMENTED;
}

static value repeat(struct vm *vm, value v, value count)
{
    size_t n = as_tuple(v)->len;
    int64_t times;
    if (!sequence_times(vm, count, &times))
        return vm->error ? NO_VALUE : VALUE_NOT_IMPLEMENTED;
    if (n && (uint64_t)times > UINT32_MAX / n)
        return vm_raise(vm, "MemoryError", "the tuple would be too long");
    struct tuple *result = tuple_alloc(vm, &type_tuple, n * (size_t)times);
    memory_repeat(result->at, as_tuple(v)->at, n * sizeof(value), (size_t)times);
    return from_object(result);
}

static value tuple_binary(struct vm *vm, int op, value a, value b)
{
    if (op == OP_ADD && is_tuple(a) && is_tuple(b)) {
        uint32_t na = as_tuple(a)->len, nb = as_tuple(b)->len;
        struct tuple *sum = tuple_alloc(vm, &type_tuple, (size_t)na + nb);
        memcpy(sum->at, as_tuple(a)->at, na * sizeof(value));
        memcpy(sum->at + na, as_tuple(b)->at, nb * sizeof(value));
        return from_object(sum);
    }
    if (op != OP_MUL)
        return VALUE_NOT_IMPLEMENTED;
    return is_tuple(a) ? repeat(vm, a, b) : repeat(vm, b, a);
}

/* As in CPython: xxHash with whole hashes for lanes. */
static bool tuple_hash(struct vm *vm, value self, uint64_t *out)
{
    const uint64_t prime1 = 11400714785074694791u, prime2 = 14029467366897019727u,
                   prime5 = 2870177450012600261u;
    const struct tuple *tuple = as_tuple(self);
    uint64_t hash = prime5;
    if (vm_too_deep(vm))
        return false;
    for (uint32_t i = 0; i < tuple->len; i++) {
        uint64_t lane;
        if (!value_hash(vm, tuple->at[i], &lane))
            return false;
        hash += lane * prime2;
        hash = (hash << 31 | hash >> 33) * prime1;
    }
    hash += tuple->len ^ (prime5 ^ 3527539);
    *out = hash == UINT64_MAX ? 1546275796 : hash;
    return true;
}

static value tuple_iter(struct vm *vm, value self)
{
    return from_object(iterator_new(vm, ITER_TUPLE, self));
}

static const struct native_def tuple_methods[] = {
    {"index", sequence_index, "self value start=0 stop=9223372036854775807 /",
     "Where value first is."},
    {"count", sequence_count, "self value /", "How often value occurs."},
    {0}};

const struct type type_tuple = {
    .object = {.type = &type_type},
    .name = "tuple",
    .size = sizeof(struct tuple),
    .methods = tuple_methods,
    .mark = tuple_mark,
    .make = tuple_make,
    .repr = tuple_repr,
    .len = tuple_len,
    .get_index = tuple_get_index,
    .compare = tuple_compare,
    .binary = tuple_binary,
    .hash = tuple_hash,
    .iter = tuple_iter,
    .contains = sequence_contains,
};
