// SPDX-License-Identifier: MIT
/* match.h: private to the graph layer: the job of a rule that makes a path. */
#pragma once

#include "graph/graph.h"
#include "graph/index.h"

/* Room for the wildcard values of any rule, twice. */
struct match_room {
    sym_t *values, *best;
};

/* The job of one rule that makes path by one of hits[0..n), all of that rule; 0 if none matches
 * after all. One that is known to make it is taken, whatever other values would fit; else, the
 * values that the consumer (0: none) has. Of several products that match, the one with the shortest
 * wildcard values counts. */
job_id match_rule(struct graph *g, const struct match_room *room, const struct index_hit *hits,
                  uint32_t n, sym_t path, job_id consumer);
