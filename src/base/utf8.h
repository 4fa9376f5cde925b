// SPDX-License-Identifier: MIT
/* utf8.h: code points in UTF-8 text. Bytes that are no valid UTF-8 are kept as Python keeps them
 * (surrogateescape): 0xDC80 + byte, encoded in three bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the code point at *at and moves *at behind it; U+FFFD and one byte for an invalid sequence. */
uint32_t utf8_next(const char **at, const char *end);
/* Writes cp in 1 to 4 bytes to out; the number of bytes. */
int utf8_put(char *out, uint32_t cp);
/* Code points in text. */
size_t utf8_count(const char *text, size_t len);
/* Byte offset of code point number index (clamped to len). */
size_t utf8_offset(const char *text, size_t len, size_t index);
bool utf8_valid(const char *text, size_t len);
/* Character classes of Python's str methods, for any code point (full tables where C's towlower and
 * friends under C.UTF-8 serve). */
bool utf8_is_space(uint32_t cp);
bool utf8_is_alpha(uint32_t cp);
bool utf8_is_digit(uint32_t cp);
bool utf8_is_printable(uint32_t cp);
bool utf8_is_ident_start(uint32_t cp);
bool utf8_is_ident(uint32_t cp);
uint32_t utf8_lower(uint32_t cp);
uint32_t utf8_upper(uint32_t cp);
