// SPDX-License-Identifier: MIT
/* choices.h: the options of `run` whose values are certain words. */
#pragma once

#include "cli/options.h"

/* Whether all of them were given words that they know; false after a diagnostic that names those. */
bool choices_check(const struct options *options, struct diags *dx);
