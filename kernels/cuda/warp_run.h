/* SPDX-License-Identifier: MIT
 *
 * warp_run.h: pixels of a column, one below the other: where they are read; the values of the rows
 * that they are made of, where the column crosses these, which stay in registers; and KEPT pixels
 * at once. With a displacement field, a column is made of lines, each of which crosses the rows
 * that KEPT pixels need anew (device/warp.h). A line begins one row below the first of these
 * pixels, as a pixel's last row is crossed one to two rows below it. */
#pragma once

#include "cuda/warp.h"

namespace {

struct warped;

static_assert((int)KEPT == (int)WARP_KNOTS, "a line crosses the rows that KEPT pixels need anew");

/* ---- places ---------------------------------------------------------------------------------- */

/* What a place is past the whole pixel: of a pixel, along x where its last row is crossed. */
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
    /* without a field: how far j pixels take one past the whole pixels which lie below each other,
     * and j rows */
    struct past drift[KEPT + 1];
    float fall[2]; /* with one: how far the next row of nodes is from this one */
    bool by_rows;  /* the map is read by rows; with a field, columns are bent */
    bool small;    /* it is, and integers have room */
    bool even;     /* of KEPT pixels one at most meets a row twice or never */
};

/* What a block of threads makes, of what. */
struct warping {
    const struct warped *dst;
    const struct pixel_source *src;
    const struct warp_map *map;
    const struct warp_steps *steps;
    const struct seen *seen;
    int y0;         /* where `dst` begins in the canvas */
    int top;        /* of the block: a row of `dst`, or up to 3 above it */
    unsigned below; /* bytes from a pixel of it to the next one below */
};

