// SPDX-License-Identifier: MIT
// warp.cu: resampling on the GPU.
//
// A map turns and stretches an image by little: the pixels of a block of threads are read close to
// where its middle one is. The block has what lies around that in shared memory; a thread goes down
// a column of pixels, of which each is read one row below the one before, and keeps the four rows
// that they are made of in registers. Only what is past the whole pixels is counted, in floats.
// Once for four rows, the threads of a warp ask each other whether none of them comes to another
// column of the source, or misses a row: then nothing is asked below. One loop is the way of nearly
// all pixels, and short, as a multiprocessor waits for instructions that its caches have no room
// for. Where some threads cannot go on like this, places are counted in integers, for one pixel
// after the other; pixels that are read further off are read from the card's memory, and so are
// those so close to the image's border that only numbers in double tell on which side they are.
#include "cuda/warp.h"

namespace {

/* ---- kernels: places ------------------------------------------------------------------------- */

/* Where the thread's pixel k is read; its first one is (y, x). */
static __device__ void warp_at(const struct warp_map *map, bool field, int y, int x, int k,
                               double q[2])
{
    struct field_piece piece = {-1};
    float2 u = field ? moved(&piece, k) : float2{};
    pixel_affine(map, y + k, x, q);
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
static __device__ int corner_at(int y, int x)
{
    return y * SEEN_WIDE + x;
}

static __device__ void see_row(struct cubic *row, const struct seen *seen, int at)
{
    const uint16_t *v = &seen->pixels[0][0] + at;
    *row = cubic_through(v[0], v[1], v[2], v[3]);
}

/* The four rows that a pixel is made of. Row j of pixel k's is in place (k + j) % KEPT: three of
 * them stay where they are for the next one, if that is read one row below. */
struct around {
    struct cubic row[KEPT];
};

/* Those of pixel k but the last, which is made of pixels from `at` on; `turn` is k % KEPT. */
static __device__ void look_around(struct around *around, const struct seen *seen, int turn, int at)
{
    KIN_UNROLL
    for (int j = 0; j < KEPT - 1; j++)
        see_row(&around->row[(turn + j) % KEPT], seen, at + j * SEEN_WIDE);
}

/* The last one. */
static __device__ void look_below(struct around *around, const struct seen *seen, int turn, int at)
{
    see_row(&around->row[(turn + KEPT - 1) % KEPT], seen, at + (KEPT - 1) * SEEN_WIDE);
}

/* What a place is past the whole pixel. */
struct past {
    float y, x;
};

/* Pixel k. */
static __device__ float around_value(const struct around *around, int turn, struct past f)
{
    float v[KEPT], half = cubic_half(f.x);
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++)
        v[j] = cubic_at(&around->row[(turn + j) % KEPT], f.x, half);
    struct cubic down = cubic_through(v[0], v[1], v[2], v[3]);
    return cubic_at(&down, f.y, cubic_half(f.y));
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

/* How far places lie from the first one of a column, along y and x, in 2^-FRACTION pixels: those of
 * every KEPT-th pixel, and of the next ones of each. */
struct warp_steps {
    int kept[2][ROWS / KEPT], one[2];
    float rows[2];   /* how many rows take a place one pixel further, or back: less than 0 */
    float drift[2];  /* the next ones, less whole pixels, where each is read a row below the last */
    float drifts[2]; /* how many rows take that one pixel further, or back */
    float edge[2];   /* where it leaves a whole pixel: 1, or 0 if it goes back */
    float fall[2];   /* the drift from a row of nodes to the next */
    float apart;     /* rows from one to the next */
    bool small;      /* integers have room for all of this */
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

static __device__ bool is_seen(const struct seen *seen, struct place p)
{
    bool there = (unsigned)p.y - (unsigned)seen->low.y <= (unsigned)seen->most.y,
         beside = (unsigned)p.x - (unsigned)seen->low.x <= (unsigned)seen->most.x;
    return there & beside; /* no branch: it is one instruction more */
}

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
};

/* ---- kernels: runs --------------------------------------------------------------------------- */

/* How many rows at least take a place one pixel further, and back. */
struct steepness {
    float on, back;
};

/* Pixels of a column, each read about a row below the one before. */
struct run {
    int at; /* the first of the pixels that the next one is made of, if it is in the same column */
    /* What its place is past that whole pixel, and what others are past one that is as many rows
     * below it: with a field, a cubic in what a row is past one of nodes; else `value` is that of
     * the last one for which it was counted anew, and drifts with the rows since then. */
    struct cubic past_y, past_x;
    struct past next; /* without a field: what that of the next one is past it */
    float row;        /* the next one, as many rows below that */
    float calm;       /* from a row before this on, KEPT rows lie in the same whole pixel */
    float rows;       /* so many rows there are; without a field, all of them are seen */
    /* with a field: */
    int y, x; /* the whole pixel in which the next one is read */
    int node; /* see struct field_row */
    struct steepness most_y, most_x;
    bool there; /* it began in what is seen */
};

/* The k-th of those from the next one on, which lies in `row`. */
template <bool field>
static __device__ struct past past_at(const struct run *run, const struct warp_steps *steps,
                                      const struct field_row *row, int k)
{
    if (field)
        return {cubic_at(&run->past_y, row[k].s, row[k].half),
                cubic_at(&run->past_x, row[k].s, row[k].half)};
    if (k == 0)
        return run->next;
    return {run->next.y + (float)k * steps->drift[0], run->next.x + (float)k * steps->drift[1]};
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

/* Whether all pixels are seen of which one is made that is read there. A field may move those
 * between two that are KEPT apart one further. */
static __device__ bool in_view(const struct seen *seen, int y, int x)
{
    bool there = y > seen->first.y && y < seen->last.y;
    bool beside = x > seen->first.x && x < seen->last.x;
    return there & beside;
}

/* How many rows a column goes on, surely, until it is `most` past `low` or before it. */
static __device__ float rows_in_view(int low, int most, int at, float rows)
{
    enum { MARGIN = 1 << (FRACTION - 16) };
    int way = (rows > 0 ? low + most - MARGIN : low + MARGIN) - at;
    return (float)way * (rows * (1.0f / (1 << FRACTION)));
}

/* For how many rows places stay in the whole pixel which the next one, in `row`, is f past; or a
 * last bit less or more: past its end, the value is the same. With a field, some fewer. */
template <bool field>
static __device__ float rows_calm(const struct run *run, const struct warping *w,
                                  const struct field_row *row, struct past f)
{
    const struct warp_steps *steps = w->steps;
    if (!field)
        return fminf((steps->edge[0] - f.y) * steps->drifts[0],
                     (steps->edge[1] - f.x) * steps->drifts[1]);
    float rows = fminf(fminf((1 - f.y) * run->most_y.on, f.y * run->most_y.back),
                       fminf((1 - f.x) * run->most_x.on, f.x * run->most_x.back));
    rows = fminf(rows, (1 - row->s) * steps->apart - 0.01f);
    bool there = run->there & in_view(w->seen, run->y, run->x) & (row->node == run->node);
    return there ? fminf(rows, (float)(w->seen->last.y - run->y)) : 0;
}

/* Pixel k from the next one on is f past the run's whole pixel. */
template <bool field>
static __device__ void find_calm(struct run *run, const struct warping *w,
                                 const struct field_row *row, struct past f, int k)
{
    run->calm = fminf(run->row + (float)k + rows_calm<field>(run, w, row + k, f), run->rows) -
                (KEPT - 1);
}

static __device__ struct steepness steepness_of(const struct cubic *c,
                                                const struct warp_steps *steps)
{
    float more = 0.5f * (fabsf(c->bend) + fabsf(c->turn));
    return {gpu_quotient(steps->apart, fmaxf(more + c->slope, 1e-6f)),
            gpu_quotient(steps->apart, fmaxf(more - c->slope, 1e-6f))};
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
    run->most_y = steepness_of(y, steps);
    run->most_x = steepness_of(x, steps);
    run->node = piece->node;
    run->there &= piece->little && !row->clamped;
}

/* A run from pixel k of a column on, which KEPT divides and lies in `row`. */
template <bool field>
static __device__ void begin_run(struct run *run, struct around *around, const struct warping *w,
                                 const struct column *column, const struct field_row *row, int k)
{
    const struct seen *seen = w->seen;
    struct field_piece piece = {-1};
    struct place p = kept_at(column->start, w->steps, k);
    if (field)
        p = moved_place(p, moved(&piece, k));
    struct past f = {fraction_of(p.y), fraction_of(p.x)};
    run->y = whole_of(p.y);
    run->x = whole_of(p.x);
    run->past_y.value = f.y;
    run->past_x.value = f.x;
    run->next = f;
    run->row = 0;
    run->rows = (float)(column->rows - k);
    if (field) {
        run->there = column->near && in_view(seen, run->y, run->x);
        add_field(run, w->steps, &piece, row, f);
    } else {
        float view = fminf(rows_in_view(seen->low.y, seen->most.y, p.y, w->steps->rows[0]),
                           rows_in_view(seen->low.x, seen->most.x, p.x, w->steps->rows[1]));
        run->there = column->near && is_seen(seen, p);
        run->rows = run->there ? fminf(view, run->rows) : 0;
    }
    run->at = run->there ? corner_at(run->y, run->x) : 0;
    find_calm<field>(run, w, row, f, 0);
    look_around(around, seen, 0, run->at);
}

/* Whether it goes on with KEPT pixels, from `row` on. */
template <bool field>
static __device__ bool goes_on(const struct run *run, const struct warping *w,
                               const struct field_row *row)
{
    bool there = run->row + KEPT <= run->rows;
    if (!field)
        return there;
    struct past f = past_at<field>(run, w->steps, row, KEPT - 1);
    int y = run->y + KEPT - 1 + (int)floorf(f.y), x = run->x + (int)floorf(f.x);
    return there & run->there & in_view(w->seen, y, x) & (row[KEPT - 1].node == run->node);
}

static __device__ bool is_calm(const struct run *run)
{
    return run->row < run->calm;
}

/* Pixel k from the next one on is read at f, in another whole pixel. */
template <bool field>
static __device__ void change_pixel(struct run *run, struct around *around, const struct warping *w,
                                    const struct field_row *row, int k, struct past *f)
{
    float y = floorf(f->y), x = floorf(f->x);
    *f = {f->y - y, f->x - x};
    run->at += (int)(y * SEEN_WIDE + x);
    if (field) {
        run->y += (int)y;
        run->x += (int)x;
        run->past_y.value -= y;
        run->past_x.value -= x;
    } else {
        run->past_y.value = f->y;
        run->past_x.value = f->x;
        run->next = {run->next.y - y, run->next.x - x};
        run->rows -= run->row + (float)k;
        run->row = -(float)k;
    }
    find_calm<field>(run, w, row, *f, k);
    look_around(around, w->seen, k, run->at + k * SEEN_WIDE);
}

/* Makes KEPT pixels, the first of which lies in `row`; calm: see is_calm. */
template <bool field, bool calm>
static __device__ uint16_t *make_kept(const struct warping *w, uint16_t *to, struct run *run,
                                      struct around *around, const struct field_row *row)
{
    KIN_UNROLL
    for (int k = 0; k < KEPT; k++, to = gpu_plain(to + (unsigned)w->dst->width)) {
        struct past f = past_at<field>(run, w->steps, row, k);
        if (!calm && (field ? !is_past(f) : run->calm <= run->row + (float)(k - (KEPT - 1))))
            change_pixel<field>(run, around, w, row, k, &f);
        look_below(around, w->seen, k, run->at + k * SEEN_WIDE);
        *to = gpu_round_u16(around_value(around, k, f));
    }
    return to;
}

/* The run has come KEPT pixels further. */
template <bool field>
static __device__ void move_on(struct run *run, const struct warp_steps *steps)
{
    run->at += KEPT * SEEN_WIDE;
    run->row += KEPT;
    if (field)
        run->y += KEPT;
    else
        run->next = {run->past_y.value + run->row * steps->drift[0],
                     run->past_x.value + run->row * steps->drift[1]};
}

/* ---- kernels: the warp ----------------------------------------------------------------------- */

/* Pixel k of a column, from the card's memory. */
template <bool covers, bool field>
static __device__ void make_far(const struct warping *w, const struct column *column, int k)
{
    float value = 0;
    double q[2];
    int y = column->y + k, x = column->x;
    warp_at(w->map, field, w->y0 + column->y, x, k, q);
    bool there = pixel_cubic(w->src, q[0], q[1], &value);
    *place_in(w->dst->pixels, w->dst, y, x) = gpu_round_u16(value);
    if (covers && !there)
        *place_in(w->dst->cover, w->dst, y, x) = 0;
}

/* KEPT pixels of a column, from pixel `first` on, one by one. */
template <bool covers, bool field>
static __device__ void make_each(const struct warping *w, const struct column *column, int first)
{
    struct field_piece piece = {-1};
    GPU_UNROLLED(1)
    for (int k = first; k < first + KEPT && k < column->rows; k++) {
        struct place p = step_on(kept_at(column->start, w->steps, k), w->steps, k % KEPT);
        if (field)
            p = moved_place(p, moved(&piece, k));
        if (column->near && is_seen(w->seen, p) && (!field || piece.little)) {
            struct around around;
            int at = corner_at(whole_of(p.y), whole_of(p.x));
            look_around(&around, w->seen, 0, at);
            look_below(&around, w->seen, 0, at);
            float value = around_value(&around, 0, {fraction_of(p.y), fraction_of(p.x)});
            *place_in(w->dst->pixels, w->dst, column->y + k, column->x) = gpu_round_u16(value);
        } else {
            make_far<covers, field>(w, column, k);
        }
    }
}

/* The threads of a warp go on in the same way, or they would do so one after the other. */
template <bool covers, bool field>
static __device__ void make_column(const struct warping *w, const struct column *column)
{
    struct run run;
    struct around around;
    const struct field_row *row = my_rows();
    uint16_t *to = place_in(w->dst->pixels, w->dst, column->y, column->x);
    begin_run<field>(&run, &around, w, column, row, 0);
    GPU_UNROLLED(1)
    for (int k = 0; k < ROWS; k += KEPT, row += field ? KEPT : 0) {
        bool calm = __all_sync(~0u, is_calm(&run));
        if (field && !calm) {
            if (k && !__all_sync(~0u, goes_on<field>(&run, w, row)))
                begin_run<field>(&run, &around, w, column, row, k);
            else
                find_calm<field>(&run, w, row, past_at<field>(&run, w->steps, row, 0), 0);
            calm = __all_sync(~0u, is_calm(&run));
        }
        if (calm) {
            to = make_kept<field, true>(w, to, &run, &around, row);
        } else if (__all_sync(~0u, goes_on<field>(&run, w, row))) {
            to = make_kept<field, false>(w, to, &run, &around, row);
        } else {
            make_each<covers, field>(w, column, k);
            run = {};
            around = {};
            to = gpu_plain(to + KEPT * (size_t)(unsigned)w->dst->width);
        }
        move_on<field>(&run, w->steps);
    }
}

/* Where the column's first pixel is read. */
static __device__ void begin_column(const struct warping *w, struct column *column)
{
    double q[2];
    pixel_affine(w->map, w->y0 + column->y, column->x, q);
    bool near = fixed_of(q[0] - (w->seen->top + 1), &column->start.y);
    near &= fixed_of(q[1] - (w->seen->left + 1), &column->start.x);
    column->near = near & w->steps->small;
}

template <bool covers, bool field>
static __global__ void __launch_bounds__(THREADS, field ? 5 : 8)
    warp(const __grid_constant__ struct warped dst, const __grid_constant__ struct pixel_source src,
         int y0, const __grid_constant__ struct warp_map map,
         const __grid_constant__ struct warp_steps steps, int nodes)
{
    struct seen *seen = seen_here();
    int top = (int)blockIdx.y * HIGH, left = (int)blockIdx.x * WIDE;
    struct warping w = {&dst, &src, &map, &steps, seen, y0};
    struct column column = {top + (int)threadIdx.y * ROWS, left + (int)threadIdx.x};
    if (covers)
        cover_all(&dst, top, left);
    if (field) {
        prepare_field(&map.grid, nodes, y0 + top, left);
        __syncthreads();
    }
    if (threadIdx.x == THREADS_WIDE / 2 && threadIdx.y == THREADS_HIGH / 2) {
        double q[2];
        warp_at(&map, field, y0 + column.y, column.x, 0, q);
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
    column.rows = rows_of(&dst, column.y, column.x);
    begin_column(&w, &column);
    make_column<covers, field>(&w, &column);
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

/* How many rows take a place that far that moves by `step` with each; not more than a million. */
static float rows_of_step(double step)
{
    return (float)(fabs(step) < 1e-6 ? copysign(1e6, step) : 1 / step);
}

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
        steps.rows[axis] = rows_of_step(step);
        steps.drift[axis] = (float)drift;
        steps.drifts[axis] = rows_of_step(drift);
        steps.edge[axis] = steps.drifts[axis] > 0;
        steps.fall[axis] = (float)(drift * map->grid.step);
    }
    steps.apart = map->grid.step;
    return steps;
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
    warped.wide_cover = to.x % sizeof(struct covered) == 0 &&
                        (uintptr_t)cover % sizeof(struct covered) == 0;
    bool field = map->grid.rows && map->grid.cols;
    auto launch = cover ? (field ? launch_warp<true, true> : launch_warp<true, false>)
                        : (field ? launch_warp<false, true> : launch_warp<false, false>);
    launch(dev, &warped, src, y0, map);
}
