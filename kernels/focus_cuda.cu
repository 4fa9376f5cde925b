// SPDX-License-Identifier: MIT
// focus_cuda.cu: finding and taking the plane in focus, on the GPU.
#include "sample_cuda.h"
#include "focus_pixel.h"

enum {
    FEW = 32    /* planes of a common stack */
};

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
