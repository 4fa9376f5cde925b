// SPDX-License-Identifier: MIT
// warp.cu: resampling on the GPU.
//
// A map turns and stretches an image by little: the pixels of a block of threads are read close to
// where its middle one is. The block has what lies around that in shared memory, as floats; a
// thread goes down two columns of pixels, of which each is read one row below the one before, and
// keeps the four rows that they are made of in registers. Only what is past the whole pixels is
// counted, in floats, as long as the threads of a warp can go on in the same way; elsewhere places
// are counted in integers. Pixels that are read further off come afterwards, one by one from the
// card's memory; so do those so close to the image's border that only numbers in double tell on
// which side they are.
#include "cuda/warp.h"

namespace {

/* ---- kernels: places ------------------------------------------------------------------------- */

/* Where pixel k of the thread's column c is read; its first pixel is (y, x). */
static __device__ void warp_at(const struct warp_map *map, bool field, int y, int x, int k, int c,
                               double q[2])
{
    struct field_piece piece = {-1};
    float2 u = field ? moved(&piece, k, c) : float2{};
    pixel_affine(map, y + k, x + c, q);
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

/* ---- kernels: what a pixel is made of -------------------------------------------------------- */

/* The first of the pixels that are seen that one is made of which is read in the whole pixel (y,
 * x). */
static __device__ struct corner corner_at(int y, int x)
{
    int row = y * SEEN_WIDE, half = x >> 1;
    bool odd = x & 1;
    return {row + half + (odd ? SEEN_WIDE / 2 : 0), row + half + (odd ? 1 : SEEN_WIDE / 2)};
}

static __device__ struct corner below(struct corner corner, int rows)
{
    return {corner.at + rows * SEEN_WIDE, corner.between + rows * SEEN_WIDE};
}

/* Pixel i of a row. */
static __device__ float see(const struct seen *seen, struct corner corner, int i)
{
    return (&seen->pixels[0][0])[(i % 2 ? corner.between : corner.at) + i / 2];
}

static __device__ void see_row(struct cubic *row, const struct seen *seen, struct corner at)
{
    *row = cubic_through(see(seen, at, 0), see(seen, at, 1), see(seen, at, 2), see(seen, at, 3));
}

static __device__ void see_row(struct cubic_pair *row, const struct seen *seen, struct corner at)
{
    float v[PAIR + 3];
    KIN_UNROLL
    for (int i = 0; i < PAIR + 3; i++)
        v[i] = see(seen, at, i);
    *row = cubics_through(v);
}

static __device__ const struct cubic *column_of(const struct cubic *row, int)
{
    return row;
}

static __device__ const struct cubic *column_of(const struct cubic_pair *row, int c)
{
    return &row->of[c];
}

/* The four rows that a pixel is made of, or two next to each other. Row j of pixel k's is in place
 * (k + j) % KEPT: three of them stay where they are for the next one, if that is read one row
 * below. */
template <typename Row> struct around {
    Row row[KEPT];
    struct corner next; /* of the next one, if so; at: -1: of none */
};

/* Those of pixel k but the last, which is made of pixels from `at` on; `turn` is k % KEPT. */
template <typename Row>
static __device__ void look_around(struct around<Row> *around, const struct seen *seen, int turn,
                                   struct corner at)
{
    around->next = at;
    KIN_UNROLL
    for (int j = 0; j < KEPT - 1; j++)
        see_row(&around->row[(turn + j) % KEPT], seen, below(at, j));
}

/* The last of pixel k, `rows` below the next one. */
template <typename Row>
static __device__ void look_below(struct around<Row> *around, const struct seen *seen, int turn,
                                  int rows)
{
    see_row(&around->row[(turn + KEPT - 1) % KEPT], seen, below(around->next, rows + KEPT - 1));
}

/* What a place is past the whole pixel. */
struct past {
    float y, x;
};

/* Pixel k, the one in column c of two. */
template <typename Row>
static __device__ float around_value(const struct around<Row> *around, int turn, int c,
                                     struct past f)
{
    float v[KEPT], half = cubic_half(f.x);
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        v[j] = cubic_at(column_of(&around->row[(turn + j) % KEPT], c), f.x, half);
    struct cubic down = cubic_through(v[0], v[1], v[2], v[3]);
    return cubic_at(&down, f.y, cubic_half(f.y));
}

/* ---- kernels: what is made ------------------------------------------------------------------- */

/* `rows` rows of `width` pixels. */
struct warped {
    uint16_t *pixels;
    uint8_t *cover; /* or NULL */
    int rows, width;
    bool together; /* the two pixels of a pair can be stored as one */
};

/* What a thread makes of it: the first columns of a pair, the first rows. */
struct warp_part {
    int columns, rows;
};

static __device__ struct warp_part part_of(const struct warped *dst, int y, int x)
{
    int beside = dst->width - x, below = y < dst->rows ? dst->rows - y : 0;
    return {beside, below < ROWS ? below : (int)ROWS};
}

/* In column c. */
static __device__ int rows_in(struct warp_part part, int c)
{
    return c < part.columns ? part.rows : 0;
}

/* Where a pixel of it goes. */
struct warped_place {
    uint16_t *pixel;
    uint8_t *cover;
};

template <bool covers>
static __device__ struct warped_place warped_at(const struct warped *dst, int y, int x)
{
    size_t at = (size_t)(unsigned)y * (unsigned)dst->width + (unsigned)x;
    return {gpu_plain(dst->pixels + at), covers ? gpu_plain(dst->cover + at) : NULL};
}

template <bool covers>
static __device__ void put(const struct warped_place *to, float value, bool there)
{
    *to->pixel = gpu_round_u16(value);
    if (covers)
        *to->cover = there ? 255 : 0;
}

/* `pixels` further on. */
template <bool covers>
static __device__ struct warped_place past_place(struct warped_place to, unsigned pixels)
{
    return {to.pixel + pixels, covers ? to.cover + pixels : NULL};
}

/* The pixels of a pair. */
template <bool covers, bool together>
static __device__ void put_pair(const struct warped_place *to, const float values[PAIR])
{
    if (!together) {
        struct warped_place beside = past_place<covers>(*to, 1);
        put<covers>(to, values[0], true);
        put<covers>(&beside, values[1], true);
        return;
    }
    *(uint32_t *)to->pixel = gpu_round_u16(values[0]) | (uint32_t)gpu_round_u16(values[1]) << 16;
    if (covers)
        *(uint16_t *)to->cover = 0xffff;
}

/* How far places lie from the first one of a column, along y and x, in 2^-FRACTION pixels: those of
 * every KEPT-th pixel, and of the next ones of each; those of the column beside it. */
struct warp_steps {
    int kept[2][ROWS / KEPT], one[2], across[2];
    float drift[2]; /* the next ones, less whole pixels, where each is read a row below the last */
    float fall[2];  /* the same from a row of nodes to the next */
    float bow;      /* what a curve is from a straight line after a group, if it bends by 1 */
    bool small;     /* integers have room for all of this */
};

static __device__ struct place step_on(struct place p, const struct warp_steps *steps, int k)
{
    return {p.y + k * steps->one[0], p.x + k * steps->one[1]};
}

static __device__ struct place step_across(struct place p, const struct warp_steps *steps, int c)
{
    return {p.y + c * steps->across[0], p.x + c * steps->across[1]};
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

static __device__ bool is_seen(const struct seen *seen, struct place p)
{
    bool there = (unsigned)p.y - (unsigned)seen->low.y <= (unsigned)seen->most.y,
         beside = (unsigned)p.x - (unsigned)seen->low.x <= (unsigned)seen->most.x;
    return there & beside; /* no branch: it is one instruction more */
}

/* ---- kernels: runs --------------------------------------------------------------------------- */

/* A column of pixels, each read about a row below the one before. */
struct run {
    int x;    /* the whole pixel in which the next one is read */
    int last; /* the last pixel that is seen, if each is read one row below the one before */
    /* What its place is past that whole pixel, and what others are past one that is as many rows
     * below it: with a field, a cubic in what a row is past one of nodes; else `value` is the next
     * one's, and drifts with the rows. */
    struct cubic past_y, past_x;
    int node;   /* see struct field_row */
    float room; /* what of 0.5 is left if the field bends in a group as far as it can */
    bool there; /* it began in what is seen */
};

/* The k-th of a group; row: the group's first. */
template <bool field>
static __device__ struct past past_at(const struct run *run, const struct warp_steps *steps,
                                      const struct field_row *row, int k)
{
    if (field)
        return {cubic_at(&run->past_y, row[k].s, row[k].half),
                cubic_at(&run->past_x, row[k].s, row[k].half)};
    return {run->past_y.value + (float)k * steps->drift[0],
            run->past_x.value + (float)k * steps->drift[1]};
}

/* 0 <= f < 1. */
static __device__ bool is_fraction(float f)
{
    return gpu_bits_of(f) < gpu_bits_of(1.0f);
}

static __device__ bool is_past(struct past f)
{
    return is_fraction(f.y) & is_fraction(f.x);
}

/* Whether all between f and where it was a group before lies in one whole pixel, if this holds for
 * both. */
static __device__ bool has_room(const struct run *run, struct past f)
{
    return fmaxf(fabsf(f.y - 0.5f), fabsf(f.x - 0.5f)) <= run->room;
}

/* How far a cubic may be from the straight line between two pixels a group apart. */
static __device__ float cubic_bow(const struct cubic *c, const struct warp_steps *steps)
{
    return steps->bow * (fabsf(c->bend) + 2 * fabsf(c->turn));
}

/* Whether all pixels are seen of which one is made that is read there. A field may move those
 * between two that are a group apart one further. */
template <bool field> static __device__ bool in_view(const struct seen *seen, int y, int x)
{
    int edge = field;
    bool there = y >= seen->first.y + edge && y <= seen->last.y - edge,
         beside = x >= seen->first.x + edge && x <= seen->last.x - edge;
    return there & beside;
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
    run->room = 0.5f - fmaxf(cubic_bow(y, steps), cubic_bow(x, steps));
    run->there &= piece->little && !row->clamped && run->room >= 0;
}

/* The run in the thread's column c, which begins at `start`, from pixel k on, which KEPT
 * divides. */
template <bool field>
static __device__ void begin_run(struct run *run, const struct seen *seen,
                                 const struct warp_steps *steps, struct place start, int c, int k)
{
    struct field_piece piece = {-1};
    struct place p = kept_at(start, steps, k);
    if (field)
        p = moved_place(p, moved(&piece, k, c));
    struct past f = {fraction_of(p.y), fraction_of(p.x)};
    int y = whole_of(p.y), x = whole_of(p.x);
    run->x = x;
    run->past_y.value = f.y;
    run->past_x.value = f.x;
    run->there = in_view<field>(seen, y, x);
    if (field)
        add_field(run, steps, &piece, my_rows() + k, f);
    run->last = run->there ? k + seen->last.y - y : -1;
}

/* What it is made of from pixel k on. */
static __device__ struct corner corner_of(const struct run *run, const struct seen *seen, int k)
{
    int y = seen->last.y - (run->last - k);
    return run->there ? corner_at(y, run->x) : corner{};
}

/* Those of a thread. */
struct runs {
    struct run of[PAIR];
    struct around<struct cubic_pair> around; /* if they are side by side */
    int pairs;                               /* of pixels that there are */
};

/* They have come to pixel k. */
static __device__ void look_around_runs(struct runs *runs, const struct seen *seen, int k)
{
    look_around(&runs->around, seen, 0, corner_of(&runs->of[0], seen, k));
}

template <bool field>
static __device__ void begin_runs(struct runs *runs, const struct seen *seen,
                                  const struct warp_steps *steps, struct place start, int k)
{
    KIN_UNROLL
    for (int c = 0; c < PAIR; c++)
        begin_run<field>(&runs->of[c], seen, steps, step_across(start, steps, c), c, k);
    look_around_runs(runs, seen, k);
}

/* Of a group of pixels, what the places of the first and of the last are past the whole pixel. */
struct ends {
    struct past first, last;
};

/* Whether the run goes on with the group from pixel k on, in the same whole pixels. */
template <bool field>
static __device__ bool goes_straight(const struct run *run, const struct warp_steps *steps, int k,
                                     struct ends *ends)
{
    const struct field_row *row = field ? my_rows() + k : NULL;
    bool there = k + GROUP - 1 <= run->last;
    *ends = {past_at<field>(run, steps, row, 0), past_at<field>(run, steps, row, GROUP - 1)};
    if (!field)
        return there & is_past(ends->last);
    return there & (row[GROUP - 1].node == run->node) & has_room(run, ends->last) &
           has_room(run, ends->first);
}

/* The same in any. */
template <bool field>
static __device__ bool goes_on(const struct run *run, const struct seen *seen,
                               const struct warp_steps *steps, int k)
{
    const struct field_row *row = field ? my_rows() + k : NULL;
    struct past f = past_at<field>(run, steps, row, GROUP - 1);
    int y = seen->last.y - (run->last - k) + GROUP - 1 + (int)floorf(f.y),
        x = run->x + (int)floorf(f.x);
    bool there = run->there & in_view<field>(seen, y, x);
    return field ? there & (row[GROUP - 1].node == run->node) : there;
}

/* Whether all runs of a warp do, side by side. */
template <bool field>
static __device__ bool all_go_straight(const struct runs *runs, const struct warp_steps *steps,
                                       int k, struct ends ends[PAIR])
{
    const struct run *left = &runs->of[0], *right = &runs->of[1];
    bool beside = (right->x == left->x + 1) & (right->last == left->last);
    return __all_sync(~0u, (k + GROUP <= runs->pairs) & beside &
                               goes_straight<field>(left, steps, k, &ends[0]) &
                               goes_straight<field>(right, steps, k, &ends[1]));
}

template <bool field>
static __device__ bool all_go_on(const struct runs *runs, const struct seen *seen,
                                 const struct warp_steps *steps, int k)
{
    return __all_sync(~0u, (k + GROUP <= runs->pairs) &
                               goes_on<field>(&runs->of[0], seen, steps, k) &
                               goes_on<field>(&runs->of[1], seen, steps, k));
}

/* Pixel k is read at f, in another whole pixel. */
static __device__ void change_pixel(struct run *run, struct around<struct cubic> *around,
                                    const struct seen *seen, int k, int turn, struct past *f)
{
    float y = floorf(f->y), x = floorf(f->x);
    run->past_y.value -= y;
    run->past_x.value -= x;
    *f = {f->y - y, f->x - x};
    run->last -= (int)y;
    run->x += (int)x;
    look_around(around, seen, turn, corner_of(run, seen, k));
}

/* Without a field, `rows` rows further down. */
template <bool field>
static __device__ void drift(struct run *run, const struct warp_steps *steps, int rows)
{
    run->past_y.value += field ? 0 : (float)rows * steps->drift[0];
    run->past_x.value += field ? 0 : (float)rows * steps->drift[1];
}

/* The group of pairs from pair k on, by straight runs side by side. */
template <bool covers, bool field, bool together>
static __device__ void make_straight(const struct warped *dst, struct warped_place to,
                                     struct runs *runs, const struct ends ends[PAIR],
                                     const struct seen *seen, const struct warp_steps *steps, int k)
{
    const struct field_row *row = field ? my_rows() + k : NULL;
    struct around<struct cubic_pair> *around = &runs->around;
    KIN_UNROLL
    for (int i = 0; i < GROUP; i++, to = past_place<covers>(to, (unsigned)dst->width)) {
        float values[PAIR];
        look_below(around, seen, i % KEPT, i);
        KIN_UNROLL
        for (int c = 0; c < PAIR; c++)
            values[c] = around_value(around, i % KEPT, c,
                                     i == 0 ? ends[c].first
                                     : i == GROUP - 1
                                         ? ends[c].last
                                         : past_at<field>(&runs->of[c], steps, row, i));
        put_pair<covers, together>(&to, values);
    }
    around->next = below(around->next, GROUP);
    KIN_UNROLL
    for (int c = 0; c < PAIR; c++)
        drift<field>(&runs->of[c], steps, GROUP);
}

/* KEPT rows of it, by any runs, each with what its own pixels are made of. */
template <bool covers, bool field>
static __device__ void make_kept(const struct warped *dst, struct warped_place to,
                                 struct runs *runs, struct around<struct cubic> around[PAIR],
                                 const struct seen *seen, const struct warp_steps *steps, int k)
{
    const struct field_row *row = field ? my_rows() + k : NULL;
    KIN_UNROLL
    for (int i = 0; i < KEPT; i++, to = past_place<covers>(to, (unsigned)dst->width)) {
        float values[PAIR];
        KIN_UNROLL
        for (int c = 0; c < PAIR; c++) {
            struct past f = past_at<field>(&runs->of[c], steps, row, i);
            if (!is_past(f)) {
                change_pixel(&runs->of[c], &around[c], seen, k + i, i, &f);
                around[c].next = below(around[c].next, -i);
            }
            look_below(&around[c], seen, i, i);
            values[c] = around_value(&around[c], i, 0, f);
        }
        if (dst->together)
            put_pair<covers, true>(&to, values);
        else
            put_pair<covers, false>(&to, values);
    }
    KIN_UNROLL
    for (int c = 0; c < PAIR; c++) {
        around[c].next = below(around[c].next, KEPT);
        drift<field>(&runs->of[c], steps, KEPT);
    }
}

/* All of it. */
template <bool covers, bool field>
static __device__ void make_runs(const struct warped *dst, struct warped_place to,
                                 struct runs *runs, const struct seen *seen,
                                 const struct warp_steps *steps, int k)
{
    struct around<struct cubic> around[PAIR];
    KIN_UNROLL
    for (int c = 0; c < PAIR; c++)
        look_around(&around[c], seen, 0, corner_of(&runs->of[c], seen, k));
    for (int i = 0; i < GROUP; i += KEPT, to = past_place<covers>(to, KEPT * (unsigned)dst->width))
        make_kept<covers, field>(dst, to, runs, around, seen, steps, k + i);
}

/* ---- kernels: the warp ----------------------------------------------------------------------- */

/* A group of pixels, from pixel `first` on, of the thread's column c, which begins at `start` and
 * has `rows` of them; returns those that are not read in what is seen: bit k is pixel k of the
 * column. */
template <bool covers, bool field>
static __device__ unsigned make_each(const struct warped *dst, struct warped_place to,
                                     const struct seen *seen, const struct warp_steps *steps,
                                     struct place start, int c, int first, int rows)
{
    struct around<struct cubic> around = {
        {}, { -1 }
    };
    struct field_piece piece = {-1};
    unsigned others = 0;
    for (int kept = first; kept < first + GROUP; kept += KEPT) {
        struct place p = kept_at(start, steps, kept);
        KIN_UNROLL
        for (int i = 0; i < KEPT; i++, to = past_place<covers>(to, (unsigned)dst->width)) {
            struct place q = step_on(p, steps, i);
            if (field)
                q = moved_place(q, moved(&piece, kept + i, c));
            if (kept + i >= rows || !is_seen(seen, q) || (field && !piece.little)) {
                others |= 1u << (kept + i);
                around.next.at = -1;
                continue;
            }
            struct corner at = corner_at(whole_of(q.y), whole_of(q.x));
            if (around.next.at != at.at)
                look_around(&around, seen, i, at);
            struct past f = {fraction_of(q.y), fraction_of(q.x)};
            look_below(&around, seen, i, 0);
            put<covers>(&to, around_value(&around, i, 0, f), true);
            around.next = below(at, 1);
        }
    }
    return others;
}

/* What a thread makes its pixels of. */
struct making {
    struct warp_part part;
    struct place start; /* of its first column */
    struct runs runs;
    uint64_t others; /* what is not read in what is seen: bit ROWS c + k is pixel k of column c */
};

/* A group of which not all runs are straight and side by side; or begins new ones that are, and
 * true. */
template <bool covers, bool field>
static __device__ bool make_others(const struct warped *dst, struct warped_place to,
                                   struct making *m, struct ends ends[PAIR],
                                   const struct seen *seen, const struct warp_steps *steps, int k)
{
    bool goes_on = all_go_on<field>(&m->runs, seen, steps, k);
    if (!goes_on && k) {
        begin_runs<field>(&m->runs, seen, steps, m->start, k);
        if (all_go_straight<field>(&m->runs, steps, k, ends))
            return true;
        goes_on = all_go_on<field>(&m->runs, seen, steps, k);
    }
    if (goes_on)
        make_runs<covers, field>(dst, to, &m->runs, seen, steps, k);
    for (int c = 0; c < PAIR && !goes_on; c++)
        m->others |= (uint64_t)make_each<covers, field>(
                         dst, past_place<covers>(to, (unsigned)c), seen, steps,
                         step_across(m->start, steps, c), c, k, rows_in(m->part, c))
                     << ROWS * c;
    m->runs.of[0].there &= goes_on;
    m->runs.of[0].last = goes_on ? m->runs.of[0].last : -1;
    look_around_runs(&m->runs, seen, k + GROUP);
    return false;
}

/* Makes those of the thread's pixels, of which the first is read at `first`, that are read in what
 * is seen, and returns the others, maybe with pixels that are not there: see struct making. The
 * threads of a warp look at a group in the same way, or they would do so one after the other. */
template <bool covers, bool field>
static __device__ uint64_t make_pairs(const struct warped *dst, struct warped_place to,
                                      struct warp_part part, const struct seen *seen,
                                      const double first[2], const struct warp_steps *steps)
{
    struct making m = {part};
    bool near = fixed_of(first[0] - (seen->top + 1), &m.start.y) &&
                fixed_of(first[1] - (seen->left + 1), &m.start.x);
    m.part.rows = near ? part.rows : 0;
    m.runs.pairs = rows_in(m.part, PAIR - 1);
    begin_runs<field>(&m.runs, seen, steps, m.start, 0);
    for (int k = 0; k < ROWS;
         k += GROUP, to = past_place<covers>(to, GROUP * (unsigned)dst->width)) {
        struct ends ends[PAIR];
        if (all_go_straight<field>(&m.runs, steps, k, ends) ||
            make_others<covers, field>(dst, to, &m, ends, seen, steps, k)) {
            if (dst->together)
                make_straight<covers, field, true>(dst, to, &m.runs, ends, seen, steps, k);
            else
                make_straight<covers, field, false>(dst, to, &m.runs, ends, seen, steps, k);
        }
    }
    return near ? m.others : ~(uint64_t)0;
}

static __device__ uint64_t first_bits(int count)
{
    return ((uint64_t)1 << count) - 1;
}

/* Pixel k of the thread's column c, whose first pixel is (y, x). */
template <bool covers, bool field>
static __device__ void make_far(const struct warped *dst, struct warped_place first,
                                const struct pixel_source *src, const struct warp_map *map, int y,
                                int x, int k, int c)
{
    struct warped_place to = past_place<covers>(first,
                                                (unsigned)k * (unsigned)dst->width + (unsigned)c);
    float value = 0;
    double q[2];
    warp_at(map, field, y, x, k, c, q);
    bool there = pixel_cubic(src, q[0], q[1], &value);
    put<covers>(&to, value, there);
}

template <bool covers, bool field>
static __global__ void __launch_bounds__(THREADS, field ? 4 : 5)
    warp(const __grid_constant__ struct warped dst, const __grid_constant__ struct pixel_source src,
         int y0, const __grid_constant__ struct warp_map map,
         const __grid_constant__ struct warp_steps steps, int nodes)
{
    struct seen *seen = seen_here();
    int top = (int)blockIdx.y * HIGH, left = (int)blockIdx.x * WIDE;
    int y = top + (int)threadIdx.y * ROWS, x = left + (int)threadIdx.x * PAIR;
    struct warp_part part = part_of(&dst, y, x);
    double first[2];
    struct warped_place to = warped_at<covers>(&dst, y, x);
    pixel_affine(&map, y0 + y, x, first);
    if (field) {
        prepare_field(&map.grid, nodes, y0 + top, left);
        __syncthreads();
    }
    if (threadIdx.x == THREADS_WIDE / 2 && threadIdx.y == THREADS_HIGH / 2) {
        double q[2];
        warp_at(&map, field, y0 + y, x, 0, 0, q);
        centre_on(seen, &src, q);
    }
    __syncthreads();
    if (seen->fours)
        see_fours(seen, &src);
    else if (seen->given)
        see_all<true>(seen, &src);
    else
        see_all<false>(seen, &src);
    __syncthreads();
    uint64_t others = ~(uint64_t)0;
    if (steps.small)
        others = make_pairs<covers, field>(&dst, to, part, seen, first, &steps);
    others &= first_bits(rows_in(part, 1)) << ROWS | first_bits(rows_in(part, 0));
    for (int bit = 0; others; bit++, others >>= 1)
        if (others & 1)
            make_far<covers, field>(&dst, to, &src, &map, y0 + y, x, bit % ROWS, bit / ROWS);
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

static struct warp_steps steps_of(const struct warp_map *map)
{
    struct warp_steps steps = {};
    steps.small = true;
    for (int i = 0; i < 4; i++)
        steps.small &= fabs(map->a[i]) < STEEP;
    for (int axis = 0; axis < 2 && steps.small; axis++) {
        double step = map->a[2 * axis], drift = step - (axis == 0);
        for (int i = 0; i < ROWS / KEPT; i++)
            steps.kept[axis][i] = (int)lrint(i * KEPT * step * (1 << FRACTION));
        steps.one[axis] = (int)lrint(step * (1 << FRACTION));
        steps.across[axis] = (int)lrint(map->a[2 * axis + 1] * (1 << FRACTION));
        steps.drift[axis] = (float)drift;
        steps.fall[axis] = (float)(drift * map->grid.step);
    }
    float group = map->grid.rows ? GROUP / map->grid.step : 0; /* in rows of nodes */
    steps.bow = group * group / 8;
    return steps;
}

/* Whether pairs that begin with an even pixel of every row can be stored as one. */
static bool pairs_fit(const struct warped *dst)
{
    return dst->width % PAIR == 0 && (uintptr_t)dst->pixels % (PAIR * sizeof *dst->pixels) == 0 &&
           (uintptr_t)dst->cover % PAIR == 0;
}

template <bool covers, bool field>
static void launch_warp(struct device *dev, const struct warped *dst, const struct image_rows *src,
                        int y0, const struct warp_map *map)
{
    int nodes = field ? (int)((HIGH - 1) / map->grid.step) + 5 : 0;
    size_t shared = sizeof(struct seen) + (field ? HIGH * sizeof(struct field_row) : 0) +
                    (size_t)nodes * WIDE * sizeof(float2);
    dim3 grid(gpu_pieces((size_t)dst->width, WIDE), gpu_pieces((size_t)dst->rows, HIGH));
    LAUNCH(dev, (warp<covers, field>), grid, dim3(THREADS_WIDE, THREADS_HIGH), shared)
    (*dst, pixel_source_of(src), y0, *map, steps_of(map), nodes);
}

void gpu_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover, const struct image_rows *src,
                  struct kin_dims to, int y0, int rows, const struct warp_map *map)
{
    struct warped warped = {dst, cover, rows, to.x};
    warped.together = pairs_fit(&warped);
    bool field = map->grid.rows && map->grid.cols;
    auto launch = cover ? (field ? launch_warp<true, true> : launch_warp<true, false>)
                        : (field ? launch_warp<false, true> : launch_warp<false, false>);
    launch(dev, &warped, src, y0, map);
}
