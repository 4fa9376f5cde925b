// SPDX-License-Identifier: MIT
// warp_cuda.cu: resampling on the GPU.
//
// A block of threads makes BLOCK_ROWS rows of PIXELS_WIDE pixels. A map turns and stretches an image by little, so
// that they are read close to where the middle one is: the block reads what lies around that into shared memory. A
// pixel that is read elsewhere is right, too, only slower.
#include "sample_cuda.h"
#include "warp_pixel.h"

enum {
    ROWS = 8, /* of pixels that a thread makes */
    BLOCK_ROWS = ROWS * PIXELS_HIGH,
    ASIDE_Y = 6, /* pixels by which a map may move one further than the middle one */
    ASIDE_X = 4,
    SEEN_HIGH = BLOCK_ROWS + 2 * ASIDE_Y + 4,
    SEEN_WIDE = PIXELS_WIDE + 2 * ASIDE_X + 3,
    SEEN_PITCH = (SEEN_WIDE + 31) / 32 * 32, /* neighbours in two rows are in banks of their own, too */
};

namespace {

/* ---- kernels: displacement ----------------------------------------------------------------------
 */

/* u at the rows of a block of threads: of each row what is between the rows of nodes above and below it, (y, x) for each
 * of the `nodes` columns of nodes (0: no field) from `first` on. They are in the block's shared memory, a row after the
 * other. */
struct field_lines {
    int first, nodes;
};

static __device__ struct field_lines field_lines_of(const struct warp_grid *grid, int nodes, int top, int left)
{
    float2 *u = gpu_shared<float2>();
    struct field_lines lines = {0, nodes};
    if (!nodes)
        return lines;
    lines.first = (int)cubic_among_nodes(grid, grid->cols, (float)left) - 1;
    for (int i = (int)(threadIdx.y * PIXELS_WIDE + threadIdx.x); i < BLOCK_ROWS * nodes; i += GPU_THREADS) {
        float y = cubic_among_nodes(grid, grid->rows, (float)(top + i / nodes)), w[4];
        const float *column = grid->u + cubic_clamp(lines.first + i % nodes, grid->cols);
        float2 sum = {};
        cubic_weights(y - (float)(int)y, w);
        for (int j = 0; j < 4; j++) {
            const float *node = column + (size_t)cubic_clamp((int)y + j - 1, grid->rows) * grid->cols;
            sum.x += w[j] * node[0];
            sum.y += w[j] * node[(size_t)grid->rows * grid->cols];
        }
        u[i] = sum;
    }
    return lines;
}

/* The pixels of a thread: they lie in a column, PIXELS_HIGH rows apart. */
struct warp_column {
    double first[2], step[2]; /* where the first is read, the field left out; how far below it the next */
    int node; /* of the field's lines, and the weights of that and the next three */
    float w[4];
};

static __device__ struct warp_column warp_column_at(const struct warp_map *map, const struct field_lines *lines, int y,
                                                    int x)
{
    struct warp_column column = {{}, {PIXELS_HIGH * map->a[0], PIXELS_HIGH * map->a[2]}};
    pixel_affine(map, y, x, column.first);
    if (lines->nodes) {
        float at = cubic_among_nodes(&map->grid, map->grid.cols, (float)x);
        column.node = (int)at - 1 - lines->first;
        cubic_weights(at - (float)(int)at, column.w);
    }
    return column;
}

/* Where pixel k of them is read. */
static __device__ void warp_at(const struct warp_column *column, const struct field_lines *lines, int k, double q[2])
{
    q[0] = column->first[0] + k * column->step[0];
    q[1] = column->first[1] + k * column->step[1];
    if (!lines->nodes)
        return;
    int row = (int)threadIdx.y + k * PIXELS_HIGH;
    const float2 *u = gpu_shared<float2>() + row * lines->nodes + column->node;
    const float *w = column->w;
    q[0] += w[0] * u[0].x + w[1] * u[1].x + w[2] * u[2].x + w[3] * u[3].x;
    q[1] += w[0] * u[0].y + w[1] * u[1].y + w[2] * u[2].y + w[3] * u[3].y;
}

/* ---- kernels: pixels ----------------------------------------------------------------------------
 */

/* Pixels of the source that a block of threads shares; beyond its border they are those at the edge. */
struct seen {
    int top, left;
    float pixels[SEEN_HIGH][SEEN_PITCH];
};

/* Those around q, where the middle of the block is read. */
static __device__ void centre_on(struct seen *seen, const struct pixel_source *src, const double q[2])
{
    double y = fmin(fmax(q[0], 0.0), src->h - 1.0), x = fmin(fmax(q[1], 0.0), src->w - 1.0);
    seen->top = (int)y - BLOCK_ROWS / 2 - ASIDE_Y - 1;
    seen->left = (int)x - PIXELS_WIDE / 2 - ASIDE_X - 1;
}

static __device__ void see_column(struct seen *seen, const struct pixel_source *src, int column)
{
    int top = seen->top - src->first; /* a place of its own: what is stored below cannot change it */
    const uint16_t *first = src->data + cubic_clamp(seen->left + column, src->w);
    read_ahead((int)threadIdx.y, (int)SEEN_HIGH, PIXELS_HIGH,
               [&](int i) { return first[(size_t)(unsigned)cubic_clamp(top + i, src->count) * (unsigned)src->w]; },
               [&](int i, uint16_t v) { seen->pixels[i][column] = v; });
}

/* The value at q, which lies in the image; (top, left) is where that begins which is seen. */
static __device__ float value_at(const struct seen *seen, int top, int left, const struct pixel_source *src,
                                 const double q[2])
{
    double below = floor(q[0]), right = floor(q[1]);
    int y = (int)below - 1 - top, x = (int)right - 1 - left;
    float wy[4], wx[4], value = 0;
    if ((unsigned)y > SEEN_HIGH - 4 || (unsigned)x > SEEN_WIDE - 4) {
        pixel_cubic(src, q[0], q[1], &value);
        return value;
    }
    cubic_weights((float)(q[0] - below), wy);
    cubic_weights((float)(q[1] - right), wx);
    for (int i = 0; i < 4; i++) {
        float column = wy[0] * seen->pixels[y][x + i];
        for (int j = 1; j < 4; j++)
            column += wy[j] * seen->pixels[y + j][x + i];
        value += wx[i] * column;
    }
    return value;
}

static __global__ void warp(uint16_t *dst, uint8_t *cover, struct pixel_source src, int y0, int rows, int width,
                            const __grid_constant__ struct warp_map map, int nodes)
{
    __shared__ struct seen seen;
    int top = (int)blockIdx.y * BLOCK_ROWS, left = (int)blockIdx.x * PIXELS_WIDE;
    int y = top + (int)threadIdx.y, x = left + (int)threadIdx.x;
    struct field_lines lines = field_lines_of(&map.grid, nodes, y0 + top, left);
    struct warp_column column = warp_column_at(&map, &lines, y0 + y, x);
    double q[2];
    __syncthreads();
    if (threadIdx.x == PIXELS_WIDE / 2 && threadIdx.y == 0) {
        warp_at(&column, &lines, ROWS / 2, q);
        centre_on(&seen, &src, q);
    }
    __syncthreads();
    see_column(&seen, &src, (int)threadIdx.x);
    if (threadIdx.x < SEEN_WIDE - PIXELS_WIDE)
        see_column(&seen, &src, PIXELS_WIDE + (int)threadIdx.x);
    __syncthreads();
    int seen_top = seen.top, seen_left = seen.left;
    for (int k = 0; k < ROWS && y + k * PIXELS_HIGH < rows && x < width; k++) {
        size_t at = (size_t)(unsigned)(y + k * PIXELS_HIGH) * (unsigned)width + (unsigned)x;
        warp_at(&column, &lines, k, q);
        bool there = pixel_there(&src, q[0], q[1]);
        dst[at] = there ? kin_round_u16(value_at(&seen, seen_top, seen_left, &src, q)) : 0;
        if (cover)
            cover[at] = there ? 255 : 0;
    }
}

/* ---- kernels: bins and spectra ------------------------------------------------------------------
 */

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

/* ---- launchers --------------------------------------------------------------------------------
 */

void gpu_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover, const struct image_rows *src,
                  struct kin_dims to, int y0, int rows, const struct warp_map *map)
{
    int nodes = map->grid.rows && map->grid.cols ? (int)((PIXELS_WIDE - 1) / map->grid.step) + 5 : 0;
    dim3 grid(gpu_pieces((size_t)to.x, PIXELS_WIDE), gpu_pieces((size_t)rows, BLOCK_ROWS));
    LAUNCH(dev, warp, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), BLOCK_ROWS * (size_t)nodes * sizeof(float2))
    (dst, cover, pixel_source_of(src), y0, rows, to.x, *map, nodes);
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
