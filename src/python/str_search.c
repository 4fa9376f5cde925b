// SPDX-License-Identifier: MIT
/* str: finding, counting, replacing, and what asks for a piece of text. */
#include <string.h>

#include "base/utf8.h"
#include "python/bytes.h"
#include "python/dict.h"
#include "python/format.h"
#include "python/str.h"
#include "python/str_methods.h"
#include "python/vm.h"

/* ---- searching bytes ---- */

size_t text_find(struct text hay, struct text needle, size_t from)
{
    if (from > hay.len)
        return SIZE_MAX;
    if (!needle.len)
        return from;
    const char *found = needle.len == 1
                            ? memchr(hay.at + from, *needle.at, hay.len - from)
                            : memmem(hay.at + from, hay.len - from, needle.at, needle.len);
    return found ? (size_t)(found - hay.at) : SIZE_MAX;
}

size_t text_find_last(struct text hay, struct text needle)
{
    if (needle.len > hay.len)
        return SIZE_MAX;
    if (!needle.len)
        return hay.len;
    const char *at = hay.at + (hay.len - needle.len) + 1;
    while ((at = memrchr(hay.at, *needle.at, (size_t)(at - hay.at))))
        if (!memcmp(at, needle.at, needle.len))
            return (size_t)(at - hay.at);
    return SIZE_MAX;
}

/* A str argument with the message of the search methods. */
static bool needle_arg(struct vm *vm, const struct args *args, int i, struct text *out)
{
    if (!is_str(args->at[i]))
        return vm_raise(vm, "TypeError", "must be str, not %s", type_name(args->at[i]));
    *out = text_of(args->at[i]);
    return true;
}

/* The part of self that arguments i and i + 1 select, in bytes; *valid is false when start is
 * behind the end. */
static bool hay_arg(struct vm *vm, const struct args *args, int i, struct text *out, size_t *base,
                    bool *valid)
{
    value self = args->at[0];
    *out = text_of(self);
    *base = 0;
    *valid = true;
    if (!arg_given(args, i) && !arg_given(args, i + 1))
        return true;
    size_t from, to;
    if (!arg_range(vm, args, i, as_str(self)->count, &from, &to))
        return false;
    *valid = from <= to;
    if (!*valid)
        return true;
    *base = str_offset(vm, self, from);
    out->at += *base;
    out->len = str_offset(vm, self, to) - *base;
    return true;
}

/* Code point index of the match, -1 if none, -2: raised. */
static int64_t find_in(struct vm *vm, const struct args *args, bool last)
{
    struct text hay, needle;
    size_t base;
    bool valid;
    if (!needle_arg(vm, args, 1, &needle) || !hay_arg(vm, args, 2, &hay, &base, &valid))
        return -2;
    if (!valid)
        return -1;
    size_t at = last ? text_find_last(hay, needle) : text_find(hay, needle, 0);
    return at == SIZE_MAX ? -1 : (int64_t)str_position(vm, args->at[0], base + at);
}

static value found_or(struct vm *vm, int64_t at, bool must)
{
    if (at == -2)
        return NO_VALUE;
    if (at == -1 && must)
        return vm_raise(vm, "ValueError", "substring not found");
    return small(at);
}

static value str_find(struct vm *vm, const struct args *args)
{
    return found_or(vm, find_in(vm, args, false), false);
}

static value str_rfind(struct vm *vm, const struct args *args)
{
    return found_or(vm, find_in(vm, args, true), false);
}

static value str_index(struct vm *vm, const struct args *args)
{
    return found_or(vm, find_in(vm, args, false), true);
}

static value str_rindex(struct vm *vm, const struct args *args)
{
    return found_or(vm, find_in(vm, args, true), true);
}

static size_t count_in(struct text hay, struct text needle, size_t most)
{
    size_t n = 0;
    for (size_t at = 0; n < most && (at = text_find(hay, needle, at)) != SIZE_MAX; at += needle.len)
        n++;
    return n;
}

static value str_count(struct vm *vm, const struct args *args)
{
    struct text hay, needle;
    size_t base;
    bool valid;
    if (!needle_arg(vm, args, 1, &needle) || !hay_arg(vm, args, 2, &hay, &base, &valid))
        return NO_VALUE;
    if (!valid)
        return small(0);
    return small(
        (int64_t)(needle.len ? count_in(hay, needle, SIZE_MAX) : utf8_count(hay.at, hay.len) + 1));
}

/* ---- beginnings and ends ---- */

