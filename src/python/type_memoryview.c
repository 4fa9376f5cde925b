// SPDX-License-Identifier: MIT
/* memoryview: a window on the bytes of a bytes or bytearray object, whose slices are windows too:
 * nothing is copied. Items are bytes; a window follows a bytearray that has become shorter. */
#include <string.h>

#include "python/bytes.h"
#include "python/numbers.h"
#include "python/types.h"
#include "python/vm_state.h"

struct window {
    struct object object;
    value source; /* bytes or bytearray; NO_VALUE: released */
    size_t from, len;
};

static struct window *as_window(value v)
{
    return (struct window *)as_object(v);
}

const char *memoryview_get(value v, size_t *len)
{
    if (!is_exact(v, &type_memoryview) || !as_window(v)->source)
        return NULL;
    const struct window *w = as_window(v);
    size_t whole;
    const char *at = bytes_get(w->source, &whole);
    size_t from = w->from < whole ? w->from : whole;
    *len = w->len < whole - from ? w->len : whole - from;
    return at + from;
}

value raise_no_bytes(struct vm *vm, value v)
{
    if (is_exact(v, &type_memoryview))
        return vm_raise(vm, "ValueError", "operation forbidden on released memoryview object");
    return vm_raise(vm, "TypeError", "a bytes-like object is required, not '%s'", type_name(v));
}

/* The bytes; NULL: raised, the window was given back. */
static const char *open_window(struct vm *vm, value v, size_t *len)
{
    const char *at = memoryview_get(v, len);
    if (!at)
        raise_no_bytes(vm, v);
    return at;
}

static value window_new(struct vm *vm, value source, size_t from, size_t len)
{
    struct window *w = object_new(vm, &type_memoryview);
    w->source = source;
    w->from = from;
    w->len = len;
    return from_object(w);
}

char *bytes_writable(struct vm *vm, value v, size_t *len)
{
    size_t whole;
    value source = is_exact(v, &type_memoryview) ? as_window(v)->source : v;
    if (source && bytearray_get(source, &whole))
        return (char *)bytes_get(v, len); /* a bytearray is ours to change */
    return (char *)vm_raise(vm, "TypeError", "a read-write bytes-like object is required, not '%s'",
                            type_name(v));
}

static value memoryview_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"object", NULL};
    value source;
    size_t len;
    if (!make_args(vm, "memoryview", names, 1, args, kwargs, &source))
        return NO_VALUE;
    bool again = is_exact(source, &type_memoryview);
    if (again ? !open_window(vm, source, &len) : !bytes_get(source, &len))
        return again ? NO_VALUE
                     : vm_raise(vm, "TypeError",
                                "memoryview: a bytes-like object is required, not '%s'",
                                type_name(source));
    return again ? window_new(vm, as_window(source)->source, as_window(source)->from, len)
                 : window_new(vm, source, 0, len);
}

static void memoryview_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct window *)self)->source);
}

static value memoryview_repr(struct vm *vm, value self)
{
    return str_printf(vm, "<%s at %p>", as_window(self)->source ? "memory" : "released memory",
                      (void *)as_object(self));
}

static bool memoryview_len(struct vm *vm, value self, size_t *out)
{
    return open_window(vm, self, out);
}

/* Where a slice lies in a window; false: raised. */
static bool slice_of(struct vm *vm, value key, size_t len, size_t *from, size_t *count)
{
    int64_t start, step;
    if (!slice_indices(vm, key, len, &start, &step, count))
        return false;
    *from = (size_t)start;
    return step == 1 ||
           raise_unsupported(vm, "a slice of a memoryview with a step is not supported");
}

static bool place_of(struct vm *vm, value key, size_t len, size_t *out)
{
    int64_t i;
    if (!int_get(key, &i))
        return vm_raise(vm, "TypeError", "memoryview: invalid slice key");
    i += i < 0 ? (int64_t)len : 0;
    *out = (size_t)i;
    return *out < len || vm_raise(vm, "IndexError", "index out of bounds on dimension 1");
}

static value memoryview_get_index(struct vm *vm, value self, value key)
{
    size_t len, i, count;
    const char *at = open_window(vm, self, &len);
    if (!at)
        return NO_VALUE;
    if (!is_exact(key, &type_slice))
        return place_of(vm, key, len, &i) ? small((unsigned char)at[i]) : NO_VALUE;
    if (!slice_of(vm, key, len, &i, &count))
        return NO_VALUE;
    return window_new(vm, as_window(self)->source, as_window(self)->from + i, count);
}

