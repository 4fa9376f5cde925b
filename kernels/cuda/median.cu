// SPDX-License-Identifier: MIT
/* median.cu: medians of 5 x 5 on the GPU.
 *
 * A thread goes down two columns, two rows at a time, and makes the four medians M there of what it
 * has sorted:
 *
 *     ' + + + + '    All four see the sixteen pixels c and M: four rows of four, each sorted, two
 *     : c c c c :    and two merged, the last two for the next medians as well. Of twenty-five
 *     : c M M c :    neither the three lowest of these nor the three highest is the middle one: ten
 *     : c M M c :    are left. Two medians next to each other see the row + above or below: of the
 *     : c c c c :    fourteen the middle six are left. Each sees four sorted pixels : of a column,
 *     ' + + + + '    and one '.
 *
 * That is 59 minima and maxima for a median. */
#include "cuda/sort.h"
#include "core/fold.h"

enum {
    WARP = 32,
    HIGH = 4,       /* warps of a block, one below the other */
    BLOCKS = 5,     /* of a multiprocessor: with four, warps would wait more */
    ROWS_LEAST = 8, /* of medians that a thread makes; for each it sorts four more */
    ROWS_MOST = 64,
    WIDE = 2 * WARP, /* columns of a block */
    SIDE = 6,        /* pixels of a row that a thread reads */
};

namespace {

/* ---- sorting --------------------------------------------------------------------------------- */

/* Four values of which the first rise and the others fall, or the other way round. */
static __device__ void sort_bitonic(float (&v)[4])
{
    sort_two_apart(v[0], v[2]);
    sort_two_apart(v[1], v[3]);
    sort_two_apart(v[0], v[1]);
    sort_two_apart(v[2], v[3]);
}

struct four {
    float v[4];
};

struct eight {
    float v[8];
};

/* Two sorted pairs. */
static __device__ struct four merged(float a, float b, float c, float d)
{
    struct four all = {{a, b, c, d}};
    sort_merge<0, 4, 1, 4, sort_two_apart>(all.v);
    return all;
}

static __device__ struct four sorted(float a, float b, float c, float d)
{
    sort_two_apart(a, b);
    sort_two_apart(c, d);
    return merged(a, b, c, d);
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

/* What is left of the four lowest of ten, and four, when the four lowest of all are gone; of the
 * four highest, when the four highest are. */
static __device__ struct four without_lowest(const float (&ten)[10], const struct four &more)
{
    struct four left;
    KIN_UNROLL
    for (int i = 0; i < 4; i++)
        left.v[i] = fmaxf(ten[i], more.v[3 - i]);
    sort_bitonic(left.v);
    return left;
}

static __device__ struct four without_highest(const float (&ten)[10], const struct four &more)
{
    struct four left;
    KIN_UNROLL
    for (int i = 0; i < 4; i++)
        left.v[i] = fminf(ten[6 + i], more.v[3 - i]);
    sort_bitonic(left.v);
    return left;
}

/* The six in the middle of ten and four. */
static __device__ void middle_six(float (&six)[6], const float (&ten)[10], const struct four &more)
{
    struct four left = without_highest(ten, without_lowest(ten, more));
    float even[3] = {ten[4], left.v[0], left.v[2]}, odd[3] = {ten[5], left.v[1], left.v[3]};
    KIN_UNROLL
    for (int i = 0; i < 2; i++) {
        sort_two(even[i], even[i + 1]);
        sort_two(odd[i], odd[i + 1]);
    }
    KIN_UNROLL
    for (int i = 0; i < 3; i++) {
        six[2 * i] = even[i];
        six[2 * i + 1] = odd[i];
    }
    sort_two(six[1], six[2]);
    sort_two(six[3], six[4]);
}

/* The middle one of six, four and one. */
static __device__ float middle_of(const float (&six)[6], const struct four &beside, float corner)
{
    float v[4]; /* without the four lowest; then the lowest two of them, and of all */
    KIN_UNROLL
    for (int i = 0; i < 4; i++)
        v[i] = fmaxf(six[i], beside.v[3 - i]);
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

/* The same where there is no edge and all addresses can be divided by 8. */
struct inner_rows {
    const float *at;
    int w;
    __device__ struct pixels next()
    {
        const float2 *line = (const float2 *)at;
        float2 a = line[0], b = line[1], c = line[2];
        at += w;
        return {{a.x, a.y, b.x, b.y, c.x, c.y}};
    }
};

/* ---- medians --------------------------------------------------------------------------------- */

template <typename Rows, typename Put>
static __device__ void medians_down(Rows rows, int count, Put put)
{
    struct row r[4];
    KIN_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = row_of(rows.next());
    struct pixels first = rows.next(), second = rows.next(); /* read while others are sorted */
    struct eight upper = merged(r[1].sorted, r[2].sorted);
    for (int y = 0; y < count; y += 2) {
        struct row next = row_of(first), after = row_of(second);
        if (y + 2 < count) {
            first = rows.next();
            second = rows.next();
        }
        struct eight lower = merged(r[3].sorted, next.sorted);
        float ten[10], six[6];
        struct four left = sorted(r[1].left, r[2].left, r[3].left, next.left),
                    right = sorted(r[1].right, r[2].right, r[3].right, next.right);
        middle_ten(ten, upper, lower);
        middle_six(six, ten, r[0].sorted);
        put(y, middle_of(six, left, r[0].left), middle_of(six, right, r[0].right));
        middle_six(six, ten, after.sorted);
        put(y + 1, middle_of(six, left, after.left), middle_of(six, right, after.right));
        r[0] = r[2];
        r[1] = r[3];
        r[2] = next;
        r[3] = after;
        upper = lower;
    }
}

/* From pixel (y, x) of a plane on; at: its place. rows: an even number. */
static __device__ void medians_inside(float *dst, const float *src, size_t at, int w, int rows)
{
    float *to = dst + at;
    medians_down(inner_rows{src + at - 2 * (size_t)(unsigned)w - 2, w}, rows,
                 [&](int, float a, float b) {
                     *(float2 *)to = {a, b};
                     to += w;
                 });
}

static __device__ void medians_at_edges(float *dst, const float *src, int h, int w, int y, int x,
                                        int count)
{
    struct mirrored_rows rows = {src, h, w, y - 2};
    KIN_UNROLL
    for (int i = 0; i < SIDE; i++)
        rows.column[i] = kin_mirror(x - 2 + i, w);
    medians_down(rows, count, [&](int k, float a, float b) {
        float *to = dst + (size_t)(unsigned)(y + k) * (unsigned)w + (unsigned)x;
        if (k >= count)
            return;
        to[0] = a;
        if (x + 1 < w)
            to[1] = b;
    });
}

/* A thread makes `rows` rows. pairs: two pixels next to each other can be read and written at
 * once. */
static __global__ void __launch_bounds__(WARP *HIGH, BLOCKS)
    median_all(float *dst, const float *src, int h, int w, int rows, bool pairs)
{
    int x = 2 * (int)(blockIdx.x * WARP + threadIdx.x),
        y = (int)(blockIdx.y * HIGH + threadIdx.y) * rows;
    size_t plane = (size_t)blockIdx.z * (unsigned)h * (unsigned)w;
    if (x >= w || y >= h)
        return;
    if (pairs && x >= 2 && x + 3 < w && y >= 2 && y + rows + 2 < h)
        medians_inside(dst, src, plane + (size_t)(unsigned)y * (unsigned)w + (unsigned)x, w, rows);
    else
        medians_at_edges(dst + plane, src + plane, h, w, y, x, rows < h - y ? rows : h - y);
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
