// SPDX-License-Identifier: MIT
/* tidy.h: what a run leaves behind that nobody wants. */
#pragma once

#include "graph/graph.h"

/* After a run: removes the directories of temporary files and of files that were not made, as far
 * as they are empty, and those above them. */
void tidy_directories(const struct graph *g);
