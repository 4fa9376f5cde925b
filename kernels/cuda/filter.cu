// SPDX-License-Identifier: MIT
// filter.cu: neighbourhood work on the GPU. A Gaussian goes along rows and columns at once: a block
// of threads goes down a strip of a plane, and what it has made of rows stays in shared memory.
#include "cuda/gauss_sums.h"
#include "cuda/sample.h"
#include "core/fold.h"
#include "device/gauss.h"

enum {
    LANES = 32,
    ROWS = LANES, /* that a block makes at a time: a row of the strip for each thread of a warp */
    RADIUS_NARROW = 12, /* the most of a narrow Gaussian */
    SLIM = 64,          /* columns of a strip, of small images or where shared memory is small */
};

namespace {

/* ---- what sums are made of ------------------------------------------------------------------- */

/* Of a row, two at a time. */
struct row_pixels {
    const float2 *at;
    float2 two;
    __device__ float get(int c)
    {
        if (c % 2 == 0)
            two = at[c / 2];
        return c % 2 ? two.y : two.x;
    }
    template <int n> __device__ void pass() { at += n / 2; }
};

/* Of a ring of rows. It begins where a group of pixels does. */
template <int PITCH> struct column_pixels {
    const float *at, *end;
    unsigned ring; /* pixels of it */
    __device__ float get(int c) const { return at[c * PITCH]; }
    template <int n> __device__ void pass()
    {
        at += n * PITCH;
        at = at < end ? at : at - ring;
    }
};

/* ---- strips ---------------------------------------------------------------------------------- */

struct sides {
    int h, w;
};

/* COLS columns of a plane. Every row that columns need is made of its pixels once, into a ring of
 * rows in shared memory. While a block makes pixels of columns, those that the next rows are made
 * of are on their way. */
template <int group, int RUN, int COLS> struct gauss_strip {
    enum {
        THREADS = COLS / RUN * ROWS,
        WARPS = THREADS / LANES,
        EACH = ROWS / WARPS, /* rows that a warp reads */
        PITCH = COLS + 1, /* odd, as is half of pitch(): what a column holds lies in other banks */
    };
    float *dst;
    const float *src; /* the plane */
    struct sides sides;
    int x;    /* its first column */
    int ring; /* rows of it: no less than ROWS + 2 radius, a multiple of ROWS */
    const gauss_taps &taps;
    float *rows;   /* (ring, PITCH) */
    float *pixels; /* (ROWS, pitch()): what ROWS rows are made of */

    static __host__ __device__ int pitch(int radius) { return COLS + 2 * radius + 2; }
    static __host__ __device__ int ring_of(int radius)
    {
        return (ROWS + 2 * radius + ROWS - 1) / ROWS * ROWS;
    }
    __device__ int after(int place) const { return place + ROWS < ring ? place + ROWS : 0; }

    /* Asks for what ROWS rows from y on are made of. */
    __device__ void ask(int y) const
    {
        int radius = taps.radius, lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES,
            some = COLS + 2 * radius - lane, left = x - radius + lane;
        unsigned step = (unsigned)(WARPS * pitch(radius));
        float *to = pixels + warp * pitch(radius) + lane;
        y += warp;
        if (x >= radius && x + COLS + radius <= sides.w && y >= warp &&
            y + (EACH - 1) * WARPS < sides.h)
            ask_inside(to, step, y, left, some);
        else
            ask_mirrored(to, step, y, left, some);
    }
    __device__ void ask_mirrored(float *to, unsigned step, int y, int left, int some) const
    {
        const float *from[EACH];
        KIN_UNROLL
        for (int k = 0; k < EACH; k++)
            from[k] = src +
                      (size_t)(unsigned)kin_mirror(y + k * WARPS, sides.h) * (unsigned)sides.w;
        GPU_UNROLLED(1)
        for (int c = 0; c < some; c += LANES) {
            int column = kin_mirror(left + c, sides.w);
            KIN_UNROLL
            for (int k = 0; k < EACH; k++)
                gpu_copy_later(to + k * step + c, from[k] + column);
        }
    }
    /* Most of them without a question in between. */
    __device__ void ask_inside(float *to, unsigned step, int y, int left, int some) const
    {
        const float *from[EACH];
        KIN_UNROLL
        for (int k = 0; k < EACH; k++)
            from[k] = gpu_plain(src + (size_t)(unsigned)(y + k * WARPS) * (unsigned)sides.w + left);
        KIN_UNROLL
        for (int c = 0; c < COLS; c += LANES) {
            KIN_UNROLL
            for (int k = 0; k < EACH; k++)
                gpu_copy_later(to + k * step + c, from[k] + c);
        }
        GPU_UNROLLED(1)
        for (int c = COLS; c < some; c += LANES) {
            KIN_UNROLL
            for (int k = 0; k < EACH; k++)
                gpu_copy_later(to + k * step + c, from[k] + c);
        }
    }
    /* ROWS rows, to the ring from row `place` on. */
    __device__ void make_rows(int place) const
    {
        int lane = (int)threadIdx.x % LANES, from = (int)threadIdx.x / LANES * RUN;
        float sum[RUN];
        const float *at = pixels + lane * pitch(taps.radius) + from;
        gauss_sums<group>(sum, row_pixels{(const float2 *)at}, taps);
        float *to = rows + (place + lane) * PITCH + from;
        KIN_UNROLL
        for (int k = 0; k < RUN; k++)
            to[k] = sum[k];
    }
    /* ROWS rows from y on, but none from end on, of those from row `place` of the ring on. */
    __device__ void make_columns(int place, int y, int end) const
    {
        int column = (int)threadIdx.x % COLS, down = (int)threadIdx.x / COLS * RUN,
            at = place + down, below = end - y - down;
        if (below <= 0 || x + column >= sides.w)
            return;
        at = at < ring ? at : at - ring;
        float sum[RUN];
        unsigned all = (unsigned)(ring * PITCH);
        gauss_sums<group>(
            sum, column_pixels<PITCH>{rows + at * PITCH + column, rows + all + column, all}, taps);
        float *to = gpu_plain(dst + (size_t)(unsigned)(y + down) * (unsigned)sides.w +
                              (unsigned)(x + column));
        unsigned step = gpu_plain((unsigned)sides.w * (unsigned)sizeof *to);
        if (below >= RUN) {
            KIN_UNROLL
            for (int k = 0; k < RUN; k++, to = gpu_past(to, step, 1))
                *to = sum[k];
        } else {
            KIN_UNROLL
            for (int k = 0; k < RUN; k++, to = gpu_past(to, step, 1))
                if (k < below)
                    *to = sum[k];
        }
    }
    /* Rows y to end. What is made of rows goes to the ring at `to`; the columns from y on need it
     * from `from` on. */
    __device__ void make(int y, int end) const
    {
        int radius = taps.radius, next = y - radius, to = 0, from = 0;
        ask(next);
        for (;;) {
            gpu_copies_wait();
            __syncthreads();
            make_rows(to);
            to = after(to);
            next += ROWS;
            __syncthreads();
            bool more = next < end + radius;
            if (more)
                ask(next);
            GPU_UNROLLED(1)
            for (; y < end && (!more || next >= y + ROWS + radius); y += ROWS) {
                make_columns(from, y, end);
                from = after(from);
            }
            if (!more)
                return;
        }
    }
};

/* ---- kernels --------------------------------------------------------------------------------- */

/* A block makes `high` rows of strip blockIdx.x of plane blockIdx.z. */
template <int group, int RUN, int COLS, int BLOCKS>
static __global__ void __launch_bounds__(gauss_strip<group, RUN, COLS>::THREADS, BLOCKS)
    gauss_strips(float *dst, const float *src, struct sides sides,
                 const __grid_constant__ gauss_taps taps, int high)
{
    typedef struct gauss_strip<group, RUN, COLS> strip;
    int ring = strip::ring_of(taps.radius), top = (int)blockIdx.y * high;
    float *rows = gpu_shared<float>();
    size_t plane = (size_t)blockIdx.z * (unsigned)sides.h * (unsigned)sides.w;
    strip s = {dst + plane, src + plane, sides, (int)blockIdx.x * COLS,
               ring,        taps,        rows,  rows + ring * strip::PITCH};
    s.make(top, top + high < sides.h ? top + high : sides.h);
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

/* Pieces of ROWS rows that a block makes: the more, the fewer are begun, which takes as long as
 * `first` of them; but at the end multiprocessors wait for those that have a block more. */
static int pieces_each(struct device *dev, int strips, int pieces, double first)
{
    enum { MOST = 32 };
    int processors = gpu_processors(dev), best = 1;
    double least = INFINITY;
    for (int parts = 1; parts <= pieces && parts <= MOST; parts++) {
        int each = (pieces + parts - 1) / parts;
        double blocks = (double)strips * ((pieces + each - 1) / each),
               time = (blocks / processors + 1.5) * (each + first);
        if (time < least) {
            least = time;
            best = each;
        }
    }
    return best;
}

/* Blocks of one size. */
template <int group, int RUN, int COLS, int BLOCKS> struct strips {
    typedef struct gauss_strip<group, RUN, COLS> strip;

    static size_t shared(int radius)
    {
        radius = (radius + group - 1) / group * group;
        return sizeof(float) *
               (size_t)(strip::ring_of(radius) * strip::PITCH + ROWS * strip::pitch(radius));
    }
    /* Threads that a multiprocessor has room for; 0: for no block. */
    static int room(const struct gpu *gpu, int radius)
    {
        size_t bytes = shared(radius), fit = gpu->shared_all / (bytes + gpu->shared_reserved);
        int blocks = bytes > gpu->shared ? 0 : fit < BLOCKS ? (int)fit : BLOCKS;
        return blocks * strip::THREADS;
    }
    static void filter(struct device *dev, float *dst, const float *src, struct kin_dims d,
                       const float *weights, int radius)
    {
        gauss_taps taps = {};
        gauss_lay_out<group>(&taps, weights, radius);
        unsigned wide = gpu_pieces((size_t)d.x, COLS);
        int high = ROWS * pieces_each(dev, (int)wide * d.z, (int)gpu_pieces((size_t)d.y, ROWS),
                                      0.5 + (double)radius / ROWS);
        dim3 grid(wide, gpu_pieces((size_t)d.y, (size_t)high), (unsigned)d.z);
        auto kernel = gauss_strips<group, RUN, COLS, BLOCKS>;
        LAUNCH(dev, kernel, grid, strip::THREADS, shared(radius))
        (dst, src, (struct sides){d.y, d.x}, taps, high);
    }
};

/* False: it is too wide for shared memory. */
static bool filter_strips(struct device *dev, float *dst, const float *src, struct kin_dims d,
                          const float *weights, int radius)
{
    typedef struct strips<4, 16, 128, 4> narrow;
    typedef struct strips<16, 32, 128, 3> wide;
    typedef struct strips<16, 32, SLIM, 5> slim;
    const struct gpu *gpu = gpu_of(dev);
    if (radius > GAUSS_RADIUS)
        return false;
    int most = d.x > SLIM ? wide::room(gpu, radius) : 0;
    if (radius <= RADIUS_NARROW && narrow::room(gpu, radius))
        narrow::filter(dev, dst, src, d, weights, radius);
    else if (most && most >= slim::room(gpu, radius))
        wide::filter(dev, dst, src, d, weights, radius);
    else if (slim::room(gpu, radius))
        slim::filter(dev, dst, src, d, weights, radius);
    else
        return false;
    return true;
}

/* Along rows to `middle`, from there along columns. */
static void filter_far(struct device *dev, float *dst, const float *src, struct kin_dims d,
                       const float *host, int radius)
{
    size_t count = kin_count(d);
    float *middle = gpu_array<float>(dev, count),
          *weights = gpu_array<float>(dev, (size_t)radius + 1);
    gpu_upload(dev, weights, host, ((size_t)radius + 1) * sizeof *host);
    LAUNCH(dev, gauss_far, gpu_each(count), GPU_THREADS, 0)
    (middle, src, count, d.x, 1, weights, radius);
    LAUNCH(dev, gauss_far, gpu_each(count), GPU_THREADS, 0)
    (dst, middle, count, d.y, d.x, weights, radius);
    gpu_release(dev, middle);
    gpu_release(dev, weights);
}

void gpu_gauss_xy(struct device *dev, float *dst, const float *src, struct kin_dims dims,
                  float sigma)
{
    if (device_stopped(dev))
        return;
    if (sigma <= 0) {
        gpu_copy(dev, dst, src, kin_count(dims) * sizeof *dst);
        return;
    }
    int radius;
    float *weights = gauss_weights(sigma, &radius);
    if (!weights)
        device_fail(dev, KIN_MEMORY, "no memory for a Gaussian");
    else if (!filter_strips(dev, dst, src, dims, weights, radius))
        filter_far(dev, dst, src, dims, weights, radius);
    free(weights);
}
