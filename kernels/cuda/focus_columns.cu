// SPDX-License-Identifier: MIT
/* focus_columns.cu: variance in boxes of 7 x 7 pixels, averaged over bins of 4 x 4, on the
 * GPU.
 *
 * A warp goes down the image, each thread down four columns of it, a row of bins at a time. A
 * thread keeps what its columns hold in the rows of a box, and asks its neighbours for theirs:
 * nothing goes through shared memory. The first and the last thread of a warp have one neighbour;
 * they make no bins. */
#include "cuda/focus.h"
#include "core/fold.h"

enum {
    WARP = 32,
    RADIUS = 3,
    BOX = 2 * RADIUS + 1,
    BIN = 4,
    LANES = WARP - 2, /* threads that make bins */
    ROWS_LEAST = 8,   /* of bins that a warp makes; it reads six rows of pixels more */
    ROWS_MOST = 32,
    HIGH = 4, /* warps of a block, one below the other */
};

/* Blocks of a multiprocessor: with four, warps would wait more. Before compute capability 9.0 a
 * card's memory is slower, and five would keep some values in it for want of registers. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
enum { BLOCKS = 4 };
#else
enum { BLOCKS = 5 };
#endif

static const unsigned ALL = 0xffffffff; /* threads of a warp */

namespace {

struct measured {
    const uint16_t *src; /* (BIN down + 2 RADIUS, w) */
    int w, down, across; /* whole bins */
    int rows;            /* of bins that a warp makes */
    uint32_t tops;       /* what a pixel counts at most, twice */
    bool whole;          /* 8 divides the address of each row */
};

/* Pixels of a row, or what columns hold. */
struct four {
    uint32_t v[BIN];
};

/* The same as it is stored, two and two. */
struct alignas(8) packed {
    uint32_t low, high;
};

/* The rows that a bin adds to its box. They are read while the bin before it is made. */
struct ahead {
    packed row[BIN];
};

/* Where a thread reads. */
struct reading {
    const uint16_t *row; /* the next one */
    int column[BIN];     /* mirrored beyond its ends */
};

/* How a warp reads: its pixels four by four, which lie where 8 divides their address, or anywhere,
 * with more on both sides; or one by one. No thread asks for that between two reads, or it would
 * wait for the first before the second. */
enum reads { WHOLE, SHIFTED, MIRRORED };

/* What a thread knows of its columns: the last eight rows, four by four, of which the last seven
 * are in a box; what these hold; the sum of their squares. Four new rows take the place of the
 * older four, so that none moves from register to register: bins are made in turns, of which the
 * first begins with row[0] as the older ones. */
struct columns {
    struct four row[2][BIN], held;
    uint64_t squares[BIN];
};

} // namespace

static __device__ uint32_t shifted(uint32_t low, uint32_t high, unsigned bits)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> bits);
}

/* Four pixels. Cards read 8 bytes where 8 divides the address: what is there and what is next to
 * it. */
static __device__ struct packed read_shifted(const uint16_t *at)
{
    unsigned past = (unsigned)((uintptr_t)at % 8 / sizeof *at), bits = past % 2 * 16;
    const packed *words = (const packed *)(at - past);
    packed first = words[0], next = words[past != 0];
    bool far = past >= 2;
    unsigned middle = far ? next.low : first.high;
    return {shifted(far ? first.high : first.low, middle, bits),
            shifted(middle, far ? next.high : next.low, bits)};
}

/* Some of them mirrored. */
static __device__ struct packed read_edge(const uint16_t *row, const int column[BIN])
{
    return {row[column[0]] | (uint32_t)row[column[1]] << 16,
            row[column[2]] | (uint32_t)row[column[3]] << 16};
}

template <enum reads how>
static __device__ struct packed read_row(struct reading *r, const struct measured &s)
{
    const uint16_t *row = r->row, *at = row + r->column[0];
    r->row += s.w;
    return how == WHOLE     ? *(const packed *)at
           : how == SHIFTED ? read_shifted(at)
                            : read_edge(row, r->column);
}

static __device__ struct four pixels_of(packed read, const struct measured &s)
{
    uint32_t low = __vminu2(read.low, s.tops), high = __vminu2(read.high, s.tops);
    return four{{low & 0xffff, low >> 16, high & 0xffff, high >> 16}};
}

template <enum reads how>
static __device__ struct ahead read_ahead(struct reading *r, const struct measured &s)
{
    struct ahead ahead;
    KIN_UNROLL
    for (int k = 0; k < BIN; k++)
        ahead.row[k] = read_row<how>(r, s);
    return ahead;
}

static __device__ struct reading reading_at(const struct measured &s, int row, int column)
{
    struct reading r = {s.src + (size_t)(unsigned)row * (unsigned)s.w};
    for (int i = 0; i < BIN; i++)
        r.column[i] = kin_mirror(column + i, s.w);
    return r;
}

/* A row comes in the place of another. */
static __device__ void advance(struct columns *c, const struct four &old, const struct four &next)
{
    KIN_UNROLL
    for (int i = 0; i < BIN; i++) {
        int more = (int)(next.v[i] - old.v[i]), both = (int)(next.v[i] + old.v[i]);
        c->held.v[i] += (uint32_t)more;
        c->squares[i] += (uint64_t)((int64_t)more * both);
    }
}

