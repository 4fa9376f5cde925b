// SPDX-License-Identifier: MIT
/* rl_lines_cuda.cu: Richardson-Lucy's work on single samples between cosine transforms in shared memory.
 *
 * The spectrum is a volume of real coefficients (z, y, x) and has its memory for itself. One kernel takes
 * rows, two at a time as real and imaginary part: transforms them back, does the work, transforms them
 * again. One kernel takes columns, also two at a time. So a step is, beside its convolutions along z, two
 * passes over rows and four over columns, each of which reads and writes every sample once.
 */
#include "cosine_lines_cuda.h"
#include "rl_sample_cuda.h"
#include "sample_cuda.h"

namespace {

enum {
    WARP = 32,
    BLOCK_SAMPLES = 4096,       /* that a block should have at least, for 16 in every thread's butterfly */
    NARROWEST = 4, WIDEST = 64, /* pairs of columns of a block: 4 are the 32 bytes that memory moves at least */
};

/* ---- a line by some threads of a block -----------------------------------------------------------------
 * Its coefficients, or samples, are i = me, me + step, ... below end of one thread: n, or 0 if there is no
 * such line. All threads of the block call it. */

/* From coefficients read(l) to samples in order, parts swapped. */
template <typename Read>
static __device__ inline void transform_back(const struct cosine &c, struct cosine_line line, int me, int end, int step,
                                             int lines, Read read)
{
    if (me == 0 && end)
        cosine_unfold_first(c, line, {read(0), read(end / 2)});
    read_ahead<2>(
        me ? me : step, end / 2, step,
        [&](unsigned l) { return cosine_pair{read(l), read(end - l)}; },
        [&](unsigned l, struct cosine_pair v) { cosine_unfold(c, line, l, v); });
    cosine_back(c, lines);
}

/* From sorted samples to coefficients, write(l, v). */
template <typename Write>
static __device__ inline void transform_on(const struct cosine &c, struct cosine_line line, int me, int end, int step,
                                           int lines, Write write)
{
    cosine_forward(c, lines);
    if (me == 0 && end) {
        struct cosine_pair v = cosine_fold_first(c, line);
        write(0, v.near);
        write(end / 2, v.far);
    }
    for (int l = me ? me : step; l < end / 2; l += step) {
        struct cosine_pair v = cosine_fold(c, line, l);
        write(l, v.near);
        write(end - l, v.far);
    }
}

/* ---- rows ----------------------------------------------------------------------------------------- */

struct rows {
    float *spectrum; /* rows of n coefficients */
    size_t pairs;    /* of rows, in all planes */
    int shift;       /* a block has 1 << shift pairs, each as many of its threads */
};

/* A pair of rows of coefficients. */
struct row_pair {
    float *spectrum; /* the block's */
    unsigned first, n;
    __device__ float2 read(unsigned l) const { return float2{spectrum[first + l], spectrum[first + n + l]}; }
    __device__ void write(unsigned l, float2 v) const
    {
        spectrum[first + l] = v.x;
        spectrum[first + n + l] = v.y;
    }
};

template <typename Work>
static __global__ void __launch_bounds__(GPU_THREADS, 3)
rows_of(const __grid_constant__ struct rows r, const __grid_constant__ struct cosine c,
        const __grid_constant__ Work all)
{
    size_t most = (size_t)1 << r.shift, first = (size_t)blockIdx.x << r.shift, left = r.pairs - first;
    int step = GPU_THREADS >> r.shift, line = (int)threadIdx.x / step, me = (int)threadIdx.x % step, n = c.n;
    int lines = (int)(left < most ? left : most), end = line < lines ? n : 0;
    row_pair rows = {gpu_plain(r.spectrum + 2 * first * n), gpu_plain(2u * line * n), (unsigned)n};
    Work work = all.from(2 * first * n);
    struct cosine_line samples(c, line);
    struct both {
        decltype(work.read(0u)) v[2];
    };
    if (Work::BACK)
        transform_back(c, samples, me, end, step, lines, [&](unsigned l) { return rows.read(l); });
    read_ahead<2>(
        me, end, step,
        [&](unsigned x) { return both{{work.read(rows.first + x), work.read(rows.first + n + x)}}; },
        [&](unsigned x, struct both v) {
            float2 &model = samples[c.sorted[x]], old = Work::BACK ? model : float2{0, 0}; /* parts are swapped */
            float2 made = {work.make(rows.first + x, v.v[0], old.y), work.make(rows.first + n + x, v.v[1], old.x)};
            if (Work::ON)
                model = made;
        });
    if (Work::ON)
        transform_on(c, samples, me, end, step, lines, [&](unsigned l, float2 v) { rows.write(l, v); });
}

/* ---- columns ---------------------------------------------------------------------------------------- */

struct columns {
    float2 *spectrum; /* pairs of coefficients (z, n, width) */
    int width;
    int shift; /* a block has 1 << shift pairs */
};

/* A pair of columns of coefficients. */
struct column_pair {
    float2 *spectrum; /* the plane's */
    unsigned first, width;
    __device__ float2 &at(unsigned y) const { return spectrum[first + y * width]; }
};

/* The block's columns of plane blockIdx.y. */
template <bool FORWARD>
static __global__ void __launch_bounds__(GPU_THREADS, 3)
columns_of(const __grid_constant__ struct columns d, const __grid_constant__ struct cosine c)
{
    int most = 1 << d.shift, first = (int)blockIdx.x << d.shift, left = d.width - first;
    int step = GPU_THREADS >> d.shift, line = (int)threadIdx.x & (most - 1), me = (int)threadIdx.x >> d.shift;
    int lines = left < most ? left : most, end = line < lines ? c.n : 0;
    column_pair column = {gpu_plain(d.spectrum + (size_t)blockIdx.y * c.n * d.width),
                          gpu_plain((unsigned)(first + line)), (unsigned)d.width};
    struct cosine_line samples(c, line);
    if (FORWARD) {
        read_ahead(
            me, end, step, [&](unsigned y) { return column.at(y); },
            [&](unsigned y, float2 v) { samples[c.sorted[y]] = v; });
        transform_on(c, samples, me, end, step, lines, [&](unsigned l, float2 v) { column.at(l) = v; });
    } else {
        transform_back(c, samples, me, end, step, lines, [&](unsigned l) { return column.at(l); });
        for (int y = me; y < end; y += step)
            column.at(y) = swapped(samples[c.sorted[y]]);
    }
}

/* ---- launchers ---------------------------------------------------------------------------------------- */

/* Doubles a block's lines until it has samples enough, or no more room; at least `fewest`, if there is room, and
 * at most `most`. Answers how often. */
int shift_of(struct device *dev, const struct cosine *c, int fewest, int most)
{
    int shift = 0;
    while (2 << shift <= most && (2 << shift <= fewest || c->n << shift < BLOCK_SAMPLES) &&
           gpu_cosine_bytes(c) << (shift + 1) <= gpu_of(dev)->shared)
        shift++;
    return shift;
}

template <bool FORWARD> void run_columns(struct device *dev, struct rl_plan *plan)
{
    int width = plan->dims.x / 2, shift = shift_of(dev, &plan->along, NARROWEST, WIDEST);
    struct columns d = {(float2 *)plan->spectrum, width, shift};
    LAUNCH(dev, columns_of<FORWARD>, dim3(gpu_pieces((size_t)width, (size_t)1 << shift), (unsigned)plan->dims.z),
           GPU_THREADS, gpu_cosine_bytes(&plan->along) << shift)
    (d, plan->along);
}

} // namespace

template <typename Work> void rl_on_lines(struct device *dev, struct rl_plan *plan, Work work)
{
    int shift = shift_of(dev, &plan->across, 1, GPU_THREADS / WARP);
    struct rows r = {plan->spectrum, (size_t)plan->dims.z * (size_t)plan->dims.y / 2, shift};
    if (Work::BACK)
        run_columns<false>(dev, plan);
    LAUNCH(dev, rows_of<Work>, dim3(gpu_pieces(r.pairs, (size_t)1 << shift)), GPU_THREADS,
           gpu_cosine_bytes(&plan->across) << shift)
    (r, plan->across, work);
    if (Work::ON)
        run_columns<true>(dev, plan);
}

#define X(work) template void rl_on_lines(struct device *, struct rl_plan *, work);
RL_WORK(X)
