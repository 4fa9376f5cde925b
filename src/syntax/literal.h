// SPDX-License-Identifier: MIT
/* literal.h: the values that literals in a source stand for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/diag.h"

/* Appends the value of a literal's inside (between the quotes) to out: escapes resolved unless
 * flags (enum literal_flags) say raw, unknown escapes kept with their backslash, newlines as \n.
 * at: the position of text, for complaints. False when an escape is malformed. */
bool literal_text(struct diags *dx, struct buf *out, const char *text, size_t len, uint32_t at,
                  unsigned flags);

/* Appends the digits in base 10 of an integer literal (0x, 0o, 0b, underscores) to out; *num gets
 * the value when it has up to 18 digits, and *small says so. False: too long for the conversion. */
bool literal_int(struct buf *out, const char *text, size_t len, int64_t *num, bool *small);

/* The value of a float literal with underscores; an imaginary one without its j. */
double literal_float(const char *text, size_t len);
