// SPDX-License-Identifier: MIT
/* The types of values that are no objects. */
#include "python/value.h"

const struct type *type_of_constant(value v)
{
    if (is_small(v))
        return &type_int;
    switch (v) {
    case VALUE_TRUE:
    case VALUE_FALSE: return &type_bool;
    case VALUE_ELLIPSIS: return &type_ellipsis;
    case VALUE_NOT_IMPLEMENTED: return &type_not_implemented;
    default: return &type_none;
    }
}
