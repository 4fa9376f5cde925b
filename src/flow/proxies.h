// SPDX-License-Identifier: MIT
/* proxies.h: the objects `workflow`, `rules`, `checkpoints`, `scatter`, `gather`, `shell`, and the
 * bare `input`, `output`, `params`, `resources`, `threads` that stand for a job's values in
 * directives. */
#pragma once

#include "python/native.h"

struct workflow;
struct scope;

/* Adds rules, checkpoints, scatter and gather to a scope's globals. False: raised. */
bool proxies_fill(struct workflow *w, struct scope *scope);
/* The object `workflow`. */
value proxies_workflow(struct workflow *w);
/* The workflow that such an object stands for. */
struct workflow *proxies_unwrap(value v);
/* input, output, params, resources, threads for the builtins. */
bool proxies_items(struct workflow *w, value into);
/* For a bare `input`, `output`, ...: a function that gives all of it (make: else just some value);
 * NO_VALUE and nothing raised for anything else. */
value proxies_whole(struct vm *vm, value v, bool make);
