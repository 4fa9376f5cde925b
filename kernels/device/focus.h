/* SPDX-License-Identifier: MIT
 *
 * focus.h: what the focus primitives of device.h share with the algorithm above them. */
#pragma once

#include "kintsugi.h"

enum { FOCUS_PLANES = 512 }; /* most planes of a stack */

/* The planes of a stack that are looked at, in rising order of their number (from 0). */
struct focus_planes {
    int count;
    int number[FOCUS_PLANES];
};

/* Rows of all these planes, in device memory. */
struct focus_stack {
    const uint16_t *pixels; /* of the first plane: (rows, width) */
    size_t plane;           /* pixels from there to the next plane's */
    int width;
    const struct focus_planes *planes;
};

/* A map of plane numbers at one value for every bin x bin pixels; between the bins' middles it is
 * interpolated, or not (bin 1). Row 0 belongs to the pixel rows from y0 on. */
struct focus_map {
    const float *z; /* (dims.y, dims.x) */
    struct kin_dims dims;
    int bin, y0;
};
