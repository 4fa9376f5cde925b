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
/* Refuses one that is no text, or whose name no path can have in <>. False: raised. */
bool pathvar_check(struct workflow *w, const char *name, value text, struct span span);
/* The same for a dict of them, and for those that refer to themselves. */
bool pathvars_check(struct workflow *w, value vars, struct span span);
/* The same for those of a config, if it has any. */
bool pathvars_check_config(struct workflow *w, value config, struct span span);
