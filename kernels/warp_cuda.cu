// SPDX-License-Identifier: MIT
// warp_cuda.cu: resampling on the GPU.
//
// A map turns and stretches an image by little: the pixels of a block of threads are read close to
// where its middle one is. The block has what lies around that in shared memory, as floats; a
// thread goes down a column of pixels, of which each reads one row below the one before, and keeps
// the four rows that it is made of in registers. As long as that holds for all threads of a warp,
// only what is past the whole pixels is counted, in floats; elsewhere places are counted in
// integers. Pixels that are read further off come afterwards, one by one from the card's memory; so
// do those so close to the image's border that only numbers in double tell on which side they are.
#include "sample_cuda.h"
#include "warp_pixel.h"

enum {
    ROWS = 32, /* of pixels that a thread makes */
    KEPT = 4,  /* rows of which a pixel is made */
    GROUP = 8, /* of pixels of a run that a warp looks at together */
    BLOCK_ROWS = ROWS * PIXELS_HIGH,
    BINNED = 4,   /* pixels that a thread bins */
    READERS = 16, /* threads that read a row */
    ASIDE = 6,    /* pixels by which a map may move one further than the middle one */
    SEEN_HIGH = BLOCK_ROWS + 2 * ASIDE + 4,
    SEEN_WIDE = PIXELS_WIDE + 2 * ASIDE + 4,
    FRACTION = 23, /* bits of a place behind the point */
    /* A place has room for 256 pixels: for a column's first pixel so far off, for one so far below
     * the next, and for a field that moves it by so much. */
    NEAR = 128,
    STEEP = 2,
    FIELD_NEAR = 64,
};

static const double SURE = 0x1p-16; /* pixels: what a place may be wrong by, and a good deal more */

namespace {

/* ---- kernels: shared memory ------------------------------------------------------------------ */

/* A place along y and x in 2^-FRACTION pixels, counted from pixel (1, 1) of what is seen. */
struct place {
    int y, x;
};

/* Pixels of the source that a block of threads shares, beyond the image's border those at its edge;
 * what follows them is read 16 bytes at a time. */
struct alignas(16) seen {
    int top, left;
    bool given; /* none lies beyond it, and the caller has given them all */
    /* from low to low + most: where all is seen of which a pixel is made, surely in the image */
    struct place low, most;
    struct place first, last; /* the whole pixels that lie there */
    float pixels[SEEN_HIGH][SEEN_WIDE];
};

static __device__ struct seen *seen_here()
{
    return gpu_shared<struct seen>();
}

/* ---- kernels: cubics ------------------------------------------------------------------------- */

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

static __device__ float cubic_half(float f)
{
    return 0.5f - 0.5f * f;
}

static __device__ float cubic_at(const struct cubic *c, float f, float half)
{
    return c->value + f * (c->slope + half * (c->bend + f * c->turn));
}

/* ---- kernels: displacement ------------------------------------------------------------------- */

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
    return (float2 *)(field_rows_here() + BLOCK_ROWS);
}

