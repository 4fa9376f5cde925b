// SPDX-License-Identifier: MIT
/* bytes_shape.h: methods of bytes that ask what bytes look like or bring them into another
 * shape. */
#pragma once

#include "python/native.h"

/* Rows of the table of methods, up to one without a name. */
extern const struct native_def bytes_shape_methods[];
