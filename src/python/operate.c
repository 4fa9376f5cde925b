// SPDX-License-Identifier: MIT
/* Operations on any value: they look up a slot of the type and say what Python says where there is
 * none. */
#include "python/operate.h"

#include <string.h>

#include "python/class.h"
#include "python/dict.h"
#include "python/numbers.h"
#include "python/types.h"
#include "python/vm_state.h"

const char *type_name(value v)
{
    return type_of(v)->name;
}

/* ---- truth, length, hash ---- */

bool value_truth(struct vm *vm, value v, bool *out)
{
    if (is_small(v)) {
        *out = v != small(0);
        return true;
    }
    if (!is_object(v)) {
        *out = v != VALUE_FALSE && v != VALUE_NONE;
        return true;
    }
    const struct type *type = as_object(v)->type;
    if (type == &type_str) {
        *out = as_str(v)->len;
        return true;
    }
    bool (*truth)(struct vm *, value, bool *) = type_slot(type, truth);
    if (truth)
        return truth(vm, v, out);
    bool (*len)(struct vm *, value, size_t *) = type_slot(type, len);
    size_t n = 1;
    if (len && !len(vm, v, &n))
        return false;
    *out = n;
    return true;
}

bool value_len(struct vm *vm, value v, size_t *out)
{
    bool (*len)(struct vm *, value, size_t *) = type_slot(type_of(v), len);
    if (len)
        return len(vm, v, out);
    vm_raise(vm, "TypeError", "object of type '%s' has no len()", type_name(v));
    return false;
}

bool value_hash(struct vm *vm, value v, uint64_t *out)
{
    if (is_small(v)) {
        *out = (uint64_t)small_int(v);
        if (*out >= (uint64_t)HASH_MODULUS) /* or negative */
            *out = int_hash(v);
        return true;
    }
    if (is_exact(v, &type_str)) {
        *out = str_hash(v);
        return true;
    }
    if (!is_object(v)) {
        *out = v == VALUE_TRUE ? 1 : v == VALUE_FALSE ? 0 : v == VALUE_NONE ? 0xfca86420 : v;
        return true;
    }
    bool (*hash)(struct vm *, value, uint64_t *) = type_slot(as_object(v)->type, hash);
    if (hash)
        return hash(vm, v, out);
    *out = v >> 4;
    return true;
}

bool unhashable(struct vm *vm, value self, uint64_t *out)
{
    return vm_raise(vm, "TypeError", "unhashable type: '%s'", type_name(self));
}

/* ---- comparing ---- */

static const uint8_t swapped[] = {[OP_EQ] = OP_EQ, [OP_NE] = OP_NE, [OP_LT] = OP_GT,
                                  [OP_LE] = OP_GE, [OP_GT] = OP_LT, [OP_GE] = OP_LE};

value value_compare_by(struct vm *vm, const struct type *type, int op, value a, value b)
{
    value (*compare)(struct vm *, int, value, value) = type_slot(type, compare);
    return compare ? compare(vm, op, a, b) : VALUE_NOT_IMPLEMENTED;
}

value value_compare(struct vm *vm, int op, value a, value b)
{
    const struct type *left = type_of(a), *right = type_of(b);
    if (left == &type_str && right == &type_str && (op == OP_EQ || op == OP_NE))
        return value_bool((a == b || str_equal(a, b)) == (op == OP_EQ));
    if (vm_too_deep(vm))
        return NO_VALUE;
    bool right_first = left != right && is_subtype(right, left);
    value result = right_first ? value_compare_by(vm, right, swapped[op], b, a)
                               : value_compare_by(vm, left, op, a, b);
    if (result == VALUE_NOT_IMPLEMENTED)
        result = right_first ? value_compare_by(vm, left, op, a, b)
                             : value_compare_by(vm, right, swapped[op], b, a);
    if (result != VALUE_NOT_IMPLEMENTED)
        return result;
    if (op == OP_EQ || op == OP_NE)
        return value_bool((a == b) == (op == OP_EQ));
    return vm_raise(vm, "TypeError", "'%s' not supported between instances of '%s' and '%s'",
                    op_text((enum node_op)op), left->name, right->name);
}

