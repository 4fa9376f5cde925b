// SPDX-License-Identifier: MIT
/* median.cu: medians of 5 x 5 on the GPU.
 *
 * A thread goes down two columns, two rows at a time, and makes the four medians M there of what it
 * has sorted:
 *
 *     ' + + + + '    All four see the sixteen pixels c and M: four rows of four, each sorted, two
 *     : c c c c :    and two merged, the last two for the next medians as well. Of twenty-five
 *     : c M M c :    neither the three lowest of these nor the three highest is the middle one: ten
 *     : c M M c :    are left. Two medians next to each other see the row + above or below: of it
 *     : c c c c :    and eight of the ten, four are left. The other two are merged with four pixels
 *     ' + + + + '    : of a column, which two medians see. Each sees one pixel ' of its own.
 *
 * That is 52 minima and maxima for a median. */
#include "cuda/sort.h"
#include "core/fold.h"

enum {
    WARP = 32,
    HIGH = 4,       /* warps of a block, one below the other */
    BLOCKS = 5,     /* of a multiprocessor: with four, warps would wait more */
    ROWS_LEAST = 8, /* of medians that a thread makes; for each it sorts four more */
    ROWS_MOST = 32,
    WIDE = 2 * WARP,  /* columns of a block */
    SIDE = 6,         /* pixels of a row that a thread reads */
    ASKED = WARP / 2, /* rows that a warp asks for at a time: two threads each */
    PAIRS_LEAST = 7,
};

