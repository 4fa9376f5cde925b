// SPDX-License-Identifier: MIT
/* str: making, comparing, cutting. A str that Snakemake has flagged is of the derived type
 * AnnotatedString and carries the dict of its flags behind its text. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "python/bytes.h"
#include "python/format.h"
#include "python/numbers.h"
#include "python/str.h"
#include "python/str_methods.h"
#include "python/types.h"
#include "python/vm_state.h"

/* ---- making ---- */

bool text_is_ascii(const char *text, size_t len)
{
    size_t i = 0;
    uint64_t any = 0, word;
    for (; i + 8 <= len; i += 8) {
        memcpy(&word, text + i, 8);
        any |= word;
    }
    for (; i < len; i++)
        any |= (uint64_t)(unsigned char)text[i];
    return !(any & 0x8080808080808080u);
}

value str_room(struct vm *vm, size_t len, size_t count, char **at)
{
    struct str *str = object_alloc(vm, &type_str, sizeof *str + len + 1);
    str->hash = 0;
    str->len = (uint32_t)len;
    str->count = (uint32_t)count;
    str->text[len] = 0;
    *at = str->text;
    return from_object(str);
}

value str_sized(struct vm *vm, const char *text, size_t len, size_t count)
{
    char *at;
    value v = str_room(vm, len, count, &at);
    memcpy(at, text, len);
    return v;
}

value str_new(struct vm *vm, const char *text, size_t len)
{
    if (len > UINT32_MAX - 64)
        return vm_raise(vm, "MemoryError", "a string of %zu bytes is too long", len);
    return str_sized(vm, text, len, text_is_ascii(text, len) ? len : utf8_count(text, len));
}

value str_from(struct vm *vm, const char *text)
{
    return str_new(vm, text, strlen(text));
}

value str_take(struct vm *vm, struct buf *text)
{
    value v = str_new(vm, buf_text(text), text->len);
    buf_free(text);
    return v;
}

value str_printf(struct vm *vm, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    return str_take(vm, &text);
}

value str_char(struct vm *vm, uint32_t cp)
{
    char text[4];
    return str_sized(vm, text, (size_t)utf8_put(text, cp), 1);
}

/* ---- strs of symbols ---- */

/* As many as a program has names, and a job has files; each takes the place of the one before
 * it. */
enum { SYM_STRINGS = 4096 };
struct sym_string {
    sym_t sym;
    value str; /* held by nobody: gone with the next collection */
};

value str_from_sym(struct vm *vm, sym_t sym)
{
    if (!vm->sym_strings)
        vm->sym_strings = memory_zeroed(SYM_STRINGS, sizeof *vm->sym_strings);
    struct sym_string *kept = &vm->sym_strings[sym % SYM_STRINGS];
    if (kept->sym != sym || !kept->str)
        *kept = (struct sym_string){sym,
                                    str_new(vm, sym_text(vm->names, sym), sym_len(vm->names, sym))};
    return kept->str;
}

void sym_strings_forget(struct vm *vm)
{
    for (uint32_t i = 0; vm->sym_strings && i < SYM_STRINGS; i++)
        if (vm->sym_strings[i].str && !as_object(vm->sym_strings[i].str)->mark)
            vm->sym_strings[i].str = NO_VALUE;
}

sym_t str_sym(struct vm *vm, value str)
{
    return intern(vm->names, str_text(str), as_str(str)->len);
}

bool str_equal(value a, value b)
{
    const struct str *x = as_str(a), *y = as_str(b);
    return x == y || (x->len == y->len && (!x->hash || !y->hash || x->hash == y->hash) &&
                      !memcmp(x->text, y->text, x->len));
}

/* ---- flags ---- */

static size_t flags_offset(const struct str *str)
{
    return (sizeof *str + str->len + 1 + 15) & ~(size_t)15;
}

static value *flags_place(struct str *str)
{
    return (value *)(void *)((char *)str + flags_offset(str));
}

value str_flagged(struct vm *vm, value str, value flags_dict)
{
    const struct str *from = as_str(str);
    struct str *copy = object_alloc(vm, &type_annotated, flags_offset(from) + sizeof(value));
    copy->object.flags = OBJECT_FLAGGED;
    copy->hash = from->hash;
    copy->len = from->len;
    copy->count = from->count;
    memcpy(copy->text, from->text, from->len + 1);
    *flags_place(copy) = flags_dict;
    return from_object(copy);
}

