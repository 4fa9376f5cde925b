// SPDX-License-Identifier: MIT
/* mappingproxy: a mapping that can only be read, through the methods of the one behind it; what
 * __dict__ of a class is. */
#include "python/numbers.h"
#include "python/types.h"
#include "python/vm_state.h"

struct proxy {
    struct object object;
    value mapping;
};

/* The mapping behind a proxy; what is none stands for itself. */
static value behind(value v)
{
    return is_exact(v, &type_mappingproxy) ? ((struct proxy *)as_object(v))->mapping : v;
}

value mappingproxy_new(struct vm *vm, value mapping)
{
    struct proxy *proxy = object_new(vm, &type_mappingproxy);
    proxy->mapping = mapping;
    return from_object(proxy);
}

static value proxy_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"mapping", NULL};
    value mapping;
    if (!make_args(vm, "mappingproxy", names, 1, args, kwargs, &mapping))
        return NO_VALUE;
    bool sequence = is_list(mapping) || is_tuple(mapping) || is_str(mapping);
    if (sequence || !attr_special(vm, mapping, vm->sym.__getitem__))
        return vm->error
                   ? NO_VALUE
                   : vm_raise(vm, "TypeError", "mappingproxy() argument must be a mapping, not %s",
                              type_name(mapping));
    return mappingproxy_new(vm, mapping);
}

static void proxy_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct proxy *)self)->mapping);
}

static value proxy_repr(struct vm *vm, value self)
{
    value text = value_repr(vm, behind(self));
    return text ? str_printf(vm, "mappingproxy(%s)", str_text(text)) : NO_VALUE;
}

static value proxy_str(struct vm *vm, value self)
{
    return value_str(vm, behind(self));
}

static bool proxy_len(struct vm *vm, value self, size_t *out)
{
    return value_len(vm, behind(self), out);
}

static value proxy_get_index(struct vm *vm, value self, value key)
{
    return value_index(vm, behind(self), key);
}

static bool proxy_contains(struct vm *vm, value self, value key, bool *out)
{
    return value_contains(vm, behind(self), key, out);
}

static value proxy_iter(struct vm *vm, value self)
{
    return value_iter(vm, behind(self));
}

static value proxy_compare(struct vm *vm, int op, value a, value b)
{
    return value_compare(vm, op, behind(a), behind(b));
}

static bool proxy_hash(struct vm *vm, value self, uint64_t *out)
{
    return value_hash(vm, behind(self), out);
}

static value proxy_binary(struct vm *vm, int op, value a, value b)
{
    return op == OP_BITOR ? value_binary(vm, op, behind(a), behind(b)) : VALUE_NOT_IMPLEMENTED;
}

static value proxy_get_attr(struct vm *vm, value self, sym_t name)
{
    static const char *const shared[] = {"get", "keys", "values", "items", "copy", "__reversed__"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (name == intern_str(vm->names, shared[i]))
            return value_attr(vm, behind(self), name);
    return NO_VALUE;
}

static value proxy_ior(struct vm *vm, const struct args *args)
{
    return vm_raise(vm, "TypeError", "'|=' is not supported by mappingproxy; use '|' instead");
}

static const struct native_def proxy_methods[] = {{"__ior__", proxy_ior, "self value /", ""}, {0}};

const struct type type_mappingproxy = {
    .object = {.type = &type_type},
    .name = "mappingproxy",
    .size = sizeof(struct proxy),
    .methods = proxy_methods,
    .mark = proxy_mark,
    .make = proxy_make,
    .repr = proxy_repr,
    .str = proxy_str,
    .len = proxy_len,
    .get_index = proxy_get_index,
    .contains = proxy_contains,
    .iter = proxy_iter,
    .compare = proxy_compare,
    .binary = proxy_binary,
    .hash = proxy_hash,
    .get_attr = proxy_get_attr,
};
