// SPDX-License-Identifier: MIT
/* focus_columns.cu: variance in boxes of 7 x 7 pixels, averaged over bins of 4 x 4, on the
 * GPU.
 *
 * A warp goes down the image, each thread down four columns of it, a row of bins at a time. A
 * thread keeps what its columns hold in the rows of a box, and asks its neighbours for theirs:
 * nothing goes through shared memory, and a warp is a block of its own, which no other waits for.
 * The first and the last thread of a warp have one neighbour; they make bins only at the image's
 * edges, where their own columns are mirrored. */
#include "cuda/focus.h"
#include "core/fold.h"

#include <limits.h>

enum {
    WARP = 32,
    RADIUS = 3,
    BOX = 2 * RADIUS + 1,
    BIN = 4,
    LANES = WARP - 2, /* columns of bins from a warp's to the next one's */
    ROWS_LEAST = 8,   /* of bins that a warp makes; it reads six rows of pixels more */
    ROWS_MOST = 64,
    WAVES = 3,
    TURNS = 2,   /* rows of bins that a warp makes before it asks for the pixels of as many more */
    AHEAD = 3,   /* from the first of these to the first that it asks for */
    BLOCKS = 16, /* warps of a multiprocessor: fewer wait more, more get in each other's way */
};

static const unsigned ALL = 0xffffffff; /* threads of a warp */

