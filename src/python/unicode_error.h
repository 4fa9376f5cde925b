// SPDX-License-Identifier: MIT
/* unicode_error.h: the exceptions that say which part of a text or of bytes has no counterpart. */
#pragma once

#include "python/value.h"

/* A complaint about a part of some text or bytes, borrowed: what the codec is called, and why that
 * part is not in it. */
struct codec_fault {
    const char *codec, *why;
    const char *of;
    size_t len;
};
/* Raises a UnicodeEncodeError about the code points, or a UnicodeDecodeError about the bytes, from
 * start to before end; always NO_VALUE. */
value raise_encode_error(struct vm *vm, struct codec_fault fault, size_t start, size_t end);
value raise_decode_error(struct vm *vm, struct codec_fault fault, size_t start, size_t end);
/* Gives a UnicodeError its attributes from its args; false: raised TypeError. */
bool unicode_error_fill(struct vm *vm, value exception);
/* What its attributes say; NO_VALUE: its str is that of any exception, or raised. */
value unicode_error_str(struct vm *vm, value exception);
