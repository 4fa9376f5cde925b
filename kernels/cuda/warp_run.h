/* SPDX-License-Identifier: MIT
 *
 * warp_run.h: pixels of a column, one below the other: where they are read; the rows that they are
 * made of, which stay in registers: their values where the column crosses them, or with a
 * displacement field their cubics, as each pixel then asks for other values (device/warp.h); and
 * KEPT pixels at once. */
#pragma once

#include "cuda/warp.h"

namespace {

struct warped;

/* ---- places ---------------------------------------------------------------------------------- */

/* What a place is past the whole pixel; without a field, that along x where the pixel's last row is
 * crossed. */
struct past {
    float y, x;
};

static __device__ int whole_of(int fixed)
{
    return fixed >> FRACTION;
}

/* What is past the whole pixel, in 2^-FRACTION pixels. */
static __device__ unsigned bits_past(int fixed)
{
    return (unsigned)fixed & ((1u << FRACTION) - 1);
}

/* The same in pixels. As a float the bits of so small an integer are that many times 2^-149, which
 * takes no conversion. */
static __device__ float fraction_of(int fixed)
{
    static_assert(FRACTION == 23, "the bits of a float behind the point");
    return gpu_float_of(bits_past(fixed)) * 0x1p126f;
}

/* Where pixels are read, but for a field, if integers have room for that. */
struct warp_steps {
    int64_t y[3], x[3]; /* y, x times these, and more: in 2^-PLACE pixels */
    /* in 2^-31 pixels: how much further than a pixel the next one below is read, and the next one
     * beside; how much further along x the next row of the source is crossed */
    struct place down, beside;
    int slant;
    double crossed; /* pixel_slant */
    /* how far j pixels take one past the whole pixels which lie below each other, and j rows or,
     * with a field, pixels */
    struct past drift[KEPT + 1];
    float fall[2]; /* with a field: how far the next row of nodes is from this one */
    bool small;    /* integers have room */
    bool even;     /* of KEPT pixels one at most meets a row twice or never */
};

/* What a block of threads makes, of what. */
struct warping {
    const struct warped *dst;
    const struct pixel_source *src;
    const struct warp_map *map;
    const struct warp_steps *steps;
    const struct seen *seen;
    int y0;         /* where `dst` begins in the image */
    unsigned below; /* bytes from a pixel of it to the next one below */
};

/* A column of pixels, from (y, x) of `dst` on. */
struct column {
    int y, x, rows;
    struct place start; /* where its first pixel is read, but for a field */
    int across;         /* x where it crosses the row of the source in which that lies */
};

/* Steps of 2^-31 pixels: so many of one kind, and of another. */
static __device__ int steps_on(int step, int k, int other = 0, int n = 0)
{
    return (int)(((int64_t)step * k + (int64_t)other * n) >> (31 - FRACTION));
}

/* Where pixel k is read, without a field. */
static __device__ struct place place_of(const struct column *column, const struct warp_steps *steps,
                                        int k)
{
    return {column->start.y + (k << FRACTION) + steps_on(steps->down.y, k),
            column->start.x + steps_on(steps->down.x, k)};
}

static __device__ struct place moved_place(struct place p, float2 u)
{
    return {p.y + gpu_whole(u.x * (1 << FRACTION)), p.x + gpu_whole(u.y * (1 << FRACTION))};
}

/* ---- rows of the source ---------------------------------------------------------------------- */

/* The first of the pixels of a row that one is made of which is read in the whole pixel x. */
static __device__ const uint16_t *corner_at(int row, int x)
{
    return pixels_here()[0] + (row * SEEN_WIDE + x);
}

/* The cubic through four pixels of a row. As integers they take it one instruction less. */
static __device__ struct cubic cubic_of(const uint16_t *v)
{
    int slope = v[2] - v[1], bend = v[1] - v[0] - slope, turn = 3 * slope + (v[0] - v[3]);
    return {(float)gpu_plain((unsigned)v[1]), (float)slope, (float)bend, (float)turn};
}

/* What is kept of the rows that the last pixel was made of. Without a field, a row has one value,
 * where the column crosses it: the last two; the step from one to the other; and by how much those
 * before were larger, the last one for the pixel that was made. */
template <bool field> struct kept {
    float value[2], step, bend[2];
};

/* With one, each pixel asks for other values of the rows: their cubics. */
template <> struct kept<true> {
    struct cubic row[KEPT];
};

/* A row that is crossed at x past the second of its pixels. */
static __device__ float row_value(const uint16_t *v, float x)
{
    struct cubic row = cubic_of(v);
    return cubic_at(&row, x, cubic_half(x));
}

/* With the next row, which has this value: the cubic along y of the next pixel. */
static __device__ struct cubic next_cubic(struct kept<false> *kept, float value)
{
    float step = value - kept->value[1], bend = kept->step - step;
    struct cubic c = {kept->value[0], kept->step, kept->bend[1], bend - kept->bend[1]};
    *kept = {{kept->value[1], value}, step, {kept->bend[1], bend}};
    return c;
}

/* And that of the last one. */
static __device__ struct cubic last_cubic(const struct kept<false> *kept)
{
    float step = kept->step + kept->bend[1];
    return {kept->value[0] - step, step, kept->bend[0], kept->bend[1] - kept->bend[0]};
}

static __device__ float value_past(const struct cubic *c, float y)
{
    return cubic_at(c, y, cubic_half(y));
}

/* A pixel, the first of whose rows is row[turn]. */
static __device__ float kept_value(const struct kept<true> *kept, int turn, struct past f)
{
    float v[KEPT], half = cubic_half(f.x);
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        v[j] = cubic_at(&kept->row[(turn + j) % KEPT], f.x, half);
    return cubic_between(v[0], v[1], v[2], v[3], f.y);
}

/* The j-th pixel from where row[j] is the oldest one, or is not needed any more; its last row lies
 * `at`. */
static __device__ float next_value(struct kept<false> *kept, int, const uint16_t *at, struct past f)
{
    struct cubic c = next_cubic(kept, row_value(at, f.x));
    return value_past(&c, f.y);
}

static __device__ float next_value(struct kept<true> *kept, int j, const uint16_t *at,
                                   struct past f)
{
    kept->row[j] = cubic_of(at);
    return kept_value(kept, j + 1, f);
}

/* ---- runs ------------------------------------------------------------------------------------ */

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
    bool is_seen = y >= 0 && k < end && run->x > 0 && run->x < SEEN_WIDE - KEPT;
    bool is_sure = y >= seen->first.y && run->x > seen->first.x && run->x < seen->last.x;
    run->end = is_seen ? end < column->rows ? end : column->rows : 0;
    run->sure = is_sure ? sure < run->end ? sure : run->end : 0;
}

