/* SPDX-License-Identifier: MIT
 *
 * focus_pixel.h: finding and taking the plane in focus for one pixel, for both back ends. */
#pragma once

#include <math.h>

#include "core/fold.h"
#include "device/focus.h"

/* The median of n values, which are sorted here; the mean of the middle two when n is even. */
KIN_INLINE float median_of(float *v, int n)
{
    for (int i = 1; i < n; i++) {
        float x = v[i];
        int k = i;
        for (; k > 0 && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
    return n % 2 ? v[n / 2] : 0.5f * (v[n / 2 - 1] + v[n / 2]);
}

/* The lower of two to the first place. */
KIN_INLINE void median_order(float *a, float *b)
{
    float low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

/* The lowest of n values to the first place, the highest to the last. */
KIN_INLINE void median_ends(float *v, int n)
{
    KIN_UNROLL
    for (int i = 0; i < n / 2; i++)
        median_order(&v[i], &v[n - 1 - i]);
    KIN_UNROLL
    for (int i = 1; i < (n + 1) / 2; i++)
        median_order(&v[0], &v[i]);
    KIN_UNROLL
    for (int i = n / 2; i < n - 1; i++)
        median_order(&v[i], &v[n - 1]);
}

KIN_INLINE void median_row(float v[5], const float *row, const int column[5])
{
    KIN_UNROLL
    for (int i = 0; i < 5; i++)
        v[i] = row[column[i]];
}

/* The medians of 5 x 5 around (y, x) and (y + 1, x), mirrored at the edges of an h x w plane:
 * without a branch and with constant indices, so that values stay in registers. Of any 14 of 25
 * neither the lowest nor the highest can be the median: these go and another one comes. So of the
 * 20 values that both see six are left, to which each adds its own until one is. */
KIN_INLINE void median_pair(const float *plane, int h, int w, int y, int x, float median[2])
{
    float both[20];
    int column[5];
    KIN_UNROLL
    for (int i = 0; i < 5; i++)
        column[i] = kin_mirror(x + i - 2, w);
    KIN_UNROLL
    for (int j = 0; j < 4; j++)
        median_row(both + 5 * j, plane + (size_t)kin_mirror(y + j - 1, h) * w, column);
    KIN_UNROLL
    for (int n = 14; n > 7; n--) {
        median_ends(both, n);
        if (n > 8)
            both[0] = both[28 - n];
    }
    KIN_UNROLL
    for (int k = 0; k < 2; k++) {
        float own[5], left[7];
        median_row(own, plane + (size_t)kin_mirror(y - 2 + 5 * k, h) * w, column);
        KIN_UNROLL
        for (int i = 1; i < 7; i++)
            left[i] = both[i];
        KIN_UNROLL
        for (int n = 7; n > 2; n--) {
            left[0] = own[7 - n];
            median_ends(left, n);
        }
        median[k] = left[1];
    }
}

/* Where the parabola through the logarithms of three scores has its top, in planes from the middle
 * one. */
KIN_INLINE float focus_parabola(float before, float here, float after)
{
    if (!(before > 0) || !(after > 0))
        return 0;
    float a = logf(before), b = logf(here), c = logf(after), bend = 2 * b - a - c;
    float top = bend > 0 ? 0.5f * (c - a) / bend : 0;
    return kin_clamp(top, -0.5f, 0.5f);
}

struct focus_found {
    float z, weight, trust;
};

/* Plane `best` of all has the highest score: near, those of the plane before it, of it and of the
 * plane after it; middle, the median of all. */
KIN_INLINE struct focus_found focus_found_at(const struct focus_planes *planes, int best,
                                             const float near[3], float middle, bool fine)
{
    float top = near[1], at = (float)planes->number[best];
    if (fine && best > 0 && best + 1 < planes->count) {
        float t = focus_parabola(near[0], top, near[2]);
        int gap = t > 0 ? planes->number[best + 1] - planes->number[best]
                        : planes->number[best] - planes->number[best - 1];
        at += t * (float)gap;
    }
    struct focus_found found = {at, sqrtf(fmaxf(top - middle, 0)), top > 0 ? 1 - middle / top : 0};
    return found;
}

/* The best of planes->count scores, which are sorted here. */
KIN_INLINE struct focus_found focus_best(float *score, const struct focus_planes *planes, bool fine)
{
    int best = 0, n = planes->count;
    for (int k = 1; k < n; k++)
        best = score[k] > score[best] ? k : best;
    float near[3] = {best > 0 ? score[best - 1] : 0, score[best],
                     best + 1 < n ? score[best + 1] : 0};
    return focus_found_at(planes, best, near, median_of(score, n), fine);
}

KIN_INLINE float focus_settled(float weighted, float weight, float fallback, float doubt)
{
    return (weighted + doubt * fallback) / (weight + doubt);
}

/* A row or column of pixels beside the bins that lie along it. */
struct focus_axis {
    float scale, offset; /* pixel p lies at bin p scale - offset */
    int bins;
};

KIN_INLINE struct focus_axis focus_axis_of(int bin, int bins)
{
    float scale = 1 / (float)bin;
    struct focus_axis axis = {scale, 0.5f * (float)(bin - 1) * scale, bins};
    return axis;
}

/* Between which two bins a pixel lies, and how far from the lower one; at the ends both are the
 * same. */
struct focus_between {
    int lower, upper;
    float share;
};

/* Where a pixel lies among the bins of an axis, counted from the first. */
KIN_INLINE float focus_place(const struct focus_axis *axis, int pixel)
{
    return kin_clamp((float)pixel * axis->scale - axis->offset, 0, (float)(axis->bins - 1));
}

KIN_INLINE struct focus_between focus_between(const struct focus_axis *axis, int pixel)
{
    int last = axis->bins - 1;
    float at = focus_place(axis, pixel);
    int lower = (int)at;
    struct focus_between between = {lower, lower < last ? lower + 1 : last, at - (float)lower};
    return between;
}

/* The rows of bins above and below a row of pixels, and how far from the upper one it lies. */
struct focus_rows {
    const float *upper, *lower;
    float share;
};

/* Of pixel row y; map has `bins` columns. */
KIN_INLINE struct focus_rows focus_rows_at(const float *map, int bins,
                                           const struct focus_axis *down, int y)
{
    struct focus_between at = focus_between(down, y);
    struct focus_rows rows = {map + (size_t)(unsigned)at.lower * (unsigned)bins,
                              map + (size_t)(unsigned)at.upper * (unsigned)bins, at.share};
    return rows;
}

/* Of two bins of the upper row and two of the lower one, by how far from the first and the upper
 * ones. */
KIN_INLINE float focus_depth_of(const float upper[2], const float lower[2], float across,
                                float down)
{
    float a = upper[0] + across * (upper[1] - upper[0]);
    float b = lower[0] + across * (lower[1] - lower[0]);
    return a + down * (b - a);
}

/* The map at a column of them. */
KIN_INLINE float focus_depth(const struct focus_rows *rows, const struct focus_between *x)
{
    const float *a = rows->upper, *b = rows->lower;
    const float upper[2] = {a[x->lower], a[x->upper]}, lower[2] = {b[x->lower], b[x->upper]};
    return focus_depth_of(upper, lower, x->share, rows->share);
}

/* Depths from a whole number on: they lie between two planes of the stack. */
struct focus_step {
    /* of the plane before; 1 / the numbers from there to the next one, 0 if there is none */
    float number, inverse;
    int place, next;            /* of both in the stack */
} __attribute__((aligned(16))); /* read at once */

/* The steps of depths number[0], number[0] + 1, ... up to the last plane's. */
static inline void focus_steps_of(const struct focus_planes *planes,
                                  struct focus_step steps[FOCUS_PLANES])
{
    const int *number = planes->number;
    for (int k = 0; k < planes->count; k++) {
        bool last = k + 1 == planes->count;
        struct focus_step step = {(float)number[k],
                                  last ? 0 : 1 / (float)(number[k + 1] - number[k]), k, k + !last};
        for (int z = number[k]; z < (last ? number[k] + 1 : number[k + 1]); z++)
            steps[z - number[0]] = step;
    }
}

/* How far depth z of a step lies from its plane to the next one. */
KIN_INLINE float focus_share(const struct focus_step *step, float z)
{
    return (z - step->number) * step->inverse;
}

/* The pixel there, not rounded: between `here` of its plane and `next` of the next one. */
KIN_INLINE float focus_pixel(float share, float here, float next)
{
    return here + share * (next - here);
}
