// SPDX-License-Identifier: MIT
/* sequence.h: what list and tuple share. */
#pragma once

#include "python/native.h"
#include "python/types.h"

/* "[1, 2]"; "[...]" for a container inside itself. */
value sequence_repr(struct vm *vm, value self, const char *open, const char *close);
/* a op b, item by item; NO_VALUE: raised. */
value sequence_compare(struct vm *vm, int op, value a, value b);
/* item in self. False: raised. */
bool sequence_contains(struct vm *vm, value self, value item, bool *out);
/* The methods index and count. */
value sequence_index(struct vm *vm, const struct args *args);
value sequence_count(struct vm *vm, const struct args *args);
/* How often count repeats a sequence; false: it is no int, or raised OverflowError. */
bool sequence_times(struct vm *vm, value count, int64_t *times);
/* For reprs of containers: false if v is being shown already further out. */
bool show_begin(struct vm *vm, value v);
/* The value of the last show_begin has been shown. */
void show_end(struct vm *vm);
