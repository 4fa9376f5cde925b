// SPDX-License-Identifier: MIT
/* bytes_shape.h: methods of bytes that ask what bytes look like or bring them into another shape,
 * and how methods of bytes get at theirs. */
#pragma once

#include "python/native.h"
#include "python/str.h"

/* What bytes_get finds in v. */
struct text bytes_text(value v);
/* Argument i, which must have bytes; false: raised. */
bool bytes_arg(struct vm *vm, const struct args *args, int i, struct text *out);

/* Rows of the table of methods, up to one without a name. */
extern const struct native_def bytes_shape_methods[];
