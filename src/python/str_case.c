// SPDX-License-Identifier: MIT
/* str: letter case, questions about characters, padding. */
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "python/str.h"
#include "python/str_methods.h"
#include "python/vm.h"

/* ---- case ---- */

static void put_case(uint32_t cp, enum utf8_case to, struct buf *out)
{
    uint32_t cps[3];
    char text[4];
    int n = utf8_to_case(cp, to, cps);
    for (int i = 0; i < n; i++)
        buf_add(out, text, (size_t)utf8_put(text, cps[i]));
}

static bool is_cased(uint32_t cp)
{
    return utf8_is_upper(cp) || utf8_is_lower(cp) || utf8_is_title(cp);
}

/* Capital sigma at the end of a word has a small form of its own. */
static void put_lower(uint32_t cp, bool after_cased, const char *p, const char *end,
                      struct buf *out)
{
    if (cp == 0x3A3 && after_cased) {
        const char *next = p;
        if (p == end || !is_cased(utf8_next(&next, end))) {
            buf_str(out, "\xcf\x82");
            return;
        }
    }
    put_case(cp, UTF8_LOWER, out);
}

/* Without a branch: the loop becomes vector code where it is inlined with one of the next three. */
static inline value ascii_case(struct vm *vm, value self, uint8_t (*to)(uint8_t))
{
    char *at;
    struct text text = text_of(self);
    value v = str_room(vm, text.len, text.len, &at);
    uint8_t *restrict out = (uint8_t *)at;
    for (size_t i = 0; i < text.len; i++)
        out[i] = to((uint8_t)text.at[i]);
    return v;
}

static inline uint8_t to_lower(uint8_t c)
{
    return (uint8_t)(c + 32 * (c >= 'A' && c <= 'Z'));
}

static inline uint8_t to_upper(uint8_t c)
{
    return (uint8_t)(c - 32 * (c >= 'a' && c <= 'z'));
}

static inline uint8_t to_other(uint8_t c)
{
    return (uint8_t)(to_lower(c) - 32 * (c >= 'a' && c <= 'z'));
}

static value str_lower(struct vm *vm, const struct args *args)
{
    if (str_is_ascii(args->at[0]))
        return ascii_case(vm, args->at[0], to_lower);
    struct buf out = {0};
    struct text self = text_of(args->at[0]);
    bool cased = false;
    for (const char *p = self.at, *end = self.at + self.len; p < end;) {
        uint32_t cp = utf8_next(&p, end);
        put_lower(cp, cased, p, end, &out);
        cased = is_cased(cp);
    }
    return str_take(vm, &out);
}

static value map_case(struct vm *vm, value self, enum utf8_case to)
{
    struct buf out = {0};
    struct text text = text_of(self);
    for (const char *p = text.at, *end = text.at + text.len; p < end;)
        put_case(utf8_next(&p, end), to, &out);
    return str_take(vm, &out);
}

static value str_upper(struct vm *vm, const struct args *args)
{
    return str_is_ascii(args->at[0]) ? ascii_case(vm, args->at[0], to_upper)
                                     : map_case(vm, args->at[0], UTF8_UPPER);
}

static value str_casefold(struct vm *vm, const struct args *args)
{
    return str_is_ascii(args->at[0]) ? ascii_case(vm, args->at[0], to_lower)
                                     : map_case(vm, args->at[0], UTF8_CASEFOLD);
}

static value str_swapcase(struct vm *vm, const struct args *args)
{
    if (str_is_ascii(args->at[0]))
        return ascii_case(vm, args->at[0], to_other);
    struct buf out = {0};
    struct text self = text_of(args->at[0]);
    bool cased = false;
    for (const char *p = self.at, *end = self.at + self.len; p < end;) {
        const char *from = p;
        uint32_t cp = utf8_next(&p, end);
        if (utf8_is_upper(cp))
            put_lower(cp, cased, p, end, &out);
        else if (utf8_is_lower(cp))
            put_case(cp, UTF8_UPPER, &out);
        else /* title case too */
            buf_add(&out, from, (size_t)(p - from));
        cased = is_cased(cp);
    }
    return str_take(vm, &out);
}

/* words: title case of every word, else of the first letter alone. */
static value title_case(struct vm *vm, value self, bool words)
{
    struct buf out = {0};
    struct text text = text_of(self);
    bool inside = false;
    for (const char *p = text.at, *end = text.at + text.len; p < end;) {
        uint32_t cp = utf8_next(&p, end);
        if (inside)
            put_lower(cp, true, p, end, &out);
        else
            put_case(cp, UTF8_TITLE, &out);
        inside = words ? is_cased(cp) : true;
    }
    return str_take(vm, &out);
}

