/* SPDX-License-Identifier: MIT
 *
 * sort.h: sorting a few numbers that stay in registers: without a branch, and with indices
 * that are constants. A card has an instruction for the lower of two and one for the higher. */
#pragma once

#include "cuda/device.h"

static __device__ inline void sort_two(float &a, float &b)
{
    float low = fminf(a, b), high = fmaxf(a, b);
    a = low;
    b = high;
}

/* The same; the higher one's bits are those of both less the lower one's. What makes minima and
 * maxima takes two of a card's cycles for each, and so does what multiplies and adds integers, but
 * both work at once: where there is nothing else to be multiplied, this takes two thirds of the
 * time. Blocks are one thread deep, which the compiler does not know, or it would only add. */
static __device__ inline void sort_two_apart(float &a, float &b)
{
    float low = fminf(a, b);
    unsigned one = blockDim.z, rest = gpu_bits_of(b) * one - gpu_bits_of(low);
    b = gpu_float_of(gpu_bits_of(a) * one + rest);
    a = low;
}

/* Batcher's odd-even merge of the halves of N numbers, a power of two, from v[FIRST] on, of which
 * every STEPth counts. What is not among the first COUNT of all is higher than these. */
template <int FIRST, int N, int STEP, int COUNT, auto SORT_TWO = sort_two, int ALL>
static __device__ inline void sort_merge(float (&v)[ALL])
{
    if constexpr (2 * STEP < N) {
        sort_merge<FIRST, N, 2 * STEP, COUNT, SORT_TWO>(v);
        sort_merge<FIRST + STEP, N, 2 * STEP, COUNT, SORT_TWO>(v);
        KIN_UNROLL
        for (int i = FIRST + STEP; i + STEP < FIRST + N && i + STEP < COUNT; i += 2 * STEP)
            SORT_TWO(v[i], v[i + STEP]);
    } else if constexpr (FIRST + STEP < COUNT) {
        SORT_TWO(v[FIRST], v[FIRST + STEP]);
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
