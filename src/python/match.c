// SPDX-License-Identifier: MIT
/* What the patterns of match ask of a subject. */
#include <string.h>

#include "python/class.h"
#include "python/vm_ops.h"

int match_sequence(struct vm *vm, value subject, uint32_t n, bool star)
{
    size_t len;
    if (!is_list(subject) && !is_tuple(subject) && !is_exact(subject, &type_range))
        return 0;
    if (!value_len(vm, subject, &len))
        return -1;
    return star ? len >= n : len == n;
}

value match_keys(struct vm *vm, value subject, value keys)
{
    size_t n;
    const value *key = sequence_items(keys, &n);
    if (!is_dict(subject))
        return VALUE_NONE;
    value items = list_new(vm, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        value item = dict_get(vm, subject, key[i]);
        if (!item)
            return vm->error ? NO_VALUE : VALUE_NONE;
        list_push(vm, items, item);
    }
    const value *found = sequence_items(items, &n);
    return tuple_new(vm, found, n);
}

value match_rest(struct vm *vm, value subject, value keys)
{
    if (!is_dict(subject))
        return VALUE_NONE;
    value rest = dict_copy(vm, &type_dict, as_dict(subject));
    size_t n;
    const value *key = sequence_items(keys, &n);
    for (size_t i = 0; i < n; i++)
        dict_delete(vm, rest, key[i]);
    return vm->error ? NO_VALUE : rest;
}

/* str(x), int(x) and their like capture the subject itself. */
static bool captures_itself(const struct type *type)
{
    static const struct type *const types[] = {&type_bool, &type_bytes, &type_dict, &type_float, &type_frozenset,
                                               &type_int, &type_list, &type_set, &type_str, &type_tuple};
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

value match_class(struct vm *vm, value subject, value class, value names, uint32_t positional)
{
    size_t n, nnames;
    if (!is_type(class))
        return vm_raise(vm, "TypeError", "called match pattern must be a class");
    if (!is_instance(subject, as_type(class)))
        return VALUE_NONE;
    value found = list_new(vm, NULL, 0);
    if (positional == 1 && captures_itself(as_type(class))) {
        list_push(vm, found, subject);
        positional = 0;
    }
    value order = positional ? positional_names(vm, class) : NO_VALUE;
    if (positional && !order)
        return NO_VALUE;
    const value *name = order ? sequence_items(order, &nnames) : NULL;
    if (positional && (!name || nnames < positional))
        return vm_raise(vm, "TypeError", "%s() accepts %zu positional sub-patterns (%u given)", as_type(class)->name,
                        name ? nnames : 0, positional);
    for (uint32_t i = 0; i < positional; i++) {
        value item = value_attr_find(vm, subject, str_sym(vm, name[i]));
        if (!item)
            return vm->error ? NO_VALUE : VALUE_NONE;
        list_push(vm, found, item);
    }
    name = sequence_items(names, &nnames);
    for (size_t i = 0; i < nnames; i++) {
        value item = value_attr_find(vm, subject, str_sym(vm, name[i]));
        if (!item)
            return vm->error ? NO_VALUE : VALUE_NONE;
        list_push(vm, found, item);
    }
    const value *items = sequence_items(found, &n);
    return tuple_new(vm, items, n);
}
