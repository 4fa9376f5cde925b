// SPDX-License-Identifier: MIT
// warp.cu: resampling on the GPU.
//
// A map turns and stretches an image by little: the pixels of a block of threads are read close to
// where its middle one is. The block has what lies around that in shared memory; a thread goes down
// a column of pixels, of which each is read about one row below the one before, and keeps what it
// needs of the rows that they are made of in registers (warp_run.h). Only what is past the whole
// pixels is counted, in floats.
// Once for four pixels, the threads of a warp ask each other whether all of them go straight down,
// in the same column of the source: then nothing is asked below. If some meet a row twice or never,
// change their column of the source, or lie beyond the image, all four pixels of each are still
// made together, from what is seen beside. Else each asks for every pixel; those that are read
// further off are read from the card's memory. Columns that stay inside the image are asked no
// more than that: a loop of their own has no word for its border. With a displacement field, it is
// asked once for four pixels whether they do.
#include "cuda/warp_run.h"

namespace {

/* ---- kernels: places ------------------------------------------------------------------------- */

/* The knots of a block: the last one up to a row, and those after it. */
static __device__ const struct field_row *knots_at(int row)
{
    return field_rows_here() + (row - FIRST_KNOT) / WARP_KNOTS;
}

/* How far the field moves a pixel in that row of its block. */
static __device__ float2 moved_pixel(const struct warping *w, int row)
{
    struct field_piece piece;
    int column = (int)threadIdx.x, canvas = w->y0 + w->top;
    const struct warp_grid *grid = &w->map->grid;
    if (!w->steps->by_rows) {
        struct field_row here = field_row_at(grid, first_node(grid, canvas), canvas + row);
        return moved(&piece, &here, column);
    }
    float2 from = moved(&piece, knots_at(row), column),
           to = moved(&piece, knots_at(row) + 1, column);
    float along = (float)((row - FIRST_KNOT) % WARP_KNOTS) / WARP_KNOTS;
    return {from.x + along * (to.x - from.x), from.y + along * (to.y - from.y)};
}

/* Where pixel (y, x) of `dst` is read if the field moves it by u. */
static __device__ void warp_by(const struct warping *w, int y, int x, float2 u, double q[2])
{
    pixel_affine(w->map, w->y0 + y, x, q);
    q[0] += u.x;
    q[1] += u.y;
}

/* Where it is read. */
template <bool field>
static __device__ void warp_at(const struct warping *w, int y, int x, double q[2])
{
    warp_by(w, y, x, field ? moved_pixel(w, y - w->top) : float2{}, q);
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

/* Where pixel (y, x) lies in an image of these; also above it. */
template <typename T>
static __device__ T *place_in(T *image, const struct warped *dst, int y, int x)
{
    return gpu_plain(image + ((ptrdiff_t)y * dst->width + x));
}

struct alignas(16) covered {
    uint32_t four[4];
};

/* A block of threads covers its pixels, from (top, left) on. */
static __device__ void cover_all(const struct warped *dst, int top, int left)
{
    enum { EACH = sizeof(struct covered), BESIDE = WIDE / EACH, APART = THREADS / BESIDE };
    int me = my_number();
    if (dst->wide_cover && top >= 0 && top + HIGH <= dst->rows && left + WIDE <= dst->width) {
        uint8_t *to = place_in(dst->cover, dst, top + me / BESIDE, left + me % BESIDE * EACH);
        KIN_UNROLL
        for (int i = 0; i < HIGH; i += APART, to += APART * (size_t)(unsigned)dst->width)
            *(struct covered *)to = {{~0u, ~0u, ~0u, ~0u}};
    } else {
        int x = left + me % WIDE;
        GPU_UNROLLED(1)
        for (int y = top + me / WIDE; y < top + HIGH && y < dst->rows; y += THREADS / WIDE)
            if (y >= 0 && x < dst->width)
                *place_in(dst->cover, dst, y, x) = 255;
    }
}

/* ---- kernels: the warp ----------------------------------------------------------------------- */

/* Writes KEPT pixels below each other, `below` bytes apart. */
static __device__ void write_pixels(uint16_t *to, unsigned below, const float value[KEPT])
{
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++, to = gpu_past(to, below, 1))
        *to = gpu_round_u16(value[j]);
}

/* Bit j: whether the j-th pixel of a column from pixel k on, which is f past the whole pixels of a
 * run, lies in the image. Floats tell, unless it lies next to the border. */
template <bool field>
static __device__ unsigned which_there(const struct warping *w, const struct column *column,
                                       const struct run *run, int k, const struct past f[KEPT])
{
    int y = w->seen->top + 1 + run->top + k, x = w->seen->left + 1 + run->x;
    float above = (float)y, below = (float)(w->src->h - 1 - y), before = (float)x,
          behind = (float)(w->src->w - 1 - x);
    unsigned there = 0, unknown = 0;
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        float near = field && j == 0 ? 0.75f : 0.0625f, /* the first lies on the line before */
            down = (float)j + f[j].y,
              across = f[j].x - (2 - f[j].y) * drift_of<field>(run, w->steps, 1).x,
              inside = fminf(fminf(above + down, below - down),
                             fminf(before + across, behind - across)) +
                       0.5f;
        there |= (unsigned)(inside > near) << j;
        unknown |= (unsigned)!(run->end && fabsf(inside) > near) << j;
    }
    there &= ~unknown;
    GPU_UNROLLED(1)
    for (int j = 0; unknown >> j; j++) {
        double q[2];
        if (!(unknown >> j & 1))
            continue;
        warp_at<field>(w, column->y + k + j, column->x, q);
        there |= (unsigned)pixel_there(w->src, q[0], q[1]) << j;
    }
    return there;
}

