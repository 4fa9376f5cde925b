// SPDX-License-Identifier: MIT
/* globwild.h: glob_wildcards(): values of wildcards read off the names of files. */
#pragma once

#include "python/native.h"

/* glob_wildcards(pattern, files=None, followlinks=False). */
value globwild_native(struct vm *vm, const struct args *args);
