// SPDX-License-Identifier: MIT
/* Slots of native types as methods, so that super().__getitem__(k) works, and methods of user
 * classes as slots. */
#include "python/class_slots.h"

#include <string.h>

#include "python/numbers.h"
#include "python/vm_state.h"

static const char *const binary_names[] = {
    "__add__",    "__sub__",    "__mul__",    "__truediv__", "__floordiv__", "__mod__", "__pow__",
    "__matmul__", "__lshift__", "__rshift__", "__and__",     "__or__",       "__xor__"};
static const char *const reflected_names[] = {
    "__radd__", "__rsub__", "__rmul__",    "__rtruediv__", "__rfloordiv__",
    "__rmod__", "__rpow__", "__rmatmul__", "__rlshift__",  "__rrshift__",
    "__rand__", "__ror__",  "__rxor__"};
static const char *const compare_names[] = {"__eq__", "__ne__", "__lt__",
                                            "__le__", "__gt__", "__ge__"};

/* ==== slots as methods: user is the type whose slot is meant ==== */

static const struct type *slot_owner(const struct args *args)
{
    return args->user;
}

static value do_repr(struct vm *vm, const struct args *args)
{
    return type_slot(slot_owner(args), repr)(vm, args->at[0]);
}

static value do_str(struct vm *vm, const struct args *args)
{
    return type_slot(slot_owner(args), str)(vm, args->at[0]);
}

static value do_len(struct vm *vm, const struct args *args)
{
    size_t n;
    return type_slot(slot_owner(args), len)(vm, args->at[0], &n) ? small((int64_t)n) : NO_VALUE;
}

static value do_bool(struct vm *vm, const struct args *args)
{
    bool truth;
    return type_slot(slot_owner(args), truth)(vm, args->at[0], &truth) ? value_bool(truth)
                                                                       : NO_VALUE;
}

static value do_hash(struct vm *vm, const struct args *args)
{
    uint64_t hash;
    bool (*slot)(struct vm *, value, uint64_t *) = type_slot(slot_owner(args), hash);
    if (!slot)
        return small((int64_t)(args->at[0] >> 4));
    return slot(vm, args->at[0], &hash) ? int_from(vm, (int64_t)hash) : NO_VALUE;
}

static value do_get_index(struct vm *vm, const struct args *args)
{
    return type_slot(slot_owner(args), get_index)(vm, args->at[0], args->at[1]);
}

static value do_set_index(struct vm *vm, const struct args *args)
{
    return type_slot(slot_owner(args), set_index)(vm, args->at[0], args->at[1], args->at[2])
               ? VALUE_NONE
               : NO_VALUE;
}

static value do_del_index(struct vm *vm, const struct args *args)
{
    return type_slot(slot_owner(args), set_index)(vm, args->at[0], args->at[1], NO_VALUE)
               ? VALUE_NONE
               : NO_VALUE;
}

static value do_contains(struct vm *vm, const struct args *args)
{
    bool in;
    return type_slot(slot_owner(args), contains)(vm, args->at[0], args->at[1], &in) ? value_bool(in)
                                                                                    : NO_VALUE;
}

static value do_iter(struct vm *vm, const struct args *args)
{
    return type_slot(slot_owner(args), iter)(vm, args->at[0]);
}

static value do_next(struct vm *vm, const struct args *args)
{
    value item = type_slot(slot_owner(args), next)(vm, args->at[0]);
    if (!item && !vm->error)
        return raise_exhausted(vm, args->at[0]);
    return item;
}

static int op_by_name(const char *const *names, int n, const char *name)
{
    int op = 0;
    while (op < n && strcmp(names[op], name))
        op++;
    return op;
}

static value do_compare(struct vm *vm, const struct args *args)
{
    int op = OP_EQ + op_by_name(compare_names, 6, args->def->name);
    value (*slot)(struct vm *, int, value, value) = type_slot(slot_owner(args), compare);
    if (slot)
        return slot(vm, op, args->at[0], args->at[1]);
    if (op == OP_NE)
        return value_compare(vm, OP_NE, args->at[0], args->at[1]);
    return op == OP_EQ && args->at[0] == args->at[1] ? VALUE_TRUE : VALUE_NOT_IMPLEMENTED;
}

