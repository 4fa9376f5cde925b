/* SPDX-License-Identifier: MIT
 *
 * pixel_rows.h: reading an image by rows (warp.h), for the CPU. Some columns of the canvas go down
 * together: a row of the image is interpolated where they cross it, all at once, and kept until the
 * last pixel is made of it. A value depends on its place and the map alone, not on where one
 * begins:
 *
 *     crossings_begin(&crossings, src, map, x0, n);
 *     for (int y = y0; y < y0 + rows; y++)
 *         crossings_read(&crossings, y, values); */
#pragma once

#include <limits.h>

#include "device/pixel_run.h"

enum {
    CROSSINGS = 128, /* columns that go down together */
    /* rows that are kept: four of each, and CROSSINGS * WARP_SLANT from first to last */
    CROSSED = 32,
};

struct crossings {
    const struct pixel_source *src;
    const struct warp_map *map;
    int x0, n, end;                /* columns; the row after the last that is kept */
    double x, across, slant;       /* column i crosses row k at x + i across + k slant */
    float row[CROSSED][CROSSINGS]; /* row k is row[k % CROSSED] */
};

/* Columns x0 .. x0 + n of the canvas, n at most CROSSINGS. */
PIXEL_INLINE void crossings_begin(struct crossings *c, const struct pixel_source *src,
                                  const struct warp_map *map, int x0, int n)
{
    double q[2];
    pixel_affine(map, 0, x0, q);
    c->src = src;
    c->map = map;
    c->x0 = x0;
    c->n = n;
    c->end = INT_MIN;
    c->slant = pixel_slant(map);
    c->x = q[1] - c->slant * q[0];
    c->across = map->a[3] - c->slant * map->a[1];
}

/* How many places, from f past a whole number on and `step` apart, are past the same one; at most
 * `most`. */
PIXEL_INLINE int crossings_alike(double f, double step, int most)
{
    double n = step > 0 ? (1 - f) / step : step < 0 ? f / -step : most;
    return n < most - 1 ? (int)n + 1 : most;
}

/* Row k of the image; the nearest one that is given stands for others. */
PIXEL_INLINE void crossings_row(struct crossings *c, int k)
{
    const int w = c->src->w;
    const uint16_t *row = pixel_row_given(c->src, k);
    float *to = c->row[(unsigned)k % CROSSED], step = (float)(c->across - 1);
    for (int at = 0, n; at < c->n; at += n, to += n) {
        double x = c->x + at * c->across + k * c->slant;
        int ix = pixel_floor(x), inside = ix < 1 ? 0 : w - 2 - ix;
        float f = (float)(x - ix);
        n = crossings_alike(x - ix, c->across - 1, c->n - at);
        n = inside > 0 && inside < n ? inside : inside > 0 ? n : 1;
        if (inside > 0) {
            const uint16_t *p = row + ix - 1;
#pragma omp simd
            for (int i = 0; i < n; i++)
                to[i] = cubic_between(p[i], p[i + 1], p[i + 2], p[i + 3], f + (float)i * step);
        } else {
            to[0] = cubic_between(row[cubic_clamp(ix - 1, w)], row[cubic_clamp(ix, w)],
                                  row[cubic_clamp(ix + 1, w)], row[cubic_clamp(ix + 2, w)], f);
        }
    }
}

/* Those of one row of the canvas of which the first is read at y. */
PIXEL_INLINE void crossings_down(const struct crossings *c, double y, float *values)
{
    double down = c->map->a[1];
    for (int at = 0, n; at < c->n; at += n) {
        double here = y + at * down;
        int iy = pixel_floor(here);
        const float *rows[4];
        float f = (float)(here - iy), step = (float)down;
        n = crossings_alike(here - iy, down, c->n - at);
        for (int j = 0; j < 4; j++)
            rows[j] = c->row[(unsigned)(iy + j - 1) % CROSSED] + at;
#pragma omp simd
        for (int i = 0; i < n; i++)
            values[at + i] = cubic_between(rows[0][i], rows[1][i], rows[2][i], rows[3][i],
                                           f + (float)i * step);
    }
}

/* values (n): the image where row y of the canvas is read, the rows from top to bottom; NAN outside
 * of it. */
PIXEL_INLINE void crossings_read(struct crossings *c, int y, float *values)
{
    double q[2], end[2];
    pixel_affine(c->map, y, c->x0, q);
    pixel_affine(c->map, y, c->x0 + c->n - 1, end);
    double top = fmin(q[0], end[0]), bottom = fmax(q[0], end[0]);
    bool apart = bottom <= -0.5 || top >= c->src->h - 0.5 || fmax(q[1], end[1]) <= -0.5 ||
                 fmin(q[1], end[1]) >= c->src->w - 0.5;
    if (!apart) {
        int first = pixel_floor(top) - 1, last = pixel_floor(bottom) + 2;
        for (c->end = c->end > first ? c->end : first; c->end <= last; c->end++)
            crossings_row(c, c->end);
        crossings_down(c, q[0], values);
        apart = !pixel_there(c->src, q[0], q[1]) || !pixel_there(c->src, end[0], end[1]);
    }
    for (int i = 0; apart && i < c->n; i++) {
        pixel_affine(c->map, y, c->x0 + i, q);
        values[i] = pixel_there(c->src, q[0], q[1]) ? values[i] : NAN;
    }
}
