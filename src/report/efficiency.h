// SPDX-License-Identifier: MIT
/* efficiency.h: what the jobs of a run that a cluster has run made of what they asked for. */
#pragma once

#include "report/log.h"
#include "state/record.h"

/* Writes a CSV file, a line for each attempt, and logs the rules whose jobs have used less than
 * `threshold` (0 to 1) of the CPU time that they held; where no cluster ran a job, neither. What
 * hinders it is told, and is no fault of the run. */
void efficiency_report(struct state *state, struct diags *dx, struct log *log, const char *path,
                       double threshold);
