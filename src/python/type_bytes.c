// SPDX-License-Identifier: MIT
/* bytes. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "python/bytes.h"
#include "python/bytes_shape.h"
#include "python/class.h"
#include "python/foreign.h"
#include "python/format.h"
#include "python/heap.h"
#include "python/numbers.h"
#include "python/str_methods.h"
#include "python/types.h"
#include "python/vm_state.h"
#include "syntax/ast.h"

struct bytes {
    struct object object;
    size_t len;
    char at[];
};

const char *bytes_get(value v, size_t *len)
{
    if (!is_object(v) || !is_instance(v, &type_bytes)) {
        const char *at = bytearray_get(v, len);
        return at ? at : memoryview_get(v, len);
    }
    const struct bytes *bytes = (struct bytes *)as_object(v);
    *len = bytes->len;
    return bytes->at;
}

value bytes_new(struct vm *vm, const char *at, size_t len)
{
    struct bytes *bytes = object_alloc(vm, &type_bytes, sizeof *bytes + len + 1);
    bytes->len = len;
    if (len)
        memcpy(bytes->at, at, len);
    bytes->at[len] = 0;
    return from_object(bytes);
}

value bytes_take(struct vm *vm, struct buf *bytes)
{
    value v = bytes_new(vm, buf_text(bytes), bytes->len);
    buf_free(bytes);
    return v;
}

struct text bytes_text(value v)
{
    struct text text = {0};
    text.at = bytes_get(v, &text.len);
    return text;
}

bool bytes_arg(struct vm *vm, const struct args *args, int i, struct text *out)
{
    *out = bytes_text(args->at[i]);
    return out->at || raise_no_bytes(vm, args->at[i]);
}

value bytes_asked(struct vm *vm, value v)
{
    size_t len;
    value hook = is_object(v) && !is_type(v)
                     ? type_find(vm, type_of(v), intern_str(vm->names, "__bytes__"))
                     : NO_VALUE;
    value made = hook ? vm_call1(vm, hook, v) : NO_VALUE;
    if (made && !bytes_get(made, &len))
        return vm_raise(vm, "TypeError", "__bytes__ returned non-bytes (type %s)", type_name(made));
    return made;
}

value bytes_of(struct vm *vm, value v)
{
    size_t len;
    struct buf out = {0};
    struct iter it;
    const char *at = bytes_get(v, &len);
    if (at)
        return is_instance(v, &type_bytes) ? v : bytes_new(vm, at, len);
    if (is_str(v))
        return vm_raise(vm, "TypeError", "string argument without an encoding");
    if (is_exact(v, &type_memoryview))
        return raise_no_bytes(vm, v);
    if (is_foreign(v))
        return foreign_bytes(vm, v);
    value asked = bytes_asked(vm, v);
    if (asked || vm->error)
        return asked;
    if (!iter_open(vm, v, &it)) {
        if (vm_failed_with(vm, "TypeError")) {
            vm_take_error(vm);
            vm_raise(vm, "TypeError", "cannot convert '%s' object to bytes", type_name(v));
        }
        return NO_VALUE;
    }
    for (value item; (item = iter_next(vm, &it));) {
        int64_t byte;
        value index = int_index(vm, item);
        if (!index)
            break;
        if (!int_get(index, &byte) || byte < 0 || byte > 255) {
            vm_raise(vm, "ValueError", "bytes must be in range(0, 256)");
            break;
        }
        buf_char(&out, (char)byte);
    }
    if (vm_failed(vm)) {
        buf_free(&out);
        return NO_VALUE;
    }
    return bytes_take(vm, &out);
}

static value encoded(struct vm *vm, value text, value encoding, value errors)
{
    struct buf out = {0};
    for (int i = 0; i < 2; i++) {
        value v = i ? errors : encoding;
        if (v && !is_str(v))
            return vm_raise(vm, "TypeError", "bytes() argument '%s' must be str, not %s",
                            i ? "errors" : "encoding", type_name(v));
    }
    if (!is_str(text))
        return vm_raise(vm, "TypeError", "encoding without a string argument");
    if (!encoding)
        return vm_raise(vm, "TypeError", "string argument without an encoding");
    enum encoding how = encoding_find(vm, str_text(encoding));
    if (!how || !encode_text(vm, str_text(text), as_str(text)->len, how,
                             errors ? str_text(errors) : NULL, &out)) {
        buf_free(&out);
        return NO_VALUE;
    }
    return bytes_take(vm, &out);
}

static value make_plain(struct vm *vm, value args, value kwargs)
{
    static const char *const names[] = {"source", "encoding", "errors", NULL};
    value slot[3];
    int64_t n;
    if (!make_args(vm, "bytes", names, 0, args, kwargs, slot))
        return NO_VALUE;
    if (!slot[0])
        return bytes_new(vm, NULL, 0);
    if (slot[1] || slot[2])
        return encoded(vm, slot[0], slot[1], slot[2]);
    if (!int_get(slot[0], &n))
        return bytes_of(vm, slot[0]);
    if (n < 0)
        return vm_raise(vm, "ValueError", "negative count");
    if (n > UINT32_MAX)
        return vm_raise(vm, "MemoryError", "the bytes are too long");
    struct buf out = {0};
    memset(buf_room(&out, (size_t)n + 1), 0, (size_t)n + 1);
    out.len = (size_t)n;
    return bytes_take(vm, &out);
}

static value bytes_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    value v = make_plain(vm, args, kwargs);
    if (!v || (type == &type_bytes && is_exact(v, &type_bytes)))
        return v;
    const struct bytes *from = (const struct bytes *)as_object(v);
    struct bytes *copy = object_alloc_derived(vm, type, sizeof *copy + from->len + 1);
    copy->len = from->len;
    memcpy(copy->at, from->at, from->len + 1);
    return from_object(copy);
}

static value bytes_repr(struct vm *vm, value self)
{
    struct text text = bytes_text(self);
    struct buf out = {0};
    char quote = memchr(text.at, '\'', text.len) && !memchr(text.at, '"', text.len) ? '"' : '\'';
    buf_char(&out, 'b');
    buf_char(&out, quote);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c == (unsigned char)quote || c == '\\')
            buf_printf(&out, "\\%c", c);
        else if (c == '\n' || c == '\r' || c == '\t')
            buf_str(&out, c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
        else if (c < 32 || c > 126)
            buf_printf(&out, "\\x%02x", c);
        else
            buf_char(&out, (char)c);
    }
    buf_char(&out, quote);
    return str_take(vm, &out);
}

static bool bytes_hash(struct vm *vm, value self, uint64_t *out)
{
    struct text text = bytes_text(self);
    *out = hash_bytes(text.at, text.len);
    return true;
}

static value bytes_compare(struct vm *vm, int op, value a, value b)
{
    struct text x = bytes_text(a), y = bytes_text(b);
    if (!x.at || !y.at)
        return VALUE_NOT_IMPLEMENTED;
    int order = memcmp(x.at, y.at, x.len < y.len ? x.len : y.len);
    order = order ? order : (x.len > y.len) - (x.len < y.len);
    return value_ordered(op, order);
}

static value bytes_binary(struct vm *vm, int op, value a, value b)
{
    struct text x = bytes_text(a), y = bytes_text(b);
    struct buf out = {0};
    int64_t n;
    if (op == OP_ADD && x.at && y.at) {
        buf_add(&out, x.at, x.len);
        buf_add(&out, y.at, y.len);
        return bytes_take(vm, &out);
    }
    if (op == OP_MOD && x.at)
        return format_percent(vm, a, b);
    if (op == OP_ADD && x.at)
        return vm_raise(vm, "TypeError", "can't concat %s to bytes", type_name(b));
    value times = x.at ? b : a;
    if (op == OP_MUL && is_int(times) && !int_get(times, &n))
        return vm_raise(vm, "OverflowError", "cannot fit 'int' into an index-sized integer");
    if (op != OP_MUL || !int_get(times, &n))
        return VALUE_NOT_IMPLEMENTED;
    if ((double)n * (double)(x.at ? x.len : y.len) > UINT32_MAX)
        return vm_raise(vm, "MemoryError", "the bytes are too long");
    x = x.at ? x : y;
    if (n > 0)
        buf_repeat(&out, x.at, x.len, (size_t)n);
    return bytes_take(vm, &out);
}

static bool bytes_len(struct vm *vm, value self, size_t *out)
{
    *out = bytes_text(self).len;
    return true;
}

static value bytes_get_index(struct vm *vm, value self, value key)
{
    struct text text = bytes_text(self);
    size_t at, count;
    int64_t start, step;
    if (!is_exact(key, &type_slice)) {
        if (is_small(key) &&
            (small_int(key) >= (int64_t)text.len || small_int(key) < -(int64_t)text.len))
            return vm_raise(vm, "IndexError", "index out of range");
        if (!index_of(vm, key, text.len, "byte", &at))
            return NO_VALUE;
        return small((unsigned char)text.at[at]);
    }
    if (!slice_indices(vm, key, text.len, &start, &step, &count))
        return NO_VALUE;
    struct buf out = {0};
    for (size_t i = 0; i < count; i++, start += step)
        buf_char(&out, text.at[start]);
    return bytes_take(vm, &out);
}

static bool bytes_contains(struct vm *vm, value self, value item, bool *out)
{
    struct text piece = bytes_text(item);
    int64_t byte;
    char c;
    if (!piece.at) {
        bool fits = int_get(item, &byte);
        if (!fits && !is_int(item))
            return raise_no_bytes(vm, item);
        if (!fits || byte < 0 || byte > 255)
            return vm_raise(vm, "ValueError", "byte must be in range(0, 256)");
        c = (char)byte;
        piece = (struct text){&c, 1};
    }
    *out = text_find(bytes_text(self), piece, 0) != SIZE_MAX;
    return true;
}

static value bytes_iter(struct vm *vm, value self)
{
    return from_object(iterator_new(vm, ITER_BYTES, self));
}

/* ---- methods ---- */

