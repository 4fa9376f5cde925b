// SPDX-License-Identifier: MIT
// filter_cuda.cu: neighbourhood work on the GPU. A Gaussian goes along the rows and then along the
// columns; each block of threads keeps the pixels it looks at in shared memory.
#include "sample_cuda.h"
#include "window_cuda.h"
#include "fold.h"
#include "gauss.h"

enum {
    COLS = 32, /* a block makes ROWS x COLS pixels of columns */
    ROWS = 64,
    LANES = GPU_THREADS / COLS,
};

namespace {

/* Pixels of a row in shared memory. Threads that stand side by side read every fourth of them: a gap
 * after 32 lets them meet different banks. */
struct row_of {
    const float *pixels, *weights;
    static __host__ __device__ int place(int i) { return i + i / 32; }
    __device__ float at(int i) const { return pixels[place(i)]; }
    __device__ float tap(int d) const { return weights[d]; }
};

struct column_of {
    const float *pixels, *weights;
    __device__ float at(int i) const { return pixels[i * COLS]; }
    __device__ float tap(int d) const { return weights[d]; }
};

} // namespace

/* A block makes RUN pixels a thread of row blockIdx.x. */
static __global__ void gauss_rows(float *dst, const float *src, int w, const float *weights,
                                  int radius)
{
    float *wide = gpu_shared<float>(); /* those and radius on both sides */
    int me = (int)threadIdx.x, threads = (int)blockDim.x, first = (int)blockIdx.y * RUN * threads;
    int some = w - first < RUN * threads ? w - first : RUN * threads;
    const float *row = src + (size_t)blockIdx.x * w;
    read_ahead(me, RUN * threads + 2 * radius, threads,
               [&](int i) { return row[kin_mirror(first - radius + i, w)]; },
               [&](int i, float v) { wide[row_of::place(i)] = v; });
    __syncthreads();
    float sum[RUN] = {};
    add_even(sum, row_of{wide, weights}, radius + 1, radius + RUN * me);
    __syncthreads(); /* all have read: the sums take their place, to be written side by side */
    for (int k = 0; k < RUN; k++)
        wide[row_of::place(RUN * me + k)] = sum[k];
    __syncthreads();
    for (int i = me; i < some; i += threads)
        dst[(size_t)blockIdx.x * w + first + i] = wide[row_of::place(i)];
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
    for (int i = RUN * lane; i < ROWS && y0 + i < h && x < w; i += RUN * LANES) {
        float sum[RUN] = {};
        add_even(sum, column_of{tall + column, weights}, radius + 1, radius + i);
        for (int k = 0; k < RUN && y0 + i + k < h; k++)
            dst[plane + (size_t)(y0 + i + k) * w + x] = sum[k];
    }
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
    unsigned threads = 32 * gpu_pieces((size_t)d.x, 32 * RUN); /* whole warps, but no more than a row needs */
    if (threads > GPU_THREADS)
        threads = GPU_THREADS;
    size_t shared = ((size_t)row_of::place(RUN * (int)threads + 2 * radius) + 1) * sizeof(float);
    dim3 grid((unsigned)(d.z * d.y), gpu_pieces((size_t)d.x, RUN * threads));
    if (shared <= GPU_SHARED)
        LAUNCH(dev, gauss_rows, grid, dim3(threads), shared)(dst, src, d.x, weights, radius);
    else
        LAUNCH(dev, gauss_far, gpu_each(kin_count(d)), GPU_THREADS, 0)
    (dst, src, kin_count(d), d.x, 1, weights, radius);
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
