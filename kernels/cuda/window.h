/* SPDX-License-Identifier: MIT
 *
 * window.h: samples in a line, each replaced by a sum over its neighbours, by threads that
 * make a run of samples next to each other. Their windows overlap: when they go on by one tap, it
 * is one more sample that has to be read from shared memory, not one for each.
 *
 * A Line has at(i, c), sample i + c, and tap(d), what neighbours at distance d are multiplied by. c
 * is known when it is compiled, where loops are unrolled. */
#pragma once

#include "cuda/complex.h"

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
template <typename Value, int run> static __device__ void move_up(Value (&v)[run], Value next)
{
    for (int k = 0; k + 1 < run; k++)
        v[k] = v[k + 1];
    v[run - 1] = next;
}

template <typename Value, int run> static __device__ void move_down(Value (&v)[run], Value next)
{
    for (int k = run - 1; k; k--)
        v[k] = v[k - 1];
    v[0] = next;
}

/* sum[k] += sample at + k convolved with a line of 2 taps - 1 that is the same both ways. */
template <typename Value, int run, typename Line>
static __device__ void add_even(Value (&sum)[run], const Line &line, int taps, int at)
{
    Value below[run], above[run];
    KIN_UNROLL
    for (int k = 0; k < run; k++) {
        below[k] = above[k] = line.at(at, k);
        add_tapped(&sum[k], line.tap(0), above[k]);
    }
    GPU_UNROLLED(4)
    for (int d = 1; d < taps; d++) {
        move_down(below, line.at(at - d));
        move_up(above, line.at(at + d, run - 1));
        auto tap = line.tap(d);
        for (int k = 0; k < run; k++)
            add_tapped(&sum[k], tap, below[k] + above[k]);
    }
}
