// SPDX-License-Identifier: MIT
/* validate.h: JSON Schema, draft 2020-12 as workflows use it, on Python values. */
#pragma once

#include <stdbool.h>

#include "python/value.h"

struct workflow;

/* Checks v against a schema (a dict or a bool); with defaults, properties that are missing are
 * inserted as the schema says. dir: where files named by $ref lie. False: raised (ValidationError:
 * what is wrong, and where in v). */
bool validate_value(struct workflow *w, value v, value schema, const char *dir, bool defaults);
