/* SPDX-License-Identifier: MIT
 *
 * dft.h: Fourier transforms of a few samples in the registers of a thread:
 *
 *     V_q = sum_p v_p e^(-2 pi i p q / R)                    dft(v), v of R samples, in place
 *
 * R is of the primes 2, 3, 5, 7; two factors are transformed one after the other, as Cooley and
 * Tukey do it. All indices become constants, or v would not stay in registers. */
#pragma once

#include "cuda/complex.h"

/* ---- roots of unity -------------------------------------------------------------------------- */

/* cos x by Taylor's series, for the compiler; |x| <= 2 pi. */
__host__ __device__ static constexpr double series_of_cos(double x)
{
    double term = 1, sum = 1;
    for (int n = 2; n < 60; n += 2) {
        term *= -x * x / ((n - 1) * n);
        sum += term;
    }
    return sum;
}

/* e^(2 pi i k / R) as cosine and sine. */
template <int R> struct roots {
    float c[R], s[R];
    __host__ __device__ constexpr roots() : c(), s()
    {
        constexpr double quarter = 1.57079632679489661923;
        for (int k = 0; k < R; k++) {
            c[k] = (float)series_of_cos(4 * quarter * k / R);
            s[k] = (float)series_of_cos(4 * quarter * k / R - quarter);
        }
    }
};

/* v e^(-2 pi i k / R), 0 <= k < R; eighths of a turn need few products or none. */
template <int R> static __device__ inline float2 turned(float2 v, int k)
{
    constexpr roots<R> root;
    constexpr float half = 0.70710678118654752440f;
    if (k == 0)
        return v;
    if (2 * k == R)
        return float2{-v.x, -v.y};
    if (4 * k == R)
        return float2{v.y, -v.x};
    if (4 * k == 3 * R)
        return float2{-v.y, v.x};
    if (8 * k == R)
        return float2{(v.x + v.y) * half, (v.y - v.x) * half};
    if (8 * k == 3 * R)
        return float2{(v.y - v.x) * half, -(v.x + v.y) * half};
    return times(v, float2{root.c[k], -root.s[k]});
}

/* ---- transforms ------------------------------------------------------------------------------ */

/* The first factor into which R is divided; R: it is a prime. */
__host__ __device__ static constexpr int dft_factor(int r)
{
    return r % 4 == 0 && r > 4 ? 4 : r % 2 == 0 ? 2 : r % 3 == 0 ? 3 : r;
}

/* An odd prime: samples p and R - p together. */
template <int R> static __device__ inline void dft_prime(float2 (&v)[R])
{
    constexpr roots<R> root;
    constexpr int HALF = (R - 1) / 2;
    float2 sum[HALF + 1], difference[HALF + 1], first = v[0];
    KIN_UNROLL
    for (int p = 1; p <= HALF; p++) {
        sum[p] = v[p] + v[R - p];
        difference[p] = v[p] - v[R - p];
        v[0] = v[0] + sum[p];
    }
    KIN_UNROLL
    for (int q = 1; q <= HALF; q++) {
        float2 even = first, odd = {0, 0};
        KIN_UNROLL
        for (int p = 1; p <= HALF; p++) {
            even = even + scaled(sum[p], root.c[p * q % R]);
            odd = odd + scaled(difference[p], root.s[p * q % R]);
        }
        v[q] = float2{even.x + odd.y, even.y - odd.x};
        v[R - q] = float2{even.x - odd.y, even.y + odd.x};
    }
}

template <int R> static __device__ inline void dft(float2 (&v)[R]);

/* N samples from v on, `step` apart. */
template <int N> static __device__ inline void dft_some(float2 *v, int step)
{
    float2 part[N];
    KIN_UNROLL
    for (int i = 0; i < N; i++)
        part[i] = v[step * i];
    dft(part);
    KIN_UNROLL
    for (int i = 0; i < N; i++)
        v[step * i] = part[i];
}

template <int R> static __device__ inline void dft(float2 (&v)[R])
{
    constexpr int A = dft_factor(R), B = R / A;
    if constexpr (R == 2) {
        float2 difference = v[0] - v[1];
        v[0] = v[0] + v[1];
        v[1] = difference;
    } else if constexpr (B == 1) {
        dft_prime(v);
    } else {
        float2 made[R];
        KIN_UNROLL
        for (int p = 0; p < B; p++) {
            dft_some<A>(v + p, B);
            KIN_UNROLL
            for (int q = 0; q < A; q++)
                v[B * q + p] = turned<R>(v[B * q + p], p * q);
        }
        KIN_UNROLL
        for (int q = 0; q < A; q++) {
            dft_some<B>(v + B * q, 1);
            KIN_UNROLL
            for (int i = 0; i < B; i++)
                made[q + A * i] = v[B * q + i];
        }
        KIN_UNROLL
        for (int k = 0; k < R; k++)
            v[k] = made[k];
    }
}
