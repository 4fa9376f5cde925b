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

/* Where pixel (y, x) of the reference is read. */
static inline void pixel_map(const struct warp_map *m, int y, int x, double q[2])
{
    double dy = y - m->c[0], dx = x - m->c[1];
    q[0] = m->a[0] * dy + m->a[1] * dx + m->c[0] + m->t[0];
    q[1] = m->a[2] * dy + m->a[3] * dx + m->c[1] + m->t[1];
    if (m->grid.rows) {
        float u[2];
        cubic_grid_at(&m->grid, (float)y, (float)x, u);
        q[0] += u[0];
        q[1] += u[1];
    }
}
