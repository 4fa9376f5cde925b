// SPDX-License-Identifier: MIT
/* Templates of sub() and expand(): read once, filled for every match. */
#include "modules/re_match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

struct reading {
    struct vm *vm;
    const struct pattern *pattern;
    struct text source;
    bool bytes;
    struct template *out;
};

static value text_value(struct vm *vm, struct text text, bool bytes)
{
    return bytes ? bytes_new(vm, text.at, text.len) : str_new(vm, text.at, text.len);
}

static bool bad(const struct reading *r, const char *message, const char *at)
{
    size_t pos = r->bytes ? (size_t)(at - r->source.at)
                          : utf8_count(r->source.at, (size_t)(at - r->source.at));
    return raise_re_error(r->vm, message, text_value(r->vm, r->source, r->bytes), pos);
}

/* What stands before goes out as text, then the group. */
static void add_group(struct template *t, int group)
{
    vec_push(&t->parts, ((struct template_part){t->text.len, group}));
}

static bool add_number(struct reading *r, long number, const char *at)
{
    if (number <= r->pattern->groups) {
        add_group(r->out, (int)number);
        return true;
    }
    char message[64];
    snprintf(message, sizeof message, "invalid group reference %ld", number);
    return bad(r, message, at);
}

static bool bad_name(const struct reading *r, const char *name, size_t len)
{
    value repr = value_repr(r->vm, text_value(r->vm, (struct text){name, len}, r->bytes));
    value message = repr ? str_printf(r->vm, "bad character in group name %s", str_text(repr))
                         : NO_VALUE;
    return message && bad(r, str_text(message), name);
}

static bool is_name(const char *name, size_t len)
{
    bool good = !isdigit((unsigned char)*name);
    for (size_t i = 0; i < len; i++)
        good = good &&
               (isalnum((unsigned char)name[i]) || name[i] == '_' || (unsigned char)name[i] >= 128);
    return good;
}

/* \g<NAME>, p at the name. */
static bool add_named(struct reading *r, const char *name, size_t len)
{
    if (!len)
        return bad(r, "missing group name", name);
    size_t digits = 0;
    while (digits < len && isdigit((unsigned char)name[digits]))
        digits++;
    if (digits == len)
        return add_number(r, len > 9 ? 1000000000 : strtol(name, NULL, 10), name);
    if (!is_name(name, len))
        return bad_name(r, name, len);
    char *copy = memory_text_part(name, len);
    int group = copy ? regex_group_number(r->pattern->regex, copy) : 0;
    free(copy);
    if (!group)
        return vm_raise(r->vm, "IndexError", "unknown group name '%.*s'", (int)len, name);
    add_group(r->out, group);
    return true;
}

static void add_char(struct reading *r, uint32_t code)
{
    char utf8[4];
    if (r->bytes)
        buf_char(&r->out->text, (char)code);
    else
        buf_add(&r->out->text, utf8, (size_t)utf8_put(utf8, code));
}

static bool is_octal(const char *p, const char *end)
{
    return p < end && *p >= '0' && *p < '8';
}

/* \0, \012, \123: a character; \1 to \99: a group. Bytes used, 0: raised. */
static size_t read_digits(struct reading *r, const char *p, const char *end)
{
    if (*p == '0' || (is_octal(p, end) && is_octal(p + 1, end) && is_octal(p + 2, end))) {
        uint32_t code = 0;
        size_t n = 0;
        while (n < 3 && is_octal(p + n, end))
            code = code * 8 + (uint32_t)(p[n++] - '0');
        if (code > 0377) {
            char message[80];
            snprintf(message, sizeof message, "octal escape value \\%.3s outside of range 0-0o377",
                     p);
            return bad(r, message, p - 1);
        }
        add_char(r, code);
        return n;
    }
    size_t n = p + 1 < end && isdigit((unsigned char)p[1]) ? 2 : 1;
    return add_number(r, n == 2 ? (p[0] - '0') * 10 + p[1] - '0' : p[0] - '0', p) ? n : 0;
}

/* One escape, p behind its backslash. Bytes used, 0: raised. */
static size_t read_escape(struct reading *r, const char *p, const char *end)
{
    static const char letters[] = "nrtvfab\\", meant[] = "\n\r\t\v\f\a\b\\";
    if (p == end)
        return bad(r, "bad escape (end of pattern)", p - 1);
    if (isdigit((unsigned char)*p))
        return read_digits(r, p, end);
    if (*p == 'g') {
        if (p + 1 == end || p[1] != '<')
            return bad(r, "missing <", p + 1);
        const char *close = memchr(p + 2, '>', (size_t)(end - p - 2));
        if (!close)
            return bad(r, p + 2 == end ? "missing group name" : "missing >, unterminated name",
                       p + 2);
        return add_named(r, p + 2, (size_t)(close - p - 2)) ? (size_t)(close - p) + 1 : 0;
    }
    const char *letter = *p ? strchr(letters, *p) : NULL;
    if (letter) {
        buf_char(&r->out->text, meant[letter - letters]);
    } else if (isalpha((unsigned char)*p)) {
        char message[] = "bad escape \\x";
        message[sizeof message - 2] = *p;
        return bad(r, message, p - 1);
    } else {
        buf_char(&r->out->text, '\\');
        buf_char(&r->out->text, *p);
    }
    return 1;
}

bool template_read(struct vm *vm, const struct pattern *pattern, value source, struct template *out)
{
    struct reading r = {.vm = vm, .pattern = pattern, .bytes = !is_str(source), .out = out};
    *out = (struct template){0};
    if (!text_get(source, &r.source))
        return vm_raise(vm, "TypeError", "decoding to str: need a bytes-like object, %s found",
                        type_name(source));
    if (is_str(source) != is_str(pattern->source))
        return vm_raise(vm, "TypeError", "sequence item 0: expected %s, %s found",
                        is_str(source) ? "a bytes-like object" : "str instance", type_name(source));
    for (const char *p = r.source.at, *end = p + r.source.len; p < end;) {
        if (*p != '\\') {
            buf_char(&out->text, *p++);
            continue;
        }
        size_t used = read_escape(&r, p + 1, end);
        if (!used) {
            template_free(out);
            return false;
        }
        p += 1 + used;
    }
    return true;
}

void template_put(const struct template *t, struct text subject, size_t (*span)[2], struct buf *out)
{
    size_t at = 0;
    for (uint32_t i = 0; i < t->parts.len; i++) {
        const struct template_part part = t->parts.at[i];
        buf_add(out, t->text.at + at, part.text_end - at);
        at = part.text_end;
        if (span[part.group][0] != SIZE_MAX)
            buf_add(out, subject.at + span[part.group][0],
                    span[part.group][1] - span[part.group][0]);
    }
    buf_add(out, t->text.at + at, t->text.len - at);
}

void template_free(struct template *t)
{
    buf_free(&t->text);
    vec_free(&t->parts);
}
