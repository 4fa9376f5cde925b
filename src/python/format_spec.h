// SPDX-License-Identifier: MIT
/* format_spec.h: one field of formatted text: the parsed mini-language and the ways to lay out text
 * and numbers by it. Shared by format.c and format_percent.c. */
#pragma once

#include "base/buf.h"
#include "python/value.h"

/* [[fill]align][sign][z][#][0][width][grouping][.precision][type] */
struct format_spec {
    char fill[5]; /* one code point; "" is a space */
    uint8_t fill_len;
    char align;    /* < > ^ = or 0: as the type likes it */
    char sign;     /* + - space; 0: not given */
    char grouping; /* , _ or 0 */
    bool alternate, no_negative_zero;
    int64_t width, precision; /* -1: not given */
    uint32_t type;            /* code point, 0: not given */
};

/* Appends text (cut to precision) in its width; otherwise: the alignment when none was given. */
void format_text(const struct format_spec *spec, const char *text, size_t len, char otherwise,
                 struct buf *out);
/* A number as it is to be laid out; its digits are grouped by `every`. */
struct number_text {
    bool negative;
    const char *prefix; /* 0x, ... or "" */
    const char *digits; /* before the point */
    size_t ndigits;
    const char *rest; /* point, fraction, exponent, % */
    size_t nrest;
    int every; /* 3 or 4 */
};
/* Appends a number as the spec asks for it: sign, groups, padding. */
void format_number(const struct format_spec *spec, const struct number_text *number,
                   struct buf *out);
/* A double by e, f, g, their capitals, % or 0 (as repr, or the precision's digits). False:
 * raised. */
bool format_real(struct vm *vm, double d, const struct format_spec *spec, struct buf *out);
/* Appends the digits of a double without sign, of a type as above; infinities and NaN by name. */
void double_text(double d, uint32_t type, int64_t precision, bool alternate, struct buf *out);
