// SPDX-License-Identifier: MIT
/* builtins.h: the parts that make up the dict of builtins, one table a file. */
#pragma once

#include "python/native.h"

extern const struct native_def builtins_iteration[]; /* builtins_iter.c: sorted, min, sum, ... */
extern const struct native_def builtins_objects[];   /* builtins.c: len, repr, getattr, ... */
extern const struct native_def builtins_code[];      /* builtins_code.c: eval, globals, ... */
extern const struct native_def builtins_file[];      /* type_file.c: open, input */
extern const struct type type_zip, type_map, type_filter, type_enumerate, type_reversed;

struct frame;
/* locals() of a frame. */
value frame_locals(struct vm *vm, const struct frame *frame);
/* isinstance() and issubclass(): class may be a tuple of classes; false: raised. */
bool value_isinstance(struct vm *vm, value v, value class, bool *out);