/* KEPT pixels of a column, from pixel k on, that lie in the image and do not all go straight on. */
static __device__ void make_turning(const struct warping *w, const struct column *column,
                                    uint16_t *to, struct run *run, struct kept *kept, int k,
                                    const struct past f[KEPT], struct turns turns)
{
    float value[KEPT];
    int top = run->top;
    make_aside<true>(turns, turns_of_all(turns), value, run, kept, w->steps, f);
    write_pixels(to, w->below, value);
    move_end(run, w->seen, column, k + KEPT, top);
}

/* The same at the image's border. False: those of one of the warp's threads are to be made one by
 * one. Of the others some may lie beyond the image, or there is none left. near, mine: what
 * goes_aside has found. */
template <bool covers, bool field>
static __device__ bool made_aside(const struct warping *w, const struct column *column,
                                  uint16_t *to, struct run *run, struct kept *kept, int k,
                                  const struct past f[KEPT], bool near, struct turns mine)
{
    const unsigned ALL = (1 << KEPT) - 1;
    bool left = k < column->rows, all = k >= column->first && k + KEPT <= column->rows,
         aside = near && k + KEPT <= run->end && run->top + k + 2 * KEPT <= SEEN_HIGH;
    unsigned there = ALL;
    if (left && (k + KEPT > run->sure || run->top + k + KEPT > w->seen->last.y))
        there = which_there<field>(w, column, run, k, f);
    if (!__all_sync(~0u, aside || !left || (!there && all)))
        return false;
    bool made = left && aside;
    struct turns turns = turns_of_all({made && mine.up, made && mine.down, made && mine.beside});
    if (!left)
        return true;
    float value[KEPT] = {};
    if (aside) {
        make_aside<field>(mine, turns, value, run, kept, w->steps, f);
        find_end(run, w->seen, column, k + KEPT);
    } else {
        run->end = run->sure = 0;
    }
    KIN_UNROLL
    for (int j = 0; j < KEPT; j++) {
        bool is_there = there >> j & 1;
        value[j] = is_there ? value[j] : 0;
        if (covers && !is_there)
            *place_in(w->dst->cover, w->dst, column->y + k + j, column->x) = 0;
    }
    write_pixels(to, w->below, value);
    return true;
}

/* KEPT pixels of a column, from pixel `first` on, one by one: of a run, or from the card's memory.
 * Where none can begin, that is asked once for all of them. */
