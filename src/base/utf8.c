// SPDX-License-Identifier: MIT
/* utf8.c: decoding by the table of well-formed sequences (Unicode 15, table 3-7), classes and case
 * by binary search in generated tables. */
#include "base/utf8.h"

#include <string.h>

struct range {
    uint32_t first, last;
};

/* Every step-th code point from first to last moves by delta. */
struct shift {
    uint32_t first, last;
    int32_t step, delta;
};

/* A code point whose other case is several. */
struct special {
    uint32_t cp;
    uint32_t to[3]; /* 0: none */
};

#include "base/utf8_tables.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_tail(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* Length of the sequence at at, 0 if it is malformed; surrogates count as well-formed. */
static int sequence(const unsigned char *at, size_t len)
{
    unsigned char c = at[0];
    if (c < 0x80)
        return 1;
    int n = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    if (!n || len < (size_t)n)
        return 0;
    for (int i = 1; i < n; i++) {
        if (!is_tail(at[i]))
            return 0;
    }
    if ((c == 0xE0 && at[1] < 0xA0) || (c == 0xF0 && at[1] < 0x90) || (c == 0xF4 && at[1] > 0x8F))
        return 0;
    return n;
}

uint32_t utf8_next(const char **at, const char *end)
{
    const unsigned char *from = (const unsigned char *)*at;
    int n = sequence(from, (size_t)(end - *at));
    *at += n ? n : 1;
    switch (n) {
    case 1: return from[0];
    case 2: return (from[0] & 0x1Fu) << 6 | (from[1] & 0x3Fu);
    case 3: return (from[0] & 0x0Fu) << 12 | (from[1] & 0x3Fu) << 6 | (from[2] & 0x3Fu);
    case 4:
        return (from[0] & 0x07u) << 18 | (from[1] & 0x3Fu) << 12 | (from[2] & 0x3Fu) << 6 |
               (from[3] & 0x3Fu);
    }
    return 0xFFFD;
}

int utf8_put(char *out, uint32_t cp)
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (char)(0xC0 | cp >> 6);
        out[1] = (char)(0x80 | (cp & 0x3F));
        return 2;
    }
    if (cp < 0x10000) {
        out[0] = (char)(0xE0 | cp >> 12);
        out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
        out[2] = (char)(0x80 | (cp & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | (cp >> 18 & 7));
    out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
    out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
    out[3] = (char)(0x80 | (cp & 0x3F));
    return 4;
}

/* How many of the next eight bytes are ASCII at once: all or none. */
static bool eight_ascii(const char *at, const char *end)
{
    uint64_t word;
    if (end - at < 8)
        return false;
    memcpy(&word, at, 8);
    return !(word & 0x8080808080808080u);
}

size_t utf8_count(const char *text, size_t len)
{
    const char *at = text, *end = text + len;
    size_t n = 0;
    while (at < end) {
        if (eight_ascii(at, end)) {
            at += 8;
            n += 8;
            continue;
        }
        utf8_next(&at, end);
        n++;
    }
    return n;
}

size_t utf8_offset(const char *text, size_t len, size_t index)
{
    const char *at = text, *end = text + len;
    while (at < end && index) {
        if (index >= 8 && eight_ascii(at, end)) {
            at += 8;
            index -= 8;
            continue;
        }
        utf8_next(&at, end);
        index--;
    }
    return (size_t)(at - text);
}

size_t utf8_back(const char *text, size_t offset, size_t n)
{
    while (offset && n)
        n -= (text[--offset] & 0xC0) != 0x80;
    return offset;
}

size_t utf8_valid_len(const char *text, size_t len)
{
    const char *at = text, *end = text + len;
    while (at < end) {
        if (eight_ascii(at, end)) {
            at += 8;
            continue;
        }
        const unsigned char *from = (const unsigned char *)at;
        int n = sequence(from, (size_t)(end - at));
        if (!n || (from[0] == 0xED && from[1] >= 0xA0))
            break;
        at += n;
    }
    return (size_t)(at - text);
}

size_t utf8_mark_len(const char *text, size_t len)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    return len >= sizeof mark && !memcmp(text, mark, sizeof mark) ? sizeof mark : 0;
}

bool utf8_valid(const char *text, size_t len)
{
    return utf8_valid_len(text, len) == len;
}

/* The range that holds cp, or NULL. */
static const struct range *range_of(const struct range *in, size_t n, uint32_t cp)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (cp > in[mid].last)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && cp >= in[low].first ? &in[low] : NULL;
}

