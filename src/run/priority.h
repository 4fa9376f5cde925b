// SPDX-License-Identifier: MIT
/* priority.h: the priorities that rules state for their jobs. */
#pragma once

#include <stdbool.h>

struct graph;

/* Evaluates them for the jobs that run and have not got theirs yet. False after a diagnostic. */
bool priorities_set(struct graph *g);