template <bool covers>
static __device__ void make_each(const struct warping *w, const struct column *column, uint16_t *to,
                                 struct run *run, struct kept *kept, int first)
{
    int last = first + KEPT < column->rows ? first + KEPT : column->rows;
    GPU_UNROLLED(1)
    for (int k = first; k < last; k++) {
        int y = column->y + k;
        float value = 0;
        if (k >= run->end && (run->end || k == first))
            begin_run(run, kept, w, column, k);
        struct past f = run->next;
        if (run->end && !is_past(f))
            change_pixel(run, kept, w, column, k, &f);
        else if (k >= run->sure && run->end)
            find_end(run, w->seen, column, k);
        bool there = k < run->sure;
        double q[2] = {};
        if (!there) {
            warp_at<false>(w, y, column->x, q);
            there = pixel_there(w->src, q[0], q[1]);
        }
        if (k < run->end)
            value = make_next(run, kept, w->steps, f);
        else if (there)
            pixel_slanted(w->src, q[0], q[1], w->steps->crossed, &value);
        *to = gpu_round_u16(there ? value : 0);
        to = gpu_past(to, w->below, 1);
        if (covers && !there)
            *place_in(w->dst->cover, w->dst, y, column->x) = 0;
    }
}

/* The four knots of a column of which KEPT pixels, from pixel k on, are made: see pixel_bent. */
static __device__ void find_knots(const struct warping *w, const struct column *column, int k,
                                  double y[4], double x[4])
{
    for (int i = 0; i < 4; i++) {
        struct field_piece piece;
        int row = column->y + k + FIRST_KNOT + i * WARP_KNOTS;
        double q[2];
        warp_by(w, row, column->x, moved(&piece, knots_at(row - w->top), (int)threadIdx.x), q);
        y[i] = q[0];
        x[i] = q[1];
    }
}

/* With a field: KEPT pixels of a column, from pixel `first` on, from the card's memory. */
template <bool covers>
static __device__ void make_alone(const struct warping *w, const struct column *column,
                                  uint16_t *to, int first)
{
    double down[4], across[4], q[2];
    int last = first + KEPT < column->rows ? first + KEPT : column->rows;
    if (w->steps->by_rows)
        find_knots(w, column, first, down, across);
    GPU_UNROLLED(1)
    for (int k = first; k < last; k++, to = gpu_past(to, w->below, 1)) {
        int y = column->y + k;
        float value = 0;
        bool there;
        if (k < column->first)
            continue;
        if (w->steps->by_rows) {
            there = pixel_bent(w->src, down, across, k - first, &value);
        } else {
            warp_at<true>(w, y, column->x, q);
            there = pixel_cubic(w->src, q[0], q[1], &value);
        }
        *to = gpu_round_u16(there ? value : 0);
        if (covers && !there)
            *place_in(w->dst->cover, w->dst, y, column->x) = 0;
    }
}

/* Whether all pixels of a column, and those beside them, are seen and surely lie in the image. */
static __device__ bool stays_inside(const struct warping *w, const struct column *column)
{
    struct place end = place_of(column, w->steps, ROWS - 1);
    const struct place *first = &w->seen->first, *last = &w->seen->last;
    int top = whole_of(column->start.y), bottom = whole_of(end.y), from = whole_of(column->start.x),
        to = whole_of(end.x);
    return w->seen->near && column->rows == ROWS && w->steps->even && top > first->y &&
           bottom < last->y && from > first->x && from < last->x && to > first->x && to < last->x;
}

/* Makes columns of which this is so for all threads of a warp, without a field. */
static __device__ void make_inside(const struct warping *w, const struct column *column,
                                   uint16_t *to)
{
    const struct warp_steps *steps = w->steps;
    struct run run = {};
    struct kept kept = {};
    int x = column->across + steps_on(steps->slant, KEPT - 2);
    run.at = corner_at(whole_of(column->start.y) + KEPT - 1, whole_of(x));
    run.next = {fraction_of(column->start.y), fraction_of(x)};
    look_around<false>(&kept, &run, steps, run.next.x);
    GPU_UNROLLED(1)
    for (int k = 0; k < ROWS; k += KEPT) {
        struct past f[KEPT];
        float value[KEPT];
        bool straight = goes_on<false>(&run, steps, f);
        if (__all_sync(~0u, straight)) {
            make_kept<false>(value, &run, &kept, steps, f);
        } else {
            struct turns mine;
            goes_aside<false>(&run, steps, f, &mine);
            make_aside<false>(mine, turns_of_all(mine), value, &run, &kept, steps, f);
        }
        write_pixels(to, w->below, value);
        to = gpu_past(to, w->below, KEPT);
    }
}

