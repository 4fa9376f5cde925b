// SPDX-License-Identifier: MIT
// warp.cu: resampling on the GPU.
//
// A map turns and stretches an image by little: the pixels of a block of threads are read close to
// where its middle one is. The block has what lies around that in shared memory; a thread goes down
// a column of pixels, of which each is read about one row below the one before, and keeps the four
// rows that they are made of in registers: their values where the column crosses them, or with a
// displacement field their cubics, as each pixel then asks for other values (device/warp.h). Only
// what is past the whole pixels is counted, in floats.
// Once for four pixels, the threads of a warp ask each other whether all of them go straight down,
// in the same column of the source: then nothing is asked below. If some meet a row twice or never,
// change their column of the source, or lie beyond the image, all four pixels of each are still
// made together, from what is seen beside. Else each asks for every pixel. Pixels that are read
// further off are read from the card's memory.
#include "cuda/warp.h"

namespace {

/* ---- kernels: places ------------------------------------------------------------------------- */

/* Where pixel (y, x) is read; with a field, its row among nodes. */
static __device__ void warp_at(const struct warp_map *map, const struct field_row *row, int y,
                               int x, double q[2])
{
    struct field_piece piece;
    float2 u = row ? moved(&piece, row, (int)threadIdx.x) : float2{};
    pixel_affine(map, y, x, q);
    q[0] += u.x;
    q[1] += u.y;
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

/* ---- kernels: what is made ------------------------------------------------------------------- */

/* `rows` rows of `width` pixels. */
struct warped {
    uint16_t *pixels;
    uint8_t *cover; /* or NULL */
    int rows, width;
    bool wide_cover; /* which can be written 16 pixels at a time */
};

/* How many pixels a thread makes of it. */
static __device__ int rows_of(const struct warped *dst, int y, int x)
{
    int below = x < dst->width && y < dst->rows ? dst->rows - y : 0;
    return below < ROWS ? below : (int)ROWS;
}

/* Where pixel (y, x) lies in an image of these. */
template <typename T>
static __device__ T *place_in(T *image, const struct warped *dst, int y, int x)
{
    return gpu_plain(image + (size_t)(unsigned)y * (unsigned)dst->width + (unsigned)x);
}

struct alignas(16) covered {
    uint32_t four[4];
};

/* A block of threads covers its pixels, from (top, left) on. */
static __device__ void cover_all(const struct warped *dst, int top, int left)
{
    enum { EACH = sizeof(struct covered), BESIDE = WIDE / EACH, APART = THREADS / BESIDE };
    int me = (int)(threadIdx.y * THREADS_WIDE + threadIdx.x);
    if (dst->wide_cover && top + HIGH <= dst->rows && left + WIDE <= dst->width) {
        uint8_t *to = place_in(dst->cover, dst, top + me / BESIDE, left + me % BESIDE * EACH);
        KIN_UNROLL
        for (int i = 0; i < HIGH; i += APART, to += APART * (size_t)(unsigned)dst->width)
            *(struct covered *)to = {{~0u, ~0u, ~0u, ~0u}};
    } else {
        int x = left + me % WIDE;
        GPU_UNROLLED(1)
        for (int y = top + me / WIDE; y < top + HIGH && y < dst->rows; y += THREADS / WIDE)
            if (x < dst->width)
                *place_in(dst->cover, dst, y, x) = 255;
    }
}

/* How places go on along a column. */
struct warp_steps {
    /* where a pixel is read but for a field, as floats: y, x times these, and more */
    float y[3], x[3];
    /* how far the next pixel is read from this one, less a row, and how much further along x the
     * next row of the source is crossed: in 2^-31 pixels */
    int down, aside, slant;
    double crossed; /* pixel_slant */
    /* how far it takes the next pixel past the whole pixels which lie below each other, and the
     * next row or, with a field, pixel */
    float drift[2];
    float fall[2]; /* with a field: how far the next row of nodes is from this one */
    bool small;    /* integers have room for all of this */
};

/* What a block of threads makes, of what. */
struct warping {
    const struct warped *dst;
    const struct pixel_source *src;
    const struct warp_map *map;
    const struct warp_steps *steps;
    const struct seen *seen;
    int y0; /* where `dst` begins in the image */
};

/* A column of pixels, from (y, x) of `dst` on. */
struct column {
    int y, x, rows;
    bool near;          /* integers have room for where it is read: */
    struct place start; /* its first pixel */
    int across;         /* and x where it crosses the row of the source in which that lies */
};

/* k steps of 2^-31 pixels. */
static __device__ int steps_on(int step, int k)
{
    return (int)((int64_t)step * k >> (31 - FRACTION));
}

/* Where pixel k is read, without a field. */
static __device__ struct place place_of(const struct column *column, const struct warp_steps *steps,
                                        int k)
{
    return {column->start.y + (k << FRACTION) + steps_on(steps->down, k),
            column->start.x + steps_on(steps->aside, k)};
}

static __device__ struct place moved_place(struct place p, float2 u)
{
    return {p.y + gpu_whole(u.x * (1 << FRACTION)), p.x + gpu_whole(u.y * (1 << FRACTION))};
}

/* ---- kernels: rows of the source ------------------------------------------------------------- */

/* The first of the pixels of a row that one is made of which is read in the whole pixel x. */
static __device__ const uint16_t *corner_at(int row, int x)
{
    return pixels_here()[0] + (row * SEEN_WIDE + x);
}

/* The four rows of which the last pixel was made: their values where the column crosses them or,
 * with a field, their cubics. */
template <bool field> struct kept {
    float row[KEPT];
};
template <> struct kept<true> {
    struct cubic row[KEPT];
};

/* A row that is crossed at x past the second of its pixels. */
static __device__ void keep_row(float *row, const uint16_t *v, float x)
{
    *row = cubic_between(v[0], v[1], v[2], v[3], x);
}

static __device__ void keep_row(struct cubic *row, const uint16_t *v, float)
{
    *row = cubic_through(v[0], v[1], v[2], v[3]);
}

static __device__ float value_at(float row, float, float)
{
    return row;
}

static __device__ float value_at(const struct cubic &row, float x, float half)
{
    return cubic_at(&row, x, half);
}

/* What a place is past the whole pixel; without a field, that along x where the pixel's last row is
 * crossed. */
struct past {
    float y, x;
};

/* A pixel; the first of its rows is row[turn]. */
template <bool field>
static __device__ float kept_value(const struct kept<field> *kept, int turn, struct past f)
{
    float v[KEPT], half = cubic_half(f.x);
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        v[j] = value_at(kept->row[(turn + j) % KEPT], f.x, half);
    return cubic_between(v[0], v[1], v[2], v[3], f.y);
}

/* ---- kernels: runs --------------------------------------------------------------------------- */

/* Pixels of a column, all of which is seen, and rows up to a pixel aside. */
struct run {
    int end;            /* it ends before this pixel; 0: there is none */
    int sure;           /* as far all lie in the image, surely; less than that: nobody knows */
    int top, x;         /* pixel k is read in the whole pixel (top + k, x), or at most one beside */
    const uint16_t *at; /* the first pixel of the next one's last row */
    struct past next;   /* what the next one is past the whole pixel */
    /* With a field: that is a cubic in what its row is past one of nodes. */
    struct cubic past_y, past_x;
    int node; /* see struct field_row */
};

/* 0 <= f < 1. */
static __device__ bool is_fraction(float f)
{
    return gpu_bits_of(f) < gpu_bits_of(1.0f);
}

static __device__ bool is_past(struct past f)
{
    return is_fraction(f.y) & is_fraction(f.x);
}

/* Where the run ends that has come to its pixel k. */
static __device__ void find_end(struct run *run, const struct seen *seen,
                                const struct column *column, int k)
{
    int y = run->top + k, end = SEEN_HIGH - KEPT + 1 - run->top, sure = seen->last.y + 1 - run->top;
    bool is_seen = y >= 0 && run->x > 0 && run->x < SEEN_WIDE - KEPT;
    bool is_sure = y >= seen->first.y && run->x > seen->first.x && run->x < seen->last.x;
    run->end = is_seen ? end < column->rows ? end : column->rows : 0;
    run->sure = is_sure ? sure < run->end ? sure : run->end : 0;
}

/* Keeps the rows before the next pixel's last one, which is crossed at x. */
template <bool field>
static __device__ void look_around(struct kept<field> *kept, const struct run *run,
                                   const struct warp_steps *steps, float x)
{
    KIN_UNROLL
    for (int j = 1; j < KEPT; j++) {
        float here = field ? 0 : x - (float)j * steps->drift[1], whole = floorf(here);
        keep_row(&kept->row[KEPT - j], run->at - j * SEEN_WIDE + (int)whole, here - whole);
    }
}

/* The run through a place in `row`, which is f past the whole pixel. */
static __device__ void add_field(struct run *run, const struct warp_steps *steps,
                                 const struct field_piece *piece, const struct field_row *row,
                                 struct past f)
{
    struct cubic *y = &run->past_y, *x = &run->past_x;
    *y = piece->y;
    *x = piece->x;
    y->slope += steps->fall[0];
    x->slope += steps->fall[1];
    y->value += f.y - cubic_at(y, row->s, row->half);
    x->value += f.x - cubic_at(x, row->s, row->half);
    run->node = piece->node;
}

/* A run from pixel k of a column on, if there can be one. */
template <bool field>
static __device__ void begin_run(struct run *run, struct kept<field> *kept, const struct warping *w,
                                 const struct column *column, const struct field_row *row, int k)
{
    struct field_piece piece;
    struct place p = place_of(column, w->steps, k);
    if (field)
        p = moved_place(p, moved(&piece, row, (int)threadIdx.x));
    int y = whole_of(p.y), down = y + KEPT - 2 - whole_of(column->start.y);
    p.x = field ? p.x : column->across + steps_on(w->steps->slant, down);
    run->top = y - k;
    run->x = whole_of(p.x);
    find_end(run, w->seen, column, k);
    if (!column->near || (field && !piece.little))
        run->end = run->sure = 0;
    run->at = corner_at(run->end ? y + KEPT - 1 : KEPT, run->end ? run->x : 1);
    run->next = {fraction_of(p.y), fraction_of(p.x)};
    if (field)
        add_field(run, w->steps, &piece, row, run->next);
    look_around(kept, run, w->steps, run->next.x);
}

/* The run's pixels go on `y` rows and `x` pixels beside. */
static __device__ void move_run(struct run *run, int y, int x)
{
    run->at += y * SEEN_WIDE + x;
    run->top += y;
    run->x += x;
}

/* Pixel k is f past the whole pixels of the run, not within: it goes on in others. */
template <bool field>
static __device__ void change_pixel(struct run *run, struct kept<field> *kept,
                                    const struct warping *w, const struct column *column, int k,
                                    struct past *f)
{
    float y = floorf(f->y);
    f->y -= y;
    f->x += field ? 0 : y * w->steps->drift[1];
    float x = floorf(f->x);
    f->x -= x;
    move_run(run, (int)y, (int)x);
    run->past_y.value -= y;
    run->past_x.value -= x;
    find_end(run, w->seen, column, k);
    if (run->end && (field || y != 0))
        look_around(kept, run, w->steps, f->x);
}

/* What the k-th pixel from the next one on, which lies in `row`, is past the whole pixel. */
template <bool field>
static __device__ struct past past_at(const struct run *run, const struct warp_steps *steps,
                                      const struct field_row *row, int k)
{
    if (field)
        return {cubic_at(&run->past_y, row->s, row->half),
                cubic_at(&run->past_x, row->s, row->half)};
    if (k == 0)
        return run->next;
    return {run->next.y + (float)k * steps->drift[0], run->next.x + (float)k * steps->drift[1]};
}

/* What the next KEPT pixels of a column, from pixel k on, are past their whole pixels. Answers
 * whether the run goes straight on with them. */
template <bool field>
static __device__ bool goes_on(const struct run *run, const struct warp_steps *steps,
                               const struct field_row *row, int k, struct past f[KEPT])
{
    bool there = k + KEPT <= run->sure && (!field || row[KEPT - 1].node == run->node);
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        f[j] = past_at<field>(run, steps, row + j, j);
        if (field || j == 0 || j == KEPT - 1) /* those between are between these */
            there &= is_past(f[j]);
    }
    return there;
}

/* ---- kernels: the warp ----------------------------------------------------------------------- */

/* Makes KEPT pixels of a run. */
template <bool field>
static __device__ void make_kept(uint16_t *to, unsigned width, struct run *run,
                                 struct kept<field> *kept, const struct warp_steps *steps,
                                 const struct past f[KEPT])
{
    float value[KEPT];
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        keep_row(&kept->row[j], run->at + j * SEEN_WIDE, f[j].x);
        value[j] = kept_value<field>(kept, j + 1, f[j]);
    }
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++, to = gpu_plain(to + width))
        *to = gpu_round_u16(value[j]);
    run->at += KEPT * SEEN_WIDE;
    run->next = past_at<false>(run, steps, NULL, KEPT);
}

