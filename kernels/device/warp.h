/* SPDX-License-Identifier: MIT
 *
 * warp.h: how one image lies in another, and the small squares ("blocks") by which that is
 * measured. Plain data shared by the warp and block primitives of device.h and by regist.h.
 *
 * A map answers, for a pixel p = (y, x) of the reference canvas, where the moving image is to be
 * read:
 *
 *     q = A (p - c) + c + t + u(p)
 *
 * with everything in pixels, y first. u is given on nodes `step` (at least 1) apart, node (0, 0) at
 * (origin, origin); between nodes it is the Catmull-Rom interpolation, outside the grid the value
 * of the nearest edge.
 *
 * What is read at (y, x) is the Catmull-Rom interpolation along y of four rows k of the image, each
 * interpolated along x at
 *
 *     x + s (k - y).
 *
 * With s = 0 this is the usual product of both; quadratic surfaces are exact with any s, as row k
 * then is that of a surface which is quadratic in k. With s = dx/dy = A_xy / A_yy, how far a column
 * of the canvas goes along x from one row of the image to the next, all pixels of a column read row
 * k in the same place, where the column crosses it: it is interpolated once for four of them
 * (Catmull and Smith 1980). warp_u16 does so if the map turns by less than WARP_SLANT, stretches by
 * less than WARP_STRETCH, and has no field; else, and in blocks, s = 0.
 *
 * A gentle field, of a map that turns and stretches by little, bends a column. There u is taken at
 * every WARP_KNOTS-th row of the canvas, rows 4 n + 1, and is linear between two of them, so that a
 * column is made of straight lines. Row k is read in the place where one of them crosses it: the
 * first one whose middle, which is the last of four pixels from row 4 n on, lies no higher than
 * k - 2. So each four of pixels needs new rows of its own line only. (Where a middle lies on a
 * whole row, but for rounding, devices may take either line.) This moves a pixel by less than 2
 * |d2u/dy2|: by 0.01 px where u goes up and down by 1 px from node to node, 64 px apart. */
#pragma once

#include "kintsugi.h"

enum {
    WARP_FIELD_MOST = 1000, /* pixels that a field may move anything by */
    WARP_KNOTS = 4,         /* rows of the canvas between those where a gentle field is taken */
};
#define WARP_SLANT   0.2 /* dx/dy along a column, and dy/dx along a row, of a map read by rows */
#define WARP_STRETCH 0.5 /* what the image may be larger or smaller by */
#define WARP_GENTLE  0.2 /* |du/dy| and |du/dx| of a gentle field */
/* |A_xy|, |A_yy - 1|, and |t| and |c| of a map that is read by rows through one */
#define WARP_BENT_SLANT   0.1
#define WARP_BENT_STRETCH 0.05
#define WARP_BENT_FAR     1e6

struct warp_grid {
    int rows, cols;     /* nodes; 0: no displacement field */
    float step, origin; /* pixels */
    float *u;           /* (2, rows, cols): y then x, pixels; memory of the device */
    bool gentle;        /* as warp_grid_is_gentle says; false may be said of any */
};

struct warp_map {
    double a[4]; /* A: yy, yx, xy, xx */
    double t[2]; /* y, x */
    double c[2]; /* the fixed centre, usually that of the reference canvas */
    struct warp_grid grid;
};

/* Rows of an image in device memory. Who is given them reads no others: at the image's border its
 * last row counts twice, at the border of what is there the caller has seen to it that all are
 * there that the map leads to. */
struct image_rows {
    const uint16_t *pixels; /* (count, dims.x) */
    struct kin_dims dims;   /* of the whole image */
    int first, count;
};

/* The map that moves nothing, with that centre. */
struct warp_map warp_identity(double cy, double cx);

/* q = map(p) without the grid. */
void warp_affine_point(const struct warp_map *map, const double p[2], double q[2]);

/* u(p) read from a grid in host memory (0 if there is none). */
void warp_grid_at(const struct warp_grid *grid, double y, double x, double u[2]);

/* Whether u, of a grid in host memory, surely changes by less than WARP_GENTLE pixels from a pixel
 * of the canvas to the next. */
bool warp_grid_is_gentle(const struct warp_grid *grid);

/* n blocks of h x w pixels cut from an image. */
struct block_shape {
    int n, h, w;
    /* pixel values are clipped to this range first: debris must not rule a block */
    float low, high;
};

/* What a block's correlation says: the moving block's content lies at +(dy, dx) of where the
 * reference block has it. */
struct block_peak {
    float dy, dx; /* pixels, with a parabola through the peak's neighbours */
    /* peak / standard deviation of the correlation; 0: the peak lies on the border */
    float quality;
};