bool value_equal(struct vm *vm, value a, value b, bool *out)
{
    if (a == b) {
        *out = true;
        return true;
    }
    if (is_small(a) && is_small(b)) {
        *out = false;
        return true;
    }
    value result = value_compare(vm, OP_EQ, a, b);
    return result && value_truth(vm, result, out);
}

bool value_less(struct vm *vm, value a, value b, bool *out)
{
    if (is_small(a) && is_small(b)) {
        *out = (int64_t)a < (int64_t)b;
        return true;
    }
    value result = value_compare(vm, OP_LT, a, b);
    return result && value_truth(vm, result, out);
}

/* ---- arithmetic ---- */

value value_binary_by(struct vm *vm, const struct type *type, int op, value a, value b)
{
    value (*binary)(struct vm *, int, value, value) = type_slot(type, binary);
    return binary ? binary(vm, op, a, b) : VALUE_NOT_IMPLEMENTED;
}

static value binary_or_none(struct vm *vm, int op, value a, value b)
{
    const struct type *left = type_of(a), *right = type_of(b);
    value (*of_left)(struct vm *, int, value, value) = type_slot(left, binary);
    value (*of_right)(struct vm *, int, value, value) = type_slot(right, binary);
    if (of_right == of_left)
        of_right = NULL;
    value result = VALUE_NOT_IMPLEMENTED;
    if (of_right && is_subtype(right, left)) {
        result = of_right(vm, op, a, b);
        of_right = NULL;
    }
    if (result == VALUE_NOT_IMPLEMENTED && of_left)
        result = of_left(vm, op, a, b);
    if (result == VALUE_NOT_IMPLEMENTED && of_right)
        result = of_right(vm, op, a, b);
    return result;
}

static value complain_operands(struct vm *vm, int op, const char *suffix, value a, value b)
{
    const char *name = op == OP_POW && !*suffix ? "** or pow()" : op_text((enum node_op)op);
    return vm_raise(vm, "TypeError", "unsupported operand type(s) for %s%s: '%s' and '%s'", name,
                    suffix, type_name(a), type_name(b));
}

static bool is_sequence(value v)
{
    return is_str(v) || is_list(v) || is_tuple(v) || is_instance(v, &type_bytes) ||
           is_instance(v, &type_bytearray);
}

/* What nobody knows of + and * with a sequence: by the __index__ of the other one, or a
 * complaint. */
static value sequence_operation(struct vm *vm, int op, value a, value b)
{
    const char *name = is_str(a) ? "str" : is_list(a) ? "list" : "tuple";
    if (op == OP_ADD && (is_str(a) || is_list(a) || is_tuple(a)))
        return vm_raise(vm, "TypeError", "can only concatenate %s (not \"%s\") to %s", name,
                        type_name(b), name);
    if (op != OP_MUL || !(is_sequence(a) || is_sequence(b)))
        return VALUE_NOT_IMPLEMENTED;
    value times = int_index_find(vm, is_sequence(a) ? b : a);
    if (times)
        return is_sequence(a) ? binary_or_none(vm, op, a, times) : binary_or_none(vm, op, times, b);
    return vm->error ? NO_VALUE
                     : vm_raise(vm, "TypeError", "can't multiply sequence by non-int of type '%s'",
                                type_name(is_sequence(a) ? b : a));
}

value value_binary(struct vm *vm, int op, value a, value b)
{
    value result = binary_or_none(vm, op, a, b);
    if (result == VALUE_NOT_IMPLEMENTED)
        result = sequence_operation(vm, op, a, b);
    return result != VALUE_NOT_IMPLEMENTED ? result : complain_operands(vm, op, "", a, b);
}

/* a.__iadd__(b) or the like, where there is one. */
static value try_inplace(struct vm *vm, int op, value a, value b)
{
    value found = is_object(a) && !is_exact(a, &type_str)
                      ? type_find(vm, type_of(a), vm->sym.inplace[op])
                      : NO_VALUE;
    if (!found)
        return VALUE_NOT_IMPLEMENTED;
    if (is_exact(found, &type_native)) {
        const struct native *native = as_native(found);
        value at[] = {a, b};
        return native->def->fn(
            vm, &(struct args){.at = at, .n = 2, .def = native->def, .user = native->user});
    }
    value method = attr_bind(vm, found, a, type_of(a));
    return method ? vm_call1(vm, method, b) : NO_VALUE;
}

