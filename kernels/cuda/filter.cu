// SPDX-License-Identifier: MIT
// filter.cu: neighbourhood work on the GPU. A Gaussian goes along the rows and then along the
// columns; each block of threads keeps the pixels it looks at in shared memory.
#include "cuda/sample.h"
#include "cuda/window.h"
#include "core/fold.h"
#include "device/gauss.h"

enum {
    NARROW = 4, /* pixels next to each other that a thread makes; for wide Gaussians: */
    WIDE = 16,
    GROUP = 8,          /* of a wide one's taps that are taken together, even and odd ones */
    RADIUS_NARROW = 12, /* the most that is not wide */
    RADIUS_MOST = 128,  /* that fits into shared memory; a multiple of GROUP and NARROW */
    TAPS_ROOM = 2 * RADIUS_MOST,
    AT_ONCE = 8, /* samples that a thread reads before it uses the first */
    COLS = 32,   /* a block makes ROWS x COLS pixels of columns */
    LANES = GPU_THREADS / COLS,
    ROWS = WIDE * LANES,
    ROWS_MOST = 8, /* times as many that a block makes */
};

namespace {

/* ---- sums over neighbours -------------------------------------------------------------------- */

/* What neighbours are multiplied by: in shared memory from the first one on, so that four are read
 * at once. */
struct near_taps {
    float middle;
    const float *beside;
    __device__ float tap(int d) const { return d ? beside[d - 1] : middle; }
};

/* Those of a wide Gaussian, from the first neighbour on: every other one, and those between. */
struct wide_taps {
    float first;
    const float *even, *odd; /* after the first one */
};

/* Pixels of a row in shared memory. Those of which each is `run` further on lie side by side:
 * threads that make `run` each meet different banks, and what they read next lies at a distance
 * that is known. */
template <int run> struct row_of {
    enum {
        THREADS = run == WIDE ? 64 : 128, /* that make MADE pixels of it, `run` each */
        BLOCKS = gpu_blocks(run == WIDE ? 4 : 8) * GPU_THREADS / THREADS,
        MADE = run * THREADS,
        PITCH = THREADS + (2 * RADIUS_MOST + 32) / run,
        ALL = run * PITCH
    };
    const float *pixels;
    static __device__ int place(int i)
    {
        return (int)((unsigned)i / run + (unsigned)i % run * PITCH);
    }
    __device__ float at(int i, int c) const /* i: a multiple of run */
    {
        int rest = (c % run + run) % run;
        return pixels[(int)((unsigned)i / run) + (c - rest) / run + rest * PITCH];
    }
};

struct column_of {
    const float *pixels;
    __device__ float at(int i, int c) const { return pixels[(i + c) * COLS]; }
};

template <typename Pixels> struct tapped : near_taps, Pixels {
    __device__ tapped(near_taps taps, Pixels pixels) : near_taps(taps), Pixels(pixels) {}
};

/* By `threads` threads, of which this is number `me`; room: for radius of them. */
static __device__ near_taps read_taps(near_taps, float *room, const float *weights, int radius,
                                      int me, int threads)
{
    for (int i = me; i < radius; i += threads)
        room[i] = weights[i + 1];
    return {weights[0], room};
}

/* room: for twice as many. */
static __device__ wide_taps read_taps(wide_taps, float *room, const float *weights, int radius,
                                      int me, int threads)
{
    for (int i = me; i < radius; i += threads) {
        room[i] = weights[abs(2 * (i + 1) - radius)];
        room[RADIUS_MOST + i] = weights[abs(2 * i + 1 - radius)];
    }
    return {weights[radius], room, room + RADIUS_MOST};
}

/* The run of sums at i. */
template <typename Pixels>
static __device__ void add_up(float (&sum)[NARROW], const Pixels &pixels, near_taps taps,
                              int radius, int i)
{
    add_even<NARROW>(sum, tapped<Pixels>(taps, pixels), radius + 1, i);
}

/* The same with three products where there would be four (Winograd 1980, for a sum of sums). Of
 * pixels E and taps e at even places and those at odd ones, O and o,
 *
 *     an even sum is eE + oO, the odd one after it eO + oE = (e + o) (E + O) - eE - oO
 *
 * where oO is one place further on in the odd sum than in the even one, so that a run takes one
 * more of these. */
template <typename Pixels>
static __device__ void add_up(float (&sum)[WIDE], const Pixels &pixels, wide_taps taps, int radius,
                              int i)
{
    enum { HALF = WIDE / 2 };
    static_assert(2 * GROUP == WIDE, "every turn goes on by a run");
    float even[HALF], odd[HALF + 1], both[HALF], ee[HALF], oo[HALF + 1] = {}, all[HALF];
    int from = i - radius;
    odd[0] = 0;
    KIN_UNROLL
    for (int m = 0; m < HALF; m++) {
        even[m] = pixels.at(from, 2 * m);
        odd[m + 1] = pixels.at(from, 2 * m + 1);
        both[m] = even[m] + odd[m + 1];
        ee[m] = taps.first * even[m];
        all[m] = taps.first * both[m];
    }
    for (int turn = 0; turn < radius; turn += GROUP) {
        KIN_UNROLL
        for (int k = 0; k < GROUP; k++) {
            float e = taps.even[turn + k], o = taps.odd[turn + k], sum_of = e + o;
            move_up(even, pixels.at(from + 2 * turn, WIDE + 2 * k));
            move_up(odd, pixels.at(from + 2 * turn, WIDE + 2 * k + 1));
            move_up(both, even[HALF - 1] + odd[HALF]);
            KIN_UNROLL
            for (int m = 0; m < HALF; m++) {
                ee[m] += e * even[m];
                all[m] += sum_of * both[m];
            }
            KIN_UNROLL
            for (int m = 0; m <= HALF; m++)
                oo[m] += o * odd[m];
        }
    }
    KIN_UNROLL
    for (int m = 0; m < HALF; m++) {
        sum[2 * m] = ee[m] + oo[m];
        sum[2 * m + 1] = all[m] - ee[m] - oo[m + 1];
    }
}

template <int run> struct taps_of {
    typedef near_taps type;
};

template <> struct taps_of<WIDE> {
    typedef wide_taps type;
};

/* ---- kernels --------------------------------------------------------------------------------- */

/* N samples, from the k-th on, that lie `step` apart in the card's memory and `apart` in
 * shared memory: those of which `each` times their number is no more than `left`. */
template <int N>
static __device__ void read_apart(const float *from, float *to, int k, int left, int each, int step,
                                  int apart)
{
    float v[N];
    KIN_UNROLL
    for (int i = 0; i < N; i++)
        if (left >= (k + i) * each)
            v[i] = *gpu_past(from, (unsigned)step * (unsigned)sizeof v[i], k + i);
    KIN_UNROLL
    for (int i = 0; i < N; i++)
        if (left >= (k + i) * each)
            to[(k + i) * apart] = v[i];
}

/* What lies on both sides of the `some` pixels of a row from `first` on. Few threads have one to
 * read, none has many. */
template <typename Line>
static __device__ void read_ends(float *line, const float *row, int w, int first, int some,
                                 int radius)
{
    GPU_UNROLLED(1)
    for (int i = (int)threadIdx.x; i < 2 * radius; i += Line::THREADS) {
        int at = i < radius ? i : some + i;
        line[Line::place(at)] = row[kin_mirror(first - radius + at, w)];
    }
}

/* A block makes row_of<run>::MADE pixels of row blockIdx.x. Weights of both kernels are followed by
 * zeros, up to a radius that is a multiple of NARROW, of wide ones of GROUP. */
template <int run>
static __global__ void __launch_bounds__(row_of<run>::THREADS, row_of<run>::BLOCKS)
    gauss_rows(float *dst, const float *src, int w, const float *weights, int radius)
{
    typedef struct row_of<run> line;
    const int threads = line::THREADS, apart = threads / run;
    float *room = gpu_shared<float>(), *wide = room + TAPS_ROOM; /* the pixels, and those beside */
    int me = (int)threadIdx.x, first = (int)blockIdx.y * line::MADE;
    int some = w - first < line::MADE ? w - first : (int)line::MADE, left = some - 1 - me;
    const float *row = src + (size_t)blockIdx.x * (unsigned)w;
    auto taps = read_taps(typename taps_of<run>::type(), room, weights, radius, me, threads);
    read_ends<line>(wide, row, w, first, some, radius);
    const float *from = gpu_plain(row + first + me);
    float *to = wide + line::place(radius + me);
    KIN_UNROLL
    for (int k = 0; k < run; k += AT_ONCE)
        read_apart<(run < AT_ONCE ? run : (int)AT_ONCE)>(from, to, k, left, threads, threads,
                                                         apart);
    __syncthreads();
    float sum[run] = {};
    if (run * me < some)
        add_up(sum, line{wide}, taps, radius, radius + run * me);
    __syncthreads(); /* all have read: the sums take their place, to be written side by side */
    KIN_UNROLL
    for (int k = 0; k < run; k++)
        wide[line::place(run * me) + line::place(k)] = sum[k];
    __syncthreads();
    float *out = gpu_plain(dst + (size_t)blockIdx.x * (unsigned)w + first + me);
    to = wide + line::place(me);
    KIN_UNROLL
    for (int k = 0; k < run; k++)
        if (left >= k * threads)
            out[k * threads] = to[k * apart];
}

/* A block goes down COLS columns of plane blockIdx.z, ROWS pixels at a time. While it makes these,
 * the next ones are on their way. */
struct tall {
    const float *plane;
    int h, w, x, lane; /* x: of the last column for those beyond it, which are not made */
    bool made;
    float *pixels; /* (ROWS + 2 radius, COLS): this thread's column */

