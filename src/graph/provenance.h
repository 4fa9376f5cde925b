// SPDX-License-Identifier: MIT
/* provenance.h: what the store remembers of the last execution of a
 * job's outputs, compared with what the job is now (triggers code, params, input, software). */
#pragma once

#include "graph/fresh.h"

struct provenance; /* the records of all outputs, read once */

/* NULL if there is no store. */
struct provenance *provenance_open(struct graph *g, const struct fresh_options *options);
void provenance_close(struct provenance *p);

/* The reasons (REASON_CODE, _PARAMS, _INPUT_SET, _SOFTWARE) by which a job differs from its record;
 * 0 if nothing does or if not all of its outputs are known. */
uint16_t provenance_compare(struct provenance *p, job_id id);
/* Whether an output of the job was left incomplete by a run that was killed. */
bool provenance_incomplete(const struct provenance *p, job_id job);
/* Whether an input that looks newer has the very content that the job last saw. */
bool provenance_same_content(struct provenance *p, job_id job, file_id input);
/* True after a params function raised: diagnostics are recorded. */
bool provenance_failed(const struct provenance *p);