namespace {

struct measured {
    const uint16_t *src; /* (BIN down + 2 RADIUS, w) */
    int w, down, across; /* whole bins */
    unsigned bytes;      /* of a row */
    int each;            /* of bins that a warp makes, one below the other */
    int rows;            /* of pixels that bins are made of */
    int cut;             /* rows of blocks that make bins that the image's edges cut off */
    uint32_t tops;       /* what a pixel counts at most, twice */
    bool whole;          /* 8 divides the address of each row */
};

/* Pixels of a row, or what columns hold. */
struct four {
    uint32_t v[BIN];
};

/* The same as it is stored, two and two. */
struct alignas(8) quad {
    uint32_t low, high;
};

/* The rows that the next bin adds to its box, as they are stored. */
struct ahead {
    quad row[BIN];
};

/* Where a thread reads. */
struct reading {
    const uint16_t *at; /* its pixels in the last row that was read; MIRRORED: that row */
    int column[BIN];    /* MIRRORED: in a row */
    bool first, last;   /* ENDS, MIRRORED: whether it has the first or last ones of an image */
};

/* How a warp reads: its pixels four by four, which lie where 8 divides their address (ENDS: beyond
 * the ends of a row any), or anywhere, with more on both sides; or one by one. No thread asks for
 * that between two reads, or it would wait for the first before the second. */
enum reads { WHOLE, ENDS, SHIFTED, MIRRORED };

/* Of the squares of a thread's pixels: their sum, and one in which column i counts i times. */
struct squares {
    uint64_t all, turned;
};

/* Sums up to each of four rows, added: that up to the first, and the others together. */
struct four_sums {
    struct squares first, others;
};

/* What a thread knows of its columns: the last eight rows, four by four, of which the last seven
 * are in a box, and what these hold. Four new rows take the place of the older four, so that none
 * moves from register to register: bins are made in turns, of which the first begins with row[0] as
 * the older ones.
 *
 * Of values and squares, sums from the first row on, modulo 2^32 and 2^64: what the rows of a bin
 * hold is the difference of two, the squares in its four boxes are that of four and four. Those to
 * subtract for the next bin are light_before and before; three of those for the one after it,
 * added, are three. */
struct columns {
    quad row[TURNS][BIN];
    struct four held;
    uint32_t light, light_before;
    struct squares sum, before, three;
};
static_assert(BIN * BIN * BOX * BOX * BOX * BOX < 1 << 16, "put_bin's sums fit 64 bits");

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

/* Some of them mirrored. */
static __device__ struct quad read_edge(const uint16_t *row, const int column[BIN])
{
    return {row[column[0]] | (uint32_t)row[column[1]] << 16,
            row[column[2]] | (uint32_t)row[column[3]] << 16};
}

template <enum reads how> static __device__ struct quad read_row(const struct reading &r)
{
    const uint16_t *at = r.at;
    if (how == SHIFTED)
        return read_shifted(at);
    if (how == MIRRORED)
        return read_edge(at, r.column);
    return *(const quad *)at;
}

static __device__ struct quad clipped(quad read, const struct measured &s)
{
    return {__vminu2(read.low, s.tops), __vminu2(read.high, s.tops)};
}

static __device__ struct four pixels_of(quad p)
{
    return {{p.low & 0xffff, p.low >> 16, p.high & 0xffff, p.high >> 16}};
}

/* The row that lies `step` pixels further. */
template <enum reads how> static __device__ struct quad read_next(struct reading *r, int step)
{
    r->at = gpu_plain(r->at + step);
    return read_row<how>(*r);
}

/* From row `row` on; number: of four columns. */
template <enum reads how>
static __device__ struct reading reading_at(const struct measured &s, int row, int number)
{
    struct reading r = {gpu_past(s.src, s.bytes, row)};
    for (int i = 0; i < BIN; i++)
        r.column[i] = kin_mirror(number * BIN + i, s.w);
    r.first = (how == ENDS || how == MIRRORED) && number == 0;
    r.last = (how == ENDS || how == MIRRORED) && (number + 1) * BIN == s.w;
    if (how != MIRRORED)
        r.at += (how != ENDS || number < s.across ? number : s.across - 1) * BIN;
    return r;
}

/* A row comes in the place of another. */
static __device__ void advance(struct columns *c, const struct four &old, const struct four &next)
{
    KIN_UNROLL
    for (int i = 0; i < BIN; i++)
        c->held.v[i] += next.v[i] - old.v[i];
}

/* Known as halves of words, they would be cut from these anew wherever they are used. */
static __device__ struct four plain(struct four p)
{
    for (int i = 0; i < BIN; i++)
        p.v[i] = gpu_plain(p.v[i]);
    return p;
}

/* Adds row k of four. */
static __device__ void add_pixels(struct columns *c, struct four_sums *sums, const struct four &p,
                                  int k)
{
    struct squares *sum = &c->sum;
    KIN_UNROLL
    for (uint32_t i = 0; i < BIN; i++) {
        c->light += p.v[i];
        sum->all += (uint64_t)p.v[i] * p.v[i];
        if (i)
            sum->turned += (uint64_t)(i * p.v[i]) * p.v[i];
    }
    if (k == 0)
        *sums = {*sum};
    else
        sums->others = {sums->others.all + sum->all, sums->others.turned + sum->turned};
}

/* The squares in the boxes that end at four rows. Those of the next bin begin after the last three
 * of the rows before these, and after the first of these. */
static __device__ struct squares squares_seen(struct columns *c, const struct four_sums &s)
{
    struct squares seen = {s.others.all + s.first.all - c->before.all,
                           s.others.turned + s.first.turned - c->before.turned};
    c->before = {c->three.all + s.first.all, c->three.turned + s.first.turned};
    c->three = s.others;
    return seen;
}

/* Before the first boxes: all of their rows but the last, behind rows of zeros. ahead: what comes
 * next is read together with them. */
template <enum reads how>
static __device__ struct columns begin_columns(struct reading *r, struct ahead *ahead,
                                               const struct measured &all, int step)
{
    struct columns c = {};
    quad read[BOX - 1];
    KIN_UNROLL
    for (int y = 0; y < BOX - 1; y++)
        read[y] = read_next<how>(r, y ? step : 0);
    KIN_UNROLL
    for (int k = 0; k < BIN; k++)
        ahead->row[k] = read_next<how>(r, step);
    KIN_UNROLL
    for (int g = 0; g < TURNS; g++) {
        struct four_sums sums;
        KIN_UNROLL
        for (int k = 0; k < BIN; k++) {
            int y = g * BIN + k - (2 * BIN - (BOX - 1));
            quad q = y < 0 ? quad{} : clipped(read[y < 0 ? 0 : y], all);
            struct four p = plain(pixels_of(q));
            c.row[g][k] = q;
            advance(&c, four{}, p);
            add_pixels(&c, &sums, p, k);
            if (g + 1 == TURNS && k == 0)
                c.light_before = c.light;
        }
        squares_seen(&c, sums);
    }
    return c;
}

/* Adds the squares of what the boxes around a thread's four pixels hold. */
static __device__ void square_boxes(uint64_t *sum, const struct reading &r, const struct four &held)
{
    uint32_t left[RADIUS], right[RADIUS], box = 0;
    KIN_UNROLL
    for (int i = 0; i < RADIUS; i++) {
        left[i] = __shfl_up_sync(ALL, held.v[BIN - RADIUS + i], 1);
        right[i] = __shfl_down_sync(ALL, held.v[i], 1);
        left[i] = r.first ? held.v[RADIUS - 1 - i] : left[i];
        right[i] = r.last ? held.v[BIN - 1 - i] : right[i];
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
static __device__ uint64_t across_boxes(const struct reading &r, const struct squares &v)
{
    uint64_t other = 3 * v.all - v.turned, left = __shfl_up_sync(ALL, v.turned, 1),
             right = __shfl_down_sync(ALL, other, 1);
    return BIN * v.all + (r.first ? other : left) + (r.last ? v.turned : right);
}

/* Goes four rows on and makes bin number `at`, if it is `mine`. step: pixels from a row to the next
 * one that is read; 0 if no bin is left. */
template <enum reads how>
static __device__ void make_bin(float *spread, float *level, unsigned at, bool mine,
                                struct columns *c, struct reading *r, struct ahead *ahead,
                                const struct measured &all, int step, int turn)
{
    quad *older = c->row[turn], *newer = c->row[!turn];
    uint64_t boxes = 0;
    uint32_t light = 0;
    struct four_sums sums;
    quad rows[BIN];
    uint32_t any = 0;
    KIN_UNROLL
    for (int k = 0; k < BIN; k++) {
        rows[k] = clipped(ahead->row[k], all);
        any |= rows[k].high;
    }
    r->at = gpu_after(r->at, any);
    KIN_UNROLL
    for (int k = 0; k < BIN; k++)
        ahead->row[k] = read_next<how>(r, step);
    KIN_UNROLL
    for (int k = 0; k < BIN; k++) {
        older[k] = rows[k];
        struct four p = plain(pixels_of(older[k])),
                    old = pixels_of(k + 1 < BIN ? older[k + 1] : newer[0]);
        advance(c, old, p);
        add_pixels(c, &sums, p, k);
        square_boxes(&boxes, *r, c->held);
        if (k == 0) {
            light = c->light - c->light_before;
            c->light_before = c->light;
        }
    }
    uint64_t seen = across_boxes(*r, squares_seen(c, sums));
    if (mine)
        put_bin<unsigned long long>(spread + at, level + at, seen, boxes, light, BOX * BOX,
                                    BIN * BIN);
}

/* Where a thread first asks for 128 bytes of row `row` and of those that follow it, for two rows of
 * bins. Of a row of pixels, a warp reads 256 bytes, which may lie in three lines. NULL: others ask
 * for all. */
static __device__ const uint16_t *first_asked(const struct measured &s, int row, int step, int lane)
{
    enum { PARTS = 3, STEP = 60 };
    int x = (int)blockIdx.x * LANES * BIN + lane % PARTS * STEP;
    bool asks = lane / PARTS < TURNS * BIN && x < s.w;
    return asks ? gpu_past(s.src + x, s.bytes, row) + lane / PARTS * step : NULL;
}

/* Every other block goes up the image: it begins, and ends, next to one that begins or ends there
 * at the same time, and the last cache still holds the pixels that both read. */
template <enum reads how>
static __device__ void make_bins(float *spread, float *level, const struct measured &all)
{
    int lane = (int)threadIdx.x, x = (int)blockIdx.x * LANES + lane,
        first = (int)blockIdx.y * all.each, wide = (all.w + BIN - 1) / BIN,
        left = all.down - first < all.each ? all.down - first : all.each;
    bool up = blockIdx.y % 2;
    int step = up ? -all.w : all.w, row = up ? (first + left) * BIN + BOX - 2 : first * BIN;
    unsigned at = (unsigned)((up ? first + left - 1 : first) * wide + x);
    struct reading r = reading_at<how>(all, row, x);
    struct ahead ahead;
    struct columns c = begin_columns<how>(&r, &ahead, all, step);
    bool mine = x < all.across && (lane > 0 || r.first) && (lane + 1 < WARP || r.last);
    int past = AHEAD * BIN + BOX - 1;
    const uint16_t *asked = first_asked(all, up ? row - past : row + past, step, lane);
    int least = asked ? AHEAD + TURNS : INT_MAX;
    GPU_UNROLLED(1)
    while (left > 0) {
        if (left >= least) {
            gpu_ask(asked);
            asked += TURNS * BIN * step;
        }
        KIN_UNROLL
        for (int turn = 0; turn < TURNS; turn++, at += (unsigned)(up ? -wide : wide)) {
            make_bin<how>(spread, level, at, mine, &c, &r, &ahead, all, left > 1 ? step : 0, turn);
            if (--left <= 0)
                return;
        }
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
    int i = (past * (int)gridDim.x + (int)blockIdx.x) * WARP + (int)threadIdx.x;
    int below = all.down * BIN < all.rows ? (all.w + BIN - 1) / BIN : 0,
        beside = all.across * BIN < all.w ? all.down : 0;
    if (i < below)
        make_cut(spread, level, all, all.down, i);
    else if (i - below < beside)
        make_cut(spread, level, all, i - below, all.across);
}

static __global__ void __launch_bounds__(WARP, BLOCKS)
    measure_down(float *spread, float *level, const __grid_constant__ struct measured all)
{
    bool edge = blockIdx.x == 0 || ((int)blockIdx.x * LANES + WARP + 1) * BIN > all.w;
    if ((int)(gridDim.y - blockIdx.y) <= all.cut)
        make_cuts(spread, level, all);
    else if (edge && all.whole)
        make_bins<ENDS>(spread, level, all);
    else if (edge)
        make_bins<MIRRORED>(spread, level, all);
    else if (all.whole)
        make_bins<WHOLE>(spread, level, all);
    else
        make_bins<SHIFTED>(spread, level, all);
}

/* Rows of bins that a warp makes of so many, in `wide` columns of warps, below which `others`
 * stand: the card fills with warps WAVES times, so that it is busy to the end. If once, it would
 * wait for the columns at the edges, which take longer. */
static int rows_of_bins(struct device *dev, int down, int wide, int others)
{
    int room = gpu_processors(dev) * BLOCKS, waves = WAVES, high, each;
    do {
        high = waves++ * room / wide - others;
        each = high > 0 ? (down + high - 1) / high : 0;
    } while (high <= 0 || each > ROWS_MOST);
    return each > ROWS_LEAST ? each : ROWS_LEAST;
}

void measure_columns(struct device *dev, float *spread, float *level, const uint16_t *src, int rows,
                     int w, int top)
{
    bool whole = w % BIN == 0 && (uintptr_t)src % (BIN * sizeof *src) == 0;
    int down = rows / BIN, across = w / BIN;
    int more = (w + BIN - 1) / BIN - WARP; /* fours of columns beside the first warp */
    int wide = more > 0 ? 1 + (more + LANES - 1) / LANES : 1;
    int cuts = (rows % BIN ? (w + BIN - 1) / BIN : 0) + (w % BIN ? down : 0);
    int cut = (cuts + wide * WARP - 1) / (wide * WARP);
    int each = rows_of_bins(dev, down, wide, cut);
    unsigned bytes = (unsigned)w * (unsigned)sizeof *src;
    struct measured all = {src,  w, down, across, bytes, each, rows, cut, (uint32_t)top * 0x10001,
                           whole};
    dim3 grid((unsigned)wide, (unsigned)cut + gpu_pieces((size_t)down, (size_t)each));
    LAUNCH(dev, measure_down, grid, WARP, 0)(spread, level, all);
}
