// SPDX-License-Identifier: MIT
/* Attributes of types and user classes. A class is a struct type whose slots are filled by
 * class_slots.c with functions that look up __name__ methods. Lookups along the mro go through one
 * cache, forgotten as a whole when a class attribute changes. */
#include "python/class.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/memory.h"
#include "python/call.h"
#include "python/class_slots.h"
#include "python/foreign.h"
#include "python/vm_ops.h"
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

value *attrs_of(value v)
{
    if (!is_object(v))
        return NULL;
    const struct type *type = as_object(v)->type;
    if (type->attrs == ATTRS_BEHIND)
        return attrs_behind(as_object(v));
    return type->attrs ? (value *)((char *)as_object(v) + type->attrs) : NULL;
}

static const struct type *layout_of(const struct type *type)
{
    return type->info ? type->info->native : type;
}

static value bind_user(struct vm *vm, value found, value self, const struct type *owner)
{
    value get = type_find(vm, type_of(found), vm->sym.__get__);
    if (!get)
        return found;
    value args[] = {found, self ? self : VALUE_NONE, type_value(owner)};
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
        return method_new(vm, ((struct wrapper *)as_object(found))->callable, type_value(owner));
    if (kind == &type_staticmethod)
        return ((struct wrapper *)as_object(found))->callable;
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

bool object_set_attr(struct vm *vm, value v, sym_t name, value item)
{
    value *attrs = attrs_of(v);
    if (name == vm->sym.__class__)
        return set_class(vm, v, item);
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

/* ---- making classes ---- */

/* Names the heads of the lists, none of which can come next. */
static bool complain_order(struct vm *vm, const struct type **const *lists, const uint32_t *len,
                           const uint32_t *at, uint32_t n)
{
    struct buf names = {0};
    for (uint32_t i = 0; i <= n; i++) {
        bool named = at[i] == len[i];
        for (uint32_t j = 0; j < i && !named; j++)
            named = at[j] < len[j] && lists[j][at[j]] == lists[i][at[i]];
        if (!named)
            buf_printf(&names, "%s%s", names.len ? ", " : "", lists[i][at[i]]->name);
    }
    vm_raise(vm, "TypeError",
             "Cannot create a consistent method resolution\norder (MRO) for bases %s",
             buf_text(&names));
    buf_free(&names);
    return false;
}

/* C3: repeatedly the first head that is in no other list's tail. */
static bool linearize(struct vm *vm, struct class *class, const struct tuple *bases)
{
    uint32_t n = bases->len, total = 1;
    const struct type **lists[64];
    const struct type *native[64][16];
    uint32_t len[65], at[65] = {0};
    if (n > 63) {
        vm_raise(vm, "TypeError", "too many bases");
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct type *base = as_type(bases->at[i]);
        for (uint32_t j = 0; j < i; j++)
            if (bases->at[j] == bases->at[i])
                return vm_raise(vm, "TypeError", "duplicate base class %s", base->name);
        if (base->info) {
            lists[i] = base->info->mro;
            len[i] = base->info->nmro;
        } else {
            len[i] = 0;
            for (const struct type *t = base; t && len[i] < 15; t = t->base)
                if (t != &type_object)
                    native[i][len[i]++] = t;
            native[i][len[i]++] = &type_object;
            lists[i] = native[i];
        }
        total += len[i];
    }
    const struct type *own[64];
    for (uint32_t i = 0; i < n; i++)
        own[i] = as_type(bases->at[i]);
    lists[n] = own;
    len[n] = n;
    const struct type **mro = memory_zeroed(total + 1, sizeof *mro);
    uint32_t count = 0;
    mro[count++] = &class->type;
    for (;;) {
        const struct type *next = NULL;
        bool left = false;
        for (uint32_t i = 0; i <= n && !next; i++) {
            if (at[i] == len[i])
                continue;
            left = true;
            next = lists[i][at[i]];
            for (uint32_t j = 0; j <= n && next; j++)
                for (uint32_t k = at[j] + 1; k < len[j] && next; k++)
                    if (lists[j][k] == next)
                        next = NULL;
        }
        if (!left)
            break;
        if (!next) {
            free(mro);
            return complain_order(vm, lists, len, at, n);
        }
        mro[count++] = next;
        for (uint32_t i = 0; i <= n; i++)
            at[i] += at[i] < len[i] && lists[i][at[i]] == next;
    }
    class->info.mro = mro;
    class->info.nmro = count;
    return true;
}

/* The native type whose layout the bases agree on. */
static const struct type *native_base(struct vm *vm, const struct tuple *bases)
{
    const struct type *native = &type_object;
    for (uint32_t i = 0; i < bases->len; i++) {
        const struct type *layout = layout_of(as_type(bases->at[i]));
        if (layout == &type_bool || layout == &type_none || layout == &type_function ||
            layout == &type_range || layout == &type_slice || layout == &type_generator ||
            layout == &type_coroutine || layout == &type_native)
            return (const struct type *)vm_raise(
                vm, "TypeError", "type '%s' is not an acceptable base type", layout->name);
        if (layout->size == type_object.size && layout->attrs == type_object.attrs &&
            layout != native)
            layout = native == &type_object ? layout : native;
        if (is_subtype(native, layout))
            continue;
        if (!is_subtype(layout, native))
            return (const struct type *)vm_raise(vm, "TypeError",
                                                 "multiple bases have instance lay-out conflict");
        native = layout;
    }
    return native;
}

static void class_layout(struct class *class, const struct type *native, const struct type *first,
                         bool slots)
{
    struct type *type = &class->type;
    struct object header = type->object;
    *type = *native;
    type->object = header;
    type->methods = type->properties = NULL;
    type->base = first;
    bool varies = native == &type_str || native == &type_tuple || native == &type_bytes ||
                  native == &type_int;
    if (varies) {
        type->attrs = slots ? first->attrs : ATTRS_BEHIND;
    } else if (!native->attrs && native != &type_type) { /* a class has its own dict */
        type->attrs = native->size;
        type->size = native->size + sizeof(value);
    }
}

void class_rename(struct vm *vm, struct class *class, value name)
{
    char *text = malloc(as_str(name)->len + 1);
    if (!text)
        out_of_memory();
    memcpy(text, str_text(name), as_str(name)->len + 1);
    free(class->text);
    class->type.name = class->text = text;
    class->info.name = str_sym(vm, name);
}

static bool name_set(struct vm *vm, value class, value dict)
{
    value key, item;
    for (size_t pos = 0; dict_next(dict, &pos, &key, &item);) {
        value hook = is_object(item) && as_object(item)->type->info
                         ? type_find(vm, as_object(item)->type, vm->sym.__set_name__)
                         : NO_VALUE;
        value args[] = {item, class, key};
        if (hook && !vm_call(vm, hook, args, 3, NO_VALUE))
            return false;
    }
    return true;
}

/* The most derived of a metaclass and those of the bases; NULL: raised. */
static const struct type *metaclass_of(struct vm *vm, const struct type *metaclass, value bases)
{
    size_t n;
    const value *items = sequence_items(bases, &n);
    for (size_t i = 0; i < n; i++) {
        const struct type *other = is_type(items[i]) ? type_of(items[i]) : &type_type;
        if (is_subtype(metaclass, other))
            continue;
        if (!is_subtype(other, metaclass))
            return (const struct type *)vm_raise(
                vm, "TypeError",
                "metaclass conflict: the metaclass of a derived class must be a "
                "(non-strict) subclass of the metaclasses of all its bases");
        metaclass = other;
    }
    return metaclass;
}

static value call_metaclass(struct vm *vm, const struct class_parts *parts)
{
    value args[] = {parts->name, parts->bases, parts->dict};
    return vm_call(vm, type_value(parts->metaclass), args, 3, parts->keywords);
}

/* Bases that stand for classes are replaced: list[int], exceptions of python3. */
static bool resolve_bases(struct vm *vm, value *bases_tuple)
{
    value object_base = type_value(&type_object);
    struct tuple *bases = (struct tuple *)as_object(*bases_tuple);
    if (!bases->len)
        *bases_tuple = tuple_new(vm, &object_base, 1);
    for (uint32_t i = 0; i < bases->len; i++) {
        value base = bases->at[i];
        if (alias_origin(base))
            bases->at[i] = alias_origin(base);
        else if (is_foreign(base))
            bases->at[i] = foreign_exception_class(vm, base);
        else if (!is_type(base))
            return vm_raise(vm, "TypeError",
                            "a class cannot be derived from an object of type '%s'",
                            type_name(base));
        if (!bases->at[i])
            return false;
    }
    return true;
}

/* Takes a name from a class's dict; NO_VALUE if it is not there. */
static value take_out(struct vm *vm, value dict, sym_t name)
{
    value found = dict_get_sym(vm, as_dict(dict), name);
    if (found)
        dict_delete(vm, dict, str_from_sym(vm, name));
    return found;
}

/* A name of __slots__ as it is written in the class; NO_VALUE: raised. */
static value slot_name(struct vm *vm, const struct class_parts *parts, value name)
{
    if (!is_str(name))
        return vm_raise(vm, "TypeError", "__slots__ items must be strings, not '%s'",
                        type_name(name));
    const char *text = str_text(name), *class = str_text(parts->name);
    size_t len = as_str(name)->len;
    if (!strncmp(text, "__", 2) && !(len > 3 && !strcmp(text + len - 2, "__")))
        name = str_printf(vm, "_%s%s", class + strspn(class, "_"), text);
    if (dict_get(vm, parts->dict, name))
        return vm_raise(vm, "ValueError", "'%s' in __slots__ conflicts with class variable", text);
    return name;
}

/* The names that instances may have, where the class and every base have __slots__: keys of a dict,
 * else None. */
static value slot_names(struct vm *vm, const struct class_parts *parts)
{
    value own = dict_get_sym(vm, as_dict(parts->dict), vm->sym.__slots__);
    value said = !own ? NO_VALUE : is_str(own) ? list_new(vm, &own, 1) : list_from(vm, own);
    value names = dict_new(vm), key, unused;
    bool open = !own;
    size_t n = 0, nbases;
    const value *items = said ? sequence_items(said, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        value name = slot_name(vm, parts, items[i]);
        if (!name)
            return NO_VALUE;
        open |= str_sym(vm, name) == vm->sym.__dict__;
        dict_set(vm, names, name, VALUE_NONE);
    }
    const value *bases = sequence_items(parts->bases, &nbases);
    for (size_t i = 0; i < nbases; i++) {
        const struct type *base = as_type(bases[i]);
        value more = base->info ? base->info->slots : NO_VALUE;
        open |= base->info ? !more : base->attrs != 0;
        for (size_t at = 0; more && dict_next(more, &at, &key, &unused);)
            dict_set(vm, names, key, VALUE_NONE);
    }
    return vm->error ? NO_VALUE : open ? VALUE_NONE : names;
}

static bool init_subclass(struct vm *vm, value class, value keywords)
{
    const struct type *type = as_type(class);
    value hook = type_find_after(vm, type, type, vm->sym.__init_subclass__);
    if (!hook)
        return true;
    if (is_exact(hook, &type_classmethod))
        hook = ((struct wrapper *)as_object(hook))->callable;
    return vm_call(vm, hook, &class, 1, keywords);
}

static struct class *class_alloc(struct vm *vm, const struct class_parts *parts,
                                 const struct type *native)
{
    const struct tuple *bases = (const struct tuple *)as_object(parts->bases);
    value slots = slot_names(vm, parts);
    if (!slots)
        return NULL;
    struct class *class = object_new(vm, &type_class);
    class->type.object.type = parts->metaclass;
    class_layout(class, native, as_type(bases->at[0]),
                 dict_get_sym(vm, as_dict(parts->dict), vm->sym.__slots__));
    class->info.dict = parts->dict;
    class->info.bases = parts->bases;
    class->info.native = native;
    class->info.slots = slots == VALUE_NONE ? NO_VALUE : slots;
    class_rename(vm, class, parts->name);
    value qualname = take_out(vm, parts->dict, vm->sym.__qualname__);
    class->info.qualname = qualname ? qualname : parts->name;
    if (!linearize(vm, class, bases))
        return NULL;
    class->type.info = &class->info;
    if (!dict_get_sym(vm, as_dict(parts->dict), vm->sym.__module__))
        dict_set_sym(vm, as_dict(parts->dict), vm->sym.__module__, str_from(vm, "builtins"));
    class_fill_slots(vm, class);
    return class;
}

static void tell_bases(struct vm *vm, struct class *class)
{
    size_t n;
    const value *bases = sequence_items(class->info.bases, &n);
    for (size_t i = 0; i < n; i++) {
        struct class *base = (struct class *)as_object(bases[i]);
        if (!base->type.info)
            continue;
        if (!base->info.subclasses)
            base->info.subclasses = list_new(vm, NULL, 0);
        list_push(vm, base->info.subclasses, from_object(class));
    }
}

value class_new(struct vm *vm, const struct class_parts *said)
{
    struct class_parts parts = *said;
    const struct type *given = parts.metaclass ? parts.metaclass : &type_type;
    if (!resolve_bases(vm, &parts.bases) ||
        !(parts.metaclass = metaclass_of(vm, given, parts.bases)))
        return NO_VALUE;
    if (parts.metaclass != given)
        return call_metaclass(vm, &parts);
    const struct type *native = native_base(vm, (const struct tuple *)as_object(parts.bases));
    if (!native)
        return NO_VALUE;
    value cell = take_out(vm, parts.dict, vm->sym.__classcell__);
    struct class *made = class_alloc(vm, &parts, native);
    if (!made)
        return NO_VALUE;
    value class = from_object(made);
    if (cell && !is_exact(cell, &type_cell))
        return vm_raise(vm, "TypeError", "__classcell__ must be a nonlocal cell, not <class '%s'>",
                        type_name(cell));
    if (cell)
        ((struct cell *)as_object(cell))->v = class;
    tell_bases(vm, made);
    return name_set(vm, class, parts.dict) && init_subclass(vm, class, parts.keywords) ? class
                                                                                       : NO_VALUE;
}

/* The dict that the body of a class statement fills; NO_VALUE: raised. */
static value prepare(struct vm *vm, const struct class_parts *parts)
{
    const struct type *metaclass = parts->metaclass;
    value hook = metaclass->info ? value_attr_find(vm, type_value(metaclass), vm->sym.__prepare__)
                                 : NO_VALUE;
    if (!hook)
        return vm->error ? NO_VALUE : dict_new(vm);
    value args[] = {parts->name, parts->bases}, dict = vm_call(vm, hook, args, 2, parts->keywords);
    return !dict || is_dict(dict)
               ? dict
               : raise_unsupported(vm, "a __prepare__() that returns a '%s' is not supported",
                                   type_name(dict));
}

/* The metaclass among the keywords is taken out: a class, or what is called instead of one. */
static bool take_metaclass(struct vm *vm, struct class_parts *parts, value *maker)
{
    value given = take_out(vm, parts->keywords, vm->sym.metaclass);
    if (given && is_foreign(given))
        return raise_unsupported(vm, "a metaclass of a foreign module is not supported");
    parts->metaclass = given && is_type(given) ? as_type(given) : &type_type;
    *maker = given && !is_type(given) ? given : class_maker(vm, parts->bases);
    if (!*maker && !vm->error)
        parts->metaclass = metaclass_of(vm, parts->metaclass, parts->bases);
    return parts->metaclass && !vm->error;
}

value class_build(struct vm *vm, value body, value bases_list, value keywords)
{
    const struct function *function = as_function(body);
    size_t n;
    const value *items = sequence_items(bases_list, &n);
    struct class_parts parts = {.name = str_from_sym(vm, function->code->name),
                                .bases = tuple_new(vm, items, n),
                                .keywords = keywords};
    value maker;
    if (!take_metaclass(vm, &parts, &maker) || !(parts.dict = prepare(vm, &parts)) ||
        vm_too_deep(vm) ||
        !enter_code(vm, function->code, function->globals, parts.dict, (struct function *)function))
        return NO_VALUE;
    value cell = vm_execute(vm);
    if (!cell)
        return NO_VALUE;
    if (maker) {
        value args[] = {parts.name, parts.bases, parts.dict};
        value class = vm_call(vm, maker, args, 3, keywords);
        if (class && cell != VALUE_NONE)
            ((struct cell *)as_object(cell))->v = class;
        return class;
    }
    if (cell != VALUE_NONE)
        dict_set_sym(vm, as_dict(parts.dict), vm->sym.__classcell__, cell);
    return parts.metaclass == &type_type ? class_new(vm, &parts) : call_metaclass(vm, &parts);
}

/* ---- super ---- */

value super_here(struct vm *vm)
{
    struct frame *frame = vm->frame;
    const struct code *code = frame > vm->frames ? frame->code : NULL;
    for (uint32_t i = code ? code->nlocals - code->nfree : 0; code && i < code->nlocals; i++) {
        if (code->local_names[i] != vm->sym.__class__)
            continue;
        value class = ((struct cell *)as_object(frame->locals[i]))->v;
        value self = code->nparams ? frame->locals[0] : NO_VALUE;
        if (is_exact(self, &type_cell))
            self = ((struct cell *)as_object(self))->v;
        if (!self || class == VALUE_UNBOUND)
            break;
        return super_new(vm, class, self);
    }
    return vm_raise(vm, "RuntimeError", "super(): no arguments");
}
