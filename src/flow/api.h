// SPDX-License-Identifier: MIT
/* api.h: the names that Snakefiles use without importing them, and the native modules of
 * snakemake. */
#pragma once

#include <stdbool.h>

struct workflow;

/* Fills the builtins of the workflow's vm. False: raised. */
bool api_fill(struct workflow *w);
