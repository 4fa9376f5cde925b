// SPDX-License-Identifier: MIT
/* str.format: text with {fields}. A field is read in one pass:
 *
 *     { first .attr [key] !r :spec }
 *
 * spec may itself hold fields, one level deep. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "python/format.h"
#include "python/str.h"
#include "python/vm.h"

enum numbering { NUMBERING_NONE, NUMBERING_AUTOMATIC, NUMBERING_MANUAL };

struct expansion {
    struct vm *vm;
    const struct format_rules *rules;
    struct buf *out;
    size_t next; /* automatic number */
    enum numbering numbering;
};

static bool is_number(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!isdigit((unsigned char)text[i]))
            return false;
    return len;
}

static bool number_fields(struct expansion *e, enum numbering how)
{
    if (e->numbering && e->numbering != how)
        return vm_raise(
            e->vm, "ValueError",
            how == NUMBERING_AUTOMATIC
                ? "cannot switch from manual field specification to automatic field numbering"
                : "cannot switch from automatic field numbering to manual field specification");
    e->numbering = how;
    return true;
}

static value positional(struct expansion *e, size_t index)
{
    size_t n = 0;
    const value *at = e->rules->args ? sequence_items(e->rules->args, &n) : NULL;
    if (!e->rules->args)
        return vm_raise(e->vm, "ValueError", "Format string contains positional fields");
    if (index >= n)
        return vm_raise(e->vm, "IndexError",
                        "Replacement index %zu out of range for positional args tuple", index);
    return at[index];
}

static value by_name(struct expansion *e, const char *name, size_t len)
{
    struct vm *vm = e->vm;
    value key = str_new(vm, name, len), mapping = e->rules->kwargs;
    if (mapping && !is_exact(mapping, &type_dict))
        return value_index(vm, mapping, key);
    value found = mapping ? dict_get(vm, mapping, key) : NO_VALUE;
    if (!found && !vm_failed(vm))
        return vm_raise(vm, "KeyError", "%s", str_text(key));
    return found;
}

/* The value of what stands first in a field. Numbers are looked up, too, where there are no
 * args. */
static value first_value(struct expansion *e, const char *name, size_t len)
{
    bool numeric = len && is_number(name, len);
    bool asks = e->rules->lookup && !(e->rules->args && (numeric || !len));
    char number[24];
    if (!len) {
        if (!number_fields(e, NUMBERING_AUTOMATIC))
            return NO_VALUE;
        size_t index = e->next++;
        if (!asks)
            return positional(e, index);
        int n = snprintf(number, sizeof number, "%zu", index);
        return e->rules->lookup(e->vm, e->rules->user, number, (size_t)n);
    }
    if (numeric && !number_fields(e, NUMBERING_MANUAL))
        return NO_VALUE;
    if (asks)
        return e->rules->lookup(e->vm, e->rules->user, name, len);
    if (!numeric)
        return by_name(e, name, len);
    if (len > 18)
        return vm_raise(e->vm, "ValueError", "Too many decimal digits in format string");
    return positional(e, (size_t)strtoull(name, NULL, 10));
}

/* One .attr or [key] at *p. */
static value accessed(struct expansion *e, value v, const char **p, const char *end)
{
    struct vm *vm = e->vm;
    const char *from = *p + 1, *to = from;
    if (**p == '.') {
        while (to < end && *to != '.' && *to != '[')
            to++;
        *p = to;
        if (to == from)
            return vm_raise(vm, "ValueError", "Empty attribute in format string");
        return value_attr(vm, v, intern(vm_names(vm), from, (size_t)(to - from)));
    }
    if (**p != '[')
        return vm_raise(vm, "ValueError",
                        "Only '.' or '[' may follow ']' in format field specifier");
    while (to < end && *to != ']')
        to++;
    if (to == end)
        return vm_raise(vm, "ValueError", "Missing ']' in format string");
    *p = to + 1;
    if (to == from)
        return vm_raise(vm, "ValueError", "Empty attribute in format string");
    size_t len = (size_t)(to - from);
    value key = is_number(from, len) && len < 18 ? small(strtoll(from, NULL, 10))
                                                 : str_new(vm, from, len);
    return value_index(vm, v, key);
}

static value field_value(struct expansion *e, const char *name, size_t len)
{
    const char *p = name, *end = name + len;
    while (p < end && *p != '.' && *p != '[')
        p++;
    value v = first_value(e, name, (size_t)(p - name));
    while (v && p < end)
        v = accessed(e, v, &p, end);
    return v;
}

value format_converted(struct vm *vm, value v, char conversion)
{
    if (!conversion)
        return v;
    if (conversion == 's')
        return value_str(vm, v);
    value repr = value_repr(vm, v);
    if (!repr || conversion == 'r' || str_is_ascii(repr))
        return repr;
    struct buf out = {0};
    text_escape(str_text(repr), as_str(repr)->len, &out);
    return str_take(vm, &out);
}

