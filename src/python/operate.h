// SPDX-License-Identifier: MIT
/* operate.h: operations on any value, as Python's operators and builtins of that name. What gives a
 * value or a bool returns NO_VALUE or false after raising, unless said otherwise. */
#pragma once

#include "python/value.h"

bool value_truth(struct vm *vm, value v, bool *out); /* false: raised */
/* a == b. False: raised. */
bool value_equal(struct vm *vm, value a, value b, bool *out);
/* hash(v). False: raised. */
bool value_hash(struct vm *vm, value v, uint64_t *out);
/* The slot of types whose objects have no hash: TypeError. */
bool unhashable(struct vm *vm, value self, uint64_t *out);
/* a < b. False: raised. */
bool value_less(struct vm *vm, value a, value b, bool *out);
value value_str(struct vm *vm, value v);  /* str(v) */
value value_repr(struct vm *vm, value v); /* repr(v) */
bool value_len(struct vm *vm, value v, size_t *out);
value value_attr(struct vm *vm, value v, sym_t name); /* raises AttributeError */
/* NO_VALUE and nothing raised if absent */
value value_attr_find(struct vm *vm, value v, sym_t name);
/* The method that v's class has under a special name, bound to v; NO_VALUE without an error if
 * there is none. */
value attr_special(struct vm *vm, value v, sym_t name);
/* v.name = item; NO_VALUE as item: del v.name. False: raised. */
bool value_set_attr(struct vm *vm, value v, sym_t name, value item);
value value_index(struct vm *vm, value v, value key); /* v[key] */
/* v[key] = item; NO_VALUE as item: del v[key]. False: raised. */
bool value_set_index(struct vm *vm, value v, value key, value item);
/* item in container. False: raised. */
bool value_contains(struct vm *vm, value container, value item, bool *out);
/* callable(v) */
bool value_callable(value v);
/* a op b for ADD..BITXOR; in_place: as += and its relatives do. */
value value_binary(struct vm *vm, int op, value a, value b);
value value_inplace(struct vm *vm, int op, value a, value b);
/* What one type alone says of a op b, which may be either side's (a's, for comparing): perhaps
 * NotImplemented. */
value value_binary_by(struct vm *vm, const struct type *type, int op, value a, value b);
value value_compare_by(struct vm *vm, const struct type *type, int op, value a, value b);
/* NEG POS INVERT NOT. */
value value_unary(struct vm *vm, int op, value v);
/* EQ..GE as Python's rich comparison gives it. */
value value_compare(struct vm *vm, int op, value a, value b);
/* format(v, spec), a str; spec a str or NO_VALUE. */
value value_format(struct vm *vm, value v, value spec);
/* iter(v), and the next item: NO_VALUE with nothing raised at the end. */
value value_iter(struct vm *vm, value v);
/* Whether value_iter knows what to do with it. */
bool value_iterable(value v);
/* next(iterator); NO_VALUE at the end, or raised (vm->error). */
value value_next(struct vm *vm, value iterator);
/* The name of v's type, for messages. */
const char *type_name(value v);

/* Iterating from C:
 *     struct iter it;
 *     if (!iter_open(vm, v, &it)) return NO_VALUE;
 *     for (value item; (item = iter_next(vm, &it));) ...
 *     if (vm_failed(vm)) return NO_VALUE;      */
struct iter {
    value source; /* iterator, or the list/tuple itself */
    size_t pos;
    uint8_t kind;
};
/* Begins to walk an iterable. False: raised. */
bool iter_open(struct vm *vm, value v, struct iter *it);
/* The next item; NO_VALUE at the end, or raised. */
value iter_next(struct vm *vm, struct iter *it);
/* A new list of all items of an iterable. */
value list_from(struct vm *vm, value iterable);
/* A new tuple of the items of a list or tuple. */
value tuple_from(struct vm *vm, value sequence);
