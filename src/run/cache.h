// SPDX-License-Identifier: MIT
/* cache.h: results shared between workflows (--cache), in the directory that SNAKEMAKE_OUTPUT_CACHE
 * names. A result is found by a key over the rule's code, its params and the contents of its
 * inputs; its outputs stand there as KEY-0, KEY-1, ... */
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
