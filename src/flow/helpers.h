// SPDX-License-Identifier: MIT
/* helpers.h: the small functions of Snakefiles that are neither flags nor expansions nor in the
 * prelude. */
#pragma once

#include "python/native.h"

/* Those written in C, for the namespace; ends with {0}. */
extern const struct native_def helper_functions[];
