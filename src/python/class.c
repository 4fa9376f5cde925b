// SPDX-License-Identifier: MIT
/* Attributes of types and user classes. A class is a struct type whose slots are filled by
 * class_slots.c with functions that look up __name__ methods. Lookups along the mro go through one
 * cache, forgotten as a whole when a class attribute changes. */
#include "python/class.h"

#include <string.h>

#include "python/class_slots.h"
#include "python/vm_state.h"

/* ---- dicts of types ---- */

static void add_native(struct vm *vm, struct dict *dict, const struct type *type,
                       const struct native_def *def)
{
    struct native *native = (struct native *)as_object(native_new(vm, def, NULL));
    value method = from_object(native);
    if (def->signature && !strncmp(def->signature, "cls ", 4)) { /* a class method */
        struct wrapper *wrapper = object_new(vm, &type_classmethod);
        wrapper->callable = method;
        method = from_object(wrapper);
    } else {
        native->owner = type;
    }
    dict_set_sym(vm, dict, intern_str(vm->names, def->name), method);
}

static void add_property(struct vm *vm, struct dict *dict, const struct type *type,
                         const struct native_def *def)
{
    struct native *native = (struct native *)as_object(native_new(vm, def, NULL));
    native->owner = type;
    struct property *property = object_new(vm, &type_property);
    property->get = from_object(native);
    dict_set_sym(vm, dict, intern_str(vm->names, def->name), from_object(property));
}

struct dict *type_dict_of(struct vm *vm, const struct type *type)
{
    if (type->info)
        return as_dict(type->info->dict);
    uint32_t at = map_find(&vm->type_dicts, (uintptr_t)type);
    if (at)
        return as_dict(vm->type_values.at[at - 1]);
    value dict = dict_new(vm);
    vec_push(&vm->type_values, dict);
    map_set(&vm->type_dicts, (uintptr_t)type, vm->type_values.len);
    slots_as_methods(vm, as_dict(dict), type);
    for (const struct native_def *def = type->methods; def && def->name; def++)
        add_native(vm, as_dict(dict), type, def);
    for (const struct native_def *def = type->properties; def && def->name; def++)
        add_property(vm, as_dict(dict), type, def);
    return as_dict(dict);
}

/* ---- lookup ---- */

static value find_native(struct vm *vm, const struct type *type, sym_t name)
{
    for (; type; type = type->base) {
        value found = dict_get_sym(vm, type_dict_of(vm, type), name);
        if (found || type == &type_object)
            return found;
    }
    return dict_get_sym(vm, type_dict_of(vm, &type_object), name);
}

static value find_uncached(struct vm *vm, const struct type *type, sym_t name)
{
    if (!type->info)
        return find_native(vm, type, name);
    for (uint32_t i = 0; i < type->info->nmro; i++) {
        value found = dict_get_sym(vm, type_dict_of(vm, type->info->mro[i]), name);
        if (found)
            return found;
    }
    return NO_VALUE;
}

value type_find(struct vm *vm, const struct type *type, sym_t name)
{
    uint64_t key = hash_mix((uintptr_t)type >> 4 ^ (uint64_t)name << 20);
    struct attr_slot *slot = &vm->attrs[key & (ATTR_SLOTS - 1)];
    if (slot->type != type || slot->name != name) {
        value found = find_uncached(vm, type, name);
        *slot = (struct attr_slot){type, name, found};
    }
    return slot->found;
}

void attrs_forget(struct vm *vm)
{
    memset(vm->attrs, 0, ATTR_SLOTS * sizeof *vm->attrs);
}

value type_find_after(struct vm *vm, const struct type *type, const struct type *after, sym_t name)
{
    if (!type->info)
        return after->base || after != &type_object ? find_native(vm, after->base, name) : NO_VALUE;
    uint32_t i = 0;
    while (i < type->info->nmro && type->info->mro[i] != after)
        i++;
    for (i++; i < type->info->nmro; i++) {
        value found = dict_get_sym(vm, type_dict_of(vm, type->info->mro[i]), name);
        if (found)
            return found;
    }
    return NO_VALUE;
}

