// SPDX-License-Identifier: MIT
/* str: cutting at separators, stripping, joining. */
#include <string.h>

#include "base/utf8.h"
#include "python/str.h"
#include "python/str_methods.h"
#include "python/vm.h"

static inline bool ascii_space(char c)
{
    return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x1f);
}

/* Bytes of the white space at p, 0 if there is none. */
static size_t space_at(const char *p, const char *end)
{
    if ((unsigned char)*p < 128)
        return ascii_space(*p);
    const char *next = p;
    return utf8_is_space(utf8_next(&next, end)) ? (size_t)(next - p) : 0;
}

/* The same for white space that ends at p. */
static size_t space_before(const char *start, const char *p)
{
    if ((unsigned char)p[-1] < 128)
        return ascii_space(p[-1]);
    const char *from = p - 1;
    while (from > start && ((unsigned char)*from & 0xC0) == 0x80)
        from--;
    const char *next = from;
    return utf8_is_space(utf8_next(&next, p)) ? (size_t)(p - from) : 0;
}

static value piece(struct vm *vm, value self, const char *from, const char *to)
{
    size_t len = (size_t)(to - from);
    return str_is_ascii(self) ? str_sized(vm, from, len, len) : str_new(vm, from, len);
}

/* ---- split ---- */

static value split_space(struct vm *vm, value self, size_t most)
{
    value list = list_new(vm, NULL, 0);
    const char *p = str_text(self), *end = p + as_str(self)->len;
    for (size_t n, cuts = 0;; cuts++) {
        while (p < end && (n = space_at(p, end)))
            p += n;
        if (p == end)
            return list;
        const char *from = p;
        if (cuts == most) {
            list_push(vm, list, piece(vm, self, from, end));
            return list;
        }
        while (p < end && !space_at(p, end))
            p++;
        list_push(vm, list, piece(vm, self, from, p));
    }
}

static value split_at(struct vm *vm, value self, struct text sep, size_t most)
{
    value list = list_new(vm, NULL, 0);
    struct text hay = text_of(self);
    size_t from = 0, at;
    for (; most && (at = text_find(hay, sep, from)) != SIZE_MAX; from = at + sep.len, most--)
        list_push(vm, list, piece(vm, self, hay.at + from, hay.at + at));
    list_push(vm, list, piece(vm, self, hay.at + from, hay.at + hay.len));
    return list;
}

static value reversed_list(value list)
{
    struct list *l = as_list(list);
    for (uint32_t i = 0; i < l->len / 2; i++) {
        value v = l->at[i];
        l->at[i] = l->at[l->len - 1 - i];
        l->at[l->len - 1 - i] = v;
    }
    return list;
}

static value rsplit_space(struct vm *vm, value self, size_t most)
{
    value list = list_new(vm, NULL, 0);
    const char *start = str_text(self), *end = start + as_str(self)->len;
    for (size_t n, cuts = 0;; cuts++) {
        while (end > start && (n = space_before(start, end)))
            end -= n;
        if (end == start)
            return reversed_list(list);
        const char *to = end;
        if (cuts == most) {
            list_push(vm, list, piece(vm, self, start, to));
            return reversed_list(list);
        }
        while (end > start && !space_before(start, end)) {
            end--;
            while (end > start && ((unsigned char)*end & 0xC0) == 0x80)
                end--;
        }
        list_push(vm, list, piece(vm, self, end, to));
    }
}

static value rsplit_at(struct vm *vm, value self, struct text sep, size_t most)
{
    value list = list_new(vm, NULL, 0);
    struct text hay = text_of(self);
    size_t at;
    for (; most && (at = text_find_last(hay, sep)) != SIZE_MAX; hay.len = at, most--)
        list_push(vm, list, piece(vm, self, hay.at + at + sep.len, hay.at + hay.len));
    list_push(vm, list, piece(vm, self, hay.at, hay.at + hay.len));
    return reversed_list(list);
}