value value_inplace(struct vm *vm, int op, value a, value b)
{
    const struct type *type = is_object(a) ? as_object(a)->type : NULL;
    if (type && type_slot(type, inplace))
        return type_slot(type, inplace)(vm, op, a, b);
    value result = try_inplace(vm, op, a, b);
    if (result == VALUE_NOT_IMPLEMENTED)
        result = binary_or_none(vm, op, a, b);
    /* A container that cannot be repeated is no number of times either. */
    bool counts = is_sequence(a) || !(type_of(a)->info || type_slot(type_of(a), len));
    if (result == VALUE_NOT_IMPLEMENTED && (op != OP_MUL || counts))
        result = sequence_operation(vm, op, a, b);
    return result != VALUE_NOT_IMPLEMENTED ? result : complain_operands(vm, op, "=", a, b);
}

value value_unary(struct vm *vm, int op, value v)
{
    if (op == OP_NOT) {
        bool truth;
        return value_truth(vm, v, &truth) ? value_bool(!truth) : NO_VALUE;
    }
    value (*unary)(struct vm *, int, value) = type_slot(type_of(v), unary);
    value result = unary ? unary(vm, op, v) : VALUE_NOT_IMPLEMENTED;
    if (result != VALUE_NOT_IMPLEMENTED)
        return result;
    return vm_raise(vm, "TypeError", "bad operand type for unary %s: '%s'",
                    op_text((enum node_op)op), type_name(v));
}

/* ---- text ---- */

static value default_repr(struct vm *vm, value v)
{
    const struct type *type = type_of(v);
    if (type->info) {
        value name = dict_get_sym(vm, as_dict(type->info->dict), vm->sym.__module__);
        if (name && is_str(name))
            return str_printf(vm, "<%s.%s object at 0x%llx>", str_text(name),
                              str_text(type->info->qualname), (unsigned long long)v);
    }
    return str_printf(vm, "<%s object at 0x%llx>", type->name, (unsigned long long)v);
}

value value_repr(struct vm *vm, value v)
{
    value (*repr)(struct vm *, value) = type_slot(type_of(v), repr);
    if (!repr)
        return default_repr(vm, v);
    return vm_too_deep(vm) ? NO_VALUE : repr(vm, v);
}

value value_str(struct vm *vm, value v)
{
    if (is_exact(v, &type_str))
        return v;
    value (*str)(struct vm *, value) = type_slot(type_of(v), str);
    if (!str)
        return value_repr(vm, v);
    return vm_too_deep(vm) ? NO_VALUE : str(vm, v);
}

value value_format(struct vm *vm, value v, value spec)
{
    value (*format)(struct vm *, value, value) = type_slot(type_of(v), format);
    bool plain = !spec || !as_str(spec)->len;
    if (plain && (!format || !type_of(v)->info))
        return value_str(vm, v);
    if (format) {
        value text = format(vm, v, spec ? spec : str_new(vm, "", 0));
        return !text || is_str(text)
                   ? text
                   : vm_raise(vm, "TypeError", "__format__ must return a str, not %s",
                              type_name(text));
    }
    return vm_raise(vm, "TypeError", "unsupported format string passed to %s.__format__",
                    type_name(v));
}

/* ---- items ---- */

value value_index(struct vm *vm, value v, value key)
{
    value (*get)(struct vm *, value, value) = type_slot(type_of(v), get_index);
    if (get)
        return get(vm, v, key);
    return vm_raise(vm, "TypeError", "'%s' object is not subscriptable", type_name(v));
}

bool value_set_index(struct vm *vm, value v, value key, value item)
{
    bool (*set)(struct vm *, value, value, value) = type_slot(type_of(v), set_index);
    if (set)
        return set(vm, v, key, item);
    if (item)
        vm_raise(vm, "TypeError", "'%s' object does not support item assignment", type_name(v));
    else
        vm_raise(vm, "TypeError", "'%s' object doesn't support item deletion", type_name(v));
    return false;
}

