// SPDX-License-Identifier: MIT
/* prelude.h: helpers of Snakefiles, and of this layer, that are written in Python: texts/NAME.py,
 * each run when the first function of it is asked for. */
#pragma once

#include "python/value.h"

struct workflow;

/* A helper of texts/prelude.py, which is run when the first is asked for. NO_VALUE: raised. */
value prelude_get(struct workflow *w, const char *name);
/* A function of texts/caption.py, in the same way. */
value caption_get(struct workflow *w, const char *name);
/* The same of texts/notebook.py. */
value notebook_get(struct workflow *w, const char *name);
/* And of texts/parts.py. */
value scriptparts_get(struct workflow *w, const char *name);
/* A class or function of texts/settings.py. */
value settings_get(struct workflow *w, const char *name);
/* Puts stand-ins for all of the prelude's functions into a dict: each fetches its helper when it is
 * called. */
bool prelude_fill(struct workflow *w, value into);
