// SPDX-License-Identifier: MIT
// focus_cuda.cu: finding and taking the plane in focus, on the GPU.
//
// Sums in boxes are integers, so that sliding them down a column loses nothing.
#include "sample_cuda.h"
#include "focus_pixel.h"

enum {
    STRIP = 16, /* rows of pixels that a block slides over */
    BOX = 255,  /* pixels of a side: what it holds fits 32 bits */
    FEW = 32    /* planes of a common stack */
};

/* ---- variance in boxes, averaged over bins ------------------------------------------------------
 * With n pixels in a box the variances of a bin add up to (n sum of squares - sum of s^2) / n^2, where
 * s is what a box holds: integers of up to 128 bits, exact up to the last division. */

struct measure {
    const uint16_t *src; /* (rows + 2 radius, w) */
    int rows, w, radius, bin, top;
    int cols;        /* pixels of a row that a block takes, whole bins */
    int bins_across; /* of a row of the result */
    int bins_down;   /* that a block makes */
};

/* Sums over 2 radius + 1 pixels of a column. */
struct column_sums {
    unsigned values;
    unsigned long long squares;
};

/* Shared memory of a block, columns = cols + 2 radius. What is added up for bins stands in the order (bin,
 * places), place i of column bin places + i, so that threads that add neighbouring bins read neighbours. */
struct bin_columns {
    int places;
    unsigned *values;            /* (2, columns) column_sums.values around a row, and around the next one */
    unsigned *light;             /* of the rows of a bin: the pixels; as those below (bin, places) */
    unsigned long long *squares; /* column_sums.squares */
    unsigned __int128 *boxes;    /* what boxes hold, squared */
};

static __host__ __device__ int places_of(int columns, int bin)
{
    return (columns + bin - 1) / bin + 1;
}

static __device__ unsigned clipped(const struct measure *m, int y, int x)
{
    int v = m->src[(size_t)y * m->w + x];
    return (unsigned)(v < m->top ? v : m->top);
}

static __device__ void add_pixel(struct column_sums *s, unsigned v)
{
    s->values += v;
    s->squares += (unsigned long long)v * v;
}

/* The sums of column x over the rows around pixel row y; slide: they are there for row y - 1. */
static __device__ void sum_column(struct column_sums *s, const struct measure *m, int y, int x, bool slide)
{
    if (!slide) {
        for (int k = 0; k <= 2 * m->radius; k++)
            add_pixel(s, clipped(m, y + k, x));
        return;
    }
    unsigned old = clipped(m, y - 1, x);
    add_pixel(s, clipped(m, y + 2 * m->radius, x));
    s->values -= old;
    s->squares -= (unsigned long long)old * old;
}

static __device__ double as_double(unsigned __int128 v)
{
    return (double)(unsigned long long)(v >> 64) * 18446744073709551616.0 + (double)(unsigned long long)v;
}

/* Bin (j, number) of the block's, `across` pixels wide and `down` high. */
static __device__ void finish_bin(float *spread, float *level, const struct measure *m,
                                  const struct bin_columns *c, int number, int across, int down)
{
    int box = 2 * m->radius + 1;
    unsigned __int128 squares = 0, boxes = 0;
    unsigned long long light = 0;
    for (int k = 0; k < across; k++) {
        boxes += c->boxes[k * c->places + number];
        light += c->light[k * c->places + number];
    }
    for (int k = 0, i = 0, at = number; k < across + box - 1; k++) {
        int first = k < box ? 0 : k - box + 1, last = k < across ? k : across - 1;
        int holders = last - first + 1; /* boxes of the bin that hold this column */
        squares += (unsigned __int128)c->squares[i * c->places + at] * (unsigned)holders;
        i = i + 1 < m->bin ? i + 1 : 0;
        at += i == 0;
    }
    double n = (double)box * box, pixels = (double)across * down;
    *spread = (float)(as_double(squares * (unsigned)(box * box) - boxes) / (n * n * pixels));
    *level = (float)((double)light / pixels);
}

