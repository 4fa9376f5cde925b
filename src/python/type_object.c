// SPDX-License-Identifier: MIT
/* object, type, super, and the types of the constants. */
#include <stdlib.h>
#include <string.h>

#include "python/class_slots.h"
#include "python/foreign.h"
#include "python/types.h"
#include "python/vm_state.h"

/* ---- object ---- */

static value object_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    sequence_items(args, &n);
    const struct type *native = type->info ? type->info->native : type;
    if (native != &type_object) /* one that only C code makes */
        return vm_raise(vm, "TypeError", "cannot create '%s' instances", native->name);
    if (n || kwargs)
        return vm_raise(vm, "TypeError", "%s() takes no arguments", type->name);
    return from_object(object_new(vm, type));
}

// object.__repr__()
static value object_repr(struct vm *vm, const struct args *args)
{
    value self = args->at[0];
    return str_printf(vm, "<%s object at 0x%llx>", type_name(self), (unsigned long long)self);
}

// object.__str__()
static value object_str(struct vm *vm, const struct args *args)
{
    return value_repr(vm, args->at[0]);
}

// object.__dir__()
static value object_dir(struct vm *vm, const struct args *args)
{
    value names = list_new(vm, NULL, 0), key, item;
    value *attrs = attrs_of(args->at[0]);
    for (size_t pos = 0; attrs && *attrs && dict_next(*attrs, &pos, &key, &item);)
        list_push(vm, names, key);
    return names;
}

// object.__init_subclass__()
static value object_init_subclass(struct vm *vm, const struct args *args)
{
    return VALUE_NONE;
}

static const struct native_def object_methods[] = {
    {"__repr__", object_repr, "self", ""},
    {"__str__", object_str, "self", ""},
    {"__dir__", object_dir, "self", ""},
    {"__init_subclass__", object_init_subclass, "cls", ""},
    {0}};

const struct type type_object = {
    .object = {.type = &type_type},
    .name = "object",
    .size = sizeof(struct object),
    .methods = object_methods,
    .make = object_make,
};

/* ---- type ---- */

static void class_mark(struct vm *vm, struct object *self)
{
    struct class *class = (struct class *)self;
    heap_mark(vm, class->info.dict);
    heap_mark(vm, class->info.bases);
    heap_mark(vm, class->info.qualname);
    heap_mark(vm, class->info.slots);
    heap_mark(vm, class->info.subclasses);
    for (uint32_t i = 0; i < class->info.nmro; i++)
        heap_mark(vm, type_value(class->info.mro[i]));
}

static void class_finish(struct vm *vm, struct object *self)
{
    struct class *class = (struct class *)self;
    free(class->info.mro);
    free(class->text);
}

const struct type type_class = {
    .object = {.type = &type_type}, .name = "type", .size = sizeof(struct class)};

static value type_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (n == 1 && type == &type_type)
        return is_foreign(items[0]) ? foreign_type(vm, items[0]) : type_value(type_of(items[0]));
    if (n != 3)
        return vm_raise(vm, "TypeError", "type() takes 1 or 3 arguments");
    if (!is_str(items[0]) || !is_tuple(items[1]) || !is_dict(items[2]))
        return vm_raise(vm, "TypeError", "type.__new__() arguments must be str, tuple and dict");
    value dict = dict_copy(vm, &type_dict, as_dict(items[2]));
    if (dict && vm->frame > vm->frames && !dict_get_sym(vm, as_dict(dict), vm->sym.__module__)) {
        value module = dict_get_sym(vm, vm->frame->globals, vm->sym.__name__);
        if (module)
            dict_set_sym(vm, as_dict(dict), vm->sym.__module__, module);
    }
    return class_new(vm, &(struct class_parts){.metaclass = type,
                                               .name = items[0],
                                               .bases = items[1],
                                               .dict = dict,
                                               .keywords = kwargs});
}

static value type_call(struct vm *vm, value self, value args, value kwargs)
{
    const struct type *type = as_type(self);
    value (*make)(struct vm *, const struct type *, value, value) = type_slot(type, make);
    if (type != &type_object && make == object_make)
        make = NULL;
    if (!make)
        return vm_raise(vm, "TypeError", "cannot create '%s' instances", type->name);
    return make(vm, type, args, kwargs);
}

