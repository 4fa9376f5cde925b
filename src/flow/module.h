// SPDX-License-Identifier: MIT
/* module.h: `module NAME:` and `use rule ...`: rules of other Snakefiles, in namespaces of their
 * own, and rules made from other rules. */
#pragma once

#include "flow/ruleinfo.h"

struct workflow;

/* Notes a module statement; its Snakefile is read when rules are used from it. False: raised. */
bool module_declare(struct workflow *w, struct ruleinfo *info);
/* Executes a use rule statement. False: raised. */
bool module_use_rules(struct workflow *w, struct ruleinfo *info);
/* Defines a rule of the current Snakefile, under the name by which its scope's importer wants it.
 * False: raised. */
bool module_rule(struct workflow *w, struct ruleinfo *info, sym_t name);
/* The name in the workflow of what this scope's Snakefile calls name; 0: not imported. */
sym_t module_rule_name(struct workflow *w, const struct scope *scope, sym_t name);
