// SPDX-License-Identifier: MIT
/* batch.h: --batch RULE=I/N: the I-th of N parts of the inputs of a rule's jobs, sorted. All parts
 * but the last leave the rule itself and what depends on it out; the last runs it, over all
 * inputs, of which those of other parts must be there. */
#pragma once

#include "graph/graph.h"

/* Whether a batch is being made and the inputs of this job are to be split. */
bool batch_concerns(const struct graph *g, job_id job);
/* Cuts the inputs to the part; in the last part the others stay, as files nobody makes. False after
 * a diagnostic. */
bool batch_inputs(struct graph *g, job_id job, struct job_files *files);
/* The rule to be left out once the graph is built; 0: none, or this is the last part. */
rule_id batch_omitted(const struct graph *g);
