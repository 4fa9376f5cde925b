// SPDX-License-Identifier: MIT
/* rl_lines.cu: Richardson-Lucy's work on single samples between transforms of lines in shared
 * memory.
 *
 * One kernel takes rows, two at a time as real and imaginary part: transforms them back, does the
 * work, transforms them again. One kernel takes columns. So a step is, beside its convolutions
 * along z, two passes over rows and four over columns, each of which reads and writes every sample
 * once.
 *
 * The spectrum (z, y, x) has as many floats as the volume. On a mirrored domain they are cosine
 * coefficients. Else two are the Fourier coefficient (l, k), k < x/2, but for k = 0: there it is
 * (l, 0) for l < y/2, (y - l, x/2) for l > y/2, and for l = 0 and y/2 the real (l, 0) and (l, x/2),
 * one in each float. */
#include "cuda/line_block.h"
#include "cuda/rl_sample.h"

namespace {

/* ---- rows ------------------------------------------------------------------------------------ */

struct rows {
    float *spectrum; /* rows of n floats */
    size_t pairs;    /* of rows, in all planes */
};

/* A block's rows in the spectrum, two by two: of cosines, n floats; of Fourier coefficients, n/2
 * complex numbers. */
template <bool COSINES> struct row_waves {
    float *spectrum;
    int n;
    struct some {
        float *near, *far; /* of the first row */
        int n, step;
        __device__ float *far_of(int i, bool first) const
        {
            return far - (first ? n / 2 : i * step);
        }
        __device__ struct pair get(int i, bool first) const
        {
            if (COSINES) {
                const float *row = near + i * step, *back = far_of(i, first);
                return {{row[0], row[n]}, {back[0], back[n]}};
            }
            const float2 *row = (const float2 *)near + i * step;
            return {row[0], row[n / 2]};
        }
        __device__ void set(int i, bool first, struct pair v) const
        {
            if (COSINES) {
                float *row = near + i * step, *back = far_of(i, first);
                row[0] = v.near.x;
                row[n] = v.near.y;
                back[0] = v.far.x;
                back[n] = v.far.y;
            } else {
                float2 *row = (float2 *)near + i * step;
                row[0] = v.near;
                row[n / 2] = v.far;
            }
        }
    };
    __device__ struct some from(int line, int l, int m) const
    {
        float *row = spectrum + 2 * line * n;
        return {row + (COSINES ? l : 2 * l), row + n - l, n, m};
    }
};

/* What is read of a row at a time. */
template <bool COSINES> struct row_type {
    using some = float;
};

template <> struct row_type<true> {
    using some = float2;
};

/* Work on the samples of a block's rows. */
template <bool COSINES, typename Work> struct row_samples {
    enum { BACK = Work::BACK, ON = Work::ON, TOGETHER = COSINES ? 2 : 1 };
    enum { READS = sizeof(Work().template read<float>(0)) == sizeof(float) ? 4 : 1 };
    using V = typename row_type<COSINES>::some;
    Work work;
    int n;
    struct data {
        decltype(Work().template read<V>(0)) row, next;
    };
    struct some {
        Work work;
        int n, step;
        __device__ struct data read(int i) const
        {
            return {work.template read<V>(i * step), work.template read<V>(i * step + n)};
        }
        __device__ void make(int i, struct data d, float2 (&v)[2]) const
        {
            if constexpr (COSINES) {
                float2 row = work.make(i * step, d.row, float2{v[0].y, v[1].y});
                float2 next = work.make(i * step + n, d.next, float2{v[0].x, v[1].x});
                v[0] = {row.x, next.x};
                v[1] = {row.y, next.y};
            } else {
                v[0] = {work.make(i * step, d.row, v[0].y),
                        work.make(i * step + n, d.next, v[0].x)};
            }
        }
    };
    __device__ void ask(int lines) const { work.ask(2 * lines * n); }
    __device__ struct some from(int line, int x, int step) const
    {
        return {work.from(2 * line * n + x), n, step};
    }
};

template <typename Fold, typename Work>
static __global__ void __launch_bounds__(GPU_THREADS, LINE_BLOCKS)
    rows_of(const __grid_constant__ struct rows r, const __grid_constant__ struct line_plan c,
            const __grid_constant__ Work work)
{
    size_t most = (size_t)1 << c.shift, first = (size_t)blockIdx.x << c.shift,
           left = r.pairs - first;
    row_waves<Fold::COSINES> waves = {r.spectrum + 2 * first * c.n, c.n};
    row_samples<Fold::COSINES, Work> samples = {work.from(2 * first * c.n), c.n};
    transform_lines<LINE_ALONG>(
        c, (int)(left < most ? left : most), [](int) { return Fold(); }, waves, samples);
}

/* ---- columns --------------------------------------------------------------------------------- */

struct columns {
    /* (z, n, width): two real columns of cosines side by side, or a complex one */
    float2 *spectrum;
    int width;
};

/* A block's columns: coefficients and samples in the same places. */
struct column_waves {
    float2 *spectrum;
    int n, width;
    struct some {
        float2 *near, *far;
        int half, step;
        __device__ float2 *far_of(int i, bool first) const
        {
            return far - (first ? half : i * step);
        }
        __device__ struct pair get(int i, bool first) const
        {
            return {near[i * step], *far_of(i, first)};
        }
        __device__ void set(int i, bool first, struct pair v) const
        {
            near[i * step] = v.near;
            *far_of(i, first) = v.far;
        }
    };
    __device__ struct some from(int column, int l, int m) const
    {
        float2 *top = spectrum + column;
        return {top + l * width, top + (n - l) * width, n / 2 * width, m * width};
    }
};

template <bool COSINES, bool FORWARD> struct column_samples {
    enum { BACK = !FORWARD, ON = FORWARD, TOGETHER = COSINES ? 2 : 1, READS = 16 };
    float2 *spectrum;
    int width;
    struct some {
        float2 *top;
        int step, width;
        struct data {
            float2 v[2];
        };
        __device__ struct data read(int i) const
        {
            const float2 *at = top + i * step;
            return FORWARD ? data{at[0], TOGETHER == 2 ? at[width] : float2{0, 0}} : data{};
        }
        __device__ void make(int i, struct data d, float2 (&v)[2]) const
        {
            float2 *at = top + i * step;
            for (int k = 0; k < TOGETHER; k++)
                if (FORWARD)
                    v[k] = d.v[k];
                else
                    at[k * width] = swapped(v[k]);
        }
    };
    __device__ void ask(int) const {}
    __device__ struct some from(int column, int y, int step) const
    {
        return {spectrum + column + y * width, step * width, width};
    }
};

/* Of what real_fold makes of rows, column 0 is two real ones: that of 0 and that of n/2. */
template <typename Fold> static __device__ inline Fold fold_of_column(int number)
{
    if constexpr (Fold::COSINES)
        return {};
    else
        return {number == 0};
}

/* The block's columns of plane blockIdx.y. */
template <typename Fold, bool FORWARD>
static __global__ void __launch_bounds__(GPU_THREADS, LINE_BLOCKS)
    columns_of(const __grid_constant__ struct columns d, const __grid_constant__ struct line_plan c)
{
    int most = 1 << c.shift, first = (int)blockIdx.x << c.shift, left = d.width - first;
    float2 *spectrum = d.spectrum + (size_t)blockIdx.y * c.n * d.width + first;
    transform_lines<LINE_ABREAST>(
        c, left < most ? left : most,
        [&](int column) { return fold_of_column<Fold>(first + column); },
        column_waves{spectrum, c.n, d.width},
        column_samples<Fold::COSINES, FORWARD>{spectrum, d.width});
}

/* ---- launchers ------------------------------------------------------------------------------- */

template <typename Fold, bool FORWARD> void run_columns(struct device *dev, struct rl_plan *plan)
{
    const struct line_plan *along = &plan->along;
    struct columns d = {(float2 *)plan->spectrum, plan->dims.x / 2};
    auto kernel = columns_of<Fold, FORWARD>;
    LAUNCH(dev, kernel, dim3(gpu_line_blocks(along, (size_t)d.width), (unsigned)plan->dims.z),
           GPU_THREADS, gpu_line_bytes(along))
    (d, *along);
}

template <typename Rows, typename Columns, typename Work>
void run(struct device *dev, struct rl_plan *plan, Work work)
{
    const struct line_plan *across = &plan->across;
    struct rows r = {plan->spectrum, (size_t)plan->dims.z * (size_t)plan->dims.y / 2};
    auto kernel = rows_of<Rows, Work>;
    if (Work::BACK)
        run_columns<Columns, false>(dev, plan);
    LAUNCH(dev, kernel, dim3(gpu_line_blocks(across, r.pairs)), GPU_THREADS, gpu_line_bytes(across))
    (r, *across, work);
    if (Work::ON)
        run_columns<Columns, true>(dev, plan);
}

} // namespace

template <typename Work> void rl_on_lines(struct device *dev, struct rl_plan *plan, Work work)
{
    if (plan->ends == RL_MIRRORED)
        run<cosine_fold, cosine_fold>(dev, plan, work);
    else
        run<real_fold, complex_fold>(dev, plan, work);
}

#define X(work) template void rl_on_lines(struct device *, struct rl_plan *, work);
RL_WORK(X)