/* Keeps the rows before the next pixel's last one, which is crossed at x. */
static __device__ void look_around(struct kept<false> *kept, const struct run *run,
                                   const struct warp_steps *steps, float x)
{
    float v[KEPT];
    KIN_UNROLL
    for (int j = 1; j < KEPT; j++) {
        float here = x - steps->drift[j].x, whole = floorf(here);
        v[KEPT - j] = row_value(run->at + ((int)whole - j * SEEN_WIDE), here - whole);
    }
    float step = v[3] - v[2];
    *kept = {{v[2], v[3]}, step, {0, v[2] - v[1] - step}};
}

static __device__ void look_around(struct kept<true> *kept, const struct run *run,
                                   const struct warp_steps *, float)
{
    KIN_UNROLL
    for (int j = 1; j < KEPT; j++)
        kept->row[KEPT - j] = cubic_of(run->at - j * SEEN_WIDE);
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
    if (!w->seen->near || (field && !piece.little))
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
    f->x += field ? 0 : y * w->steps->drift[1].x;
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
    return {run->next.y + steps->drift[k].y, run->next.x + steps->drift[k].x};
}

/* What the next KEPT pixels of a column, which lie in `row`, are past the whole pixels of a run.
 * Answers whether all go straight on. */
template <bool field>
static __device__ bool goes_on(const struct run *run, const struct warp_steps *steps,
                               const struct field_row *row, struct past f[KEPT])
{
    bool straight = !field || row[KEPT - 1].node == run->node;
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        f[j] = past_at<field>(run, steps, field ? row + j : row, j);
        if (field || j == 0 || j == KEPT - 1) /* those between are between these */
            straight &= is_past(f[j]);
    }
    return straight;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/* The values of KEPT pixels of a run that goes straight on. */
