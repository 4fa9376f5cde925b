// SPDX-License-Identifier: MIT
/* str_methods.h: the methods of str, by file; type_str.c makes one table of them. */
#pragma once

#include "python/native.h"

/* The range that optional arguments i and i + 1 cut out of n items, as slices do. */
bool arg_range(struct vm *vm, const struct args *args, int i, size_t n, size_t *from, size_t *to);

extern const struct native_def str_case_methods[];    /* str_case.c: lower, isalpha, ... */
extern const struct native_def str_split_methods[];   /* str_split.c: split, join, strip, ... */
extern const struct native_def str_search_methods[];  /* str_search.c: find, replace, ... */
extern const struct native_def str_flagged_methods[]; /* what differs on a str with flags */
extern const struct native_def str_flagged_properties[];