/* The next pixel of a run, f past the whole pixels. */
template <bool field>
static __device__ float next_value(struct run *run, struct kept<field> *kept,
                                   const struct warp_steps *steps, struct past f)
{
    KIN_UNROLL
    for (int j = 0; j < KEPT - 1; j++)
        kept->row[j] = kept->row[j + 1];
    keep_row(&kept->row[KEPT - 1], run->at, f.x);
    run->at += SEEN_WIDE;
    run->next = {f.y + steps->drift[0], f.x + steps->drift[1]};
    return kept_value<field>(kept, 0, f);
}

/* Whether the next KEPT pixels of a run, from pixel k on, which are f past its whole pixels, lie at
 * most one pixel beside these, all of which is seen. Without a field they then meet a row twice or
 * never at most once. */
template <bool field>
static __device__ bool goes_aside(const struct run *run, const struct field_row *row, int k,
                                  const struct past f[KEPT])
{
    bool near = k + KEPT <= run->end && run->top + k + 2 * KEPT <= SEEN_HIGH &&
                (!field || row[KEPT - 1].node == run->node);
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        near &= f[j].y >= -1 && f[j].y < 2 && f[j].x >= -1 && f[j].x < 2;
    return near;
}

/* The values of these pixels. Without a field, a row has one value where the column crosses it,
 * which may be in the next whole pixel; a pixel is made of four rows, or of the next four. */
