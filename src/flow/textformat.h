// SPDX-License-Identifier: MIT
/* textformat.h: how values stand in shell commands and messages: lists joined with blanks, each
 * item formatted; wildcards as a=1,b=2; the suffixes q (quote for the shell) and u (do not) of a
 * format spec. */
#pragma once

#include "python/format.h"

/* The emit function of struct format_rules. */
bool textformat_emit(struct vm *vm, void *user, value v, char conversion, const char *spec,
                     size_t len, struct buf *out);
