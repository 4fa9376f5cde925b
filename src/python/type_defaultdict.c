// SPDX-License-Identifier: MIT
/* collections.defaultdict. */
#include <string.h>

#include "python/class.h"
#include "python/class_slots.h"
#include "python/sequence.h"
#include "python/types.h"
#include "python/vm_state.h"

struct defaultdict {
    struct dict dict;
    value factory;
};

static struct defaultdict *as_defaultdict(value v)
{
    return (struct defaultdict *)as_object(v);
}

value defaultdict_factory(value v)
{
    return as_defaultdict(v)->factory;
}

static void defaultdict_mark(struct vm *vm, struct object *self)
{
    type_dict.mark(vm, self);
    heap_mark(vm, ((struct defaultdict *)self)->factory);
}

/* The arguments behind the first as a tuple; the factory in *factory. */
static value split_factory(struct vm *vm, value args, value *factory)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    *factory = n ? items[0] : VALUE_NONE;
    if (*factory != VALUE_NONE && !value_callable(*factory))
        return vm_raise(vm, "TypeError", "first argument must be callable or None");
    return tuple_new(vm, items + (n > 0), n ? n - 1 : 0);
}

static value defaultdict_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    value factory, rest = split_factory(vm, args, &factory);
    value made = rest ? type_dict.make(vm, type, rest, kwargs) : NO_VALUE;
    if (made)
        as_defaultdict(made)->factory = factory;
    return made;
}

// defaultdict.__init__(default_factory=None, *args, **kwargs)
static value defaultdict_init(struct vm *vm, const struct args *args)
{
    value factory, rest = split_factory(vm, args->at[1], &factory);
    size_t n;
    if (!rest)
        return NO_VALUE;
    as_defaultdict(args->at[0])->factory = factory;
    const value *items = sequence_items(rest, &n);
    return vm_call_method(vm, args->at[0], "update", items, n) &&
                   dict_update(vm, as_dict(args->at[0]), as_dict(args->at[2]))
               ? VALUE_NONE
               : NO_VALUE;
}

static value default_item(struct vm *vm, value self, value key)
{
    value factory = as_defaultdict(self)->factory;
    if (factory == VALUE_NONE || !factory) {
        value error = vm_call1(vm, dict_get_str(vm, vm_builtins(vm), "KeyError"), key);
        return error ? vm_raise_value(vm, error) : NO_VALUE;
    }
    value item = vm_call0(vm, factory);
    return item && value_set_index(vm, self, key, item) ? item : NO_VALUE;
}

static value defaultdict_get_index(struct vm *vm, value self, value key)
{
    value item = dict_get(vm, self, key);
    if (item || vm->error)
        return item;
    value hook = type_of(self)->info ? attr_special(vm, self, vm->sym.__missing__) : NO_VALUE;
    if (hook)
        return vm_call(vm, hook, &key, 1, NO_VALUE);
    return vm->error ? NO_VALUE : default_item(vm, self, key);
}

// defaultdict.__missing__(key)
static value defaultdict_missing(struct vm *vm, const struct args *args)
{
    return default_item(vm, args->at[0], args->at[1]);
}

// defaultdict.copy()
static value defaultdict_copy(struct vm *vm, const struct args *args)
{
    value copy = dict_copy(vm, type_of(args->at[0]), as_dict(args->at[0]));
    as_defaultdict(copy)->factory = as_defaultdict(args->at[0])->factory;
    return copy;
}

static value defaultdict_repr(struct vm *vm, value self)
{
    value factory = value_repr(vm, as_defaultdict(self)->factory);
    value items = factory ? type_dict.repr(vm, self) : NO_VALUE;
    return items ? str_printf(vm, "%s(%s, %s)", type_short_name(type_of(self)), str_text(factory),
                              str_text(items))
                 : NO_VALUE;
}

static value defaultdict_binary(struct vm *vm, int op, value a, value b)
{
    value both = type_dict.binary(vm, op, a, b);
    if (!both || both == VALUE_NOT_IMPLEMENTED)
        return both;
    value self = is_instance(a, type_of(b)) || !is_exact(a, &type_dict) ? a : b;
    value copy = dict_copy(vm, type_of(self), as_dict(both));
    as_defaultdict(copy)->factory = as_defaultdict(self)->factory;
    return copy;
}

static value defaultdict_get_attr(struct vm *vm, value self, sym_t name)
{
    return strcmp(sym_text(vm->names, name), "default_factory") ? NO_VALUE
                                                                : as_defaultdict(self)->factory;
}

static bool defaultdict_set_attr(struct vm *vm, value self, sym_t name, value item)
{
    if (strcmp(sym_text(vm->names, name), "default_factory"))
        return object_set_attr(vm, self, name, item);
    as_defaultdict(self)->factory = value_or_none(item);
    return true;
}

static const struct native_def defaultdict_methods[] = {
    {"__init__", defaultdict_init, "self *args **kwargs", ""},
    {"__missing__", defaultdict_missing, "self key /", "A new default value for key."},
    {"__copy__", defaultdict_copy, "self", ""},
    {"copy", defaultdict_copy, "self", "A shallow copy."},
    {0}};

const struct type type_defaultdict = {
    .object = {.type = &type_type},
    .name = "collections.defaultdict",
    .base = &type_dict,
    .size = sizeof(struct defaultdict),
    .methods = defaultdict_methods,
    .mark = defaultdict_mark,
    .make = defaultdict_make,
    .repr = defaultdict_repr,
    .binary = defaultdict_binary,
    .get_index = defaultdict_get_index,
    .get_attr = defaultdict_get_attr,
    .set_attr = defaultdict_set_attr,
};
