// SPDX-License-Identifier: MIT
/* What list and tuple share. Items are fetched anew after anything that may run Python code. */
#include "python/sequence.h"

#include <string.h>

#include "python/vm_ops.h"
#include "python/vm_state.h"

/* What an empty list points to: a list's items are never NULL. */
static const value no_items = NO_VALUE;

const value *sequence_items(value v, size_t *len)
{
    if (is_list(v)) {
        *len = as_list(v)->len;
        return as_list(v)->at ? as_list(v)->at : &no_items;
    }
    if (is_tuple(v)) {
        *len = as_tuple(v)->len;
        return as_tuple(v)->at;
    }
    *len = 0;
    return NULL;
}

bool sequence_times(struct vm *vm, value count, int64_t *times)
{
    if (int_get(count, times)) {
        *times = *times < 0 ? 0 : *times;
        return true;
    }
    if (is_int(count))
        vm_raise(vm, "OverflowError", "cannot fit 'int' into an index-sized integer");
    return false;
}

bool show_begin(struct vm *vm, value v)
{
    for (uint32_t i = 0; i < vm->showing.len; i++)
        if (vm->showing.at[i] == as_object(v))
            return false;
    vec_push(&vm->showing, as_object(v));
    return true;
}

void show_end(struct vm *vm)
{
    vm->showing.len--;
}

static bool show_items(struct vm *vm, value self, struct buf *out)
{
    size_t n;
    for (size_t i = 0; sequence_items(self, &n), i < n; i++) {
        value text = value_repr(vm, sequence_items(self, &n)[i]);
        if (!text)
            return false;
        buf_str(out, i ? ", " : "");
        buf_add(out, str_text(text), as_str(text)->len);
    }
    return true;
}

value sequence_repr(struct vm *vm, value self, const char *open, const char *close)
{
    struct buf out = {0};
    size_t n;
    value result = NO_VALUE;
    if (!show_begin(vm, self))
        return str_printf(vm, "%s...%s", open, close);
    buf_str(&out, open);
    if (show_items(vm, self, &out)) {
        sequence_items(self, &n);
        buf_str(&out, n == 1 && *open == '(' ? "," : "");
        buf_str(&out, close);
        result = str_new(vm, buf_text(&out), out.len);
    }
    buf_free(&out);
    show_end(vm);
    return result;
}

value sequence_compare(struct vm *vm, int op, value a, value b)
{
    size_t na, nb;
    sequence_items(a, &na);
    sequence_items(b, &nb);
    if (na != nb && (op == OP_EQ || op == OP_NE))
        return value_bool(op == OP_NE);
    for (size_t i = 0;; i++) {
        const value *as = sequence_items(a, &na), *bs = sequence_items(b, &nb);
        if (i >= na || i >= nb)
            return value_bool(order_holds(op, na, nb));
        value x = as[i], y = bs[i];
        bool equal;
        if (!value_equal(vm, x, y, &equal))
            return NO_VALUE;
        if (!equal)
            return op == OP_EQ   ? VALUE_FALSE
                   : op == OP_NE ? VALUE_TRUE
                                 : value_compare(vm, op, x, y);
    }
}

bool sequence_contains(struct vm *vm, value self, value item, bool *out)
{
    size_t n;
    *out = false;
    for (size_t i = 0; sequence_items(self, &n), i < n && !*out; i++)
        if (!value_equal(vm, sequence_items(self, &n)[i], item, out))
            return false;
    return true;
}

// list.index(value, start=0, stop=...), tuple.index
value sequence_index(struct vm *vm, const struct args *args)
{
    size_t n;
    int64_t start, stop;
    sequence_items(args->at[0], &n);
    if (!arg_int(vm, args, 2, 0, &start) || !arg_int(vm, args, 3, INT64_MAX, &stop))
        return NO_VALUE;
    start = start < 0 ? start + (int64_t)n : start;
    stop = stop < 0 ? stop + (int64_t)n : stop;
    for (size_t i = start < 0 ? 0 : (size_t)start;
         sequence_items(args->at[0], &n), i < n && (int64_t)i < stop; i++) {
        bool equal;
        if (!value_equal(vm, sequence_items(args->at[0], &n)[i], args->at[1], &equal))
            return NO_VALUE;
        if (equal)
            return small((int64_t)i);
    }
    value text = is_list(args->at[0]) ? value_repr(vm, args->at[1]) : NO_VALUE;
    if (is_list(args->at[0]) && !text)
        return NO_VALUE;
    return text ? vm_raise(vm, "ValueError", "%s is not in list", str_text(text))
                : vm_raise(vm, "ValueError", "tuple.index(x): x not in tuple");
}

// list.count(value), tuple.count
value sequence_count(struct vm *vm, const struct args *args)
{
    size_t n, count = 0;
    for (size_t i = 0; sequence_items(args->at[0], &n), i < n; i++) {
        bool equal;
        if (!value_equal(vm, sequence_items(args->at[0], &n)[i], args->at[1], &equal))
            return NO_VALUE;
        count += equal;
    }
    return small((int64_t)count);
}
