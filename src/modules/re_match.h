// SPDX-License-Identifier: MIT
/* re_match.h: what the files of re share: compiled patterns, their matches, and texts that are str
 * or bytes. Spans are kept in bytes and shown in code points; SIZE_MAX: the group took no part. */
#pragma once

#include "base/pool.h"
#include "base/regex.h"
#include "python/bytes.h"
#include "python/str.h"
#include "python/vm.h"

enum {
    RE_IGNORECASE = 2,
    RE_LOCALE = 4,
    RE_MULTILINE = 8,
    RE_DOTALL = 16,
    RE_UNICODE = 32,
    RE_VERBOSE = 64,
    RE_ASCII = 256
};

struct pattern {
    struct object object;
    struct regex *regex; /* owned */
    value source;        /* str or bytes */
    int64_t flags;
    int groups;
};
struct match {
    struct object object;
    value pattern, subject;
    size_t from, to; /* the part that was searched */
    int groups;      /* group 0 included */
    size_t span[][2];
};
extern const struct type type_pattern, type_match;

/* A match in the part from `from` to `to` of the subject; the spans of the pattern's groups are
 * copied. */
value match_new(struct vm *vm, const struct pattern *pattern, value subject, size_t from, size_t to,
                size_t (*span)[2]);
/* Appends a pattern in PCRE2's dialect; adds the flags that it sets itself. False: raised
 * re.error. */
bool re_translate(struct vm *vm, value source, int64_t *flags, struct buf *out);
/* A template of sub() or expand(): its text without the groups, and behind which bytes of it each
 * group goes. */
struct template_part {
    size_t text_end;
    int group;
};
struct template
{
    struct buf text;
    VEC(struct template_part) parts;
};
/* Reads a str or bytes; false: raised, nothing to free. */
bool template_read(struct vm *vm, const struct pattern *pattern, value source,
                   struct template *out);
/* Appends it with the groups of a match put in. */
void template_put(const struct template *t, struct text subject, size_t (*span)[2],
                  struct buf *out);
/* Frees what it owns. */
void template_free(struct template *t);
/* Raises re.error about a place (in characters) of a pattern or template. Returns NO_VALUE. */
value raise_re_error(struct vm *vm, const char *message, value source, size_t at);
/* A str or bytes, as the subject is, of what the buffer holds; empties it. */
value take_like(struct vm *vm, value subject, struct buf *out);

static inline struct pattern *as_pattern(value v)
{
    return (struct pattern *)as_object(v);
}

static inline struct match *as_match(value v)
{
    return (struct match *)as_object(v);
}

/* False: v is neither str nor bytes. */
static inline bool text_get(value v, struct text *out)
{
    if (is_str(v)) {
        *out = text_of(v);
        return true;
    }
    out->at = bytes_get(v, &out->len);
    return out->at;
}

static inline value part_of(struct vm *vm, value subject, size_t from, size_t to)
{
    struct text text;
    if (is_str(subject))
        return str_bytes_part(vm, subject, from, to);
    text_get(subject, &text);
    return bytes_new(vm, text.at + from, to - from);
}

/* The text of a group, otherwise where it took no part. */
static inline value group_value(struct vm *vm, value subject, const size_t span[2], value otherwise)
{
    return span[0] == SIZE_MAX ? otherwise : part_of(vm, subject, span[0], span[1]);
}
