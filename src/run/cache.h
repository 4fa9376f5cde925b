// SPDX-License-Identifier: MIT
/* cache.h: results shared between workflows (--cache), in the directory that SNAKEMAKE_OUTPUT_CACHE
 * names. A result is found by Snakemake's key: over the code and params of its job and of all that
 * lead to it, and the contents of the source files. Both find each other's results. */
#pragma once

#include "run/task.h"

/* Whether the rule's results are shared: it says so, or rules (0-terminated) name it. */
bool cache_concerns(const struct rule *rule, const rule_id *rules);
/* Checks that the rule can be shared. False after a diagnostic. */
bool cache_check(struct workflow *workflow, const struct rule *rule);
/* Brings the outputs from there; false if they are not there. */
bool cache_restore(const struct task_context *context, struct task *task);
/* Puts them there. False: task->why. */
bool cache_store(const struct task_context *context, struct task *task);
