// SPDX-License-Identifier: MIT
// filter_cuda.cu: neighbourhood work on the GPU. A Gaussian goes along the rows and then along the
// columns; each block of threads keeps the pixels it looks at in shared memory.
#include "sample_cuda.h"
#include "window_cuda.h"
#include "fold.h"
#include "gauss.h"

enum {
    NARROW = 4, /* pixels next to each other that a thread makes; for wide Gaussians: */
    WIDE = 8,
    RADIUS_NARROW = 12, /* the most that is not wide */
    RADIUS_MOST = 128,  /* that fits into shared memory; a multiple of both */
    COLS = 32,          /* a block makes rows_of(run) x COLS pixels of columns */
    LANES = GPU_THREADS / COLS,
};

static __host__ __device__ constexpr int rows_of(int run)
{
    return 2 * run * LANES;
}

namespace {

/* What neighbours are multiplied by: in shared memory from the first one on, so that four are read
 * at once. */
struct near_taps {
    float middle;
    const float *beside;
    __device__ float tap(int d) const { return d ? beside[d - 1] : middle; }
};

/* Pixels of a row in shared memory. Those of which each is `run` further on lie side by side:
 * threads that make `run` each meet different banks, and what they read next lies at a distance
 * that is known. */
template <int run> struct row_of : near_taps {
    enum { PITCH = GPU_THREADS + (2 * RADIUS_MOST + 32) / run, ALL = run * PITCH };
    const float *pixels;
    __device__ row_of(near_taps taps, const float *pixels) : near_taps(taps), pixels(pixels) {}
    static __device__ int place(int i)
    {
        return (int)((unsigned)i / run + (unsigned)i % run * PITCH);
    }
    __device__ float at(int i, int c) const /* i: a multiple of run */
    {
        int rest = (c % run + run) % run;
        return pixels[(int)((unsigned)i / run) + (c - rest) / run + rest * PITCH];
    }
};

struct column_of : near_taps {
    const float *pixels;
    __device__ column_of(near_taps taps, const float *pixels) : near_taps(taps), pixels(pixels) {}
    __device__ float at(int i, int c) const { return pixels[(i + c) * COLS]; }
};

} // namespace

/* By `threads` threads, of which this is number `me`; room: for radius of them. */
static __device__ near_taps read_taps(float *room, const float *weights, int radius, int me,
                                      int threads)
{
    for (int i = me; i < radius; i += threads)
        room[i] = weights[i + 1];
    return {weights[0], room};
}

/* write(i, read(from + i)) of the first `many` samples of a line of n from `from` on, mirrored
 * where it ends. */
template <typename Read, typename Write>
static __device__ void read_line(int me, int many, int threads, int from, int n, Read read,
                                 Write write)
{
    if (from >= 0 && from + many <= n)
        read_ahead(
            me, many, threads, [&](int i) { return read(from + i); }, write);
    else
        read_ahead(
            me, many, threads, [&](int i) { return read(kin_mirror(from + i, n)); }, write);
}

/* A block makes `run` pixels a thread of row blockIdx.x. Weights of both kernels are followed by
 * zeros, up to a radius that is a multiple of `run`. */
template <int run>
static __global__ void gauss_rows(float *dst, const float *src, int w, const float *weights,
                                  int radius)
{
    typedef struct row_of<run> line;
    float *wide = gpu_shared<float>(); /* those and radius on both sides */
    int me = (int)threadIdx.x, threads = (int)blockDim.x, first = (int)blockIdx.y * run * threads;
    int some = w - first < run * threads ? w - first : run * threads;
    const float *row = src + (size_t)blockIdx.x * w;
    near_taps taps = read_taps(wide + line::ALL, weights, radius, me, threads);
    read_line(
        me, run * threads + 2 * radius, threads, first - radius, w, [&](int i) { return row[i]; },
        [&](int i, float v) { wide[line::place(i)] = v; });
    __syncthreads();
    float sum[run] = {};
    add_even<run>(sum, line(taps, wide), radius + 1, radius + run * me);
    __syncthreads(); /* all have read: the sums take their place, to be written side by side */
    for (int k = 0; k < run; k++)
        wide[line::place(run * me + k)] = sum[k];
    __syncthreads();
    for (int i = me; i < some; i += threads)
        dst[(size_t)blockIdx.x * w + first + i] = wide[line::place(i)];
}

