// SPDX-License-Identifier: MIT
/* items.h: from the arguments of input, output, log, benchmark and params to the items of a
 * rule. */
#pragma once

#include "flow/ruleinfo.h"

struct workflow;

/* Fills out with the items that a directive gave: lists flattened, paths parsed, names noted.
 * Products (output, log, benchmark) determine the rule's wildcards, so they go first. False:
 * raised. */
bool items_build(struct workflow *w, struct rule *rule, const struct ruleinfo *info,
                 enum directive_id what, struct items *out);
void items_free(struct items *items);

/* *out: the regular expression of a wildcard constraint, whatever value stands for it; NULL for
 * None. In the session's arena. False: raised. */
bool constraint_text(struct workflow *w, value v, const char **out);
