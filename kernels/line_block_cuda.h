/* SPDX-License-Identifier: MIT
 *
 * line_block_cuda.h: Fourier and cosine transforms of lines that a block of threads holds in shared memory,
 * so that what is done before and after costs no pass over the card's memory.
 *
 * A sample is a complex number; real lines are transformed two at once, as real and imaginary part. All is
 * done in place, radix by radix (dft_cuda.h). Forward: a butterfly is followed by its twiddles, and coefficient l
 * ends where its digits, reversed, are. Back is the same the other way round, on samples whose parts are
 * swapped: what a Fourier transform does to these, its inverse does to samples. What is not Fourier's, such as
 * cosines, is made of its coefficients l and n - l on the way out ("folds").
 */
#pragma once

#include "dft_cuda.h"
#include "line_cuda.h"

static __device__ inline int quotient(int x, struct gpu_divisor d)
{
    return d.by == 1 ? x : (int)((uint64_t)(unsigned)x * d.times >> 32);
}

/* ---- shared memory ------------------------------------------------------------------------------- */

/* A line of a block. */
struct block_line {
    unsigned first; /* byte of the block's shared memory */
    __device__ block_line(const struct line_plan &c, int line)
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
static __device__ __attribute__((noinline)) void line_radix(const struct line_plan &c, const struct line_stage &s,
                                                              int lines)
{
    const struct gpu_divisor butterflies = s.butterflies, steps = s.steps;
    const float2 *twiddles = c.twiddle + s.twiddle;
    const uint16_t *place = c.place;
    int count = (int)butterflies.by, step = s.step, apart = s.apart, stride = c.stride;
    for (int i = (int)threadIdx.x; i < lines * count; i += GPU_THREADS) {
        int line = quotient(i, butterflies), j = i - line * count, block = quotient(j, steps),
            offset = j - block * step;
        float2 *at = gpu_shared<float2>() + line * stride + gpu_fixed(place[block * step * R + offset]), v[R];
        KIN_UNROLL
        for (int q = 0; q < R; q++)
            v[q] = at[q * apart];
        if (!FORWARD && step > 1)
            twiddle(v, gpu_fixed(twiddles[offset]));
        dft(v);
        if (FORWARD && step > 1)
            twiddle(v, gpu_fixed(twiddles[offset]));
        KIN_UNROLL
        for (int q = 0; q < R; q++)
            at[q * apart] = v[q];
    }
}

template <bool FORWARD>
static __device__ inline void line_stage_of(const struct line_plan &c, const struct line_stage &s, int lines)
{
    switch (s.radix) {
    case 16: line_radix<16, FORWARD>(c, s, lines); break;
    case 12: line_radix<12, FORWARD>(c, s, lines); break;
    case 10: line_radix<10, FORWARD>(c, s, lines); break;
    case 9: line_radix<9, FORWARD>(c, s, lines); break;
    case 8: line_radix<8, FORWARD>(c, s, lines); break;
    case 7: line_radix<7, FORWARD>(c, s, lines); break;
    case 6: line_radix<6, FORWARD>(c, s, lines); break;
    case 5: line_radix<5, FORWARD>(c, s, lines); break;
    case 4: line_radix<4, FORWARD>(c, s, lines); break;
    case 3: line_radix<3, FORWARD>(c, s, lines); break;
    default: line_radix<2, FORWARD>(c, s, lines);
    }
}

/* The Fourier transforms of lines, from samples in order to coefficients at their places, and from there to
 * samples. Every thread of a block calls it; it begins and ends with a barrier. */
static __device__ inline void lines_forward(const struct line_plan &c, int lines)
{
    __syncthreads();
    for (int i = 0; i < c.stages; i++) {
        line_stage_of<true>(c, c.stage[i], lines);
        __syncthreads();
    }
}

static __device__ inline void lines_back(const struct line_plan &c, int lines)
{
    __syncthreads();
    for (int i = c.stages; i--;) {
        line_stage_of<false>(c, c.stage[i], lines);
        __syncthreads();
    }
}

/* ---- folds -------------------------------------------------------------------------------------------
 * What is made of Fourier coefficients l and n - l, 0 < l < n/2, and of 0 and n/2, the "first" pair; and back,
 * to coefficients whose parts are swapped. A transform and its inverse multiply by n, or by 2 n with a fold that
 * doubles. */

/* Where a pair lies, and what a fold needs of tables: it is read with the pair, or ahead of it. */
struct line_spot {
    ushort2 at;
    float2 turn;
};

struct line_of_plan {
    const struct line_plan &c;
    struct block_line line;
    __device__ struct pair get(ushort2 at) const { return {line[at.x], line[at.y]}; }
    __device__ void put(ushort2 at, struct pair v) const
    {
        line[at.x] = swapped(v.near);
        line[at.y] = swapped(v.far);
    }
    __device__ struct line_spot spot(unsigned l, bool turned) const
    {
        return {gpu_fixed(c.pair[l]), turned ? gpu_fixed(c.turn[l]) : float2{1, 0}};
    }
};

/* Two lines that are mirrored: their cosine transforms (dct.h), doubled. */
struct cosine_fold {
    enum { COSINES = true }; /* coefficients are real; samples must be sorted */
    struct line_of_plan of;
    __device__ struct line_spot spot(unsigned l) const { return of.spot(l, true); }
    __device__ struct pair on(struct line_spot spot) const
    {
        return folded(of.get(spot.at), spot.turn);
    }
    __device__ struct pair on_first(struct line_spot spot) const
    {
        struct pair v = of.get(spot.at);
        return {scaled(v.near, 2), scaled(v.far, 1.41421356237309504880f)};
    }
    __device__ void back(struct line_spot spot, struct pair v) const
    {
        of.put(spot.at, unfolded(v, spot.turn));
    }
    __device__ void back_first(struct line_spot spot, struct pair v) const
    {
        of.put(spot.at, {v.near, scaled(v.far, 1.41421356237309504880f)});
    }
};

/* Two real lines: their Fourier coefficients l, doubled, the first line's and the second's. Of each the first pair,
 * which is real, becomes one number. */
struct real_fold {
    enum { COSINES = false };
    struct line_of_plan of;
    __device__ struct line_spot spot(unsigned l) const { return of.spot(l, false); }
    __device__ struct pair on(struct line_spot spot) const
    {
        struct pair v = of.get(spot.at);
        return {{v.near.x + v.far.x, v.near.y - v.far.y}, {v.near.y + v.far.y, v.far.x - v.near.x}};
    }
    __device__ struct pair on_first(struct line_spot spot) const
    {
        struct pair v = of.get(spot.at);
        return {{2 * v.near.x, 2 * v.far.x}, {2 * v.near.y, 2 * v.far.y}};
    }
    __device__ void back(struct line_spot spot, struct pair v) const
    {
        of.put(spot.at, {{v.near.x - v.far.y, v.near.y + v.far.x}, {v.near.x + v.far.y, v.far.x - v.near.y}});
    }
    __device__ void back_first(struct line_spot spot, struct pair v) const
    {
        of.put(spot.at, {{v.near.x, v.far.x}, {v.near.y, v.far.y}});
    }
};

/* A complex line; or, if it is `both`, two real ones as real_fold has them, but for the first pair, which stays and
 * has one coefficient of each in each of its numbers. */
struct complex_fold {
    enum { COSINES = false };
    struct line_of_plan of;
    bool both;
    __device__ struct line_spot spot(unsigned l) const { return of.spot(l, false); }
    __device__ struct pair on(struct line_spot spot) const
    {
        if (!both)
            return of.get(spot.at);
        struct pair v = real_fold{of}.on(spot);
        return {scaled(v.near, 0.5f), scaled(v.far, 0.5f)};
    }
    __device__ struct pair on_first(struct line_spot spot) const { return of.get(spot.at); }
    __device__ void back(struct line_spot spot, struct pair v) const
    {
        if (both)
            real_fold{of}.back(spot, v);
        else
            of.put(spot.at, v);
    }
    __device__ void back_first(struct line_spot spot, struct pair v) const { of.put(spot.at, v); }
};

/* Where samples of a line lie. */
template <typename Fold> static __device__ inline const uint16_t *places_for(const struct line_plan &c)
{
    return Fold::COSINES ? c.sorted : c.place;
}