value str_flags(struct vm *vm, value str)
{
    struct object *object = is_object(str) ? as_object(str) : NULL;
    return object && (object->flags & OBJECT_FLAGGED) ? *flags_place((struct str *)object)
                                                      : NO_VALUE;
}

value flags_hold(struct vm *vm, value flags, value name)
{
    value setting = flags ? dict_get(vm, flags, name) : NO_VALUE;
    bool holds = false;
    return !vm_failed(vm) && (!setting || value_truth(vm, setting, &holds)) ? value_bool(holds)
                                                                            : NO_VALUE;
}

static void flagged_mark(struct vm *vm, struct object *self)
{
    if (self->flags & OBJECT_FLAGGED)
        heap_mark(vm, *flags_place((struct str *)self));
}

value str_plain(struct vm *vm, value v)
{
    return is_exact(v, &type_str) ? v
                                  : str_sized(vm, str_text(v), as_str(v)->len, as_str(v)->count);
}

/* ---- parts ---- */

value str_bytes_part(struct vm *vm, value str, size_t from, size_t to)
{
    const struct str *s = as_str(str);
    if (from == 0 && to == s->len)
        return str_plain(vm, str);
    if (s->len == s->count)
        return str_sized(vm, s->text + from, to - from, to - from);
    return str_new(vm, s->text + from, to - from);
}

/* Code points [from, to). */
static value str_part(struct vm *vm, value str, size_t from, size_t to)
{
    const struct str *s = as_str(str);
    if (s->len == s->count)
        return str_bytes_part(vm, str, from, to);
    size_t start = str_offset(vm, str, from);
    size_t len = to >= s->count ? s->len - start
                                : utf8_offset(s->text + start, s->len - start, to - from);
    return str_sized(vm, s->text + start, len, to - from);
}

bool arg_range(struct vm *vm, const struct args *args, int i, size_t n, size_t *from, size_t *to)
{
    int64_t bound[2] = {0, (int64_t)n};
    for (int k = 0; k < 2; k++) {
        if (!arg_given(args, i + k) || args->at[i + k] == VALUE_NONE)
            continue;
        value index = int_index_find(vm, args->at[i + k]);
        if (!index)
            return vm->error
                       ? false
                       : vm_raise(
                             vm, "TypeError",
                             "slice indices must be integers or None or have an __index__ method");
        int64_t at;
        if (!int_get(index, &at))
            at = int_hash(index) >> 63 ? 0 : (int64_t)n;
        at = at < 0 ? at + (int64_t)n : at;
        bound[k] = at < 0 ? 0 : at;
    }
    *from = (size_t)bound[0];
    *to = bound[1] > (int64_t)n ? n : (size_t)bound[1];
    return true;
}

static value str_slice(struct vm *vm, value self, value slice)
{
    int64_t start, step;
    size_t count;
    if (!slice_indices(vm, slice, as_str(self)->count, &start, &step, &count))
        return NO_VALUE;
    if (step == 1)
        return str_part(vm, self, (size_t)start, (size_t)start + count);
    struct buf out = {0};
    const struct str *s = as_str(self);
    for (size_t i = 0; i < count; i++, start += step) {
        size_t at = str_offset(vm, self, (size_t)start);
        const char *p = s->text + at;
        utf8_next(&p, s->text + s->len);
        buf_add(&out, s->text + at, (size_t)(p - s->text) - at);
    }
    return str_take(vm, &out);
}

static value str_get_index(struct vm *vm, value self, value key)
{
    size_t at;
    if (is_exact(key, &type_slice))
        return str_slice(vm, self, key);
    if (!is_small(key) && is_object(key) && !is_int(key) &&
        !attr_special(vm, key, vm->sym.__index__))
        return vm_raise(vm, "TypeError", "string indices must be integers, not '%s'",
                        type_name(key));
    if (key == VALUE_NONE || key == VALUE_ELLIPSIS)
        return vm_raise(vm, "TypeError", "string indices must be integers, not '%s'",
                        type_name(key));
    if (!index_of(vm, key, as_str(self)->count, "string", &at))
        return NO_VALUE;
    return str_part(vm, self, at, at + 1);
}

static value str_iter(struct vm *vm, value self)
{
    return from_object(iterator_new(vm, ITER_STR, self));
}

/* ---- operators ---- */

