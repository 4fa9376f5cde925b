// SPDX-License-Identifier: MIT
/* list[int] and int | None: types with arguments, and unions of types. They are for annotations and
 * isinstance(); nothing is checked when an object is made. */
#include <string.h>

#include "python/builtins.h"
#include "python/class.h"
#include "python/types.h"
#include "python/vm_state.h"

/* Both kinds; a union has no origin. */
struct alias {
    struct object object;
    value origin, args; /* args: tuple */
};

static struct alias *as_alias(value v)
{
    return (struct alias *)as_object(v);
}

static bool is_union(value v)
{
    return is_exact(v, &type_union);
}

static void alias_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct alias *)self)->origin);
    heap_mark(vm, ((struct alias *)self)->args);
}

static value alias_made(struct vm *vm, const struct type *type, value origin, value args)
{
    struct alias *alias = object_new(vm, type);
    alias->origin = origin;
    alias->args = args;
    return from_object(alias);
}

value alias_new(struct vm *vm, value origin, value key)
{
    return alias_made(vm, &type_alias, origin, is_tuple(key) ? key : tuple_new(vm, &key, 1));
}

value alias_origin(value v)
{
    return is_exact(v, &type_alias) ? as_alias(v)->origin : NO_VALUE;
}

value alias_args(value v)
{
    return as_alias(v)->args;
}

/* ---- unions ---- */

static bool add_kind(struct vm *vm, value kinds, value kind)
{
    bool known;
    kind = kind == VALUE_NONE ? type_value(&type_none) : kind;
    if (!value_contains(vm, kinds, kind, &known))
        return false;
    if (!known)
        list_push(vm, kinds, kind);
    return true;
}

static bool can_unite(value v)
{
    return v == VALUE_NONE || is_type(v) || is_exact(v, &type_alias) || is_union(v);
}

value union_of(struct vm *vm, value a, value b)
{
    value kinds = list_new(vm, NULL, 0), sides[] = {a, b};
    size_t n;
    if (!can_unite(a) || !can_unite(b))
        return VALUE_NOT_IMPLEMENTED;
    for (int side = 0; side < 2; side++) {
        const value *items = is_union(sides[side]) ? sequence_items(as_alias(sides[side])->args, &n)
                                                   : &sides[side];
        n = is_union(sides[side]) ? n : 1;
        for (size_t i = 0; i < n; i++)
            if (!add_kind(vm, kinds, items[i]))
                return NO_VALUE;
    }
    const value *items = sequence_items(kinds, &n);
    return n == 1 ? items[0] : alias_made(vm, &type_union, VALUE_NONE, tuple_new(vm, items, n));
}

static value alias_binary(struct vm *vm, int op, value a, value b)
{
    return op == OP_BITOR ? union_of(vm, a, b) : VALUE_NOT_IMPLEMENTED;
}

/* ---- how they look ---- */

static bool add_shown(struct vm *vm, value v, struct buf *out)
{
    size_t n = 0;
    const value *items = is_list(v) ? sequence_items(v, &n) : NULL;
    if (v == VALUE_ELLIPSIS || v == type_value(&type_none) || (is_type(v) && !as_type(v)->info)) {
        buf_str(out, v == VALUE_ELLIPSIS           ? "..."
                     : v == type_value(&type_none) ? "None"
                                                   : as_type(v)->name);
        return true;
    }
    if (is_type(v)) {
        value module = value_attr(vm, v, vm->sym.__module__);
        const char *name = module && is_str(module) ? str_text(module) : "builtins";
        if (strcmp(name, "builtins"))
            buf_printf(out, "%s.", name);
        buf_str(out, str_text(as_type(v)->info->qualname));
        return module;
    }
    if (!is_list(v)) {
        value repr = value_repr(vm, v);
        buf_str(out, repr ? str_text(repr) : "");
        return repr;
    }
    buf_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        buf_str(out, i ? ", " : "");
        if (!add_shown(vm, items[i], out))
            return false;
    }
    buf_char(out, ']');
    return true;
}