    /* Every LANES-th of `count` rows from row y on, this thread's: to room[0], ... */
    template <int N> __device__ void read(float (&room)[N], int y, int count) const
    {
        if (y >= 0 && y + count <= h) {
            const float *from = gpu_plain(plane + (size_t)(unsigned)(y + lane) * (unsigned)w + x);
            unsigned step = gpu_plain((unsigned)w * (unsigned)sizeof *from);
            KIN_UNROLL
            for (int k = 0; k < N; k++)
                if (k * LANES < count)
                    room[k] = *gpu_past(from, step, k * LANES);
        } else {
            KIN_UNROLL
            for (int k = 0; k < N; k++)
                if (k * LANES < count)
                    room[k] =
                        plane[(size_t)(unsigned)kin_mirror(y + lane + k * LANES, h) * (unsigned)w +
                              x];
        }
    }
    /* The same to row `to` of those in shared memory. */
    template <int N> __device__ void keep(const float (&room)[N], int to, int count) const
    {
        KIN_UNROLL
        for (int k = 0; k < N; k++)
            if (k * LANES < count)
                pixels[(to + lane + k * LANES) * COLS] = room[k];
    }
    /* All that the first ones are made of. */
    __device__ void begin(int y, int count) const
    {
        GPU_UNROLLED(1)
        for (int done = 0; done < count; done += AT_ONCE * LANES) {
            float some[AT_ONCE];
            read(some, y + done, count - done);
            keep(some, done, count - done);
        }
    }
    /* What lies ROWS further down. A thread reads a row before it writes there. */
    __device__ void move(int count) const
    {
        GPU_UNROLLED(4)
        for (int i = lane; i < count; i += LANES)
            pixels[i * COLS] = pixels[(i + ROWS) * COLS];
    }
};

template <int run>
static __device__ void make_columns(float *dst, const struct tall *tall,
                                    typename taps_of<run>::type taps, int radius, int y)
{
    GPU_UNROLLED(1)
    for (int turn = 0; turn < ROWS / (run * LANES); turn++) {
        int i = run * (tall->lane + turn * LANES);
        float sum[run] = {};
        if (y + i >= tall->h || !tall->made)
            return;
        add_up(sum, column_of{tall->pixels}, taps, radius, radius + i);
        float *to = gpu_plain(dst + (size_t)(unsigned)(y + i) * (unsigned)tall->w + tall->x);
        unsigned step = gpu_plain((unsigned)tall->w * (unsigned)sizeof *to);
        int below = tall->h - y - i;
        if (below >= run) {
            KIN_UNROLL
            for (int k = 0; k < run; k++)
                *gpu_past(to, step, k) = sum[k];
        } else {
            KIN_UNROLL
            for (int k = 0; k < run; k++)
                if (k < below)
                    *gpu_past(to, step, k) = sum[k];
        }
    }
}

/* rows: of a block, a multiple of ROWS. */
template <int run>
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(run == WIDE ? 3 : 5))
    gauss_columns(float *dst, const float *src, int h, int w, const float *weights, int radius,
                  int rows)
{
    float *room = gpu_shared<float>();
    int column = (int)threadIdx.x % COLS, y = (int)blockIdx.y * rows,
        end = h - y < rows ? h : y + rows;
    size_t plane = (size_t)blockIdx.z * (unsigned)h * (unsigned)w;
    int x = (int)blockIdx.x * COLS + column;
    struct tall tall = {src + plane,
                        h,
                        w,
                        x < w ? x : w - 1,
                        (int)threadIdx.x / COLS,
                        x < w,
                        room + TAPS_ROOM + column};
    auto taps = read_taps(typename taps_of<run>::type(), room, weights, radius, (int)threadIdx.x,
                          GPU_THREADS);
    tall.begin(y - radius, ROWS + 2 * radius);
    for (;; y += ROWS) {
        float next[ROWS / LANES];
        __syncthreads();
        if (y + ROWS < end)
            tall.read(next, y + ROWS + radius, ROWS);
        make_columns<run>(dst + plane, &tall, taps, radius, y);
        if (y + ROWS >= end)
            break;
        __syncthreads();
        tall.move(2 * radius);
        tall.keep(next, 2 * radius, ROWS);
    }
}