/* nodes: how many rows of them. */
static __device__ void prepare_field(const struct warp_grid *grid, int nodes, int top, int left)
{
    int me = (int)(threadIdx.y * PIXELS_WIDE + threadIdx.x), x = (int)threadIdx.x;
    float across = cubic_among_nodes(grid, grid->cols, (float)(left + x)), w[4];
    int first = (int)cubic_among_nodes(grid, grid->rows, (float)top) - 1;
    cubic_weights(across - (float)(int)across, w);
    for (int row = (int)threadIdx.y; row < nodes; row += PIXELS_HIGH) {
        const float *line = grid->u + (size_t)cubic_clamp(first + row, grid->rows) * grid->cols;
        float2 sum = {};
        for (int i = 0; i < 4; i++) {
            const float *node = line + cubic_clamp((int)across + i - 1, grid->cols);
            sum.x += w[i] * node[0];
            sum.y += w[i] * node[(size_t)grid->rows * grid->cols];
        }
        field_here()[row * PIXELS_WIDE + x] = sum;
    }
    if (me < BLOCK_ROWS) {
        float y = (float)(top + me), down = cubic_among_nodes(grid, grid->rows, y),
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

static __device__ void field_piece_at(struct field_piece *piece, int node)
{
    const float2 *u = field_here() + node * PIXELS_WIDE + threadIdx.x;
    float2 u0 = u[0], u1 = u[PIXELS_WIDE], u2 = u[2 * PIXELS_WIDE], u3 = u[3 * PIXELS_WIDE];
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

static __device__ float2 moved_by(const struct field_piece *piece, const struct field_row *row)
{
    return float2{cubic_at(&piece->y, row->s, row->half), cubic_at(&piece->x, row->s, row->half)};
}

/* How far the field moves the thread's pixel k: (y, x). */
static __device__ float2 moved(struct field_piece *piece, int k)
{
    struct field_row row = my_rows()[k];
    if (row.node != piece->node)
        field_piece_at(piece, row.node);
    return moved_by(piece, &row);
}

/* ---- kernels: places ------------------------------------------------------------------------- */

/* The pixels of a thread, one below the other, and where they are read, the field left out. */
struct warp_column {
    double first[2], step[2]; /* the first; how far below it the next */
};

static __device__ struct warp_column warp_column_at(const struct warp_map *map, int y, int x)
{
    struct warp_column column = {{}, {map->a[0], map->a[2]}};
    pixel_affine(map, y, x, column.first);
    return column;
}

/* Where pixel k is read. */
static __device__ void warp_at(const struct warp_column *column, struct field_piece *piece,
                               bool field, int k, double q[2])
{
    float2 u = field ? moved(piece, k) : float2{};
    q[0] = column->first[0] + k * column->step[0] + u.x;
    q[1] = column->first[1] + k * column->step[1] + u.y;
}

/* A place along one axis in 2^-FRACTION pixels: numbers in double take a card many times as long.
 * Integers have room for NEAR pixels, what a column takes it further and what a field does. */
static __device__ bool fixed_of(double at, int *fixed)
{
    *fixed = (int)(fabs(at) < NEAR ? at * (1 << FRACTION) : 0);
    return fabs(at) < NEAR;
}

static __device__ int whole_of(int fixed)
{
    return fixed >> FRACTION;
}

/* What is past the whole pixel. As a float the bits of so small an integer are that many times
 * 2^-149, which takes no conversion. */
static __device__ float fraction_of(int fixed)
{
    static_assert(FRACTION == 23, "the bits of a float behind the point");
    return gpu_float_of((unsigned)fixed & ((1u << FRACTION) - 1)) * 0x1p126f;
}

/* ---- kernels: pixels ------------------------------------------------------------------------- */

/* The first place of `seen` pixels from pixel `from` of `image` on, and how many follow it; the
 * first and the last whole pixel there. */
static __device__ void find_range(int from, int seen, int image, int *low, int *most, int *first,
                                  int *last)
{
    double edge = -0.5 - (from + 1) + SURE, end = fmin(seen - 3.0, image - 0.5 - (from + 1) - SURE);
    *low = edge > 0 ? (int)(edge * (1 << FRACTION)) : 0;
    *most = (int)(end * (1 << FRACTION)) - 1 - *low;
    *first = edge > 0 ? (int)edge + 1 : 0;
    *last = (int)end - 1;
}

/* What is seen lies around q, where the middle of the block is read. */
static __device__ void centre_on(struct seen *seen, const struct pixel_source *src,
                                 const double q[2])
{
    double y = fmin(fmax(q[0], 0.0), src->h - 1.0), x = fmin(fmax(q[1], 0.0), src->w - 1.0);
    seen->top = (int)y - BLOCK_ROWS / 2 - ASIDE - 1;
    seen->left = (int)x - PIXELS_WIDE / 2 - ASIDE - 1;
    seen->given = seen->top >= src->first && seen->top + SEEN_HIGH <= src->first + src->count &&
                  seen->left >= 0 && seen->left + SEEN_WIDE <= src->w;
    find_range(seen->top, SEEN_HIGH, src->h, &seen->low.y, &seen->most.y, &seen->first.y,
               &seen->last.y);
    find_range(seen->left, SEEN_WIDE, src->w, &seen->low.x, &seen->most.x, &seen->first.x,
               &seen->last.x);
}

/* Reads what is seen, by a block of threads, of which READERS take a row together. A thread reads
 * all of its pixels before it stores the first. Rows that the caller has not given are none that a
 * pixel is made of. */
template <bool given>
static __device__ void see_all(struct seen *seen, const struct pixel_source *src)
{
    enum { APART = GPU_THREADS / READERS, HIGH = SEEN_HIGH / APART, WIDE = SEEN_WIDE / READERS };
    static_assert(HIGH * APART == SEEN_HIGH && WIDE * READERS == SEEN_WIDE, "every pixel");
    int me = (int)(threadIdx.y * PIXELS_WIDE + threadIdx.x), row = me / READERS,
        column = me % READERS, top = seen->top - src->first + row, left = seen->left + column;
    size_t width = (unsigned)src->w;
    const uint16_t *first = src->data + (given ? width * (unsigned)top + (unsigned)left : 0);
    unsigned step = (unsigned)src->w * APART * (unsigned)sizeof *first, one = gpu_one();
    uint16_t v[HIGH][WIDE];
    KIN_UNROLL
    for (int i = 0; i < HIGH; i++, first = given ? gpu_past(first, step, one) : first) {
        const uint16_t *line =
            given ? first : first + width * (unsigned)cubic_clamp(top + i * APART, src->count);
        KIN_UNROLL
        for (int j = 0; j < WIDE; j++)
            v[i][j] = line[given ? j * READERS : cubic_clamp(left + j * READERS, src->w)];
    }
    KIN_UNROLL
    for (int i = 0; i < HIGH; i++)
        KIN_UNROLL
    for (int j = 0; j < WIDE; j++)
        seen->pixels[row + i * APART][column + j * READERS] = v[i][j];
}

/* The four rows that a pixel is made of, as cubics. Row j of pixel k's is in place (k + j) % KEPT:
 * three of them stay where they are for the next one, if that is read one row below. */
struct around {
    struct cubic row[KEPT];
    int next; /* of the pixels that are seen, the first that the next one is made of, if so */
};

static __device__ struct cubic cubic_seen(const float *first)
{
    return cubic_through(first[0], first[1], first[2], first[3]);
}

/* Those of pixel k but the last, from pixel `at` of what is seen on; `turn` is k % KEPT. */
static __device__ void look_around(struct around *around, const struct seen *seen, int turn, int at)
{
    const float *first = &seen->pixels[0][0] + at;
    if (around->next == at)
        return;
    around->next = at;
    KIN_UNROLL
    for (int j = 0; j < KEPT - 1; j++)
        around->row[(turn + j) % KEPT] = cubic_seen(first + j * SEEN_WIDE);
}

/* What a place is past the whole pixel. */
struct past {
    float y, x;
};

/* Pixel k, whose last row begins at `last`. */
static __device__ float around_value(struct around *around, const float *last, int turn,
                                     struct past f)
{
    float v[KEPT], half = cubic_half(f.x);
    around->row[(turn + KEPT - 1) % KEPT] = cubic_seen(last);
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        v[j] = cubic_at(&around->row[(turn + j) % KEPT], f.x, half);
    struct cubic down = cubic_through(v[0], v[1], v[2], v[3]);
    return cubic_at(&down, f.y, cubic_half(f.y));
}

/* What is made: `rows` rows of `width` pixels. */
struct warped {
    uint16_t *pixels;
    uint8_t *cover; /* or NULL */
    int rows, width;
};

/* Where a pixel of it goes. */
struct warped_place {
    uint16_t *pixel;
    uint8_t *cover;
};

template <bool covers>
static __device__ struct warped_place warped_at(const struct warped *dst, int y, int x)
{
    size_t at = (size_t)(unsigned)y * (unsigned)dst->width + (unsigned)x;
    return {dst->pixels + at, covers ? dst->cover + at : NULL};
}

template <bool covers>
static __device__ void put(const struct warped_place *to, float value, bool there)
{
    *to->pixel = gpu_round_u16(value);
    if (covers)
        *to->cover = there ? 255 : 0;
}

/* The next one below it; one: see gpu_one. */
template <bool covers>
static __device__ void go_down(struct warped_place *to, const struct warped *dst, unsigned one)
{
    to->pixel = gpu_past(to->pixel, (unsigned)dst->width * (unsigned)sizeof *to->pixel, one);
    if (covers)
        to->cover = gpu_past(to->cover, (unsigned)dst->width, one);
}

/* How far the places of a column lie below its first one, along y and x: those of every KEPT-th
 * pixel, in 2^-FRACTION pixels, and the next ones of each. */
struct warp_steps {
    int kept[2][ROWS / KEPT], one[2];
    float drift[2]; /* the next ones, less whole pixels, where each is read a row below the last */
    float fall[2];  /* the same from a row of nodes to the next */
    float bow;      /* what a curve is from a straight line after a group, if it bends by 1 */
    bool small;     /* integers have room for all of this */
};

static __device__ struct place step_on(struct place p, const struct warp_steps *steps, int k)
{
    return {p.y + k * steps->one[0], p.x + k * steps->one[1]};
}

static __device__ struct place moved_place(struct place p, float2 u)
{
    return {p.y + gpu_whole(u.x * (1 << FRACTION)), p.x + gpu_whole(u.y * (1 << FRACTION))};
}

/* That of a pixel k that KEPT divides. */
static __device__ struct place kept_at(struct place start, const struct warp_steps *steps, int k)
{
    return {start.y + steps->kept[0][k / KEPT], start.x + steps->kept[1][k / KEPT]};
}

/* The first of the pixels that are seen that it is made of. */
static __device__ int corner_of(struct place p)
{
    return whole_of(p.y) * SEEN_WIDE + whole_of(p.x);
}

static __device__ bool is_seen(const struct seen *seen, struct place p)
{
    bool there = (unsigned)p.y - (unsigned)seen->low.y <= (unsigned)seen->most.y,
         beside = (unsigned)p.x - (unsigned)seen->low.x <= (unsigned)seen->most.x;
    return there & beside; /* no branch: it is one instruction more */
}

/* ---- kernels: runs --------------------------------------------------------------------------- */

/* Pixels of a column of which each is read a row below the one before. What their places are past
 * the whole pixel is a function of the row: linear, or with a field the cubic between two rows of
 * nodes. */
struct run {
    struct past base;  /* of the next pixel; with a field, where s is 0 */
    struct past slope; /* with a field: its own and that of the places without it */
    float room; /* with a field, what of 0.5 is left if it bends in a group as far as it can */
    int last;   /* the last pixel of the column that may belong to it */
};

/* Pixel k of a group; row: the group's first. */
template <bool field>
static __device__ struct past past_at(const struct run *run, const struct warp_steps *steps,
                                      const struct field_piece *piece, const struct field_row *row,
                                      int k)
{
    struct past f = run->base;
    if (field) {
        float s = row[k].s, half = row[k].half;
        f.y += s * (run->slope.y + half * (piece->y.bend + s * piece->y.turn));
        f.x += s * (run->slope.x + half * (piece->x.bend + s * piece->x.turn));
    } else {
        f.y += (float)k * steps->drift[0];
        f.x += (float)k * steps->drift[1];
    }
    return f;
}

/* 0 <= f < 1. */
static __device__ bool is_fraction(float f)
{
    return gpu_bits_of(f) < gpu_bits_of(1.0f);
}

/* How far a cubic may be from the straight line between two pixels a group apart. */
static __device__ float cubic_bow(const struct cubic *c, const struct warp_steps *steps)
{
    return steps->bow * (fabsf(c->bend) + 2 * fabsf(c->turn));
}

static __device__ bool has_room(const struct run *run, float f)
{
    return fabsf(f - 0.5f) <= run->room;
}

/* The field's part of the run from pixel k on. */
static __device__ void add_field(struct run *run, const struct warp_steps *steps,
                                 const struct field_piece *piece, const struct field_row *row)
{
    const struct cubic *y = &piece->y, *x = &piece->x;
    run->room = 0.5f - fmaxf(cubic_bow(y, steps), cubic_bow(x, steps));
    run->slope = {y->slope + steps->fall[0], x->slope + steps->fall[1]};
    if (!piece->little || row->clamped || !has_room(run, run->base.y) ||
        !has_room(run, run->base.x))
        run->last = -1;
    run->base.y -= row->s * (run->slope.y + row->half * (y->bend + row->s * y->turn));
    run->base.x -= row->s * (run->slope.x + row->half * (x->bend + row->s * x->turn));
}

/* The run from pixel k on, which KEPT divides; rows: how many pixels the column has. */
template <bool field>
static __device__ struct run run_from(struct around *around, const struct seen *seen,
                                      const struct warp_steps *steps, struct field_piece *piece,
                                      struct place start, int k, int rows)
{
    struct place p = kept_at(start, steps, k);
    if (field)
        p = moved_place(p, moved(piece, k));
    struct run run = {{fraction_of(p.y), fraction_of(p.x)}};
    int y = whole_of(p.y), x = whole_of(p.x), below = k + seen->last.y - y;
    bool inside = y >= seen->first.y && x >= seen->first.x && x <= seen->last.x;
    run.last = !inside ? -1 : below < rows ? below : rows - 1;
    if (field)
        add_field(&run, steps, piece, my_rows() + k);
    if (run.last > k)
        look_around(around, seen, 0, corner_of(p));
    return run;
}

/* Whether, for the whole warp, the run takes in the group from pixel k on, up to which it goes. */
template <bool field>
static __device__ bool goes_on(const struct run *run, const struct warp_steps *steps,
                               const struct field_piece *piece, int k)
{
    const struct field_row *row = field ? my_rows() + k : NULL;
    struct past f = past_at<field>(run, steps, piece, row, GROUP - 1);
    bool there = k + GROUP - 1 <= run->last;
    if (field)
        there &= row[GROUP - 1].node == piece->node && has_room(run, f.y) && has_room(run, f.x);
    else
        there &= is_fraction(f.y) && is_fraction(f.x);
    return __all_sync(~0u, there);
}

/* The group from pixel k on. */
template <bool covers, bool field>
static __device__ void make_run(const struct warped *dst, struct warped_place *to,
                                const struct seen *seen, struct around *around,
                                const struct warp_steps *steps, const struct field_piece *piece,
                                struct run *run, int k)
{
    const float *last = &seen->pixels[KEPT - 1][0] + around->next;
    const struct field_row *row = field ? my_rows() + k : NULL;
    unsigned one = gpu_one();
    KIN_UNROLL
    for (int i = 0; i < GROUP; i++, go_down<covers>(to, dst, one)) {
        struct past f = past_at<field>(run, steps, piece, row, i);
        put<covers>(to, around_value(around, last + i * SEEN_WIDE, i % KEPT, f), true);
    }
    around->next += GROUP * SEEN_WIDE;
    if (!field)
        run->base = past_at<field>(run, steps, piece, row, GROUP);
}

/* ---- kernels: the warp ----------------------------------------------------------------------- */

/* KEPT pixels of a column from pixel `first` on, of which there are `rows`; returns those that are
 * not read in what is seen: bit k is pixel k of the column. */
template <bool covers, bool field>
static __device__ unsigned make_each(const struct warped *dst, struct warped_place *to,
                                     const struct seen *seen, struct around *around,
                                     const struct warp_steps *steps, struct field_piece *piece,
                                     struct place start, int first, int rows)
{
    unsigned others = 0, one = gpu_one();
    struct place p = kept_at(start, steps, first);
    KIN_UNROLL
    for (int k = 0; k < KEPT; k++, go_down<covers>(to, dst, one)) {
        struct place q = step_on(p, steps, k);
        if (field)
            q = moved_place(q, moved(piece, first + k));
        if (first + k >= rows || !is_seen(seen, q) || (field && !piece->little)) {
            others |= 1u << (first + k);
            around->next = -1;
            continue;
        }
        int at = corner_of(q);
        struct past f = {fraction_of(q.y), fraction_of(q.x)};
        look_around(around, seen, k, at);
        around->next = at + SEEN_WIDE;
        put<covers>(to, around_value(around, &seen->pixels[KEPT - 1][0] + at, k, f), true);
    }
    return others;
}

/* Makes those of the first `rows` pixels of a column, of which the first is read at `column`, that
 * are read in what is seen, and returns the others, maybe with pixels that are not there. The
 * threads of a warp look at a group in the same way, or they would do so one after the other. */
template <bool covers, bool field>
static __device__ unsigned make_column(const struct warped *dst, struct warped_place to, int rows,
                                       const struct seen *seen, const struct warp_column *column,
                                       const struct warp_steps *steps, struct field_piece *piece)
{
    unsigned others = 0;
    struct around around = {{}, -1};
    struct place start = {};
    bool near = fixed_of(column->first[0] - (seen->top + 1), &start.y) &&
                fixed_of(column->first[1] - (seen->left + 1), &start.x);
    rows = near ? rows : 0;
    struct run run = run_from<field>(&around, seen, steps, piece, start, 0, rows);
    for (int k = 0; k < ROWS; k += GROUP) {
        if (!goes_on<field>(&run, steps, piece, k)) {
            run = run_from<field>(&around, seen, steps, piece, start, k, rows);
            if (!goes_on<field>(&run, steps, piece, k)) {
                for (int i = k; i < k + GROUP; i += KEPT)
                    others |= make_each<covers, field>(dst, &to, seen, &around, steps, piece, start,
                                                       i, rows);
                run.last = -1;
                continue;
            }
        }
        make_run<covers, field>(dst, &to, seen, &around, steps, piece, &run, k);
    }
    return near ? others : ~0u;
}

template <bool covers, bool field>
static __global__ void warp(const __grid_constant__ struct warped dst,
                            const __grid_constant__ struct pixel_source src, int y0,
                            const __grid_constant__ struct warp_map map,
                            const __grid_constant__ struct warp_steps steps, int nodes)
{
    struct seen *seen = seen_here();
    int top = (int)blockIdx.y * BLOCK_ROWS, left = (int)blockIdx.x * PIXELS_WIDE;
    int y = top + (int)threadIdx.y * ROWS, x = left + (int)threadIdx.x;
    int below = x < dst.width && y < dst.rows ? dst.rows - y : 0,
        rows = below < ROWS ? below : (int)ROWS;
    struct warp_column column = warp_column_at(&map, y0 + y, x);
    struct field_piece piece = {-1};
    struct warped_place to = warped_at<covers>(&dst, y, x);
    double q[2];
    if (field) {
        prepare_field(&map.grid, nodes, y0 + top, left);
        __syncthreads();
    }
    if (threadIdx.x == PIXELS_WIDE / 2 && threadIdx.y == PIXELS_HIGH / 2) {
        warp_at(&column, &piece, field, 0, q);
        centre_on(seen, &src, q);
    }
    __syncthreads();
    if (seen->given)
        see_all<true>(seen, &src);
    else
        see_all<false>(seen, &src);
    __syncthreads();
    unsigned others = ~0u, one = gpu_one();
    if (steps.small)
        others = make_column<covers, field>(&dst, to, rows, seen, &column, &steps, &piece);
    others &= (unsigned)(((uint64_t)1 << rows) - 1);
    for (int k = 0; k < rows && others >> k; k++, go_down<covers>(&to, &dst, one))
        if (others >> k & 1) {
            float value = 0;
            warp_at(&column, &piece, field, k, q);
            bool there = pixel_cubic(&src, q[0], q[1], &value);
            put<covers>(&to, value, there);
        }
}

/* ---- kernels: bins and spectra --------------------------------------------------------------- */

/* What pixels are binned from, and whether a row of k can be read at once. */
struct binning {
    uint16_t *dst;
    const uint16_t *src;
    struct kin_dims dims;
    int h, w; /* of dst */
    bool words;
};

template <int k> struct bin_word {
    using type = uint32_t;
};

template <> struct bin_word<4> {
    using type = uint64_t;
};

template <int k> static __device__ unsigned bin_pixels(const uint16_t *first)
{
    unsigned sum = 0;
    KIN_UNROLL
    for (int i = 0; i < k; i++)
        sum += first[i];
    return sum;
}

template <int k> static __device__ unsigned bin_words(const uint16_t *first)
{
    auto all = *(const typename bin_word<k>::type *)first;
    unsigned sum = 0;
    KIN_UNROLL
    for (int i = 0; i < k; i++)
        sum += (unsigned)(all >> 16 * i) & 0xffff;
    return sum;
}

/* The sum of k pixels next to each other. */
template <int k> static __device__ unsigned bin_row(const uint16_t *first, bool words)
{
    return words ? bin_words<k>(first) : bin_pixels<k>(first);
}

/* pixel_binned for a k that is known. A thread makes BINNED of a column; all that they are made
 * of is read before the first is stored. */
template <int k> static __global__ void bin_known(const __grid_constant__ struct binning b)
{
    int x = (int)(blockIdx.x * PIXELS_WIDE + threadIdx.x),
        top = (int)(blockIdx.y * PIXELS_HIGH * BINNED + threadIdx.y),
        last = top + (BINNED - 1) * PIXELS_HIGH;
    unsigned sum[BINNED] = {};
    if (x >= b.w)
        return;
    if ((x + 1) * k > b.dims.x || (last + 1) * k > b.dims.y) {
        for (int y = top; y < b.h && y <= last; y += PIXELS_HIGH)
            b.dst[(size_t)y * b.w + x] = pixel_binned(b.src, b.dims, k, y, x);
        return;
    }
    const uint16_t *first = b.src + (size_t)(unsigned)(top * k) * (unsigned)b.dims.x +
                            (unsigned)(x * k);
    unsigned line = gpu_plain((unsigned)b.dims.x * (unsigned)sizeof *first);
    KIN_UNROLL
    for (int i = 0; i < BINNED * k; i++)
        sum[i / k] += bin_row<k>(gpu_past(first, line, i / k * PIXELS_HIGH * k + i % k), b.words);
    uint16_t *to = b.dst + (size_t)(unsigned)top * (unsigned)b.w + (unsigned)x;
    unsigned below = gpu_plain(PIXELS_HIGH * (unsigned)b.w * (unsigned)sizeof *to);
    KIN_UNROLL
    for (int i = 0; i < BINNED; i++)
        *gpu_past(to, below, i) = (uint16_t)((sum[i] + k * k / 2) / (k * k));
}

static __global__ void bin_any(uint16_t *dst, const uint16_t *src, struct kin_dims dims, int k,
                               int h, int w)
{
    GPU_PIXELS(y, x, h, w)
    dst[(size_t)y * w + x] = pixel_binned(src, dims, k, y, x);
}

static __global__ void polar_all(float *dst, int angles, int radii, const float *spectrum,
                                 struct kin_dims dims, float low, float high)
{
    GPU_PIXELS(a, r, angles, radii)
    dst[(size_t)a * radii + r] = log_polar_at(spectrum, dims, log_polar_angle(a, angles),
                                              log_polar_radius(r, radii, low, high));
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

static struct warp_steps steps_of(const struct warp_map *map)
{
    struct warp_steps steps = {};
    const double step[2] = {map->a[0], map->a[2]};
    steps.small = fabs(step[0]) < STEEP && fabs(step[1]) < STEEP;
    for (int axis = 0; axis < 2 && steps.small; axis++) {
        for (int i = 0; i < ROWS / KEPT; i++)
            steps.kept[axis][i] = (int)lrint(i * KEPT * step[axis] * (1 << FRACTION));
        steps.one[axis] = (int)lrint(step[axis] * (1 << FRACTION));
        steps.drift[axis] = (float)(step[axis] - (axis == 0));
        steps.fall[axis] = (float)((step[axis] - (axis == 0)) * map->grid.step);
    }
    steps.bow = (GROUP / map->grid.step) * (GROUP / map->grid.step) / 8;
    return steps;
}

template <bool covers, bool field>
static void launch_warp(struct device *dev, const struct warped *dst, const struct image_rows *src,
                        int y0, const struct warp_map *map)
{
    int nodes = field ? (int)((BLOCK_ROWS - 1) / map->grid.step) + 5 : 0;
    size_t shared = sizeof(struct seen) + (field ? BLOCK_ROWS * sizeof(struct field_row) : 0) +
                    (size_t)nodes * PIXELS_WIDE * sizeof(float2);
    dim3 grid(gpu_pieces((size_t)dst->width, PIXELS_WIDE),
              gpu_pieces((size_t)dst->rows, BLOCK_ROWS));
    LAUNCH(dev, (warp<covers, field>), grid, dim3(PIXELS_WIDE, PIXELS_HIGH), shared)
    (*dst, pixel_source_of(src), y0, *map, steps_of(map), nodes);
}

void gpu_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover, const struct image_rows *src,
                  struct kin_dims to, int y0, int rows, const struct warp_map *map)
{
    struct warped warped = {dst, cover, rows, to.x};
    bool field = map->grid.rows && map->grid.cols;
    auto launch = cover ? (field ? launch_warp<true, true> : launch_warp<true, false>)
                        : (field ? launch_warp<false, true> : launch_warp<false, false>);
    launch(dev, &warped, src, y0, map);
}

template <int k> static void launch_bin(struct device *dev, struct binning b)
{
    b.words = b.dims.x % k == 0 && (uintptr_t)b.src % (k * sizeof *b.src) == 0;
    dim3 grid(gpu_pieces((size_t)b.w, PIXELS_WIDE), gpu_pieces((size_t)b.h, PIXELS_HIGH * BINNED));
    LAUNCH(dev, bin_known<k>, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)(b);
}

void gpu_bin_u16(struct device *dev, uint16_t *dst, const uint16_t *src, struct kin_dims dims,
                 int k)
{
    int h = (dims.y + k - 1) / k, w = (dims.x + k - 1) / k;
    struct binning b = {dst, src, dims, h, w};
    if (k == 2)
        launch_bin<2>(dev, b);
    else if (k == 4)
        launch_bin<4>(dev, b);
    else
        LAUNCH(dev, bin_any, gpu_pixels(h, w), GPU_TILE, 0)(dst, src, dims, k, h, w);
}

void gpu_log_polar(struct device *dev, float *dst, int angles, int radii, const float *complex,
                   struct kin_dims dims, float low, float high)
{
    LAUNCH(dev, polar_all, gpu_pixels(angles, radii), GPU_TILE, 0)
    (dst, angles, radii, complex, dims, low, high);
}