template <bool field>
static __device__ void make_kept(float value[KEPT], struct run *run, struct kept<field> *kept,
                                 const struct warp_steps *steps, const struct past f[KEPT])
{
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        value[j] = next_value(kept, j, run->at + j * SEEN_WIDE, f[j]);
    run->at += KEPT * SEEN_WIDE;
    run->next = past_at<false>(run, steps, NULL, KEPT);
}

static __device__ void make_room(struct kept<false> *) {}

static __device__ void make_room(struct kept<true> *kept)
{
    KIN_UNROLL
    for (int j = 0; j < KEPT - 1; j++)
        kept->row[j] = kept->row[j + 1];
}

/* The next pixel of a run, f past the whole pixels. */
template <bool field>
static __device__ float make_next(struct run *run, struct kept<field> *kept,
                                  const struct warp_steps *steps, struct past f)
{
    make_room(kept);
    float value = next_value(kept, KEPT - 1, run->at, f);
    run->at += SEEN_WIDE;
    run->next = {f.y + steps->drift[1].y, f.x + steps->drift[1].x};
    return value;
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

static __device__ struct cubic either(bool first, struct cubic a, struct cubic b)
{
    return {first ? a.value : b.value, first ? a.slope : b.slope, first ? a.bend : b.bend,
            first ? a.turn : b.turn};
}

static __device__ kept<false> either(bool first, kept<false> a, kept<false> b)
{
    return {{first ? a.value[0] : b.value[0], first ? a.value[1] : b.value[1]},
            first ? a.step : b.step,
            {first ? a.bend[0] : b.bend[0], first ? a.bend[1] : b.bend[1]}};
}

/* The values of these pixels. Without a field, a row has one value where the column crosses it; a
 * pixel is made of four rows or, from where it meets a row twice (turn -1) or never (1) on, of the
 * four before or after. With `beside`, rows may be crossed in the next whole pixel. */
template <int turn, bool beside>
static __device__ void make_turned(float value[KEPT], struct run *run, struct kept<false> *kept,
                                   const struct warp_steps *steps, const struct past f[KEPT])
{
    enum { BEFORE = turn < 0, ROWS_BELOW = KEPT + 1 - BEFORE };
    struct cubic c[KEPT + 1] = {last_cubic(kept)};
    auto less = *kept; /* of one row less */
    KIN_UNROLL
    for (int j = 0; j < ROWS_BELOW; j++) {
        float x = past_at<false>(run, steps, NULL, j).x, whole = beside ? floorf(x) : 0;
        less = *kept;
        c[BEFORE + j] = next_cubic(kept,
                                   row_value(run->at + (j * SEEN_WIDE + (int)whole), x - whole));
    }
    bool turned = false;
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        turned = turn < 0 ? f[j].y < 0 : f[j].y >= 1;
        struct cubic here = either(turned == BEFORE, c[j], c[j + 1]);
        value[j] = value_past(&here, turned ? f[j].y - (float)turn : f[j].y);
    }
    *kept = either(turned == BEFORE, less, *kept);
    struct past next = past_at<false>(run, steps, NULL, KEPT);
    int down = turned ? turn : 0;
    float x = next.x + (float)down * steps->drift[1].x, whole = beside ? floorf(x) : 0;
    run->next = {next.y - (float)down, x - whole};
    move_run(run, down, (int)whole);
    run->at += KEPT * SEEN_WIDE;
}

template <bool beside>
static __device__ void make_aside(float value[KEPT], struct run *run, struct kept<false> *kept,
                                  const struct warp_steps *steps, const struct past f[KEPT])
{
    if (steps->drift[1].y < 0)
        make_turned<-1, beside>(value, run, kept, steps, f);
    else
        make_turned<1, beside>(value, run, kept, steps, f);
}

/* With one, cubics of rows are those of one whole pixel: of each pixel all is read. */
template <bool>
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

} // namespace
