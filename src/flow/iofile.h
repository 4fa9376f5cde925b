// SPDX-License-Identifier: MIT
/* iofile.h: a path that a rule or a finished checkpoint shows: a str with a dict of flags
 * (flags.h), that can also be opened, and asked for its wildcards. */
#pragma once

#include "python/value.h"

extern const struct type type_iofile; /* derived from AnnotatedString */
value iofile_new(struct vm *vm, sym_t path, value flags);
/* Whether a file is there, as a bool: in its storage if it lives in one. NO_VALUE: raised, nobody
 * knows. */
value iofile_is_there(struct vm *vm, const char *path);
/* The size of a file, in its storage if it lives in one. False: raised. */
bool iofile_bytes(struct vm *vm, const char *path, int64_t *out);
