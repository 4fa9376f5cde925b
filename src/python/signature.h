// SPDX-License-Identifier: MIT
/* signature.h: the parameters of a native, as its row says them in brief (native.h). */
#pragma once

#include "python/vm.h"

struct signature {
    uint16_t n; /* parameters, * and ** ones included */
    uint16_t npositional, nrequired, nposonly;
    int16_t star, dstar; /* their slots, -1: none */
    bool optional_end;   /* whatever is not required may be missing, and nothing takes more */
    struct param_info param[];
};
/* The parsed signature of a native, cached by the address of its def. */
const struct signature *signature_of(struct vm *vm, const struct native_def *def);
