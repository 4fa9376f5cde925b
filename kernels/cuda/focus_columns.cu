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
    ROWS_MOST = 64,
    WAVES = 3,
    HIGH = 4,  /* warps of a block, one below the other */
    AHEAD = 2, /* rows of bins between the one that is read and the one that is asked for */
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
    int each;            /* of bins that a warp makes, one below the other */
    int rows;            /* of pixels that bins are made of */
    int cut;             /* rows of blocks that make bins that the image's edges cut off */
    uint32_t tops;       /* what a pixel counts at most, twice */
    bool whole;          /* 8 divides the address of each row, which are not short */
};

/* Pixels of a row, or what columns hold. */
struct four {
    uint32_t v[BIN];
};

/* The same as it is stored, two and two. */
struct alignas(8) quad {
    uint32_t low, high;
};

/* The rows that a bin adds to its box, as they are stored. They are read while the bin before it is
 * made. */
struct ahead {
    quad row[BIN];
};

/* Where a thread reads. */
struct reading {
    const uint16_t *row; /* the next one */
    int column[BIN];     /* mirrored beyond its ends */
    unsigned order[2];   /* which bytes of four pixels come first */
};

/* How a warp reads: its pixels four by four, which lie where 8 divides their address (TURNED:
 * beyond the ends of a row the other way round), or anywhere, with more on both sides; or one by
 * one. No thread asks for that between two reads, or it would wait for the first before the
 * second. */
enum reads { WHOLE, TURNED, SHIFTED, MIRRORED };

/* Of the squares of a thread's pixels: their sum, and one in which column i counts i times. */
struct squares {
    uint64_t all, turned;
};

/* The squares of four rows. */
struct group {
    struct squares sum, first, falling; /* of all; of the first row; times 4, 3, 2, 1 */
};

/* What a thread knows of its columns: the last eight rows, four by four, of which the last seven
 * are in a box; what these hold; of the squares, what is there of the next bin and of the one after
 * it. Four new rows take the place of the older four, so that none moves from register to register:
 * bins are made in turns, of which the first begins with row[0] as the older ones. */
struct columns {
    struct four row[2][BIN], held;
    struct squares due, later;
};

} // namespace

static __device__ uint32_t shifted(uint32_t low, uint32_t high, unsigned bits)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> bits);
}

/* Four pixels. Cards read 8 bytes where 8 divides the address: what is there and what is next to
 * it. */
static __device__ struct quad read_shifted(const uint16_t *at)
{
    unsigned past = (unsigned)((uintptr_t)at % 8 / sizeof *at), bits = past % 2 * 16;
    const quad *there = (const quad *)(at - past);
    quad first = there[0], next = there[past != 0];
    bool far = past >= 2;
    unsigned middle = far ? next.low : first.high;
    return {shifted(far ? first.high : first.low, middle, bits),
            shifted(middle, far ? next.high : next.low, bits)};
}

/* Four bytes of eight, by their numbers, four bits each. */
static __device__ uint32_t some_bytes(quad from, unsigned order)
{
#ifdef __CUDA_ARCH__
    return __byte_perm(from.low, from.high, order);
#else
    uint64_t all = (uint64_t)from.high << 32 | from.low;
    uint32_t some = 0;
    for (int i = 0; i < 4; i++)
        some |= (uint32_t)(all >> 8 * (order >> 4 * i & 7) & 0xff) << 8 * i;
    return some;
#endif
}

/* Some of them mirrored. */
static __device__ struct quad read_edge(const uint16_t *row, const int column[BIN])
{
    return {row[column[0]] | (uint32_t)row[column[1]] << 16,
            row[column[2]] | (uint32_t)row[column[3]] << 16};
}

template <enum reads how>
static __device__ struct quad read_row(struct reading *r, const struct measured &s)
{
    const uint16_t *row = r->row, *at = row + r->column[0];
    r->row += s.w;
    if (how == SHIFTED)
        return read_shifted(at);
    if (how == MIRRORED)
        return read_edge(row, r->column);
    quad there = *(const quad *)at;
    return how == WHOLE ? there
                        : quad{some_bytes(there, r->order[0]), some_bytes(there, r->order[1])};
}

static __device__ struct quad clipped(quad read, const struct measured &s)
{
    return {__vminu2(read.low, s.tops), __vminu2(read.high, s.tops)};
}