static bool memoryview_set_index(struct vm *vm, value self, value key, value item)
{
    size_t len, i, count, given;
    int64_t byte;
    if (!item)
        return vm_raise(vm, "TypeError", "cannot delete memory");
    if (!open_window(vm, self, &len))
        return false;
    if (!bytearray_get(as_window(self)->source, &given))
        return vm_raise(vm, "TypeError", "cannot modify read-only memory");
    if (is_exact(key, &type_slice)) {
        if (!slice_of(vm, key, len, &i, &count)) /* runs __index__, which may change both */
            return false;
        char *to = bytes_writable(vm, self, &len);
        const char *bytes = bytes_get(item, &given);
        if (!to)
            return false;
        if (!bytes)
            return raise_no_bytes(vm, item);
        if (count != given || i > len || count > len - i)
            return vm_raise(vm, "ValueError",
                            "memoryview assignment: lvalue and rvalue have different structures");
        memmove(to + i, bytes, count);
        return true;
    }
    if (!place_of(vm, key, len, &i))
        return false;
    if (!int_get(item, &byte))
        return vm_raise(vm, "TypeError", "memoryview: invalid type for format 'B'");
    if (byte < 0 || byte > 255)
        return vm_raise(vm, "ValueError", "memoryview: invalid value for format 'B'");
    bytes_writable(vm, self, &len)[i] = (char)byte;
    return true;
}

static value memoryview_bytes(struct vm *vm, value self)
{
    size_t len;
    const char *at = open_window(vm, self, &len);
    return at ? bytes_new(vm, at, len) : NO_VALUE;
}

static value memoryview_iter(struct vm *vm, value self)
{
    value bytes = memoryview_bytes(vm, self);
    return bytes ? value_iter(vm, bytes) : NO_VALUE;
}

static value memoryview_compare(struct vm *vm, int op, value a, value b)
{
    size_t n, m;
    if (op != OP_EQ && op != OP_NE)
        return VALUE_NOT_IMPLEMENTED;
    const char *x = bytes_get(a, &n), *y = bytes_get(b, &m);
    return x && y ? value_bool((n == m && !memcmp(x, y, n)) == (op == OP_EQ))
                  : VALUE_NOT_IMPLEMENTED;
}

static bool memoryview_hash(struct vm *vm, value self, uint64_t *out)
{
    size_t len;
    if (as_window(self)->source && bytearray_get(as_window(self)->source, &len))
        return vm_raise(vm, "ValueError", "cannot hash writable memoryview object");
    value bytes = memoryview_bytes(vm, self);
    return bytes && value_hash(vm, bytes, out);
}

// memoryview.tobytes()
static value memoryview_tobytes(struct vm *vm, const struct args *args)
{
    return memoryview_bytes(vm, args->at[0]);
}

// memoryview.tolist()
static value memoryview_tolist(struct vm *vm, const struct args *args)
{
    value bytes = memoryview_bytes(vm, args->at[0]);
    return bytes ? list_from(vm, bytes) : NO_VALUE;
}

// memoryview.hex()
static value memoryview_hex(struct vm *vm, const struct args *args)
{
    value bytes = memoryview_bytes(vm, args->at[0]);
    value method = bytes ? value_attr(vm, bytes, intern_str(vm->names, "hex")) : NO_VALUE;
    return method ? vm_call0(vm, method) : NO_VALUE;
}

// memoryview.release(), memoryview.__exit__()
static value memoryview_release(struct vm *vm, const struct args *args)
{
    as_window(args->at[0])->source = NO_VALUE;
    return VALUE_NONE;
}

static value memoryview_itself(struct vm *vm, const struct args *args)
{
    size_t len;
    return open_window(vm, args->at[0], &len) ? args->at[0] : NO_VALUE;
}

static value memoryview_nbytes(struct vm *vm, const struct args *args)
{
    size_t len;
    return memoryview_len(vm, args->at[0], &len) ? small((int64_t)len) : NO_VALUE;
}

static value memoryview_readonly(struct vm *vm, const struct args *args)
{
    size_t len;
    return open_window(vm, args->at[0], &len)
               ? value_bool(!bytearray_get(as_window(args->at[0])->source, &len))
               : NO_VALUE;
}

static value memoryview_obj(struct vm *vm, const struct args *args)
{
    size_t len;
    return open_window(vm, args->at[0], &len) ? as_window(args->at[0])->source : NO_VALUE;
}

static const struct native_def memoryview_methods[] = {
    {"tobytes", memoryview_tobytes, "self", "A copy."},
    {"tolist", memoryview_tolist, "self", "The bytes as ints."},
    {"hex", memoryview_hex, "self", "Two digits a byte."},
    {"release", memoryview_release, "self", "Gives the bytes back."},
    {"__enter__", memoryview_itself, "self", "The view itself."},
    {"__exit__", memoryview_release, "self *exc", "Gives the bytes back."},
    {0}};

static const struct native_def memoryview_properties[] = {
    {"nbytes", memoryview_nbytes, "self", "How many bytes."},
    {"readonly", memoryview_readonly, "self", "Whether they cannot be set."},
    {"obj", memoryview_obj, "self", "Whose bytes."},
    {0}};

const struct type type_memoryview = {
    .object = {.type = &type_type},
    .name = "memoryview",
    .size = sizeof(struct window),
    .methods = memoryview_methods,
    .properties = memoryview_properties,
    .mark = memoryview_mark,
    .make = memoryview_make,
    .repr = memoryview_repr,
    .hash = memoryview_hash,
    .compare = memoryview_compare,
    .len = memoryview_len,
    .get_index = memoryview_get_index,
    .set_index = memoryview_set_index,
    .iter = memoryview_iter,
};
