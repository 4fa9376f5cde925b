// SPDX-License-Identifier: MIT
/* literal.c: decoding of strings and numbers. Big integers in another base than ten are converted
 * with limbs of nine decimal digits. */
#include "syntax/literal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/utf8.h"
#include "syntax/token.h"

/* Names that \N{...} knows. The full table of Unicode is not here; these are what labels need. */
static const struct {
    const char *name;
    uint32_t cp;
} names[] = {
    {"BULLET", 0x2022},
    {"COPYRIGHT SIGN", 0xA9},
    {"CHECK MARK", 0x2713},
    {"DEGREE SIGN", 0xB0},
    {"ELLIPSIS", 0x2026},
    {"EM DASH", 0x2014},
    {"EN DASH", 0x2013},
    {"EURO SIGN", 0x20AC},
    {"GREEK CAPITAL LETTER DELTA", 0x394},
    {"GREEK CAPITAL LETTER GAMMA", 0x393},
    {"GREEK CAPITAL LETTER LAMDA", 0x39B},
    {"GREEK CAPITAL LETTER OMEGA", 0x3A9},
    {"GREEK CAPITAL LETTER PHI", 0x3A6},
    {"GREEK CAPITAL LETTER PI", 0x3A0},
    {"GREEK CAPITAL LETTER PSI", 0x3A8},
    {"GREEK CAPITAL LETTER SIGMA", 0x3A3},
    {"GREEK CAPITAL LETTER THETA", 0x398},
    {"GREEK SMALL LETTER ALPHA", 0x3B1},
    {"GREEK SMALL LETTER BETA", 0x3B2},
    {"GREEK SMALL LETTER CHI", 0x3C7},
    {"GREEK SMALL LETTER DELTA", 0x3B4},
    {"GREEK SMALL LETTER EPSILON", 0x3B5},
    {"GREEK SMALL LETTER ETA", 0x3B7},
    {"GREEK SMALL LETTER GAMMA", 0x3B3},
    {"GREEK SMALL LETTER KAPPA", 0x3BA},
    {"GREEK SMALL LETTER LAMDA", 0x3BB},
    {"GREEK SMALL LETTER MU", 0x3BC},
    {"GREEK SMALL LETTER NU", 0x3BD},
    {"GREEK SMALL LETTER OMEGA", 0x3C9},
    {"GREEK SMALL LETTER PHI", 0x3C6},
    {"GREEK SMALL LETTER PI", 0x3C0},
    {"GREEK SMALL LETTER PSI", 0x3C8},
    {"GREEK SMALL LETTER RHO", 0x3C1},
    {"GREEK SMALL LETTER SIGMA", 0x3C3},
    {"GREEK SMALL LETTER TAU", 0x3C4},
    {"GREEK SMALL LETTER THETA", 0x3B8},
    {"GREEK SMALL LETTER XI", 0x3BE},
    {"GREEK SMALL LETTER ZETA", 0x3B6},
    {"HORIZONTAL ELLIPSIS", 0x2026},
    {"INFINITY", 0x221E},
    {"LEFTWARDS ARROW", 0x2190},
    {"MICRO SIGN", 0xB5},
    {"MULTIPLICATION SIGN", 0xD7},
    {"NO-BREAK SPACE", 0xA0},
    {"PLUS-MINUS SIGN", 0xB1},
    {"RIGHTWARDS ARROW", 0x2192},
    {"SNOWMAN", 0x2603},
    {"SUPERSCRIPT THREE", 0xB3},
    {"SUPERSCRIPT TWO", 0xB2},
};

struct decoder {
    struct diags *dx;
    struct buf *out;
    const char *start, *p, *end;
    uint32_t at;
    unsigned flags;
};

static bool bad_escape(struct decoder *d, const char *from, const char *message)
{
    struct span span = {d->at + (uint32_t)(from - d->start), d->at + (uint32_t)(d->p - d->start)};
    return complain_kind(d->dx, "SyntaxError", span, "%s", message);
}

static void put_char(struct decoder *d, uint32_t cp)
{
    char bytes[4];
    if (d->flags & LITERAL_BYTES)
        buf_char(d->out, (char)cp);
    else
        buf_add(d->out, bytes, (size_t)utf8_put(bytes, cp));
}