static value str_add(struct vm *vm, value a, value b)
{
    const struct str *x = as_str(a), *y = as_str(b);
    char *at;
    if ((uint64_t)x->len + y->len > UINT32_MAX - 64)
        return vm_raise(vm, "MemoryError", "the string is too long");
    value v = str_room(vm, (size_t)x->len + y->len, (size_t)x->count + y->count, &at);
    memcpy(at, x->text, x->len);
    memcpy(at + x->len, y->text, y->len);
    return v;
}

value str_grow(struct vm *vm, value a, value b)
{
    const struct str *x = as_str(a), *y = as_str(b);
    bool own = x->object.flags & OBJECT_GROWS;
    if (!x->len || !y->len)
        return x->len ? a : b;
    if (own && heap_room(&x->object) > sizeof *x + x->len + y->len) {
        struct str *sum = (struct str *)as_object(a);
        memcpy(sum->text + sum->len, y->text, y->len + (size_t)1);
        sum->len += y->len;
        sum->count += y->count;
        sum->hash = 0;
        return a;
    }
    size_t len = (size_t)x->len + y->len, room = own && len < UINT32_MAX / 4 ? 2 * len : len;
    char *at;
    if (len > UINT32_MAX - 64)
        return str_add(vm, a, b);
    struct str *sum = (struct str *)as_object(str_room(vm, room, 0, &at));
    memcpy(at, x->text, x->len);
    memcpy(at + x->len, y->text, y->len + (size_t)1);
    sum->len = (uint32_t)len;
    sum->count = x->count + y->count;
    sum->object.flags |= OBJECT_GROWS;
    return from_object(sum);
}

static value str_repeat(struct vm *vm, value str, value times)
{
    const struct str *s = as_str(str);
    int64_t n;
    char *at;
    if (!int_get(times, &n))
        return vm_raise(vm, "OverflowError", "cannot fit 'int' into an index-sized integer");
    if (n < 0)
        n = 0;
    if ((double)n * s->len > UINT32_MAX - 64)
        return vm_raise(vm, "MemoryError", "the string is too long");
    value v = str_room(vm, (size_t)n * s->len, (size_t)n * s->count, &at);
    memory_repeat(at, s->text, s->len, (size_t)n);
    return v;
}

static value str_binary(struct vm *vm, int op, value a, value b)
{
    if (op == OP_ADD && is_str(a) && is_str(b))
        return str_add(vm, a, b);
    if (op == OP_MOD && is_str(a))
        return format_percent(vm, a, b);
    if (op != OP_MUL)
        return VALUE_NOT_IMPLEMENTED;
    value text = is_str(a) ? a : b, times = is_str(a) ? b : a;
    if (is_small(times) || times == VALUE_TRUE || times == VALUE_FALSE ||
        (is_object(times) && is_int(times)))
        return str_repeat(vm, text, times);
    return VALUE_NOT_IMPLEMENTED;
}

static value str_compare(struct vm *vm, int op, value a, value b)
{
    if (!is_str(a) || !is_str(b))
        return VALUE_NOT_IMPLEMENTED;
    if (op == OP_EQ || op == OP_NE)
        return value_bool(str_equal(a, b) == (op == OP_EQ));
    const struct str *x = as_str(a), *y = as_str(b);
    size_t n = x->len < y->len ? x->len : y->len;
    int order = memcmp(x->text, y->text, n); /* the order of UTF-8 is that of code points */
    return value_ordered(op, order ? order : (x->len > y->len) - (x->len < y->len));
}

static bool str_contains(struct vm *vm, value self, value item, bool *out)
{
    if (!is_str(item))
        return vm_raise(vm, "TypeError", "'in <string>' requires string as left operand, not %s",
                        type_name(item));
    *out = text_find(text_of(self), text_of(item), 0) != SIZE_MAX;
    return true;
}

static bool str_len(struct vm *vm, value self, size_t *out)
{
    *out = as_str(self)->count;
    return true;
}

static bool hash_str(struct vm *vm, value self, uint64_t *out)
{
    *out = str_hash(self);
    return true;
}

/* ---- text of a str ---- */

static void put_escape(uint32_t cp, struct buf *out)
{
    switch (cp) {
    case '\n': buf_str(out, "\\n"); return;
    case '\r': buf_str(out, "\\r"); return;
    case '\t': buf_str(out, "\\t"); return;
    default: buf_printf(out, cp < 0x100 ? "\\x%02x" : cp < 0x10000 ? "\\u%04x" : "\\U%08x", cp);
    }
}

