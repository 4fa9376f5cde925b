/* SPDX-License-Identifier: MIT
 *
 * mosaic_pixel.h: the arithmetic of one pixel or one frequency in stitching, for both back ends. */
#pragma once

#include <math.h>
#include <stdlib.h>

#include "core/fold.h"
#include "device/cubic.h"
#include "device/mosaic.h"

/* How wide the edge of a strip of h x w pixels is over which it falls to 0. */
KIN_INLINE int taper_margin(int h, int w)
{
    int eighth = (h < w ? h : w) / 8;
    return eighth > 8 ? eighth : 8;
}

/* 1 in the middle, falling linearly to 0 over an edge of m pixels. */
KIN_INLINE float taper_weight(int i, int n, int m)
{
    int distance = (i < n - 1 - i ? i : n - 1 - i) + 1;
    return distance >= m ? 1 : (float)distance / (float)m;
}

/* Pixel i of a tile, corrected. */
KIN_INLINE float mosaic_value(const struct mosaic_look *look, const uint16_t *tile, size_t i)
{
    float v = tile[i];
    v = look->dark ? v - look->dark[i] : v;
    return look->gain ? v * look->gain[i] : v;
}

/* Detail is blended by this weight: where a tile has less than its neighbour it falls fast. */
KIN_INLINE float mosaic_sharp(float weight)
{
    float square = weight * weight, fourth = square * square;
    return fourth * fourth;
}

/* The two bands together: sum and weight of what is smooth, detail and sharp of the rest. */
KIN_INLINE uint16_t mosaic_bands(float sum, float weight, float detail, float sharp)
{
    return weight > 0 ? kin_round_u16(sum / weight + (sharp > 0 ? detail / sharp : 0)) : 0;
}

/* The row or column that sample j (-1..2) of an interpolation at i - d (0 <= d < 1) reads, and with
 * what weights. */
KIN_INLINE int place_tap(int i, float d, int j, int n)
{
    int at = i + j - (d > 0);
    return at < 0 ? 0 : at >= n ? n - 1 : at;
}

KIN_INLINE void place_weights(float d, float w[4])
{
    cubic_weights(d > 0 ? 1 - d : 0, w);
}

/* a = a conj(b); answers |a|. */
KIN_INLINE float cross_multiply(float *a, const float *b)
{
    float re = a[0] * b[0] + a[1] * b[1], im = a[1] * b[0] - a[0] * b[1];
    a[0] = re;
    a[1] = im;
    return sqrtf(re * re + im * im);
}

/* What |a| is not allowed to fall below, given the sum of |a| over n frequencies. */
KIN_INLINE float cross_floor(double sum, size_t n)
{
    return (float)(1e-6 * sum / (double)n) + 1e-30f;
}

KIN_INLINE void cross_whiten(float *a, float floor)
{
    float scale = 1 / (sqrtf(a[0] * a[0] + a[1] * a[1]) + floor);
    a[0] *= scale;
    a[1] *= scale;
}

/* Whether a shift is closer than 3 pixels to one of those found before. */
KIN_INLINE bool near_earlier(const int (*peaks)[2], int count, int y, int x)
{
    for (int k = 0; k < count; k++) {
        if (abs(peaks[k][0] - y) <= 2 && abs(peaks[k][1] - x) <= 2)
            return true;
    }
    return false;
}
