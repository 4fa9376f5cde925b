// SPDX-License-Identifier: MIT
// warp_cuda.cu: resampling on the GPU.
//
// A map turns and stretches an image by little: the pixels of a block of threads are read close to
// where its middle one is. The block has what lies around that in shared memory, as floats; a
// thread goes down a column of pixels, of which each reads one row below the one before, and keeps
// the 4 x 4 that it is made of in registers; where it is read is counted in integers. Pixels for
// which none of this holds, and those of blocks at the image's border, come afterwards, one by one
// from the card's memory.
#include "sample_cuda.h"
#include "warp_pixel.h"

enum {
    ROWS = 16, /* of pixels that a thread makes */
    BLOCK_ROWS = ROWS * PIXELS_HIGH,
    ASIDE = 4, /* pixels by which a map may move one further than the middle one */
    SEEN_HIGH = BLOCK_ROWS + 2 * ASIDE + 4,
    SEEN_WIDE = PIXELS_WIDE + 2 * ASIDE + 3,
    NEAR = 1 << 28,      /* pixels: no image is as wide */
    FIELD_NEAR = 1 << 6, /* pixels: what a field may move one by, to be counted in integers */
};

namespace {

/* ---- kernels: shared memory ------------------------------------------------------------------ */

/* Pixels of the source that a block of threads shares; what follows them is read 8 bytes at a
 * time. */
struct alignas(8) seen {
    int top, left;
    bool whole; /* all of them are in the image; else nothing is shared */
    float pixels[SEEN_HIGH][SEEN_WIDE];
};

static __device__ struct seen *seen_here()
{
    return gpu_shared<struct seen>();
}

static __device__ float2 *field_here()
{
    return (float2 *)(seen_here() + 1);
}

/* ---- kernels: displacement ------------------------------------------------------------------- */

/* u at the rows of a block of threads: of each row what is between the rows of nodes above and
 * below it, (y, x) for each of the `nodes` columns of nodes (0: no field) from `first` on. They are
 * at field_here(), row after row. */
struct field_lines {
    int first, nodes;
};

static __device__ struct field_lines field_lines_of(const struct warp_grid *grid, int nodes,
                                                    int top, int left)
{
    struct field_lines lines = {0, nodes};
    float2 *u = field_here();
    if (!nodes)
        return lines;
    lines.first = (int)cubic_among_nodes(grid, grid->cols, (float)left) - 1;
    for (int i = (int)(threadIdx.y * PIXELS_WIDE + threadIdx.x); i < BLOCK_ROWS * nodes;
         i += GPU_THREADS) {
        float y = cubic_among_nodes(grid, grid->rows, (float)(top + i / nodes)), w[4];
        const float *column = grid->u + cubic_clamp(lines.first + i % nodes, grid->cols);
        float2 sum = {};
        cubic_weights(y - (float)(int)y, w);
        for (int j = 0; j < 4; j++) {
            const float *node = column +
                                (size_t)cubic_clamp((int)y + j - 1, grid->rows) * grid->cols;
            sum.x += w[j] * node[0];
            sum.y += w[j] * node[(size_t)grid->rows * grid->cols];
        }
        u[i] = sum;
    }
    return lines;
}

/* The pixels of a thread, one below the other. */
struct warp_column {
    /* where the first is read, the field left out; how far below it the next */
    double first[2], step[2];
    int node; /* of the field's lines, for the first, and the weights of that and the next three */
    float w[4];
};

static __device__ struct warp_column warp_column_at(const struct warp_map *map,
                                                    const struct field_lines *lines, int y, int x)
{
    struct warp_column column = {{}, {map->a[0], map->a[2]}};
    pixel_affine(map, y, x, column.first);
    if (lines->nodes) {
        float at = cubic_among_nodes(&map->grid, map->grid.cols, (float)x);
        column.node = (int)threadIdx.y * ROWS * lines->nodes + (int)at - 1 - lines->first;
        cubic_weights(at - (float)(int)at, column.w);
    }
    return column;
}

/* How far the field moves pixel k of them: (y, x). */
static __device__ float2 moved(const struct warp_column *column, int nodes, int k)
{
    const float2 *u = field_here() + column->node + k * nodes;
    const float *w = column->w;
    return float2{w[0] * u[0].x + w[1] * u[1].x + w[2] * u[2].x + w[3] * u[3].x,
                  w[0] * u[0].y + w[1] * u[1].y + w[2] * u[2].y + w[3] * u[3].y};
}

/* Where it is read. */
static __device__ void warp_at(const struct warp_column *column, int nodes, int k, double q[2])
{
    float2 u = nodes ? moved(column, nodes, k) : float2{};
    q[0] = column->first[0] + k * column->step[0] + u.x;
    q[1] = column->first[1] + k * column->step[1] + u.y;
}

/* The same along one axis in 2^-32 pixels: numbers in double take a card many times as long. */
struct fixed_line {
    int64_t first, step;
};

static __device__ bool fixed_line_of(const struct warp_column *column, int axis,
                                     struct fixed_line *line)
{
    double first = column->first[axis], step = column->step[axis];
    if (!(fabs(first) < NEAR && fabs(first + ROWS * step) < NEAR))
        return false;
    line->first = (int64_t)floor(first * 0x1p32);
    line->step = (int64_t)rint(step * 0x1p32);
    return true;
}

/* Moved by u pixels, fewer than FIELD_NEAR. */
static __device__ int64_t fixed_moved(int64_t at, float u)
{
    return at + (int64_t)(int)(u * 0x1p24f) * (1 << 8);
}

/* ---- kernels: pixels ------------------------------------------------------------------------- */

/* What is seen lies around q, where the middle of the block is read. */
static __device__ void centre_on(struct seen *seen, const struct pixel_source *src,
                                 const double q[2])
{
    double y = fmin(fmax(q[0], 0.0), src->h - 1.0), x = fmin(fmax(q[1], 0.0), src->w - 1.0);
    seen->top = (int)y - BLOCK_ROWS / 2 - ASIDE - 1;
    seen->left = (int)x - PIXELS_WIDE / 2 - ASIDE - 1;
    seen->whole = seen->top >= 0 && seen->left >= 0 && seen->top + SEEN_HIGH <= src->h &&
                  seen->left + SEEN_WIDE <= src->w;
}

/* Rows that the caller has not given are none that a pixel is made of. All are read before the
 * first is stored. */
static __device__ void see_column(struct seen *seen, const struct pixel_source *src, int column)
{
    enum { EACH = SEEN_HIGH / PIXELS_HIGH };
    static_assert(EACH * PIXELS_HIGH == SEEN_HIGH, "rows for every thread");
    const uint16_t *first = src->data + seen->left + column;
    uint16_t v[EACH];
    KIN_UNROLL
    for (int i = 0; i < EACH; i++) {
        int row = cubic_clamp(seen->top - src->first + (int)threadIdx.y + i * PIXELS_HIGH,
                              src->count);
        v[i] = first[(size_t)(unsigned)row * (unsigned)src->w];
    }
    KIN_UNROLL
    for (int i = 0; i < EACH; i++)
        seen->pixels[(int)threadIdx.y + i * PIXELS_HIGH][column] = v[i];
}

/* The 4 x 4 pixels that a pixel is made of. Row j of pixel k's is in place (k + j) % 4: three of
 * them stay where they are for the next one, if that is read one row below. */
struct around {
    float row[4][4];
    int next; /* of the pixels that are seen, the first that the next one is made of, if so */
};

/* Those of pixel k, from pixel `at` of what is seen on; `turn` is k % 4. */
static __device__ void look_around(struct around *around, const struct seen *seen, int turn, int at)
{
    const float *first = &seen->pixels[0][0] + at;
    if (around->next != at) {
        KIN_UNROLL
        for (int i = 0; i < 12; i++)
            around->row[(turn + i / 4) % 4][i % 4] = first[i / 4 * SEEN_WIDE + i % 4];
    }
    KIN_UNROLL
    for (int i = 0; i < 4; i++)
        around->row[(turn + 3) % 4][i] = first[3 * SEEN_WIDE + i];
    around->next = at + SEEN_WIDE;
}

static __device__ float around_value(const struct around *around, int turn, float fy, float fx)
{
    float wy[4], wx[4], value = 0;
    cubic_weights(fy, wy);
    cubic_weights(fx, wx);
    KIN_UNROLL
    for (int i = 0; i < 4; i++) {
        float column = wy[0] * around->row[turn][i];
        KIN_UNROLL
        for (int j = 1; j < 4; j++)
            column += wy[j] * around->row[(turn + j) % 4][i];
        value += wx[i] * column;
    }
    return value;
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
static __device__ struct warped_place place_of(const struct warped *dst, int y, int x)
{
    size_t at = (size_t)(unsigned)y * (unsigned)dst->width + (unsigned)x;
    return {dst->pixels + at, covers ? dst->cover + at : NULL};
}

template <bool covers>
static __device__ void put(const struct warped_place *to, float value, bool there)
{
    *to->pixel = kin_round_u16(value);
    if (covers)
        *to->cover = there ? 255 : 0;
}

template <bool covers>
static __device__ void go_down(struct warped_place *to, const struct warped *dst)
{
    to->pixel += (unsigned)dst->width;
    if (covers)
        to->cover += (unsigned)dst->width;
}

/* Whether all of a straight line of ROWS places lies within 0..most: its ends do. */
static __device__ bool stays_within(struct fixed_line line, unsigned most)
{
    return (unsigned)(line.first >> 32) <= most &&
           (unsigned)((line.first + (ROWS - 1) * line.step) >> 32) <= most;
}

static __device__ float fraction_of(int64_t q)
{
    return (uint32_t)q * 0x1p-32f;
}

/* Makes those of the first `rows` pixels of a column, whose places begin with down and across, that
 * are read in what is seen, and returns the others: bit k is pixel k. sure: they are all of ROWS,
 * and all are read there. */
template <bool covers, bool field, bool sure>
static __device__ unsigned make_column(const struct warped *dst, struct warped_place to, int rows,
                                       const struct seen *seen, const struct warp_column *column,
                                       int nodes, struct fixed_line down, struct fixed_line across)
{
    unsigned others = 0;
    struct around around = {{}, -1};
    for (int first = 0; first < (sure ? (int)ROWS : rows); first += 4) {
        KIN_UNROLL
        for (int turn = 0; turn < 4; turn++, go_down<covers>(&to, dst)) {
            float2 u = field ? moved(column, nodes, first + turn) : float2{};
            bool little = fmaxf(fabsf(u.x), fabsf(u.y)) < FIELD_NEAR;
            int64_t qy = field ? fixed_moved(down.first, little ? u.x : 0) : down.first,
                    qx = field ? fixed_moved(across.first, little ? u.y : 0) : across.first;
            unsigned y = (unsigned)(qy >> 32), x = (unsigned)(qx >> 32);
            down.first += down.step;
            across.first += across.step;
            if (!sure &&
                (first + turn >= rows || y > SEEN_HIGH - 4 || x > SEEN_WIDE - 4 || !little)) {
                others |= 1u << (first + turn);
                around.next = -1;
                continue;
            }
            look_around(&around, seen, turn, (int)(y * SEEN_WIDE + x));
            put<covers>(&to, around_value(&around, turn, fraction_of(qy), fraction_of(qx)), true);
        }
    }
    return others;
}

/* The same. Without a field the pixels of most columns are known to be seen from where the first
 * and the last of them is. */
template <bool covers>
static __device__ unsigned warp_seen(const struct warped *dst, struct warped_place to, int rows,
                                     const struct seen *seen, const struct warp_column *column,
                                     int nodes)
{
    struct fixed_line down, across;
    if (!fixed_line_of(column, 0, &down) || !fixed_line_of(column, 1, &across))
        return ~0u;
    down.first -= ((int64_t)seen->top + 1) << 32;
    across.first -= ((int64_t)seen->left + 1) << 32;
    if (nodes)
        return make_column<covers, true, false>(dst, to, rows, seen, column, nodes, down, across);
    if (rows == ROWS && stays_within(down, SEEN_HIGH - 4) && stays_within(across, SEEN_WIDE - 4))
        return make_column<covers, false, true>(dst, to, rows, seen, column, 0, down, across);
    return make_column<covers, false, false>(dst, to, rows, seen, column, 0, down, across);
}

template <bool covers>
static __global__ void warp(const __grid_constant__ struct warped dst,
                            const __grid_constant__ struct pixel_source src, int y0,
                            const __grid_constant__ struct warp_map map, int nodes)
{
    struct seen *seen = seen_here();
    int top = (int)blockIdx.y * BLOCK_ROWS, left = (int)blockIdx.x * PIXELS_WIDE;
    int y = top + (int)threadIdx.y * ROWS, x = left + (int)threadIdx.x;
    int rows = x < dst.width ? (dst.rows - y < ROWS ? dst.rows - y : (int)ROWS) : 0;
    struct field_lines lines = field_lines_of(&map.grid, nodes, y0 + top, left);
    struct warp_column column = warp_column_at(&map, &lines, y0 + y, x);
    struct warped_place to = place_of<covers>(&dst, y, x);
    double q[2];
    __syncthreads();
    if (threadIdx.x == PIXELS_WIDE / 2 && threadIdx.y == PIXELS_HIGH / 2) {
        warp_at(&column, nodes, 0, q);
        centre_on(seen, &src, q);
    }
    __syncthreads();
    unsigned others = ~0u;
    if (seen->whole) {
        see_column(seen, &src, (int)threadIdx.x);
        if (threadIdx.x < SEEN_WIDE - PIXELS_WIDE)
            see_column(seen, &src, PIXELS_WIDE + (int)threadIdx.x);
        __syncthreads();
        others = warp_seen<covers>(&dst, to, rows, seen, &column, nodes);
    }
    for (int k = 0; k < rows; k++, go_down<covers>(&to, &dst))
        if (others >> k & 1) {
            float value = 0;
            warp_at(&column, nodes, k, q);
            bool there = pixel_cubic(&src, q[0], q[1], &value);
            put<covers>(&to, value, there);
        }
}

/* ---- kernels: bins and spectra --------------------------------------------------------------- */

static __global__ void bin_all(uint16_t *dst, const uint16_t *src, struct kin_dims dims, int k,
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

void gpu_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover, const struct image_rows *src,
                  struct kin_dims to, int y0, int rows, const struct warp_map *map)
{
    int nodes = map->grid.rows && map->grid.cols ? (int)((PIXELS_WIDE - 1) / map->grid.step) + 5
                                                 : 0;
    size_t shared = sizeof(struct seen) + BLOCK_ROWS * (size_t)nodes * sizeof(float2);
    struct warped warped = {dst, cover, rows, to.x};
    dim3 grid(gpu_pieces((size_t)to.x, PIXELS_WIDE), gpu_pieces((size_t)rows, BLOCK_ROWS));
    dim3 block(PIXELS_WIDE, PIXELS_HIGH);
    if (cover)
        LAUNCH(dev, warp<true>, grid, block, shared)
    (warped, pixel_source_of(src), y0, *map, nodes);
    else LAUNCH(dev, warp<false>, grid, block, shared)(warped, pixel_source_of(src), y0, *map,
                                                       nodes);
}

void gpu_bin_u16(struct device *dev, uint16_t *dst, const uint16_t *src, struct kin_dims dims,
                 int k)
{
    int h = (dims.y + k - 1) / k, w = (dims.x + k - 1) / k;
    LAUNCH(dev, bin_all, gpu_pixels(h, w), GPU_TILE, 0)(dst, src, dims, k, h, w);
}

void gpu_log_polar(struct device *dev, float *dst, int angles, int radii, const float *complex,
                   struct kin_dims dims, float low, float high)
{
    LAUNCH(dev, polar_all, gpu_pixels(angles, radii), GPU_TILE, 0)
    (dst, angles, radii, complex, dims, low, high);
}
