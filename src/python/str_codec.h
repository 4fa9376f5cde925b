// SPDX-License-Identifier: MIT
/* str_codec.h: encodings beside utf-8, latin-1 and ascii (bytes.h), which the C library's iconv
 * knows. */
#pragma once

#include "python/bytes.h"
#include "python/unicode_error.h"

/* By a name in small letters and digits, as "utf16le", "cp1252"; ENCODING_NONE: unknown here. */
enum encoding codec_find(const char *plain);
const char *codec_name(enum encoding encoding);
/* encode_text and decode_bytes for them; errors is not NULL. */
bool codec_encode(struct vm *vm, const char *text, size_t len, enum encoding encoding,
                  const char *errors, struct buf *out);
bool codec_decode(struct vm *vm, const char *bytes, size_t len, enum encoding encoding,
                  const char *errors, struct buf *out);

/* unicode_escape, both ways. */
void escape_text(const char *text, size_t len, struct buf *out);
bool unescape_bytes(struct vm *vm, const char *bytes, size_t len, const char *errors,
                    struct buf *out);

/* What stands for a code point that an encoding lacks, the first of a run of such; false:
 * raised. */
bool encode_lacking(struct vm *vm, uint32_t cp, size_t at, size_t run, struct codec_fault fault,
                    const char *errors, struct buf *out);
/* What stands for n bytes that are no text, from the byte at on. */
bool decode_lacking(struct vm *vm, struct codec_fault fault, size_t at, size_t n,
                    const char *errors, struct buf *out);
