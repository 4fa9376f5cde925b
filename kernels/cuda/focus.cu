// SPDX-License-Identifier: MIT
// focus.cu: finding and taking the plane in focus, on the GPU.
#include "cuda/sample.h"
#include "cuda/sort.h"
#include "device/focus_pixel.h"

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

struct kept {
    float median, top;
};

/* The median of values, which stay in registers, and the highest; above: the highest but one. Of
 * two sorted halves the lower half of all are the lower ones of the first and the last, the second
 * and the last but one, and so on. */
template <int n> static __device__ struct kept median_kept(const float (&v)[n], bool above)
{
    enum { HALF = (n + 1) / 2, ROOM = HALF <= 4 ? 4 : HALF <= 8 ? 8 : 16 };
    float a[HALF], b[HALF], lower, upper; /* if n is odd, b has one number less */
    KIN_UNROLL
    for (int i = 0; i < HALF; i++)
        a[i] = v[i];
    KIN_UNROLL
    for (int i = HALF; i < n; i++)
        b[i - HALF] = v[i];
    sort_some<0, ROOM, HALF>(a);
    sort_some<0, ROOM, n - HALF>(b);
    lower = n % 2 ? a[0] : fminf(a[0], b[HALF - 1]);
    upper = n % 2 ? INFINITY : fmaxf(a[0], b[HALF - 1]);
    float top = fmaxf(a[HALF - 1], above ? b[n - HALF - 2] : b[n - HALF - 1]);
    KIN_UNROLL
    for (int i = 1; i < HALF; i++) {
        lower = fmaxf(lower, fminf(a[i], b[HALF - 1 - i]));
        upper = fminf(upper, fmaxf(a[i], b[HALF - 1 - i]));
    }
    return {n % 2 ? lower : 0.5f * (lower + upper), top};
}

/* room: for so many planes or two fewer (of the least rooms six), even if they are, as scores with
 * constant indices stay in registers. In place of those that are not there are as many that are
 * lower than all as are higher. With four blocks on a multiprocessor, not five, warps would wait
 * more. */
template <int room>
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(5))
    find_peak(float *z, float *weight, float *trust, const float *score, size_t n,
              const __grid_constant__ struct focus_planes planes, bool fine)
{
    enum { SURE = room - (room <= 8 ? 6 : 2) };
    float column[room], top = -INFINITY;
    int count = planes.count, best = 0;
    size_t i = gpu_index();
    if (i >= n)
        return;
    KIN_UNROLL
    for (int k = 0; k < room; k++)
        column[k] = k < SURE || k < count ? gpu_fixed(score[(size_t)k * n + i])
                    : k % 2               ? INFINITY
                                          : -INFINITY;
    struct kept kept = median_kept(column, count < room);
    if constexpr (room > 8 && room <= 20) {
        top = kept.top;
    } else { /* more would not stay in registers while they are sorted */
        KIN_UNROLL
        for (int k = 0; k < room; k++)
            top = fmaxf(top, k < SURE || k < count ? column[k] : -INFINITY);
    }
    KIN_UNROLL
    for (int k = room - 1; k >= 0; k--)
        best = column[k] == top ? k : best;
    bool between = best > 0 && best + 1 < count; /* what is beside it is read again */
    const float *at = score + (size_t)(unsigned)best * n + i;
    float near[3] = {between ? *(at - n) : 0, top, between ? at[n] : 0};
    struct focus_found found = focus_found_at(&planes, best, near, kept.median, fine);
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
    unsigned plane;      /* bytes */
    int rows, width, y0; /* the first row, counted from the map's */
    const float *map;
    struct focus_axis down, across;
    const struct focus_step *steps;
    float first, last; /* depths */
};