static value split_either(struct vm *vm, const struct args *args, bool right)
{
    int64_t most;
    value self = args->at[0], sep = arg_or(args, 1, VALUE_NONE);
    if (!arg_int(vm, args, 2, -1, &most))
        return NO_VALUE;
    size_t limit = most < 0 ? SIZE_MAX : (size_t)most;
    if (sep == VALUE_NONE)
        return right && most >= 0 ? rsplit_space(vm, self, limit) : split_space(vm, self, limit);
    if (!is_str(sep))
        return vm_raise(vm, "TypeError", "must be str or None, not %s", type_name(sep));
    if (!as_str(sep)->len)
        return vm_raise(vm, "ValueError", "empty separator");
    return right ? rsplit_at(vm, self, text_of(sep), limit)
                 : split_at(vm, self, text_of(sep), limit);
}

static value str_split(struct vm *vm, const struct args *args)
{
    return split_either(vm, args, false);
}

static value str_rsplit(struct vm *vm, const struct args *args)
{
    return split_either(vm, args, true);
}

/* Bytes of the line end at p, 0 if there is none. */
static size_t line_end(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;
    if (c == '\r')
        return p + 1 < end && p[1] == '\n' ? 2 : 1;
    if ((c >= 10 && c <= 12) || (c >= 0x1c && c <= 0x1e))
        return 1;
    if (c == 0xC2 && p + 1 < end && (unsigned char)p[1] == 0x85)
        return 2;
    if (c == 0xE2 && p + 2 < end && (unsigned char)p[1] == 0x80 &&
        ((unsigned char)p[2] | 1) == 0xA9)
        return 3;
    return 0;
}

static value str_splitlines(struct vm *vm, const struct args *args)
{
    bool keep;
    value self = args->at[0], list = list_new(vm, NULL, 0);
    if (!arg_bool(vm, args, 1, false, &keep))
        return NO_VALUE;
    const char *p = str_text(self), *end = p + as_str(self)->len;
    while (p < end) {
        const char *from = p;
        size_t n = 0;
        while (p < end && !(n = line_end(p, end)))
            p++;
        if (p == end)
            n = 0;
        list_push(vm, list, piece(vm, self, from, keep ? p + n : p));
        p += n;
    }
    return list;
}

static value partition(struct vm *vm, const struct args *args, bool right)
{
    value self = args->at[0], sep = args->at[1], parts[3];
    if (!is_str(sep))
        return vm_raise(vm, "TypeError", "must be str, not %s", type_name(sep));
    if (!as_str(sep)->len)
        return vm_raise(vm, "ValueError", "empty separator");
    struct text hay = text_of(self), needle = text_of(sep);
    size_t at = right ? text_find_last(hay, needle) : text_find(hay, needle, 0);
    value empty = str_sized(vm, "", 0, 0);
    if (at == SIZE_MAX) {
        parts[0] = right ? empty : str_plain(vm, self);
        parts[1] = empty;
        parts[2] = right ? str_plain(vm, self) : empty;
    } else {
        parts[0] = str_bytes_part(vm, self, 0, at);
        parts[1] = str_plain(vm, sep);
        parts[2] = str_bytes_part(vm, self, at + needle.len, hay.len);
    }
    return tuple_new(vm, parts, 3);
}

static value str_partition(struct vm *vm, const struct args *args)
{
    return partition(vm, args, false);
}

static value str_rpartition(struct vm *vm, const struct args *args)
{
    return partition(vm, args, true);
}

/* ---- strip ---- */

/* Bytes of the code point at p if it is one of set's, else 0. */
static size_t member_at(const char *p, const char *end, struct text set)
{
    const char *next = p;
    utf8_next(&next, end);
    size_t len = (size_t)(next - p);
    if (len == 1)
        return memchr(set.at, *p, set.len) ? 1 : 0;
    return memmem(set.at, set.len, p, len) ? len : 0;
}

static size_t member_before(const char *start, const char *p, struct text set)
{
    const char *from = p - 1;
    while (from > start && ((unsigned char)*from & 0xC0) == 0x80)
        from--;
    return member_at(from, p, set);
}

enum { STRIP_LEFT = 1, STRIP_RIGHT = 2 };

