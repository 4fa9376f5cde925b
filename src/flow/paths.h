// SPDX-License-Identifier: MIT
/* paths.h: what happens to a path as it was written before it becomes a pattern: the prefix of a
 * module, and pathvars ("<results>/x.txt"). */
#pragma once

#include "flow/ruleinfo.h"

struct workflow;

/* The path (a str) of a directive of that rule, in the session arena; NULL: raised. */
const char *place_path(struct workflow *w, const struct ruleinfo *info, enum directive_id what,
                       value path, struct span span);
/* Pathvars known before any statement: results, logs, ... stand for themselves. A dict. */
value pathvars_new(struct vm *vm);
/* Refuses pathvars that refer to themselves. False: raised. */
bool pathvars_check(struct workflow *w, value vars, struct span span);
