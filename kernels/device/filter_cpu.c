// SPDX-License-Identifier: MIT
// filter_cpu.c: neighbourhood work on the CPU.
#include "core/fold.h"
#include "core/simd.h"
#include "device/device_cpu.h"
#include "device/gauss.h"

#include <stdlib.h>
#include <string.h>

/* One row; wide has room for n + 2 radius samples. */
VECTOR_CLONES static void gauss_row(float *dst, const float *src, int n, const float *w, int radius,
                                    float *wide)
{
    memcpy(wide + radius, src, (size_t)n * sizeof *src);
    for (int k = 1; k <= radius; k++) {
        wide[radius - k] = src[kin_mirror(-k, n)];
        wide[radius + n - 1 + k] = src[kin_mirror(n - 1 + k, n)];
    }
    for (int x = 0; x < n; x++)
        dst[x] = w[0] * src[x];
    for (int k = 1; k <= radius; k++) {
        const float *left = wide + radius - k, *right = wide + radius + k;
        for (int x = 0; x < n; x++)
            dst[x] += w[k] * (left[x] + right[x]);
    }
}

VECTOR_CLONES static void gauss_column(float *dst, const float *plane, struct kin_dims d, int y,
                                       const float *w, int radius)
{
    for (int x = 0; x < d.x; x++)
        dst[x] = w[0] * plane[(size_t)y * d.x + x];
    for (int k = 1; k <= radius; k++) {
        const float *up = plane + (size_t)kin_mirror(y - k, d.y) * d.x;
        const float *down = plane + (size_t)kin_mirror(y + k, d.y) * d.x;
        for (int x = 0; x < d.x; x++)
            dst[x] += w[k] * (up[x] + down[x]);
    }
}

void cpu_gauss_xy(struct device *dev, float *dst, const float *src, struct kin_dims dims,
                  float sigma)
{
    if (device_stopped(dev))
        return;
    if (sigma <= 0) {
        cpu_copy(dev, dst, src, kin_count(dims) * sizeof *dst);
        return;
    }
    int radius, rows = dims.z * dims.y;
    float *w = gauss_weights(sigma, &radius), *middle = kin_alloc(kin_count(dims) * sizeof *middle);
    if (!w || !middle) {
        device_fail(dev, KIN_MEMORY, "no memory for a Gaussian");
        goto out;
    }
    int failed = 0;
#pragma omp parallel num_threads(dev->threads) reduction(+ : failed)
    {
        float *wide = kin_alloc(((size_t)dims.x + 2 * (size_t)radius) * sizeof *wide);
#pragma omp for schedule(static)
        for (int r = 0; r < rows; r++)
            if (wide)
                gauss_row(middle + (size_t)r * dims.x, src + (size_t)r * dims.x, dims.x, w, radius,
                          wide);
        failed += !wide;
        free(wide);
    }
    if (failed) {
        device_fail(dev, KIN_MEMORY, "no memory for a Gaussian");
        goto out;
    }
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int r = 0; r < rows; r++)
        gauss_column(dst + (size_t)r * dims.x, middle + (size_t)(r / dims.y) * dims.y * dims.x,
                     dims, r % dims.y, w, radius);
out:
    free(w);
    free(middle);
}