static bool matches(struct text hay, struct text piece, bool end)
{
    return piece.len <= hay.len &&
           !memcmp(end ? hay.at + hay.len - piece.len : hay.at, piece.at, piece.len);
}

static value starts_or_ends(struct vm *vm, const struct args *args, bool end)
{
    static const char *const names[] = {"startswith", "endswith"};
    struct text hay;
    size_t base, n = 1;
    bool valid;
    value which = args->at[1];
    if (!hay_arg(vm, args, 2, &hay, &base, &valid))
        return NO_VALUE;
    const value *at = is_tuple(which) ? sequence_items(which, &n) : &which;
    for (size_t i = 0; i < n; i++) {
        if (!is_str(at[i]))
            return is_tuple(which)
                       ? vm_raise(vm, "TypeError", "tuple for %s must only contain str, not %s",
                                  names[end], type_name(at[i]))
                       : vm_raise(vm, "TypeError",
                                  "%s first arg must be str or a tuple of str, not %s", names[end],
                                  type_name(at[i]));
        if (valid && matches(hay, text_of(at[i]), end))
            return VALUE_TRUE;
    }
    return VALUE_FALSE;
}

static value str_startswith(struct vm *vm, const struct args *args)
{
    return starts_or_ends(vm, args, false);
}

static value str_endswith(struct vm *vm, const struct args *args)
{
    return starts_or_ends(vm, args, true);
}

static value remove_end(struct vm *vm, const struct args *args, bool end)
{
    size_t len;
    const char *piece = arg_text(vm, args, 1, &len);
    if (!piece)
        return NO_VALUE;
    struct text self = text_of(args->at[0]);
    if (!len || !matches(self, (struct text){piece, len}, end))
        return str_plain(vm, args->at[0]);
    return end ? str_bytes_part(vm, args->at[0], 0, self.len - len)
               : str_bytes_part(vm, args->at[0], len, self.len);
}

static value str_removeprefix(struct vm *vm, const struct args *args)
{
    return remove_end(vm, args, false);
}

static value str_removesuffix(struct vm *vm, const struct args *args)
{
    return remove_end(vm, args, true);
}

/* ---- replacing ---- */

/* The empty needle is between all code points. */
static value replace_between(struct vm *vm, value self, struct text new, size_t most)
{
    struct buf out = {0};
    struct text hay = text_of(self);
    const char *p = hay.at, *end = hay.at + hay.len;
    for (size_t n = 0; n < most; n++) {
        buf_add(&out, new.at, new.len);
        if (p == end)
            break;
        const char *from = p;
        utf8_next(&p, end);
        buf_add(&out, from, (size_t)(p - from));
    }
    buf_add(&out, p, (size_t)(end - p));
    return str_take(vm, &out);
}

static value replace_same_size(struct vm *vm, value self, struct text old, struct text new,
                               size_t most)
{
    char *at;
    struct text hay = text_of(self);
    size_t first = text_find(hay, old, 0);
    if (first == SIZE_MAX)
        return str_plain(vm, self);
    value v = str_room(vm, hay.len, as_str(self)->count, &at);
    memcpy(at, hay.at, hay.len);
    for (size_t n = 0, from = first; n < most && from != SIZE_MAX; n++) {
        memcpy(at + from, new.at, new.len);
        from = text_find(hay, old, from + old.len);
    }
    return v;
}

static value replace_text(struct vm *vm, value self, struct text old, struct text new, size_t most)
{
    struct text hay = text_of(self);
    size_t n = count_in(hay, old, most);
    char *at;
    if (!n)
        return str_plain(vm, self);
    double bytes = (double)hay.len + (double)n * new.len;
    if (bytes > UINT32_MAX - 64)
        return vm_raise(vm, "OverflowError", "replace string is too long");
    size_t count = as_str(self)->count - n * utf8_count(old.at, old.len) +
                   n * utf8_count(new.at, new.len);
    value v = str_room(vm, hay.len - n * old.len + n * new.len, count, &at);
    size_t from = 0;
    while (n--) {
        size_t next = text_find(hay, old, from);
        memcpy(at, hay.at + from, next - from);
        at += next - from;
        memcpy(at, new.at, new.len);
        at += new.len;
        from = next + old.len;
    }
    memcpy(at, hay.at + from, hay.len - from);
    return v;
}