static value strip(struct vm *vm, const struct args *args, int sides, const char *name)
{
    value self = args->at[0], which = arg_or(args, 1, VALUE_NONE);
    const char *start = str_text(self), *p = start, *end = p + as_str(self)->len;
    bool space = which == VALUE_NONE;
    if (!space && !is_str(which))
        return vm_raise(vm, "TypeError", "%s arg must be None or str", name);
    struct text set = space ? (struct text){0} : text_of(which);
    size_t n;
    while ((sides & STRIP_LEFT) && p < end &&
           (n = space ? space_at(p, end) : member_at(p, end, set)))
        p += n;
    while ((sides & STRIP_RIGHT) && p < end &&
           (n = space ? space_before(p, end) : member_before(p, end, set)))
        end -= n;
    return str_bytes_part(vm, self, (size_t)(p - start), (size_t)(end - start));
}

static value str_strip(struct vm *vm, const struct args *args)
{
    return strip(vm, args, STRIP_LEFT | STRIP_RIGHT, "strip");
}

static value str_lstrip(struct vm *vm, const struct args *args)
{
    return strip(vm, args, STRIP_LEFT, "lstrip");
}

static value str_rstrip(struct vm *vm, const struct args *args)
{
    return strip(vm, args, STRIP_RIGHT, "rstrip");
}

/* ---- join ---- */

static value join_items(struct vm *vm, value self, const value *items, size_t n)
{
    uint64_t len = 0, count = 0;
    const struct str *sep = as_str(self);
    for (size_t i = 0; i < n; i++) {
        if (!is_str(items[i]))
            return vm_raise(vm, "TypeError", "sequence item %zu: expected str instance, %s found",
                            i, type_name(items[i]));
        len += as_str(items[i])->len;
        count += as_str(items[i])->count;
    }
    if (n == 1)
        return str_plain(vm, items[0]);
    if (n) {
        len += (uint64_t)sep->len * (n - 1);
        count += (uint64_t)sep->count * (n - 1);
    }
    if (len > UINT32_MAX - 64)
        return vm_raise(vm, "OverflowError", "join() result is too long for a Python string");
    char *at;
    value v = str_room(vm, len, count, &at);
    for (size_t i = 0; i < n; i++) {
        if (i) {
            memcpy(at, sep->text, sep->len);
            at += sep->len;
        }
        const struct str *item = as_str(items[i]);
        memcpy(at, item->text, item->len);
        at += item->len;
    }
    return v;
}

static value str_join(struct vm *vm, const struct args *args)
{
    size_t n;
    value source = args->at[1];
    const value *items = is_exact(source, &type_list) || is_exact(source, &type_tuple)
                             ? sequence_items(source, &n)
                             : NULL;
    if (!items && !(is_exact(source, &type_list) || is_exact(source, &type_tuple))) {
        source = list_from(vm, source);
        if (!source) {
            if (vm_failed_with(vm, "TypeError") && !type_slot(type_of(args->at[1]), iter) &&
                !type_slot(type_of(args->at[1]), next)) {
                vm_take_error(vm);
                return vm_raise(vm, "TypeError", "can only join an iterable");
            }
            return NO_VALUE;
        }
        items = sequence_items(source, &n);
    }
    return join_items(vm, args->at[0], items, n);
}

const struct native_def str_split_methods[] = {
    {"split", str_split, "self sep=None maxsplit=-1",
     "The pieces between separators (or white space)."},
    {"rsplit", str_rsplit, "self sep=None maxsplit=-1", "The same, counted from the right."},
    {"splitlines", str_splitlines, "self keepends=False", "The lines."},
    {"partition", str_partition, "self sep /",
     "What is before the first sep, sep, what is behind."},
    {"rpartition", str_rpartition, "self sep /",
     "What is before the last sep, sep, what is behind."},
    {"strip", str_strip, "self chars=None /", "Without white space (or chars) at both ends."},
    {"lstrip", str_lstrip, "self chars=None /", "Without white space (or chars) at the left end."},
    {"rstrip", str_rstrip, "self chars=None /", "Without white space (or chars) at the right end."},
    {"join", str_join, "self iterable /", "The strings of iterable with self between them."},
    {0}};
