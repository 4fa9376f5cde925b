// SPDX-License-Identifier: MIT
// focus.cu: finding and taking the plane in focus, on the GPU.
#include "cuda/focus.h"
#include "cuda/sample.h"
#include "cuda/sort.h"
#include "device/focus_pixel.h"

enum {
    ROWS = 4, /* of pixels that a thread takes */
    WARP = 32,
    TAKE_BLOCKS = 5, /* of a multiprocessor, if no steps are read */
};

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
    int most;          /* the last plane */
    int above;         /* rows of the first threads that are not there */
    int ahead;         /* rows from those that are read to those that are asked for */
};

/* The depths of ROWS pixels of each of N columns from row y on. Where all lie between the same two
 * rows of bins, what is between columns of bins is the same for all of a column. */
template <int N>
static __device__ void read_depths(float (*depth)[ROWS], const struct taking &t,
                                   const struct focus_between (&columns)[N], int y)
{
    unsigned bins = (unsigned)t.across.bins;
    struct focus_between first = focus_between(&t.down, y),
                         last = focus_between(&t.down, y + ROWS - 1);
    if (first.lower == last.lower) {
        const float *above = t.map + (unsigned)first.lower * bins,
                    *below = t.map + (unsigned)first.upper * bins;
        float upper[N][2], lower[N][2];
        KIN_UNROLL
        for (int c = 0; c < N; c++) {
            upper[c][0] = above[(unsigned)columns[c].lower];
            upper[c][1] = above[(unsigned)columns[c].upper];
            lower[c][0] = below[(unsigned)columns[c].lower];
            lower[c][1] = below[(unsigned)columns[c].upper];
        }
        KIN_UNROLL
        for (int k = 0; k < ROWS; k++) {
            float at = focus_place(&t.down, y + k);
            KIN_UNROLL
            for (int c = 0; c < N; c++)
                depth[c][k] = focus_depth_of(upper[c], lower[c], columns[c].share,
                                             at - (float)first.lower);
        }
    } else {
        KIN_UNROLL
        for (int k = 0; k < ROWS; k++) {
            struct focus_between rows = focus_between(&t.down, y + k);
            unsigned upper_row = (unsigned)rows.lower * bins,
                     lower_row = (unsigned)rows.upper * bins;
            KIN_UNROLL
            for (int c = 0; c < N; c++) {
                unsigned left = (unsigned)columns[c].lower, right = (unsigned)columns[c].upper;
                const float upper[2] = {t.map[upper_row + left], t.map[upper_row + right]},
                            lower[2] = {t.map[lower_row + left], t.map[lower_row + right]};
                depth[c][k] = focus_depth_of(upper, lower, columns[c].share, rows.share);
            }
        }
    }
}

/* Between which planes of the stack a pixel lies, and how far from the first of them. every: they
 * are numbered one by one, and none of their steps is read. */
struct between_planes {
    int place, next;
    float share;
};

template <bool every>
static __device__ struct between_planes planes_at(const struct taking &t, float depth)
{
    float held = kin_clamp(depth, t.first, t.last);
    int i = (int)(held - t.first);
    if (every)
        return {i, i < t.most ? i + 1 : i, held - t.first - (float)i};
    struct focus_step step = t.steps[i];
    return {step.place, step.next, focus_share(&step, held)};
}

/* ROWS pixels of N columns, one or two, from row `top` on. all: they are there; else rows that are
 * not are the first or last one. What is read for one depends on what was read: it is read for all
 * of them before the thread goes on to what that leads to. Where two columns lie between the same
 * planes, pixels are read at once; the second one of both is the upper half of a word. A warp then
 * asks for the same columns of blocks that come later: depths seldom differ much. */
