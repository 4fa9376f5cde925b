// SPDX-License-Identifier: MIT
/* rl_blur.cu: the convolution of Richardson-Lucy steps along z on the GPU.
 *
 * A block of threads takes a few columns (ky, kx) of all planes into shared memory and writes them
 * back convolved, so that the spectrum is read once and written once. Where cuFFT has transformed a
 * mirrored domain (dct.h) columns are taken in pairs, turned and folded on the way into shared
 * memory and back again on the way out, so that cosine transforms take no pass more than Fourier
 * transforms. */
#include "cuda/rl.h"
#include "cuda/sample.h"
#include "cuda/window.h"

enum {
    COLUMNS = 32,
    RUN = 4, /* samples that a thread makes */
};

/* += of both parts of both samples, each by its own tap. */
static __device__ void add_tapped(struct pair *sum, struct pair tap, struct pair v)
{
    sum->near.x += tap.near.x * v.near.x;
    sum->near.y += tap.near.y * v.near.y;
    sum->far.x += tap.far.x * v.far.x;
    sum->far.y += tap.far.y * v.far.y;
}

static __device__ struct pair operator+(struct pair a, struct pair b)
{
    return pair{a.near + b.near, a.far + b.far};
}

namespace {

/* ---- columns: a thread makes RUN samples, one above the other -------------------------------- */

struct blur {
    struct rl_taps taps;
    int nz, columns; /* of a block */
    enum rl_ends ends;
    int direction; /* 1 for H, -1 for its transpose */
    int h, w;      /* of a plane */
    int half;      /* complex samples of a row */
    bool lines;    /* transforms were of lines */
    size_t count;  /* columns of all */
};

/* A column in shared memory. A sample is a Value, what it is multiplied by a Tap. */
template <typename Value, typename Tap> struct column {
    const Value *in; /* (nz), `step` apart */
    const Tap *taps; /* (taps), `step` apart */
    const int *fold; /* m(z), from z = -taps to nz + RUN + taps */
    int step;
    __device__ Value at(int z, int c = 0) const { return in[fold[z + c] * step]; }
    __device__ Tap tap(int t) const { return taps[t * step]; }
};

/* (columns) columns of a block. */
template <typename Value, typename Tap> struct block {
    Value *in;
    Tap *taps;
    int *fold;

    __device__ block(const struct blur *b)
    {
        in = gpu_shared<Value>();
        taps = (Tap *)(in + b->nz * b->columns);
        fold = (int *)(taps + b->taps.count * b->columns);
        int me = (int)(threadIdx.y * blockDim.x + threadIdx.x),
            threads = (int)(blockDim.x * blockDim.y);
        for (int i = me; i < b->nz + RUN + 2 * b->taps.count; i += threads)
            fold[i] = rl_fold(i - b->taps.count, b->nz, b->ends);
    }
    __device__ column<Value, Tap> its_column(const struct blur *b, int number) const
    {
        return {in + number, taps + number, fold + b->taps.count, b->columns};
    }
    static size_t bytes(const struct blur *b)
    {
        return (b->nz * sizeof(Value) + b->taps.count * sizeof(Tap)) * b->columns +
               ((size_t)b->nz + RUN + 2 * (size_t)b->taps.count) * sizeof(int);
    }
};

/* sum[k] += sample z + k convolved with any taps: sample z + k + direction (centre - t) for tap
 * t. */
template <typename Value, typename Tap>
static __device__ void blur_any(Value (&sum)[RUN], struct column<Value, Tap> c, struct rl_taps taps,
                                int direction, int z)
{
    Value v[RUN];
    int first = z + direction * taps.centre;
    for (int k = 0; k < RUN; k++)
        v[k] = c.at(first + k);
    for (int t = 0; t < taps.count; t++) {
        Tap tap = c.tap(t);
        for (int k = 0; k < RUN; k++)
            add_tapped(&sum[k], tap, v[k]);
        if (direction < 0)
            move_up(v, c.at(first + RUN + t));
        else
            move_down(v, c.at(first - 1 - t));
    }
}

template <typename Value, typename Tap>
static __device__ void blur_run(Value (&sum)[RUN], struct column<Value, Tap> c,
                                const struct blur *b, int z)
{
    for (int k = 0; k < RUN; k++)
        sum[k] = Value{};
    if (b->taps.even_z)
        add_even(sum, c, b->taps.count, z);
    else
        blur_any(sum, c, b->taps, b->direction, z);
}

/* to[z] = read(z), `step` apart. */
template <typename Value, typename Read>
static __device__ void fill_column(Value *to, int step, int n, Read read)
{
    read_ahead((int)threadIdx.y, n, (int)blockDim.y, read,
               [&](int z, Value v) { to[z * step] = v; });
}

/* to[z] = from[z], `apart` and `step` apart, where reading is no more than that. */
template <typename Value>
static __device__ void copy_column(Value *to, int apart, int n, const Value *from, size_t step)
{
    int high = (int)blockDim.y;
    from = gpu_plain(from + threadIdx.y * step);
    to += (int)threadIdx.y * apart;
    GPU_UNROLLED(1)
    for (int z = (int)threadIdx.y; z < n; z += SAMPLE_READS * high) {
        Value v[SAMPLE_READS];
        KIN_UNROLL
        for (int k = 0; k < SAMPLE_READS; k++, from += high * step)
            if (z + k * high < n)
                v[k] = *from;
        KIN_UNROLL
        for (int k = 0; k < SAMPLE_READS; k++, to += high * apart)
            if (z + k * high < n)
                *to = v[k];
    }
}

/* Complex: cross is the imaginary part, x and y are the real one; or x and y are those of two
 * floats, without cross. */
struct tap_complex {
    float x, y, cross;
};

static __device__ void add_tapped(float2 *sum, struct tap_complex tap, float2 v)
{
    sum->x += tap.x * v.x - tap.cross * v.y;
    sum->y += tap.cross * v.x + tap.y * v.y;
}

/* The taps of column `at`. */
template <typename Tap>
static __device__ void read_taps(Tap *taps, const float *transfer, const struct blur *b, size_t at)
{
    copy_column(taps, b->columns, b->taps.count, (const Tap *)transfer + at, b->count);
}

template <>
__device__ void read_taps(struct tap_complex *taps, const float *transfer, const struct blur *b,
                          size_t at)
{
    bool apart = b->lines && at < 2; /* cuda/rl_lines.cu */
    fill_column(taps, b->columns, b->taps.count, [&](int t) {
        const float *tap = transfer + 2 * (t * b->count + at);
        return apart ? tap_complex{tap[0], tap[1], 0}
                     : tap_complex{tap[0], tap[0], (float)b->direction * tap[1]};
    });
}

/* A thread has a complex number of each plane, or two that are neighbours, whose floats each have a
 * tap of their own. */
template <typename Value, typename Tap>
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(sizeof(Value) == 8 ? 5 : 4))
    blur_columns(Value *spectrum, const float *transfer, struct blur b)
{
    int me = (int)threadIdx.x;
    size_t at = (size_t)blockIdx.x * b.columns + me;
    bool there = at < b.count;
    struct block<Value, Tap> block(&b);
    if (there) {
        copy_column(block.in + me, b.columns, b.nz, spectrum + at, b.count);
        read_taps(block.taps + me, transfer, &b, at);
    }
    __syncthreads();
    for (int z = RUN * (int)threadIdx.y; z < b.nz && there; z += RUN * (int)blockDim.y) {
        Value sum[RUN];
        blur_run(sum, block.its_column(&b, me), &b, z);
        Value *to = gpu_plain(spectrum + z * b.count + at);
        KIN_UNROLL
        for (int k = 0; k < RUN; k++, to += b.count)
            if (z + k < b.nz)
                *to = sum[k];
    }
}

