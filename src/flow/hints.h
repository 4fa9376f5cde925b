// SPDX-License-Identifier: MIT
/* hints.h: what a workflow knows of an error that Python raised; two of workflow_hooks. */
#pragma once

#include "base/diag.h"
#include "python/vm.h"

/* Where the config comes from, if the dict is part of it. */
void hint_lacking(struct vm *vm, void *user, value dict);
/* How a name that is not known where a Snakefile is read may have been meant. */
void hint_name(struct vm *vm, void *user, const char *name, struct span span);
