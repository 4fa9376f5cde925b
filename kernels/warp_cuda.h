/* SPDX-License-Identifier: MIT
 *
 * warp_cuda.h: what a block of threads that resamples has in shared memory: the pixels that it
 * reads, then the rows of its own pixels among a displacement field's nodes, then the field. */
#pragma once

#include "device_cuda.h"
#include "warp_pixel.h"

enum {
    ROWS = 16, /* of pairs of pixels that a thread makes */
    PAIR = 2,
    KEPT = 4,  /* rows of which a pixel is made */
    GROUP = 8, /* rows that a warp looks at together */
    THREADS_WIDE = 32,
    THREADS_HIGH = GPU_THREADS / THREADS_WIDE,
    WIDE = PAIR * THREADS_WIDE, /* pixels of a block */
    HIGH = ROWS * THREADS_HIGH,
    READERS = 16, /* threads that read a row */
    AT_ONCE = 3,  /* rows that they read before they store the first */
    ASIDE = 6,    /* pixels by which a map may move one further than the middle one */
    SEEN_HIGH = HIGH + 2 * ASIDE + 4,
    SEEN_WIDE = WIDE + 2 * ASIDE + 4,
    FRACTION = 23, /* bits of a place behind the point */
    /* A place has room for 256 pixels: for a column's first pixel so far off, for one so far below
     * or beside the next, and for a field that moves it by so much. */
    NEAR = 128,
    STEEP = 3,
    FIELD_NEAR = 64,
};

