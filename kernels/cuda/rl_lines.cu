// SPDX-License-Identifier: MIT
/* rl_lines.cu: Richardson-Lucy's work on single samples between transforms of lines in shared
 * memory.
 *
 * One kernel takes rows, two at a time as real and imaginary part: transforms them back, does the
 * work, transforms them again. One kernel takes columns. So a step is, beside its convolutions
 * along z, two passes over rows and four over columns, each of which reads and writes every sample
 * once.
 *
 * The spectrum has as many floats as the volume, x/2 complex numbers to a row. Of mirrored rows,
 * number l is the cosine coefficients l and x - l, number 0 is 0 and x/2, and columns are two real
 * ones side by side. Else it is the Fourier coefficient (l, k), k < x/2, but for k = 0: there it is
 * (l, 0) for l < y/2, (y - l, x/2) for l > y/2, and for l = 0 and y/2 the real (l, 0) and (l, x/2),
 * one in each float. Where they lie: rl_panels. */
#include "cuda/line_block.h"
#include "cuda/rl_sample.h"

namespace {

/* ---- rows ------------------------------------------------------------------------------------ */

struct rows {
    struct pair *spectrum;
    struct rl_panels panels; /* of a plane */
};

/* A block's rows in the spectrum, two by two. */
template <bool COSINES> struct row_waves {
    struct pair *spectrum; /* of a plane */
    struct rl_panels panels;
    int first; /* two rows of the block */
    struct some {
        struct row_waves all;
        int two, l, step;
        __device__ struct pair *at(int i) const
        {
            return all.spectrum + all.panels.at(two, l + i * step);
        }
        /* Of one row after the other; of cosines l and n - l, of both rows. */
        static __device__ struct pair turned(struct pair v)
        {
            return COSINES ? pair{{v.near.x, v.far.x}, {v.near.y, v.far.y}} : v;
        }
        __device__ struct pair get(int i) const { return turned(*at(i)); }
        __device__ void set(int i, struct pair v) const { *at(i) = turned(v); }
    };
    __device__ struct some from(int line, int l, int m) const
    {
        return {*this, first + line, l, m};
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
    static constexpr bool ONE = sizeof(Work().template read<float>(0)) == sizeof(float);
    static constexpr enum line_tables TABLES = ONE ? TABLES_AHEAD : TABLES_LATE;
    enum { FEW_READS = 4, READS = ONE ? 4 : 1 };
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
    int most = 1 << c.shift, first = (int)blockIdx.x << c.shift, left = r.panels.high - first,
        z = (int)blockIdx.y;
    row_waves<Fold::COSINES> waves = {r.spectrum + (size_t)z * r.panels.high * r.panels.wide,
                                      r.panels, first};
    row_samples<Fold::COSINES, Work> samples = {
        work.from(2 * ((size_t)z * r.panels.high + first) * c.n), c.n};
    transform_lines<LINE_BESIDE, LINE_ALONG>(
        c, left < most ? left : most, [](int) { return Fold(); }, waves, samples);
}

/* ---- columns --------------------------------------------------------------------------------- */

struct columns {
    struct pair *spectrum;
    struct rl_panels panels; /* of a plane */
};

/* A block's columns. */
struct column_waves {
    struct pair *panel;
    int width;
    struct some {
        struct pair *top;
        int step;
        __device__ struct pair get(int i) const { return top[i * step]; }
        __device__ void set(int i, struct pair v) const { top[i * step] = v; }
    };
    __device__ struct some from(int column, int l, int m) const
    {
        return {panel + l * width + column, m * width};
    }
};

/* What is read of a column at a time. */
template <bool COSINES> struct column_type {
    using some = float2;
};

template <> struct column_type<true> {
    using some = struct pair;
};

template <bool COSINES, bool FORWARD> struct column_samples {
    enum { BACK = !FORWARD, ON = FORWARD, TOGETHER = COSINES ? 2 : 1, READS = 16, FEW_READS = 16 };
    static constexpr enum line_tables TABLES = TABLES_AHEAD;
    using V = typename column_type<COSINES>::some;
    struct pair *panel;
    int width;
    struct some {
        V *top;
        int step;
        __device__ V read(int i) const { return FORWARD ? top[i * step] : V{}; }
        __device__ void make(int i, V d, float2 (&v)[2]) const
        {
            if constexpr (FORWARD && COSINES) {
                v[0] = d.near;
                v[1] = d.far;
            } else if constexpr (FORWARD) {
                v[0] = d;
            } else if constexpr (COSINES) {
                top[i * step] = {swapped(v[0]), swapped(v[1])};
            } else {
                top[i * step] = swapped(v[0]);
            }
        }
    };
    __device__ void ask(int) const {}
    __device__ struct some from(int column, int y, int step) const
    {
        struct pair *two = panel + y / 2 * width + column;
        if constexpr (COSINES)
            return {two, step / 2 * width};
        else
            return {(float2 *)two + y % 2, step * width};
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
    int first = (int)blockIdx.x << c.shift, width = d.panels.width(first);
    struct pair *panel = d.spectrum + ((size_t)blockIdx.y * d.panels.wide + first) * d.panels.high;
    transform_lines<LINE_ABREAST, LINE_ABREAST>(
        c, width, [&](int column) { return fold_of_column<Fold>(first + column); },
        column_waves{panel, width}, column_samples<Fold::COSINES, FORWARD>{panel, width});
}

/* ---- launchers ------------------------------------------------------------------------------- */

template <typename Fold, bool FORWARD> void run_columns(struct device *dev, struct rl_plan *plan)
{
    const struct line_plan *along = &plan->along;
    struct columns d = {(struct pair *)plan->spectrum, rl_panels_of(plan)};
    auto kernel = columns_of<Fold, FORWARD>;
    LAUNCH(dev, kernel, dim3(gpu_line_blocks(along, (size_t)d.panels.wide), (unsigned)plan->dims.z),
           GPU_THREADS, gpu_line_bytes(along))
    (d, *along);
}

template <typename Rows, typename Columns, typename Work>
void run(struct device *dev, struct rl_plan *plan, Work work)
{
    const struct line_plan *across = &plan->across;
    struct rows r = {(struct pair *)plan->spectrum, rl_panels_of(plan)};
    auto kernel = rows_of<Rows, Work>;
    if (Work::BACK)
        run_columns<Columns, false>(dev, plan);
    LAUNCH(dev, kernel,
           dim3(gpu_line_blocks(across, (size_t)r.panels.high), (unsigned)plan->dims.z),
           GPU_THREADS, gpu_line_bytes(across))
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
