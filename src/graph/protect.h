// SPDX-License-Identifier: MIT
/* protect.h: outputs that are not to be overwritten. */
#pragma once

#include "graph/graph.h"
#include "state/record.h"

/* Whether an output is write-protected. One that a killed or failed run has left incomplete is not:
 * that run did it. state may be NULL. */
bool protect_forbids(struct state *state, sym_t output, const char *path);
/* Before anything runs: whether all that jobs must make may be written. False after a
 * diagnostic. */
bool protect_check(struct graph *g, struct state *state);