/* A thread takes ROWS pixels of a column. What it reads for one depends on what it has read: it
 * reads for all of them before it goes on to what that leads to, and rows that are not there are
 * the last one. Of six blocks on a multiprocessor there are threads enough to wait for it. */
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(6))
    take(uint16_t *dst, float *z, const __grid_constant__ struct taking t)
{
    int x = (int)(blockIdx.x * PIXELS_WIDE + threadIdx.x),
        top = (int)(blockIdx.y * PIXELS_HIGH * ROWS + threadIdx.y);
    struct focus_between columns = focus_between(&t.across, x);
    struct focus_step step[ROWS];
    uint16_t here[ROWS], next[ROWS];
    float depth[ROWS], held[ROWS], share[ROWS];
    unsigned at[ROWS];
    if (x >= t.width)
        return;
    unsigned left = (unsigned)columns.lower, right = (unsigned)columns.upper,
             bins = (unsigned)t.across.bins;
    for (int k = 0; k < ROWS; k++) {
        int y = top + k * PIXELS_HIGH < t.rows ? top + k * PIXELS_HIGH : t.rows - 1;
        at[k] = (unsigned)y * (unsigned)t.width + (unsigned)x;
        struct focus_between rows = focus_between(&t.down, t.y0 + y);
        unsigned upper_row = (unsigned)rows.lower * bins, lower_row = (unsigned)rows.upper * bins;
        const float upper[2] = {t.map[upper_row + left], t.map[upper_row + right]},
                    lower[2] = {t.map[lower_row + left], t.map[lower_row + right]};
        depth[k] = focus_depth_of(upper, lower, columns.share, rows.share);
        held[k] = kin_clamp(depth[k], t.first, t.last);
    }
    for (int k = 0; k < ROWS; k++)
        step[k] = t.steps[(int)(held[k] - t.first)];
    for (int k = 0; k < ROWS; k++) {
        here[k] = *gpu_past(t.stack + at[k], t.plane, step[k].place);
        next[k] = *gpu_past(t.stack + at[k], t.plane, step[k].next);
        share[k] = focus_share(&step[k], held[k]);
    }
    for (int k = 0; k < ROWS && top + k * PIXELS_HIGH < t.rows; k++) {
        z[at[k]] = depth[k];
        dst[at[k]] = gpu_round_u16(focus_pixel(share[k], here[k], next[k]));
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
                     : count <= 12 ? odd ? find_peak<11> : find_peak<12>
                     : count <= 16 ? odd ? find_peak<15> : find_peak<16>
                     : count <= 20 ? odd ? find_peak<19> : find_peak<20>
                     : count <= 24 ? odd ? find_peak<23> : find_peak<24>
                     : count <= 28 ? odd ? find_peak<27> : find_peak<28>
                     : count <= 32 ? odd ? find_peak<31> : find_peak<32>
                                   : find_peak_of_many;
    LAUNCH(dev, kernel, gpu_each(n), GPU_THREADS, 0)
    (z, weight, trust, score, n, *planes, fine);
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

void gpu_focus_take(struct device *dev, uint16_t *dst, float *z, const struct focus_stack *stack,
                    const struct focus_map *map, int y0, int rows)
{
    struct focus_step steps[FOCUS_PLANES], *there = gpu_array<struct focus_step>(dev, FOCUS_PLANES);
    const struct focus_planes *planes = stack->planes;
    int first = planes->number[0], last = planes->number[planes->count - 1];
    struct taking t = {stack->pixels,
                       (unsigned)(stack->plane * sizeof *stack->pixels),
                       rows,
                       stack->width,
                       y0 - map->y0,
                       map->z,
                       focus_axis_of(map->bin, map->dims.y),
                       focus_axis_of(map->bin, map->dims.x),
                       there,
                       (float)first,
                       (float)last};
    dim3 grid(gpu_pieces((size_t)stack->width, PIXELS_WIDE),
              gpu_pieces((size_t)rows, PIXELS_HIGH * ROWS));
    if (stack->plane > UINT32_MAX / sizeof *stack->pixels)
        device_fail(dev, KIN_DEVICE, "planes of %zu pixels are too large for a GPU", stack->plane);
    focus_steps_of(planes, steps);
    gpu_upload(dev, there, steps, (size_t)(last - first + 1) * sizeof *steps);
    LAUNCH(dev, take, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)(dst, z, t);
    gpu_release(dev, there);
}
