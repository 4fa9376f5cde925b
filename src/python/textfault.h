// SPDX-License-Identifier: MIT
/* textfault.h: where in a text lies what the yaml or json module cannot read. */
#pragma once

#include "base/source.h"
#include "python/value.h"

struct text_fault {
    struct span at, context_at;    /* {0}: not known */
    const char *problem, *context; /* borrowed from the error; context may be NULL */
};
/* What such an error tells of the source that was being read. */
struct text_fault text_fault(struct vm *vm, const struct sources *sources, int source, value error);