/* Before the first boxes: all of their rows but the last, behind rows of zeros. */
template <enum reads how>
static __device__ struct columns begin_columns(struct reading *r, const struct measured &all)
{
    struct columns c = {};
    KIN_UNROLL
    for (int y = 2 * BIN - (BOX - 1); y < 2 * BIN; y++) {
        c.row[y / BIN][y % BIN] = pixels_of(read_row<how>(r, all), all);
        advance(&c, four{}, c.row[y / BIN][y % BIN]);
    }
    return c;
}

/* Adds the squares of what the boxes around a thread's four pixels hold. */
static __device__ void square_boxes(uint64_t *sum, const struct four &held)
{
    uint32_t left[RADIUS], right[RADIUS], box = 0;
    KIN_UNROLL
    for (int i = 0; i < RADIUS; i++) {
        left[i] = __shfl_up_sync(ALL, held.v[BIN - RADIUS + i], 1);
        right[i] = __shfl_down_sync(ALL, held.v[i], 1);
        box += left[i];
    }
    KIN_UNROLL
    for (int i = 0; i < BIN; i++)
        box += held.v[i];
    *sum += (uint64_t)box * box;
    KIN_UNROLL
    for (int i = 0; i < RADIUS; i++) {
        box += right[i] - left[i];
        *sum += (uint64_t)box * box;
    }
}

/* Of what columns hold, what a bin's boxes see: its own columns four times, those of its neighbours
 * up to three. */
static __device__ uint64_t across_boxes(const uint64_t v[BIN])
{
    uint64_t for_right = v[1] + 2 * v[2] + 3 * v[3], for_left = 3 * v[0] + 2 * v[1] + v[2];
    return BIN * (v[0] + v[1] + v[2] + v[3]) + __shfl_up_sync(ALL, for_right, 1) +
           __shfl_down_sync(ALL, for_left, 1);
}

/* Goes four rows on and makes a bin, if it is `mine`. */
template <int turn>
static __device__ void make_bin(float *spread, float *level, bool mine, struct columns *c,
                                const struct ahead &ahead, const struct measured &all)
{
    struct four *older = c->row[turn], *newer = c->row[!turn];
    uint64_t boxes = 0, squares[BIN] = {};
    uint32_t light = 0;
    KIN_UNROLL
    for (int k = 0; k < BIN; k++) {
        older[k] = pixels_of(ahead.row[k], all);
        advance(c, k + 1 < BIN ? older[k + 1] : newer[0], older[k]);
        square_boxes(&boxes, c->held);
        KIN_UNROLL
        for (int i = 0; i < BIN; i++)
            squares[i] += c->squares[i];
    }
    KIN_UNROLL
    for (int i = 0; i < BIN; i++)
        light += newer[1].v[i] + newer[2].v[i] + newer[3].v[i] + older[0].v[i];
    uint64_t seen = across_boxes(squares);
    if (mine)
        put_bin<unsigned long long>(spread, level, seen, boxes, light, BOX * BOX, BIN * BIN);
}

template <enum reads how>
static __device__ void make_bins(float *spread, float *level, const struct measured &all)
{
    int lane = (int)threadIdx.x % WARP,
        first = ((int)blockIdx.y * HIGH + (int)threadIdx.x / WARP) * all.rows;
    int x = (int)blockIdx.x * LANES + lane - 1,
        end = first + all.rows < all.down ? first + all.rows : all.down;
    if (first >= end)
        return;
    struct reading r = reading_at(all, first * BIN, x * BIN);
    struct columns c = begin_columns<how>(&r, all);
    bool mine = lane > 0 && lane <= LANES && x < all.across;
    size_t wide = (size_t)((all.w + BIN - 1) / BIN), at = (size_t)first * wide + (size_t)x;
    struct ahead ahead[2] = {read_ahead<how>(&r, all)};
    for (int y = first; y < end; y += 2, at += 2 * wide) {
        if (y + 1 < end)
            ahead[1] = read_ahead<how>(&r, all);
        make_bin<0>(spread + at, level + at, mine, &c, ahead[0], all);
        if (y + 1 == end)
            break;
        if (y + 2 < end)
            ahead[0] = read_ahead<how>(&r, all);
        make_bin<1>(spread + at + wide, level + at + wide, mine, &c, ahead[1], all);
    }
}

static __global__ void __launch_bounds__(WARP *HIGH, BLOCKS)
    measure_down(float *spread, float *level, const __grid_constant__ struct measured all)
{
    int first = (int)(blockIdx.x * LANES) * BIN;
    if (first < 2 * BIN || first + (WARP + 1) * BIN > all.w)
        make_bins<MIRRORED>(spread, level, all);
    else if (all.whole)
        make_bins<WHOLE>(spread, level, all);
    else
        make_bins<SHIFTED>(spread, level, all);
}

void measure_columns(struct device *dev, float *spread, float *level, const uint16_t *src, int rows,
                     int w, int top)
{
    bool whole = w % BIN == 0 && (uintptr_t)src % (BIN * sizeof *src) == 0;
    int down = rows / BIN, across = w / BIN;
    unsigned wide = gpu_pieces((size_t)across, LANES);
    int each = gpu_rows_each(dev, (size_t)wide * WARP * (size_t)down, ROWS_LEAST, ROWS_MOST);
    struct measured all = {src, w, down, across, each, (uint32_t)top * 0x10001, whole};
    dim3 grid(wide, gpu_pieces((size_t)down, HIGH * (size_t)each));
    LAUNCH(dev, measure_down, grid, WARP * HIGH, 0)(spread, level, all);
}
