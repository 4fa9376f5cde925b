// SPDX-License-Identifier: MIT
/* helpers.h: the small functions of Snakefiles that are neither flags nor expansions. */
#pragma once

#include "python/native.h"

struct workflow;

/* Those written in C, for the namespace; ends with {0}. */
extern const struct native_def helper_functions[];
/* The names of the wildcards of a str, a set. */
value wildcard_names_in(struct vm *vm, value text);
/* A helper of texts/prelude.py, which is run when the first is asked for. NO_VALUE: raised. */
value prelude_get(struct workflow *w, const char *name);
/* A function of texts/caption.py, in the same way. */
value caption_get(struct workflow *w, const char *name);
/* The same of texts/notebook.py. */
value notebook_get(struct workflow *w, const char *name);
/* A class or function of texts/settings.py. */
value settings_get(struct workflow *w, const char *name);
/* Puts stand-ins for all of the prelude's functions into a dict: each fetches its helper when it is
 * called. */
bool prelude_fill(struct workflow *w, value into);
