// SPDX-License-Identifier: MIT
/* rl_lines_cuda.cu: Richardson-Lucy's work on single samples between transforms of lines in shared memory.
 *
 * One kernel takes rows, two at a time as real and imaginary part: transforms them back, does the work,
 * transforms them again. One kernel takes columns. So a step is, beside its convolutions along z, two passes
 * over rows and four over columns, each of which reads and writes every sample once.
 *
 * The spectrum (z, y, x) has as many floats as the volume. On a mirrored domain they are cosine
 * coefficients. Else two are the Fourier coefficient (l, k), k < x/2, but for k = 0: there it is (l, 0) for
 * l < y/2, (y - l, x/2) for l > y/2, and for l = 0 and y/2 the real (l, 0) and (l, x/2), one in each float.
 */
#include "line_block_cuda.h"
#include "rl_sample_cuda.h"
#include "sample_cuda.h"

namespace {

enum {
    WARP = 32,
    BLOCKS = 3,                 /* of a multiprocessor, that its memory and its units are busy at once */
    BLOCK_SAMPLES = 4096,       /* that a block should have at least, for 16 in every thread's butterfly */
    NARROWEST = 4, WIDEST = 64, /* pairs of columns of a block: 4 are the 32 bytes that memory moves at least */
};

/* ---- a line by some threads of a block -----------------------------------------------------------------
 * Its samples, or pairs of coefficients, are i = me, me + step, ... below end of one thread; end is n, or 0 if
 * there is no such line. All threads of the block call it. */

struct share {
    int me, step, end;
    int lines; /* of the block */
};

/* From coefficients, read(l, far), to samples whose parts are swapped. */
template <typename Fold, typename Read>
static __device__ inline void transform_back(Fold fold, struct share s, Read read)
{
    if (s.me == 0 && s.end)
        fold.back_first(fold.spot(0), read(0, s.end / 2));
    struct found {
        struct pair v;
        struct line_spot spot;
    };
    read_ahead<2>(
        s.me ? s.me : s.step, s.end / 2, s.step, [&](unsigned l) { return found{read(l, s.end - l), fold.spot(l)}; },
        [&](unsigned, struct found f) { fold.back(f.spot, f.v); });
    lines_back(fold.of.c, s.lines);
}

/* From samples to coefficients, write(l, far, v). */
template <typename Fold, typename Write>
static __device__ inline void transform_on(Fold fold, struct share s, Write write)
{
    lines_forward(fold.of.c, s.lines);
    if (s.me == 0 && s.end)
        write(0, s.end / 2, fold.on_first(fold.spot(0)));
    for (int l = s.me ? s.me : s.step; l < s.end / 2; l += s.step)
        write(l, s.end - l, fold.on(fold.spot(l)));
}

/* ---- rows ----------------------------------------------------------------------------------------- */

struct rows {
    float *spectrum; /* rows of n floats */
    size_t pairs;    /* of rows, in all planes */
    int shift;       /* a block has 1 << shift pairs, each as many of its threads */
};

/* A pair of rows in the spectrum: of cosines, n floats; of Fourier coefficients, n/2 complex numbers. */
struct row_pair {
    float *spectrum; /* the block's */
    unsigned first, n;
    __device__ float2 at(unsigned l) const { return {spectrum[first + l], spectrum[first + n + l]}; }
    __device__ void set(unsigned l, float2 v) const
    {
        spectrum[first + l] = v.x;
        spectrum[first + n + l] = v.y;
    }
    __device__ float2 &wave(unsigned l) const { return ((float2 *)spectrum)[first / 2 + l]; }
    template <typename Fold> __device__ struct pair read(unsigned l, unsigned far) const
    {
        if (Fold::COSINES)
            return {at(l), at(far)};
        return {wave(l), wave(n / 2 + l)};
    }
    template <typename Fold> __device__ void write(unsigned l, unsigned far, struct pair v) const
    {
        if (Fold::COSINES) {
            set(l, v.near);
            set(far, v.far);
        } else {
            wave(l) = v.near;
            wave(n / 2 + l) = v.far;
        }
    }
};

template <typename Fold, typename Work>
static __global__ void __launch_bounds__(GPU_THREADS, BLOCKS)
rows_of(const __grid_constant__ struct rows r, const __grid_constant__ struct line_plan c,
        const __grid_constant__ Work all)
{
    size_t most = (size_t)1 << r.shift, first = (size_t)blockIdx.x << r.shift, left = r.pairs - first;
    int step = GPU_THREADS >> r.shift, line = (int)threadIdx.x / step, n = c.n;
    int lines = (int)(left < most ? left : most);
    struct share share = {(int)threadIdx.x % step, step, line < lines ? n : 0, lines};
    row_pair rows = {gpu_plain(r.spectrum + 2 * first * n), gpu_plain(2u * line * n), (unsigned)n};
    Work work = all.from(2 * first * n);
    struct block_line samples(c, line);
    const uint16_t *place = places_for<Fold>(c);
    struct both {
        decltype(work.read(0)) v[2];
        unsigned place;
    };
    if (Work::BACK)
        transform_back(Fold{{c, samples}}, share, [&](unsigned l, unsigned far) { return rows.read<Fold>(l, far); });
    read_ahead<2>(
        share.me, share.end, step,
        [&](unsigned x) {
            return both{{work.read(rows.first + x), work.read(rows.first + n + x)}, gpu_fixed(place[x])};
        },
        [&](unsigned x, struct both v) {
            float2 &model = samples[v.place], old = Work::BACK ? model : float2{0, 0}; /* parts are swapped */
            float2 made = {work.make(rows.first + x, v.v[0], old.y), work.make(rows.first + n + x, v.v[1], old.x)};
            if (Work::ON)
                model = made;
        });
    if (Work::ON)
        transform_on(Fold{{c, samples}}, share,
                     [&](unsigned l, unsigned far, struct pair v) { rows.write<Fold>(l, far, v); });
}

/* ---- columns ---------------------------------------------------------------------------------------- */

struct columns {
    float2 *spectrum; /* (z, n, width): two real columns of cosines side by side, or a complex one */
    int width;
    int shift; /* a block has 1 << shift of them */
};

struct column {
    float2 *spectrum; /* the plane's */
    unsigned first, width;
    __device__ float2 &at(unsigned y) const { return spectrum[first + y * width]; }
};

/* Of what real_fold makes of rows, column 0 is two real ones: that of 0 and that of n/2. */
template <typename Fold> static __device__ inline Fold fold_of_column(struct line_of_plan of, int number)
{
    if constexpr (Fold::COSINES)
        return {of};
    else
        return {of, number == 0};
}

/* The block's columns of plane blockIdx.y. */
template <typename Fold, bool FORWARD>
static __global__ void __launch_bounds__(GPU_THREADS, BLOCKS)
columns_of(const __grid_constant__ struct columns d, const __grid_constant__ struct line_plan c)
{
    int most = 1 << d.shift, first = (int)blockIdx.x << d.shift, left = d.width - first;
    int step = GPU_THREADS >> d.shift, line = (int)threadIdx.x & (most - 1), lines = left < most ? left : most;
    struct share share = {(int)threadIdx.x >> d.shift, step, line < lines ? c.n : 0, lines};
    column column = {gpu_plain(d.spectrum + (size_t)blockIdx.y * c.n * d.width), gpu_plain((unsigned)(first + line)),
                     (unsigned)d.width};
    struct block_line samples(c, line);
    const uint16_t *place = places_for<Fold>(c);
    Fold fold = fold_of_column<Fold>({c, samples}, first + line);
    if (FORWARD) {
        struct found {
            float2 v;
            unsigned place;
        };
        read_ahead(
            share.me, share.end, step, [&](unsigned y) { return found{column.at(y), gpu_fixed(place[y])}; },
            [&](unsigned, struct found f) { samples[f.place] = f.v; });
        transform_on(fold, share, [&](unsigned l, unsigned far, struct pair v) {
            column.at(l) = v.near;
            column.at(far) = v.far;
        });
    } else {
        transform_back(fold, share,
                       [&](unsigned l, unsigned far) { return pair{column.at(l), column.at(far)}; });
        for (int y = share.me; y < share.end; y += step)
            column.at(y) = swapped(samples[gpu_fixed(place[y])]);
    }
}

/* ---- launchers ---------------------------------------------------------------------------------------- */

/* Doubles a block's lines until it has samples enough, or a multiprocessor no more room for BLOCKS of it; at least
 * `fewest`, if there is room for two, and at most `most`. Answers how often. */
int shift_of(struct device *dev, const struct line_plan *c, int fewest, int most)
{
    const struct gpu *gpu = gpu_of(dev);
    int shift = 0;
    for (; 2 << shift <= most; shift++) {
        size_t bytes = gpu_line_bytes(c) << (shift + 1);
        bool few = 2 << shift <= fewest;
        if (bytes > gpu->shared || (few ? 2 : BLOCKS) * bytes > gpu->shared_all ||
            (!few && c->n << shift >= BLOCK_SAMPLES))
            break;
    }
    return shift;
}

template <typename Fold, bool FORWARD> void run_columns(struct device *dev, struct rl_plan *plan)
{
    int width = plan->dims.x / 2, shift = shift_of(dev, &plan->along, NARROWEST, WIDEST);
    struct columns d = {(float2 *)plan->spectrum, width, shift};
    auto kernel = columns_of<Fold, FORWARD>;
    LAUNCH(dev, kernel, dim3(gpu_pieces((size_t)width, (size_t)1 << shift), (unsigned)plan->dims.z), GPU_THREADS,
           gpu_line_bytes(&plan->along) << shift)
    (d, plan->along);
}

template <typename Rows, typename Columns, typename Work> void run(struct device *dev, struct rl_plan *plan, Work work)
{
    int shift = shift_of(dev, &plan->across, 1, GPU_THREADS / WARP);
    struct rows r = {plan->spectrum, (size_t)plan->dims.z * (size_t)plan->dims.y / 2, shift};
    auto kernel = rows_of<Rows, Work>;
    if (Work::BACK)
        run_columns<Columns, false>(dev, plan);
    LAUNCH(dev, kernel, dim3(gpu_pieces(r.pairs, (size_t)1 << shift)), GPU_THREADS,
           gpu_line_bytes(&plan->across) << shift)
    (r, plan->across, work);
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