/* A column of pixels, from (y, x) of `dst` on; those before the first lie above it. */
struct column {
    int y, x, first, rows;
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
    return {column->start.y + k * (1 << FRACTION) + steps_on(steps->down.y, k),
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

/* What is kept of the rows that the last pixel was made of: the last two values; the step from one
 * to the other; and by how much those before were larger, the last one for the pixel that was
 * made. */
struct kept {
    float value[2], step, bend[2];
};

/* A row that is crossed at x past the second of its pixels. */
static __device__ float row_value(const uint16_t *v, float x)
{
    struct cubic row = cubic_of(v);
    return cubic_at(&row, x, cubic_half(x));
}

/* With the next row, which has this value: the cubic along y of the next pixel. */
static __device__ struct cubic next_cubic(struct kept *kept, float value)
{
    float step = value - kept->value[1], bend = kept->step - step;
    struct cubic c = {kept->value[0], kept->step, kept->bend[1], bend - kept->bend[1]};
    *kept = {{kept->value[1], value}, step, {kept->bend[1], bend}};
    return c;
}

/* And that of the last one. */
static __device__ struct cubic last_cubic(const struct kept *kept)
{
    float step = kept->step + kept->bend[1];
    return {kept->value[0] - step, step, kept->bend[0], kept->bend[1] - kept->bend[0]};
}

static __device__ float value_past(const struct cubic *c, float y)
{
    return cubic_at(c, y, cubic_half(y));
}

/* The next pixel; its last row lies `at`. */
static __device__ float next_value(struct kept *kept, const uint16_t *at, struct past f)
{
    struct cubic c = next_cubic(kept, row_value(at, f.x));
    return value_past(&c, f.y);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Pixels of a column, all of which is seen, and rows up to two pixels aside. */
struct run {
    int end;            /* it ends before this pixel; 0: there is none */
    int sure;           /* as far all lie in the image, surely; less than that: nobody knows */
    int top, x;         /* pixel k is read in the whole pixel (top + k, x), or at most one beside */
    const uint16_t *at; /* the first pixel of the next one's last row */
    struct past next;   /* what the next one is past the whole pixel */
    /* With a field: the line on which the pixels after it lie, and `next` would; where that ends,
     * past the whole pixels of the run; y of the next pixel, on the line before. */
    struct past drift, knot;
    float first;
    /* Knots are cubics in what their row is past one of nodes. */
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

/* Where the run ends that has come to its pixel k: not in the column's last row, if that is the
 * block's, after which no pixel is made. */
static __device__ void find_end(struct run *run, const struct seen *seen,
                                const struct column *column, int k)
{
    int y = run->top + k, end = SEEN_HIGH - KEPT + 1 - run->top, sure = seen->last.y + 1 - run->top;
    bool is_seen = y > 0 && k < end && run->x > 1 && run->x < SEEN_WIDE - KEPT - 1;
    bool is_sure = y >= seen->first.y && run->x > seen->first.x && run->x < seen->last.x;
    run->end = is_seen ? column->rows == ROWS || end < column->rows ? end : column->rows : 0;
    run->sure = is_sure ? sure < run->end ? sure : run->end : 0;
}

/* What k pixels and rows further down take one past the whole pixels of the run. */
template <bool field>
static __device__ struct past drift_of(const struct run *run, const struct warp_steps *steps, int k)
{
    if (field)
        return {(float)k * run->drift.y, (float)k * run->drift.x};
    return steps->drift[k];
}

/* What the k-th pixel from the next one on is past the whole pixel. */
template <bool field>
static __device__ struct past past_at(const struct run *run, const struct warp_steps *steps, int k)
{
    struct past drift = drift_of<field>(run, steps, k);
    if (k == 0)
        return run->next;
    return {run->next.y + drift.y, run->next.x + drift.x};
}

/* Keeps the rows before the next pixel's last one, which is crossed at x. */
template <bool field>
static __device__ void look_around(struct kept *kept, const struct run *run,
                                   const struct warp_steps *steps, float x)
{
    float v[KEPT];
    KIN_UNROLL
    for (int j = 1; j < KEPT; j++) {
        float here = x - drift_of<field>(run, steps, j).x, whole = floorf(here);
        v[KEPT - j] = row_value(run->at + ((int)whole - j * SEEN_WIDE), here - whole);
    }
    float step = v[3] - v[2];
    *kept = {{v[2], v[3]}, step, {0, v[2] - v[1] - step}};
}

/* The run's pixels go on `y` rows and `x` pixels beside. */
static __device__ void move_run(struct run *run, int y, int x)
{
    run->at += y * SEEN_WIDE + x;
    run->top += y;
    run->x += x;
}

/* ---- lines of a column that a field bends ---------------------------------------------------- */

/* What a place at pixel k of a column is past the whole pixels of a run. */
static __device__ struct past past_of(const struct run *run, struct place p, int k)
{
    const unsigned one = 1u << FRACTION;
    return {(float)(int)((unsigned)p.y - (unsigned)(run->top + k) * one) / (float)one,
            (float)(int)((unsigned)p.x - (unsigned)run->x * one) / (float)one};
}

/* The knots of a run lie among other nodes from pixel k of a column on, in `row`. It ends where
 * these move them further than integers have room for. */
static __device__ void change_nodes(struct run *run, const struct warping *w,
                                    const struct column *column, const struct field_row *row, int k)
{
    struct field_piece piece = field_piece_at(row->node, (int)threadIdx.x);
    struct past f = past_of(run, place_of(column, w->steps, k), k);
    struct cubic *y = &run->past_y, *x = &run->past_x;
    *y = piece.y;
    *x = piece.x;
    y->slope += w->steps->fall[0];
    x->slope += w->steps->fall[1];
    y->value += f.y - row->s * w->steps->fall[0];
    x->value += f.x - row->s * w->steps->fall[1];
    run->node = piece.node;
    if (!piece.little)
        run->end = run->sure = 0;
}

static __device__ struct past knot_at(const struct run *run, const struct field_row *row)
{
    return {cubic_at(&run->past_y, row->s, row->half), cubic_at(&run->past_x, row->s, row->half)};
}

/* Goes on to the line that ends at pixel k of a column, in `row`. */
static __device__ void next_line(struct run *run, const struct warping *w,
                                 const struct column *column, const struct field_row *row, int k)
{
    if (row->node != run->node)
        change_nodes(run, w, column, row, k);
    struct past from = run->knot, to = knot_at(run, row);
    float down = to.y - from.y;
    run->first = from.y - run->drift.y;
    run->drift = {down / WARP_KNOTS, (to.x - from.x) * gpu_inverse(WARP_KNOTS + down)};
    run->next = {from.y - run->drift.y, from.x + (1 - from.y) * run->drift.x};
    run->knot = to;
}

/* The run, its knots and the cubics that these are go on in other whole pixels. */
static __device__ void move_lines(struct run *run, float y, float x)
{
    run->knot.y -= y;
    run->knot.x -= x;
    run->past_y.value -= y;
    run->past_x.value -= x;
    move_run(run, (int)y, (int)x);
}

/* ---- how runs begin and change --------------------------------------------------------------- */

/* A run from pixel k of a column on, if there can be one. */
static __device__ void begin_run(struct run *run, struct kept *kept, const struct warping *w,
                                 const struct column *column, int k)
{
    struct place p = place_of(column, w->steps, k);
    int y = whole_of(p.y);
    p.x = column->across + steps_on(w->steps->slant, y + KEPT - 2 - whole_of(column->start.y));
    run->top = y - k;
    run->x = whole_of(p.x);
    find_end(run, w->seen, column, k);
    if (!w->seen->near)
        run->end = run->sure = 0;
    run->at = corner_at(run->end ? y + KEPT - 1 : KEPT, run->end ? run->x : 1);
    run->next = {fraction_of(p.y), fraction_of(p.x)};
    look_around<false>(kept, run, w->steps, run->next.x);
}

/* Keeps one row more, where pixel k meets its last row twice: that may be crossed by the line
 * before the one from `above` on, which ends in row[1]. x: see look_around. */
static __device__ void look_above(struct kept *kept, const struct run *run, const struct warping *w,
                                  const struct column *column, const struct field_row *row, int k,
                                  struct past above, float x)
{
    struct field_piece piece;
    int first = k + 1 - 2 * WARP_KNOTS;
    struct place p = place_of(column, w->steps, first);
    struct past from = past_of(run, moved_place(p, moved(&piece, row - 1, (int)threadIdx.x)),
                               first);
    x -= drift_of<true>(run, w->steps, KEPT).x;
    if (from.y + above.y >= 2)
        x = above.x +
            (1 - above.y) * (above.x - from.x) * gpu_inverse(WARP_KNOTS + above.y - from.y);
    float whole = floorf(x),
          value = row_value(run->at + ((int)whole - KEPT * SEEN_WIDE), x - whole),
          step = kept->step + kept->bend[1];
    kept->bend[0] = kept->value[0] - step - value - step;
}

/* With a field: k is the first of KEPT pixels, row[0] and row[1] those of the knots above and below
 * it. */
static __device__ void begin_lines(struct run *run, struct kept *kept, const struct warping *w,
                                   const struct column *column, const struct field_row *row, int k)
{
    struct place p = place_of(column, w->steps, k + 1);
    run->at = corner_at(KEPT, 1);
    run->top = whole_of(p.y) - (k + 1);
    run->x = whole_of(p.x);
    run->end = w->seen->near && k >= column->first;
    change_nodes(run, w, column, row, k + 1 - WARP_KNOTS);
    struct past above = run->knot = knot_at(run, row);
    next_line(run, w, column, row + 1, k + 1);
    if (!run->end)
        return;
    /* where the pixel above is read: the line before has crossed all down to its last row */
    float y = floorf((above.y + run->knot.y) / 2),
          x = past_at<true>(run, w->steps, KEPT).x + y * run->drift.x, whole = floorf(x);
    move_lines(run, y, whole);
    find_end(run, w->seen, column, k);
    if (!run->end)
        return;
    run->at = corner_at(run->top + k + KEPT - 1, run->x);
    look_around<true>(kept, run, w->steps, x - whole);
    if (run->knot.y - run->drift.y < 0)
        look_above(kept, run, w, column, row, k, {above.y - y, above.x - whole}, x - whole);
}

/* Without a field: pixel k is f past the whole pixels of the run, not within, and goes on in
 * others. */
static __device__ void change_pixel(struct run *run, struct kept *kept, const struct warping *w,
                                    const struct column *column, int k, struct past *f)
{
    float y = floorf(f->y);
    f->y -= y;
    f->x += y * w->steps->drift[1].x;
    float x = floorf(f->x);
    f->x -= x;
    move_run(run, (int)y, (int)x);
    find_end(run, w->seen, column, k);
    if (run->end && y != 0)
        look_around<false>(kept, run, w->steps, f->x);
}

/* What the next KEPT pixels of a column are past the whole pixels of a run. Answers whether all go
 * straight on. */
template <bool field>
static __device__ bool goes_on(const struct run *run, const struct warp_steps *steps,
                               struct past f[KEPT])
{
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        f[j] = past_at<field>(run, steps, j);
    if (field)
        f[0].y = run->first;
    /* those between are between these */
    return is_past(f[0]) & is_past(f[KEPT - 1]) & (!field || is_fraction(f[1].y));
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/* The values of KEPT pixels of a run that goes straight on. */
template <bool field>
static __device__ void make_kept(float value[KEPT], struct run *run, struct kept *kept,
                                 const struct warp_steps *steps, const struct past f[KEPT])
{
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        value[j] = next_value(kept, run->at + j * SEEN_WIDE, f[j]);
    run->at += KEPT * SEEN_WIDE;
    if (!field)
        run->next = past_at<false>(run, steps, KEPT);
}

/* Without a field: the next pixel of a run, f past the whole pixels. */
static __device__ float make_next(struct run *run, struct kept *kept,
                                  const struct warp_steps *steps, struct past f)
{
    float value = next_value(kept, run->at, f);
    run->at += SEEN_WIDE;
    run->next = {f.y + steps->drift[1].y, f.x + steps->drift[1].x};
    return value;
}

/* How some of KEPT pixels leave the whole ones of a run: up or down, or along x. */
struct turns {
    bool up, down, beside;
};

/* Whether the next KEPT pixels of a run, which are f past its whole pixels, lie at most one pixel
 * beside these, and meet a row twice or never at most once. */
template <bool field>
static __device__ bool goes_aside(const struct run *run, const struct warp_steps *steps,
                                  const struct past f[KEPT], struct turns *turns)
{
    const float middle = 0.5f, far = 1.5f;
    bool near = fabsf(f[0].x - middle) < far && fabsf(f[KEPT - 1].x - middle) < far;
    *turns = {};
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        if (j > field && j < KEPT - 1) /* between those before and after it */
            continue;
        near &= fabsf(f[j].y - middle) < far;
        turns->up |= f[j].y < 0;
        turns->down |= f[j].y >= 1;
    }
    turns->beside = !is_fraction(f[0].x) || !is_fraction(past_at<field>(run, steps, KEPT).x);
    return near && !(turns->up && turns->down);
}

/* The same of a warp, of which some threads have turns. */
static __device__ struct turns turns_of_all(struct turns mine)
{
    return {!__all_sync(~0u, !mine.up), !__all_sync(~0u, !mine.down),
            !__all_sync(~0u, !mine.beside)};
}

static __device__ struct cubic either(bool first, struct cubic a, struct cubic b)
{
    return {first ? a.value : b.value, first ? a.slope : b.slope, first ? a.bend : b.bend,
            first ? a.turn : b.turn};
}

static __device__ struct kept either(bool first, struct kept a, struct kept b)
{
    return {{first ? a.value[0] : b.value[0], first ? a.value[1] : b.value[1]},
            first ? a.step : b.step,
            {first ? a.bend[0] : b.bend[0], first ? a.bend[1] : b.bend[1]}};
}

/* The values of these pixels. A row has one value where the column crosses it; a pixel is made of
 * four rows or, from where it meets a row twice (turn -1) or never (1) on, of the four before or
 * after. With `beside`, rows may be crossed in the next whole pixel. */
template <int turn, bool beside, bool field>
static __device__ void make_turned(float value[KEPT], struct run *run, struct kept *kept,
                                   const struct warp_steps *steps, const struct past f[KEPT])
{
    enum { BEFORE = turn < 0, ROWS_BELOW = KEPT + (turn > 0) };
    struct cubic c[KEPT + 1] = {last_cubic(kept)};
    struct kept less = *kept; /* of one row less */
    KIN_UNROLL
    for (int j = 0; j < ROWS_BELOW; j++) {
        float x = past_at<field>(run, steps, j).x, whole = beside ? floorf(x) : 0;
        less = *kept;
        c[BEFORE + j] = next_cubic(kept,
                                   row_value(run->at + (j * SEEN_WIDE + (int)whole), x - whole));
    }
    bool turned = false;
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        float y = gpu_plain(f[j].y); /* compared anew: to keep what goes_aside found takes longer */
        turned = turn < 0 ? y < 0 : turn > 0 && y >= 1;
        struct cubic here = turn ? either(turned == BEFORE, c[j], c[j + 1]) : c[j];
        value[j] = value_past(&here, turned ? f[j].y - (float)turn : f[j].y);
    }
    *kept = turn ? either(turned == BEFORE, less, *kept) : *kept;
    struct past next = past_at<field>(run, steps, KEPT);
    float down = turned ? (float)turn : 0, x = next.x + down * drift_of<field>(run, steps, 1).x,
          whole = beside ? floorf(x) : 0;
    if (field) {
        move_lines(run, down, whole);
    } else {
        run->next = {next.y - down, x - whole};
        move_run(run, (int)down, (int)whole);
    }
    run->at += KEPT * SEEN_WIDE;
}

template <bool beside, bool field>
static __device__ void make_turned_by(struct turns mine, struct turns all, float value[KEPT],
                                      struct run *run, struct kept *kept,
                                      const struct warp_steps *steps, const struct past f[KEPT])
{
    if (all.up && !mine.down)
        make_turned<-1, beside, field>(value, run, kept, steps, f);
    else
        make_turned<1, beside, field>(value, run, kept, steps, f);
}

/* The same for turns of a warp. Threads that have none themselves go the way of the others. */
template <bool field>
static __device__ void make_aside(struct turns mine, struct turns all, float value[KEPT],
                                  struct run *run, struct kept *kept,
                                  const struct warp_steps *steps, const struct past f[KEPT])
{
    if (!all.up && !all.down)
        make_turned<0, true, field>(value, run, kept, steps, f);
    else if (all.beside)
        make_turned_by<true, field>(mine, all, value, run, kept, steps, f);
    else
        make_turned_by<false, field>(mine, all, value, run, kept, steps, f);
}

/* Where the run ends after that, which all along lay in the image for one more pixel. */
static __device__ void move_end(struct run *run, const struct seen *seen,
                                const struct column *column, int k, int top)
{
    int down = run->top > top;
    run->end -= down;
    run->sure -= down;
    if (run->x <= seen->first.x || run->x >= seen->last.x)
        find_end(run, seen, column, k);
}

} // namespace