static value str_title(struct vm *vm, const struct args *args)
{
    return title_case(vm, args->at[0], true);
}

static value str_capitalize(struct vm *vm, const struct args *args)
{
    return title_case(vm, args->at[0], false);
}

/* ---- questions ---- */

static value all_are(const struct args *args, bool (*is)(uint32_t))
{
    struct text text = text_of(args->at[0]);
    for (const char *p = text.at, *end = text.at + text.len; p < end;)
        if (!is(utf8_next(&p, end)))
            return VALUE_FALSE;
    return value_bool(text.len);
}

static bool is_alnum(uint32_t cp)
{
    return utf8_is_alpha(cp) || utf8_is_decimal(cp) || utf8_is_digit(cp) || utf8_is_numeric(cp);
}

static value str_isalpha(struct vm *vm, const struct args *args)
{
    return all_are(args, utf8_is_alpha);
}

static value str_isalnum(struct vm *vm, const struct args *args)
{
    return all_are(args, is_alnum);
}

static value str_isdigit(struct vm *vm, const struct args *args)
{
    return all_are(args, utf8_is_digit);
}

static value str_isdecimal(struct vm *vm, const struct args *args)
{
    return all_are(args, utf8_is_decimal);
}

static value str_isnumeric(struct vm *vm, const struct args *args)
{
    return all_are(args, utf8_is_numeric);
}

static value str_isspace(struct vm *vm, const struct args *args)
{
    return all_are(args, utf8_is_space);
}

static value str_isprintable(struct vm *vm, const struct args *args)
{
    return as_str(args->at[0])->len ? all_are(args, utf8_is_printable) : VALUE_TRUE;
}

static value str_isascii(struct vm *vm, const struct args *args)
{
    return value_bool(str_is_ascii(args->at[0]));
}

static value str_isidentifier(struct vm *vm, const struct args *args)
{
    struct text text = text_of(args->at[0]);
    return value_bool(utf8_is_name(text.at, text.len));
}

/* No letter of the other case, and at least one of this. */
static value one_case(const struct args *args, bool (*is)(uint32_t), bool (*other)(uint32_t))
{
    struct text text = text_of(args->at[0]);
    bool any = false;
    for (const char *p = text.at, *end = text.at + text.len; p < end;) {
        uint32_t cp = utf8_next(&p, end);
        if (other(cp) || utf8_is_title(cp))
            return VALUE_FALSE;
        any |= is(cp);
    }
    return value_bool(any);
}

static value str_isupper(struct vm *vm, const struct args *args)
{
    return one_case(args, utf8_is_upper, utf8_is_lower);
}

static value str_islower(struct vm *vm, const struct args *args)
{
    return one_case(args, utf8_is_lower, utf8_is_upper);
}

static value str_istitle(struct vm *vm, const struct args *args)
{
    struct text text = text_of(args->at[0]);
    bool any = false, inside = false;
    for (const char *p = text.at, *end = text.at + text.len; p < end;) {
        uint32_t cp = utf8_next(&p, end);
        bool capital = utf8_is_upper(cp) || utf8_is_title(cp);
        if (capital ? inside : utf8_is_lower(cp) && !inside)
            return VALUE_FALSE;
        inside = capital || utf8_is_lower(cp);
        any |= inside;
    }
    return value_bool(any);
}

/* ---- padding ---- */

static value padded(struct vm *vm, value self, size_t left, size_t right, const char *fill,
                    size_t fill_len)
{
    const struct str *s = as_str(self);
    char *at;
    if (!left && !right)
        return str_plain(vm, self);
    value v = str_room(vm, s->len + (left + right) * fill_len, s->count + left + right, &at);
    at = memory_repeat(at, fill, fill_len, left);
    memcpy(at, s->text, s->len);
    memory_repeat(at + s->len, fill, fill_len, right);
    return v;
}

/* Width and fill character; *pad is how much is to be added. False: raised. */
static bool pad_args(struct vm *vm, const struct args *args, size_t *pad, const char **fill,
                     size_t *fill_len)
{
    int64_t width;
    if (!arg_int(vm, args, 1, 0, &width))
        return false;
    *fill = " ";
    *fill_len = 1;
    if (arg_given(args, 2)) {
        if (!is_str(args->at[2]))
            return vm_raise(vm, "TypeError",
                            "The fill character must be a unicode character, not %s",
                            type_name(args->at[2]));
        if (as_str(args->at[2])->count != 1)
            return vm_raise(vm, "TypeError",
                            "The fill character must be exactly one character long");
        *fill = str_text(args->at[2]);
        *fill_len = as_str(args->at[2])->len;
    }
    int64_t count = as_str(args->at[0])->count;
    if (width > INT32_MAX)
        return vm_raise(vm, "MemoryError", "the string is too long");
    *pad = width > count ? (size_t)(width - count) : 0;
    return true;
}