/* A thread for each column, radius more on both sides than there are pixels. */
static __global__ void measure_boxes(float *spread, float *level,
                                     const __grid_constant__ struct measure m)
{
    int wide = m.cols + 2 * m.radius, first = (int)blockIdx.x * m.cols, me = (int)threadIdx.x;
    int x = kin_mirror(first - m.radius + me, m.w), at_row = me;
    bool pixel = me < m.cols && first + me < m.w, slide = false;
    struct column_sums sums = {0, 0};
    struct bin_columns c = {places_of(wide, m.bin)};
    c.boxes = gpu_shared<unsigned __int128>();
    c.squares = (unsigned long long *)(c.boxes + m.bin * c.places);
    c.light = (unsigned *)(c.squares + m.bin * c.places);
    c.values = c.light + m.bin * c.places;
    int place = me % m.bin * c.places + me / m.bin;
    for (int j = (int)blockIdx.y * m.bins_down;
         j < ((int)blockIdx.y + 1) * m.bins_down && j * m.bin < m.rows; j++) {
        int y0 = j * m.bin, y1 = y0 + m.bin < m.rows ? y0 + m.bin : m.rows;
        unsigned __int128 boxes = 0;
        unsigned long long squares = 0;
        unsigned light = 0;
        for (int y = y0; y < y1; y++) {
            if (me < wide) {
                sum_column(&sums, &m, y, x, slide);
                squares += sums.squares;
                c.values[at_row] = sums.values;
            }
            slide = true;
            __syncthreads();
            unsigned box = 0;
            for (int k = 0; pixel && k <= 2 * m.radius; k++)
                box += c.values[at_row + k];
            boxes += (unsigned long long)box * box;
            light += pixel ? clipped(&m, y + m.radius, first + me) : 0;
            at_row = at_row == me ? me + wide : me; /* who is slower still reads this row */
        }
        if (me < wide) {
            c.boxes[place] = boxes;
            c.squares[place] = squares;
            c.light[place] = light;
        }
        __syncthreads();
        for (int b = me; b * m.bin < m.cols && first + b * m.bin < m.w; b += (int)blockDim.x) {
            size_t at = (size_t)j * m.bins_across + first / m.bin + b;
            int left = m.w - first - b * m.bin, across = left < m.bin ? left : m.bin;
            finish_bin(spread + at, level + at, &m, &c, b, across, y1 - y0);
        } /* the next rows' barrier comes before anything is written in their place */
    }
}

void gpu_focus_measure(struct device *dev, float *spread, float *level, const uint16_t *src,
                       struct kin_dims dims, int radius, int bin, int top)
{
    int across = (dims.x + bin - 1) / bin, rows = dims.y - 2 * radius,
        bins = (rows + bin - 1) / bin;
    int room = (GPU_THREADS - 2 * radius) / bin, cols = room > 1 ? room * bin : bin,
        down = bin < STRIP ? STRIP / bin : 1;
    size_t wide = (size_t)cols + 2 * (size_t)radius;
    size_t places = (size_t)bin * (size_t)places_of((int)wide, bin);
    size_t shared = places * (sizeof(unsigned __int128) + sizeof(unsigned long long) + sizeof(unsigned)) +
                    2 * wide * sizeof(unsigned);
    if (shared > GPU_SHARED || 2 * radius + 1 > BOX) /* bins that have room have less than 800 threads */
        device_fail(dev, KIN_DEVICE, "bins of %d pixels and a radius of %d are too wide for a GPU",
                    bin, radius);
    struct measure m = {src, rows, dims.x, radius, bin, top, cols, across, down};
    dim3 grid(gpu_pieces((size_t)dims.x, (size_t)cols), gpu_pieces((size_t)bins, (size_t)down));
    LAUNCH(dev, measure_boxes, grid, dim3(32 * gpu_pieces(wide, 32)), shared)(spread, level, m);
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
