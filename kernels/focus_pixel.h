/* SPDX-License-Identifier: MIT
 *
 * focus_pixel.h: finding and taking the plane in focus for one pixel, for both back ends.
 */
#pragma once

#include <math.h>

#include "focus.h"
#include "fold.h"

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

/* The median of 25 values, without a branch and with constant indices, so that they stay in registers:
 * of any 14 neither the lowest nor the highest can be it; these go and another value comes, until three
 * are left. */
KIN_INLINE float median_of_25(float v[25])
{
    KIN_UNROLL
    for (int n = 14; n > 2; n--) {
        KIN_UNROLL
        for (int i = 0; i < n / 2; i++)
            median_order(&v[i], &v[n - 1 - i]);
        KIN_UNROLL
        for (int i = 1; i < (n + 1) / 2; i++)
            median_order(&v[0], &v[i]);
        KIN_UNROLL
        for (int i = n / 2; i < n - 1; i++)
            median_order(&v[i], &v[n - 1]);
        if (n > 3)
            v[0] = v[28 - n];
    }
    return v[1];
}

/* The median of 5 x 5 around (y, x), mirrored at the edges of an h x w plane. */
KIN_INLINE float median_around(const float *plane, int h, int w, int y, int x)
{
    float v[25];
    int column[5];
    KIN_UNROLL
    for (int i = 0; i < 5; i++)
        column[i] = kin_mirror(x + i - 2, w);
    KIN_UNROLL
    for (int j = 0; j < 5; j++) {
        const float *row = plane + (size_t)kin_mirror(y + j - 2, h) * w;
        KIN_UNROLL
        for (int i = 0; i < 5; i++)
            v[5 * j + i] = row[column[i]];
    }
    return median_of_25(v);
}

/* Where the parabola through the logarithms of three scores has its top, in planes from the middle
 * one. */
KIN_INLINE float focus_parabola(float before, float here, float after)
{
    if (!(before > 0) || !(after > 0))
        return 0;
    float a = logf(before), b = logf(here), c = logf(after), bend = 2 * b - a - c;
    float top = bend > 0 ? 0.5f * (c - a) / bend : 0;
    return fminf(fmaxf(top, -0.5f), 0.5f);
}

struct focus_found {
    float z, weight, trust;
};

/* The best of planes->count scores, which are sorted here. */
KIN_INLINE struct focus_found focus_best(float *score, const struct focus_planes *planes, bool fine)
{
    int best = 0, n = planes->count;
    for (int k = 1; k < n; k++)
        best = score[k] > score[best] ? k : best;
    float top = score[best], at = (float)planes->number[best];
    if (fine && best > 0 && best + 1 < n) {
        float t = focus_parabola(score[best - 1], top, score[best + 1]);
        int gap = t > 0 ? planes->number[best + 1] - planes->number[best]
                        : planes->number[best] - planes->number[best - 1];
        at += t * (float)gap;
    }
    float middle = median_of(score, n);
    struct focus_found found = {at, sqrtf(fmaxf(top - middle, 0)), top > 0 ? 1 - middle / top : 0};
    return found;
}

KIN_INLINE float focus_settled(float weighted, float weight, float fallback, float doubt)
{
    return (weighted + doubt * fallback) / (weight + doubt);
}

/* Where a pixel lies between two neighbours of n bins: the lower one, and how far from it. */
KIN_INLINE int focus_between(int pixel, int bin, int n, float *share)
{
    float at = ((float)pixel - 0.5f * (float)(bin - 1)) / (float)bin;
    at = fminf(fmaxf(at, 0), (float)(n - 1));
    *share = at - (float)(int)at;
    return (int)at;
}

/* The map between rows a and b of bins, `share` of the way, at column x of the pixels. */
KIN_INLINE float focus_depth(const float *a, const float *b, float share, int bins, int bin, int x)
{
    float g;
    int k = focus_between(x, bin, bins, &g), next = k + 1 < bins ? k + 1 : k;
    float upper = a[k] + g * (a[next] - a[k]), lower = b[k] + g * (b[next] - b[k]);
    return upper + share * (lower - upper);
}

/* For every plane number the place in the stack of the last plane that is not above it. */
struct focus_places {
    uint16_t at[FOCUS_PLANES];
};

static inline struct focus_places focus_places_of(const struct focus_planes *planes)
{
    struct focus_places places;
    for (int z = 0, k = 0; z < FOCUS_PLANES; z++) {
        while (k + 1 < planes->count && planes->number[k + 1] <= z)
            k++;
        places.at[z] = (uint16_t)k;
    }
    return places;
}

/* A pixel at depth z between the two planes next to it; pixel: where it lies in the first plane. */
KIN_INLINE uint16_t focus_pixel(const uint16_t *pixel, size_t plane, float z,
                                const struct focus_planes *planes,
                                const struct focus_places *places)
{
    float first = (float)planes->number[0], last = (float)planes->number[planes->count - 1];
    float at = fminf(fmaxf(z, first), last);
    int k = places->at[(int)at];
    float f = at - (float)planes->number[k], v = pixel[plane * (size_t)k];
    if (f > 0) {
        f /= (float)(planes->number[k + 1] - planes->number[k]);
        v += f * ((float)pixel[plane * (size_t)(k + 1)] - v);
    }
    return kin_round_u16(v);
}