/* KEPT pixels of a column that go neither straight on nor aside within the image; row: of the knots
 * above them. */
template <bool covers, bool field>
static __device__ void make_beyond(const struct warping *w, const struct column *column,
                                   uint16_t *to, struct run *run, struct kept *kept,
                                   const struct field_row *row, int k, const struct past f[KEPT],
                                   bool near, struct turns turns)
{
    if (made_aside<covers, field>(w, column, to, run, kept, k, f, near, turns))
        return;
    if (field) {
        make_alone<covers>(w, column, to, k);
        begin_lines(run, kept, w, column, row + 1, k + KEPT);
    } else {
        make_each<covers>(w, column, to, run, kept, k);
    }
}

/* Makes any columns. The threads of a warp go on in the same way, or they would do so one after the
 * other. */
template <bool covers, bool field>
static __device__ void make_any(const struct warping *w, const struct column *column, uint16_t *to)
{
    struct run run = {};
    struct kept kept = {};
    const struct field_row *row = knots_at((int)threadIdx.y * ROWS); /* of those above pixel k */
    if (field)
        begin_lines(&run, &kept, w, column, row, 0);
    else
        begin_run(&run, &kept, w, column, 0);
    GPU_UNROLLED(1)
    for (int k = 0; k < ROWS; k += KEPT, row++) {
        struct past f[KEPT];
        float value[KEPT];
        if (field)
            next_line(&run, w, column, row + 2, k + 1 + WARP_KNOTS);
        bool straight = goes_on<field>(&run, w->steps, f) & (k + KEPT <= run.sure);
        if (__all_sync(~0u, straight)) {
            make_kept<field>(value, &run, &kept, w->steps, f);
            write_pixels(to, w->below, value);
        } else {
            struct turns turns;
            bool near = goes_aside<field>(&run, w->steps, f, &turns);
            if (field && __all_sync(~0u, near & (k + KEPT < run.sure)))
                make_turning(w, column, to, &run, &kept, k, f, turns);
            else
                make_beyond<covers, field>(w, column, to, &run, &kept, row, k, f, near, turns);
        }
        to = gpu_past(to, w->below, KEPT);
    }
}

/* Where pixel (y, x) is read along an axis, but for a field. */
static __device__ int64_t along(const int64_t step[3], int y, int x)
{
    return step[0] * (unsigned)y + step[1] * (unsigned)x + step[2];
}

/* Where the column's first pixel is read. */
static __device__ void begin_column(const struct warping *w, struct column *column)
{
    const struct warp_steps *steps = w->steps;
    int down = (int)threadIdx.y * ROWS - HIGH / 2, beside = (int)threadIdx.x - WIDE / 2;
    struct place *start = &column->start;
    start->y = w->seen->middle.y + down * (1 << FRACTION) +
               steps_on(steps->down.y, down, steps->beside.y, beside);
    start->x = w->seen->middle.x + beside * (1 << FRACTION) +
               steps_on(steps->down.x, down, steps->beside.x, beside);
    /* what is past the whole pixel takes it that far along x */
    int64_t past = bits_past(start->y);
    column->across = start->x - (int)(steps->slant * past >> 31);
}

