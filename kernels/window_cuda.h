/* SPDX-License-Identifier: MIT
 *
 * window_cuda.h: samples in a line, each replaced by a sum over its neighbours, by threads that make RUN
 * samples next to each other. Their windows overlap: when they go on by one tap, it is one more sample
 * that has to be read from shared memory, not RUN.
 *
 * A Line has at(i), sample i, and tap(d), what neighbours at distance d are multiplied by.
 */
#pragma once

#include "complex_cuda.h"

enum { RUN = 4 };

static __device__ inline void add_tapped(float *sum, float tap, float v)
{
    *sum += tap * v;
}

static __device__ inline void add_tapped(float2 *sum, float tap, float2 v)
{
    sum->x += tap * v.x;
    sum->y += tap * v.y;
}

/* Samples v[k], v[k + 1], ... move on to the next higher, or lower, place of a column. */
template <typename Value> static __device__ void move_up(Value v[RUN], Value next)
{
    for (int k = 0; k + 1 < RUN; k++)
        v[k] = v[k + 1];
    v[RUN - 1] = next;
}

template <typename Value> static __device__ void move_down(Value v[RUN], Value next)
{
    for (int k = RUN - 1; k; k--)
        v[k] = v[k - 1];
    v[0] = next;
}

/* sum[k] += sample at + k convolved with a line of 2 taps - 1 that is the same in both directions. */
template <typename Value, typename Line>
static __device__ void add_even(Value sum[RUN], const Line &line, int taps, int at)
{
    Value below[RUN], above[RUN];
    for (int k = 0; k < RUN; k++) {
        below[k] = above[k] = line.at(at + k);
        add_tapped(&sum[k], line.tap(0), above[k]);
    }
    for (int d = 1; d < taps; d++) {
        auto tap = line.tap(d);
        move_down(below, line.at(at - d));
        move_up(above, line.at(at + RUN - 1 + d));
        for (int k = 0; k < RUN; k++)
            add_tapped(&sum[k], tap, below[k] + above[k]);
    }
}
