// SPDX-License-Identifier: MIT
/* utf8.h: code points in UTF-8 text. Bytes that are no valid UTF-8 are kept as Python keeps them
 * (surrogateescape): 0xDC80 + byte, encoded in three bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the code point at *at (before end) and moves *at behind it; U+FFFD and one byte for an
 * invalid sequence. Lone surrogates in three bytes are decoded as they are. */
uint32_t utf8_next(const char **at, const char *end);
/* Writes cp in 1 to 4 bytes to out; the number of bytes. */
int utf8_put(char *out, uint32_t cp);
/* Code points in text. */
size_t utf8_count(const char *text, size_t len);
/* Byte offset of code point number index (clamped to len). */
size_t utf8_offset(const char *text, size_t len, size_t index);
/* Byte offset of the code point that stands n before the one at offset, in valid text. */
size_t utf8_back(const char *text, size_t offset, size_t n);
/* Strictly UTF-8, so without surrogates. */
bool utf8_valid(const char *text, size_t len);
/* Bytes of text before the first that is not strictly UTF-8; len if all of it is. */
size_t utf8_valid_len(const char *text, size_t len);
/* Bytes of the byte order mark that text begins with; 0: with none. */
size_t utf8_mark_len(const char *text, size_t len);
/* Character classes of Python's str methods, for any code point, whatever the C locale. */
bool utf8_is_space(uint32_t cp);
bool utf8_is_alpha(uint32_t cp);
bool utf8_is_digit(uint32_t cp);
bool utf8_is_printable(uint32_t cp);
bool utf8_is_ident_start(uint32_t cp);
bool utf8_is_ident(uint32_t cp);
bool utf8_is_decimal(uint32_t cp);
bool utf8_is_numeric(uint32_t cp);
bool utf8_is_upper(uint32_t cp);
bool utf8_is_lower(uint32_t cp);
bool utf8_is_title(uint32_t cp); /* title case letters such as U+01C5 */
/* 0 to 9 for a decimal digit of any script, else -1. */
int utf8_decimal(uint32_t cp);
/* Whether a text is a name as Python has them: "x_1", not "1x" or "". */
bool utf8_is_name(const char *text, size_t len);
/* Columns on a terminal: 0, 1 or 2. */
int utf8_width(uint32_t cp);
/* Those of a text. */
size_t utf8_columns(const char *text, size_t len);

/* As Python's str methods do it: up to three code points into out; their number. */
enum utf8_case { UTF8_LOWER, UTF8_UPPER, UTF8_TITLE, UTF8_CASEFOLD };
int utf8_to_case(uint32_t cp, enum utf8_case to, uint32_t out[3]);
