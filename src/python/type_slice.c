// SPDX-License-Identifier: MIT
/* slice, and indices in general. */
#include "python/types.h"
#include "python/vm_state.h"

static void slice_mark(struct vm *vm, struct object *self)
{
    struct slice *slice = (struct slice *)self;
    heap_mark(vm, slice->start);
    heap_mark(vm, slice->stop);
    heap_mark(vm, slice->step);
}

/* One of a slice's numbers: None gives otherwise; numbers beyond 64 bits are as good as the ends. */
static bool slice_number(struct vm *vm, value v, int64_t otherwise, int64_t *out)
{
    *out = otherwise;
    if (v == VALUE_NONE)
        return true;
    if (!int_get(v, out) && is_int(v)) {
        bool negative;
        if (!value_less(vm, v, small(0), &negative))
            return false;
        *out = negative ? INT64_MIN / 2 : INT64_MAX / 2;
        return true;
    }
    if (int_get(v, out))
        return true;
    value index = value_attr_find(vm, v, vm->sym.__index__);
    index = index ? vm_call0(vm, index) : NO_VALUE;
    if (index && int_get(index, out))
        return true;
    return vm->error ? false
                     : vm_raise(vm, "TypeError", "slice indices must be integers or None or have an __index__ method");
}

static int64_t clamp(int64_t i, int64_t n, int64_t low, int64_t high)
{
    i = i < 0 ? i + n : i;
    return i < low ? low : i > high ? high : i;
}

bool slice_indices(struct vm *vm, value v, size_t len, int64_t *start, int64_t *step, size_t *count)
{
    const struct slice *slice = (const struct slice *)as_object(v);
    int64_t n = (int64_t)len, stop;
    if (!slice_number(vm, slice->step, 1, step))
        return false;
    if (!*step)
        return vm_raise(vm, "ValueError", "slice step cannot be zero");
    bool back = *step < 0;
    int64_t low = back ? -1 : 0, high = back ? n - 1 : n;
    if (!slice_number(vm, slice->start, 0, start) || !slice_number(vm, slice->stop, 0, &stop))
        return false;
    *start = slice->start == VALUE_NONE ? (back ? high : low) : clamp(*start, n, low, high);
    stop = slice->stop == VALUE_NONE ? (back ? low : high) : clamp(stop, n, low, high);
    if (back)
        *count = stop < *start ? (size_t)((*start - stop - 1) / -*step + 1) : 0;
    else
        *count = *start < stop ? (size_t)((stop - *start - 1) / *step + 1) : 0;
    return true;
}

bool index_of(struct vm *vm, value key, size_t n, const char *what, size_t *out)
{
    int64_t i;
    if (!int_get(key, &i)) {
        value index = is_int(key) ? NO_VALUE : value_attr_find(vm, key, vm->sym.__index__);
        if (index && !(index = vm_call0(vm, index)))
            return false;
        if (vm->error)
            return false;
        if (is_int(key))
            return vm_raise(vm, "IndexError", "cannot fit 'int' into an index-sized integer");
        if (!index || !int_get(index, &i))
            return vm_raise(vm, "TypeError", "%s indices must be integers or slices, not %s",
                            *what == 'l' ? "list" : what, type_name(key));
    }
    i = i < 0 ? i + (int64_t)n : i;
    if (i < 0 || i >= (int64_t)n)
        return vm_raise(vm, "IndexError", "%s index out of range", what);
    *out = (size_t)i;
    return true;
}

static value slice_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (n < 1 || n > 3)
        return vm_raise(vm, "TypeError", "slice expected 1 to 3 arguments, got %zu", n);
    struct slice *slice = object_new(vm, type);
    slice->start = n > 1 ? items[0] : VALUE_NONE;
    slice->stop = n > 1 ? items[1] : items[0];
    slice->step = n > 2 ? items[2] : VALUE_NONE;
    return from_object(slice);
}

static value slice_repr(struct vm *vm, value self)
{
    const struct slice *slice = (const struct slice *)as_object(self);
    value start = value_repr(vm, slice->start), stop = value_repr(vm, slice->stop), step = value_repr(vm, slice->step);
    return start && stop && step ? str_printf(vm, "slice(%s, %s, %s)", str_text(start), str_text(stop), str_text(step))
                                 : NO_VALUE;
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
    int64_t n, start, step;
    size_t count;
    if (!arg_int(vm, args, 1, 0, &n) || !slice_indices(vm, args->at[0], (size_t)n, &start, &step, &count))
        return NO_VALUE;
    value items[] = {small(start), small(start + (int64_t)count * step), small(step)};
    return tuple_new(vm, items, 3);
}

static const struct native_def slice_methods[] = {
    {"indices", slice_indices_method, "self len /", "Start, stop and step for a sequence of that length."}, {0}};

const struct type type_slice = {
    .object = {.type = &type_type},
    .name = "slice",
    .size = sizeof(struct slice),
    .methods = slice_methods,
    .mark = slice_mark,
    .make = slice_make,
    .repr = slice_repr,
    .get_attr = slice_get_attr,
};
