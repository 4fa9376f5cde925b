// SPDX-License-Identifier: MIT
/* str.h: what the files about str share. Positions are code points where Python sees them and bytes
 * inside; for ASCII text they are the same. */
#pragma once

#include "base/buf.h"
#include "python/value.h"

struct text {
    const char *at;
    size_t len; /* bytes */
};

static inline struct text text_of(value v)
{
    return (struct text){as_str(v)->text, as_str(v)->len};
}
static inline bool str_is_ascii(value v)
{
    return as_str(v)->len == as_str(v)->count;
}

/* A str with room for len bytes, to be filled in by the caller; count is its number of code
 * points. */
value str_room(struct vm *vm, size_t len, size_t count, char **at);
/* A str whose number of code points is known. */
value str_sized(struct vm *vm, const char *text, size_t len, size_t count);
/* a + b of two exact strs, for a local variable to hold: the very a, if it is such a sum and has
 * room; then a loop of additions takes time in proportion to the text. */
value str_grow(struct vm *vm, value a, value b);
/* The str of what was put together; frees it. */
value str_take(struct vm *vm, struct buf *text);
/* A str of one code point. */
value str_char(struct vm *vm, uint32_t cp);
/* Bytes [from, to) of a str, which begin and end at code points. */
value str_bytes_part(struct vm *vm, value str, size_t from, size_t to);
/* The strs of symbols that nobody else holds are to be swept (heap.c). */
void sym_strings_forget(struct vm *vm);
/* v as an exact, unflagged str. */
value str_plain(struct vm *vm, value v);
/* Whether all bytes are below 128. */
bool text_is_ascii(const char *text, size_t len);
/* Byte offset of a code point, and back. */
size_t str_offset(struct vm *vm, value str, size_t index);
size_t str_position(struct vm *vm, value str, size_t offset);
/* What is known of that is no longer true: strs are to be swept. */
void str_places_forget(struct vm *vm);

/* Appends the repr of text; ascii: with everything else escaped. */
void text_repr(const char *text, size_t len, bool ascii, struct buf *out);
/* Appends text with non-ASCII characters escaped as ascii() does. */
void text_escape(const char *text, size_t len, struct buf *out);

/* The first needle in hay at or behind from, the last one before the end; SIZE_MAX if none. */
size_t text_find(struct text hay, struct text needle, size_t from);
size_t text_find_last(struct text hay, struct text needle);
