// SPDX-License-Identifier: MIT
/* keyword.h: the top-level keywords that are no blocks: include, configfile, workdir, localrules,
 * ... */
#pragma once

#include "python/vm.h"

/* The keyword hook of vm.h; user is the workflow. */
bool keyword_run(struct vm *vm, void *user, const struct node *statement,
                 const struct directive_args *args);
/* The hook statements onstart, onsuccess, onerror. */
bool keyword_hook(struct vm *vm, void *user, const struct node *statement, value function);