/* For radii that do not fit into shared memory: n samples `step` apart, lines of them side by
 * side. */
static __global__ void gauss_far(float *dst, const float *src, size_t count, int n, size_t step,
                                 const float *weights, int radius)
{
    size_t at = gpu_index();
    if (at >= count)
        return;
    int i = (int)(at / step % n);
    const float *line = src + (at - (size_t)i * step);
    float sum = weights[0] * line[(size_t)i * step];
    for (int k = 1; k <= radius; k++)
        sum += weights[k] * (line[kin_mirror(i - k, n) * step] + line[kin_mirror(i + k, n) * step]);
    dst[at] = sum;
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

/* What a volume is convolved with along a line: on the card, followed by zeros. */
struct taps {
    float *weights;
    int radius; /* counting the zeros */
};

template <int run>
static void filter_rows(struct device *dev, float *dst, const float *src, struct kin_dims d,
                        struct taps taps)
{
    typedef struct row_of<run> line;
    dim3 grid((unsigned)(d.z * d.y), gpu_pieces((size_t)d.x, line::MADE));
    size_t shared = (line::ALL + TAPS_ROOM) * sizeof(float);
    LAUNCH(dev, gauss_rows<run>, grid, line::THREADS, shared)
    (dst, src, d.x, taps.weights, taps.radius);
}

template <int run>
static void filter_columns(struct device *dev, float *dst, const float *src, struct kin_dims d,
                           struct taps taps)
{
    size_t shared = ((ROWS + 2 * (size_t)taps.radius) * COLS + TAPS_ROOM) * sizeof(float);
    int rows = gpu_rows_each(dev, kin_count(d) / ROWS * LANES, 1, ROWS_MOST) * ROWS;
    dim3 grid(gpu_pieces((size_t)d.x, COLS), gpu_pieces((size_t)d.y, (size_t)rows), (unsigned)d.z);
    LAUNCH(dev, gauss_columns<run>, grid, GPU_THREADS, shared)
    (dst, src, d.y, d.x, taps.weights, taps.radius, rows);
}

static void filter_far(struct device *dev, float *dst, const float *src, struct kin_dims d, int n,
                       size_t step, struct taps taps)
{
    LAUNCH(dev, gauss_far, gpu_each(kin_count(d)), GPU_THREADS, 0)
    (dst, src, kin_count(d), n, step, taps.weights, taps.radius);
}

/* Along rows to `middle`, from there along columns. A short row has no work for many threads that
 * make much each. */
static void filter(struct device *dev, float *dst, float *middle, const float *src,
                   struct kin_dims d, struct taps taps)
{
    bool wide = taps.radius > RADIUS_NARROW;
    if (taps.radius > RADIUS_MOST) {
        filter_far(dev, middle, src, d, d.x, 1, taps);
        filter_far(dev, dst, middle, d, d.y, (size_t)d.x, taps);
        return;
    }
    (wide && d.x > 32 * WIDE / 2 ? filter_rows<WIDE> : filter_rows<NARROW>)(dev, middle, src, d,
                                                                            taps);
    (wide ? filter_columns<WIDE> : filter_columns<NARROW>)(dev, dst, middle, d, taps);
}

void gpu_gauss_xy(struct device *dev, float *dst, const float *src, struct kin_dims dims,
                  float sigma)
{
    size_t bytes = kin_count(dims) * sizeof *dst;
    if (device_stopped(dev))
        return;
    if (sigma <= 0) {
        gpu_copy(dev, dst, src, bytes);
        return;
    }
    int radius;
    float *host = gauss_weights(sigma, &radius);
    if (!host) {
        device_fail(dev, KIN_MEMORY, "no memory for a Gaussian");
        return;
    }
    int group = radius <= RADIUS_NARROW ? NARROW : GROUP;
    struct taps taps = {NULL, (radius + group - 1) / group * group};
    float *middle = (float *)gpu_alloc(dev, bytes);
    taps.weights = gpu_array<float>(dev, (size_t)taps.radius + 1);
    gpu_zero(dev, taps.weights, ((size_t)taps.radius + 1) * sizeof *host);
    gpu_upload(dev, taps.weights, host, ((size_t)radius + 1) * sizeof *host);
    filter(dev, dst, middle, src, dims, taps);
    gpu_release(dev, middle);
    gpu_release(dev, taps.weights);
    free(host);
}
