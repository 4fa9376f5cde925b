/* SPDX-License-Identifier: MIT
 *
 * cubic.h: Catmull-Rom interpolation (Catmull & Rom 1974; Keys, IEEE ASSP 29:1153, 1981, a = -1/2),
 * the same code for images and displacement grids.
 */
#pragma once

#include <math.h>

#include "warp.h"

/* The four weights for the samples at -1, 0, 1, 2 when the point lies f (0..1) past sample 0. */
KIN_INLINE void cubic_weights(float f, float w[4])
{
    float f2 = f * f, f3 = f2 * f;
    w[0] = 0.5f * (-f + 2 * f2 - f3);
    w[1] = 0.5f * (2 - 5 * f2 + 3 * f3);
    w[2] = 0.5f * (f + 4 * f2 - 3 * f3);
    w[3] = 0.5f * (f3 - f2);
}

KIN_INLINE int cubic_clamp(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* u at pixel (y, x); 0 without a grid. */
KIN_INLINE void cubic_grid_at(const struct warp_grid *grid, float y, float x, float u[2])
{
    u[0] = u[1] = 0;
    if (!grid->rows || !grid->cols)
        return;
    float gy = fminf(fmaxf((y - grid->origin) / grid->step, 0), (float)(grid->rows - 1));
    float gx = fminf(fmaxf((x - grid->origin) / grid->step, 0), (float)(grid->cols - 1));
    int iy = (int)gy, ix = (int)gx;
    float wy[4], wx[4];
    cubic_weights(gy - (float)iy, wy);
    cubic_weights(gx - (float)ix, wx);
    for (int k = 0; k < 2; k++) {
        const float *plane = grid->u + (size_t)k * grid->rows * grid->cols;
        float line[4] = {0, 0, 0, 0}; /* the four rows as one */
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                line[i] += wy[j] * plane[(size_t)cubic_clamp(iy + j - 1, grid->rows) * grid->cols +
                                         cubic_clamp(ix + i - 1, grid->cols)];
        u[k] = wx[0] * line[0] + wx[1] * line[1] + wx[2] * line[2] + wx[3] * line[3];
    }
}