static __device__ void make_aside(float value[KEPT], struct run *run, struct kept<false> *kept,
                                  const struct warp_steps *steps, const struct past f[KEPT])
{
    float row[2 * KEPT + 1], other[2 * KEPT];
    int turn = f[KEPT - 1].y < 0 ? -1 : 1;
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        row[j] = kept->row[j];
    KIN_UNROLL
    for (int j = 0; j <= KEPT; j++) {
        float x = past_at<false>(run, steps, NULL, j).x, whole = floorf(x);
        keep_row(&row[KEPT + j], run->at + (j * SEEN_WIDE + (int)whole), x - whole);
    }
    KIN_UNROLL
    for (int j = 1; j < 2 * KEPT; j++)
        other[j] = turn < 0 ? row[j - 1] : row[j + 1];
    bool turned = false;
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        float v[KEPT];
        turned = !is_fraction(f[j].y);
        KIN_UNROLL
        for (int i = 0; i < KEPT; i++)
            v[i] = turned ? other[j + 1 + i] : row[j + 1 + i];
        value[j] = cubic_between(v[0], v[1], v[2], v[3], turned ? f[j].y - (float)turn : f[j].y);
    }
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        kept->row[j] = turned ? other[KEPT + j] : row[KEPT + j];
    turn = turned ? turn : 0;
    struct past next = past_at<false>(run, steps, NULL, KEPT);
    float x = next.x + (float)turn * steps->drift[1], whole = floorf(x);
    run->next = {next.y - (float)turn, x - whole};
    move_run(run, turn, (int)whole);
    run->at += KEPT * SEEN_WIDE;
}

