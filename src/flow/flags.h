// SPDX-License-Identifier: MIT
/* flags.h: temp(), protected(), directory(), ancient(), unpack() ...: marks on paths and on input
 * functions. A flagged path is a str that carries a dict beside it; a flagged function is an object
 * around the function. */
#pragma once

#include "flow/rule.h"
#include "python/native.h"

/* A callable with flags: calls go through to .callable. */
struct flagged {
    struct object object;
    value callable;
    value flags; /* dict */
};
extern const struct type type_flagged;

/* v with a flag: a str or Path becomes a flagged str, a callable a flagged one, any other iterable
 * a list of its flagged items. NO_VALUE: raised. */
value flag_value(struct vm *vm, value v, const char *key, value setting);
/* The setting of a flag, or NO_VALUE (nothing raised). */
value flag_find(struct vm *vm, value v, const char *key);
/* The dict of flags of a str or callable, or NO_VALUE. */
value flags_of(struct vm *vm, value v);
/* The function inside a flagged one, or v itself. */
value unflagged(value v);
/* The enum file_flag bit of a flag's name; 0 if there is none. */
uint16_t flag_bit(const char *key);
/* The enum file_flag bits of a dict of flags (NO_VALUE: 0). */
uint16_t flags_mask(struct vm *vm, value flags);
/* Warns about flags on the wrong side: outputs only, inputs only. */
void flags_check_side(struct vm *vm, value flags, bool output, const char *rule, struct span span);

/* The flag functions, for the namespace of Snakefiles; ends with {0}. */
extern const struct native_def flag_functions[];
/* The functions of `access`. */
extern const struct native_def access_functions[];
