// SPDX-License-Identifier: MIT
/* api.h: the names that Snakefiles use without importing them, and the native modules of
 * snakemake. */
#pragma once

#include <stdbool.h>

#include "python/value.h"

struct workflow;
struct node;

/* Fills the builtins of the workflow's vm. False: raised. */
bool api_fill(struct workflow *w);
/* Makes the names of Python's library that a tree uses without an import (os, Path, ...) known
 * before it runs. */
void api_names_used(struct workflow *w, const struct node *tree);
/* One such name; NO_VALUE and nothing raised if it is none. */
value api_name(struct workflow *w, const char *name);
