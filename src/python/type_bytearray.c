// SPDX-License-Identifier: MIT
/* bytearray: bytes that change. What does not change it is asked of a bytes object with the same
 * content, and bytes that come of that become bytearrays. */
#include <string.h>

#include "python/bytes.h"
#include "python/heap.h"
#include "python/numbers.h"
#include "python/types.h"
#include "python/vm_state.h"

struct bytearray {
    struct object object;
    struct buf text;
};

static struct bytearray *as_bytearray(value v)
{
    return (struct bytearray *)as_object(v);
}

const char *bytearray_get(value v, size_t *len)
{
    if (!is_object(v) || !is_instance(v, &type_bytearray))
        return NULL;
    *len = as_bytearray(v)->text.len;
    return buf_text(&as_bytearray(v)->text);
}

static void bytearray_finish(struct vm *vm, struct object *self)
{
    struct bytearray *array = (struct bytearray *)self;
    heap_owns(vm, -(int64_t)array->text.cap);
    buf_free(&array->text);
}

static value bytearray_new(struct vm *vm, const struct type *type, const char *at, size_t len)
{
    struct bytearray *array = object_new(vm, type);
    if (len)
        buf_add(&array->text, at, len);
    heap_owns(vm, (int64_t)array->text.cap);
    return from_object(array);
}

/* Puts len bytes, none of its own, in the place of others. */
static void splice(struct vm *vm, value v, size_t at, size_t drop, const char *bytes, size_t len)
{
    struct buf *text = &as_bytearray(v)->text;
    size_t before = text->cap, rest = text->len - at - drop;
    buf_room(text, len > drop ? len - drop : 0);
    if (len != drop)
        memmove(text->at + at + len, text->at + at + drop, rest);
    if (len)
        memcpy(text->at + at, bytes, len);
    text->len = at + len + rest;
    text->at[text->len] = '\0';
    heap_owns(vm, (int64_t)text->cap - (int64_t)before);
}

static bool byte_of(struct vm *vm, value v, char *out)
{
    int64_t byte;
    value index = int_index(vm, v);
    if (!index)
        return false;
    if (!int_get(index, &byte) || byte < 0 || byte > 255)
        return vm_raise(vm, "ValueError", "byte must be in range(0, 256)");
    *out = (char)byte;
    return true;
}

/* ---- as bytes ---- */

static value as_bytes(struct vm *vm, value v)
{
    size_t len;
    const char *at = bytearray_get(v, &len);
    return at ? bytes_new(vm, at, len) : v;
}

/* What came of bytes: bytes become a bytearray, also those in a list or tuple. */
static value from_bytes(struct vm *vm, value v)
{
    size_t n, len;
    if (v && is_exact(v, &type_bytes)) {
        const char *at = bytes_get(v, &len);
        return bytearray_new(vm, &type_bytearray, at, len);
    }
    const value *items = v && (is_exact(v, &type_list) || is_exact(v, &type_tuple))
                             ? sequence_items(v, &n)
                             : NULL;
    for (size_t i = 0; items && i < n; i++)
        ((value *)(uintptr_t)items)[i] = from_bytes(vm, items[i]);
    return v;
}

static value via_bytes(struct vm *vm, const struct args *args)
{
    value self = as_bytes(vm, args->at[0]);
    value method = value_attr(vm, self, intern_str(vm->names, args->def->name));
    size_t n;
    const value *more = sequence_items(args->at[1], &n);
    return method ? from_bytes(vm, vm_call(vm, method, more, n, args->at[2])) : NO_VALUE;
}

/* ---- slots ---- */

static value bytearray_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    size_t n, len;
    const value *items = sequence_items(args, &n);
    value bytes = n == 1 && !kwargs && bytearray_get(items[0], &len)
                      ? as_bytes(vm, items[0])
                      : type_bytes.make(vm, &type_bytes, args, kwargs);
    const char *at = bytes ? bytes_get(bytes, &len) : NULL;
    return at ? bytearray_new(vm, type, at, len) : NO_VALUE;
}

static value bytearray_repr(struct vm *vm, value self)
{
    return str_printf(vm, "bytearray(%s)", str_text(value_repr(vm, as_bytes(vm, self))));
}

static bool bytearray_len(struct vm *vm, value self, size_t *out)
{
    *out = as_bytearray(self)->text.len;
    return true;
}

static value bytearray_compare(struct vm *vm, int op, value a, value b)
{
    size_t len;
    if (!bytes_get(b, &len))
        return VALUE_NOT_IMPLEMENTED;
    return value_compare(vm, op, as_bytes(vm, a), as_bytes(vm, b));
}