static value do_binary(struct vm *vm, const struct args *args)
{
    int op = op_by_name(binary_names, 13, args->def->name);
    return type_slot(slot_owner(args), binary)(vm, op, args->at[0], args->at[1]);
}

static value do_reflected(struct vm *vm, const struct args *args)
{
    int op = op_by_name(reflected_names, 13, args->def->name);
    return type_slot(slot_owner(args), binary)(vm, op, args->at[1], args->at[0]);
}

static value do_call(struct vm *vm, const struct args *args)
{
    value kwargs = dict_len(args->at[2]) ? args->at[2] : NO_VALUE;
    return type_slot(slot_owner(args), call)(vm, args->at[0], args->at[1], kwargs);
}

static value do_format(struct vm *vm, const struct args *args)
{
    value (*slot)(struct vm *, value, value) = type_slot(slot_owner(args), format);
    if (!is_str(args->at[1]))
        return vm_raise(vm, "TypeError", "__format__() argument must be str, not %s",
                        type_name(args->at[1]));
    if (slot)
        return slot(vm, args->at[0], args->at[1]);
    return value_str(vm, args->at[0]);
}

/* object.__new__(type): an instance without more; raises TypeError when the class is abstract. */
static value instance_new(struct vm *vm, const struct type *type)
{
    if (!type->info || !type->info->abstract)
        return from_object(object_new(vm, type));
    value names = dict_get_sym(vm, as_dict(type->info->dict), vm->sym.__abstractmethods__);
    value sorted = names ? list_from(vm, names) : NO_VALUE;
    if (!sorted || !list_sort(vm, sorted, VALUE_NONE, false))
        return NO_VALUE;
    size_t n;
    const value *items = sequence_items(sorted, &n);
    struct buf text = {0};
    for (size_t i = 0; i < n; i++)
        buf_printf(&text, "%s'%s'", i ? ", " : "", is_str(items[i]) ? str_text(items[i]) : "?");
    vm_raise(
        vm, "TypeError",
        "Can't instantiate abstract class %s without an implementation for abstract method%s %s",
        type->name, n > 1 ? "s" : "", buf_text(&text));
    buf_free(&text);
    return NO_VALUE;
}

/* cls.__new__(cls, ...) of a native type. */
static value do_new(struct vm *vm, const struct args *args)
{
    value class = args->at[0];
    if (!is_type(class))
        return vm_raise(vm, "TypeError", "__new__(X): X is not a type object (%s)",
                        type_name(class));
    const struct type *native = slot_owner(args), *of = layout_of(as_type(class));
    if (!is_subtype(of, native))
        return vm_raise(vm, "TypeError", "%s.__new__(%s): %s is not a subtype of %s", native->name,
                        as_type(class)->name, as_type(class)->name, native->name);
    if (native == &type_object && of != &type_object)
        return vm_raise(vm, "TypeError", "object.__new__(%s) is not safe, use %s.__new__()",
                        as_type(class)->name, of->name);
    if (native == &type_object)
        return instance_new(vm, as_type(class));
    return type_slot(native, make)(vm, as_type(class), args->at[1],
                                   dict_len(args->at[2]) ? args->at[2] : NO_VALUE);
}

static value do_init(struct vm *vm, const struct args *args)
{
    return VALUE_NONE;
}

static value do_setattr(struct vm *vm, const struct args *args)
{
    sym_t name;
    return attr_name(vm, args->at[1], &name) &&
                   attr_set_without_hooks(vm, args->at[0], name, args->at[2])
               ? VALUE_NONE
               : NO_VALUE;
}

static value do_delattr(struct vm *vm, const struct args *args)
{
    sym_t name;
    return attr_name(vm, args->at[1], &name) &&
                   attr_set_without_hooks(vm, args->at[0], name, NO_VALUE)
               ? VALUE_NONE
               : NO_VALUE;
}

