/* SPDX-License-Identifier: MIT
 *
 * cosine_lines_cuda.h: cosine transforms (dct.h) of lines that a block of threads holds in shared memory,
 * so that what is done before and after costs no pass over the card's memory.
 *
 * A sample is a complex number: real and imaginary part are of two real lines, which are transformed at
 * once. All is done in place, radix by radix (dft_cuda.h). Forward: samples come in sorted (dct_place), a
 * butterfly is followed by its twiddles, coefficient l of the Fourier transform ends at place[l] (digits
 * reversed), cosine_fold makes cosines of it. Back is the same the other way round, on samples whose parts
 * are swapped: what a Fourier transform does to these, its inverse does to samples.
 */
#pragma once

#include "cosine_cuda.h"
#include "dft_cuda.h"

static __device__ inline int quotient(int x, struct gpu_divisor d)
{
    return d.by == 1 ? x : (int)((uint64_t)(unsigned)x * d.times >> 32);
}

/* ---- shared memory ------------------------------------------------------------------------------- */

/* A line of a block. */
struct cosine_line {
    unsigned first; /* byte of the block's shared memory */
    __device__ cosine_line(const struct cosine &c, int line)
        : first(gpu_plain((unsigned)(line * c.stride) * (unsigned)sizeof(float2)))
    {
    }
    __device__ float2 &operator[](unsigned place) const
    {
        return *(float2 *)(gpu_shared<char>() + (first + place * (unsigned)sizeof(float2)));
    }
};

/* ---- radices --------------------------------------------------------------------------------------- */

/* v_q *= w^q */
template <int R> static __device__ inline void twiddle(float2 (&v)[R], float2 w)
{
    float2 power[R];
    power[1] = w;
    KIN_UNROLL
    for (int q = 2; q < R; q++)
        power[q] = times(power[q / 2], power[q - q / 2]);
    KIN_UNROLL
    for (int q = 1; q < R; q++)
        v[q] = times(v[q], power[q]);
}

/* A stage of all lines. */
template <int R, bool FORWARD>
static __device__ __attribute__((noinline)) void cosine_radix(const struct cosine &c, const struct cosine_stage &s,
                                                              int lines)
{
    const struct gpu_divisor butterflies = s.butterflies, steps = s.steps;
    const float2 *twiddles = c.twiddle + s.twiddle;
    const uint16_t *place = c.place;
    int count = (int)butterflies.by, step = s.step, apart = s.apart, stride = c.stride;
    for (int i = (int)threadIdx.x; i < lines * count; i += GPU_THREADS) {
        int line = quotient(i, butterflies), j = i - line * count, block = quotient(j, steps),
            offset = j - block * step;
        float2 *at = gpu_shared<float2>() + line * stride + place[block * step * R + offset], v[R];
        KIN_UNROLL
        for (int q = 0; q < R; q++)
            v[q] = at[q * apart];
        if (!FORWARD && step > 1)
            twiddle(v, twiddles[offset]);
        dft(v);
        if (FORWARD && step > 1)
            twiddle(v, twiddles[offset]);
        KIN_UNROLL
        for (int q = 0; q < R; q++)
            at[q * apart] = v[q];
    }
}

template <bool FORWARD>
static __device__ inline void cosine_stage_of(const struct cosine &c, const struct cosine_stage &s, int lines)
{
    switch (s.radix) {
    case 16: cosine_radix<16, FORWARD>(c, s, lines); break;
    case 12: cosine_radix<12, FORWARD>(c, s, lines); break;
    case 10: cosine_radix<10, FORWARD>(c, s, lines); break;
    case 9: cosine_radix<9, FORWARD>(c, s, lines); break;
    case 8: cosine_radix<8, FORWARD>(c, s, lines); break;
    case 7: cosine_radix<7, FORWARD>(c, s, lines); break;
    case 6: cosine_radix<6, FORWARD>(c, s, lines); break;
    case 5: cosine_radix<5, FORWARD>(c, s, lines); break;
    case 4: cosine_radix<4, FORWARD>(c, s, lines); break;
    case 3: cosine_radix<3, FORWARD>(c, s, lines); break;
    default: cosine_radix<2, FORWARD>(c, s, lines);
    }
}

/* The Fourier transforms of lines, from samples in order to coefficients at their places, and from there to
 * samples. Every thread of a block calls it; it begins and ends with a barrier. */
static __device__ inline void cosine_forward(const struct cosine &c, int lines)
{
    __syncthreads();
    for (int i = 0; i < c.stages; i++) {
        cosine_stage_of<true>(c, c.stage[i], lines);
        __syncthreads();
    }
}

static __device__ inline void cosine_back(const struct cosine &c, int lines)
{
    __syncthreads();
    for (int i = c.stages; i--;) {
        cosine_stage_of<false>(c, c.stage[i], lines);
        __syncthreads();
    }
}

/* ---- cosines of Fourier coefficients ----------------------------------------------------------------
 * Coefficients l = 1..n/2 - 1 and n - l are made together, for l = 0 those of 0 and n/2. They are twice the
 * cosine transform's; what comes back is n times the samples. */

struct cosine_pair {
    float2 near, far;
};

static __device__ inline struct cosine_pair cosine_fold(const struct cosine &c, struct cosine_line line, unsigned l)
{
    ushort2 at = c.pair[l];
    float2 turn = c.turn[l], a = times(line[at.x], turn), b = times(line[at.y], conjugate(turn));
    return {a + b, {b.y - a.y, a.x - b.x}};
}

static __device__ inline struct cosine_pair cosine_fold_first(const struct cosine &c, struct cosine_line line)
{
    ushort2 at = c.pair[0];
    return {scaled(line[at.x], 2), scaled(line[at.y], 1.41421356237309504880f)};
}

/* Back; the samples' parts become swapped. */
static __device__ inline void cosine_unfold(const struct cosine &c, struct cosine_line line, unsigned l,
                                            struct cosine_pair v)
{
    ushort2 at = c.pair[l];
    float2 turn = c.turn[l];
    float2 a = {v.near.x + v.far.y, v.near.y - v.far.x}, b = {v.near.x - v.far.y, v.near.y + v.far.x};
    line[at.x] = swapped(times(a, conjugate(turn)));
    line[at.y] = swapped(times(b, turn));
}

static __device__ inline void cosine_unfold_first(const struct cosine &c, struct cosine_line line,
                                                  struct cosine_pair v)
{
    ushort2 at = c.pair[0];
    line[at.x] = swapped(v.near);
    line[at.y] = swapped(scaled(v.far, 1.41421356237309504880f));
}