namespace {

/* ---- sorting --------------------------------------------------------------------------------- */

struct four {
    float v[4];
};

struct eight {
    float v[8];
};

/* Two sorted pairs. */
static __device__ struct four merged(const float (&a)[2], const float (&b)[2])
{
    struct four all = {{a[0], a[1], b[0], b[1]}};
    sort_merge<0, 4, 1, 4, sort_two_apart>(all.v);
    return all;
}

static __device__ struct four sorted(float a, float b, float c, float d)
{
    sort_two_apart(a, b);
    sort_two_apart(c, d);
    return merged({a, b}, {c, d});
}

static __device__ struct eight merged(const struct four &a, const struct four &b)
{
    struct eight all;
    KIN_UNROLL
    for (int i = 0; i < 4; i++) {
        all.v[i] = a.v[i];
        all.v[4 + i] = b.v[i];
    }
    sort_merge<0, 8, 1, 8, sort_two_apart>(all.v);
    return all;
}

/* The ten in the middle of sixteen. */
static __device__ void middle_ten(float (&ten)[10], const struct eight &a, const struct eight &b)
{
    float all[16];
    KIN_UNROLL
    for (int i = 0; i < 8; i++) {
        all[i] = a.v[i];
        all[8 + i] = b.v[i];
    }
    sort_merge<0, 16, 1, 16, sort_two_apart>(all);
    KIN_UNROLL
    for (int i = 0; i < 10; i++)
        ten[i] = all[3 + i];
}

/* The middle six of ten and four are the middle two of the ten and these, sorted. One of the four
 * that is among the four lowest of all gives its place to one of the ten that is not, and so does
 * one of the four highest. What is there then falls, rises and falls, round in a circle only once:
 * half of a bitonic sort is enough. */
static __device__ struct four kept_of(const struct four &more, const float (&ten)[10])
{
    struct four kept;
    float *v = kept.v;
    KIN_UNROLL
    for (int i = 0; i < 4; i++)
        v[i] = fminf(fmaxf(more.v[i], ten[3 - i]), ten[9 - i]);
    sort_two_apart(v[0], v[2]);
    sort_two_apart(v[1], v[3]);
    sort_two(v[0], v[1]);
    sort_two(v[2], v[3]);
    return kept;
}

/* Four and two: Batcher's merge. */
static __device__ void merged_six(float (&six)[6], const struct four &a, float b, float c)
{
    KIN_UNROLL
    for (int i = 0; i < 4; i++)
        six[i] = a.v[i];
    six[4] = b;
    six[5] = c;
    sort_two_apart(six[0], six[4]);
    sort_two_apart(six[1], six[5]);
    sort_two_apart(six[2], six[4]);
    sort_two_apart(six[3], six[5]);
    sort_two_apart(six[1], six[2]);
    sort_two_apart(six[3], six[4]);
}

/* The middle one of six, four and one. */
static __device__ float middle_of(const float (&six)[6], const struct four &four, float corner)
{
    float v[4]; /* without the four lowest; then the lowest two of them, and of all */
    KIN_UNROLL
    for (int i = 0; i < 4; i++)
        v[i] = fmaxf(six[i], four.v[3 - i]);
    float a = fminf(v[0], v[2]), b = fminf(v[1], v[3]);
    sort_two(a, b);
    a = fminf(a, six[5]);
    b = fminf(b, six[4]);
    sort_two(a, b);
    return fminf(fmaxf(corner, a), b);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Pixels of a row: the one beside the medians on the left, four around them, one on the right. */
struct pixels {
    float v[SIDE];
};

struct row {
    float left, right;
    struct four sorted;
};

static __device__ struct row row_of(const struct pixels &row)
{
    const float *v = row.v;
    return {v[0], v[5], sorted(v[1], v[2], v[3], v[4])};
}

/* Rows one below the other, mirrored at the edges of an h x w plane. */
struct mirrored_rows {
    const float *plane;
    int h, w, y, column[SIDE];
    __device__ void ask(int) const {}
    __device__ void wait(unsigned) const {}
    __device__ struct pixels next()
    {
        const float *line = plane + (size_t)(unsigned)kin_mirror(y++, h) * (unsigned)w;
        struct pixels row;
        KIN_UNROLL
        for (int i = 0; i < SIDE; i++)
            row.v[i] = line[column[i]];
        return row;
    }
};

/* The same of a plane of PAIRS_LEAST rows and columns at least, where all addresses of pairs can be
 * divided by 8. */
struct mirrored_pairs {
    const float *plane;
    int h, w, y, x;
    __device__ void ask(int) const {}
    __device__ void wait(unsigned) const {}
    __device__ struct pixels next()
    {
        int row = y < 0 ? -1 - y : y < h ? y : 2 * h - 1 - y;
        bool first = x == 0, last = x + 2 == w;
        const float2 *line = (const float2 *)(plane + (size_t)(unsigned)row * (unsigned)w + x);
        float2 a = line[first ? 0 : -1], b = line[0], c = line[last ? 0 : 1];
        y++;
        return {
            {first ? a.y : a.x, first ? a.x : a.y, b.x, b.y, last ? c.y : c.x, last ? c.x : c.y}};
    }
};

/* The same where there is no edge. A warp asks for rows long before it reads them. */
struct inner_pairs {
    const float2 *at;
    int step;           /* pairs from a row to the next one */
    int rows;           /* that are read */
    const float *asked; /* the line of the first ones, if a thread asks for it */
    __device__ void ask(int first) const
    {
        int row = first + (int)threadIdx.x / 2;
        if (row < rows)
            gpu_ask(asked + (ptrdiff_t)row * step * 2);
    }
    __device__ void wait(unsigned seen) { at = gpu_after(at, seen); }
    __device__ struct pixels next()
    {
        float2 a = at[0], b = at[1], c = at[2];
        at += step;
        return {{a.x, a.y, b.x, b.y, c.x, c.y}};
    }
};

/* ---- medians --------------------------------------------------------------------------------- */

/* Two rows, one below the other. */
struct two {
    struct row upper, lower;
};

/* The lower row of two and the upper one of the next two, sorted together. */
struct joined {
    struct eight inner;
    float left[2], right[2];
};

static __device__ struct joined joined_of(const struct row &a, const struct row &b)
{
    struct joined both = {merged(a.sorted, b.sorted), {a.left, b.left}, {a.right, b.right}};
    sort_two_apart(both.left[0], both.left[1]);
    sort_two_apart(both.right[0], both.right[1]);
    return both;
}

template <typename Rows> static __device__ void read_two(struct pixels (&two)[2], Rows *rows)
{
    two[0] = rows->next();
    two[1] = rows->next();
}

/* The medians of rows y and y + 1. They see the four rows of `above` and `here`, the middle two of
 * them joined in `upper`, and two more, which then take the place of `above`; lower: the last of
 * the four and the first of these, joined. While rows are sorted, the next two are read. */
template <typename Rows, typename Put>
static __device__ void medians_of_two(struct two *above, const struct two &here,
                                      const struct joined &upper, struct joined *lower,
                                      struct pixels (&more)[2], Rows *rows, int y, Put put)
{
    struct row next = row_of(more[0]), after = row_of(more[1]);
    rows->wait(gpu_bits_of(next.right) | gpu_bits_of(after.right));
    read_two(more, rows);
    *lower = joined_of(here.lower, next);
    float ten[10], left[6], right[6];
    middle_ten(ten, upper.inner, lower->inner);
    merged_six(left, merged(upper.left, lower->left), ten[4], ten[5]);
    merged_six(right, merged(upper.right, lower->right), ten[4], ten[5]);
    struct four kept = kept_of(above->upper.sorted, ten);
    put(y, middle_of(left, kept, above->upper.left), middle_of(right, kept, above->upper.right));
    kept = kept_of(after.sorted, ten);
    put(y + 1, middle_of(left, kept, after.left), middle_of(right, kept, after.right));
    *above = {next, after};
}

/* Four rows at a time, so that what was `here` can be `above` without being moved. At the end two
 * rows are read that nobody needs. */
template <typename Rows, typename Put>
static __device__ void medians_down(Rows rows, int count, Put put)
{
    struct pixels p[2];
    struct two a, b;
    rows.ask(0);
    read_two(p, &rows);
    a = {row_of(p[0]), row_of(p[1])};
    read_two(p, &rows);
    b = {row_of(p[0]), row_of(p[1])};
    read_two(p, &rows);
    struct joined upper = joined_of(a.lower, b.upper), lower;
    GPU_UNROLLED(1)
    for (int y = 0; y < count; y += 4) {
        if (y % ASKED == 0)
            rows.ask(y + ASKED);
        medians_of_two(&a, b, upper, &lower, p, &rows, y, put);
        medians_of_two(&b, a, lower, &upper, p, &rows, y + 2, put);
    }
}

/* Pixels of an h x w plane from (y, x) on: `rows` rows, of which the plane has count. */
struct part {
    float *dst;
    const float *src;
    int h, w, y, x, rows, count;
    __device__ size_t at() const { return (size_t)(unsigned)y * (unsigned)w + (unsigned)x; }
};

/* Every other warp goes up: it begins, and ends, next to one that begins or ends there at the same
 * time, and the last cache still holds the pixels that both read. */
static __device__ void medians_inside(const struct part &p)
{
    int lane = (int)threadIdx.x, line = 2 + lane % 2 * WARP - 2 * lane;
    bool up = p.y / p.rows % 2;
    ptrdiff_t w = p.w, step = up ? -w : w;
    const float *from = p.src + p.at() + (up ? (p.rows + 1) * w : -2 * w) - 2;
    float *to = p.dst + p.at() + (up ? (p.rows - 1) * w : 0);
    medians_down(inner_pairs{(const float2 *)from, (int)step / 2, p.rows + 4, from + line}, p.rows,
                 [&](int, float a, float b) {
                     *(float2 *)to = {a, b};
                     to += step;
                 });
}

static __device__ void medians_of_pairs(const struct part &p)
{
    float *to = p.dst + p.at();
    medians_down(mirrored_pairs{p.src, p.h, p.w, p.y - 2, p.x}, p.count,
                 [&](int k, float a, float b) {
                     if (k < p.count)
                         *(float2 *)to = {a, b};
                     to += p.w;
                 });
}

static __device__ void medians_of_any(const struct part &p)
{
    struct mirrored_rows rows = {p.src, p.h, p.w, p.y - 2};
    KIN_UNROLL
    for (int i = 0; i < SIDE; i++)
        rows.column[i] = kin_mirror(p.x - 2 + i, p.w);
    float *to = p.dst + p.at();
    medians_down(rows, p.count, [&](int k, float a, float b) {
        if (k < p.count) {
            to[0] = a;
            if (p.x + 1 < p.w)
                to[1] = b;
        }
        to += p.w;
    });
}

/* A thread makes `rows` rows. pairs: two pixels next to each other can be read and written at
 * once. How is decided once for a warp. */
static __global__ void __launch_bounds__(WARP *HIGH, BLOCKS)
    median_all(float *dst, const float *src, int h, int w, int rows, bool pairs)
{
    int x = 2 * (int)(blockIdx.x * WARP + threadIdx.x),
        y = (int)(blockIdx.y * HIGH + threadIdx.y) * rows;
    size_t plane = (size_t)blockIdx.z * (unsigned)h * (unsigned)w;
    struct part p = {dst + plane, src + plane, h, w, y, x, rows, rows < h - y ? rows : h - y};
    bool there = x < w && y < h,
         inside = pairs && x >= 2 && x + 3 < w && y >= 2 && y + rows + 3 < h;
    bool all_inside = __all_sync(~0u, inside || !there);
    if (!there)
        return;
    if (all_inside)
        medians_inside(p);
    else if (pairs && w >= PAIRS_LEAST && h >= PAIRS_LEAST)
        medians_of_pairs(p);
    else
        medians_of_any(p);
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

void gpu_median5(struct device *dev, float *dst, const float *src, struct kin_dims dims)
{
    int rows = gpu_rows_each(dev, kin_count(dims) / 2, ROWS_LEAST, ROWS_MOST);
    dim3 grid(gpu_pieces((size_t)dims.x, WIDE), gpu_pieces((size_t)dims.y, HIGH * (size_t)rows),
              (unsigned)dims.z);
    bool pairs = dims.x % 2 == 0 && ((uintptr_t)src | (uintptr_t)dst) % sizeof(float2) == 0;
    LAUNCH(dev, median_all, grid, dim3(WARP, HIGH), 0)(dst, src, dims.y, dims.x, rows, pairs);
}