static value do_getattribute(struct vm *vm, const struct args *args)
{
    sym_t name;
    return attr_name(vm, args->at[1], &name) ? attr_without_hooks(vm, args->at[0], name) : NO_VALUE;
}

#define ROW(slot_, name, fn, signature)                                                            \
    {                                                                                              \
        offsetof(struct type, slot_),                                                              \
        {                                                                                          \
            name, fn, signature, ""                                                                \
        }                                                                                          \
    }
static const struct {
    size_t offset;
    struct native_def def;
} slot_methods[] = {
    ROW(repr, "__repr__", do_repr, "self"),
    ROW(str, "__str__", do_str, "self"),
    ROW(len, "__len__", do_len, "self"),
    ROW(truth, "__bool__", do_bool, "self"),
    ROW(hash, "__hash__", do_hash, "self"),
    ROW(get_index, "__getitem__", do_get_index, "self key /"),
    ROW(set_index, "__setitem__", do_set_index, "self key value /"),
    ROW(set_index, "__delitem__", do_del_index, "self key /"),
    ROW(contains, "__contains__", do_contains, "self key /"),
    ROW(iter, "__iter__", do_iter, "self"),
    ROW(next, "__next__", do_next, "self"),
    ROW(compare, "__eq__", do_compare, "self value /"),
    ROW(compare, "__ne__", do_compare, "self value /"),
    ROW(compare, "__lt__", do_compare, "self value /"),
    ROW(compare, "__le__", do_compare, "self value /"),
    ROW(compare, "__gt__", do_compare, "self value /"),
    ROW(compare, "__ge__", do_compare, "self value /"),
    ROW(call, "__call__", do_call, "self *args **kwargs"),
    ROW(format, "__format__", do_format, "self format_spec /"),
    ROW(set_attr, "__setattr__", do_setattr, "self name value /"),
};
#undef ROW

#define BINARY_ROW(name)                                                                           \
    {                                                                                              \
        name, do_binary, "self value /", ""                                                        \
    }
#define REFLECTED_ROW(name)                                                                        \
    {                                                                                              \
        name, do_reflected, "self value /", ""                                                     \
    }
static const struct native_def binary_methods[] = {BINARY_ROW("__add__"),
                                                   BINARY_ROW("__sub__"),
                                                   BINARY_ROW("__mul__"),
                                                   BINARY_ROW("__truediv__"),
                                                   BINARY_ROW("__floordiv__"),
                                                   BINARY_ROW("__mod__"),
                                                   BINARY_ROW("__pow__"),
                                                   BINARY_ROW("__and__"),
                                                   BINARY_ROW("__or__"),
                                                   BINARY_ROW("__xor__"),
                                                   REFLECTED_ROW("__radd__"),
                                                   REFLECTED_ROW("__rsub__"),
                                                   REFLECTED_ROW("__rmul__"),
                                                   REFLECTED_ROW("__rtruediv__"),
                                                   REFLECTED_ROW("__ror__"),
                                                   REFLECTED_ROW("__rand__"),
                                                   {0}};
static const struct native_def make_def = {"__new__", do_new, "cls *args **kwargs", ""};
static const struct native_def object_methods[] = {
    {"__init__", do_init, "self *args **kwargs", ""},
    {"__setattr__", do_setattr, "self name value /", ""},
    {"__delattr__", do_delattr, "self name /", ""},
    {"__getattribute__", do_getattribute, "self name /", ""},
    {"__eq__", do_compare, "self value /", ""},
    {"__ne__", do_compare, "self value /", ""},
    {"__hash__", do_hash, "self", ""},
    {"__format__", do_format, "self format_spec /", ""},
    {0}};

static void add_slot_method(struct vm *vm, struct dict *dict, const struct type *type,
                            const struct native_def *def)
{
    struct native *native = (struct native *)as_object(
        native_new(vm, def, (void *)(uintptr_t)type));
    native->owner = type;
    dict_set_sym(vm, dict, intern_str(vm->names, def->name), from_object(native));
}