/* With one, cubics of rows are those of one whole pixel: of each pixel all is read. */
static __device__ void make_aside(float value[KEPT], struct run *run, struct kept<true> *kept,
                                  const struct warp_steps *steps, const struct past f[KEPT])
{
    struct past whole = {};
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        float across[KEPT], v[KEPT];
        whole = {floorf(f[j].y), floorf(f[j].x)};
        const uint16_t *at = run->at + (((int)whole.y + j - (KEPT - 1)) * SEEN_WIDE + (int)whole.x);
        cubic_weights(f[j].x - whole.x, across);
        KIN_UNROLL
        for (int i = 0; i < KEPT; i++, at += SEEN_WIDE)
            v[i] = across[0] * at[0] + across[1] * at[1] + across[2] * at[2] + across[3] * at[3];
        value[j] = cubic_between(v[0], v[1], v[2], v[3], f[j].y - whole.y);
    }
    run->past_y.value -= whole.y;
    run->past_x.value -= whole.x;
    move_run(run, (int)whole.y, (int)whole.x);
    run->at += KEPT * SEEN_WIDE;
    look_around(kept, run, steps, 0);
}

/* Bit j: whether the j-th pixel of a column from pixel k on, which lies in `row`, lies in the
 * image. */
template <bool field>
static __device__ unsigned which_there(const struct warping *w, const struct column *column,
                                       const struct field_row *row, int k)
{
    unsigned there = 0;
    GPU_UNROLLED(1)
    for (int j = 0; j < KEPT; j++) {
        double q[2];
        warp_at(w->map, field ? row + j : NULL, w->y0 + column->y + k + j, column->x, q);
        there |= (unsigned)pixel_there(w->src, q[0], q[1]) << j;
    }
    return there;
}