static value str_replace(struct vm *vm, const struct args *args)
{
    struct text old, new;
    int64_t most;
    for (int i = 1; i < 3; i++)
        if (!is_str(args->at[i]))
            return vm_raise(vm, "TypeError", "replace() argument %d must be str, not %s", i,
                            type_name(args->at[i]));
    if (!arg_int(vm, args, 3, -1, &most))
        return NO_VALUE;
    old = text_of(args->at[1]);
    new = text_of(args->at[2]);
    size_t limit = most < 0 ? SIZE_MAX : (size_t)most;
    if (!old.len)
        return replace_between(vm, args->at[0], new, limit);
    if (old.len == new.len && str_is_ascii(args->at[1]) == str_is_ascii(args->at[2]) &&
        as_str(args->at[1])->count == as_str(args->at[2])->count &&limit)
        return replace_same_size(vm, args->at[0], old, new, limit);
    return replace_text(vm, args->at[0], old, new, limit);
}

/* What a translate table says about a code point: appended; false: raised. */
static bool translate_one(struct vm *vm, value table, uint32_t cp, struct buf *out)
{
    char text[4];
    value to = is_dict(table) ? dict_get(vm, table, small(cp)) : value_index(vm, table, small(cp));
    if (!to && vm_failed(vm)) {
        if (!vm_failed_with(vm, "LookupError"))
            return false;
        vm_take_error(vm);
    }
    int64_t code = cp;
    if (to == VALUE_NONE)
        return true;
    if (to && is_str(to)) {
        buf_add(out, str_text(to), as_str(to)->len);
        return true;
    }
    if (to && !int_get(to, &code))
        return vm_raise(vm, "TypeError", "character mapping must return integer, None or str");
    if (code < 0 || code > 0x10FFFF)
        return vm_raise(vm, "ValueError", "character mapping must be in range(0x110000)");
    buf_add(out, text, (size_t)utf8_put(text, (uint32_t)code));
    return true;
}

static value str_translate(struct vm *vm, const struct args *args)
{
    struct buf out = {0};
    struct text self = text_of(args->at[0]);
    for (const char *p = self.at, *end = self.at + self.len; p < end;)
        if (!translate_one(vm, args->at[1], utf8_next(&p, end), &out)) {
            buf_free(&out);
            return NO_VALUE;
        }
    return str_take(vm, &out);
}

static bool table_from_dict(struct vm *vm, value dict, value table)
{
    size_t pos = 0;
    value key, item;
    while (dict_next(dict, &pos, &key, &item)) {
        if (is_str(key)) {
            if (as_str(key)->count != 1)
                return vm_raise(vm, "ValueError",
                                "string keys in translate table must be of length 1");
            const char *p = str_text(key);
            key = small(utf8_next(&p, p + as_str(key)->len));
        } else if (!is_small(key)) {
            return vm_raise(vm, "TypeError", "keys in translate table must be strings or integers");
        }
        if (!dict_set(vm, table, key, item))
            return false;
    }
    return true;
}

static bool table_from_text(struct vm *vm, struct text from, const struct text *to, value table)
{
    const char *p = from.at, *q = to ? to->at : NULL;
    while (p < from.at + from.len) {
        value key = small(utf8_next(&p, from.at + from.len));
        if (!dict_set(vm, table, key, to ? small(utf8_next(&q, to->at + to->len)) : VALUE_NONE))
            return false;
    }
    return true;
}

/* str.maketrans(x, y=, z=): called on the class. */
static value str_maketrans(struct vm *vm, const struct args *args)
{
    value x = args->at[1], y = args->at[2], z = args->at[3], table = dict_new(vm);
    if (!y) {
        if (!is_dict(x))
            return vm_raise(vm, "TypeError",
                            "if you give only one argument to maketrans it must be a dict");
        return table_from_dict(vm, x, table) ? table : NO_VALUE;
    }
    if (!is_str(x))
        return vm_raise(vm, "TypeError",
                        "first maketrans argument must be a string if there is a second argument");
    if (!is_str(y) || (z && !is_str(z)))
        return vm_raise(vm, "TypeError", "maketrans() argument %d must be str, not %s",
                        is_str(y) ? 3 : 2, type_name(is_str(y) ? z : y));
    if (as_str(x)->count != as_str(y)->count)
        return vm_raise(vm, "ValueError",
                        "the first two maketrans arguments must have equal length");
    struct text to = text_of(y);
    if (!table_from_text(vm, text_of(x), &to, table) ||
        (z && !table_from_text(vm, text_of(z), NULL, table)))
        return NO_VALUE;
    return table;
}

/* ---- format ---- */

