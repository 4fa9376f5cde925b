// SPDX-License-Identifier: MIT
/* rl_regular.cu: regularisation of Richardson-Lucy steps on the GPU.
 *
 * A warp goes along z. Each thread has COLS columns and ROWS rows of samples, of which it keeps the
 * planes before and after in registers, with the rows above and below: a plane is read once, and
 * long before it is needed. What a thread needs of the columns beside its own it asks its
 * neighbours for. The first and the last thread of a warp have one neighbour; they make no
 * samples. */
#include "cuda/device.h"

extern "C" {
#include "device/rl_step.h"
}

enum {
    WARP = 32,
    LANES = WARP - 2, /* threads that make samples */
    WIDE = 4,         /* warps of a block, side by side */
    HIGH = GPU_THREADS / WARP / WIDE,
    ROWS = 4, /* of a thread */
    COLS = 2, /* the same, if a row's length can be divided by it */
    BLOCKS = 2,
    PLANES_LEAST = 4, /* of a thread */
};

static const unsigned ALL = 0xffffffff; /* threads of a warp */

namespace {

/* Samples next to each other. */
template <int C> struct few {
    float v[C];
};

static __device__ void read(few<1> &v, const float *at)
{
    v = {gpu_fixed(*at)};
}

static __device__ void read(few<2> &v, const float *at)
{
    float2 both = gpu_fixed(*(const float2 *)at);
    v = {both.x, both.y};
}

static __device__ void read_changing(few<1> &v, const float *at)
{
    v = {*at};
}

static __device__ void read_changing(few<2> &v, const float *at)
{
    float2 both = *(const float2 *)at;
    v = {both.x, both.y};
}

static __device__ void write(float *at, const few<1> &v)
{
    *at = v.v[0];
}

static __device__ void write(float *at, const few<2> &v)
{
    *(float2 *)at = {v.v[0], v.v[1]};
}

/* Those one place further to the left, or right. */
template <int C> static __device__ few<C> left_of(const few<C> &v)
{
    few<C> left = {__shfl_up_sync(ALL, v.v[C - 1], 1)};
    KIN_UNROLL
    for (int c = 1; c < C; c++)
        left.v[c] = v.v[c - 1];
    return left;
}

template <int C> static __device__ few<C> right_of(const few<C> &v)
{
    few<C> right;
    right.v[C - 1] = __shfl_down_sync(ALL, v.v[0], 1);
    KIN_UNROLL
    for (int c = 1; c < C; c++)
        right.v[c - 1] = v.v[c];
    return right;
}

template <int C> static __device__ few<C> sum_of(const few<C> &a, const few<C> &b, const few<C> &c)
{
    few<C> sum;
    KIN_UNROLL
    for (int k = 0; k < C; k++)
        sum.v[k] = a.v[k] + b.v[k] + c.v[k];
    return sum;
}

/* The forward differences from `here` over the length of the gradient: rl_slope. */
template <int C> struct slopes {
    few<C> z, y, x;
};

template <int C>
static __device__ slopes<C> slopes_at(const few<C> &here, const few<C> &after, const few<C> &below)
{
    slopes<C> s;
    few<C> right = right_of(here);
    KIN_UNROLL
    for (int c = 0; c < C; c++) {
        float dz = after.v[c] - here.v[c], dy = below.v[c] - here.v[c], dx = right.v[c] - here.v[c];
        float over = gpu_inverse_root(RL_LEAST_SLOPE + dz * dz + dy * dy + dx * dx);
        s.z.v[c] = dz * over;
        s.y.v[c] = dy * over;
        s.x.v[c] = dx * over;
    }
    return s;
}

/* What a thread has of a plane: the point's rows from the one above its own to the one below,
 * the sums of three of them, and the image's. */
template <int C> struct level {
    few<C> point[ROWS + 2], three[ROWS], next[ROWS];
};

template <bool varies, bool damps, int C> struct column {
    struct kin_dims dims;
    int x;                 /* of the first sample */
    unsigned at[ROWS + 2]; /* in a plane: where the rows are, mirrored at the edges */
    bool mine[ROWS];       /* rows to be made */
    float tv, keep, blend;
    few<C> slope[ROWS]; /* along z, in the plane before */
    const float *asked; /* what the thread asks for next; NULL: others ask */

    __device__ void place(int first, int top, bool makes)
    {
        int last = dims.x - C;
        unsigned inside = (unsigned)(first < 0 ? 0 : first < last ? first : last);
        x = first;
        KIN_UNROLL
        for (int i = 0; i < ROWS + 2; i++) {
            int y = top - 1 + i;
            at[i] = (unsigned)(y < 0 ? 0 : y < dims.y ? y : dims.y - 1) * (unsigned)dims.x + inside;
        }
        KIN_UNROLL
        for (int i = 0; i < ROWS; i++)
            mine[i] = makes && top + i < dims.y;
    }
    /* The lines of two volumes in which a warp's samples are, one for each of its threads. It reads
     * `point` a plane before `next`. */
    __device__ void place_asked(const float *point, const float *next, int z, int first, int top,
                                int lane)
    {
        enum { LINE = 128 / sizeof *point, LINES = (WARP * C + LINE - 1) / LINE };
        bool changing = lane >= LINES * ROWS;
        int y = top + lane / LINES % ROWS, left = first - C + lane % LINES * LINE;
        unsigned inside = (unsigned)y * (unsigned)dims.x + (unsigned)(left < 0 ? 0 : left);
        bool asks = lane < 2 * LINES * ROWS && y < dims.y && left < dims.x;
        asked = asks ? (changing ? next + plane(z + 2) : point + plane(z + 3)) + inside : NULL;
    }
    __device__ size_t plane(int z) const
    {
        z = z < 0 ? 0 : z < dims.z ? z : dims.z - 1;
        return (size_t)(unsigned)dims.y * (unsigned)dims.x * (unsigned)z;
    }
    __device__ void read_point(level<C> &l, const float *point, int z) const
    {
        const float *from = gpu_plain(point + plane(z));
        KIN_UNROLL
        for (int i = 0; i < ROWS + 2; i++)
            read(l.point[i], gpu_past(from, sizeof *from, (int)at[i]));
    }
    __device__ void read_next(level<C> &l, const float *next, int z) const
    {
        const float *from = gpu_plain(next + plane(z));
        KIN_UNROLL
        for (int i = 0; i < ROWS; i++) {
            l.next[i] = {};
            if (mine[i])
                read_changing(l.next[i], gpu_past(from, sizeof *from, (int)at[i + 1]));
        }
    }
    /* When the point is there. Beside the volume are the samples at its edge. */
    __device__ void complete(level<C> &l) const
    {
        if (C > 1 && (x < 0 || x >= dims.x)) {
            KIN_UNROLL
            for (int i = 0; i < ROWS + 2; i++) {
                float edge = x < 0 ? l.point[i].v[0] : l.point[i].v[C - 1];
                KIN_UNROLL
                for (int c = 0; c < C; c++)
                    l.point[i].v[c] = edge;
            }
        }
        KIN_UNROLL
        for (int i = 0; i < ROWS; i++)
            l.three[i] = sum_of(l.point[i], l.point[i + 1], l.point[i + 2]);
    }
    /* slope, of the plane before the first one */
    __device__ void begin(const level<C> &before, const level<C> &here)
    {
        KIN_UNROLL
        for (int i = 0; i < ROWS; i++)
            slope[i] = slopes_at(before.point[i + 1], here.point[i + 1], before.point[i + 2]).z;
    }
    /* rl_variation of a row divides it. above: the slope along y of the row above */
    __device__ void vary(few<C> &v, int i, few<C> &above, const level<C> &here,
                         const level<C> &after)
    {
        slopes<C> s = slopes_at(here.point[i + 1], after.point[i + 1], here.point[i + 2]);
        few<C> left = left_of(s.x);
        KIN_UNROLL
        for (int c = 0; c < C; c++) {
            float by = 1 - tv * (s.z.v[c] - slope[i].v[c] + s.y.v[c] - above.v[c] + s.x.v[c] -
                                 left.v[c]);
            v.v[c] *= gpu_inverse(fmaxf(by, RL_LEAST_VARIATION));
        }
        above = s.y;
        slope[i] = s.z;
    }
    /* The middle one of three planes. */
    __device__ void make(float *next, int z, few<C> (&v)[ROWS], const few<C> (&around)[ROWS],
                         const level<C> &here, const level<C> &after)
    {
        few<C> above = {};
        if (varies)
            above = slopes_at(here.point[0], after.point[0], here.point[1]).y;
        KIN_UNROLL
        for (int i = 0; i < ROWS; i++) {
            if (varies)
                vary(v[i], i, above, here, after);
            if (damps) {
                few<C> all = sum_of(left_of(around[i]), around[i], right_of(around[i]));
                KIN_UNROLL
                for (int c = 0; c < C; c++)
                    v[i].v[c] = keep * v[i].v[c] + blend * (all.v[c] - here.point[i + 1].v[c]);
            }
        }
        float *to = gpu_plain(next + plane(z));
        KIN_UNROLL
        for (int i = 0; i < ROWS; i++)
            if (mine[i])
                write(gpu_past(to, sizeof *to, (int)at[i + 1]), v[i]);
    }
    /* Plane z. Asks for what plane z + 1 needs, in place of what no other does. False: it was the
     * last one. */
    __device__ bool step(float *next, const float *point, int &z, int end, level<C> &before,
                         level<C> &here, level<C> &after)
    {
        few<C> v[ROWS], around[ROWS];
        complete(after);
        KIN_UNROLL
        for (int i = 0; i < ROWS; i++) {
            v[i] = here.next[i];
            around[i] = sum_of(before.three[i], here.three[i], after.three[i]);
        }
        bool more = z + 1 < end;
        if (more) {
            read_point(before, point, z + 2);
            read_next(after, next, z + 1);
            if (asked && z + 3 < end) {
                gpu_ask(asked);
                asked += (unsigned)dims.y * (unsigned)dims.x;
            }
        }
        make(next, z, v, around, here, after);
        z++;
        return more;
    }
};

/* `planes` planes of a block's samples. */
template <bool varies, bool damps, int C>
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(BLOCKS))
    regularise(float *next, const float *point, struct kin_dims d, float tv, float damping,
               int planes)
{
    int lane = (int)threadIdx.x, beside = (int)threadIdx.y % WIDE,
        first = ((int)blockIdx.x * WIDE + beside) * LANES * C,
        top = ((int)blockIdx.y * HIGH + (int)threadIdx.y / WIDE) * ROWS, x = first + (lane - 1) * C,
        z = (int)blockIdx.z * planes, end = d.z - z < planes ? d.z : z + planes;
    if (first >= d.x || top >= d.y) /* the whole warp */
        return;
    column<varies, damps, C> column;
    column.dims = d;
    column.place(x, top, lane > 0 && lane <= LANES && x < d.x);
    column.place_asked(point, next, z, first, top, lane);
    column.tv = tv;
    column.keep = 1 - damping;
    column.blend = damping * (1.0f / 26);
    level<C> a, b, c;
    column.read_point(a, point, z - 1);
    column.read_point(b, point, z);
    column.read_next(b, next, z);
    column.read_point(c, point, z + 1);
    column.complete(a);
    column.complete(b);
    if (varies)
        column.begin(a, b);
    while (column.step(next, point, z, end, a, b, c) && column.step(next, point, z, end, b, c, a) &&
           column.step(next, point, z, end, c, a, b))
        ;
}

template <int C>
static void regularise_by(struct device *dev, float *next, const float *point, struct kin_dims dims,
                          float tv, float damping)
{
    int planes = gpu_rows_each(dev, kin_count(dims) / (C * ROWS), PLANES_LEAST, dims.z);
    dim3 grid(gpu_pieces((size_t)dims.x, LANES * C * WIDE), gpu_pieces((size_t)dims.y, HIGH * ROWS),
              gpu_pieces((size_t)dims.z, (size_t)planes));
    auto kernel = tv <= 0       ? regularise<false, true, C>
                  : damping > 0 ? regularise<true, true, C>
                                : regularise<true, false, C>;
    LAUNCH(dev, kernel, grid, dim3(WARP, WIDE * HIGH), 0)(next, point, dims, tv, damping, planes);
}

} // namespace

void gpu_rl_regularise(struct device *dev, float *next, const float *point, struct kin_dims dims,
                       float tv, float damping)
{
    bool pairs = dims.x % COLS == 0 &&
                 ((uintptr_t)next | (uintptr_t)point) % (COLS * sizeof *next) == 0;
    if (tv <= 0 && damping <= 0)
        return;
    (pairs ? regularise_by<COLS> : regularise_by<1>)(dev, next, point, dims, tv, damping);
}