/* KEPT pixels of a column, from pixel k on, which do not all go straight on. False: those of one of
 * the warp's threads are to be made one by one. Of the others some may lie beyond the image, or
 * there is none left. */
template <bool covers, bool field>
static __device__ bool made_aside(const struct warping *w, const struct column *column,
                                  uint16_t *to, struct run *run, struct kept<field> *kept,
                                  const struct field_row *row, int k, const struct past f[KEPT])
{
    const unsigned ALL = (1 << KEPT) - 1;
    bool left = k < column->rows, aside = goes_aside<field>(run, row, k, f);
    unsigned there = ALL;
    if (left && (k + KEPT > run->sure || run->top + k + KEPT > w->seen->last.y))
        there = which_there<field>(w, column, row, k);
    if (!__all_sync(~0u, aside || !left || (!there && k + KEPT <= column->rows)))
        return false;
    if (!left)
        return true;
    float value[KEPT] = {};
    if (aside) {
        make_aside(value, run, kept, w->steps, f);
        find_end(run, w->seen, column, k + KEPT);
    } else {
        run->end = run->sure = 0;
    }
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++, to = gpu_plain(to + (unsigned)w->dst->width)) {
        bool is_there = there >> j & 1;
        *to = is_there ? gpu_round_u16(value[j]) : 0;
        if (covers && !is_there)
            *place_in(w->dst->cover, w->dst, column->y + k + j, column->x) = 0;
    }
    return true;
}

/* KEPT pixels of a column, from pixel `first` on, which lies in `row`, one by one: of a run, or
 * from the card's memory. Where none can begin, that is asked once for all of them. */
template <bool covers, bool field>
static __device__ void make_each(const struct warping *w, const struct column *column, uint16_t *to,
                                 struct run *run, struct kept<field> *kept,
                                 const struct field_row *row, int first)
{
    int last = first + KEPT < column->rows ? first + KEPT : column->rows;
    GPU_UNROLLED(1)
    for (int k = first; k < last; k++, row += field) {
        int y = column->y + k;
        float value = 0;
        double q[2] = {};
        if ((k >= run->end && (run->end || k == first)) || (field && row->node != run->node))
            begin_run<field>(run, kept, w, column, row, k);
        struct past f = past_at<field>(run, w->steps, row, 0);
        if (run->end && !is_past(f))
            change_pixel<field>(run, kept, w, column, k, &f);
        else if (k >= run->sure && run->end)
            find_end(run, w->seen, column, k);
        bool there = k < run->sure;
        if (!there) {
            warp_at(w->map, field ? row : NULL, w->y0 + y, column->x, q);
            there = pixel_there(w->src, q[0], q[1]);
        }
        if (k < run->end)
            value = next_value<field>(run, kept, w->steps, f);
        else if (there)
            pixel_slanted(w->src, q[0], q[1], w->steps->crossed, &value);
        *to = gpu_round_u16(there ? value : 0);
        to = gpu_plain(to + (unsigned)w->dst->width);
        if (covers && !there)
            *place_in(w->dst->cover, w->dst, y, column->x) = 0;
    }
}

/* The threads of a warp go on in the same way, or they would do so one after the other. */
template <bool covers, bool field>
static __device__ void make_column(const struct warping *w, const struct column *column)
{
    struct run run = {};
    struct kept<field> kept = {};
    const struct field_row *row = my_rows();
    unsigned width = (unsigned)w->dst->width;
    uint16_t *to = place_in(w->dst->pixels, w->dst, column->y, column->x);
    begin_run<field>(&run, &kept, w, column, row, 0);
    GPU_UNROLLED(1)
    for (int k = 0; k < ROWS; k += KEPT, row += field ? KEPT : 0) {
        struct past f[KEPT];
        if (__all_sync(~0u, goes_on<field>(&run, w->steps, row, k, f)))
            make_kept<field>(to, width, &run, &kept, w->steps, f);
        else if (!made_aside<covers, field>(w, column, to, &run, &kept, row, k, f))
            make_each<covers, field>(w, column, to, &run, &kept, row, k);
        to = gpu_plain(to + KEPT * (size_t)width);
    }
}