/* ---- kernels: the same on a mirrored domain -------------------------------------------------- */

/* e^(-i pi k / 2n) */
static __device__ float2 turning(int k, int n)
{
    float2 t;
    sincospif((float)k / (float)(2 * n), &t.y, &t.x);
    t.y = -t.y;
    return t;
}

/* Coefficients from samples (l, k) and (h - l, k) of a plane, and back; row 0 is a pair with
 * nothing (dct.h). */
static __device__ struct pair folded(struct pair v, float2 turn_k, float2 turn_l, bool alone)
{
    struct pair turned = {times(v.near, turn_k), times(v.far, turn_k)};
    if (alone)
        return pair{turned.near, {0, 0}};
    struct pair made = folded(turned, turn_l);
    return pair{scaled(made.near, 0.5f), scaled(made.far, 0.5f)};
}

static __device__ struct pair unfolded(struct pair v, float2 turn_k, float2 turn_l, bool alone)
{
    struct pair turned = alone ? v : unfolded(v, turn_l);
    return pair{times(turned.near, conjugate(turn_k)), times(turned.far, conjugate(turn_k))};
}

/* Row l = blockIdx.x and the one that it is a pair with. */
static __global__ void blur_pairs(float2 *spectrum, const float2 *transfer, struct blur b)
{
    int me = (int)threadIdx.x;
    int l = (int)blockIdx.x, k = (int)blockIdx.y * b.columns + me;
    bool there = k < b.half, alone = l == 0;
    size_t near = (size_t)l * b.half + k, far = alone ? near : (size_t)(b.h - l) * b.half + k;
    float2 turn_k = turning(k, b.w), turn_l = turning(l, b.h);
    struct block<struct pair, struct pair> block(&b);
    if (there) {
        fill_column(block.in + me, b.columns, b.nz, [&](int z) {
            struct pair v = {spectrum[z * b.count + near], spectrum[z * b.count + far]};
            return folded(v, turn_k, turn_l, alone);
        });
        fill_column(block.taps + me, b.columns, b.taps.count, [&](int t) {
            return pair{transfer[t * b.count + near], transfer[t * b.count + far]};
        });
    }
    __syncthreads();
    for (int z = RUN * (int)threadIdx.y; z < b.nz && there; z += RUN * (int)blockDim.y) {
        struct pair sum[RUN];
        blur_run(sum, block.its_column(&b, me), &b, z);
        for (int i = 0; i < RUN && z + i < b.nz; i++) {
            struct pair v = unfolded(sum[i], turn_k, turn_l, alone);
            spectrum[(z + i) * b.count + near] = v.near;
            if (near != far)
                spectrum[(z + i) * b.count + far] = v.far;
        }
    }
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

static struct blur blur_of(const struct rl_plan *plan, bool transposed)
{
    return {plan->taps,
            plan->dims.z,
            COLUMNS,
            plan->ends,
            transposed ? -1 : 1,
            plan->dims.y,
            plan->dims.x,
            plan->half,
            plan->lines,
            (size_t)plan->dims.y * (size_t)plan->half};
}

/* Halves the columns of a block until they have room, at least one has. */
static size_t fit_columns(struct device *dev, struct blur *b, size_t (*bytes)(const struct blur *b))
{
    while (b->columns > 1 && bytes(b) > GPU_SHARED)
        b->columns /= 2;
    if (bytes(b) > GPU_SHARED)
        device_fail(dev, KIN_INPUT, "%d planes are too many to be deconvolved on a GPU", b->nz);
    return bytes(b);
}

static dim3 threads_of(const struct blur *b)
{
    unsigned columns = (unsigned)b->columns, runs = gpu_pieces((size_t)b->nz, RUN);
    return dim3(columns, runs < GPU_THREADS / columns ? runs : GPU_THREADS / columns);
}

template <typename Value, typename Tap>
static void blur_all(struct device *dev, struct rl_plan *plan, struct blur b)
{
    b.count = b.count * sizeof(float2) / sizeof(Value);
    size_t shared = fit_columns(dev, &b, block<Value, Tap>::bytes);
    auto kernel = blur_columns<Value, Tap>;
    LAUNCH(dev, kernel, dim3(gpu_pieces(b.count, (size_t)b.columns)), threads_of(&b), shared)
    ((Value *)plan->spectrum, plan->transfer, b);
}

static void blur_mirrored(struct device *dev, struct rl_plan *plan, struct blur b)
{
    size_t shared = fit_columns(dev, &b, block<pair, pair>::bytes);
    dim3 grid((unsigned)b.h / 2 + 1, gpu_pieces((size_t)b.half, (size_t)b.columns));
    LAUNCH(dev, blur_pairs, grid, threads_of(&b), shared)
    ((float2 *)plan->spectrum, (float2 *)plan->transfer, b);
}

void gpu_rl_blur(struct device *dev, struct rl_plan *plan, bool transposed)
{
    struct blur b = blur_of(plan, transposed);
    if (plan->ends == RL_MIRRORED && !plan->lines)
        blur_mirrored(dev, plan, b);
    else if (!plan->taps.real)
        blur_all<float2, tap_complex>(dev, plan, b);
    else if (plan->lines)
        blur_all<pair, pair>(dev, plan, b);
    else
        blur_all<float2, float>(dev, plan, b);
}