/* The left side says what comes of it. */
static value bytearray_binary(struct vm *vm, int op, value a, value b)
{
    size_t len;
    if (op == OP_ADD ? !bytes_get(a, &len) || !bytes_get(b, &len) : op != OP_MUL && op != OP_MOD)
        return VALUE_NOT_IMPLEMENTED;
    value result = value_binary(vm, op, as_bytes(vm, a), as_bytes(vm, b));
    return op == OP_ADD && is_exact(a, &type_bytes) ? result : from_bytes(vm, result);
}

static value bytearray_get_index(struct vm *vm, value self, value key)
{
    const struct buf *text = &as_bytearray(self)->text;
    size_t at;
    if (!index_settle(vm, &key))
        return NO_VALUE;
    if (is_exact(key, &type_slice))
        return from_bytes(vm, value_index(vm, as_bytes(vm, self), key));
    return index_of(vm, key, text->len, "bytearray", &at) ? small((unsigned char)text->at[at])
                                                          : NO_VALUE;
}

static bool set_slice(struct vm *vm, value self, value key, value item)
{
    int64_t start, step;
    size_t count, len = 0;
    value bytes = item ? bytes_of(vm, as_bytes(vm, item)) : NO_VALUE;
    const char *at = bytes ? bytes_get(bytes, &len) : "";
    if ((item && !bytes) ||
        !slice_indices(vm, key, as_bytearray(self)->text.len, &start, &step, &count))
        return false;
    if (step == 1) {
        splice(vm, self, (size_t)start, count, at, len);
        return true;
    }
    if (item && len != count)
        return vm_raise(vm, "ValueError",
                        "attempt to assign bytes of size %zu to extended slice of size %zu", len,
                        count);
    for (size_t i = 0; item && i < count; i++)
        as_bytearray(self)->text.at[start + (int64_t)i * step] = at[i];
    for (size_t i = 0; !item && i < count; i++) /* the last first, so that the others stay */
        splice(vm, self,
               (size_t)(step > 0 ? start + (int64_t)(count - 1 - i) * step
                                 : start + (int64_t)i * step),
               1, "", 0);
    return true;
}

static bool bytearray_set_index(struct vm *vm, value self, value key, value item)
{
    size_t i;
    char byte = 0;
    if (!index_settle(vm, &key))
        return false;
    if (is_exact(key, &type_slice))
        return set_slice(vm, self, key, item);
    if ((item && !byte_of(vm, item, &byte)) ||
        !index_of(vm, key, as_bytearray(self)->text.len, "bytearray", &i))
        return false;
    splice(vm, self, i, 1, &byte, item ? 1 : 0);
    return true;
}

static bool bytearray_contains(struct vm *vm, value self, value item, bool *out)
{
    return value_contains(vm, as_bytes(vm, self), as_bytes(vm, item), out);
}

/* ---- methods that change it ---- */

static value bytearray_append(struct vm *vm, const struct args *args)
{
    char byte;
    if (!byte_of(vm, args->at[1], &byte))
        return NO_VALUE;
    splice(vm, args->at[0], as_bytearray(args->at[0])->text.len, 0, &byte, 1);
    return VALUE_NONE;
}

static bool bytearray_extend(struct vm *vm, value self, value more)
{
    size_t len;
    value bytes = bytes_of(vm, as_bytes(vm, more));
    const char *at = bytes ? bytes_get(bytes, &len) : NULL;
    if (at)
        splice(vm, self, as_bytearray(self)->text.len, 0, at, len);
    return at;
}

// bytearray.__iadd__(other)
static value bytearray_iadd(struct vm *vm, const struct args *args)
{
    return bytearray_extend(vm, args->at[0], args->at[1]) ? args->at[0] : NO_VALUE;
}

// bytearray.__imul__(times)
static value bytearray_imul(struct vm *vm, const struct args *args)
{
    value product = value_binary(vm, OP_MUL, as_bytes(vm, args->at[0]), args->at[1]);
    if (!product)
        return NO_VALUE;
    size_t len;
    const char *at = bytes_get(product, &len);
    splice(vm, args->at[0], 0, as_bytearray(args->at[0])->text.len, at, len);
    return args->at[0];
}

static value bytearray_extend_method(struct vm *vm, const struct args *args)
{
    return bytearray_extend(vm, args->at[0], args->at[1]) ? VALUE_NONE : NO_VALUE;
}

static value bytearray_insert(struct vm *vm, const struct args *args)
{
    int64_t at;
    char byte;
    if (!arg_int(vm, args, 1, 0, &at) || !byte_of(vm, args->at[2], &byte))
        return NO_VALUE;
    int64_t len = (int64_t)as_bytearray(args->at[0])->text.len;
    at = at < 0 ? at + len : at;
    splice(vm, args->at[0], (size_t)(at < 0 ? 0 : at > len ? len : at), 0, &byte, 1);
    return VALUE_NONE;
}