bool is_subtype(const struct type *type, const struct type *base)
{
    if (type == base || base == &type_object)
        return true;
    if (type->info) {
        for (uint32_t i = 0; i < type->info->nmro; i++)
            if (type->info->mro[i] == base)
                return true;
        return false;
    }
    for (type = type->base; type; type = type->base)
        if (type == base)
            return true;
    return false;
}

/* ---- reading ---- */

bool attr_name(struct vm *vm, value v, sym_t *name)
{
    if (!is_str(v))
        return vm_raise(vm, "TypeError", "attribute name must be string, not '%s'", type_name(v));
    *name = str_sym(vm, v);
    return true;
}

const struct type *layout_of(const struct type *type)
{
    return type->info ? type->info->native : type;
}

static value bind_user(struct vm *vm, value found, value self, const struct type *owner)
{
    value get = type_find(vm, type_of(found), vm->sym.__get__);
    if (!get)
        return found;
    value args[] = {found, value_or_none(self), type_value(owner)};
    return vm_call(vm, get, args, 3, NO_VALUE);
}

value attr_bind(struct vm *vm, value found, value self, const struct type *owner)
{
    if (!is_object(found))
        return found;
    const struct type *kind = as_object(found)->type;
    if (kind == &type_function)
        return self ? method_new(vm, found, self) : found;
    if (kind == &type_native)
        return self && as_native(found)->owner ? method_new(vm, found, self) : found;
    if (kind == &type_classmethod)
        return method_new(vm, as_wrapper(found)->callable, type_value(owner));
    if (kind == &type_staticmethod)
        return as_wrapper(found)->callable;
    if (is_subtype(kind, &type_property)) {
        value get = ((struct property *)as_object(found))->get;
        if (!self)
            return found;
        if (!get || get == VALUE_NONE)
            return vm_raise(vm, "AttributeError", "property of '%s' object has no getter",
                            owner->name);
        return vm_call1(vm, get, self);
    }
    return kind->info ? bind_user(vm, found, self, owner) : found;
}

value attr_special(struct vm *vm, value v, sym_t name)
{
    if (is_foreign(v))
        return value_attr_find(vm, v, name);
    value found = type_find(vm, type_of(v), name);
    return found ? attr_bind(vm, found, v, type_of(v)) : NO_VALUE;
}

/* Properties and descriptors with __set__ or __delete__ come before the instance's own
 * attributes. */
static bool is_data_descriptor(struct vm *vm, value found)
{
    if (!is_object(found))
        return false;
    const struct type *kind = as_object(found)->type;
    return is_subtype(kind, &type_property) ||
           (kind->info &&
            (type_find(vm, kind, vm->sym.__set__) || type_find(vm, kind, vm->sym.__delete__)));
}

/* get: a hook of a Python class, or what the native type below it tells: that comes after the
 * class's own data descriptors. */
static value find_attr_by(struct vm *vm, value v, sym_t name,
                          value (*get)(struct vm *, value, sym_t))
{
    const struct type *type = type_of(v), *layout = layout_of(type);
    bool told = get && get == type_slot(layout, get_attr);
    value described = told && type != layout ? type_find(vm, type, name) : NO_VALUE;
    if (described && is_data_descriptor(vm, described))
        return attr_bind(vm, described, v, type);
    if (get) {
        value found = get(vm, v, name);
        if (found || vm->error)
            return found;
    }
    value found = type_find(vm, type, name);
    if (found && is_data_descriptor(vm, found))
        return attr_bind(vm, found, v, type);
    value *attrs = attrs_of(v);
    if (attrs && *attrs) {
        value own = dict_get_sym(vm, as_dict(*attrs), name);
        if (own)
            return own;
    }
    if (found)
        return attr_bind(vm, found, v, type);
    if (name == vm->sym.__class__)
        return type_value(type);
    if (name == vm->sym.__doc__ && type->info)
        return VALUE_NONE; /* every class has one, and so has its instance */
    if (name == vm->sym.__dict__ && attrs && !(type->info && type->info->slots)) {
        if (!*attrs)
            *attrs = dict_new(vm);
        return *attrs;
    }
    return NO_VALUE;
}