static value bytes_decode(struct vm *vm, const struct args *args)
{
    struct text text = bytes_text(args->at[0]);
    const char *name = arg_given(args, 1) ? arg_text(vm, args, 1, NULL) : "utf-8";
    const char *errors = arg_given(args, 2) ? arg_text(vm, args, 2, NULL) : "strict";
    struct buf out = {0};
    enum encoding encoding = name && errors ? encoding_find(vm, name) : ENCODING_NONE;
    if (!encoding || !decode_bytes(vm, text.at, text.len, encoding, errors, &out)) {
        buf_free(&out);
        return NO_VALUE;
    }
    return str_take(vm, &out);
}

// bytes.hex(sep, bytes_per_sep=1): groups are counted from the right, with a negative number from
// the left
static value bytes_hex(struct vm *vm, const struct args *args)
{
    struct text text = bytes_text(args->at[0]), sep = {"", 0};
    struct buf out = {0};
    int64_t every, n = (int64_t)text.len;
    if (!arg_int(vm, args, 2, 1, &every))
        return NO_VALUE;
    if (arg_given(args, 1)) {
        sep = is_str(args->at[1]) ? text_of(args->at[1]) : bytes_text(args->at[1]);
        if (!sep.at || sep.len != 1)
            return vm_raise(vm, "ValueError", "sep must be length 1.");
    }
    for (int64_t i = 0; i < n; i++) {
        bool boundary = every > 0 ? (n - i) % every == 0 : every < 0 && i % every == 0;
        if (i && boundary)
            buf_add(&out, sep.at, sep.len);
        buf_printf(&out, "%02x", (unsigned char)text.at[i]);
    }
    return str_take(vm, &out);
}

