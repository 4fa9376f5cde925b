// SPDX-License-Identifier: MIT
/* inside.h: outputs that lie inside another job's output directory. */
#pragma once

#include "graph/graph.h"

/* Refuses them: false after a diagnostic. As in Snakemake only the first output in a directory
 * counts, by the order of paths: a job that lists what is in its directory lets others add to
 * it. */
bool inside_check(struct graph *g);
