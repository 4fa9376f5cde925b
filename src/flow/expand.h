// SPDX-License-Identifier: MIT
/* expand.h: expand(), collect(), multiext(), glob_wildcards() and their kin. */
#pragma once

#include "python/native.h"

struct workflow;

/* expand(patterns, combinator, **values): combinator NO_VALUE: the product. A list, or a function
 * of the wildcards if some values are callables. NO_VALUE: raised. */
value expand_patterns(struct workflow *w, value patterns, value combinator, value values);

/* expand, collect, multiext, glob_wildcards, ... for the namespace of Snakefiles; ends with {0}. */
extern const struct native_def expand_functions[];
