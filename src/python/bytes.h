// SPDX-License-Identifier: MIT
/* bytes.h: what other files need of bytes: text to bytes and back in the few encodings there
 * are. */
#pragma once

#include "base/buf.h"
#include "python/value.h"

/* The bytes of a bytes, bytearray or memoryview object, NULL for anything else and a released
 * memoryview; borrowed. */
const char *bytes_get(value v, size_t *len);
const char *memoryview_get(value v, size_t *len); /* of a memoryview alone */
/* Raises what bytes_get left to be said of v: that it has no bytes, or none any more. Always
 * NO_VALUE. */
value raise_no_bytes(struct vm *vm, value v);
/* The bytes of a bytearray, or of a memoryview on one, to be set; NULL: raised TypeError. */
char *bytes_writable(struct vm *vm, value v, size_t *len);
const char *bytearray_get(value v, size_t *len); /* of a bytearray alone */
/* The bytes of what was put together; frees it. */
value bytes_take(struct vm *vm, struct buf *bytes);
/* What its __bytes__() gives; NO_VALUE: it has none, or that raised. */
value bytes_asked(struct vm *vm, value v);
/* bytes(v) for bytes, what has __bytes__ and iterables of ints; raises TypeError. */
value bytes_of(struct vm *vm, value v);

/* utf-8, latin-1, ascii, under their many names; utf-8-sig too; from ENCODING_OTHERS on those of
 * str_codec.c. */
enum encoding {
    ENCODING_NONE,
    ENCODING_UTF8,
    ENCODING_UTF8_SIG,
    ENCODING_LATIN1,
    ENCODING_ASCII,
    ENCODING_OTHERS
};
/* As Python calls it. */
const char *encoding_name(enum encoding encoding);
/* Whether a text begins with a byte order mark, and the encoding of what comes behind that. */
bool encoding_has_mark(enum encoding encoding);
enum encoding encoding_without_mark(enum encoding encoding);
/* Whether a character is a byte, some bytes of UTF-8, or something else. */
enum encoding_width { WIDTH_BYTE, WIDTH_UTF8, WIDTH_OTHER };
enum encoding_width encoding_width(enum encoding encoding);
/* ENCODING_NONE: raised LookupError. */
enum encoding encoding_find(struct vm *vm, const char *name);
/* Appends text (UTF-8) in an encoding; errors: strict, ignore, replace, backslashreplace,
 * xmlcharrefreplace, surrogateescape; NULL: strict. False: raised UnicodeEncodeError. */
bool encode_text(struct vm *vm, const char *text, size_t len, enum encoding encoding,
                 const char *errors, struct buf *out);
/* Appends as UTF-8 what bytes spell. False: raised UnicodeDecodeError. */
bool decode_bytes(struct vm *vm, const char *bytes, size_t len, enum encoding encoding,
                  const char *errors, struct buf *out);
