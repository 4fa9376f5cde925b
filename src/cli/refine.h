// SPDX-License-Identifier: MIT
/* refine.h: options that change what the rules say: --all-temp, --omit-flags,
 * --consider-ancient. */
#pragma once

#include "cli/session.h"

/* Applies them to the rules just read. False after a diagnostic. */
bool refine_rules(struct session *s);
/* Reads --batch RULE=I/N. False after a diagnostic. */
bool refine_batch(struct session *s, struct graph_options *options);
