// SPDX-License-Identifier: MIT
// filter_cuda.cu: neighbourhood work on the GPU. A Gaussian goes along the rows and then along the
// columns; each block of threads keeps the pixels it looks at in shared memory.
#include "sample_cuda.h"
#include "fold.h"
#include "gauss.h"

enum { ROW = SAMPLE_READS * GPU_THREADS, COLS = 32, ROWS = 64, LANES = GPU_THREADS / COLS };

/* The weighted sum around one of equally spaced samples. */
static __device__ float weigh(const float *at, int step, const float *w, int radius)
{
    float sum = w[0] * at[0];
    for (int k = 1; k <= radius; k++)
        sum += w[k] * (at[-k * step] + at[k * step]);
    return sum;
}

/* A block makes ROW pixels of row blockIdx.x. */
static __global__ void gauss_rows(float *dst, const float *src, int w, const float *weights,
                                  int radius)
{
    float *wide = gpu_shared<float>(); /* (ROW + 2 radius) */
    int first = (int)blockIdx.y * ROW, me = (int)threadIdx.x;
    const float *row = src + (size_t)blockIdx.x * w;
    int some = w - first < ROW ? w - first : ROW;
    read_ahead(me, some + 2 * radius, GPU_THREADS,
               [&](int i) { return row[kin_mirror(first - radius + i, w)]; },
               [&](int i, float v) { wide[i] = v; });
    __syncthreads();
    for (int i = me; i < some; i += GPU_THREADS)
        dst[(size_t)blockIdx.x * w + first + i] = weigh(wide + radius + i, 1, weights, radius);
}

/* A block makes ROWS x COLS pixels of plane blockIdx.z. */
static __global__ void gauss_columns(float *dst, const float *src, int h, int w,
                                     const float *weights, int radius)
{
    float *tall = gpu_shared<float>(); /* (ROWS + 2 radius, COLS) */
    int column = (int)threadIdx.x % COLS, lane = (int)threadIdx.x / COLS;
    int x = (int)blockIdx.x * COLS + column, y0 = (int)blockIdx.y * ROWS;
    size_t plane = (size_t)blockIdx.z * h * w;
    if (x < w)
        read_ahead(lane, ROWS + 2 * radius, LANES,
                   [&](int i) { return src[plane + (size_t)kin_mirror(y0 - radius + i, h) * w + x]; },
                   [&](int i, float v) { tall[i * COLS + column] = v; });
    __syncthreads();
    for (int i = lane; i < ROWS && y0 + i < h; i += LANES)
        if (x < w)
            dst[plane + (size_t)(y0 + i) * w + x] = weigh(tall + (radius + i) * COLS + column, COLS,
                                                          weights, radius);
}

/* For radii that do not fit into shared memory: n samples `step` apart, lines of them side by side.
 */
static __global__ void gauss_far(float *dst, const float *src, size_t count, int n, size_t step,
                                 const float *weights, int radius)
{
    size_t at = gpu_index();
    if (at >= count)
        return;
    int i = (int)(at / step % n);
    const float *line = src + (at - (size_t)i * step);
    float sum = weights[0] * line[(size_t)i * step];
    for (int k = 1; k <= radius; k++)
        sum += weights[k] *
               (line[kin_mirror(i - k, n) * step] + line[kin_mirror(i + k, n) * step]);
    dst[at] = sum;
}

/* ---- launchers --------------------------------------------------------------------------------
 */

static void filter_rows(struct device *dev, float *dst, const float *src, struct kin_dims d,
                        const float *weights, int radius)
{
    size_t shared = (ROW + 2 * (size_t)radius) * sizeof(float);
    if (shared <= GPU_SHARED)
        LAUNCH(dev, gauss_rows, dim3((unsigned)(d.z * d.y), gpu_pieces((size_t)d.x, ROW)),
               GPU_THREADS, shared)
    (dst, src, d.x, weights, radius);
    else LAUNCH(dev, gauss_far, gpu_each(kin_count(d)), GPU_THREADS, 0)(dst, src, kin_count(d), d.x,
                                                                        1, weights, radius);
}

static void filter_columns(struct device *dev, float *dst, const float *src, struct kin_dims d,
                           const float *weights, int radius)
{
    size_t shared = (ROWS + 2 * (size_t)radius) * COLS * sizeof(float);
    dim3 grid(gpu_pieces((size_t)d.x, COLS), gpu_pieces((size_t)d.y, ROWS), (unsigned)d.z);
    if (shared <= GPU_SHARED)
        LAUNCH(dev, gauss_columns, grid, GPU_THREADS, shared)(dst, src, d.y, d.x, weights, radius);
    else
        LAUNCH(dev, gauss_far, gpu_each(kin_count(d)), GPU_THREADS, 0)
    (dst, src, kin_count(d), d.y, (size_t)d.x, weights, radius);
}

void gpu_gauss_xy(struct device *dev, float *dst, const float *src, struct kin_dims dims,
                  float sigma)
{
    size_t bytes = kin_count(dims) * sizeof *dst;
    if (device_stopped(dev))
        return;
    if (sigma <= 0) {
        gpu_copy(dev, dst, src, bytes);
        return;
    }
    int radius;
    float *host = gauss_weights(sigma, &radius);
    if (!host) {
        device_fail(dev, KIN_MEMORY, "no memory for a Gaussian");
        return;
    }
    float *weights = gpu_array<float>(dev, (size_t)radius + 1),
          *middle = (float *)gpu_alloc(dev, bytes);
    gpu_upload(dev, weights, host, ((size_t)radius + 1) * sizeof *host);
    filter_rows(dev, middle, src, dims, weights, radius);
    filter_columns(dev, dst, middle, dims, weights, radius);
    gpu_release(dev, middle);
    gpu_release(dev, weights);
    free(host);
}