static value bytearray_pop(struct vm *vm, const struct args *args)
{
    value key = arg_or(args, 1, small(-1));
    if (!index_settle(vm, &key))
        return NO_VALUE;
    size_t i, len = as_bytearray(args->at[0])->text.len;
    if (!len)
        return vm_raise(vm, "IndexError", "pop from empty bytearray");
    if (!index_of(vm, key, len, "pop", &i))
        return NO_VALUE;
    value byte = small((unsigned char)as_bytearray(args->at[0])->text.at[i]);
    splice(vm, args->at[0], i, 1, "", 0);
    return byte;
}

static value bytearray_remove(struct vm *vm, const struct args *args)
{
    const struct buf *text = &as_bytearray(args->at[0])->text;
    char byte;
    if (!byte_of(vm, args->at[1], &byte))
        return NO_VALUE;
    const char *found = text->len ? memchr(text->at, byte, text->len) : NULL;
    if (!found)
        return vm_raise(vm, "ValueError", "value not found in bytearray");
    splice(vm, args->at[0], (size_t)(found - text->at), 1, "", 0);
    return VALUE_NONE;
}

static value bytearray_reverse(struct vm *vm, const struct args *args)
{
    struct buf *text = &as_bytearray(args->at[0])->text;
    for (size_t i = 0; i < text->len / 2; i++) {
        char byte = text->at[i];
        text->at[i] = text->at[text->len - 1 - i];
        text->at[text->len - 1 - i] = byte;
    }
    return VALUE_NONE;
}

static value bytearray_clear(struct vm *vm, const struct args *args)
{
    splice(vm, args->at[0], 0, as_bytearray(args->at[0])->text.len, "", 0);
    return VALUE_NONE;
}

static value bytearray_copy(struct vm *vm, const struct args *args)
{
    return from_bytes(vm, as_bytes(vm, args->at[0]));
}

static value bytearray_fromhex(struct vm *vm, const struct args *args)
{
    value method = value_attr(vm, type_value(&type_bytes), intern_str(vm->names, "fromhex"));
    return method ? from_bytes(vm, vm_call1(vm, method, args->at[1])) : NO_VALUE;
}

#define SAME(name)                                                                                 \
    {                                                                                              \
        name, via_bytes, "self *args **kwargs", "As of bytes."                                     \
    }
static const struct native_def bytearray_methods[] = {
    SAME("decode"),
    SAME("hex"),
    SAME("find"),
    SAME("rfind"),
    SAME("index"),
    SAME("count"),
    SAME("startswith"),
    SAME("endswith"),
    SAME("replace"),
    SAME("split"),
    SAME("splitlines"),
    SAME("join"),
    SAME("strip"),
    SAME("lstrip"),
    SAME("rstrip"),
    SAME("lower"),
    SAME("upper"),
    SAME("rindex"),
    SAME("isalpha"),
    SAME("isalnum"),
    SAME("isdigit"),
    SAME("isspace"),
    SAME("isascii"),
    SAME("isupper"),
    SAME("islower"),
    SAME("istitle"),
    SAME("swapcase"),
    SAME("title"),
    SAME("capitalize"),
    SAME("ljust"),
    SAME("rjust"),
    SAME("center"),
    SAME("zfill"),
    SAME("expandtabs"),
    SAME("removeprefix"),
    SAME("removesuffix"),
    SAME("partition"),
    SAME("rpartition"),
    SAME("rsplit"),
    SAME("translate"),
    {"fromhex", bytearray_fromhex, "cls string /", "The bytes of two digits each."},
    {"__iadd__", bytearray_iadd, "self value /", ""},
    {"__imul__", bytearray_imul, "self value /", ""},
    {"append", bytearray_append, "self item /", "Adds a byte."},
    {"extend", bytearray_extend_method, "self iterable /", "Adds bytes."},
    {"insert", bytearray_insert, "self index item /", "Puts a byte in front of another."},
    {"pop", bytearray_pop, "self index=-1 /", "Takes a byte out."},
    {"remove", bytearray_remove, "self value /", "Takes the first such byte out."},
    {"reverse", bytearray_reverse, "self", "Turns it around."},
    {"clear", bytearray_clear, "self", "Empties it."},
    {"copy", bytearray_copy, "self", "Another one with the same bytes."},
    {0}};

const struct type type_bytearray = {
    .object = {.type = &type_type},
    .name = "bytearray",
    .size = sizeof(struct bytearray),
    .methods = bytearray_methods,
    .finish = bytearray_finish,
    .make = bytearray_make,
    .repr = bytearray_repr,
    .hash = unhashable,
    .compare = bytearray_compare,
    .binary = bytearray_binary,
    .len = bytearray_len,
    .get_index = bytearray_get_index,
    .set_index = bytearray_set_index,
    .contains = bytearray_contains,
};
