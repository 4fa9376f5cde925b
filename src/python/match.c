// SPDX-License-Identifier: MIT
/* What the patterns of match ask of a subject. */
#include <string.h>

#include "python/builtins.h"
#include "python/class.h"
#include "python/dict.h"
#include "python/vm_ops.h"

/* Whether it is of an abstract class of collections.abc; before that is imported, nothing of Python
 * code is. */
static bool is_abstract(struct vm *vm, value v, const char *name, bool *out)
{
    value module = dict_get_str(vm, from_object(vm->modules), "collections.abc");
    value class = module && module != VALUE_NONE ? module_get(vm, module, name) : NO_VALUE;
    *out = false;
    return !class || value_isinstance(vm, v, class, out);
}

int match_sequence(struct vm *vm, value subject, uint32_t n, bool star)
{
    size_t len;
    bool is = is_list(subject) || is_tuple(subject) || is_exact(subject, &type_range);
    bool text = !is_object(subject) || is_str(subject) || is_instance(subject, &type_bytes) ||
                is_instance(subject, &type_bytearray);
    if (!is && !text && !is_abstract(vm, subject, "Sequence", &is))
        return -1;
    if (!is)
        return 0;
    if (!value_len(vm, subject, &len))
        return -1;
    return star ? len >= n : len == n;
}

/* The items of a mapping by keys, as a list; None: one is missing. */
static value items_of(struct vm *vm, value subject, const value *keys, size_t n)
{
    value items = list_new(vm, NULL, 0), absent = from_object(object_new(vm, &type_object));
    value seen = set_new(vm);
    for (size_t i = 0; i < n; i++) {
        value args[] = {keys[i], absent};
        if (set_has(vm, seen, keys[i])) {
            value repr = value_repr(vm, keys[i]);
            return repr ? vm_raise(vm, "ValueError", "mapping pattern checks duplicate key (%s)",
                                   str_text(repr))
                        : NO_VALUE;
        }
        if (vm->error || !set_add(vm, seen, keys[i]))
            return NO_VALUE;
        value item = is_exact(subject, &type_dict) ? dict_get(vm, subject, keys[i])
                                                   : vm_call_method(vm, subject, "get", args, 2);
        if (vm->error)
            return NO_VALUE;
        if (!item || item == absent)
            return VALUE_NONE;
        list_push(vm, items, item);
    }
    return items;
}

value match_keys(struct vm *vm, value subject, value keys)
{
    size_t n;
    const value *key = sequence_items(keys, &n);
    bool is = is_dict(subject);
    if (!is && is_object(subject) && !is_abstract(vm, subject, "Mapping", &is))
        return NO_VALUE;
    value items = is ? items_of(vm, subject, key, n) : VALUE_NONE;
    return items && items != VALUE_NONE ? tuple_from(vm, items) : items;
}

value match_rest(struct vm *vm, value subject, value keys)
{
    value rest = dict_new(vm);
    size_t n;
    const value *key = sequence_items(keys, &n);
    bool is = is_dict(subject);
    if (!is && is_object(subject) && !is_abstract(vm, subject, "Mapping", &is))
        return NO_VALUE;
    if (!is)
        return VALUE_NONE;
    if (!dict_take(vm, rest, subject))
        return NO_VALUE;
    for (size_t i = 0; i < n; i++)
        dict_delete(vm, rest, key[i]);
    return vm->error ? NO_VALUE : rest;
}

/* str(x), int(x) and their like capture the subject itself. */
static bool captures_itself(const struct type *type)
{
    static const struct type *const types[] = {
        &type_bool, &type_bytearray, &type_bytes, &type_dict, &type_float, &type_frozenset,
        &type_int,  &type_list,      &type_set,   &type_str,  &type_tuple};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (type == types[i])
            return true;
    return false;
}

static value positional_names(struct vm *vm, value class)
{
    value names = value_attr_find(vm, class, vm->sym.__match_args__);
    return names || vm->error ? names : tuple_new(vm, NULL, 0);
}

/* Whether one of the first n names equals the one behind them. */
static bool named_before(const value *names, size_t n, value name)
{
    for (size_t i = 0; i < n; i++)
        if (str_equal(names[i], name))
            return true;
    return false;
}

/* The attributes of subject by the names, positional ones first, as a list; None: one is
 * missing. */
static value attributes(struct vm *vm, value subject, const struct type *class, const value *names,
                        size_t n)
{
    value found = list_new(vm, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        if (!is_str(names[i]))
            return vm_raise(vm, "TypeError", "__match_args__ elements must be strings (got %s)",
                            type_name(names[i]));
        if (named_before(names, i, names[i]))
            return vm_raise(vm, "TypeError", "%s() got multiple sub-patterns for attribute '%s'",
                            class->name, str_text(names[i]));
        value item = value_attr_find(vm, subject, str_sym(vm, names[i]));
        if (!item)
            return vm->error ? NO_VALUE : VALUE_NONE;
        list_push(vm, found, item);
    }
    return found;
}

value match_class(struct vm *vm, value subject, value class, value names, uint32_t positional)
{
    size_t n, nnames, nnamed;
    if (!is_type(class))
        return vm_raise(vm, "TypeError", "called match pattern must be a class");
    const struct type *type = as_type(class);
    if (!is_instance(subject, type))
        return VALUE_NONE;
    bool itself = positional == 1 && captures_itself(type);
    value order = positional && !itself ? positional_names(vm, class) : tuple_new(vm, NULL, 0);
    if (!order)
        return NO_VALUE;
    if (!is_tuple(order))
        return vm_raise(vm, "TypeError", "%s.__match_args__ must be a tuple (got %s)", type->name,
                        type_name(order));
    const value *first = sequence_items(order, &nnames), *more = sequence_items(names, &nnamed);
    nnames += captures_itself(type);
    if (!itself && nnames < positional)
        return vm_raise(vm, "TypeError", "%s() accepts %zu positional sub-pattern%s (%u given)",
                        type->name, nnames, nnames == 1 ? "" : "s", positional);
    value wanted = list_new(vm, first, itself ? 0 : positional);
    for (size_t i = 0; i < nnamed; i++)
        list_push(vm, wanted, more[i]);
    const value *all = sequence_items(wanted, &n);
    value found = attributes(vm, subject, type, all, n);
    if (!found || found == VALUE_NONE)
        return found;
    value whole = list_new(vm, &subject, itself);
    const value *items = sequence_items(found, &n);
    for (size_t i = 0; i < n; i++)
        list_push(vm, whole, items[i]);
    return tuple_from(vm, whole);
}