template <int N, bool every, bool all>
static __device__ void take_rows(uint16_t *dst, float *z, const struct taking &t, int top, int x)
{
    float depth[N][ROWS], share[N][ROWS];
    int place[N][ROWS], after[N][ROWS];
    uint32_t here[ROWS] = {}, next[ROWS] = {};
    struct focus_between columns[N];
    unsigned bytes = (unsigned)t.width * (unsigned)sizeof *dst;
    bool alike = N == 2;
    auto row = [&](int k) {
        return all ? top + k : top + k < 0 ? 0 : top + k < t.rows ? top + k : t.rows - 1;
    };
    for (int c = 0; c < N; c++)
        columns[c] = focus_between(&t.across, x + c);
    read_depths(depth, t, columns, t.y0 + top);
    for (int c = 0; c < N; c++)
        for (int k = 0; k < ROWS; k++) {
            struct between_planes found = planes_at<every>(t, depth[c][k]);
            place[c][k] = found.place;
            after[c][k] = found.next;
            share[c][k] = found.share;
            alike = alike && found.place == place[0][k];
        }
    for (int k = 0; k < ROWS && alike; k++) {
        const uint16_t *from = gpu_past(t.stack + x, bytes, row(k));
        here[k] = *(const uint32_t *)gpu_past(from, t.plane, place[0][k]);
        next[k] = *(const uint32_t *)gpu_past(from, t.plane, after[0][k]);
        if (all && threadIdx.x % WARP == 0 && row(k) + t.ahead < t.rows) {
            const uint16_t *below = gpu_past(from, bytes, t.ahead);
            gpu_ask(gpu_past(below, t.plane, place[0][k]));
            gpu_ask(gpu_past(below, t.plane, after[0][k]));
        }
    }
    for (int k = 0; k < ROWS && !alike; k++)
        for (int c = 0; c < N; c++) {
            const uint16_t *from = gpu_past(t.stack + x, bytes, row(k)) + c;
            here[k] |= (uint32_t)*gpu_past(from, t.plane, place[c][k]) << 16 * c;
            next[k] |= (uint32_t)*gpu_past(from, t.plane, after[c][k]) << 16 * c;
        }
    for (int k = 0; k < ROWS; k++) {
        if (!all && row(k) != top + k)
            continue;
        uint32_t taken[N];
        for (int c = 0; c < N; c++)
            taken[c] = gpu_round_u16(focus_pixel(share[c][k], (float)(here[k] >> 16 * c & 0xffff),
                                                 (float)(next[k] >> 16 * c & 0xffff)));
        uint16_t *to = gpu_past(dst + x, bytes, row(k));
        float *deep = gpu_past(z + x, 2 * bytes, row(k));
        if constexpr (N == 2) {
            *(uint32_t *)to = taken[0] | taken[1] << 16;
            *(float2 *)deep = float2{depth[0][k], depth[1][k]};
        } else {
            *to = (uint16_t)taken[0];
            *deep = depth[0][k];
        }
    }
}

template <int N, bool every>
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(every ? TAKE_BLOCKS : 4))
    take(uint16_t *dst, float *z, const __grid_constant__ struct taking t)
{
    int x = N * (int)(blockIdx.x * PIXELS_WIDE + threadIdx.x),
        top = ROWS * (int)(blockIdx.y * PIXELS_HIGH + threadIdx.y) - t.above;
    if (x >= t.width || top >= t.rows)
        return;
    if (top >= 0 && top + ROWS <= t.rows)
        take_rows<N, every, true>(dst, z, t, top, x);
    else
        take_rows<N, every, false>(dst, z, t, top, x);
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
    const struct focus_planes *planes = stack->planes;
    int first = planes->number[0], last = planes->number[planes->count - 1];
    bool every = last - first == planes->count - 1;
    struct focus_step steps[FOCUS_PLANES],
        *there = every ? NULL : gpu_array<struct focus_step>(dev, FOCUS_PLANES);
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
                       (float)last,
                       planes->count - 1,
                       0,
                       0};
    /* rows that lie between the same two of bins are taken together, if their bins allow it */
    if (map->bin % ROWS == 0)
        t.above = ((t.y0 - map->bin / 2) % ROWS + ROWS) % ROWS;
    bool pairs = stack->width % 2 == 0 && stack->plane % 2 == 0 &&
                 (uintptr_t)stack->pixels % 4 == 0 && (uintptr_t)dst % 4 == 0 &&
                 (uintptr_t)z % 8 == 0;
    dim3 grid(gpu_pieces((size_t)stack->width, (pairs ? 2 : 1) * PIXELS_WIDE),
              gpu_pieces((size_t)(rows + t.above), PIXELS_HIGH * ROWS));
    /* those of blocks that begin when these end */
    t.ahead = (int)gpu_pieces((size_t)gpu_processors(dev) * TAKE_BLOCKS, grid.x) * PIXELS_HIGH *
              ROWS;
    auto kernel = every   ? pairs ? take<2, true> : take<1, true>
                    : pairs ? take<2, false>
                          : take<1, false>;
    if (stack->plane > UINT32_MAX / sizeof *stack->pixels)
        device_fail(dev, KIN_DEVICE, "planes of %zu pixels are too large for a GPU", stack->plane);
    if (!every) {
        focus_steps_of(planes, steps);
        gpu_upload(dev, there, steps, (size_t)(last - first + 1) * sizeof *steps);
    }
    LAUNCH(dev, kernel, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)(dst, z, t);
    gpu_release(dev, there);
}