static value find_attr(struct vm *vm, value v, sym_t name)
{
    return find_attr_by(vm, v, name, type_slot(type_of(v), get_attr));
}

value attr_without_hooks(struct vm *vm, value v, sym_t name)
{
    value found = find_attr_by(vm, v, name, type_slot(layout_of(type_of(v)), get_attr));
    return found || vm->error ? found : raise_no_attribute(vm, v, name);
}

static value from_getattr(struct vm *vm, value v, sym_t name)
{
    value hook = type_of(v)->info ? type_find(vm, type_of(v), vm->sym.__getattr__) : NO_VALUE;
    if (!hook)
        return NO_VALUE;
    value args[] = {v, str_from_sym(vm, name)};
    return vm_call(vm, hook, args, 2, NO_VALUE);
}

value value_attr_find(struct vm *vm, value v, sym_t name)
{
    value found = find_attr(vm, v, name);
    if (!found && !vm->error)
        found = from_getattr(vm, v, name);
    else if (!found && vm_failed_with(vm, "AttributeError") && type_of(v)->info &&
             type_find(vm, type_of(v), vm->sym.__getattr__)) {
        vm_take_error(vm);
        found = from_getattr(vm, v, name);
    }
    if (!found && vm_failed_with(vm, "AttributeError"))
        vm_take_error(vm);
    return found;
}

value value_attr(struct vm *vm, value v, sym_t name)
{
    value found = find_attr(vm, v, name);
    if (found)
        return found;
    if (vm->error && !vm_failed_with(vm, "AttributeError"))
        return NO_VALUE;
    if (type_of(v)->info && type_find(vm, type_of(v), vm->sym.__getattr__)) {
        vm_take_error(vm);
        return from_getattr(vm, v, name);
    }
    return vm->error ? NO_VALUE : raise_no_attribute(vm, v, name);
}

/* ---- writing ---- */

static bool set_through(struct vm *vm, value descriptor, value v, sym_t name, value item)
{
    const struct type *kind = type_of(descriptor);
    if (is_subtype(kind, &type_property)) {
        const struct property *property = (const struct property *)as_object(descriptor);
        value setter = item ? property->set : property->del;
        if (!setter || setter == VALUE_NONE) {
            vm_raise(vm, "AttributeError", "property '%s' of '%s' object has no %s",
                     sym_text(vm->names, name), type_name(v), item ? "setter" : "deleter");
            return false;
        }
        value args[] = {v, item};
        return vm_call(vm, setter, args, item ? 2 : 1, NO_VALUE);
    }
    sym_t hook = item ? vm->sym.__set__ : vm->sym.__delete__;
    value found = type_find(vm, kind, hook), args[] = {descriptor, v, item};
    if (!found)
        return vm_raise(vm, "AttributeError", "%s", sym_text(vm->names, hook));
    return vm_call(vm, found, args, item ? 3 : 2, NO_VALUE);
}

bool attr_set_without_hooks(struct vm *vm, value v, sym_t name, value item)
{
    const struct type *type = type_of(v);
    value found = type_find(vm, type, name);
    if (found && is_data_descriptor(vm, found))
        return set_through(vm, found, v, name, item);
    bool (*set)(struct vm *, value, sym_t, value) = type_slot(layout_of(type), set_attr);
    return set ? set(vm, v, name, item) : object_set_attr(vm, v, name, item);
}