template <bool covers, bool field>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    warp(const __grid_constant__ struct warped dst, const __grid_constant__ struct pixel_source src,
         int y0, const __grid_constant__ struct warp_map map,
         const __grid_constant__ struct warp_steps steps, int nodes)
{
    /* with a field, blocks begin in rows of the canvas that are multiples of WARP_KNOTS */
    int above = field ? pixel_below_first(y0) : 0, top = (int)blockIdx.y * HIGH - above,
        left = (int)blockIdx.x * WIDE;
    float2 u = {};
    if (field) {
        struct field_piece piece;
        prepare_field(&map.grid, nodes, y0 + top, left);
        __syncthreads();
        u = moved(&piece, knots_at(HIGH / 2), WIDE / 2);
    }
    int y = y0 + top + HIGH / 2, x = left + WIDE / 2;
    struct seen seen = seen_around(&src, along(steps.y, y, x), along(steps.x, y, x), u);
    seen.near &= steps.small;
    if (!seen.near)
        seen.middle = {}; /* as integers have no room for it */
    struct warping w = {&dst,  &src, &map, &steps,
                        &seen, y0,   top,  (unsigned)(dst.width * sizeof(*dst.pixels))};
    struct column column = {top + (int)threadIdx.y * ROWS, left + (int)threadIdx.x};
    column.first = column.y < 0 ? -column.y : 0;
    if (!seen.given)
        see_all<false>(&seen, &src);
    else if (seen.together == TOGETHER)
        see_together<TOGETHER>(&seen, &src);
    else if (seen.together == TOGETHER / 2)
        see_together<TOGETHER / 2>(&seen, &src);
    else
        see_all<true>(&seen, &src);
    if (covers)
        cover_all(&dst, top, left);
    column.rows = rows_of(&dst, column.y, column.x);
    begin_column(&w, &column);
    gpu_copies_wait();
    __syncthreads();
    uint16_t *to = place_in(dst.pixels, &dst, column.y, column.x);
    if (!field && __all_sync(~0u, stays_inside(&w, &column)))
        make_inside(&w, &column, to);
    else
        make_any<covers, field>(&w, &column, to);
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

/* Where pixels are read along an axis: first + down y + aside x. Answers whether integers have room
 * for that, up to pixel (h, w). */
static bool find_places(int64_t place[3], double first, double down, double aside, int h, int w)
{
    const double scale = (double)(INT64_C(1) << PLACE);
    if (!(fabs(first) + fabs(down) * h + fabs(aside) * w < FAR))
        return false;
    place[0] = llrint(down * scale);
    place[1] = llrint(aside * scale);
    place[2] = llrint(first * scale);
    return true;
}

static int fixed_step(double step)
{
    return (int)lrint(step * 0x1p31);
}

static struct warp_steps steps_of(const struct warp_map *map, int y0, const struct warped *dst)
{
    struct warp_steps steps = {};
    int h = y0 + dst->rows, w = dst->width;
    const double *a = map->a;
    double first[2], slant = pixel_slant(map);
    pixel_affine(map, 0, 0, first);
    steps.crossed = slant;
    steps.by_rows = pixel_by_rows(map);
    steps.small = steps.by_rows && find_places(steps.y, first[0], a[0], a[1], h, w) &&
                  find_places(steps.x, first[1], a[2], a[3], h, w);
    if (!steps.small)
        return steps;
    steps.even = KEPT * fabs(a[0] - 1) < 1;
    steps.down = {fixed_step(a[0] - 1), fixed_step(a[2])};
    steps.beside = {fixed_step(a[1]), fixed_step(a[3] - 1)};
    steps.slant = fixed_step(slant);
    for (int j = 0; j <= KEPT; j++)
        steps.drift[j] = {(float)(j * (a[0] - 1)), (float)(j * slant)};
    steps.fall[0] = (float)((a[0] - 1) * map->grid.step);
    steps.fall[1] = (float)(a[2] * map->grid.step);
    return steps;
}

template <bool covers, bool field>
static void launch_warp(struct device *dev, const struct warped *dst, const struct image_rows *src,
                        int y0, const struct warp_map *map)
{
    int nodes = field ? (int)((KNOTS - 1) * WARP_KNOTS / map->grid.step) + 5 : 0,
        above = field ? pixel_below_first(y0) : 0;
    size_t shared = SEEN_HIGH * sizeof(seen_row) + (field ? KNOTS * sizeof(struct field_row) : 0) +
                    (size_t)nodes * WIDE * sizeof(float2);
    dim3 grid(gpu_pieces((size_t)dst->width, WIDE), gpu_pieces((size_t)(dst->rows + above), HIGH));
    LAUNCH(dev, (warp<covers, field>), grid, dim3(THREADS_WIDE, THREADS_HIGH), shared)
    (*dst, pixel_source_of(src), y0, *map, steps_of(map, y0, dst), nodes);
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