namespace {

/* ---- pixels ---------------------------------------------------------------------------------- */

/* A place along y and x in 2^-FRACTION pixels, counted from pixel (1, 1) of what is seen. */
struct place {
    int y, x;
};

/* Pixels of the source that a block of threads shares, beyond the image's border those at its edge:
 * the even ones of a row, then the odd ones, or the pairs that the threads of a warp read would lie
 * in half of the banks. What follows them is read 16 bytes at a time. */
struct alignas(16) seen {
    int top, left;
    bool given; /* none lies beyond it, and the caller has given them all */
    /* from low to low + most: where all is seen of which a pixel is made, surely in the image */
    struct place low, most;
    struct place first, last; /* the whole pixels that lie there */
    float pixels[SEEN_HIGH][SEEN_WIDE];
};

/* Pixels of a row of them, and of the rows below it, from one on: this one and every other after
 * it, those between. */
struct corner {
    int at, between;
};

static __device__ struct seen *seen_here()
{
    return gpu_shared<struct seen>();
}

/* ---- cubics ---------------------------------------------------------------------------------- */

/* Catmull-Rom between the middle two of four values, f past the second:
 *
 *     value + f (slope + half (bend + f turn)), half = (1 - f) / 2
 *
 * which is the same as the sum by cubic_weights, and takes half the operations where the four
 * values serve for several f. */
struct cubic {
    float value, slope, bend, turn;
};

static __device__ struct cubic cubic_through(float v0, float v1, float v2, float v3)
{
    float slope = v2 - v1;
    return {v1, slope, (v1 - v0) - slope, 3 * slope + (v0 - v3)};
}

/* Two of them, the second a value further on than the first. */
struct cubic_pair {
    struct cubic of[PAIR];
};

static __device__ struct cubic_pair cubics_through(const float v[PAIR + 3])
{
    float d[4], bend[3];
    KIN_UNROLL
    for (int i = 0; i < 4; i++)
        d[i] = v[i + 1] - v[i];
    KIN_UNROLL
    for (int i = 0; i < 3; i++)
        bend[i] = d[i] - d[i + 1];
    return {{{v[1], d[1], bend[0], bend[1] - bend[0]}, {v[2], d[2], bend[1], bend[2] - bend[1]}}};
}

static __device__ float cubic_half(float f)
{
    return 0.5f - 0.5f * f;
}

static __device__ float cubic_at(const struct cubic *c, float f, float half)
{
    return c->value + f * (c->slope + half * (c->bend + f * c->turn));
}

/* ---- displacement ---------------------------------------------------------------------------- */

/* Where a row of pixels lies among rows of nodes: `s` past row `node`, counted from the first that
 * the block has; half: see struct cubic. */
struct alignas(16) field_row {
    float s, half;
    int node;
    bool clamped; /* it lies beyond them */
};

static __device__ struct field_row *field_rows_here()
{
    return (struct field_row *)(seen_here() + 1);
}

/* u of the rows of nodes around a block of threads, at each column of its pixels: (y, x). */
static __device__ float2 *field_here()
{
    return (float2 *)(field_rows_here() + HIGH);
}

/* cubic_among_nodes without the branch of a division. */
static __device__ float among_nodes(const struct warp_grid *grid, int n, float v)
{
    float at = gpu_quotient(v - grid->origin, grid->step);
    return fminf(fmaxf(at, 0), (float)(n - 1));
}

/* nodes: how many rows of them. */
static __device__ void prepare_field(const struct warp_grid *grid, int nodes, int top, int left)
{
    int me = (int)(threadIdx.y * THREADS_WIDE + threadIdx.x), x = me % WIDE;
    float across = among_nodes(grid, grid->cols, (float)(left + x)), w[4];
    int first = (int)among_nodes(grid, grid->rows, (float)top) - 1;
    cubic_weights(across - (float)(int)across, w);
    for (int row = me / WIDE; row < nodes; row += GPU_THREADS / WIDE) {
        size_t width = (unsigned)grid->cols, plane = width * (unsigned)grid->rows,
               line = width * (unsigned)cubic_clamp(first + row, grid->rows);
        const float *u[] = {gpu_plain(grid->u + line), gpu_plain(grid->u + plane + line)};
        float2 sum = {};
        for (int i = 0; i < 4; i++) {
            unsigned node = (unsigned)cubic_clamp((int)across + i - 1, grid->cols);
            sum.x += w[i] * u[0][node];
            sum.y += w[i] * u[1][node];
        }
        field_here()[row * WIDE + x] = sum;
    }
    if (me < HIGH) {
        float y = (float)(top + me), down = among_nodes(grid, grid->rows, y),
              s = down - (float)(int)down;
        bool clamped = y < grid->origin || down >= (float)(grid->rows - 1);
        field_rows_here()[me] = {s, cubic_half(s), (int)down - 1 - first, clamped};
    }
}

/* u along a column of pixels, between two rows of nodes. */
struct field_piece {
    int node; /* the first of the four rows that make it; -1: none yet */
    struct cubic y, x;
    bool little; /* nowhere FIELD_NEAR */
};

static __device__ float cubic_most(const struct cubic *c)
{
    return fabsf(c->value) + fabsf(c->slope) + fabsf(c->bend) + fabsf(c->turn);
}

/* Of column c of the thread's. */
static __device__ void field_piece_at(struct field_piece *piece, int node, int c)
{
    const float2 *u = field_here() + node * WIDE + threadIdx.x * PAIR + c;
    float2 u0 = u[0], u1 = u[WIDE], u2 = u[2 * WIDE], u3 = u[3 * WIDE];
    piece->node = node;
    piece->y = cubic_through(u0.x, u1.x, u2.x, u3.x);
    piece->x = cubic_through(u0.y, u1.y, u2.y, u3.y);
    piece->little = fmaxf(cubic_most(&piece->y), cubic_most(&piece->x)) < FIELD_NEAR;
}

/* The rows of the thread's pixels. */
static __device__ const struct field_row *my_rows()
{
    return field_rows_here() + threadIdx.y * ROWS;
}

/* How far the field moves pixel k of column c of the thread's: (y, x). */
static __device__ float2 moved(struct field_piece *piece, int k, int c)
{
    struct field_row row = my_rows()[k];
    if (row.node != piece->node)
        field_piece_at(piece, row.node, c);
    return {cubic_at(&piece->y, row.s, row.half), cubic_at(&piece->x, row.s, row.half)};
}

} // namespace
