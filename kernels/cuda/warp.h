/* SPDX-License-Identifier: MIT
 *
 * warp.h: what a block of threads that resamples has in shared memory: the pixels that it
 * reads, then the rows of its knots among a displacement field's nodes, then the field. */
#pragma once

#include "cuda/device.h"
#include "device/warp_pixel.h"

enum {
    ROWS = 64, /* pixels that a thread makes, below each other */
    KEPT = 4,  /* rows of which a pixel is made; pixels that are made together */
    THREADS_WIDE = 64,
    THREADS_HIGH = 2,
    THREADS = THREADS_WIDE * THREADS_HIGH,
    /* of a multiprocessor: with more, what they read and write gets in each other's way */
    BLOCKS = 5,
    WIDE = THREADS_WIDE, /* pixels of a block */
    HIGH = ROWS * THREADS_HIGH,
    /* rows of knots: of the lines that pixels lie on, and of one above these */
    KNOTS = HIGH / WARP_KNOTS + 3,
    FIRST_KNOT = 1 - 2 * WARP_KNOTS, /* of a block, whose first row of pixels is a multiple */
    READERS = 8,                     /* threads that read a row */
    AT_ONCE = 3,                     /* rows that they read before they store the first */
    TOGETHER = 8,                    /* pixels that are read as one where that can be */
    /* Pixels by which a map may move one further than the middle one, sideways up to 4 less. */
    ASIDE = 10,
    ABOVE = 5,
    SEEN_HIGH = HIGH + 2 * ABOVE + 4,
    SEEN_WIDE = WIDE + 2 * ASIDE + 4,
    FRACTION = 23, /* bits of a place behind the point */
    PLACE = 44,    /* of one that takes 64 bits */
    COARSE = 12,   /* of one that need be known only roughly */
    FAR = 1 << 18, /* pixels for which 64 bits have room, and more */
    /* A place has room for 256 pixels: for a block's middle pixel so far off, for what the others
     * are further by and for a field that moves it by so much. */
    NEAR = 96,
    FIELD_NEAR = 32,
};

