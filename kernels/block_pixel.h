/* SPDX-License-Identifier: MIT
 *
 * block_pixel.h: the arithmetic of one pixel or one frequency of a small block, for both back ends.
 */
#pragma once

#include "warp_pixel.h"

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
    return isnan(v) ? 0 : (v - mean) * window_y * window_x;
}

/* What a frequency adds to the sums of block_cross. */
struct block_sums {
    double ab, aa, bb;
};

/* Frequency i of a half spectrum: its sums, and a = a conj(b) weight / |a conj(b) weight|^whiten.
 * Columns 0 and w/2 stand for themselves, the others also for their mirror image. */
KIN_INLINE struct block_sums block_cross_at(float *a, const float *b, const struct block_shape *s,
                                            int i, const float *weight, const float *band,
                                            float whiten)
{
    int x = i % (s->w / 2 + 1);
    float g = band[i] * (x == 0 || 2 * x == s->w ? 1 : 2);
    float re = a[0] * b[0] + a[1] * b[1], im = a[1] * b[0] - a[0] * b[1];
    struct block_sums sums = {g * re, g * (a[0] * a[0] + a[1] * a[1]),
                              g * (b[0] * b[0] + b[1] * b[1])};
    float size = hypotf(re, im) * weight[i];
    float scale = size > 1e-12f ? weight[i] * powf(size, -whiten) : 0;
    a[0] = re * scale;
    a[1] = im * scale;
    return sums;
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
    return (float)sqrt(fmax(squares / n - (sum / n) * (sum / n), 0));
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