void text_escape(const char *text, size_t len, struct buf *out)
{
    for (const char *p = text, *end = text + len; p < end;) {
        uint32_t cp = utf8_next(&p, end);
        if (cp < 128)
            buf_char(out, (char)cp);
        else
            put_escape(cp, out);
    }
}

void text_repr(const char *text, size_t len, bool ascii, struct buf *out)
{
    char quote = memchr(text, '\'', len) && !memchr(text, '"', len) ? '"' : '\'';
    buf_char(out, quote);
    for (const char *p = text, *end = text + len; p < end;) {
        const char *from = p;
        while (p < end && *p >= ' ' && *p < 127 && *p != quote && *p != '\\')
            p++;
        buf_add(out, from, (size_t)(p - from));
        if (p == end)
            break;
        from = p;
        uint32_t cp = utf8_next(&p, end);
        if (cp == (uint32_t)quote || cp == '\\') {
            buf_char(out, '\\');
            buf_char(out, (char)cp);
        } else if (cp < 32 || cp == 127 || (cp > 127 && (ascii || !utf8_is_printable(cp)))) {
            put_escape(cp, out);
        } else {
            buf_add(out, from, (size_t)(p - from));
        }
    }
    buf_char(out, quote);
}

static value str_repr(struct vm *vm, value self)
{
    struct buf out = {0};
    text_repr(str_text(self), as_str(self)->len, false, &out);
    return str_take(vm, &out);
}

/* ---- str(...) ---- */

static value decoded(struct vm *vm, value v, value encoding, value errors)
{
    size_t len;
    const char *bytes = bytes_get(v, &len);
    value given[] = {encoding, errors};
    for (int i = 0; i < 2; i++)
        if (given[i] && !is_str(given[i]))
            return vm_raise(vm, "TypeError", "str() argument '%s' must be str, not %s",
                            i ? "errors" : "encoding", type_name(given[i]));
    if (is_str(v))
        return vm_raise(vm, "TypeError", "decoding str is not supported");
    if (!bytes)
        return vm_raise(vm, "TypeError", "decoding to str: need a bytes-like object, %s found",
                        type_name(v));
    enum encoding how = encoding_find(vm, encoding ? str_text(encoding) : "utf-8");
    struct buf out = {0};
    if (!how || !decode_bytes(vm, bytes, len, how, errors ? str_text(errors) : NULL, &out)) {
        buf_free(&out);
        return NO_VALUE;
    }
    return str_take(vm, &out);
}

/* The same text as an instance of a class derived from str. */
static value str_as(struct vm *vm, const struct type *type, value v)
{
    if (!v || type == &type_str)
        return v;
    const struct str *from = as_str(v);
    struct str *copy = object_alloc_derived(vm, type, sizeof *copy + from->len + 1);
    copy->hash = from->hash;
    copy->len = from->len;
    copy->count = from->count;
    memcpy(copy->text, from->text, from->len + 1);
    return from_object(copy);
}

static value str_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"object", "encoding", "errors", NULL};
    value slot[3];
    if (!make_args(vm, "str", names, 0, args, kwargs, slot))
        return NO_VALUE;
    if (!slot[0])
        return str_as(vm, type, str_sized(vm, "", 0, 0));
    if (slot[1] || slot[2])
        return str_as(vm, type, decoded(vm, slot[0], slot[1], slot[2]));
    return str_as(vm, type, value_str(vm, slot[0]));
}

static struct native_def str_methods[96]; /* put together from the files' tables at start */

/* One table of all: types have one. */
__attribute__((constructor)) static void gather_methods(void)
{
    const struct native_def *const tables[] = {str_case_methods, str_split_methods,
                                               str_search_methods};
    size_t n = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct native_def *def = tables[i]; def->name; def++)
            str_methods[n++] = *def;
}

const struct type type_str = {
    .object = {.type = &type_type},
    .name = "str",
    .base = &type_object,
    .size = sizeof(struct str),
    .methods = str_methods,
    .make = str_make,
    .repr = str_repr,
    .str = str_plain,
    .hash = hash_str,
    .compare = str_compare,
    .binary = str_binary,
    .len = str_len,
    .get_index = str_get_index,
    .contains = str_contains,
    .iter = str_iter,
    .format = format_slot,
};

const struct type type_annotated = {
    .object = {.type = &type_type},
    .name = "AnnotatedString",
    .base = &type_str,
    .size = sizeof(struct str),
    .methods = str_flagged_methods,
    .properties = str_flagged_properties,
    .mark = flagged_mark,
};
