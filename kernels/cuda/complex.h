/* SPDX-License-Identifier: MIT
 *
 * complex.h: complex numbers of the GPU back end. */
#pragma once

#include "cuda/device.h"

static __device__ inline float2 operator+(float2 a, float2 b)
{
    return float2{a.x + b.x, a.y + b.y};
}

static __device__ inline float2 operator-(float2 a, float2 b)
{
    return float2{a.x - b.x, a.y - b.y};
}

static __device__ inline float2 scaled(float2 a, float by)
{
    return float2{a.x * by, a.y * by};
}

static __device__ inline float2 times(float2 a, float2 b)
{
    return float2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

static __device__ inline float2 conjugate(float2 a)
{
    return float2{a.x, -a.y};
}

/* Real and imaginary part changed: i times the conjugate. */
static __device__ inline float2 swapped(float2 a)
{
    return float2{a.y, a.x};
}

/* Numbers l and n - l of n. */
struct alignas(16) pair {
    float2 near, far;
};

static __device__ inline struct pair swapped(struct pair v)
{
    return pair{swapped(v.near), swapped(v.far)};
}

/* Cosine coefficients of mirrored lines from the Fourier coefficients of their sorted samples
 * (dct.h), doubled; turn is e^(-i pi l / 2n). */
static __device__ inline struct pair folded(struct pair v, float2 turn)
{
    float2 a = times(v.near, turn), b = times(v.far, conjugate(turn));
    return pair{a + b, {b.y - a.y, a.x - b.x}};
}

/* And back, doubled. */
static __device__ inline struct pair unfolded(struct pair v, float2 turn)
{
    float2 a = {v.near.x + v.far.y, v.near.y - v.far.x},
           b = {v.near.x - v.far.y, v.near.y + v.far.x};
    return pair{times(a, conjugate(turn)), times(b, turn)};
}
