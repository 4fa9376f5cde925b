/* SPDX-License-Identifier: MIT
 *
 * fold.h: index i of an endless line folded back into 0..n-1. Most are there already, or near it,
 * which spares a division. */
#pragma once

#include "kintsugi.h"

/* The line repeats itself. */
KIN_INLINE int kin_wrap(int i, int n)
{
    return i >= 0 && i < n ? i : (i % n + n) % n;
}

/* The line is mirrored half a sample outside both ends. */
KIN_INLINE int kin_mirror(int i, int n)
{
    i = i < 0 ? -1 - i : i;
    i = i < 2 * n ? i : i % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
}