/* Where the column's first pixel is read. */
static __device__ void begin_column(const struct warping *w, struct column *column)
{
    double q[2];
    pixel_affine(w->map, w->y0 + column->y, column->x, q);
    double y = q[0] - (w->seen->top + 1), x = q[1] - (w->seen->left + 1);
    bool near = fixed_of(y, &column->start.y) & fixed_of(x, &column->start.x);
    near &= fixed_of(x - w->steps->crossed * (y - whole_of(column->start.y)), &column->across);
    column->near = near & w->steps->small;
}

template <bool covers, bool field>
static __global__ void __launch_bounds__(THREADS, field ? 5 : 8)
    warp(const __grid_constant__ struct warped dst, const __grid_constant__ struct pixel_source src,
         int y0, const __grid_constant__ struct warp_map map,
         const __grid_constant__ struct warp_steps steps, int nodes)
{
    int top = (int)blockIdx.y * HIGH, left = (int)blockIdx.x * WIDE;
    float2 u = {};
    if (field) {
        struct field_piece piece;
        prepare_field(&map.grid, nodes, y0 + top, left);
        __syncthreads();
        u = moved(&piece, field_rows_here() + HIGH / 2, WIDE / 2);
    }
    float y = (float)(y0 + top + HIGH / 2), x = (float)(left + WIDE / 2);
    struct seen seen = seen_around(&src, steps.y[0] * y + steps.y[1] * x + steps.y[2] + u.x,
                                   steps.x[0] * y + steps.x[1] * x + steps.x[2] + u.y);
    struct warping w = {&dst, &src, &map, &steps, &seen, y0};
    struct column column = {top + (int)threadIdx.y * ROWS, left + (int)threadIdx.x};
    if (seen.fours)
        see_fours(&seen, &src);
    else if (seen.given)
        see_all<true>(&seen, &src);
    else
        see_all<false>(&seen, &src);
    if (covers)
        cover_all(&dst, top, left);
    column.rows = rows_of(&dst, column.y, column.x);
    begin_column(&w, &column);
    gpu_copies_wait();
    __syncthreads();
    make_column<covers, field>(&w, &column);
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

static struct warp_steps steps_of(const struct warp_map *map, bool field)
{
    struct warp_steps steps = {};
    double first[2];
    pixel_affine(map, 0, 0, first);
    for (int i = 0; i < 2; i++) {
        steps.y[i] = (float)map->a[i];
        steps.x[i] = (float)map->a[2 + i];
    }
    steps.y[2] = (float)first[0];
    steps.x[2] = (float)first[1];
    double down = map->a[0] - 1, aside = map->a[2], slant = pixel_slant(map);
    steps.small = field ? fabs(down) < WARP_STRETCH && fabs(aside) < 1 : pixel_by_rows(map);
    if (!steps.small)
        return steps;
    steps.down = (int)lrint(down * 0x1p31);
    steps.aside = (int)lrint(aside * 0x1p31);
    steps.slant = (int)lrint(slant * 0x1p31);
    steps.crossed = slant;
    steps.drift[0] = (float)down;
    steps.drift[1] = (float)slant;
    steps.fall[0] = (float)(down * map->grid.step);
    steps.fall[1] = (float)(aside * map->grid.step);
    return steps;
}

template <bool covers, bool field>
static void launch_warp(struct device *dev, const struct warped *dst, const struct image_rows *src,
                        int y0, const struct warp_map *map)
{
    int nodes = field ? (int)((HIGH - 1) / map->grid.step) + 5 : 0;
    size_t shared = SEEN_HIGH * sizeof(seen_row) + (field ? HIGH * sizeof(struct field_row) : 0) +
                    (size_t)nodes * WIDE * sizeof(float2);
    dim3 grid(gpu_pieces((size_t)dst->width, WIDE), gpu_pieces((size_t)dst->rows, HIGH));
    LAUNCH(dev, (warp<covers, field>), grid, dim3(THREADS_WIDE, THREADS_HIGH), shared)
    (*dst, pixel_source_of(src), y0, *map, steps_of(map, field), nodes);
}

void gpu_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover, const struct image_rows *src,
                  struct kin_dims to, int y0, int rows, const struct warp_map *map)
{
    struct warped warped = {dst, cover, rows, to.x};
    warped.wide_cover = to.x % sizeof(struct covered) == 0 &&
                        (uintptr_t)cover % sizeof(struct covered) == 0;
    bool field = pixel_has_field(map);
    auto launch = cover ? (field ? launch_warp<true, true> : launch_warp<true, false>)
                        : (field ? launch_warp<false, true> : launch_warp<false, false>);
    launch(dev, &warped, src, y0, map);
}
