/* SPDX-License-Identifier: MIT
 *
 * focus.h: what finding the plane in focus on the GPU shares, most of it between the ways to
 * measure variance in boxes.
 *
 * With n pixels in a box the variances of a bin's boxes add up to (n sum of squares - sum of s^2) /
 * n^2, where s is what a box holds: integers, exact up to the last division. */
#pragma once

#include "cuda/device.h"

static __device__ inline float as_float(unsigned long long v)
{
    return (float)v;
}

static __device__ inline float as_float(unsigned __int128 v)
{
    return (float)(unsigned long long)(v >> 64) * 18446744073709551616.0f +
           (float)(unsigned long long)v;
}

/* A bin of so many pixels, that are `light` together and look at boxes of `box`: the sum of these
 * boxes' squares, and the sum of the squares of what they hold. */
template <typename Sum>
static __device__ void put_bin(float *spread, float *level, Sum squares, Sum boxes, unsigned light,
                               unsigned box, int pixels)
{
    float share = 1.0f / (float)pixels;
    *spread = as_float(squares * box - boxes) * (share / ((float)box * (float)box));
    *level = (float)light * share;
}

/* Makes all whole bins of gpu_focus_measure for a radius of 3 and bins of 4; rows: that bins are
 * made of. */
void measure_columns(struct device *dev, float *spread, float *level, const uint16_t *src, int rows,
                     int w, int top);