void slots_as_methods(struct vm *vm, struct dict *dict, const struct type *type)
{
    for (size_t i = 0; i < sizeof slot_methods / sizeof *slot_methods; i++)
        if (*(void *const *)((const char *)type + slot_methods[i].offset))
            add_slot_method(vm, dict, type, &slot_methods[i].def);
    for (const struct native_def *def = binary_methods; type->binary && def->name; def++)
        add_slot_method(vm, dict, type, def);
    for (const struct native_def *def = object_methods; type == &type_object && def->name; def++)
        add_slot_method(vm, dict, type, def);
    if (!type->make && type != &type_object)
        return;
    struct native *native = (struct native *)as_object(
        native_new(vm, &make_def, (void *)(uintptr_t)type));
    struct wrapper *wrapper = object_new(vm, &type_staticmethod);
    wrapper->callable = from_object(native);
    dict_set_sym(vm, dict, vm->sym.__new__, from_object(wrapper));
}

/* ==== methods as slots ==== */

static value method_of(struct vm *vm, value self, sym_t name)
{
    return type_find(vm, type_of(self), name);
}

/* Whether the class says by __name__ = None, or by nothing, that its objects cannot do it. */
static bool is_denied(struct vm *vm, value self, sym_t name)
{
    value found = method_of(vm, self, name);
    return !found || found == VALUE_NONE;
}

/* Calls type(self).name(self, ...); one that is None is not callable. */
static value call_special(struct vm *vm, value self, sym_t name, const value *more, size_t n)
{
    value args[4] = {self};
    value found = method_of(vm, self, name);
    if (!found)
        return vm_raise(vm, "TypeError", "'%s' object has no %s", type_name(self),
                        sym_text(vm->names, name));
    if (!is_exact(found, &type_function) && !is_exact(found, &type_native)) {
        value bound = attr_bind(vm, found, self, type_of(self));
        return bound ? vm_call(vm, bound, more, n, NO_VALUE) : NO_VALUE;
    }
    for (size_t i = 0; i < n; i++)
        args[i + 1] = more[i];
    return vm_call(vm, found, args, n + 1, NO_VALUE);
}

static value user_text(struct vm *vm, value self, sym_t name)
{
    value text = call_special(vm, self, name, NULL, 0);
    if (text && !is_str(text))
        return vm_raise(vm, "TypeError", "%s returned non-string (type %s)",
                        sym_text(vm->names, name), type_name(text));
    return text;
}

static value user_repr(struct vm *vm, value self)
{
    return user_text(vm, self, vm->sym.__repr__);
}

static value user_str(struct vm *vm, value self)
{
    return user_text(vm, self, vm->sym.__str__);
}

static bool user_len(struct vm *vm, value self, size_t *out)
{
    value n = call_special(vm, self, vm->sym.__len__, NULL, 0);
    value whole = n ? int_index(vm, n) : NO_VALUE;
    int64_t i;
    if (!whole)
        return false;
    if (!int_get(whole, &i))
        return vm_raise(vm, "OverflowError", "cannot fit '%s' into an index-sized integer",
                        type_name(n));
    if (i < 0)
        return vm_raise(vm, "ValueError", "__len__() should return >= 0");
    *out = (size_t)i;
    return true;
}

static bool user_truth(struct vm *vm, value self, bool *out)
{
    value truth = call_special(vm, self, vm->sym.__bool__, NULL, 0);
    if (truth && truth != VALUE_TRUE && truth != VALUE_FALSE)
        return vm_raise(vm, "TypeError", "__bool__ should return bool, returned %s",
                        type_name(truth));
    *out = truth == VALUE_TRUE;
    return truth;
}

