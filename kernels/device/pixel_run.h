/* SPDX-License-Identifier: MIT
 *
 * pixel_run.h: reading a run of neighbouring pixels through a map, for the CPU: the same formulas
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

PIXEL_INLINE int pixel_least(int a, int b)
{
    return a < b ? a : b;
}

PIXEL_INLINE int pixel_most(int a, int b)
{
    return a > b ? a : b;
}

enum { PIXEL_RUN = 256, PIXEL_NODES = 64, PIXEL_MANY = 16 };

struct pixel_run {
    double y[PIXEL_RUN], x[PIXEL_RUN]; /* where each is read */
    uint8_t within[PIXEL_RUN];         /* 1: that lies where four rows and columns are there */
    size_t at[PIXEL_RUN];              /* then the first of these in the image's pixels */
    uint8_t on[PIXEL_RUN];             /* 1: which lies next to that of the pixel before */
    float fx[PIXEL_RUN];               /* how far past the second one it is read */
    float wy[4][PIXEL_RUN];            /* weights of the rows */
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
    float line[2][PIXEL_NODES], wy[4];
    int node[PIXEL_RUN];
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
        node[i] = (int)gx;
        run->fx[i] = gx - (float)(int)gx;
    }
    for (int at = 0, end; at < n; at = end) { /* pixels between the same nodes */
        const float *a = line[0] + node[at] - 1 - c0, *b = line[1] + node[at] - 1 - c0;
        struct cubic down = cubic_through(a[0], a[1], a[2], a[3]),
                     across = cubic_through(b[0], b[1], b[2], b[3]);
        for (end = at + 1; end < n && node[end] == node[at];)
            end++;
#pragma omp simd
        for (int i = at; i < end; i++) {
            float f = run->fx[i], half = cubic_half(f);
            run->y[i] += (double)cubic_at(&down, f, half);
            run->x[i] += (double)cubic_at(&across, f, half);
        }
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

/* Which of n pixels lie where four rows and columns are there. */
PIXEL_INLINE void pixel_run_find(const struct pixel_source *src, int n, struct pixel_run *run)
{
    const double bottom = src->h - 2, right = src->w - 2;
#pragma omp simd
    for (int i = 0; i < n; i++)
        run->within[i] = (run->y[i] >= 1) & (run->y[i] < bottom) & (run->x[i] >= 1) &
                         (run->x[i] < right);
}

/* All else of those that do. Not marked as vector code, which would keep w apart for each. */
PIXEL_INLINE void pixel_run_split(const struct pixel_source *src, int first, int end,
                                  struct pixel_run *run)
{
    for (int i = first; i < end; i++) {
        int iy = (int)run->y[i], ix = (int)run->x[i];
        float w[4];
        run->at[i] = (size_t)(iy - 1 - src->first) * (size_t)src->w + (size_t)(ix - 1);
        run->fx[i] = (float)(run->x[i] - ix);
        cubic_weights((float)(run->y[i] - iy), w);
        for (int j = 0; j < 4; j++)
            run->wy[j][i] = w[j];
    }
#pragma omp simd
    for (int i = first + 1; i < end; i++)
        run->on[i] = run->at[i] - run->at[i - 1] == 1;
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

/* Values: Catmull-Rom, a pixel at a time. */
PIXEL_INLINE void pixel_run_each(const struct pixel_source *src, int first, int end,
                                 const struct pixel_run *run, float *values)
{
    const pixel_quad one = {-0.5f, 0, 0.5f, 0}, two = {1, -2.5f, 2, -0.5f},
                     three = {-0.5f, 1.5f, -1.5f, 0.5f}, none = {0, 1, 0, 0};
    size_t w = (size_t)src->w;
    for (int i = first; i < end; i++) {
        const uint16_t *p = src->data + run->at[i];
        float f = run->fx[i];
        pixel_quad sum = run->wy[0][i] * pixel_load(p) + run->wy[1][i] * pixel_load(p + w) +
                         run->wy[2][i] * pixel_load(p + 2 * w) +
                         run->wy[3][i] * pixel_load(p + 3 * w);
        sum *= none + f * (one + f * (two + f * three));
        values[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* What pixel i sees of a column of the image: four rows of it. */
PIXEL_INLINE float pixel_run_column(const struct pixel_run *run, int i,
                                    const uint16_t *const row[4], int x)
{
    return run->wy[0][i] * row[0][x] + run->wy[1][i] * row[1][x] + run->wy[2][i] * row[2][x] +
           run->wy[3][i] * row[3][x];
}

/* The same of pixels that are read next to each other, PIXEL_MANY at a time. */
PIXEL_INLINE void pixel_run_line(const struct pixel_source *src, int first, int end,
                                 const struct pixel_run *run, float *values)
{
    size_t w = (size_t)src->w;
    const uint16_t *p = src->data + run->at[first];
    const uint16_t *const row[4] = {p, p + w, p + 2 * w, p + 3 * w};
#pragma omp simd simdlen(PIXEL_MANY)
    for (int i = first; i < end; i++) {
        int x = i - first;
        values[i] = cubic_between(
            pixel_run_column(run, i, row, x), pixel_run_column(run, i, row, x + 1),
            pixel_run_column(run, i, row, x + 2), pixel_run_column(run, i, row, x + 3), run->fx[i]);
    }
}

/* The first of flags first + 1 .. end - 1 that is not `flag`; `end` if all are. */
PIXEL_INLINE int pixel_run_alike(const uint8_t *flags, int first, int end, int flag)
{
    const uint8_t *other = memchr(flags + first + 1, !flag, (size_t)(end - first - 1));
    return other ? (int)(other - flags) : end;
}

/* values (n): the image at a run that pixel_run_map has filled; NAN outside of it. */
PIXEL_INLINE void pixel_run_read(const struct pixel_source *src, int n, struct pixel_run *run,
                                 float *values)
{
    pixel_run_find(src, n, run);
    for (int at = 0, end; at < n; at = end) {
        end = pixel_run_alike(run->within, at, n, run->within[at]);
        if (!run->within[at]) {
            for (int i = at; i < end; i++)
                if (!pixel_cubic(src, run->y[i], run->x[i], &values[i]))
                    values[i] = NAN;
            continue;
        }
        pixel_run_split(src, at, end, run);
        for (int i = at, next; i < end; i = next) {
            next = pixel_run_alike(run->on, i, end, 1);
            int most = i + (next - i) / PIXEL_MANY * PIXEL_MANY;
            pixel_run_line(src, i, most, run, values);
            pixel_run_each(src, most, next, run, values);
        }
    }
}
