// SPDX-License-Identifier: MIT
// pixel_cpu.c: element-wise work and reductions on the CPU.
//
// Reductions add blocks of BLOCK elements in double, each block from left to right by one thread,
// and then the blocks in order: the result does not depend on the thread count.
#include "device/device_cpu.h"

#include <stdlib.h>

enum { BLOCK = 16384 };

void cpu_u16_to_f32(struct device *dev, float *dst, const uint16_t *src, size_t n)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for simd num_threads(dev->threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        dst[i] = src[i];
}

void cpu_f32_to_u16(struct device *dev, uint16_t *dst, const float *src, size_t n)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        dst[i] = kin_round_u16(src[i]);
}

static double block_dot(const float *a, const float *b, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += (double)a[i] * (b ? (double)b[i] : 1.0);
    return s;
}

static double reduce(struct device *dev, const float *a, const float *b, size_t n)
{
    size_t blocks = (n + BLOCK - 1) / BLOCK;
    double *part = device_stopped(dev) ? NULL : malloc((blocks + 1) * sizeof *part), total = 0;
    if (!part) {
        device_fail(dev, KIN_MEMORY, "no memory for a sum");
        return 0;
    }
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (size_t k = 0; k < blocks; k++) {
        size_t at = k * BLOCK, count = n - at < BLOCK ? n - at : BLOCK;
        part[k] = block_dot(a + at, b ? b + at : NULL, count);
    }
    for (size_t k = 0; k < blocks; k++)
        total += part[k];
    free(part);
    return total;
}

double cpu_sum(struct device *dev, const float *a, size_t n)
{
    return reduce(dev, a, NULL, n);
}

double cpu_dot(struct device *dev, const float *a, const float *b, size_t n)
{
    return reduce(dev, a, b, n);
}
