// SPDX-License-Identifier: MIT
/* builder.h: rules, modules and `use rule` statements as they are executed: what the evaluator
 * calls at their beginning, for each directive, and at their end. */
#pragma once

#include "flow/ruleinfo.h"

struct workflow;

/* The hooks of vm.h; user is the workflow. */
value builder_begin(struct vm *vm, void *user, const struct node *statement);
bool builder_directive(struct vm *vm, void *user, value builder, const struct node *directive,
                       const struct directive_args *args, value body);
bool builder_end(struct vm *vm, void *user, value builder);