static value format_with(struct vm *vm, value self, value args, value kwargs)
{
    struct buf out = {0};
    struct format_rules rules = {.args = args, .kwargs = kwargs};
    if (!format_expand(vm, str_text(self), as_str(self)->len, &rules, &out)) {
        buf_free(&out);
        return NO_VALUE;
    }
    return str_take(vm, &out);
}

static value str_format(struct vm *vm, const struct args *args)
{
    return format_with(vm, args->at[0], args->at[1], args->at[2]);
}

static value str_format_map(struct vm *vm, const struct args *args)
{
    return format_with(vm, args->at[0], NO_VALUE, args->at[1]);
}

/* Flags stay, but for a storage object: what it asks for would not be formatted with it. */
static value flagged_format(struct vm *vm, const struct args *args)
{
    value flags = str_flags(vm, args->at[0]);
    if (dict_get_str(vm, flags, "storage_object"))
        return vm_raise(
            vm, "ValueError",
            "cannot call .format() on the storage object '%s': its query would keep the old text",
            str_text(args->at[0]));
    value v = str_format(vm, args);
    return v ? str_flagged(vm, v, dict_copy(vm, &type_dict, as_dict(flags))) : NO_VALUE;
}

static value flagged_is(struct vm *vm, const struct args *args)
{
    return flags_hold(vm, str_flags(vm, args->at[0]), args->at[1]);
}

static value flagged_flags(struct vm *vm, const struct args *args)
{
    value flags = str_flags(vm, args->at[0]);
    return flags ? flags : dict_new(vm);
}

static value flagged_copy(struct vm *vm, const struct args *args)
{
    return str_flagged(vm, args->at[0],
                       dict_copy(vm, &type_dict, as_dict(flagged_flags(vm, args))));
}

/* ---- encode ---- */

static value str_encode(struct vm *vm, const struct args *args)
{
    const char *name = arg_given(args, 1) ? arg_text(vm, args, 1, NULL) : "utf-8";
    const char *errors = arg_given(args, 2) ? arg_text(vm, args, 2, NULL) : "strict";
    struct buf out = {0};
    if (!name || !errors)
        return NO_VALUE;
    enum encoding encoding = encoding_find(vm, name);
    struct text self = text_of(args->at[0]);
    value v = NO_VALUE;
    if (encoding && encode_text(vm, self.at, self.len, encoding, errors, &out))
        v = bytes_new(vm, buf_text(&out), out.len);
    buf_free(&out);
    return v;
}

const struct native_def str_search_methods[] = {
    {"find", str_find, "self sub start= end= /", "Index of the first sub, or -1."},
    {"rfind", str_rfind, "self sub start= end= /", "Index of the last sub, or -1."},
    {"index", str_index, "self sub start= end= /",
     "Index of the first sub; ValueError if there is none."},
    {"rindex", str_rindex, "self sub start= end= /",
     "Index of the last sub; ValueError if there is none."},
    {"count", str_count, "self sub start= end= /", "How often sub occurs, without overlap."},
    {"startswith", str_startswith, "self prefix start= end= /",
     "Whether the text begins with prefix."},
    {"endswith", str_endswith, "self suffix start= end= /", "Whether the text ends with suffix."},
    {"removeprefix", str_removeprefix, "self prefix /", "The text without prefix."},
    {"removesuffix", str_removesuffix, "self suffix /", "The text without suffix."},
    {"replace", str_replace, "self old new count=-1 /", "The text with old replaced by new."},
    {"translate", str_translate, "self table /", "The text with characters mapped by table."},
    {"maketrans", str_maketrans, "cls x y= z= /", "A table for translate."},
    {"format", str_format, "self *args **kwargs", "The text with {} fields filled in."},
    {"format_map", str_format_map, "self mapping /",
     "The text with {name} fields filled in from a mapping."},
    {"encode", str_encode, "self encoding='utf-8' errors='strict'", "The text as bytes."},
    {0}};

const struct native_def str_flagged_methods[] = {
    {"format", flagged_format, "self *args **kwargs",
     "The text with {} fields filled in, flagged the same."},
    {"is_flagged", flagged_is, "self flag", "Whether it has that flag."},
    {"__copy__", flagged_copy, "self", "The text with flags of its own."},
    {"__deepcopy__", flagged_copy, "self memo", "The same."},
    {0}};
const struct native_def str_flagged_properties[] = {
    {"flags", flagged_flags, "self", "The dict of its flags."}, {0}};
