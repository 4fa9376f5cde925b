// SPDX-License-Identifier: MIT
/* call.h: getting arguments to parameters. */
#pragma once

#include "python/signature.h"
#include "python/vm_state.h"

enum called { CALLED_RAISED, CALLED_DONE, CALLED_FRAME };
/* Begins the call that lies on the stack from base on: callee, n arguments, of which the last ones
 * have the names in the tuple kwnames (or NO_VALUE). vm->sp stands behind them. DONE: the result is
 * at base and vm->sp behind it; FRAME: a frame is ready to run. */
enum called call_begin(struct vm *vm, value *base, uint32_t n, value kwnames);
/* The same to its end. */
value call_finish(struct vm *vm, value *base, uint32_t n, value kwnames);
/* callee(*list, **dict): as call_begin, with callee, list and dict (or None) at base. */
enum called call_spread(struct vm *vm, value *base);
/* Puts a frame for a module or class body on top; names: dict or NO_VALUE. */
bool enter_code(struct vm *vm, const struct code *code, struct dict *globals, value names,
                struct function *function);