static value str_ljust(struct vm *vm, const struct args *args)
{
    size_t pad = 0, len = 0;
    const char *fill;
    return pad_args(vm, args, &pad, &fill, &len) ? padded(vm, args->at[0], 0, pad, fill, len)
                                                 : NO_VALUE;
}

static value str_rjust(struct vm *vm, const struct args *args)
{
    size_t pad = 0, len = 0;
    const char *fill;
    return pad_args(vm, args, &pad, &fill, &len) ? padded(vm, args->at[0], pad, 0, fill, len)
                                                 : NO_VALUE;
}

static value str_center(struct vm *vm, const struct args *args)
{
    size_t pad = 0, len = 0;
    const char *fill;
    if (!pad_args(vm, args, &pad, &fill, &len))
        return NO_VALUE;
    size_t width = pad + as_str(args->at[0])->count;
    size_t left = pad / 2 + (pad & width & 1);
    return padded(vm, args->at[0], left, pad - left, fill, len);
}

static value str_zfill(struct vm *vm, const struct args *args)
{
    size_t pad = 0, len = 0;
    const char *fill;
    struct args two = {(value[]){args->at[0], args->at[1], NO_VALUE}, 3, args->def, NULL};
    if (!pad_args(vm, &two, &pad, &fill, &len))
        return NO_VALUE;
    value v = padded(vm, args->at[0], pad, 0, "0", 1);
    char *at = (char *)str_text(v);
    if (pad && (at[pad] == '-' || at[pad] == '+')) {
        at[0] = at[pad];
        at[pad] = '0';
    }
    return v;
}

static value str_expandtabs(struct vm *vm, const struct args *args)
{
    int64_t size, column = 0;
    struct buf out = {0};
    struct text text = text_of(args->at[0]);
    if (!arg_int(vm, args, 1, 8, &size))
        return NO_VALUE;
    if (size > INT32_MAX)
        return vm_raise(vm, "OverflowError", "Python int too large to convert to C int");
    for (const char *p = text.at, *end = text.at + text.len; p < end;) {
        const char *from = p;
        uint32_t cp = utf8_next(&p, end);
        if (cp == '\t') {
            for (int64_t n = size > 0 ? size - column % size : 0; n > 0; n--, column++)
                buf_char(&out, ' ');
            continue;
        }
        column = cp == '\n' || cp == '\r' ? 0 : column + 1;
        buf_add(&out, from, (size_t)(p - from));
    }
    return str_take(vm, &out);
}

const struct native_def str_case_methods[] = {
    {"lower", str_lower, "self /", "The text in lower case."},
    {"upper", str_upper, "self /", "The text in upper case."},
    {"casefold", str_casefold, "self /", "The text for comparing without case."},
    {"swapcase", str_swapcase, "self /", "Upper to lower case and back."},
    {"title", str_title, "self /", "Every word with a capital letter."},
    {"capitalize", str_capitalize, "self /",
     "The first letter as a capital, the rest in lower case."},
    {"isalpha", str_isalpha, "self /", "Whether all are letters."},
    {"isalnum", str_isalnum, "self /", "Whether all are letters or numbers."},
    {"isdigit", str_isdigit, "self /", "Whether all are digits."},
    {"isdecimal", str_isdecimal, "self /", "Whether all are decimal digits."},
    {"isnumeric", str_isnumeric, "self /", "Whether all are numeric."},
    {"isspace", str_isspace, "self /", "Whether all is white space."},
    {"isprintable", str_isprintable, "self /", "Whether repr() leaves all as it is."},
    {"isascii", str_isascii, "self /", "Whether all is ASCII."},
    {"isidentifier", str_isidentifier, "self /", "Whether it is a Python name."},
    {"isupper", str_isupper, "self /", "Whether all letters are upper case."},
    {"islower", str_islower, "self /", "Whether all letters are lower case."},
    {"istitle", str_istitle, "self /", "Whether every word begins with a capital."},
    {"ljust", str_ljust, "self width fillchar= /", "Padded on the right."},
    {"rjust", str_rjust, "self width fillchar= /", "Padded on the left."},
    {"center", str_center, "self width fillchar= /", "Padded on both sides."},
    {"zfill", str_zfill, "self width /", "Padded with zeros behind the sign."},
    {"expandtabs", str_expandtabs, "self tabsize=8", "Tabs as spaces."},
    {0}};
