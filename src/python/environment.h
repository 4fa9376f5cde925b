// SPDX-License-Identifier: MIT
/* environment.h: environment variables, and whether they or the current directory were changed, for
 * who must tell others. */
#pragma once

#include "python/value.h"

/* A number that changes with each change. */
unsigned environment_version(void);
/* To be called by who changed them. */
void environment_changed(void);
/* A new dict of all variables. */
value environment_dict(struct vm *vm);