/* A block makes rows_of(run) x COLS pixels of plane blockIdx.z. */
template <int run>
static __global__ void gauss_columns(float *dst, const float *src, int h, int w,
                                     const float *weights, int radius)
{
    const int rows = rows_of(run);
    float *taps_room = gpu_shared<float>(),
          *tall = taps_room + RADIUS_MOST; /* (rows + 2 radius, COLS) */
    int column = (int)threadIdx.x % COLS, lane = (int)threadIdx.x / COLS;
    int x = (int)blockIdx.x * COLS + column, y0 = (int)blockIdx.y * rows;
    size_t plane = (size_t)blockIdx.z * h * w;
    near_taps taps = read_taps(taps_room, weights, radius, (int)threadIdx.x, GPU_THREADS);
    if (x < w)
        read_line(
            lane, rows + 2 * radius, LANES, y0 - radius, h,
            [&](int i) { return src[plane + (size_t)(unsigned)i * (unsigned)w + x]; },
            [&](int i, float v) { tall[i * COLS + column] = v; });
    __syncthreads();
    for (int i = run * lane; i < rows && y0 + i < h && x < w; i += run * LANES) {
        float sum[run] = {};
        add_even<run>(sum, column_of(taps, tall + column), radius + 1, radius + i);
        for (int k = 0; k < run && y0 + i + k < h; k++)
            dst[plane + (size_t)(y0 + i + k) * w + x] = sum[k];
    }
}

/* For radii that do not fit into shared memory: n samples `step` apart, lines of them side by
 * side. */
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
        sum += weights[k] * (line[kin_mirror(i - k, n) * step] + line[kin_mirror(i + k, n) * step]);
    dst[at] = sum;
}

/* ---- launchers ------------------------------------------------------------------------------- */

/* What a volume is convolved with along a line: on the card, followed by zeros. */
struct taps {
    float *weights;
    int radius; /* counting the zeros */
};

template <int run>
static void filter_rows(struct device *dev, float *dst, const float *src, struct kin_dims d,
                        struct taps taps)
{
    /* whole warps, but no more than a row needs */
    unsigned threads = 32 * gpu_pieces((size_t)d.x, 32 * run);
    if (threads > GPU_THREADS)
        threads = GPU_THREADS;
    dim3 grid((unsigned)(d.z * d.y), gpu_pieces((size_t)d.x, run * threads));
    size_t shared = (row_of<run>::ALL + RADIUS_MOST) * sizeof(float);
    LAUNCH(dev, gauss_rows<run>, grid, dim3(threads), shared)
    (dst, src, d.x, taps.weights, taps.radius);
}

template <int run>
static void filter_columns(struct device *dev, float *dst, const float *src, struct kin_dims d,
                           struct taps taps)
{
    size_t shared = ((rows_of(run) + 2 * (size_t)taps.radius) * COLS + RADIUS_MOST) * sizeof(float);
    dim3 grid(gpu_pieces((size_t)d.x, COLS), gpu_pieces((size_t)d.y, rows_of(run)), (unsigned)d.z);
    LAUNCH(dev, gauss_columns<run>, grid, GPU_THREADS, shared)
    (dst, src, d.y, d.x, taps.weights, taps.radius);
}

static void filter_far(struct device *dev, float *dst, const float *src, struct kin_dims d, int n,
                       size_t step, struct taps taps)
{
    LAUNCH(dev, gauss_far, gpu_each(kin_count(d)), GPU_THREADS, 0)
    (dst, src, kin_count(d), n, step, taps.weights, taps.radius);
}

/* Along rows to `middle`, from there along columns. A short row has no work for many threads that
 * make much each. */
static void filter(struct device *dev, float *dst, float *middle, const float *src,
                   struct kin_dims d, struct taps taps)
{
    bool wide = taps.radius > RADIUS_NARROW;
    if (taps.radius > RADIUS_MOST) {
        filter_far(dev, middle, src, d, d.x, 1, taps);
        filter_far(dev, dst, middle, d, d.y, (size_t)d.x, taps);
        return;
    }
    (wide && d.x > 32 * NARROW ? filter_rows<WIDE> : filter_rows<NARROW>)(dev, middle, src, d,
                                                                          taps);
    (wide ? filter_columns<WIDE> : filter_columns<NARROW>)(dev, dst, middle, d, taps);
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
    int run = radius <= RADIUS_NARROW ? NARROW : WIDE;
    struct taps taps = {NULL, (radius + run - 1) / run * run};
    float *middle = (float *)gpu_alloc(dev, bytes);
    taps.weights = gpu_array<float>(dev, (size_t)taps.radius + 1);
    gpu_zero(dev, taps.weights, ((size_t)taps.radius + 1) * sizeof *host);
    gpu_upload(dev, taps.weights, host, ((size_t)radius + 1) * sizeof *host);
    filter(dev, dst, middle, src, dims, taps);
    gpu_release(dev, middle);
    gpu_release(dev, taps.weights);
    free(host);
}
