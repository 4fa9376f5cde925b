/* SPDX-License-Identifier: MIT
 *
 * pixel_run.h: reading a run of neighbouring pixels through a map, for the CPU: the same arithmetic
 * as pixel_map and pixel_cubic of warp_pixel.h, in loops that become vector code. Positions first,
 * then whole pixels and fractions, then values:
 *
 *     for (int at = 0, n; at < w; at += n) {
 *         n = pixel_run_length(map, w - at);
 *         pixel_run_map(map, y, x0 + at, n, &run);
 *         pixel_run_read(src, n, &run, row + at);
 *     } */
#pragma once

#include <string.h>

#include "core/simd.h"
#include "device/warp_pixel.h"

/* Always a part of its caller, which says for what instructions it is compiled (simd.h). */
#define PIXEL_INLINE static inline __attribute__((always_inline))

enum { PIXEL_RUN = 256, PIXEL_NODES = 64 };

struct pixel_run {
    double y[PIXEL_RUN], x[PIXEL_RUN]; /* where each is read */
    int iy[PIXEL_RUN], ix[PIXEL_RUN];  /* the whole pixel before */
    float fx[PIXEL_RUN];               /* how far past it */
    float wy[4][PIXEL_RUN];            /* weights of the rows iy - 1 .. iy + 2 */
};

/* How many pixels from x on may be mapped at once: the nodes they need must fit. */
PIXEL_INLINE int pixel_run_length(const struct warp_map *m, int left)
{
    int most = PIXEL_RUN;
    if (m->grid.rows && m->grid.step * (PIXEL_NODES - 6) < PIXEL_RUN)
        most = m->grid.step >= 1 ? (int)(m->grid.step * (PIXEL_NODES - 6)) : 1;
    return left < most ? left : most;
}

/* Adds u along a row. The four grid rows are combined once, so that a pixel costs four nodes. */
PIXEL_INLINE void pixel_run_field(const struct warp_grid *g, int y, int x0, int n,
                                  struct pixel_run *run)
{
    float line[2][PIXEL_NODES], wy[4], wx[4];
    float gy = cubic_among_nodes(g, g->rows, (float)y);
    float first = cubic_among_nodes(g, g->cols, (float)x0);
    float last = cubic_among_nodes(g, g->cols, (float)(x0 + n - 1));
    int iy = (int)gy, c0 = (int)first - 1, nodes = (int)last + 3 - c0;
    cubic_weights(gy - (float)iy, wy);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < nodes; i++) {
            const float *plane = g->u + (size_t)k * g->rows * g->cols +
                                 cubic_clamp(c0 + i, g->cols);
            line[k][i] = 0;
            for (int j = 0; j < 4; j++)
                line[k][i] += wy[j] * plane[(size_t)cubic_clamp(iy + j - 1, g->rows) * g->cols];
        }
    for (int i = 0; i < n; i++) {
        float gx = cubic_among_nodes(g, g->cols, (float)(x0 + i));
        int ix = (int)gx;
        const float *a = line[0] + ix - 1 - c0, *b = line[1] + ix - 1 - c0;
        cubic_weights(gx - (float)ix, wx);
        run->y[i] += wx[0] * a[0] + wx[1] * a[1] + wx[2] * a[2] + wx[3] * a[3];
        run->x[i] += wx[0] * b[0] + wx[1] * b[1] + wx[2] * b[2] + wx[3] * b[3];
    }
}

/* Where the n (at most pixel_run_length) pixels from (y, x0) on are read. */
PIXEL_INLINE void pixel_run_map(const struct warp_map *m, int y, int x0, int n,
                                struct pixel_run *run)
{
    struct warp_map local = *m; /* a copy that no store below can change */
    for (int i = 0; i < n; i++) {
        double q[2];
        pixel_affine(&local, y, x0 + i, q);
        run->y[i] = q[0];
        run->x[i] = q[1];
    }
    if (m->grid.rows)
        pixel_run_field(&m->grid, y, x0, n, run);
}

/* Whether all of a run lies where four rows and columns are there. */
PIXEL_INLINE bool pixel_run_within(const struct pixel_source *src, int n,
                                   const struct pixel_run *run)
{
    const double bottom = src->h - 2, right = src->w - 2;
    int beyond = 0;
#pragma omp simd reduction(+ : beyond)
    for (int i = 0; i < n; i++)
        beyond += !((run->y[i] >= 1) & (run->y[i] < bottom) & (run->x[i] >= 1) &
                    (run->x[i] < right));
    return !beyond;
}

/* Whole pixels, fractions and weights of the rows, of a run that lies within. */
PIXEL_INLINE void pixel_run_split(int n, struct pixel_run *run)
{
#pragma omp simd
    for (int i = 0; i < n; i++) {
        int iy = (int)run->y[i], ix = (int)run->x[i];
        float w[4];
        run->iy[i] = iy;
        run->ix[i] = ix;
        run->fx[i] = (float)(run->x[i] - ix);
        cubic_weights((float)(run->y[i] - iy), w);
        for (int j = 0; j < 4; j++)
            run->wy[j][i] = w[j];
    }
}

typedef float pixel_quad __attribute__((vector_size(16)));
typedef int32_t pixel_quad_i32 __attribute__((vector_size(16)));
typedef uint16_t pixel_oct_u16 __attribute__((vector_size(16)));
typedef uint64_t pixel_pair_u64 __attribute__((vector_size(16)));

/* Four pixels as floats: zeros between them make them 32 bits wide in one instruction. */
PIXEL_INLINE pixel_quad pixel_load(const uint16_t *p)
{
    uint64_t four;
    memcpy(&four, p, sizeof four);
    pixel_oct_u16 v = (pixel_oct_u16)(pixel_pair_u64){four, 0};
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = VECTOR_SHUFFLE(pixel_oct_u16, v, 0, 4, 1, 5, 2, 6, 3, 7);
#else
    v = VECTOR_SHUFFLE(pixel_oct_u16, v, 4, 0, 5, 1, 6, 2, 7, 3);
#endif
    return __builtin_convertvector((pixel_quad_i32)v, pixel_quad);
}

/* values (n): Catmull-Rom of a run that pixel_run_split has prepared. */
PIXEL_INLINE void pixel_run_inside(const struct pixel_source *src, int n,
                                   const struct pixel_run *run, float *values)
{
    const pixel_quad one = {-0.5f, 0, 0.5f, 0}, two = {1, -2.5f, 2, -0.5f},
                     three = {-0.5f, 1.5f, -1.5f, 0.5f}, none = {0, 1, 0, 0};
    size_t w = (size_t)src->w;
    for (int i = 0; i < n; i++) {
        const uint16_t *p = pixel_row(src, run->iy[i] - 1) + run->ix[i] - 1;
        float f = run->fx[i];
        pixel_quad sum = run->wy[0][i] * pixel_load(p) + run->wy[1][i] * pixel_load(p + w) +
                         run->wy[2][i] * pixel_load(p + 2 * w) +
                         run->wy[3][i] * pixel_load(p + 3 * w);
        sum *= none + f * (one + f * (two + f * three));
        values[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* values (n): the image at a run that pixel_run_map has filled; NAN outside of it. */
PIXEL_INLINE void pixel_run_read(const struct pixel_source *src, int n, struct pixel_run *run,
                                 float *values)
{
    if (pixel_run_within(src, n, run)) {
        pixel_run_split(n, run);
        pixel_run_inside(src, n, run, values);
        return;
    }
    for (int i = 0; i < n; i++)
        if (!pixel_cubic(src, run->y[i], run->x[i], &values[i]))
            values[i] = NAN;
}
