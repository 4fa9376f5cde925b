/* SPDX-License-Identifier: MIT
 *
 * complex_cuda.h: complex numbers of the GPU back end.
 */
#pragma once

#include "device_cuda.h"

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