static value bytes_fromhex(struct vm *vm, const struct args *args)
{
    struct buf out = {0};
    size_t len;
    const char *text = arg_text(vm, args, 1, &len);
    for (const char *p = text; p && p < text + len;) {
        unsigned byte;
        if (isspace((unsigned char)*p)) {
            p++;
            continue;
        }
        if (!isxdigit((unsigned char)p[0]) || !isxdigit((unsigned char)p[1])) {
            buf_free(&out);
            size_t at = (size_t)(p - text) + (isxdigit((unsigned char)p[0]) ? 1 : 0);
            return vm_raise(vm, "ValueError",
                            "non-hexadecimal number found in fromhex() arg at position %zu", at);
        }
        sscanf(p, "%2x", &byte);
        buf_char(&out, (char)byte);
        p += 2;
    }
    return text ? bytes_take(vm, &out) : NO_VALUE;
}

/* What is looked for: bytes, or one byte by its number. */
static bool piece_arg(struct vm *vm, const struct args *args, char *byte, struct text *out)
{
    int64_t number;
    *out = bytes_text(args->at[1]);
    if (out->at)
        return true;
    value index = int_index_find(vm, args->at[1]);
    if (!index)
        return vm_failed(vm) ? false
                             : vm_raise(vm, "TypeError",
                                        "argument should be integer or bytes-like object, not '%s'",
                                        type_name(args->at[1]));
    if (!int_get(index, &number) || number < 0 || number > 255)
        return vm_raise(vm, "ValueError", "byte must be in range(0, 256)");
    *byte = (char)number;
    *out = (struct text){byte, 1};
    return true;
}