static value alias_repr(struct vm *vm, value self)
{
    struct buf out = {0};
    size_t n;
    bool both = is_union(self);
    const value *items = sequence_items(as_alias(self)->args, &n);
    bool fine = both || add_shown(vm, as_alias(self)->origin, &out);
    buf_str(&out, both ? "" : n ? "[" : "[()");
    for (size_t i = 0; fine && i < n; i++) {
        buf_str(&out, !i ? "" : both ? " | " : ", ");
        fine = add_shown(vm, items[i], &out);
    }
    buf_str(&out, both ? "" : "]");
    value text = fine ? str_new(vm, buf_text(&out), out.len) : NO_VALUE;
    buf_free(&out);
    return text;
}

/* ---- comparing ---- */

static value alias_set(struct vm *vm, value v)
{
    return vm_call1(vm, type_value(&type_frozenset), as_alias(v)->args);
}

/* Unions are equal in any order. */
static value alias_compare(struct vm *vm, int op, value a, value b)
{
    if ((op != OP_EQ && op != OP_NE) || type_of(a) != type_of(b))
        return VALUE_NOT_IMPLEMENTED;
    bool equal = false, same = is_union(a) || as_alias(a)->origin == as_alias(b)->origin;
    value x = is_union(a) ? alias_set(vm, a) : as_alias(a)->args,
          y = is_union(b) ? alias_set(vm, b) : as_alias(b)->args;
    if (!x || !y || (same && !value_equal(vm, x, y, &equal)))
        return NO_VALUE;
    return value_bool((same && equal) == (op == OP_EQ));
}

static bool alias_hash(struct vm *vm, value self, uint64_t *out)
{
    value items = is_union(self) ? alias_set(vm, self) : as_alias(self)->args;
    if (!items || !value_hash(vm, items, out))
        return false;
    *out ^= is_union(self) ? 1 : as_alias(self)->origin >> 4;
    return true;
}

/* ---- use ---- */

static value alias_call(struct vm *vm, value self, value args, value kwargs)
{
    size_t n;
    const value *items = sequence_items(args, &n);
    return vm_call(vm, as_alias(self)->origin, items, n, kwargs ? kwargs : NO_VALUE);
}

static value alias_get_attr(struct vm *vm, value self, sym_t name)
{
    const char *text = sym_text(vm->names, name);
    if (!strcmp(text, "__args__"))
        return as_alias(self)->args;
    if (!strcmp(text, "__parameters__"))
        return tuple_new(vm, NULL, 0);
    if (is_union(self) || name == vm->sym.__class__ || name == vm->sym.__instancecheck__)
        return NO_VALUE;
    return !strcmp(text, "__origin__") ? as_alias(self)->origin
                                       : value_attr_find(vm, as_alias(self)->origin, name);
}

// isinstance(v, int | str), isinstance(v, list[int])
static value alias_instancecheck(struct vm *vm, const struct args *args)
{
    value self = args->at[0];
    size_t n;
    const value *items = sequence_items(as_alias(self)->args, &n);
    bool yes = false;
    if (!is_union(self))
        return vm_raise(vm, "TypeError",
                        "isinstance() argument 2 cannot be a parameterized generic");
    for (size_t i = 0; i < n && !yes; i++)
        if (!value_isinstance(vm, args->at[1], items[i], &yes))
            return NO_VALUE;
    return value_bool(yes);
}

static const struct native_def alias_methods[] = {{"__instancecheck__", alias_instancecheck,
                                                   "self instance /",
                                                   "Whether it is of one of the types."},
                                                  {0}};

#define ALIAS                                                                                      \
    .object = {.type = &type_type}, .size = sizeof(struct alias), .mark = alias_mark,              \
    .repr = alias_repr, .compare = alias_compare, .hash = alias_hash, .binary = alias_binary,      \
    .get_attr = alias_get_attr, .methods = alias_methods

const struct type type_alias = {ALIAS, .name = "types.GenericAlias", .call = alias_call};
const struct type type_union = {ALIAS, .name = "types.UnionType"};
