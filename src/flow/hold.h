// SPDX-License-Identifier: MIT
/* hold.h: C code that is not called from Python but calls it, and holds values meanwhile,
 * forbids sweeping the heap for that time. Not around what may run long: nothing is given back
 * meanwhile. */
#pragma once

#include "python/vm_state.h"

static inline void hold_heap(struct vm *vm)
{
    vm->entries++;
}

static inline void release_heap(struct vm *vm)
{
    vm->entries--;
}