#define HAS(ranges, cp) (range_of((ranges), COUNT(ranges), (cp)) != NULL)

bool utf8_is_space(uint32_t cp)
{
    return cp < 0x80 ? cp == ' ' || (cp >= 9 && cp <= 13) || (cp >= 28 && cp <= 31)
                     : HAS(space_ranges, cp);
}

bool utf8_is_alpha(uint32_t cp)
{
    return cp < 0x80 ? (cp | 32) - 'a' < 26 : HAS(alpha_ranges, cp);
}

bool utf8_is_digit(uint32_t cp)
{
    return cp < 0x80 ? cp - '0' < 10 : HAS(digit_ranges, cp);
}

bool utf8_is_decimal(uint32_t cp)
{
    return utf8_decimal(cp) >= 0;
}

bool utf8_is_numeric(uint32_t cp)
{
    return cp < 0x80 ? cp - '0' < 10 : HAS(numeric_ranges, cp);
}

bool utf8_is_upper(uint32_t cp)
{
    return cp < 0x80 ? cp - 'A' < 26 : HAS(upper_class_ranges, cp);
}

bool utf8_is_lower(uint32_t cp)
{
    return cp < 0x80 ? cp - 'a' < 26 : HAS(lower_class_ranges, cp);
}

bool utf8_is_title(uint32_t cp)
{
    return cp >= 0x80 && HAS(title_class_ranges, cp);
}

bool utf8_is_printable(uint32_t cp)
{
    return cp < 0x80 ? cp >= 32 && cp < 127 : HAS(printable_ranges, cp);
}

bool utf8_is_ident_start(uint32_t cp)
{
    return cp < 0x80 ? (cp | 32) - 'a' < 26 || cp == '_' : HAS(ident_start_ranges, cp);
}

bool utf8_is_ident(uint32_t cp)
{
    return cp < 0x80 ? utf8_is_ident_start(cp) || cp - '0' < 10 : HAS(ident_ranges, cp);
}

int utf8_decimal(uint32_t cp)
{
    if (cp < 0x80)
        return cp - '0' < 10 ? (int)(cp - '0') : -1;
    /* Digits of a script stand together from 0 to 9, and several such sets may touch. */
    const struct range *range = range_of(decimal_ranges, COUNT(decimal_ranges), cp);
    return range ? (int)((cp - range->first) % 10) : -1;
}

int utf8_width(uint32_t cp)
{
    if (cp < 0x300)
        return cp != 0xAD;
    return HAS(no_width_ranges, cp) ? 0 : HAS(wide_class_ranges, cp) ? 2 : 1;
}

size_t utf8_columns(const char *text, size_t len)
{
    const char *end = text + len;
    size_t n = 0;
    while (text < end)
        n += (size_t)utf8_width(utf8_next(&text, end));
    return n;
}

static const struct {
    const struct shift *shifts;
    const struct special *specials;
    size_t nshift, nspecial;
} cases[] = {
    [UTF8_LOWER] = {lower_shifts, lower_special, COUNT(lower_shifts), COUNT(lower_special)},
    [UTF8_UPPER] = {upper_shifts, upper_special, COUNT(upper_shifts), COUNT(upper_special)},
    [UTF8_TITLE] = {title_shifts, title_special, COUNT(title_shifts), COUNT(title_special)},
    [UTF8_CASEFOLD] = {casefold_shifts, casefold_special, COUNT(casefold_shifts),
                       COUNT(casefold_special)},
};

static uint32_t shifted(enum utf8_case to, uint32_t cp)
{
    const struct shift *in = cases[to].shifts;
    size_t low = 0, high = cases[to].nshift;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (cp > in[mid].last)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == cases[to].nshift || cp < in[low].first ||
        (cp - in[low].first) % (uint32_t)in[low].step)
        return cp;
    return (uint32_t)((int64_t)cp + in[low].delta);
}

bool utf8_is_name(const char *text, size_t len)
{
    const char *p = text, *end = text + len;
    bool is_name = p < end && utf8_is_ident_start(utf8_next(&p, end));
    while (is_name && p < end)
        is_name = utf8_is_ident(utf8_next(&p, end));
    return is_name;
}

int utf8_to_case(uint32_t cp, enum utf8_case to, uint32_t out[3])
{
    for (size_t i = 0; cp >= 0x80 && i < cases[to].nspecial; i++) {
        if (cases[to].specials[i].cp == cp) {
            memcpy(out, cases[to].specials[i].to, 3 * sizeof *out);
            return out[2] ? 3 : 2;
        }
    }
    out[0] = shifted(to, cp);
    return 1;
}
