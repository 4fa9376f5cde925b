// SPDX-License-Identifier: MIT
/* range, of numbers that fit 62 bits. */
#include "python/numbers.h"
#include "python/types.h"
#include "python/vm_state.h"

static const struct range *as_range(value v)
{
    return (const struct range *)as_object(v);
}

static value range_new(struct vm *vm, int64_t start, int64_t stop, int64_t step, int64_t len)
{
    struct range *range = object_alloc(vm, &type_range, sizeof *range);
    range->start = start;
    range->stop = stop;
    range->step = step;
    range->len = len;
    return from_object(range);
}

static bool range_number(struct vm *vm, value v, int64_t *out)
{
    value index = int_index(vm, v);
    if (!index)
        return false;
    if (!int_get(index, out) || *out > INT64_MAX / 4 || *out < INT64_MIN / 4)
        return vm_raise(vm, "OverflowError",
                        "range() numbers of more than 62 bits are not supported");
    return true;
}

static value range_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    int64_t start = 0, stop, step = 1;
    if (n < 1 || n > 3)
        return vm_raise(vm, "TypeError", "range expected %s, got %zu",
                        n ? "at most 3 arguments" : "at least 1 argument", n);
    if (!range_number(vm, items[n > 1], &stop) || (n > 1 && !range_number(vm, items[0], &start)) ||
        (n > 2 && !range_number(vm, items[2], &step)))
        return NO_VALUE;
    if (!step)
        return vm_raise(vm, "ValueError", "range() arg 3 must not be zero");
    int64_t len = step > 0 ? (start < stop ? (stop - start - 1) / step + 1 : 0)
                           : (stop < start ? (start - stop - 1) / -step + 1 : 0);
    return range_new(vm, start, stop, step, len);
}

static value range_repr(struct vm *vm, value self)
{
    const struct range *range = as_range(self);
    long long start = range->start, stop = range->stop, step = range->step;
    return step == 1 ? str_printf(vm, "range(%lld, %lld)", start, stop)
                     : str_printf(vm, "range(%lld, %lld, %lld)", start, stop, step);
}

static bool range_len(struct vm *vm, value self, size_t *out)
{
    *out = (size_t)as_range(self)->len;
    return true;
}

static value range_get_index(struct vm *vm, value self, value key)
{
    const struct range *range = as_range(self);
    size_t i;
    struct slice_bounds b;
    if (!is_exact(key, &type_slice))
        return index_of(vm, key, (size_t)range->len, "range object", &i)
                   ? small(range->start + (int64_t)i * range->step)
                   : NO_VALUE;
    if (!slice_bounds(vm, key, (size_t)range->len, &b))
        return NO_VALUE;
    return range_new(vm, range->start + b.start * range->step, range->start + b.stop * range->step,
                     range->step * b.step, (int64_t)b.count);
}

/* Which one equals item, -1: none; false: raised. */
static bool range_find(struct vm *vm, value self, value item, int64_t *at)
{
    const struct range *range = as_range(self);
    int64_t i;
    bool same = false;
    *at = -1;
    if (is_exact(item, &type_int) || is_exact(item, &type_str))
        return true;
    if (int_get(item, &i) && !(is_object(item) && type_of(item)->info)) {
        int64_t from = i - range->start;
        if (from % range->step == 0 && from / range->step >= 0 && from / range->step < range->len)
            *at = from / range->step;
        return true;
    }
    for (i = 0; i < range->len; i++) {
        if (!value_equal(vm, small(range->start + i * range->step), item, &same))
            return false;
        if (same) {
            *at = i;
            return true;
        }
    }
    return true;
}

static bool range_contains(struct vm *vm, value self, value item, bool *out)
{
    int64_t at;
    bool done = range_find(vm, self, item, &at);
    *out = done && at >= 0;
    return done;
}

static value range_compare(struct vm *vm, int op, value a, value b)
{
    if (!is_exact(b, &type_range) || (op != OP_EQ && op != OP_NE))
        return VALUE_NOT_IMPLEMENTED;
    const struct range *x = as_range(a), *y = as_range(b);
    bool same = x->len == y->len &&
                (!x->len || (x->start == y->start && (x->len == 1 || x->step == y->step)));
    return value_bool(same == (op == OP_EQ));
}

static bool range_hash(struct vm *vm, value self, uint64_t *out)
{
    const struct range *range = as_range(self);
    const value of[] = {small(range->len), range->len ? small(range->start) : VALUE_NONE,
                        range->len > 1 ? small(range->step) : VALUE_NONE};
    return value_hash(vm, tuple_new(vm, of, 3), out);
}

static value range_iter(struct vm *vm, value self)
{
    const struct range *range = as_range(self);
    struct iterator *it = iterator_new(vm, ITER_RANGE, self);
    it->pos = range->start;
    it->step = range->step;
    it->left = range->len;
    return from_object(it);
}

static value range_get_attr(struct vm *vm, value self, sym_t name)
{
    const struct range *range = as_range(self);
    if (name == vm->sym.start)
        return small(range->start);
    if (name == vm->sym.stop)
        return small(range->stop);
    return name == vm->sym.step ? small(range->step) : NO_VALUE;
}

// range.index(value)
static value range_index(struct vm *vm, const struct args *args)
{
    int64_t at;
    if (!range_find(vm, args->at[0], args->at[1], &at))
        return NO_VALUE;
    if (at >= 0)
        return small(at);
    if (!is_int(args->at[1]) && args->at[1] != VALUE_TRUE && args->at[1] != VALUE_FALSE)
        return vm_raise(vm, "ValueError", "sequence.index(x): x not in sequence");
    value text = value_repr(vm, args->at[1]);
    return text ? vm_raise(vm, "ValueError", "%s is not in range", str_text(text)) : NO_VALUE;
}

// range.count(value)
static value range_count(struct vm *vm, const struct args *args)
{
    bool in;
    return range_contains(vm, args->at[0], args->at[1], &in) ? small(in) : NO_VALUE;
}

// range.__reversed__()
static value range_reversed(struct vm *vm, const struct args *args)
{
    const struct range *range = as_range(args->at[0]);
    int64_t last = range->start + (range->len - 1) * range->step;
    return range_iter(vm,
                      range_new(vm, last, range->start - range->step, -range->step, range->len));
}

static const struct native_def range_methods[] = {
    {"index", range_index, "self value /", "Where value is."},
    {"count", range_count, "self value /", "How often value occurs."},
    {"__reversed__", range_reversed, "self", ""},
    {0}};

const struct type type_range = {
    .object = {.type = &type_type},
    .name = "range",
    .size = sizeof(struct range),
    .methods = range_methods,
    .make = range_make,
    .repr = range_repr,
    .len = range_len,
    .get_index = range_get_index,
    .contains = range_contains,
    .compare = range_compare,
    .hash = range_hash,
    .iter = range_iter,
    .get_attr = range_get_attr,
};