static bool expand(struct expansion *e, const char *text, size_t len, int depth);

/* The spec with its own fields filled in. */
static bool expand_spec(struct expansion *e, const char *spec, size_t len, int depth,
                        struct buf *to)
{
    struct buf *out = e->out;
    e->out = to;
    bool fine = expand(e, spec, len, depth - 1);
    e->out = out;
    return fine;
}

static bool emit(struct expansion *e, value v, char conversion, const char *spec, size_t len)
{
    if (e->rules->emit)
        return e->rules->emit(e->vm, e->rules->user, v, conversion, spec, len, e->out);
    v = format_converted(e->vm, v, conversion);
    return v && format_value(e->vm, v, spec, len, e->out);
}

struct field {
    const char *name, *spec;
    size_t name_len, spec_len;
    char conversion;
    bool nested;
};

/* The end of the name of a field that begins at p. */
static const char *name_end(struct vm *vm, const char *p, const char *end)
{
    bool bracket = false;
    for (; p < end; p++) {
        if (*p == '{') {
            vm_raise(vm, "ValueError", "unexpected '{' in field name");
            return NULL;
        }
        if (*p == '[')
            bracket = true;
        else if (*p == ']')
            bracket = false;
        else if (!bracket && (*p == '}' || *p == ':' || *p == '!'))
            return p;
    }
    vm_raise(vm, "ValueError", "expected '}' before end of string");
    return NULL;
}

static bool scan_conversion(struct vm *vm, const char **p, const char *end, struct field *field)
{
    if (*p + 1 >= end)
        return vm_raise(vm, "ValueError", "end of string while looking for conversion specifier");
    char c = (*p)[1];
    const char *next = *p + 2;
    if (next >= end || c == '}')
        return vm_raise(vm, "ValueError", "unmatched '{' in format spec");
    if (*next != '}' && *next != ':')
        return vm_raise(vm, "ValueError", "expected ':' after conversion specifier");
    if (c != 'r' && c != 's' && c != 'a')
        return vm_raise(vm, "ValueError", "Unknown conversion specifier %c", c);
    field->conversion = c;
    *p = next;
    return true;
}

/* Reads a field whose { is behind; *p ends behind its }. */
static bool scan_field(struct vm *vm, const char **p, const char *end, struct field *field)
{
    *field = (struct field){.name = *p, .spec = ""};
    const char *q = name_end(vm, *p, end);
    if (!q)
        return false;
    field->name_len = (size_t)(q - *p);
    if (*q == '!' && !scan_conversion(vm, &q, end, field))
        return false;
    if (*q == ':') {
        field->spec = ++q;
        for (int open = 1; q < end; q++) {
            open += *q == '{' ? 1 : *q == '}' ? -1 : 0;
            field->nested |= *q == '{';
            if (!open)
                break;
        }
        if (q == end)
            return vm_raise(vm, "ValueError", "unmatched '{' in format spec");
        field->spec_len = (size_t)(q - field->spec);
    }
    *p = q + 1;
    return true;
}

static bool fill_field(struct expansion *e, const struct field *field, int depth)
{
    value v = field_value(e, field->name, field->name_len);
    if (!v)
        return false;
    if (!field->nested)
        return emit(e, v, field->conversion, field->spec, field->spec_len);
    struct buf spec = {0};
    bool fine = expand_spec(e, field->spec, field->spec_len, depth, &spec) &&
                emit(e, v, field->conversion, buf_text(&spec), spec.len);
    buf_free(&spec);
    return fine;
}

static bool expand_field(struct expansion *e, const char **p, const char *end, int depth)
{
    struct buf *culprit = e->rules->culprit;
    struct field field;
    if (depth == 0)
        return vm_raise(e->vm, "ValueError", "Max string recursion exceeded");
    if (!scan_field(e->vm, p, end, &field))
        return false;
    if (fill_field(e, &field, depth))
        return true;
    if (culprit && !culprit->len) /* else a field of the spec */
        buf_add(culprit, field.name, field.name_len);
    return false;
}

static bool expand(struct expansion *e, const char *text, size_t len, int depth)
{
    const char *p = text, *end = text + len;
    while (p < end) {
        const char *from = p;
        while (p < end && *p != '{' && *p != '}')
            p++;
        buf_add(e->out, from, (size_t)(p - from));
        if (p == end)
            break;
        char c = *p++;
        if (p < end && *p == c) {
            buf_char(e->out, c);
            p++;
        } else if (c == '}' || p == end) {
            return vm_raise(e->vm, "ValueError", "Single '%c' encountered in format string", c);
        } else if (!expand_field(e, &p, end, depth)) {
            return false;
        }
    }
    return true;
}

bool format_expand(struct vm *vm, const char *text, size_t len, const struct format_rules *rules,
                   struct buf *out)
{
    struct expansion e = {.vm = vm, .rules = rules, .out = out};
    return expand(&e, text, len, 2);
}
