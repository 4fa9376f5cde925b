// SPDX-License-Identifier: MIT
// focus_cuda.cu: finding and taking the plane in focus, on the GPU.
//
// Box sums are integers, so that sliding them down a column loses nothing.
#include "sample_cuda.h"
#include "focus_pixel.h"

enum {
    STRIP = 16,
    FEW = 32
}; /* rows of pixels that a block slides over; planes of a common stack */

/* ---- variance in boxes, averaged over bins ------------------------------------------------------
 */

struct measure {
    const uint16_t *src; /* (rows + 2 radius, w) */
    int rows, w, radius, bin, top;
    int cols;        /* pixels of a row that a block takes, whole bins */
    int bins_across; /* of a row of the result */
    int bins_down;   /* that a block makes */
};

static __device__ unsigned clipped(const struct measure *m, int y, int x)
{
    int v = m->src[(size_t)y * m->w + x];
    return (unsigned)(v < m->top ? v : m->top);
}

/* The sums of column x over the rows around pixel row y; slide: they are there for row y - 1. */
static __device__ void add_column(const struct measure *m, int y, int x, bool slide, unsigned *s1,
                                  unsigned long long *s2)
{
    unsigned a = 0;
    unsigned long long b = 0;
    for (int k = slide ? 2 * m->radius : 0; k <= 2 * m->radius; k++) {
        unsigned v = clipped(m, y + k, x);
        a += v;
        b += (unsigned long long)v * v;
    }
    if (slide) {
        unsigned v = clipped(m, y - 1, x);
        a += *s1 - v;
        b += *s2 - (unsigned long long)v * v;
    }
    *s1 = a;
    *s2 = b;
}

static __global__ void measure_boxes(float *spread, float *level,
                                     const __grid_constant__ struct measure m)
{
    int wide = m.cols + 2 * m.radius, first = (int)blockIdx.x * m.cols, me = (int)threadIdx.x;
    unsigned long long *s2 = gpu_shared<unsigned long long>();  /* (wide) */
    double *sum = (double *)(s2 + wide), *light = sum + m.cols; /* (cols) each */
    unsigned *s1 = (unsigned *)(light + m.cols);                /* (wide) */
    double count = (2.0 * m.radius + 1) * (2.0 * m.radius + 1);
    bool slide = false;
    for (int j = (int)blockIdx.y * m.bins_down;
         j < ((int)blockIdx.y + 1) * m.bins_down && j * m.bin < m.rows; j++) {
        int y0 = j * m.bin, y1 = y0 + m.bin < m.rows ? y0 + m.bin : m.rows;
        for (int c = me; c < m.cols; c += GPU_THREADS)
            sum[c] = light[c] = 0;
        for (int y = y0; y < y1; y++) {
            for (int c = me; c < wide; c += GPU_THREADS)
                add_column(&m, y, kin_mirror(first - m.radius + c, m.w), slide, s1 + c, s2 + c);
            slide = true;
            __syncthreads();
            for (int c = me; c < m.cols && first + c < m.w; c += GPU_THREADS) {
                unsigned a = 0;
                unsigned long long b = 0;
                for (int k = 0; k <= 2 * m.radius; k++) {
                    a += s1[c + k];
                    b += s2[c + k];
                }
                sum[c] += box_variance(count, a, (double)b);
                light[c] += clipped(&m, y + m.radius, first + c);
            }
            __syncthreads();
        }
        for (int b = me; b * m.bin < m.cols && first + b * m.bin < m.w; b += GPU_THREADS) {
            int from = b * m.bin, cols = m.w - first - from < m.bin ? m.w - first - from : m.bin;
            double v = 0, l = 0, pixels = (double)cols * (y1 - y0);
            for (int k = 0; k < cols; k++) {
                v += sum[from + k];
                l += light[from + k];
            }
            size_t at = (size_t)j * m.bins_across + first / m.bin + b;
            spread[at] = (float)(v / pixels);
            level[at] = (float)(l / pixels);
        }
        __syncthreads();
    }
}

void gpu_focus_measure(struct device *dev, float *spread, float *level, const uint16_t *src,
                       struct kin_dims dims, int radius, int bin, int top)
{
    int across = (dims.x + bin - 1) / bin, rows = dims.y - 2 * radius,
        bins = (rows + bin - 1) / bin;
    int cols = bin < GPU_THREADS ? GPU_THREADS / bin * bin : bin,
        down = bin < STRIP ? STRIP / bin : 1;
    size_t wide = (size_t)cols + 2 * (size_t)radius;
    size_t shared = wide * (sizeof(unsigned long long) + sizeof(unsigned)) +
                    2 * (size_t)cols * sizeof(double);
    if (shared > GPU_SHARED)
        device_fail(dev, KIN_DEVICE, "bins of %d pixels and a radius of %d are too wide for a GPU",
                    bin, radius);
    struct measure m = {src, rows, dims.x, radius, bin, top, cols, across, down};
    dim3 grid(gpu_pieces((size_t)dims.x, (size_t)cols), gpu_pieces((size_t)bins, (size_t)down));
    LAUNCH(dev, measure_boxes, grid, GPU_THREADS, shared)(spread, level, m);
}

