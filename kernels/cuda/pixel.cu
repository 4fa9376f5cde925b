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

struct alignas(16) quad {
    float x, y, z, w;
};

/* part[piece] = sum of a b over the piece; not two: of a. A thread reads 16 bytes twice before it
 * adds them, if 16 divides the addresses (quads). */
template <bool two>
static __global__ void add_pieces(double *part, const float *a, const float *b, size_t n,
                                  bool quads)
{
    enum { QUAD = 4, READS = 2 };
    size_t first = (size_t)blockIdx.x * PIECE, end = first + PIECE < n ? first + PIECE : n;
    double sum = 0;
    if (quads && end - first == PIECE) {
        a += first;
        if (two)
            b += first;
        GPU_UNROLLED(1)
        for (int i = (int)threadIdx.x; i < PIECE / QUAD; i += GPU_THREADS * READS) {
            quad from_a[READS], from_b[two ? READS : 1];
            KIN_UNROLL
            for (int k = 0; k < READS; k++) {
                from_a[k] = ((const quad *)a)[i + k * GPU_THREADS];
                if (two)
                    from_b[k] = ((const quad *)b)[i + k * GPU_THREADS];
            }
            KIN_UNROLL
            for (int k = 0; k < READS; k++) {
                quad p = from_a[k], q = two ? from_b[k] : quad{1, 1, 1, 1};
                sum += ((double)p.x * (double)q.x + (double)p.y * (double)q.y) +
                       ((double)p.z * (double)q.z + (double)p.w * (double)q.w);
            }
        }
    } else {
        for (size_t i = first + threadIdx.x; i < end; i += GPU_THREADS)
            sum += (double)a[i] * (two ? (double)b[i] : 1.0);
    }
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
    bool quads = ((uintptr_t)a | (uintptr_t)b) % sizeof(quad) == 0;
    auto kernel = b ? add_pieces<true> : add_pieces<false>;
    LAUNCH(dev, kernel, dim3((unsigned)pieces), GPU_THREADS, 0)(part, a, b, n, quads);
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
