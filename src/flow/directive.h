// SPDX-License-Identifier: MIT
/* directive.h: the table of directives: one row each says how many values it takes and what it does
 * to a rule. */
#pragma once

#include "flow/ruleinfo.h"

struct workflow;

enum arity { ONE, MANY, KEYWORDS, BODY, MODULE_ONE };

struct directive {
    const char *name;
    uint8_t arity; /* enum arity */
};

extern const struct directive directives[DIRECTIVE_COUNT];

/* Does to the rule what the directive says, if it was given. False: raised. */
bool directive_apply(struct workflow *w, struct rule *rule, const struct ruleinfo *info,
                     enum directive_id id);
/* The directive of that name, or -1. */
int directive_find(const char *name);
/* Refuses wrong numbers and kinds of arguments. */
bool directive_check(struct workflow *w, enum directive_id id, const struct given *given);