namespace {

/* ---- kernels: the map ---------------------------------------------------------------------------
 */

struct score {
    float *score;
    const float *spread, *level;
    float add;
    __device__ float2 read(size_t i) const { return float2{spread[i], level[i]}; }
    __device__ void write(size_t i, float2 v) const { score[i] = v.x / (v.y + add); }
};

/* most: planes that a thread has room for. */
template <int most>
static __global__ void find_peak(float *z, float *weight, float *trust, const float *score,
                                 size_t n, const __grid_constant__ struct focus_planes planes,
                                 bool fine)
{
    float column[most];
    size_t i = gpu_index();
    if (i >= n)
        return;
    for (int k = 0; k < planes.count; k++)
        column[k] = score[(size_t)k * n + i];
    struct focus_found found = focus_best(column, &planes, fine);
    z[i] = found.z;
    weight[i] = found.weight;
    trust[i] = found.trust;
}

static __global__ void median_all(float *dst, const float *src, int h, int w)
{
    size_t plane = (size_t)blockIdx.z * h * w;
    GPU_PIXELS(y, x, h, w)
        dst[plane + (size_t)y * w + x] = median_around(src + plane, h, w, y, x);
}

struct weigh {
    float *weighted;
    const float *z, *weight;
    __device__ float2 read(size_t i) const { return float2{z[i], weight[i]}; }
    __device__ void write(size_t i, float2 v) const { weighted[i] = v.x * v.y; }
};

struct settle {
    float *z;
    const float *weighted, *weight;
    float fallback, doubt;
    __device__ float2 read(size_t i) const { return float2{weighted[i], weight[i]}; }
    __device__ void write(size_t i, float2 v) const { z[i] = focus_settled(v.x, v.y, fallback, doubt); }
};

struct take {
    uint16_t *dst;
    float *z;
    const uint16_t *stack;
    size_t plane;
    int width, y0;
    struct focus_planes planes;
    struct focus_places places;
    struct focus_map map;
    struct pixel {
        float depth;
        uint16_t value;
    };
    __device__ pixel read(int, int y, int x) const
    {
        float share;
        int i = focus_between(y0 + y - map.y0, map.bin, map.dims.y, &share),
            below = i + 1 < map.dims.y ? i + 1 : i;
        const float *a = map.z + (size_t)i * map.dims.x, *b = map.z + (size_t)below * map.dims.x;
        float depth = focus_depth(a, b, share, map.dims.x, map.bin, x);
        return {depth, focus_pixel(stack + (size_t)y * width + x, plane, depth, &planes, &places)};
    }
    __device__ void write(int, int y, int x, pixel v) const
    {
        size_t at = (size_t)y * width + x;
        z[at] = v.depth;
        dst[at] = v.value;
    }
};

} // namespace

/* ---- launchers --------------------------------------------------------------------------------
 */

void gpu_focus_score(struct device *dev, float *score, const float *spread, const float *level,
                     float add, size_t n)
{
    ON_SAMPLES(dev, n, score, score, spread, level, add);
}

void gpu_focus_peak(struct device *dev, float *z, float *weight, float *trust, const float *score,
                    size_t n, const struct focus_planes *planes, bool fine)
{
    if (planes->count <= FEW)
        LAUNCH(dev, find_peak<FEW>, gpu_each(n), GPU_THREADS, 0)
    (z, weight, trust, score, n, *planes, fine);
    else LAUNCH(dev, find_peak<FOCUS_PLANES>, gpu_each(n), GPU_THREADS, 0)(z, weight, trust, score,
                                                                           n, *planes, fine);
}

void gpu_median5(struct device *dev, float *dst, const float *src, struct kin_dims dims)
{
    LAUNCH(dev, median_all, gpu_pixels(dims.y, dims.x, dims.z), GPU_TILE, 0)
    (dst, src, dims.y, dims.x);
}

void gpu_focus_weigh(struct device *dev, float *weighted, const float *z, const float *weight,
                     size_t n)
{
    ON_SAMPLES(dev, n, weigh, weighted, z, weight);
}

void gpu_focus_settle(struct device *dev, float *z, const float *weighted, const float *weight,
                      float fallback, float doubt, size_t n)
{
    ON_SAMPLES(dev, n, settle, z, weighted, weight, fallback, doubt);
}

void gpu_focus_take(struct device *dev, uint16_t *dst, float *z, const uint16_t *stack,
                    size_t plane, int rows, int width, int y0, const struct focus_planes *planes,
                    const struct focus_map *map)
{
    struct kin_dims dims = {1, rows, width};
    ON_PIXELS(dev, dims, take, dst, z, stack, plane, width, y0, *planes, focus_places_of(planes), *map);
}
