/* SPDX-License-Identifier: MIT
 *
 * mosaic.h: plain data shared by the mosaic primitives of device.h and by stitch.h. */
#pragma once

#include "kintsugi.h"

struct strip { /* a rectangle of a tile */
    int y, x, h, w;
};

struct shift_window { /* shifts from y0, x0 to y1, x1, ends included; may be negative */
    int y0, x0, y1, x1;
};

struct mosaic_tile { /* where a tile's first pixel lies on the canvas */
    /* (tile_h, tile_w) raw; NULL when placed is given; device memory, as the others */
    const uint16_t *data;
    const float *placed; /* the tile corrected and moved to whole pixels (tile_place); or NULL */
    /* placed without its detail: detail is then blended over a narrower seam; or NULL */
    const float *low;
    int y, x;
};

/* How tiles are corrected and weighed: (raw - dark) * gain, weight weight_y[row] *
 * weight_x[column]. */
struct mosaic_look {
    int tile_h, tile_w;
    const float *dark, *gain;         /* (tile_h, tile_w); NULL: 0 and 1; device memory */
    const float *weight_y, *weight_x; /* tile_h and tile_w numbers above 0; device memory */
};

struct mosaic { /* all of it in host memory, but what it points to */
    int width;  /* of the canvas */
    const struct mosaic_tile *tiles;
    int count;
    const struct mosaic_look *look;
};
