// SPDX-License-Identifier: MIT
/* wildtext.h: the wildcards in a text, for Python. */
#pragma once

#include "python/native.h"

/* The names of the wildcards of a str, a set. */
value wildcard_names_in(struct vm *vm, value text);

/* For the namespace of Snakefiles; for that of the prelude (prelude.h). Both end with {0}. */
extern const struct native_def wildtext_functions[], wildtext_natives[];
