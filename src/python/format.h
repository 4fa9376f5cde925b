// SPDX-License-Identifier: MIT
/* format.h: Python's formatting: f-strings, str.format, the % operator, format(), and Snakemake's
 * variant of str.format for shell commands, which shares the machinery and resolves names its own
 * way. */
#pragma once

#include "base/buf.h"
#include "python/value.h"

/* Formats v by a mini-language spec ("04d", ".1f", "") and appends; false: raised. */
bool format_value(struct vm *vm, value v, const char *spec, size_t len, struct buf *out);

/* v as a field's conversion asks for it: 0 itself, 's' str(v), 'r' repr(v), 'a' ascii(v); NO_VALUE:
 * raised. */
value format_converted(struct vm *vm, value v, char conversion);

/* How names and finished fields are treated; for a plain str.format leave both NULL and give
 * args/kwargs. */
struct format_rules {
    /* The value of a field's first name (or number as text, without args); NO_VALUE: raised. */
    value (*lookup)(struct vm *vm, void *user, const char *name, size_t len);
    /* Called instead of format_value for a field's value; conversion is 0, 'r', 's' or 'a'. */
    bool (*emit)(struct vm *vm, void *user, value v, char conversion, const char *spec, size_t len,
                 struct buf *out);
    void *user;
    value args;          /* tuple for positional fields, or NO_VALUE */
    value kwargs;        /* dict, or NO_VALUE */
    struct buf *culprit; /* gets the name part of the field that failed; or NULL */
};

/* Expands a format string: {name.attr[key]!r:spec}, {{, }}, automatic numbering, nested specs.
 * Appends to out; false: raised (KeyError, IndexError, ValueError "Single '}' encountered in format
 * string", ...). */
bool format_expand(struct vm *vm, const char *text, size_t len, const struct format_rules *rules,
                   struct buf *out);

/* left % right for str and bytes. */
value format_percent(struct vm *vm, value left, value right);

/* repr of a float as Python prints it (shortest text that reads back the same). */
void format_double(double d, struct buf *out);

/* The format slot of str, int, float and complex: the mini-language without looking for
 * __format__. */
value format_slot(struct vm *vm, value self, value spec);
