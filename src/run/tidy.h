// SPDX-License-Identifier: MIT
/* tidy.h: what a run leaves behind that nobody wants. */
#pragma once

#include "graph/graph.h"

/* Before a run: removes what processes of this machine that were killed have left half written in
 * .snakemake. */
void tidy_parts(const char *workdir);

/* After a run: removes the directories of temporary files and of files that were not made, as far
 * as they are empty, and those above them. */
void tidy_directories(const struct graph *g);
