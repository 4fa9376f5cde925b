/* SPDX-License-Identifier: MIT
 *
 * cubic.h: Catmull-Rom interpolation (Catmull & Rom 1974; Keys, IEEE ASSP 29:1153, 1981, a = -1/2),
 * the same code for images and displacement grids. */
#pragma once

#include <math.h>

#include "device/warp.h"

/* The weights of samples -1, 0, 1 and 2 when the point lies f (0..1) past sample 0: what a straight
 * line has, and t = f (1 - f) / 2 times what bends it. */
KIN_INLINE void cubic_weights(float f, float w[4])
{
    float rest = 1 - f, t = 0.5f * f * rest;
    w[0] = -t * rest;
    w[2] = f + t * (3 * f - 1);
    w[1] = 1 + t - w[2];
    w[3] = -t * f;
}

/* The same between the middle two of four values, of which one may ask at several places:
 *
 *     value + f (slope + half (bend + f turn)), half = (1 - f) / 2
 *
 * takes half the operations of the weights and their sum. */
struct cubic {
    float value, slope, bend, turn;
};

KIN_INLINE struct cubic cubic_through(float v0, float v1, float v2, float v3)
{
    float slope = v2 - v1;
    struct cubic c = {v1, slope, (v1 - v0) - slope, 3 * slope + (v0 - v3)};
    return c;
}

KIN_INLINE float cubic_half(float f)
{
    return 0.5f - 0.5f * f;
}

KIN_INLINE float cubic_at(const struct cubic *c, float f, float half)
{
    return c->value + f * (c->slope + half * (c->bend + f * c->turn));
}

KIN_INLINE float cubic_between(float v0, float v1, float v2, float v3, float f)
{
    struct cubic c = cubic_through(v0, v1, v2, v3);
    return cubic_at(&c, f, cubic_half(f));
}

KIN_INLINE int cubic_clamp(int i, int n)
{
    int last = n - 1;
    i = i > 0 ? i : 0;
    return i < last ? i : last;
}

/* Where v, a row or column of pixels, lies among the n rows or columns of nodes. */
KIN_INLINE float cubic_among_nodes(const struct warp_grid *grid, int n, float v)
{
    return kin_clamp((v - grid->origin) / grid->step, 0, (float)(n - 1));
}

/* u at pixel (y, x); 0 without a grid. */
KIN_INLINE void cubic_grid_at(const struct warp_grid *grid, float y, float x, float u[2])
{
    u[0] = u[1] = 0;
    if (!grid->rows || !grid->cols)
        return;
    float gy = cubic_among_nodes(grid, grid->rows, y), gx = cubic_among_nodes(grid, grid->cols, x);
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
