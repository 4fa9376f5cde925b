// SPDX-License-Identifier: MIT
/* protect.h: outputs that are not to be overwritten. */
#pragma once

#include "graph/graph.h"

/* Before anything runs: whether all that jobs must make may be written. False after a diagnostic. */
bool protect_check(struct graph *g);
