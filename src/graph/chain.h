// SPDX-License-Identifier: MIT
/* chain.h: how long the longest chain of jobs is that a job is part of. With jobs that take equally
 * long, those on the longest chain decide when the last one ends: the scheduler prefers them. */
#pragma once

#include "graph/graph.h"

/* By job: the number of jobs that must run and are not done on the longest chain through it, itself
 * included; 0 for others. In malloc memory, the caller's. */
uint32_t *graph_chains(const struct graph *g);