static __device__ struct four pixels_of(quad p)
{
    return {{p.low & 0xffff, p.low >> 16, p.high & 0xffff, p.high >> 16}};
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

template <enum reads how>
static __device__ struct reading reading_at(const struct measured &s, int row, int column)
{
    struct reading r = {s.src + (size_t)(unsigned)row * (unsigned)s.w};
    for (int i = 0; i < BIN; i++)
        r.column[i] = kin_mirror(column + i, s.w);
    bool turned = how == TURNED && r.column[0] > r.column[1];
    if (turned)
        r.column[0] = r.column[BIN - 1];
    r.order[0] = turned ? 0x5476 : 0x3210;
    r.order[1] = turned ? 0x1032 : 0x7654;
    return r;
}

/* A row comes in the place of another. */
static __device__ void advance(struct columns *c, const struct four &old, const struct four &next)
{
    KIN_UNROLL
    for (int i = 0; i < BIN; i++)
        c->held.v[i] += next.v[i] - old.v[i];
}

static __device__ void add_squares(struct group *g, const struct four &p, bool first)
{
    KIN_UNROLL
    for (uint32_t i = 0; i < BIN; i++) {
        /* known as a shifted half of a word, it would be shifted and cut anew */
        uint32_t v = gpu_plain(p.v[i]);
        g->sum.all += (uint64_t)v * v;
        if (i)
            g->sum.turned += (uint64_t)(i * v) * v;
    }
    if (first)
        g->first = g->sum;
    g->falling.all += g->sum.all;
    g->falling.turned += g->sum.turned;
}

/* Of four rows, a bin's boxes see the rows 4, 3, 2 and 1 times, those of the bin below 3, 4, 4 and
 * 4 times, those of the one below that the last two of them 1 and 2 times: 7 times together. */
static __device__ void add_group(struct columns *c, const struct group &g)
{
    uint64_t all = 4 * g.sum.all - g.first.all, turned = 4 * g.sum.turned - g.first.turned;
    c->due = {c->later.all + all, c->later.turned + turned};
    c->later = {7 * g.sum.all - g.falling.all - all, 7 * g.sum.turned - g.falling.turned - turned};
}

/* Before the first boxes: all of their rows but the last, behind rows of zeros. */
template <enum reads how>
static __device__ struct columns begin_columns(struct reading *r, const struct measured &all)
{
    struct columns c = {};
    quad read[BOX - 1];
    KIN_UNROLL
    for (int y = 0; y < BOX - 1; y++)
        read[y] = read_row<how>(r, all);
    KIN_UNROLL
    for (int g = 0; g < 2; g++) {
        struct group group = {};
        KIN_UNROLL
        for (int k = 0; k < BIN; k++) {
            int y = g * BIN + k - (2 * BIN - (BOX - 1));
            struct four p = y < 0 ? four{} : pixels_of(clipped(read[y < 0 ? 0 : y], all));
            c.row[g][k] = p;
            advance(&c, four{}, p);
            add_squares(&group, p, k == 0);
        }
        add_group(&c, group);
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

/* Of the squares of columns, what a bin's boxes see: its own columns four times, those of its
 * neighbours up to three. */
static __device__ uint64_t across_boxes(const struct squares &v)
{
    return BIN * v.all + __shfl_up_sync(ALL, v.turned, 1) +
           __shfl_down_sync(ALL, 3 * v.all - v.turned, 1);
}

/* Goes four rows on and makes a bin, if it is `mine`. */
template <int turn>
static __device__ void make_bin(float *spread, float *level, bool mine, struct columns *c,
                                const struct ahead &now)
{
    struct four *older = c->row[turn], *newer = c->row[!turn];
    uint64_t boxes = 0;
    uint32_t light = 0;
    struct group group = {};
    KIN_UNROLL
    for (int k = 0; k < BIN; k++) {
        older[k] = pixels_of(now.row[k]);
        advance(c, k + 1 < BIN ? older[k + 1] : newer[0], older[k]);
        square_boxes(&boxes, c->held);
        add_squares(&group, older[k], k == 0);
    }
    KIN_UNROLL
    for (int i = 0; i < BIN; i++)
        light += newer[1].v[i] + newer[2].v[i] + newer[3].v[i] + older[0].v[i];
    uint64_t seen = across_boxes(
        {c->due.all + group.falling.all, c->due.turned + group.falling.turned});
    add_group(c, group);
    if (mine)
        put_bin<unsigned long long>(spread, level, seen, boxes, light, BOX * BOX, BIN * BIN);
}

static __device__ struct ahead clipped(const struct ahead &read, const struct measured &s)
{
    struct ahead now;
    KIN_UNROLL
    for (int k = 0; k < BIN; k++)
        now.row[k] = clipped(read.row[k], s);
    return now;
}

/* What a thread asks for each time that a row of bins is made: 128 bytes of a row that is read when
 * the bins AHEAD of those come. Of a row, a warp reads 256 bytes, which may lie in three lines. */
static __device__ const uint16_t *first_asked(const struct reading &r, const struct measured &s,
                                              int lane)
{
    enum { PARTS = 3, STEP = 60 };
    int row = lane / PARTS, x = (int)blockIdx.x * LANES * BIN + lane % PARTS * STEP;
    bool asks = row < BIN && x < s.w;
    return asks ? r.row + (size_t)(unsigned)((AHEAD - 1) * BIN + row) * (unsigned)s.w + x : NULL;
}

static __device__ void ask_next(const uint16_t **asked, int more)
{
    if (!more)
        return;
    *asked += more;
    gpu_ask(*asked);
}

template <enum reads how>
static __device__ void make_bins(float *spread, float *level, const struct measured &all)
{
    int lane = (int)threadIdx.x % WARP,
        first = ((int)blockIdx.y * HIGH + (int)threadIdx.x / WARP) * all.each;
    int x = (int)blockIdx.x * LANES + lane - 1,
        end = first + all.each < all.down ? first + all.each : all.down;
    if (first >= end)
        return;
    struct reading r = reading_at<how>(all, first * BIN, x * BIN);
    struct columns c = begin_columns<how>(&r, all);
    bool mine = lane > 0 && lane <= LANES && x < all.across;
    size_t wide = (size_t)((all.w + BIN - 1) / BIN), at = (size_t)first * wide + (size_t)x;
    spread += at;
    level += at;
    struct ahead ahead = read_ahead<how>(&r, all);
    const uint16_t *asked = first_asked(r, all, lane);
    int more = asked ? BIN * all.w : 0;
    for (int y = first;; y += 2) {
        struct ahead now = clipped(ahead, all);
        if (y + 1 < end) {
            ahead = read_ahead<how>(&r, all);
            if (y + 1 + AHEAD < end)
                ask_next(&asked, more);
        }
        make_bin<0>(spread, level, mine, &c, now);
        if (y + 1 >= end)
            break;
        spread += wide;
        level += wide;
        now = clipped(ahead, all);
        if (y + 2 < end) {
            ahead = read_ahead<how>(&r, all);
            if (y + 2 + AHEAD < end)
                ask_next(&asked, more);
        }
        make_bin<1>(spread, level, mine, &c, now);
        if (y + 2 >= end)
            break;
        spread += wide;
        level += wide;
    }
}

/* Of n windows of BOX samples, each one sample further on, how many see sample k. */
static __device__ int windows_on(int k, int n)
{
    int all = (k < n ? k + 1 : n) - (k < BOX ? 0 : k - BOX + 1);
    return all > 0 ? all : 0;
}

/* Makes a bin that edges cut off, by its own: few are. */
static __device__ void make_cut(float *spread, float *level, const struct measured &all, int bin_y,
                                int bin_x)
{
    enum { SEEN = BIN + 2 * RADIUS };
    int down = all.rows - bin_y * BIN < BIN ? all.rows - bin_y * BIN : BIN,
        across = all.w - bin_x * BIN < BIN ? all.w - bin_x * BIN : BIN;
    int column[SEEN];
    uint32_t held[SEEN] = {}, light = 0, top = all.tops & 0xffff;
    uint64_t boxes = 0, seen = 0;
    const uint16_t *row = all.src + (size_t)(unsigned)(bin_y * BIN) * (unsigned)all.w;
    KIN_UNROLL
    for (int i = 0; i < SEEN; i++)
        column[i] = kin_mirror(bin_x * BIN + i - RADIUS, all.w);
    GPU_UNROLLED(1)
    for (int y = 0; y < down + 2 * RADIUS; y++, row += all.w) {
        const uint16_t *before = y < BOX ? row : row - (size_t)(unsigned)all.w * BOX;
        uint32_t box = 0;
        uint64_t squared = 0;
        KIN_UNROLL
        for (int i = 0; i < SEEN; i++) {
            uint32_t p = row[column[i]], old = before[column[i]];
            p = p < top ? p : top;
            old = y < BOX ? 0 : old < top ? old : top;
            held[i] += p - old;
            squared += (uint64_t)(p * p) * (uint32_t)windows_on(i, across);
            if (y >= RADIUS && y < RADIUS + down && i >= RADIUS && i < RADIUS + across)
                light += p;
        }
        seen += squared * (uint32_t)windows_on(y, down);
        KIN_UNROLL
        for (int i = 0; i < SEEN; i++) {
            box += held[i] - (i < BOX ? 0 : held[i < BOX ? 0 : i - BOX]);
            if (i + 1 >= BOX && i + 1 - BOX < across && y >= 2 * RADIUS)
                boxes += (uint64_t)box * box;
        }
    }
    size_t at = (size_t)(unsigned)bin_y * (unsigned)((all.w + BIN - 1) / BIN) + (unsigned)bin_x;
    put_bin<unsigned long long>(spread + at, level + at, seen, boxes, light, BOX * BOX,
                                down * across);
}

/* Of the bins that edges cut off: those below, those on the right. */
static __device__ void make_cuts(float *spread, float *level, const struct measured &all)
{
    int past = (int)(gridDim.y - blockIdx.y) - 1;
    int i = (past * (int)gridDim.x + (int)blockIdx.x) * (WARP * HIGH) + (int)threadIdx.x;
    int below = all.down * BIN < all.rows ? (all.w + BIN - 1) / BIN : 0,
        beside = all.across * BIN < all.w ? all.down : 0;
    if (i < below)
        make_cut(spread, level, all, all.down, i);
    else if (i - below < beside)
        make_cut(spread, level, all, i - below, all.across);
}

static __global__ void __launch_bounds__(WARP *HIGH, BLOCKS)
    measure_down(float *spread, float *level, const __grid_constant__ struct measured all)
{
    int first = (int)(blockIdx.x * LANES) * BIN;
    bool edge = first < 2 * BIN || first + (WARP + 1) * BIN > all.w;
    if ((int)(gridDim.y - blockIdx.y) <= all.cut)
        make_cuts(spread, level, all);
    else if (edge && all.whole)
        make_bins<TURNED>(spread, level, all);
    else if (edge)
        make_bins<MIRRORED>(spread, level, all);
    else if (all.whole)
        make_bins<WHOLE>(spread, level, all);
    else
        make_bins<SHIFTED>(spread, level, all);
}

/* Rows of bins that a warp makes of so many, in `wide` columns of blocks, below which `others`
 * stand: the card fills with blocks WAVES times, so that it is busy to the end. If once, it would
 * wait for the columns at the edges, which take longer. */
static int rows_of_bins(struct device *dev, int down, int wide, int others)
{
    int room = gpu_processors(dev) * BLOCKS, waves = WAVES, high, each;
    do {
        high = waves++ * room / wide - others;
        each = high > 0 ? (down + high * HIGH - 1) / (high * HIGH) : 0;
    } while (high <= 0 || each > ROWS_MOST);
    return each > ROWS_LEAST ? each : ROWS_LEAST;
}

void measure_columns(struct device *dev, float *spread, float *level, const uint16_t *src, int rows,
                     int w, int top)
{
    bool whole = w % BIN == 0 && w >= WARP * BIN && (uintptr_t)src % (BIN * sizeof *src) == 0;
    int down = rows / BIN, across = w / BIN;
    int wide = across > LANES ? (across + LANES - 1) / LANES : 1;
    int cuts = (rows % BIN ? (w + BIN - 1) / BIN : 0) + (w % BIN ? down : 0);
    int cut = (cuts + wide * WARP * HIGH - 1) / (wide * WARP * HIGH);
    int each = rows_of_bins(dev, down, wide, cut);
    struct measured all = {src, w, down, across, each, rows, cut, (uint32_t)top * 0x10001, whole};
    dim3 grid((unsigned)wide, (unsigned)cut + gpu_pieces((size_t)down, HIGH * (size_t)each));
    LAUNCH(dev, measure_down, grid, WARP * HIGH, 0)(spread, level, all);
}