static value type_repr(struct vm *vm, value self)
{
    const struct type *type = as_type(self);
    value module = type->info ? dict_get_sym(vm, as_dict(type->info->dict), vm->sym.__module__)
                              : NO_VALUE;
    if (module && is_str(module) && strcmp(str_text(module), "builtins"))
        return str_printf(vm, "<class '%s.%s'>", str_text(module), str_text(type->info->qualname));
    return str_printf(vm, "<class '%s'>", type->name);
}

static value type_mro(struct vm *vm, const struct type *type)
{
    value list = list_new(vm, NULL, 0);
    for (uint32_t i = 0; type->info && i < type->info->nmro; i++)
        list_push(vm, list, type_value(type->info->mro[i]));
    for (const struct type *t = type->info ? NULL : type; t; t = t->base)
        list_push(vm, list, type_value(t));
    if (!type->info && type != &type_object)
        list_push(vm, list, type_value(&type_object));
    return tuple_from(vm, list);
}

static value type_bases(struct vm *vm, const struct type *type)
{
    if (type->info)
        return type->info->bases;
    value base = type_value(type->base ? type->base : &type_object);
    return tuple_new(vm, &base, type != &type_object);
}

const char *type_short_name(const struct type *type)
{
    const char *dot = strrchr(type->name, '.');
    return dot ? dot + 1 : type->name;
}

static value type_about(struct vm *vm, const struct type *type, sym_t name)
{
    const struct symbols *s = &vm->sym;
    const char *short_name = type_short_name(type);
    size_t n;
    if (name == s->__name__)
        return type->info ? str_from_sym(vm, type->info->name) : str_from(vm, short_name);
    if (name == s->__qualname__)
        return type->info ? type->info->qualname : str_from(vm, short_name);
    if (name == s->__mro__)
        return type_mro(vm, type);
    if (name == s->__bases__)
        return type_bases(vm, type);
    if (name == s->__base__)
        return type == &type_object ? VALUE_NONE : sequence_items(type_bases(vm, type), &n)[0];
    if (name == s->__dict__)
        return mappingproxy_new(vm, from_object(type_dict_of(vm, type)));
    if (name == s->__module__ && !type->info)
        return short_name > type->name
                   ? str_new(vm, type->name, (size_t)(short_name - 1 - type->name))
                   : str_from(vm, "builtins");
    return NO_VALUE;
}

static value type_get_attr(struct vm *vm, value self, sym_t name)
{
    const struct type *type = as_type(self);
    value about = type_about(vm, type, name);
    if (about)
        return about;
    value found = type_find(vm, type, name);
    if (!found && name == vm->sym.__doc__)
        return VALUE_NONE;
    if (!found && name == vm->sym.__annotations__ && type->info)
        return dict_new(vm);
    return found ? attr_bind(vm, found, NO_VALUE, type) : NO_VALUE;
}

static bool type_set_attr(struct vm *vm, value self, sym_t name, value item)
{
    struct class *class = (struct class *)as_object(self);
    if (!class->type.info)
        return vm_raise(vm, "TypeError", "cannot set '%s' attribute of immutable type '%s'",
                        sym_text(vm->names, name), class->type.name);
    attrs_forget(vm);
    value dict = class->info.dict, key = str_from_sym(vm, name);
    if (name == vm->sym.__name__ && item && is_str(item))
        class_rename(vm, class, item);
    else if (item)
        dict_set(vm, dict, key, item);
    else if (!dict_delete(vm, dict, key)) {
        raise_no_attribute(vm, self, name);
        return false;
    }
    if (name == vm->sym.__abstractmethods__ && (class->info.abstract = item) &&
        !value_truth(vm, item, &class->info.abstract))
        return false;
    class_fill_slots(vm, class);
    return true;
}

/* int[0] is a slip; list[int] is not. */
static bool is_no_container(const struct type *type)
{
    return type == &type_int || type == &type_float || type == &type_bool || type == &type_str ||
           type == &type_bytes || type == &type_object;
}

/* list[str] and its like, unless the class says otherwise. */
static value type_get_index(struct vm *vm, value self, value key)
{
    value hook = type_find(vm, as_type(self), vm->sym.__class_getitem__);
    if (hook && is_exact(hook, &type_classmethod))
        hook = as_wrapper(hook)->callable;
    value args[] = {self, key};
    if (!hook && is_no_container(as_type(self)))
        return vm_raise(vm, "TypeError", "type '%s' is not subscriptable", as_type(self)->name);
    return hook ? vm_call(vm, hook, args, 2, NO_VALUE) : alias_new(vm, self, key);
}

static value type_binary(struct vm *vm, int op, value a, value b)
{
    return op == OP_BITOR ? union_of(vm, a, b) : VALUE_NOT_IMPLEMENTED;
}