bool value_contains(struct vm *vm, value container, value item, bool *out)
{
    bool (*contains)(struct vm *, value, value, bool *) = type_slot(type_of(container), contains);
    if (contains)
        return contains(vm, container, item, out);
    struct iter it;
    if (!value_iterable(container)) {
        vm_raise(vm, "TypeError", "argument of type '%s' is not iterable", type_name(container));
        return false;
    }
    if (!iter_open(vm, container, &it))
        return false;
    *out = false;
    for (value each; (each = iter_next(vm, &it));) {
        if (!value_equal(vm, each, item, out))
            return false;
        if (*out)
            return true;
    }
    return !vm->error;
}

bool value_callable(value v)
{
    return is_exact(v, &type_function) || is_exact(v, &type_native) || type_slot(type_of(v), call);
}

/* ---- iterating ---- */

/* Whether items are taken by number: whatever can be indexed, but no dict, and no class as in
 * list[int]. */
static bool has_numbered_items(const struct type *type)
{
    return type_slot(type, get_index) && type != &type_dict &&
           type_slot(type, get_index) != type_type.get_index;
}

/* A class of the Snakefile with __next__ alone is no iterable. */
static bool is_own_iterator(const struct type *type)
{
    return type_slot(type->info ? type->info->native : type, next);
}

bool value_iterable(value v)
{
    const struct type *type = type_of(v);
    return type_slot(type, iter) || is_own_iterator(type) || has_numbered_items(type);
}

value value_iter(struct vm *vm, value v)
{
    if (is_exact(v, &type_list))
        return from_object(iterator_new(vm, ITER_LIST, v));
    const struct type *type = type_of(v);
    value (*iter)(struct vm *, value) = type_slot(type, iter);
    if (iter)
        return iter(vm, v);
    if (is_own_iterator(type))
        return v;
    if (has_numbered_items(type))
        return from_object(iterator_new(vm, ITER_INDEX, v));
    return vm_raise(vm, "TypeError", "'%s' object is not iterable", type_name(v));
}

value value_next(struct vm *vm, value iterator)
{
    if (__builtin_expect(vm->options.budget != 0, 0) && !vm_tick(vm))
        return NO_VALUE;
    if (is_exact(iterator, &type_iterator))
        return iterator_next(vm, as_iterator(iterator));
    value (*next)(struct vm *, value) = type_slot(type_of(iterator), next);
    if (next)
        return vm_too_deep(vm) ? NO_VALUE : next(vm, iterator);
    return vm_raise(vm, "TypeError", "'%s' object is not an iterator", type_name(iterator));
}

enum { WALK_ITERATOR, WALK_LIST, WALK_TUPLE };

bool iter_open(struct vm *vm, value v, struct iter *it)
{
    *it = (struct iter){.source = v};
    if (is_exact(v, &type_list) || is_exact(v, &type_tuple)) {
        it->kind = is_exact(v, &type_list) ? WALK_LIST : WALK_TUPLE;
        return true;
    }
    it->source = value_iter(vm, v);
    return it->source;
}

value iter_next(struct vm *vm, struct iter *it)
{
    if (it->kind == WALK_ITERATOR)
        return value_next(vm, it->source);
    size_t len;
    const value *items = sequence_items(it->source, &len);
    return it->pos < len ? items[it->pos++] : NO_VALUE;
}

value list_from(struct vm *vm, value iterable)
{
    if (is_exact(iterable, &type_list) || is_exact(iterable, &type_tuple)) {
        size_t len;
        const value *items = sequence_items(iterable, &len);
        return list_new(vm, items, len);
    }
    value list = list_new(vm, NULL, 0);
    return list_extend(vm, list, iterable) ? list : NO_VALUE;
}

value tuple_from(struct vm *vm, value sequence)
{
    size_t len;
    const value *items = sequence_items(sequence, &len);
    return tuple_new(vm, items, len);
}