static value find_piece(struct vm *vm, const struct args *args, bool last, bool must)
{
    struct text hay = bytes_text(args->at[0]), piece;
    size_t from, to;
    char byte;
    if (!piece_arg(vm, args, &byte, &piece) || !arg_range(vm, args, 2, hay.len, &from, &to))
        return NO_VALUE;
    struct text part = {hay.at + from, to > from ? to - from : 0};
    size_t at = from > to ? SIZE_MAX
                : last    ? text_find_last(part, piece)
                          : text_find(part, piece, 0);
    if (at == SIZE_MAX && must)
        return vm_raise(vm, "ValueError", "subsection not found");
    return small(at == SIZE_MAX ? -1 : (int64_t)(from + at));
}

static value bytes_find(struct vm *vm, const struct args *args)
{
    return find_piece(vm, args, false, false);
}

static value bytes_rfind(struct vm *vm, const struct args *args)
{
    return find_piece(vm, args, true, false);
}

static value bytes_index(struct vm *vm, const struct args *args)
{
    return find_piece(vm, args, false, true);
}

static value bytes_rindex(struct vm *vm, const struct args *args)
{
    return find_piece(vm, args, true, true);
}

static value bytes_count(struct vm *vm, const struct args *args)
{
    struct text hay = bytes_text(args->at[0]), piece;
    size_t from, to;
    int64_t n = 0;
    char byte;
    if (!piece_arg(vm, args, &byte, &piece) || !arg_range(vm, args, 2, hay.len, &from, &to))
        return NO_VALUE;
    if (from > to)
        return small(0);
    hay = (struct text){hay.at + from, to - from};
    for (size_t at = 0; piece.len && (at = text_find(hay, piece, at)) != SIZE_MAX; at += piece.len)
        n++;
    return small(piece.len ? n : (int64_t)hay.len + 1);
}

static value at_end(struct vm *vm, const struct args *args, bool end)
{
    struct text self = bytes_text(args->at[0]);
    size_t n = 1, from, to;
    if (!arg_range(vm, args, 2, self.len, &from, &to))
        return NO_VALUE;
    bool inside = from <= to;
    self = (struct text){self.at + from, inside ? to - from : 0};
    const value *at = is_tuple(args->at[1]) ? sequence_items(args->at[1], &n) : &args->at[1];
    for (size_t i = 0; i < n; i++) {
        struct text piece = bytes_text(at[i]);
        if (!piece.at)
            return vm_raise(vm, "TypeError",
                            "%s first arg must be bytes or a tuple of bytes, not %s",
                            end ? "endswith" : "startswith", type_name(at[i]));
        if (inside && piece.len <= self.len &&
            !memcmp(end ? self.at + self.len - piece.len : self.at, piece.at, piece.len))
            return VALUE_TRUE;
    }
    return VALUE_FALSE;
}