static bool user_hash(struct vm *vm, value self, uint64_t *out)
{
    if (is_denied(vm, self, vm->sym.__hash__))
        return unhashable(vm, self, out);
    value hash = call_special(vm, self, vm->sym.__hash__, NULL, 0);
    if (hash && hash != VALUE_TRUE && hash != VALUE_FALSE && !is_int(hash))
        return vm_raise(vm, "TypeError", "__hash__ method should return an integer");
    int64_t small;
    if (!hash || !int_get(hash, &small))
        return hash && value_hash(vm, hash, out);
    *out = (uint64_t)(small == -1 ? -2 : small);
    return true;
}

static value user_compare(struct vm *vm, int op, value a, value b)
{
    sym_t names[] = {vm->sym.__eq__, vm->sym.__ne__, vm->sym.__lt__,
                     vm->sym.__le__, vm->sym.__gt__, vm->sym.__ge__};
    value found = method_of(vm, a, names[op - OP_EQ]);
    bool plain = found && is_exact(found, &type_native) && as_native(found)->owner == &type_object;
    bool derived = op == OP_NE && (!found || plain);
    if (derived) { /* the opposite of __eq__ */
        value equal = call_special(vm, a, vm->sym.__eq__, &b, 1);
        bool truth;
        if (!equal || equal == VALUE_NOT_IMPLEMENTED)
            return equal;
        return value_truth(vm, equal, &truth) ? value_bool(!truth) : NO_VALUE;
    }
    return found ? call_special(vm, a, names[op - OP_EQ], &b, 1) : VALUE_NOT_IMPLEMENTED;
}

/* Whether b, of a class derived from that of a, has a reflected method of its own: it is asked
 * first. */
static bool reflects_first(struct vm *vm, value a, value b, sym_t reflected)
{
    value own = is_subtype(type_of(b), type_of(a)) ? method_of(vm, b, reflected) : NO_VALUE;
    return own && own != method_of(vm, a, reflected);
}

/* value_binary asks the slot of either operand's type, once if it is the same. */
static value user_binary(struct vm *vm, int op, value a, value b)
{
    value result = VALUE_NOT_IMPLEMENTED;
    sym_t name = intern_str(vm->names, binary_names[op]),
          reflected = intern_str(vm->names, reflected_names[op]);
    bool left = type_of(a)->binary == user_binary;
    bool right = type_of(b) != type_of(a) && type_of(b)->binary == user_binary;
    if (left && right && reflects_first(vm, a, b, reflected)) {
        result = call_special(vm, b, reflected, &a, 1);
        right = false;
    }
    if (result == VALUE_NOT_IMPLEMENTED && left && method_of(vm, a, name))
        result = call_special(vm, a, name, &b, 1);
    if (result == VALUE_NOT_IMPLEMENTED && right && method_of(vm, b, reflected))
        result = call_special(vm, b, reflected, &a, 1);
    return result;
}

static value user_unary(struct vm *vm, int op, value self)
{
    sym_t name = op == OP_NEG   ? vm->sym.__neg__
                 : op == OP_POS ? vm->sym.__pos__
                                : vm->sym.__invert__;
    return method_of(vm, self, name) ? call_special(vm, self, name, NULL, 0)
                                     : VALUE_NOT_IMPLEMENTED;
}

static value user_get_index(struct vm *vm, value self, value key)
{
    return call_special(vm, self, vm->sym.__getitem__, &key, 1);
}

static bool user_set_index(struct vm *vm, value self, value key, value item)
{
    value args[] = {key, item};
    sym_t name = item ? vm->sym.__setitem__ : vm->sym.__delitem__;
    if (!method_of(vm, self, name))
        return vm_raise(vm, "TypeError", "'%s' object does not support item %s", type_name(self),
                        item ? "assignment" : "deletion");
    return call_special(vm, self, name, args, item ? 2 : 1);
}

static bool user_contains(struct vm *vm, value self, value item, bool *out)
{
    if (is_denied(vm, self, vm->sym.__contains__))
        return vm_raise(vm, "TypeError", "'%s' object is not a container", type_name(self));
    value in = call_special(vm, self, vm->sym.__contains__, &item, 1);
    return in && value_truth(vm, in, out);
}

