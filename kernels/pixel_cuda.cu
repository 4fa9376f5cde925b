// SPDX-License-Identifier: MIT
// pixel_cuda.cu: element-wise work and reductions on the GPU.
//
// A block of threads adds PIECE elements, the host adds the pieces in order.
#include "device_cuda.h"

enum { PIECE = 16384 };

static __global__ void widen(float *dst, const uint16_t *src, size_t n)
{
    size_t i = gpu_index();
    if (i < n)
        dst[i] = src[i];
}

static __global__ void narrow(uint16_t *dst, const float *src, size_t n)
{
    size_t i = gpu_index();
    if (i < n)
        dst[i] = kin_round_u16(src[i]);
}

/* part[piece] = sum of a b over the piece; b NULL: of a. */
static __global__ void add_pieces(double *part, const float *a, const float *b, size_t n)
{
    size_t first = (size_t)blockIdx.x * PIECE, end = first + PIECE < n ? first + PIECE : n;
    double sum = 0;
    for (size_t i = first + threadIdx.x; i < end; i += GPU_THREADS)
        sum += (double)a[i] * (b ? (double)b[i] : 1.0);
    sum = gpu_block_sum(sum);
    if (threadIdx.x == 0)
        part[blockIdx.x] = sum;
}

void gpu_u16_to_f32(struct device *dev, float *dst, const uint16_t *src, size_t n)
{
    LAUNCH(dev, widen, gpu_each(n), GPU_THREADS, 0)(dst, src, n);
}

void gpu_f32_to_u16(struct device *dev, uint16_t *dst, const float *src, size_t n)
{
    LAUNCH(dev, narrow, gpu_each(n), GPU_THREADS, 0)(dst, src, n);
}

static double reduce(struct device *dev, const float *a, const float *b, size_t n)
{
    size_t pieces = (n + PIECE - 1) / PIECE;
    double *host = (double *)malloc((pieces + 1) * sizeof *host), total = 0;
    double *part = gpu_array<double>(dev, pieces);
    if (!host)
        device_fail(dev, KIN_MEMORY, "no memory for a sum");
    LAUNCH(dev, add_pieces, dim3((unsigned)pieces), GPU_THREADS, 0)(part, a, b, n);
    gpu_download(dev, host, part, pieces * sizeof *part);
    for (size_t k = 0; k < pieces && !device_stopped(dev); k++)
        total += host[k];
    gpu_release(dev, part);
    free(host);
    return total;
}

double gpu_sum(struct device *dev, const float *a, size_t n)
{
    return reduce(dev, a, NULL, n);
}

double gpu_dot(struct device *dev, const float *a, const float *b, size_t n)
{
    return reduce(dev, a, b, n);
}
