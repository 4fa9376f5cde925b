// SPDX-License-Identifier: MIT
/* rulebuild.h: from what was written (ruleinfo.h) to a rule of the workflow. */
#pragma once

#include "flow/ruleinfo.h"

struct workflow;

/* NEW: the name must be free. REPLACE: a rule of that name gives way. HIDDEN: not part of the
 * workflow (a module's rule that nobody imported), only rules.NAME knows it. */
enum rule_mode { RULE_NEW, RULE_REPLACE, RULE_HIDDEN };

/* Makes a rule from what was written, under that name; known_as is what its own Snakefile calls it.
 * NULL: raised. */
struct rule *rule_build(struct workflow *w, const struct ruleinfo *info, struct scope *scope,
                        sym_t name, sym_t known_as, enum rule_mode mode);
/* A copy in which directives may be replaced; its keep list is its own. */
struct ruleinfo *ruleinfo_copy(struct workflow *w, const struct ruleinfo *info);
/* Frees what a rule owns outside the arena. */
void rule_free(struct rule *rule);
