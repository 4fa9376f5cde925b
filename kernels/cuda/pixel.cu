// SPDX-License-Identifier: MIT
// pixel.cu: element-wise work and reductions on the GPU.
//
// A block of threads adds PIECE elements, the host adds the pieces in order.
#include "cuda/sample.h"

enum { PIECE = 16384 };

namespace {

struct widen {
    float *dst;
    const uint16_t *src;
    __device__ uint16_t read(size_t i) const { return src[i]; }
    __device__ void write(size_t i, uint16_t v) const { dst[i] = v; }
};

struct narrow {
    uint16_t *dst;
    const float *src;
    __device__ float read(size_t i) const { return src[i]; }
    __device__ void write(size_t i, float v) const { dst[i] = kin_round_u16(v); }
};

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

} // namespace

void gpu_u16_to_f32(struct device *dev, float *dst, const uint16_t *src, size_t n)
{
    ON_SAMPLES(dev, n, widen, dst, src);
}

void gpu_f32_to_u16(struct device *dev, uint16_t *dst, const float *src, size_t n)
{
    ON_SAMPLES(dev, n, narrow, dst, src);
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
