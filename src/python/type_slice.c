// SPDX-License-Identifier: MIT
/* slice, and indices in general. */
#include "python/numbers.h"
#include "python/types.h"
#include "python/vm_ops.h"
#include "python/vm_state.h"

static void slice_mark(struct vm *vm, struct object *self)
{
    struct slice *slice = (struct slice *)self;
    heap_mark(vm, slice->start);
    heap_mark(vm, slice->stop);
    heap_mark(vm, slice->step);
}

/* One of a slice's numbers: None gives otherwise; numbers beyond 64 bits are as good as the
 * ends. */
static bool slice_number(struct vm *vm, value v, int64_t otherwise, int64_t *out)
{
    *out = otherwise;
    if (v == VALUE_NONE)
        return true;
    value index = int_index_find(vm, v);
    bool negative;
    if (index && int_get(index, out))
        return true;
    if (index && value_less(vm, index, small(0), &negative)) {
        *out = negative ? INT64_MIN / 2 : INT64_MAX / 2;
        return true;
    }
    return vm->error
               ? false
               : vm_raise(vm, "TypeError",
                          "slice indices must be integers or None or have an __index__ method");
}

static int64_t clamp(int64_t i, int64_t n, int64_t low, int64_t high)
{
    i = i < 0 ? i + n : i;
    return i < low ? low : i > high ? high : i;
}

bool slice_bounds(struct vm *vm, value v, size_t len, struct slice_bounds *out)
{
    const struct slice *slice = (const struct slice *)as_object(v);
    int64_t n = (int64_t)len, start, stop, step;
    if (!slice_number(vm, slice->step, 1, &step))
        return false;
    if (!step)
        return vm_raise(vm, "ValueError", "slice step cannot be zero");
    bool back = step < 0;
    int64_t low = back ? -1 : 0, high = back ? n - 1 : n;
    if (!slice_number(vm, slice->start, 0, &start) || !slice_number(vm, slice->stop, 0, &stop))
        return false;
    out->step = step;
    out->start = slice->start == VALUE_NONE ? (back ? high : low) : clamp(start, n, low, high);
    out->stop = slice->stop == VALUE_NONE ? (back ? low : high) : clamp(stop, n, low, high);
    int64_t span = back ? out->start - out->stop : out->stop - out->start;
    out->count = span > 0 ? ((size_t)span - 1) / (back ? -(size_t)step : (size_t)step) + 1 : 0;
    return true;
}

bool slice_indices(struct vm *vm, value v, size_t len, int64_t *start, int64_t *step, size_t *count)
{
    struct slice_bounds b;
    if (!slice_bounds(vm, v, len, &b))
        return false;
    /* a longer step leads out all the same, and start + step is a number */
    int64_t most = (int64_t)len + 2;
    *start = b.start;
    *step = b.step > most ? most : b.step < -most ? -most : b.step;
    *count = b.count;
    return true;
}

bool index_of(struct vm *vm, value key, size_t n, const char *what, size_t *out)
{
    int64_t i;
    if (!int_get(key, &i)) {
        value index = int_index_find(vm, key);
        if (vm->error)
            return false;
        if (!index)
            return vm_raise(vm, "TypeError", "%s indices must be integers or slices, not %s",
                            *what == 'l' ? "list" : what, type_name(key));
        if (!int_get(index, &i))
            return vm_raise(vm, "IndexError", "cannot fit '%s' into an index-sized integer",
                            type_name(key));
    }
    i = i < 0 ? i + (int64_t)n : i;
    if (i < 0 || i >= (int64_t)n)
        return vm_raise(vm, "IndexError", "%s index out of range", what);
    *out = (size_t)i;
    return true;
}

static bool number_ask(struct vm *vm, value *number)
{
    value index = is_small(*number) || *number == VALUE_NONE ? NO_VALUE
                                                             : int_index_find(vm, *number);
    *number = index ? index : *number;
    return !vm->error;
}

bool index_ask(struct vm *vm, value *key)
{
    if (!is_exact(*key, &type_slice))
        return number_ask(vm, key);
    const struct slice *slice = (const struct slice *)as_object(*key);
    value at[3] = {slice->start, slice->stop, slice->step};
    if (!number_ask(vm, &at[0]) || !number_ask(vm, &at[1]) || !number_ask(vm, &at[2]))
        return false;
    if (at[0] != slice->start || at[1] != slice->stop || at[2] != slice->step)
        *key = build_slice(vm, at);
    return true;
}

static value slice_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (n < 1 || n > 3)
        return vm_raise(vm, "TypeError", "slice expected at %s, got %zu",
                        n ? "most 3 arguments" : "least 1 argument", n);
    struct slice *slice = object_new(vm, type);
    slice->start = n > 1 ? items[0] : VALUE_NONE;
    slice->stop = n > 1 ? items[1] : items[0];
    slice->step = n > 2 ? items[2] : VALUE_NONE;
    return from_object(slice);
}

static value slice_repr(struct vm *vm, value self)
{
    const struct slice *slice = (const struct slice *)as_object(self);
    value start = value_repr(vm, slice->start);
    value stop = start ? value_repr(vm, slice->stop) : NO_VALUE;
    value step = stop ? value_repr(vm, slice->step) : NO_VALUE;
    return step ? str_printf(vm, "slice(%s, %s, %s)", str_text(start), str_text(stop),
                             str_text(step))
                : NO_VALUE;
}

static value three_of(struct vm *vm, value self)
{
    const struct slice *slice = (const struct slice *)as_object(self);
    return tuple_new(vm, (value[]){slice->start, slice->stop, slice->step}, 3);
}

static value slice_compare(struct vm *vm, int op, value a, value b)
{
    return is_exact(b, &type_slice) ? value_compare(vm, op, three_of(vm, a), three_of(vm, b))
                                    : VALUE_NOT_IMPLEMENTED;
}

static bool slice_hash(struct vm *vm, value self, uint64_t *out)
{
    return value_hash(vm, three_of(vm, self), out);
}

static value slice_get_attr(struct vm *vm, value self, sym_t name)
{
    const struct slice *slice = (const struct slice *)as_object(self);
    return name == vm->sym.start  ? slice->start
           : name == vm->sym.stop ? slice->stop
           : name == vm->sym.step ? slice->step
                                  : NO_VALUE;
}

// slice.indices(len)
static value slice_indices_method(struct vm *vm, const struct args *args)
{
    int64_t n;
    struct slice_bounds b;
    if (!arg_int(vm, args, 1, 0, &n))
        return NO_VALUE;
    if (n < 0)
        return vm_raise(vm, "ValueError", "length should not be negative");
    if (!slice_bounds(vm, args->at[0], (size_t)n, &b))
        return NO_VALUE;
    value items[] = {small(b.start), small(b.stop), small(b.step)};
    return tuple_new(vm, items, 3);
}

static const struct native_def slice_methods[] = {
    {"indices", slice_indices_method, "self len /",
     "Start, stop and step for a sequence of that length."},
    {0}};

const struct type type_slice = {
    .object = {.type = &type_type},
    .name = "slice",
    .size = sizeof(struct slice),
    .methods = slice_methods,
    .mark = slice_mark,
    .make = slice_make,
    .repr = slice_repr,
    .compare = slice_compare,
    .hash = slice_hash,
    .get_attr = slice_get_attr,
};
