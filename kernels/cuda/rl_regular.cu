// SPDX-License-Identifier: MIT
/* rl_regular.cu: regularisation of Richardson-Lucy steps on the GPU.
 *
 * A warp goes down a plane, each thread down a column of samples, of which it has three rows of
 * three planes in registers. What it needs of the columns beside its own it asks its neighbours
 * for. The first and the last thread of a warp have one neighbour; they make no samples. */
#include "cuda/device.h"

extern "C" {
#include "device/rl_step.h"
}

enum {
    WARP = 32,
    LANES = WARP - 2,          /* threads that make samples */
    HIGH = GPU_THREADS / WARP, /* warps of a block, one below the other */
    ROWS = 16,                 /* that a warp makes */
    GROUP = 4,                 /* of them, for which all is read before the first is made */
};

static const unsigned ALL = 0xffffffff; /* threads of a warp */

namespace {

/* A column of a plane and of the planes before and after it. */
struct column {
    const float *before, *here, *after;
    int w, h;
};

/* A sample of each. */
struct three {
    float before, here, after;
};

/* Mirrored half a sample outside both ends; i is no further off than the next. */
static __device__ unsigned mirrored(int i, int n)
{
    int last = n - 1;
    i = i > 0 ? i : 0;
    return (unsigned)(i < last ? i : last);
}

static __device__ struct column column_at(const float *volume, struct kin_dims d, int z, int x)
{
    size_t plane = (size_t)d.y * (size_t)d.x;
    const float *first = volume + mirrored(x, d.x);
    return {first + plane * mirrored(z - 1, d.z), first + plane * (unsigned)z,
            first + plane * mirrored(z + 1, d.z), d.x, d.y};
}

static __device__ struct three three_at(const struct column *c, int y)
{
    size_t at = (size_t)mirrored(y, c->h) * (unsigned)c->w;
    return {gpu_fixed(c->before[at]), gpu_fixed(c->here[at]), gpu_fixed(c->after[at])};
}

static __device__ float sum_of(const struct three &v)
{
    return v.before + v.here + v.after;
}

/* The sample to the left, or right, of the thread's. */
static __device__ float left_of(float v)
{
    return __shfl_up_sync(ALL, v, 1);
}

static __device__ float right_of(float v)
{
    return __shfl_down_sync(ALL, v, 1);
}

/* The forward differences from `here` over the length of the gradient: rl_slope. */
struct slopes {
    float z, y, x;
};

static __device__ struct slopes slopes_at(float here, float after, float below)
{
    float dz = after - here, dy = below - here, dx = right_of(here) - here;
    float over = gpu_inverse_root(dz * dz + dy * dy + dx * dx + RL_LEAST_SLOPE);
    return {dz * over, dy * over, dx * over};
}

/* rl_variation of the samples of a column, from top to bottom. */
struct variation {
    float above; /* the slope along y of the sample above */
};

static __device__ float divide_by(struct variation *along, const struct three &here,
                                  const struct three &below, float tv)
{
    struct slopes s = slopes_at(here.here, here.after, below.here),
                  before = slopes_at(here.before, here.here, below.before);
    float by = 1 - tv * (s.z - before.z + s.y - along->above + s.x - left_of(s.x));
    along->above = s.y;
    return fmaxf(by, RL_LEAST_VARIATION);
}

/* With four blocks on a multiprocessor, not five, warps would wait more. */
template <bool varies, bool damps>
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(5))
    regularise(float *next, const float *point, struct kin_dims d, float tv, float damping)
{
    int z = (int)blockIdx.z, x = (int)blockIdx.x * LANES + (int)threadIdx.x - 1,
        top = ((int)blockIdx.y * HIGH + (int)threadIdx.y) * ROWS;
    bool mine = threadIdx.x > 0 && threadIdx.x <= LANES && x < d.x;
    int end = mine ? d.y : 0;
    struct column column = column_at(point, d, z, x);
    struct three above = three_at(&column, top - 1), here = three_at(&column, top), below[GROUP];
    struct variation along = {varies ? slopes_at(above.here, above.after, here.here).y : 0};
    float *at = next + ((size_t)z * (unsigned)d.y + (unsigned)top) * (unsigned)d.x + x, v[GROUP];
    for (int first = top; first < top + ROWS; first += GROUP, at += GROUP * (size_t)(unsigned)d.x) {
        KIN_UNROLL
        for (int k = 0; k < GROUP; k++) {
            below[k] = three_at(&column, first + k + 1);
            v[k] = first + k < end ? at[k * (size_t)(unsigned)d.x] : 0;
        }
        KIN_UNROLL
        for (int k = 0; k < GROUP; k++) {
            if (varies)
                v[k] = gpu_ratio(v[k], divide_by(&along, here, below[k], tv));
            if (damps) {
                float sum = sum_of(above) + sum_of(here) + sum_of(below[k]);
                sum += left_of(sum) + right_of(sum) - here.here;
                v[k] = (1 - damping) * v[k] + damping * (sum * (1.0f / 26));
            }
            above = here;
            here = below[k];
        }
        KIN_UNROLL
        for (int k = 0; k < GROUP; k++)
            if (first + k < end)
                at[k * (size_t)(unsigned)d.x] = v[k];
    }
}

} // namespace

void gpu_rl_regularise(struct device *dev, float *next, const float *point, struct kin_dims dims,
                       float tv, float damping)
{
    bool varies = tv > 0, damps = damping > 0;
    dim3 grid(gpu_pieces((size_t)dims.x, LANES), gpu_pieces((size_t)dims.y, HIGH * ROWS),
              (unsigned)dims.z);
    auto kernel = !varies ? regularise<false, true>
                  : damps ? regularise<true, true>
                          : regularise<true, false>;
    if (varies || damps)
        LAUNCH(dev, kernel, grid, dim3(WARP, HIGH), 0)(next, point, dims, tv, damping);
}
