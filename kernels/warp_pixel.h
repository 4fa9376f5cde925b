/* SPDX-License-Identifier: MIT
 *
 * warp_pixel.h: reading one pixel of a uint16 image through a map; shared by warp_cpu.c and
 * block_cpu.c.
 */
#pragma once

#include "cubic.h"

/* An image to read and the map in single precision about integer pixels. */
struct pixel_source {
    const uint16_t *data;
    int h, w;
};

/* The value at (y, x) by Catmull-Rom; edge pixels are repeated beyond the border. False: outside.
 */
static inline bool pixel_cubic(const struct pixel_source *src, double y, double x, float *value)
{
    if (!(y > -0.5 && x > -0.5 && y < src->h - 0.5 && x < src->w - 0.5))
        return false;
    int iy = (int)floor(y), ix = (int)floor(x);
    float wy[4], wx[4], sum = 0;
    cubic_weights((float)(y - iy), wy);
    cubic_weights((float)(x - ix), wx);
    if (iy > 0 && ix > 0 && iy + 2 < src->h && ix + 2 < src->w) {
        const uint16_t *p = src->data + (size_t)(iy - 1) * src->w + ix - 1;
        for (int j = 0; j < 4; j++, p += src->w)
            sum += wy[j] * (wx[0] * p[0] + wx[1] * p[1] + wx[2] * p[2] + wx[3] * p[3]);
    } else {
        for (int j = 0; j < 4; j++) {
            const uint16_t *row = src->data + (size_t)cubic_clamp(iy + j - 1, src->h) * src->w;
            for (int i = 0; i < 4; i++)
                sum += wy[j] * wx[i] * row[cubic_clamp(ix + i - 1, src->w)];
        }
    }
    *value = sum;
    return true;
}

/* The nearest source pixel holds 0: nothing was measured there (outside the mosaic). */
static inline bool pixel_empty(const struct pixel_source *src, double y, double x)
{
    int iy = cubic_clamp((int)floor(y + 0.5), src->h),
        ix = cubic_clamp((int)floor(x + 0.5), src->w);
    return src->data[(size_t)iy * src->w + ix] == 0;
}

/* ---- maps, a run of pixels at a time --------------------------------------------------------- */

enum { PIXEL_RUN = 256, PIXEL_NODES = 64 };

struct pixel_run {
    double y[PIXEL_RUN], x[PIXEL_RUN];
};

/* How many pixels from x on may be mapped at once: the nodes they need must fit. */
static inline int pixel_run_length(const struct warp_map *m, int left)
{
    int most = PIXEL_RUN;
    if (m->grid.rows && m->grid.step * (PIXEL_NODES - 6) < PIXEL_RUN)
        most = m->grid.step >= 1 ? (int)(m->grid.step * (PIXEL_NODES - 6)) : 1;
    return left < most ? left : most;
}

/* Adds u along a row. The four grid rows are combined once, so that a pixel costs four nodes. */
static inline void pixel_run_field(const struct warp_grid *g, int y, int x0, int n,
                                   struct pixel_run *run)
{
    float line[2][PIXEL_NODES], wy[4], wx[4];
    float gy = fminf(fmaxf(((float)y - g->origin) / g->step, 0), (float)(g->rows - 1));
    float first = fminf(fmaxf(((float)x0 - g->origin) / g->step, 0), (float)(g->cols - 1));
    float last = fminf(fmaxf(((float)(x0 + n - 1) - g->origin) / g->step, 0), (float)(g->cols - 1));
    int iy = (int)gy, c0 = (int)first - 1, nodes = (int)last + 3 - c0;
    cubic_weights(gy - (float)iy, wy);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < nodes; i++) {
            const float *plane = g->u + (size_t)k * g->rows * g->cols + cubic_clamp(c0 + i, g->cols);
            line[k][i] = 0;
            for (int j = 0; j < 4; j++)
                line[k][i] += wy[j] * plane[(size_t)cubic_clamp(iy + j - 1, g->rows) * g->cols];
        }
    for (int i = 0; i < n; i++) {
        float gx = fminf(fmaxf(((float)(x0 + i) - g->origin) / g->step, 0), (float)(g->cols - 1));
        int ix = (int)gx;
        const float *a = line[0] + ix - 1 - c0, *b = line[1] + ix - 1 - c0;
        cubic_weights(gx - (float)ix, wx);
        run->y[i] += wx[0] * a[0] + wx[1] * a[1] + wx[2] * a[2] + wx[3] * a[3];
        run->x[i] += wx[0] * b[0] + wx[1] * b[1] + wx[2] * b[2] + wx[3] * b[3];
    }
}

/* Where the n (at most pixel_run_length) pixels from (y, x0) on are read. */
static inline void pixel_run_map(const struct warp_map *m, int y, int x0, int n, struct pixel_run *run)
{
    double dy = y - m->c[0];
    for (int i = 0; i < n; i++) {
        double dx = x0 + i - m->c[1];
        run->y[i] = m->a[0] * dy + m->a[1] * dx + m->c[0] + m->t[0];
        run->x[i] = m->a[2] * dy + m->a[3] * dx + m->c[1] + m->t[1];
    }
    if (m->grid.rows)
        pixel_run_field(&m->grid, y, x0, n, run);
}