static value type_compare(struct vm *vm, int op, value a, value b)
{
    return op == OP_EQ || op == OP_NE ? value_bool((a == b) == (op == OP_EQ))
                                      : VALUE_NOT_IMPLEMENTED;
}

// type.mro()
static value type_mro_method(struct vm *vm, const struct args *args)
{
    return list_from(vm, type_mro(vm, as_type(args->at[0])));
}

// class.__subclasses__()
static value type_subclasses(struct vm *vm, const struct args *args)
{
    const struct type *type = is_type(args->at[0]) ? as_type(args->at[0]) : NULL;
    if (!type || !type->info)
        return raise_unsupported(
            vm, "__subclasses__() is there for classes that a class statement has made");
    size_t n = 0;
    const value *items = type->info->subclasses ? sequence_items(type->info->subclasses, &n) : NULL;
    return list_new(vm, items, n);
}

static const struct native_def type_methods[] = {
    {"__subclasses__", type_subclasses, "self /", "The classes that name it as a base."},
    {"mro", type_mro_method, "self", "The order in which classes are searched."},
    {0}};

const struct type type_type = {
    .object = {.type = &type_type},
    .name = "type",
    .size = sizeof(struct class),
    .methods = type_methods,
    .mark = class_mark,
    .finish = class_finish,
    .make = type_make,
    .call = type_call,
    .repr = type_repr,
    .get_attr = type_get_attr,
    .set_attr = type_set_attr,
    .get_index = type_get_index,
    .binary = type_binary,
    .compare = type_compare,
};

/* ---- super ---- */

struct super {
    struct object object;
    value class, self;
};

value super_new(struct vm *vm, value class, value self)
{
    struct super *super = object_new(vm, &type_super);
    super->class = class;
    super->self = self;
    return from_object(super);
}

static void super_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct super *)self)->class);
    heap_mark(vm, ((struct super *)self)->self);
}

static value super_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    if (!n)
        return super_here(vm);
    if (n != 2)
        return vm_raise(vm, "TypeError", "super() takes a type and an object");
    if (!is_type(items[0]))
        return vm_raise(vm, "TypeError", "super() argument 1 must be a type, not %s",
                        type_name(items[0]));
    if (!is_instance(items[1], as_type(items[0])) &&
        !(is_type(items[1]) && is_subtype(as_type(items[1]), as_type(items[0]))))
        return vm_raise(vm, "TypeError",
                        "super(type, obj): obj must be an instance or subtype of type");
    return super_new(vm, items[0], items[1]);
}

static value super_get_attr(struct vm *vm, value v, sym_t name)
{
    const struct super *super = (const struct super *)as_object(v);
    bool on_class = is_type(super->self) && is_subtype(as_type(super->self), as_type(super->class));
    const struct type *type = on_class ? as_type(super->self) : type_of(super->self);
    value found = type_find_after(vm, type, as_type(super->class), name);
    if (!found)
        return vm_raise(vm, "AttributeError", "'super' object has no attribute '%s'",
                        sym_text(vm->names, name));
    if (name == vm->sym.__init_subclass__ && !is_exact(found, &type_classmethod))
        return method_new(vm, found, super->self);
    return attr_bind(vm, found, on_class ? NO_VALUE : super->self, type);
}

const struct type type_super = {
    .object = {.type = &type_type},
    .name = "super",
    .size = sizeof(struct super),
    .mark = super_mark,
    .make = super_make,
    .get_attr = super_get_attr,
};

/* ---- constants ---- */

static value constant_repr(struct vm *vm, value self)
{
    return str_from(vm, self == VALUE_NONE       ? "None"
                        : self == VALUE_ELLIPSIS ? "Ellipsis"
                                                 : "NotImplemented");
}

static value none_binary(struct vm *vm, int op, value a, value b)
{
    if (op != OP_BITOR || !(is_type(a) || is_type(b)))
        return VALUE_NOT_IMPLEMENTED;
    return type_binary(vm, op, a, b);
}

static value none_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    return VALUE_NONE;
}

const struct type type_none = {.object = {.type = &type_type},
                               .name = "NoneType",
                               .repr = constant_repr,
                               .binary = none_binary,
                               .make = none_make};
const struct type type_ellipsis = {
    .object = {.type = &type_type}, .name = "ellipsis", .repr = constant_repr};
const struct type type_not_implemented = {
    .object = {.type = &type_type}, .name = "NotImplementedType", .repr = constant_repr};
