// SPDX-License-Identifier: MIT
/* bundle.h: lists of input files as edges, of one job or shared by many; items: the input items
 * that they come from. */
#pragma once

#include "graph/graph.h"

/* Adds an edge for each file; returns the first. */
uint32_t bundle_edges(struct graph *g, const struct job_files *files, const struct items *items);
/* The bundle of just these files, made if new. */
bundle_id bundle_of(struct graph *g, const struct job_files *files, const struct items *items);
