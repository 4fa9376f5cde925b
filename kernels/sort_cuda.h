/* SPDX-License-Identifier: MIT
 *
 * sort_cuda.h: sorting a few numbers that stay in registers: without a branch, and with indices
 * that are constants. A card has an instruction for the lower of two and one for the higher. */
#pragma once

#include "device_cuda.h"

static __device__ inline void sort_two(float &a, float &b)
{
    float low = fminf(a, b), high = fmaxf(a, b);
    a = low;
    b = high;
}

/* Batcher's odd-even merge of the halves of N numbers, a power of two, from v[FIRST] on, of which
 * every STEPth counts. What is not among the first COUNT of all is higher than these. */
template <int FIRST, int N, int STEP, int COUNT, int ALL>
static __device__ inline void sort_merge(float (&v)[ALL])
{
    if constexpr (2 * STEP < N) {
        sort_merge<FIRST, N, 2 * STEP, COUNT>(v);
        sort_merge<FIRST + STEP, N, 2 * STEP, COUNT>(v);
        KIN_UNROLL
        for (int i = FIRST + STEP; i + STEP < FIRST + N && i + STEP < COUNT; i += 2 * STEP)
            sort_two(v[i], v[i + STEP]);
    } else if constexpr (FIRST + STEP < COUNT) {
        sort_two(v[FIRST], v[FIRST + STEP]);
    }
}

/* Sorts N of them, a power of two. */
template <int FIRST, int N, int COUNT, int ALL>
static __device__ inline void sort_some(float (&v)[ALL])
{
    if constexpr (N > 1) {
        sort_some<FIRST, N / 2, COUNT>(v);
        sort_some<FIRST + N / 2, N / 2, COUNT>(v);
        sort_merge<FIRST, N, 1, COUNT>(v);
    }
}
