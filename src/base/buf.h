// SPDX-License-Identifier: MIT
/* buf.h: text being put together; always NUL-terminated once anything was added. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
    char *at; /* owned */
    size_t len, cap;
};

/* Room for more bytes behind len; returns where they go. */
char *buf_room(struct buf *buf, size_t more);

/* Add bytes, a text without its NUL, one character. Running out of memory ends the program. They
 * stand here so that a literal is copied as a whole word. */
static inline void buf_add(struct buf *buf, const void *bytes, size_t len)
{
    char *at = len < buf->cap - buf->len ? buf->at + buf->len : buf_room(buf, len);
    if (len)
        memcpy(at, bytes, len);
    at[len] = '\0';
    buf->len += len;
}
static inline void buf_str(struct buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}
static inline void buf_char(struct buf *buf, char c)
{
    buf_add(buf, &c, 1);
}
/* n copies of what is size bytes long. */
void buf_repeat(struct buf *buf, const void *unit, size_t size, size_t n);
/* A number in decimal digits. */
void buf_int(struct buf *buf, int64_t number);
/* The same at the end of digits, NUL-terminated; returns where it begins. */
enum { NUMBER_ROOM = 24 };
const char *number_text(int64_t number, char digits[NUMBER_ROOM]);
/* What a format makes, as printf. */
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args);
/* Adds the lines of text, each behind the margin and with an end of line. */
void buf_indented(struct buf *buf, const char *margin, const char *text);
/* Adds text as a word of a POSIX shell, in single quotes where it needs them (as shlex.quote); the
 * second: up to its NUL. */
void buf_shell_quote(struct buf *buf, const char *text, size_t len);
static inline void buf_shell_word(struct buf *buf, const char *text)
{
    buf_shell_quote(buf, text, strlen(text));
}
/* Adds text as the inside of a JSON string, without the quotes. */
void buf_json(struct buf *buf, const char *text, size_t len);
/* Adds a whole text as a JSON string, with them. */
static inline void buf_json_text(struct buf *buf, const char *text)
{
    buf_char(buf, '"');
    buf_json(buf, text, strlen(text));
    buf_char(buf, '"');
}
/* Adds bytes in base64; url_safe: with - and _ for + and /. */
void buf_base64(struct buf *buf, const void *bytes, size_t len, bool url_safe);
/* Empties, keeps the memory. */
void buf_reset(struct buf *buf);
/* Empties and gives the memory back; the buffer may be used again. */
void buf_free(struct buf *buf);
/* The text, "" if nothing was added; borrowed until the next change. */
const char *buf_text(const struct buf *buf);
/* Hands the text over to the caller (to be free()d) and leaves an empty buffer. */
char *buf_take(struct buf *buf);
