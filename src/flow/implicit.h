// SPDX-License-Identifier: MIT
/* implicit.h: names of Python's library that Snakemake's own namespace happens to hold (os, sys,
 * re, Path, ...), so that Snakefiles use them without an import. */
#pragma once

#include "python/value.h"

struct workflow;
struct node;

/* Makes those that a tree uses known before it runs. */
void implicit_names_used(struct workflow *w, const struct node *tree);
/* One of them; NO_VALUE and nothing raised if it is none. */
value implicit_name(struct workflow *w, const char *name);
