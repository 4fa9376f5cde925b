// SPDX-License-Identifier: MIT
#include "modules/modules.h"

#define X(name) &name,
const struct native_module *const native_modules[] = {NATIVE_MODULES(X) NULL};
#undef X
