// SPDX-License-Identifier: MIT
/* inside.h: outputs that lie below another job's output, be that a directory or a file. */
#pragma once

#include "graph/graph.h"

/* Refuses them: false after a diagnostic. As in Snakemake only the first output below another
 * counts, by the order of paths: a job that lists what is in its directory lets others add to
 * it. */
bool inside_check(struct graph *g);
