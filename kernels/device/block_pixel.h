/* SPDX-License-Identifier: MIT
 *
 * block_pixel.h: the arithmetic of one pixel or one frequency of a small block, for both back
 * ends. */
#pragma once

#include <string.h>

#include "device/warp_pixel.h"

KIN_INLINE float block_hann(int i, int n)
{
    return n > 1 ? 0.5f - 0.5f * cosf((float)(2 * M_PI) * (float)i / (float)(n - 1)) : 1;
}

/* The source pixel of a block's first row or column, the middle of its n pixels being given. */
KIN_INLINE int block_origin(float middle, int n)
{
    return (int)lroundf(middle - (float)(n - 1) / 2);
}

KIN_INLINE float block_clip(float v, const struct block_shape *s)
{
    return v < s->low ? s->low : v > s->high ? s->high : v;
}

/* NaN stands for a pixel that holds nothing. */
KIN_INLINE float block_windowed(float v, float mean, float window_y, float window_x)
{
    return v == v ? (v - mean) * window_y * window_x : 0;
}

/* What a frequency adds to the sums of block_cross. */
struct block_sums {
    double ab, aa, bb;
};

/* v^power for normal v > 0, to 3e-7: series for log2 of the mantissa and exp2 of the fraction, in a
 * form that compilers turn into vector code. */
KIN_INLINE float block_power(float v, float power)
{
    int32_t bits, e;
    float m, scale;
    memcpy(&bits, &v, sizeof bits);
    e = (bits - 0x3f3504f3) >> 23;
    bits -= e * (1 << 23);
    memcpy(&m, &bits, sizeof m);
    float t = (m - 1) / (m + 1), t2 = t * t;
    float series = 1 + t2 * (0.3333333333f + t2 * (0.2f + t2 * (0.1428571f + t2 * 0.111f)));
    float p = ((float)e + 2.8853900818f * t * series) * power;
    int32_t rounded = (int32_t)(p + copysignf(0.5f, p));
    float f = (p - (float)rounded) * 0.69314718056f;
    float tail = 0.041666667f + f * (0.008333333f + f * 0.0013888889f);
    bits = (rounded + 127) * (1 << 23);
    memcpy(&scale, &bits, sizeof scale);
    return scale * (1 + f * (1 + f * (0.5f + f * (0.16666667f + f * tail))));
}

/* What a frequency adds, in a band of that gain. */
KIN_INLINE struct block_sums block_sums_of(const float *a, const float *b, float gain)
{
    struct block_sums sums = {(double)(gain * (a[0] * b[0] + a[1] * b[1])),
                              (double)(gain * (a[0] * a[0] + a[1] * a[1])),
                              (double)(gain * (b[0] * b[0] + b[1] * b[1]))};
    return sums;
}

/* The same for `times` frequencies alike, and a = a conj(b) gain / |a conj(b) gain|^whiten. */
KIN_INLINE struct block_sums block_cross_with(float *a, const float *b, float gain, float times,
                                              float whiten)
{
    struct block_sums sums = block_sums_of(a, b, gain * times);
    float re = a[0] * b[0] + a[1] * b[1], im = a[1] * b[0] - a[0] * b[1];
    float size = sqrtf((a[0] * a[0] + a[1] * a[1]) * gain) *
                 sqrtf((b[0] * b[0] + b[1] * b[1]) * gain);
    float scale = gain * block_power(size + 1e-20f, -whiten);
    a[0] = re * scale;
    a[1] = im * scale;
    return sums;
}

/* For how many frequencies one of column x of a half spectrum stands. Columns 0 and w/2 stand for
 * themselves, the others also for their mirror image. */
KIN_INLINE float block_times(const struct block_shape *s, int x)
{
    return x == 0 || 2 * x == s->w ? 1 : 2;
}

KIN_INLINE float block_ncc(struct block_sums s)
{
    return s.aa > 0 && s.bb > 0 ? (float)(s.ab / sqrt(s.aa * s.bb)) : 0;
}

/* A correlation at shift (y, x), which may be negative. */
KIN_INLINE float block_at(const float *corr, const struct block_shape *s, int y, int x)
{
    return corr[(size_t)((y + s->h) % s->h) * s->w + (x + s->w) % s->w];
}

/* Offset of the summit of the parabola through m, o, p at -1, 0, 1. */
KIN_INLINE float block_summit(float m, float o, float p)
{
    float bend = m - 2 * o + p;
    return bend < 0 ? 0.5f * (m - p) / bend : 0;
}

KIN_INLINE float block_deviation(double sum, double squares, size_t n)
{
    return (float)sqrt(fmax(squares / n - (sum / n) * (sum / n), 0.0));
}

/* What the highest value, found at shift (y, x) within the reach, says. corr = a conj(b) has its
 * peak at the shift from b's content to a's; callers want the reverse. */
KIN_INLINE struct block_peak block_peak_at(const float *corr, const struct block_shape *s, int y,
                                           int x, int reach_y, int reach_x, float deviation)
{
    float best = block_at(corr, s, y, x);
    struct block_peak peak = {
        -((float)y + block_summit(block_at(corr, s, y - 1, x), best, block_at(corr, s, y + 1, x))),
        -((float)x + block_summit(block_at(corr, s, y, x - 1), best, block_at(corr, s, y, x + 1))),
        0};
    bool border = y == -reach_y || y == reach_y || x == -reach_x || x == reach_x;
    if (!border && deviation > 0)
        peak.quality = best / deviation;
    return peak;
}

/* How far shifts of a block are looked at along an axis of n. */
KIN_INLINE int block_reach(int reach, int n)
{
    return reach < (n - 1) / 2 ? reach : (n - 1) / 2;
}
