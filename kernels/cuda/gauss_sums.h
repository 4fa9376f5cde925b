/* SPDX-License-Identifier: MIT
 *
 * gauss_sums.h: a thread's run of sums over neighbours, with three products where there would be
 * four (Winograd 1980, for a sum of sums). Of samples E and taps e at even places and those at odd
 * ones, O and o,
 *
 *     an even sum is eE + oO, the odd one after it eO + oE = (e + o) (E + O) - eE - oO
 *
 * where oO is one place further on in the odd sum than in the even one, so that a run takes one
 * more of these.
 *
 * Taps are arguments of the kernel, so that a product has them from registers that the threads of a
 * warp share, and no thread reads them or holds them in its own. */
#pragma once

#include "cuda/device.h"

enum { GAUSS_RADIUS = 128 /* the most */ };

/* first: the tap of the first sample of a window. For every `group` of samples at even and at odd
 * places, their taps, and the sums of both. */
struct gauss_taps {
    float first;
    int radius; /* with zeros at the ends: a multiple of `group` */
    float tap[3 * GAUSS_RADIUS];
};

/* What sample v adds to a run of sums, of which the k-th sees it by tap `at - k`. */
template <int group, int N>
static __device__ void gauss_add(float (&sum)[N], float v, int at, const float *tap)
{
    KIN_UNROLL
    for (int k = 0; k < N; k++)
        if (at - k >= 0 && at - k < group)
            sum[k] += tap[at - k] * v;
}

/* The sums of windows that begin at `pixels`, each one place after the one before. get(c): the
 * pixel c places on; pass<n>(): n have been seen. What a sample adds, it adds to all sums at once:
 * it is read from its register once. */
template <int group, int run, typename Pixels>
static __device__ void gauss_sums(float (&sum)[run], Pixels pixels, const gauss_taps &taps)
{
    enum { HALF = run / 2, SEEN = HALF + group };
    float even[SEEN], odd[SEEN], both[SEEN], ee[HALF], oo[HALF + 1] = {}, all[HALF];
    KIN_UNROLL
    for (int k = 0; k < HALF; k++) {
        even[k] = pixels.get(2 * k);
        odd[k] = pixels.get(2 * k + 1);
        both[k] = even[k] + odd[k];
        ee[k] = taps.first * even[k];
        all[k] = taps.first * both[k];
    }
    pixels.template pass<run>();
    GPU_UNROLLED(1)
    for (int turn = 0; turn < taps.radius; turn += group) {
        const float *tap = taps.tap + 3 * turn;
        KIN_UNROLL
        for (int k = 0; k < SEEN; k++) {
            if (k >= HALF) {
                even[k] = pixels.get(2 * (k - HALF));
                odd[k] = pixels.get(2 * (k - HALF) + 1);
                both[k] = even[k] + odd[k];
            }
            gauss_add<group>(ee, even[k], k - 1, tap);
            gauss_add<group>(all, both[k], k - 1, tap + 2 * group);
            gauss_add<group>(oo, odd[k], k, tap + group);
        }
        KIN_UNROLL
        for (int k = 0; k < HALF; k++) {
            even[k] = even[k + group];
            odd[k] = odd[k + group];
            both[k] = both[k + group];
        }
        pixels.template pass<2 * group>();
    }
    KIN_UNROLL
    for (int k = 0; k < HALF; k++) {
        sum[2 * k] = ee[k] + oo[k];
        sum[2 * k + 1] = all[k] - ee[k] - oo[k + 1];
    }
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* weights: of the middle and of `radius` neighbours. */
template <int group>
static void gauss_lay_out(struct gauss_taps *taps, const float *weights, int radius)
{
    int all = (radius + group - 1) / group * group;
    auto at = [&](int d) { return abs(d) <= radius ? weights[abs(d)] : 0; };
    taps->radius = all;
    taps->first = at(all);
    for (int i = 0; i < all; i++) {
        float *to = taps->tap + 3 * (i - i % group) + i % group;
        to[0] = at(2 * (i + 1) - all);
        to[group] = at(2 * i + 1 - all);
        to[2 * group] = to[0] + to[group];
    }
}
