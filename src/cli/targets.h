// SPDX-License-Identifier: MIT
/* targets.h: the words of the command line that name rules or files. */
#pragma once

#include "cli/session.h"

/* Enters the targets, those that -R, -P and -U name included, into the graph; without any, the
 * default target. */
bool targets_want(struct session *s);
/* Fills in what the options force, cut off and prefer. */
void targets_options(struct session *s);
/* Applies --prioritize to the graph, which has been cut. */
void targets_prefer(struct session *s);
/* Warns of what --omit-from names and nobody knows, where all jobs are known. */
void targets_warn(struct session *s);
/* The rules that an option names, 0-terminated in the session's arena; NULL if it was not given. */
const rule_id *targets_rules(struct session *s, enum option_id id);
