// SPDX-License-Identifier: MIT
/* buf.h: text being put together; always NUL-terminated once anything was added. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
    char *at; /* owned */
    size_t len, cap;
};

/* Adds bytes, a text without its NUL, one character. Running out of memory ends the program. */
void buf_add(struct buf *buf, const void *bytes, size_t len);
void buf_str(struct buf *buf, const char *text);
void buf_char(struct buf *buf, char c);
/* A number in decimal digits. */
void buf_int(struct buf *buf, int64_t number);
/* What a format makes, as printf. */
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args);
/* Adds the lines of text, each behind the margin and with an end of line. */
void buf_indented(struct buf *buf, const char *margin, const char *text);
/* Adds text in single quotes for a POSIX shell, only where quotes are needed (as shlex.quote). */
void buf_shell_quote(struct buf *buf, const char *text, size_t len);
/* Adds text as the inside of a JSON string, without the quotes. */
void buf_json(struct buf *buf, const char *text, size_t len);
/* Adds bytes in base64; url_safe: with - and _ for + and /. */
void buf_base64(struct buf *buf, const void *bytes, size_t len, bool url_safe);
/* Room for more bytes behind len; returns where they go. */
char *buf_room(struct buf *buf, size_t more);
/* Empties, keeps the memory. */
void buf_reset(struct buf *buf);
/* Empties and gives the memory back; the buffer may be used again. */
void buf_free(struct buf *buf);
/* The text, "" if nothing was added; borrowed until the next change. */
const char *buf_text(const struct buf *buf);
/* Hands the text over to the caller (to be free()d) and leaves an empty buffer. */
char *buf_take(struct buf *buf);