static value bytes_startswith(struct vm *vm, const struct args *args)
{
    return at_end(vm, args, false);
}

static value bytes_endswith(struct vm *vm, const struct args *args)
{
    return at_end(vm, args, true);
}

static value bytes_replace(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]), old, new;
    struct buf out = {0};
    int64_t most;
    if (!bytes_arg(vm, args, 1, &old) || !bytes_arg(vm, args, 2, &new) ||
        !arg_int(vm, args, 3, -1, &most))
        return NO_VALUE;
    size_t from = 0, at;
    for (; !old.len && from <= self.len && most != 0;
         from++, most--) { /* in front of each byte and at the end */
        buf_add(&out, new.at, new.len);
        buf_add(&out, self.at + from, from < self.len ? 1 : 0);
    }
    from = from > self.len ? self.len : from;
    for (; old.len && most != 0 && (at = text_find(self, old, from)) != SIZE_MAX;
         from = at + old.len, most--) {
        buf_add(&out, self.at + from, at - from);
        buf_add(&out, new.at, new.len);
    }
    buf_add(&out, self.at + from, self.len - from);
    return bytes_take(vm, &out);
}

static value bytes_split(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]), sep = {0};
    value list = list_new(vm, NULL, 0);
    int64_t most;
    bool space = !arg_given(args, 1) || args->at[1] == VALUE_NONE;
    if ((!space && !bytes_arg(vm, args, 1, &sep)) || !arg_int(vm, args, 2, -1, &most))
        return NO_VALUE;
    if (!space && !sep.len)
        return vm_raise(vm, "ValueError", "empty separator");
    size_t from = 0, at;
    for (; !space && most != 0 && (at = text_find(self, sep, from)) != SIZE_MAX;
         from = at + sep.len, most--)
        list_push(vm, list, bytes_new(vm, self.at + from, at - from));
    if (!space)
        list_push(vm, list, bytes_new(vm, self.at + from, self.len - from));
    for (size_t i = 0; space && i < self.len; most--) {
        while (i < self.len && isspace((unsigned char)self.at[i]))
            i++;
        from = i;
        size_t end = self.len;
        if (most == 0)
            while (end > i && isspace((unsigned char)self.at[end - 1]))
                end--;
        while (i < end && (most == 0 || !isspace((unsigned char)self.at[i])))
            i++;
        if (i > from)
            list_push(vm, list, bytes_new(vm, self.at + from, i - from));
        i = most == 0 ? self.len : i;
    }
    return list;
}

static value bytes_join(struct vm *vm, const struct args *args)
{
    struct text sep = bytes_text(args->at[0]);
    struct buf out = {0};
    struct iter it;
    size_t i = 0;
    if (!iter_open(vm, args->at[1], &it))
        return NO_VALUE;
    for (value item; (item = iter_next(vm, &it)); i++) {
        struct text piece = bytes_text(item);
        if (!piece.at) {
            vm_raise(vm, "TypeError", "sequence item %zu: expected a bytes-like object, %s found",
                     i, type_name(item));
            break;
        }
        if (i)
            buf_add(&out, sep.at, sep.len);
        buf_add(&out, piece.at, piece.len);
    }
    if (vm_failed(vm)) {
        buf_free(&out);
        return NO_VALUE;
    }
    return bytes_take(vm, &out);
}