static int hex_value(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* \xhh, \uhhhh, \Uhhhhhhhh at p, which is behind the letter. */
static bool hex_escape(struct decoder *d, const char *from, int n)
{
    uint32_t cp = 0;
    int i = 0;
    for (; i < n && d->p < d->end && isxdigit((unsigned char)*d->p); i++)
        cp = cp << 4 | (uint32_t)hex_value(*d->p++);
    if (i < n)
        return bad_escape(d, from,
                          n == 2   ? "truncated \\xXX escape"
                          : n == 4 ? "truncated \\uXXXX escape"
                                   : "truncated \\UXXXXXXXX escape");
    if (cp > 0x10FFFF)
        return bad_escape(d, from, "illegal Unicode character");
    put_char(d, cp);
    return true;
}

static bool octal_escape(struct decoder *d)
{
    uint32_t cp = 0;
    for (int i = 0; i < 3 && d->p < d->end && *d->p >= '0' && *d->p <= '7'; i++)
        cp = cp << 3 | (uint32_t)(*d->p++ - '0');
    put_char(d, cp);
    return true;
}

static bool named_escape(struct decoder *d, const char *from)
{
    const char *close = d->p < d->end && *d->p == '{' ? memchr(d->p, '}', (size_t)(d->end - d->p))
                                                      : NULL;
    if (!close)
        return bad_escape(d, from, "malformed \\N character escape");
    const char *name = d->p + 1;
    size_t len = (size_t)(close - name);
    d->p = close + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) == len && !strncasecmp(names[i].name, name, len)) {
            put_char(d, names[i].cp);
            return true;
        }
    }
    bad_escape(d, from, "this character name is not known here");
    diag_hint(d->dx, "write the character itself, or its number as \\uXXXX");
    return false;
}

static bool simple_escape(struct decoder *d, char c)
{
    static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
    const char *found = c ? strchr(from, c) : NULL;
    if (found)
        buf_char(d->out, to[found - from]);
    return found;
}

/* The escape whose backslash is at p. */
static bool escape(struct decoder *d)
{
    const char *from = d->p++;
    char c = d->p < d->end ? *d->p : 0;
    bool text = !(d->flags & LITERAL_BYTES);
    if (c == '\n' || c == '\r') {
        d->p += c == '\r' && d->p + 1 < d->end && d->p[1] == '\n' ? 2 : 1;
        return true;
    }
    if (simple_escape(d, c)) {
        d->p++;
        return true;
    }
    if (c >= '0' && c <= '7')
        return octal_escape(d);
    int digits = c == 'x' ? 2 : c == 'u' && text ? 4 : c == 'U' && text ? 8 : 0;
    if (digits) {
        d->p++;
        return hex_escape(d, from, digits);
    }
    if (c == 'N' && text) {
        d->p++;
        return named_escape(d, from);
    }
    buf_char(d->out, '\\');
    return true;
}

bool literal_text(struct diags *dx, struct buf *out, const char *text, size_t len, uint32_t at,
                  unsigned flags)
{
    struct decoder d = {dx, out, text, text, text + len, at, flags};
    bool doubled = (flags & LITERAL_FORMAT) && !(flags & LITERAL_SPEC), fine = true;
    while (d.p < d.end) {
        char c = *d.p;
        if (c == '\\' && !(flags & LITERAL_RAW)) {
            fine &= escape(&d);
            continue;
        }
        if (c == '\r') {
            c = '\n';
            d.p += d.p + 1 < d.end && d.p[1] == '\n';
        } else if (doubled && (c == '{' || c == '}')) {
            d.p++;
        } else if ((flags & LITERAL_BYTES) && (unsigned char)c >= 128) {
            d.p++;
            fine = bad_escape(&d, d.p - 1, "bytes can only contain ASCII literal characters");
            break;
        }
        buf_char(out, c);
        d.p++;
    }
    return fine;
}

/* Numbers. */

struct limbs {
    VEC(uint32_t) v; /* base 1e9, lowest first */
};

static void limbs_push_digit(struct limbs *big, uint32_t base, uint32_t digit)
{
    uint64_t carry = digit;
    for (uint32_t i = 0; i < big->v.len; i++) {
        carry += (uint64_t)big->v.at[i] * base;
        big->v.at[i] = (uint32_t)(carry % 1000000000u);
        carry /= 1000000000u;
    }
    if (carry)
        vec_push(&big->v, (uint32_t)carry);
}

static void limbs_print(const struct limbs *big, struct buf *out)
{
    uint32_t i = big->v.len;
    buf_printf(out, "%u", i ? big->v.at[--i] : 0);
    while (i)
        buf_printf(out, "%09u", big->v.at[--i]);
}

static void convert(struct buf *out, const char *text, size_t len, uint32_t base)
{
    struct limbs big = {0};
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '_')
            limbs_push_digit(&big, base, (uint32_t)hex_value(text[i]));
    }
    limbs_print(&big, out);
    vec_free(&big.v);
}

bool literal_int(struct buf *out, const char *text, size_t len, int64_t *num, bool *small)
{
    char letter = len > 1 && *text == '0' ? text[1] | 0x20 : 0;
    uint32_t base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    size_t start = out->len;
    if (base != 10) {
        if (len > 20000)
            return false;
        convert(out, text + 2, len - 2, base);
    } else {
        size_t i = 0;
        while (i + 1 < len && (text[i] == '0' || text[i] == '_'))
            i++;
        for (; i < len; i++) {
            if (text[i] != '_')
                buf_char(out, text[i]);
        }
    }
    *small = out->len - start <= 18;
    *num = *small ? strtoll(out->at + start, NULL, 10) : 0;
    return out->len - start <= 4300 || base != 10;
}

double literal_float(const char *text, size_t len)
{
    struct buf plain = {0};
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '_')
            buf_char(&plain, text[i]);
    }
    double value = strtod(buf_text(&plain), NULL);
    buf_free(&plain);
    return value;
}