namespace {

/* ---- pixels ---------------------------------------------------------------------------------- */

/* A place along y and x in 2^-FRACTION pixels, counted from pixel (1, 1) of what is seen. */
struct place {
    int y, x;
};

/* Which pixels of the source a block of threads sees. */
struct seen {
    int top, left;
    bool given;   /* none lies beyond the image's border, and the caller has given them all */
    int together; /* then so many of a row can be read as one, from a multiple of it on */
    /* whole pixels that lie in the image, and where all is seen of which a pixel is made */
    struct place first, last;
    struct place middle; /* where the middle of the block is read, but for a field */
    bool near;           /* integers have room for that */
};

/* Those that it shares, beyond the image's border the ones at its edge. */
typedef uint16_t seen_row[SEEN_WIDE];
static_assert(sizeof(seen_row) * SEEN_HIGH % 16 == 0, "what follows is read 16 bytes at a time");

static __device__ seen_row *pixels_here()
{
    return gpu_shared<seen_row>();
}

/* A thread's number in its block. */
static __device__ int my_number()
{
    return (int)(threadIdx.y * THREADS_WIDE + threadIdx.x);
}

/* ---- reading pixels -------------------------------------------------------------------------- */

/* The first and the last whole pixel, counted from the second one of `seen` pixels, the first of
 * which is pixel `from` of `image`, where four of these, and one more on either side, are around
 * any place, which surely lies in the image. */
static __device__ void find_range(int from, int seen, int image, int *first, int *last)
{
    int begin = -(from + 1), end = image - 2 - (from + 1);
    *first = begin > 1 ? begin : 1;
    *last = end < seen - 5 ? end : seen - 5;
}

/* A place along an axis in 2^-PLACE pixels from pixel `from` on in 2^-FRACTION pixels, if integers
 * have room for that. */
static __device__ bool fixed_of(int64_t at, int from, int *fixed)
{
    const unsigned near = (unsigned)NEAR << COARSE;
    *fixed = (int)((unsigned)(at >> (PLACE - FRACTION)) - ((unsigned)from << FRACTION));
    return (unsigned)((int)(at >> (PLACE - COARSE)) - from * (1 << COARSE)) + near < 2 * near;
}

/* What is seen lies around (y, x), where the middle of the block is read if a field moves it by
 * u. */
static __device__ struct seen seen_around(const struct pixel_source *src, int64_t y, int64_t x,
                                          float2 u)
{
    struct seen seen;
    const int scale = 1 << COARSE;
    int row = ((int)(y >> (PLACE - COARSE)) + gpu_whole(u.x * scale)) >> COARSE,
        column = ((int)(x >> (PLACE - COARSE)) + gpu_whole(u.y * scale)) >> COARSE;
    seen.top = cubic_clamp(row, src->h) - HIGH / 2 - ABOVE - 1;
    seen.left = (cubic_clamp(column, src->w) - WIDE / 2 - ASIDE - 1 + TOGETHER / 2) &
                ~(TOGETHER - 1);
    seen.given = (seen.top >= src->first) & (seen.top + SEEN_HIGH <= src->first + src->count) &
                 (seen.left >= 0) & (seen.left + SEEN_WIDE <= src->w);
    unsigned ragged = (unsigned)src->w | (unsigned)((uintptr_t)src->data / sizeof *src->data);
    seen.together = ragged % TOGETHER == 0         ? TOGETHER
                    : ragged % (TOGETHER / 2) == 0 ? TOGETHER / 2
                                                   : 1;
    find_range(seen.top, SEEN_HIGH, src->h, &seen.first.y, &seen.last.y);
    find_range(seen.left, SEEN_WIDE, src->w, &seen.first.x, &seen.last.x);
    seen.near = fixed_of(y, seen.top + 1, &seen.middle.y) &
                fixed_of(x, seen.left + 1, &seen.middle.x);
    return seen;
}

/* Reads what is seen, by a block of threads, of which READERS take a row together. Where a thread's
 * last row is not there, it reads the one before again: with a branch, it would wait for its last
 * row after all others. Rows that the caller has not given are none that a pixel is made of. */
template <bool given>
static __device__ void see_all(const struct seen *seen, const struct pixel_source *src)
{
    enum { APART = THREADS / READERS, DOWN = AT_ONCE * APART, BESIDE = SEEN_WIDE / READERS };
    static_assert((SEEN_HIGH - 1) / DOWN * DOWN + (AT_ONCE - 1) * APART < SEEN_HIGH,
                  "all rows but the last are there");
    static_assert(BESIDE * READERS == SEEN_WIDE, "every pixel");
    int me = my_number(), row = me / READERS, column = me % READERS,
        top = seen->top - src->first + row, left = seen->left + column;
    size_t width = (unsigned)src->w;
    const uint16_t *first = src->data + (given ? width * (unsigned)top + (unsigned)left : 0);
    uint16_t *to = &pixels_here()[row][column];
    GPU_UNROLLED(1)
    for (int down = 0; down < SEEN_HIGH; down += DOWN, to += DOWN * SEEN_WIDE) {
        uint16_t v[AT_ONCE][BESIDE];
        int last = (AT_ONCE - 1) * APART, back = row + down + last < SEEN_HIGH ? 0 : APART;
        KIN_UNROLL
        for (int i = 0; i < AT_ONCE; i++) {
            int y = i * APART - (i == AT_ONCE - 1 ? back : 0);
            const uint16_t *line = first + width * (given ? (unsigned)(down + y)
                                                          : (unsigned)cubic_clamp(top + down + y,
                                                                                  src->count));
            KIN_UNROLL
            for (int j = 0; j < BESIDE; j++)
                v[i][j] = line[given ? j * READERS : cubic_clamp(left + j * READERS, src->w)];
        }
        KIN_UNROLL
        for (int i = 0; i < AT_ONCE; i++)
            for (int j = 0; j < BESIDE; j++)
                to[(i * APART - (i == AT_ONCE - 1 ? back : 0)) * SEEN_WIDE + j * READERS] = v[i][j];
    }
}

/* `n` pixels of a row. */
template <int n> struct alignas(n * sizeof(uint16_t)) together {
    uint16_t pixel[n];
};

/* The same where all are given and `n` can be read as one: until gpu_copies_wait. */
template <int n>
static __device__ void see_together(const struct seen *seen, const struct pixel_source *src)
{
    enum {
        BESIDE = SEEN_WIDE / n,
        APART = THREADS / BESIDE,
        EACH = (SEEN_HIGH + APART - 1) / APART,
    };
    static_assert(BESIDE * n == SEEN_WIDE, "every pixel");
    int me = my_number(), row = me / BESIDE, first = me % BESIDE * n;
    size_t width = (unsigned)src->w;
    const uint16_t *from = src->data + width * (unsigned)(seen->top - src->first + row) +
                           (unsigned)(seen->left + first);
    uint16_t *to = pixels_here()[row] + first;
    if (row >= APART)
        return;
    KIN_UNROLL
    for (int i = 0; i < EACH; i++, to += APART * SEEN_WIDE) {
        if (i < EACH - 1 || row + i * APART < SEEN_HIGH)
            gpu_copy_later((struct together<n> *)to, (const struct together<n> *)from);
        from = gpu_plain(from + width * APART);
    }
}

/* ---- displacement ---------------------------------------------------------------------------- */

/* Where a row of the canvas lies among rows of nodes: `s` past row `node`, counted from the first
 * that the block has; half: see struct cubic. ~node: beyond them, where u stays as it is there. */
struct alignas(16) field_row {
    float s, half;
    int node;
};

static __device__ struct field_row *field_rows_here()
{
    return (struct field_row *)(pixels_here() + SEEN_HIGH);
}

/* u of the rows of nodes around a block of threads, at each column of its pixels: (y, x). */
static __device__ float2 *field_here()
{
    return (float2 *)(field_rows_here() + KNOTS);
}

/* cubic_among_nodes without the branch of a division, and the same beyond the nodes. */
static __device__ float beyond_nodes(const struct warp_grid *grid, float v)
{
    return gpu_quotient(v - grid->origin, grid->step);
}

static __device__ float among_nodes(const struct warp_grid *grid, int n, float v)
{
    return kin_clamp(beyond_nodes(grid, v), 0, (float)(n - 1));
}

/* u at a column of pixels, of some rows of nodes: the sums of four of each, from place `at` of
 * their planes on, times w. */
struct field_column {
    const float *u[2];
    float w[4];
};

/* Of a row of them, of which node[i] is the i-th that counts. */
static __device__ float2 field_sum(const struct field_column *column, size_t at, const int node[4])
{
    float2 sum = {};
    KIN_UNROLL
    for (int i = 0; i < 4; i++) {
        sum.x += column->w[i] * column->u[0][at + (unsigned)node[i]];
        sum.y += column->w[i] * column->u[1][at + (unsigned)node[i]];
    }
    return sum;
}

/* The first row of nodes that a block has whose first row of pixels that is of the canvas. */
static __device__ int first_node(const struct warp_grid *grid, int top)
{
    return (int)among_nodes(grid, grid->rows, (float)(top + FIRST_KNOT)) - 1;
}

/* Row y of the canvas among rows of nodes, from the first of them on. */
static __device__ struct field_row field_row_at(const struct warp_grid *grid, int first, int y)
{
    float down = beyond_nodes(grid, (float)y), inside = among_nodes(grid, grid->rows, (float)y),
          s = down - (float)(int)inside;
    int node = (int)inside - 1 - first;
    return {s, cubic_half(s), down == inside ? node : ~node};
}

/* nodes: how many rows of them. */
static __device__ void prepare_field(const struct warp_grid *grid, int nodes, int top, int left)
{
    int me = my_number(), x = me % WIDE;
    float across = among_nodes(grid, grid->cols, (float)(left + x));
    int first = first_node(grid, top), begin = (int)across - 1;
    size_t width = (unsigned)grid->cols;
    struct field_column column = {{grid->u, grid->u + width * (unsigned)grid->rows}};
    cubic_weights(across - (float)(int)across, column.w);
    float2 *to = field_here() + me;
    if (begin >= 0 && begin + 4 <= grid->cols && first >= 0 && first + nodes <= grid->rows) {
        size_t at = width * (unsigned)(first + me / WIDE) + (unsigned)begin;
        const int next[] = {0, 1, 2, 3};
        column.u[0] = gpu_plain(column.u[0] + at);
        column.u[1] = gpu_plain(column.u[1] + at);
        for (int row = me / WIDE; row < nodes; row += THREADS / WIDE, to += THREADS) {
            *to = field_sum(&column, 0, next);
            column.u[0] += width * (THREADS / WIDE);
            column.u[1] += width * (THREADS / WIDE);
        }
    } else {
        int node[4];
        for (int i = 0; i < 4; i++)
            node[i] = cubic_clamp(begin + i, grid->cols);
        for (int row = me / WIDE; row < nodes; row += THREADS / WIDE, to += THREADS)
            *to = field_sum(&column, width * (unsigned)cubic_clamp(first + row, grid->rows), node);
    }
    if (me < KNOTS)
        field_rows_here()[me] = field_row_at(grid, first, top + FIRST_KNOT + me * WARP_KNOTS);
}

/* u along a column of pixels, between two rows of nodes. */
struct field_piece {
    int node; /* see struct field_row */
    struct cubic y, x;
    bool little; /* nowhere FIELD_NEAR */
};

static __device__ float cubic_most(const struct cubic *c)
{
    return fabsf(c->value) + fabsf(c->slope) + fabsf(c->bend) + fabsf(c->turn);
}

static __device__ struct field_piece field_piece_at(int node, int column)
{
    const float2 *u = field_here() + (node < 0 ? ~node : node) * WIDE + column;
    float2 u0 = u[0], u1 = u[WIDE], u2 = u[2 * WIDE], u3 = u[3 * WIDE];
    struct field_piece piece = {node, {u1.x}, {u1.y}};
    if (node >= 0) {
        piece.y = cubic_through(u0.x, u1.x, u2.x, u3.x);
        piece.x = cubic_through(u0.y, u1.y, u2.y, u3.y);
    }
    piece.little = fmaxf(cubic_most(&piece.y), cubic_most(&piece.x)) < FIELD_NEAR;
    return piece;
}

/* How far the field moves what lies there in a column of the block: (y, x). */
static __device__ float2 moved(struct field_piece *piece, const struct field_row *row, int column)
{
    *piece = field_piece_at(row->node, column);
    return {cubic_at(&piece->y, row->s, row->half), cubic_at(&piece->x, row->s, row->half)};
}

} // namespace
