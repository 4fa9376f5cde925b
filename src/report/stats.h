// SPDX-License-Identifier: MIT
/* stats.h: the table of jobs per rule, and the list of reasons at the end of a dry run. */
#pragma once

#include "base/buf.h"
#include "graph/ready.h"

/* "Job stats:\njob  count\n---  -----\n..." of the jobs of a walk (ready_walk), with the total;
 * ends with an empty line. Rules stand in the order of their first level in the graph, by name
 * within a level. */
void stats_text(const struct ready *order, struct buf *out);

/* "Reasons:\n    (check individual jobs above for details)\n    ..." */
void reasons_text(const struct graph *g, struct buf *out);

/* Names of rules that run because of what the store knows (code, params, inputs, software),
 * comma-separated; "" if none. */
void provenance_rules_text(const struct graph *g, struct buf *out);
/* The same of rules with jobs that need not run as far as one can tell: the store does not know
 * how their outputs were made. Their number. */
uint32_t unrecorded_text(const struct graph *g, struct buf *out);