bool value_set_attr(struct vm *vm, value v, sym_t name, value item)
{
    const struct type *type = type_of(v);
    bool (*set)(struct vm *, value, sym_t, value) = type_slot(type, set_attr);
    if (set && set != type_slot(layout_of(type), set_attr))
        return set(vm, v, name, item); /* that of a Python class */
    return attr_set_without_hooks(vm, v, name, item);
}

/* Whether __slots__ allow an instance to have that name. */
static bool may_have(struct vm *vm, value v, sym_t name)
{
    const struct class_info *info = type_of(v)->info;
    return !info || !info->slots || dict_get_sym(vm, as_dict(info->slots), name);
}

/* v.__class__ = class: of another class whose objects look the same in memory. */
static bool set_class(struct vm *vm, value v, value class)
{
    if (!class)
        return vm_raise(vm, "TypeError", "can't delete __class__ attribute");
    if (!is_type(class))
        return vm_raise(vm, "TypeError", "__class__ must be set to a class, not '%s' object",
                        type_name(class));
    const struct type *old = type_of(v), *new = as_type(class);
    bool alike;
    if (!old->info || !new->info || is_type(v))
        return vm_raise(vm, "TypeError",
                        "__class__ assignment only supported for mutable types or ModuleType "
                        "subclasses");
    alike = old->info->native == new->info->native && old->size == new->size &&
            old->attrs == new->attrs && !old->info->slots == !new->info->slots;
    if (alike && old->info->slots && !value_equal(vm, old->info->slots, new->info->slots, &alike))
        return false;
    if (!alike)
        return vm_raise(vm, "TypeError",
                        "__class__ assignment: '%s' object layout differs from '%s'", new->name,
                        old->name);
    as_object(v)->type = new;
    return true;
}

/* v.__dict__ = item: the attributes are that dict's items from now on (v's own, where it
 * is a dict whose keys are to be attributes, too); without an item they are gone. */
static bool set_dict(struct vm *vm, value v, value *attrs, value item)
{
    if (item && !is_dict(item))
        return vm_raise(vm, "TypeError", "__dict__ must be set to a dictionary, not a '%s'",
                        type_name(item));
    attrs_forget(vm);
    *attrs = item;
    return true;
}

bool object_set_attr(struct vm *vm, value v, sym_t name, value item)
{
    value *attrs = attrs_of(v);
    if (name == vm->sym.__class__)
        return set_class(vm, v, item);
    if (name == vm->sym.__dict__ && attrs && type_of(v)->info && !type_of(v)->info->slots)
        return set_dict(vm, v, attrs, item);
    if (!attrs || !may_have(vm, v, name)) {
        if (type_find(vm, type_of(v), name))
            vm_raise(vm, "AttributeError", "'%s' object attribute '%s' is read-only", type_name(v),
                     sym_text(vm->names, name));
        else
            raise_no_attribute(vm, v, name);
        return false;
    }
    if (item && !*attrs)
        *attrs = dict_new(vm);
    if (item)
        return dict_set_sym(vm, as_dict(*attrs), name, item);
    if (*attrs && dict_delete(vm, *attrs, str_from_sym(vm, name)))
        return true;
    raise_no_attribute(vm, v, name);
    return false;
}

/* ---- super ---- */

value super_here(struct vm *vm)
{
    struct frame *frame = vm->frame;
    const struct code *code = frame > vm->frames ? frame->code : NULL;
    for (uint32_t i = code ? code->nlocals - code->nfree : 0; code && i < code->nlocals; i++) {
        if (code->local_names[i] != vm->sym.__class__)
            continue;
        value class = as_cell(frame->locals[i])->v;
        value self = code->nparams ? frame->locals[0] : NO_VALUE;
        if (is_exact(self, &type_cell))
            self = as_cell(self)->v;
        if (!self || class == VALUE_UNBOUND)
            break;
        return super_new(vm, class, self);
    }
    return vm_raise(vm, "RuntimeError", "super(): no arguments");
}