static value strip_bytes(struct vm *vm, const struct args *args, bool left, bool right)
{
    struct text self = bytes_text(args->at[0]), set = {" \t\n\r\v\f", 6};
    if (arg_given(args, 1) && args->at[1] != VALUE_NONE && !bytes_arg(vm, args, 1, &set))
        return NO_VALUE;
    while (left && self.len && memchr(set.at, *self.at, set.len)) {
        self.at++;
        self.len--;
    }
    while (right && self.len && memchr(set.at, self.at[self.len - 1], set.len))
        self.len--;
    return bytes_new(vm, self.at, self.len);
}

static value bytes_strip(struct vm *vm, const struct args *args)
{
    return strip_bytes(vm, args, true, true);
}

static value bytes_lstrip(struct vm *vm, const struct args *args)
{
    return strip_bytes(vm, args, true, false);
}

static value bytes_rstrip(struct vm *vm, const struct args *args)
{
    return strip_bytes(vm, args, false, true);
}

static value bytes_splitlines(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]);
    value list = list_new(vm, NULL, 0);
    bool keep;
    if (!arg_bool(vm, args, 1, false, &keep))
        return NO_VALUE;
    for (size_t i = 0; i < self.len;) {
        size_t from = i;
        while (i < self.len && self.at[i] != '\n' && self.at[i] != '\r')
            i++;
        size_t end = i;
        if (i < self.len)
            i += self.at[i] == '\r' && i + 1 < self.len && self.at[i + 1] == '\n' ? 2 : 1;
        list_push(vm, list, bytes_new(vm, self.at + from, (keep ? i : end) - from));
    }
    return list;
}

static const struct native_def own_methods[] = {
    {"decode", bytes_decode, "self encoding='utf-8' errors='strict'",
     "The text that the bytes spell."},
    {"hex", bytes_hex, "self sep= bytes_per_sep=1", "Two digits a byte."},
    {"fromhex", bytes_fromhex, "cls string /", "The bytes of two digits each."},
    {"find", bytes_find, "self sub start= end= /", "Index of the first sub, or -1."},
    {"rfind", bytes_rfind, "self sub start= end= /", "Index of the last sub, or -1."},
    {"index", bytes_index, "self sub start= end= /",
     "Index of the first sub; ValueError if there is none."},
    {"rindex", bytes_rindex, "self sub start= end= /",
     "Index of the last sub; ValueError if there is none."},
    {"count", bytes_count, "self sub start= end= /", "How often sub occurs."},
    {"startswith", bytes_startswith, "self prefix start= end= /",
     "Whether they begin with prefix."},
    {"endswith", bytes_endswith, "self suffix start= end= /", "Whether they end with suffix."},
    {"replace", bytes_replace, "self old new count=-1 /", "With old replaced by new."},
    {"split", bytes_split, "self sep=None maxsplit=-1", "The pieces between separators."},
    {"splitlines", bytes_splitlines, "self keepends=False", "The lines."},
    {"join", bytes_join, "self iterable /", "Those of iterable with self between them."},
    {"strip", bytes_strip, "self bytes=None /", "Without white space at both ends."},
    {"lstrip", bytes_lstrip, "self bytes=None /", "Without white space at the left end."},
    {"rstrip", bytes_rstrip, "self bytes=None /", "Without white space at the right end."},
    {0}};

static struct native_def bytes_methods[64]; /* put together from the files' tables at start */

/* One table of all: types have one. */
__attribute__((constructor)) static void gather_methods(void)
{
    const struct native_def *const tables[] = {own_methods, bytes_shape_methods};
    size_t n = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct native_def *def = tables[i]; def->name; def++)
            bytes_methods[n++] = *def;
}

const struct type type_bytes = {
    .object = {.type = &type_type},
    .name = "bytes",
    .base = &type_object,
    .size = sizeof(struct bytes),
    .methods = bytes_methods,
    .make = bytes_make,
    .repr = bytes_repr,
    .hash = bytes_hash,
    .compare = bytes_compare,
    .binary = bytes_binary,
    .len = bytes_len,
    .get_index = bytes_get_index,
    .contains = bytes_contains,
    .iter = bytes_iter,
};
