// SPDX-License-Identifier: MIT
// focus_cuda.cu: finding and taking the plane in focus, on the GPU.
#include "sample_cuda.h"
#include "focus_pixel.h"

enum { ROWS = 4 }; /* of pixels that a thread takes */

namespace {

/* ---- kernels: the map ------------------------------------------------------------------------ */

struct score {
    float *score;
    const float *spread, *level;
    float add;
    __device__ float2 read(size_t i) const { return float2{spread[i], level[i]}; }
    __device__ void write(size_t i, float2 v) const { score[i] = v.x / (v.y + add); }
};

/* Leaves the middle one or two of n values in v[1] and v[2]. Of the first `kept` neither the lowest
 * nor the highest can be one of these: both go, and another one comes. */
template <int kept, int n> static __device__ void keep_middle(float (&v)[n])
{
    median_ends(v, kept);
    if constexpr (kept > 4 - n % 2) {
        v[0] = v[2 * (n / 2 + 2) - kept];
        keep_middle<kept - 1>(v);
    }
}

/* The median of values, which stay in registers. */
template <int n> static __device__ float median_kept(float (&v)[n])
{
    keep_middle<n / 2 + 2>(v);
    return n % 2 ? v[1] : 0.5f * (v[1] + v[2]);
}

/* room: for so many planes, even if they are, as scores with constant indices stay in registers.
 * Where there are fewer, the others are as often lower than all as they are higher. */
template <int room>
static __global__ void find_peak(float *z, float *weight, float *trust, const float *score,
                                 size_t n, const __grid_constant__ struct focus_planes planes,
                                 bool fine)
{
    float column[room];
    size_t i = gpu_index();
    if (i >= n)
        return;
    KIN_UNROLL
    for (int k = 0; k < room; k++)
        column[k] = k < planes.count ? gpu_fixed(score[(size_t)k * n + i])
                    : k % 2          ? INFINITY
                                     : -INFINITY;
    int best = 0;
    float near[3] = {0, column[0], column[1]};
    KIN_UNROLL
    for (int k = 1; k < room; k++) {
        bool better = k < planes.count && column[k] > near[1];
        best = better ? k : best;
        near[0] = better ? column[k - 1] : near[0];
        near[1] = better ? column[k] : near[1];
        near[2] = better ? column[k + 1 < room ? k + 1 : k] : near[2];
    }
    struct focus_found found = focus_found_at(&planes, best, near, median_kept(column), fine);
    z[i] = found.z;
    weight[i] = found.weight;
    trust[i] = found.trust;
}

/* The same of any number of planes. */
static __global__ void find_peak_of_many(float *z, float *weight, float *trust, const float *score,
                                         size_t n,
                                         const __grid_constant__ struct focus_planes planes,
                                         bool fine)
{
    float column[FOCUS_PLANES];
    size_t i = gpu_index();
    if (i >= n)
        return;
    column[0] = score[i];
    for (int k = 1; k < planes.count; k++)
        column[k] = score[(size_t)k * n + i];
    struct focus_found found = focus_best(column, &planes, fine);
    z[i] = found.z;
    weight[i] = found.weight;
    trust[i] = found.trust;
}

static __global__ void median_all(float *dst, const float *src, int h, int w)
{
    size_t plane = (size_t)blockIdx.z * h * w;
    GPU_PIXELS(pair, x, (h + 1) / 2, w)
    {
        float median[2];
        median_pair(src + plane, h, w, 2 * pair, x, median);
        for (int k = 0; k < 2 && 2 * pair + k < h; k++)
            dst[plane + (size_t)(2 * pair + k) * w + x] = median[k];
    }
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
    __device__ void write(size_t i, float2 v) const
    {
        z[i] = focus_settled(v.x, v.y, fallback, doubt);
    }
};

/* What the pixels of a band are taken by. */
struct taking {
    const uint16_t *stack;
    size_t plane;
    int rows, width, y0; /* the first row, counted from the map's */
    const float *map;
    struct focus_axis down, across;
    const struct focus_step *steps;
    float first, last; /* depths */
};

/* A thread takes ROWS pixels of a column. What it reads for one depends on what it has read: it
 * reads for all of them before it goes on to what that leads to, and rows that are not there are
 * the last one. */
static __global__ void take(uint16_t *dst, float *z, const __grid_constant__ struct taking t)
{
    int x = (int)(blockIdx.x * PIXELS_WIDE + threadIdx.x),
        top = (int)(blockIdx.y * PIXELS_HIGH * ROWS + threadIdx.y);
    struct focus_between columns = focus_between(&t.across, x);
    struct focus_step step[ROWS];
    uint16_t here[ROWS], next[ROWS];
    float depth[ROWS], held[ROWS];
    size_t at[ROWS];
    if (x >= t.width)
        return;
    for (int k = 0; k < ROWS; k++) {
        int y = top + k * PIXELS_HIGH < t.rows ? top + k * PIXELS_HIGH : t.rows - 1;
        at[k] = (size_t)(unsigned)y * (unsigned)t.width + (unsigned)x;
        struct focus_rows rows = focus_rows_at(t.map, t.across.bins, &t.down, t.y0 + y);
        depth[k] = focus_depth(&rows, &columns);
        held[k] = fminf(fmaxf(depth[k], t.first), t.last);
    }
    for (int k = 0; k < ROWS; k++)
        step[k] = t.steps[(int)(held[k] - t.first)];
    for (int k = 0; k < ROWS; k++) {
        here[k] = t.stack[t.plane * (unsigned)step[k].place + at[k]];
        next[k] = t.stack[t.plane * (unsigned)step[k].next + at[k]];
    }
    for (int k = 0; k < ROWS && top + k * PIXELS_HIGH < t.rows; k++) {
        z[at[k]] = depth[k];
        dst[at[k]] = focus_pixel(&step[k], held[k], here[k], next[k]);
    }
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

void gpu_focus_score(struct device *dev, float *score, const float *spread, const float *level,
                     float add, size_t n)
{
    ON_SAMPLES(dev, n, score, score, spread, level, add);
}

void gpu_focus_peak(struct device *dev, float *z, float *weight, float *trust, const float *score,
                    size_t n, const struct focus_planes *planes, bool fine)
{
    int count = planes->count;
    bool odd = count % 2;
    auto kernel = count <= 8    ? odd ? find_peak<7> : find_peak<8>
                     : count <= 16 ? odd ? find_peak<15> : find_peak<16>
                     : count <= 24 ? odd ? find_peak<23> : find_peak<24>
                     : count <= 32 ? odd ? find_peak<31> : find_peak<32>
                                   : find_peak_of_many;
    LAUNCH(dev, kernel, gpu_each(n), GPU_THREADS, 0)
    (z, weight, trust, score, n, *planes, fine);
}

void gpu_median5(struct device *dev, float *dst, const float *src, struct kin_dims dims)
{
    LAUNCH(dev, median_all, gpu_pixels((dims.y + 1) / 2, dims.x, dims.z), GPU_TILE, 0)
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
    struct focus_step steps[FOCUS_PLANES], *there = gpu_array<struct focus_step>(dev, FOCUS_PLANES);
    int first = planes->number[0], last = planes->number[planes->count - 1];
    struct taking t = {stack,
                       plane,
                       rows,
                       width,
                       y0 - map->y0,
                       map->z,
                       focus_axis_of(map->bin, map->dims.y),
                       focus_axis_of(map->bin, map->dims.x),
                       there,
                       (float)first,
                       (float)last};
    dim3 grid(gpu_pieces((size_t)width, PIXELS_WIDE), gpu_pieces((size_t)rows, PIXELS_HIGH * ROWS));
    focus_steps_of(planes, steps);
    gpu_upload(dev, there, steps, (size_t)(last - first + 1) * sizeof *steps);
    LAUNCH(dev, take, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)(dst, z, t);
    gpu_release(dev, there);
}