static value user_iter(struct vm *vm, value self)
{
    if (is_denied(vm, self, vm->sym.__iter__))
        return vm_raise(vm, "TypeError", "'%s' object is not iterable", type_name(self));
    value it = call_special(vm, self, vm->sym.__iter__, NULL, 0);
    if (it && !type_slot(type_of(it), next))
        return vm_raise(vm, "TypeError", "iter() returned non-iterator of type '%s'",
                        type_name(it));
    return it;
}

static value user_next(struct vm *vm, value self)
{
    value item = call_special(vm, self, vm->sym.__next__, NULL, 0);
    if (!item && vm_failed_with(vm, "StopIteration"))
        vm_take_error(vm);
    return item;
}

static value user_call(struct vm *vm, value self, value args, value kwargs)
{
    value found = method_of(vm, self, vm->sym.__call__);
    value bound = attr_bind(vm, found, self, type_of(self));
    size_t n;
    const value *items = sequence_items(args, &n);
    return bound ? vm_call(vm, bound, items, n, kwargs) : NO_VALUE;
}

static value user_format(struct vm *vm, value self, value spec)
{
    return call_special(vm, self, vm->sym.__format__, &spec, 1);
}

static bool user_set_attr(struct vm *vm, value self, sym_t name, value item)
{
    value args[] = {str_from_sym(vm, name), item};
    sym_t hook = item ? vm->sym.__setattr__ : vm->sym.__delattr__;
    value found = method_of(vm, self, hook);
    /* Another native method may stand under the name: __setattr__ = dict.__setitem__. */
    if (is_exact(found, &type_native) &&
        !strcmp(as_native(found)->def->name, sym_text(vm->names, hook)))
        return attr_set_without_hooks(vm, self, name, item);
    return call_special(vm, self, hook, args, item ? 2 : 1);
}

static value user_get_attr(struct vm *vm, value self, sym_t name)
{
    value text = str_from_sym(vm, name);
    return call_special(vm, self, vm->sym.__getattribute__, &text, 1);
}

/* Whether a Python class in the order defines the name (natives' own slots were copied already). */
static value defined(struct vm *vm, const struct class *class, sym_t name)
{
    for (uint32_t i = 0; i < class->info.nmro; i++) {
        const struct type *type = class->info.mro[i];
        value found = type->info ? dict_get_sym(vm, as_dict(type->info->dict), name) : NO_VALUE;
        if (found)
            return found;
    }
    return NO_VALUE;
}

static bool defines_any(struct vm *vm, const struct class *class, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (defined(vm, class, intern_str(vm->names, names[i])))
            return true;
    return false;
}

static value class_make(struct vm *vm, const struct type *type, value args, value kwargs);

void class_fill_slots(struct vm *vm, struct class *class)
{
    struct type *type = &class->type;
    struct symbols *s = &vm->sym;
    const struct type *native = class->info.native;
    type->make = class_make;
#define FILL(slot, cond) type->slot = (cond) ? user_##slot : native->slot
    FILL(repr, defined(vm, class, s->__repr__));
    FILL(str, defined(vm, class, s->__str__));
    FILL(len, defined(vm, class, s->__len__));
    FILL(truth, defined(vm, class, s->__bool__));
    FILL(get_index, defined(vm, class, s->__getitem__));
    FILL(set_index, defined(vm, class, s->__setitem__) || defined(vm, class, s->__delitem__));
    FILL(contains, defined(vm, class, s->__contains__));
    FILL(iter, defined(vm, class, s->__iter__));
    FILL(next, defined(vm, class, s->__next__));
    FILL(call, defined(vm, class, s->__call__));
    FILL(format, defined(vm, class, s->__format__));
    FILL(compare, defines_any(vm, class, compare_names, 6));
    FILL(binary,
         defines_any(vm, class, binary_names, 13) || defines_any(vm, class, reflected_names, 13));
    FILL(unary, defined(vm, class, s->__neg__) || defined(vm, class, s->__pos__) ||
                    defined(vm, class, s->__invert__));
    FILL(set_attr, defined(vm, class, s->__setattr__) || defined(vm, class, s->__delattr__));
    FILL(get_attr, defined(vm, class, s->__getattribute__));
    if (!dict_get_sym(vm, as_dict(class->info.dict), s->__hash__) &&
        dict_get_sym(vm, as_dict(class->info.dict), s->__eq__))
        dict_set_sym(vm, as_dict(class->info.dict), s->__hash__, VALUE_NONE);
    FILL(hash, defined(vm, class, s->__hash__));
#undef FILL
    if (type->repr == user_repr && !defined(vm, class, s->__str__))
        type->str = native == &type_exception || native == &type_str ? native->str : user_repr;
    if (!type->str && type->repr == native->repr)
        type->str = NULL;
}

