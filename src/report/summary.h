// SPDX-License-Identifier: MIT
/* summary.h: --summary and --detailed-summary: one line an output file, tab-separated. */
#pragma once

#include "base/buf.h"
#include "graph/fresh.h"

/* From what fresh_decide has left, and the records of outputs. False: a params function raised,
 * which was told. */
bool summary_text(struct graph *g, const struct fresh_options *options, bool detailed,
                  struct buf *out);