/* ---- making instances ---- */

value class_new_hook(struct vm *vm, const struct type *type)
{
    value found = type_find(vm, type, vm->sym.__new__);
    if (found && is_exact(found, &type_staticmethod))
        found = as_wrapper(found)->callable;
    return found && !is_exact(found, &type_native) ? found : NO_VALUE;
}

/* That of a type in C has done its work when the object was made. */
static bool is_left_to_do(value init)
{
    return init && !(is_exact(init, &type_native) &&
                     !(as_native(init)->owner && as_native(init)->owner->info));
}

/* Types that are filled by an __init__ of their own: list, dict, set, deque, ...; exceptions, too,
 * but those have their args from the start. */
static bool is_mutable(const struct type *native)
{
    const struct native_def *def = native->methods;
    while (def && def->name && strcmp(def->name, "__init__"))
        def++;
    return def && def->name;
}

static value make_plain(struct vm *vm, const struct type *type, value args, value kwargs)
{
    const struct type *native = type->info->native;
    if (native == &type_object) {
        value init = type_find(vm, type, vm->sym.__init__);
        if (is_exact(init, &type_native) && (as_tuple(args)->len || kwargs))
            return vm_raise(vm, "TypeError", "%s() takes no arguments", type->name);
        return instance_new(vm, type);
    }
    value (*make)(struct vm *, const struct type *, value, value) = type_slot(native, make);
    if (!make)
        return vm_raise(vm, "TypeError", "cannot create '%s' instances", type->name);
    value init = type_find(vm, type, vm->sym.__init__);
    bool later = is_left_to_do(init);
    if (is_mutable(native) && later && native != &type_exception)
        return make(vm, type, tuple_new(vm, NULL, 0), NO_VALUE);
    return make(vm, type, args, later && native != &type_type ? NO_VALUE : kwargs);
}

static value class_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    value hook = class_new_hook(vm, type), self;
    if (hook) {
        value list = list_new(vm, NULL, 0);
        list_push(vm, list, type_value(type));
        for (size_t i = 0; i < n; i++)
            list_push(vm, list, items[i]);
        const value *all = sequence_items(list, &n);
        self = vm_call(vm, hook, all, n, kwargs);
        items = sequence_items(args, &n);
    } else {
        self = make_plain(vm, type, args, kwargs);
    }
    if (!self || !is_instance(self, type))
        return self;
    value init = type_find(vm, type_of(self), vm->sym.__init__);
    if (!is_left_to_do(init))
        return self;
    value bound = attr_bind(vm, init, self, type);
    value result = bound ? vm_call(vm, bound, items, n, kwargs) : NO_VALUE;
    if (result && result != VALUE_NONE)
        return raise_init_result(vm, result);
    return result ? self : NO_VALUE;
}

value class_maker(struct vm *vm, value bases)
{
    size_t n;
    const value *items = sequence_items(bases, &n);
    sym_t name = intern_str(vm->names, "__make_class__");
    for (size_t i = 0; i < n; i++) {
        value maker = is_type(items[i]) ? type_find(vm, as_type(items[i]), name)
                                        : value_attr_find(vm, items[i], name);
        if (maker && is_exact(maker, &type_staticmethod))
            maker = as_wrapper(maker)->callable;
        if (maker)
            return maker;
    }
    return NO_VALUE;
}
