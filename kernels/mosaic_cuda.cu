// SPDX-License-Identifier: MIT
// mosaic_cuda.cu: what stitching asks of the GPU: tiles moved to their places, overlaps, strips,
// bands of a mosaic.
//
// Overlap sums are exact in 64-bit integers, so that they do not depend on the order.
#include "sample_cuda.h"
#include "mosaic_pixel.h"

enum {
    PIECE = 4096,
    PEAKS = 64,
    OVERLAP_ROWS = 4,
    ROWS = 4,                        /* of pixels that a thread moves or blends */
    BLOCK_ROWS = ROWS * PIXELS_HIGH, /* and a block of threads */
};

namespace {

/* ---- kernels: tiles and strips --------------------------------------------------------------- */

struct four_weights {
    float y[4], x[4];
};

/* The pixels that a block of threads sees, corrected: BLOCK_ROWS and 3 around them. */
typedef float seen_pixels[BLOCK_ROWS + 3][PIXELS_WIDE + 4];

static __device__ void see_pixels(seen_pixels seen, const uint16_t *src,
                                  const struct mosaic_look *look, int top, int left, float dy,
                                  float dx)
{
    enum { HIGH = BLOCK_ROWS + 3, MORE = 3 };
    int me = (int)(threadIdx.y * PIXELS_WIDE + threadIdx.x);
    auto value = [&](int i, int k) {
        size_t y = (size_t)place_tap(top + i, dy, -1, look->tile_h);
        return mosaic_value(look, src,
                            y * look->tile_w + place_tap(left + k, dx, -1, look->tile_w));
    };
    read_ahead((int)threadIdx.y, HIGH, PIXELS_HIGH,
               [&](int i) { return value(i, (int)threadIdx.x); },
               [&](int i, float v) { seen[i][threadIdx.x] = v; });
    if (me < HIGH * MORE)
        seen[me / MORE][PIXELS_WIDE + me % MORE] = value(me / MORE, PIXELS_WIDE + me % MORE);
}

/* What is between columns x..x+3 of row y of them. */
static __device__ float between_columns(const seen_pixels seen, int y, int x, const float *w)
{
    float sum = 0;
    for (int i = 0; i < 4; i++)
        sum += w[i] * seen[y][x + i];
    return sum;
}

/* A block of threads makes BLOCK_ROWS rows of PIXELS_WIDE pixels, a thread ROWS pixels of a
 * column. */
static __global__ void place(float *dst, const uint16_t *src, struct mosaic_look look, float dy,
                             float dx, struct four_weights w)
{
    __shared__ seen_pixels seen;
    int left = (int)blockIdx.x * PIXELS_WIDE, top = (int)blockIdx.y * BLOCK_ROWS;
    int x = (int)threadIdx.x, y = ROWS * (int)threadIdx.y;
    float across[ROWS + 3];
    see_pixels(seen, src, &look, top, left, dy, dx);
    __syncthreads();
    for (int j = 0; j < ROWS + 3; j++)
        across[j] = between_columns(seen, y + j, x, w.x);
    for (int k = 0; k < ROWS && top + y + k < look.tile_h && left + x < look.tile_w; k++) {
        float sum = 0;
        for (int j = 0; j < 4; j++)
            sum += w.y[j] * across[k + j];
        dst[(size_t)(top + y + k) * look.tile_w + left + x] = sum;
    }
}

struct cut {
    float *dst;
    const uint16_t *tile;
    int tile_w;
    struct strip strip;
    __device__ uint16_t read(int, int y, int x) const
    {
        return tile[(size_t)(strip.y + y) * tile_w + strip.x + x];
    }
    __device__ void write(int, int y, int x, uint16_t v) const { dst[(size_t)y * strip.w + x] = v; }
};

struct taper {
    float *dst;
    const float *fine, *coarse;
    int h, w, margin, width; /* of the strip; of dst */
    __device__ float read(int, int y, int x) const
    {
        size_t i = (size_t)y * w + x;
        return y < h && x < w ? fine[i] - coarse[i] : 0;
    }
    __device__ void write(int, int y, int x, float v) const
    {
        if (y < h && x < w)
            v *= taper_weight(y, h, margin) * taper_weight(x, w, margin);
        dst[(size_t)y * width + x] = v;
    }
};

/* ---- kernels: phase correlation -------------------------------------------------------------- */

static __global__ void multiply_pieces(float *a, const float *b, size_t n, double *part)
{
    size_t first = (size_t)blockIdx.x * PIECE, end = first + PIECE < n ? first + PIECE : n;
    double sum = 0;
    for (size_t i = first + threadIdx.x; i < end; i += GPU_THREADS)
        sum += cross_multiply(a + 2 * i, b + 2 * i);
    sum = gpu_block_sum(sum);
    if (threadIdx.x == 0)
        part[blockIdx.x] = sum;
}

/* part[pieces] = what |a| of n frequencies is not allowed to fall below, from the sums before
 * it. */
static __global__ void add_parts(double *part, int pieces, size_t n)
{
    double sum = 0;
    for (int k = (int)threadIdx.x; k < pieces; k += GPU_THREADS)
        sum += part[k];
    sum = gpu_block_sum(sum);
    if (threadIdx.x == 0)
        part[pieces] = cross_floor(sum, n);
}

struct whiten {
    float2 *a;
    const double *floor;
    __device__ float2 read(size_t i) const
    {
        float2 v = a[i];
        cross_whiten(&v.x, (float)*floor);
        return v;
    }
    __device__ void write(size_t i, float2 v) const { a[i] = v; }
};

/* One block: found[0] is how many, then y and x of each. */
static __global__ void find_peaks(const float *corr, struct kin_dims dims,
                                  struct shift_window window, int want, int *found)
{
    __shared__ int peaks[PEAKS][2];
    int wide = window.x1 - window.x0 + 1, area = wide * (window.y1 - window.y0 + 1), count = 0;
    for (; count < want; count++) {
        struct gpu_best mine = {-INFINITY, -1};
        for (int i = (int)threadIdx.x; i < area; i += GPU_THREADS) {
            int y = window.y0 + i / wide, x = window.x0 + i % wide;
            float v = corr[(size_t)kin_wrap(y, dims.y) * dims.x + kin_wrap(x, dims.x)];
            if (v > mine.value && !near_earlier(peaks, count, y, x))
                mine = {v, i};
        }
        struct gpu_best best = gpu_block_best(mine);
        if (best.index < 0)
            break;
        if (threadIdx.x == 0) {
            found[1 + 2 * count] = peaks[count][0] = window.y0 + best.index / wide;
            found[2 + 2 * count] = peaks[count][1] = window.x0 + best.index % wide;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        found[0] = count;
}

/* ---- kernels: overlaps and bands ------------------------------------------------------------- */

struct overlap {
    unsigned long long sums[5];

    __device__ void operator+=(const overlap &other)
    {
        for (int k = 0; k < 5; k++)
            sums[k] += other.sums[k];
    }
};

/* A block adds OVERLAP_ROWS of the h x w pixels; a and b begin at the first ones. */
static __global__ void add_rows(const uint16_t *a, const uint16_t *b, int tile_w, int h, int w,
                                unsigned long long *sums)
{
    struct overlap s = {{0, 0, 0, 0, 0}};
    int first = (int)blockIdx.x * OVERLAP_ROWS,
        end = first + OVERLAP_ROWS < h ? first + OVERLAP_ROWS : h;
    for (int y = first; y < end; y++)
        for (int x = (int)threadIdx.x; x < w; x += GPU_THREADS) {
            unsigned long long p = a[(size_t)y * tile_w + x], q = b[(size_t)y * tile_w + x];
            s += overlap{{p, q, p * p, q * q, p * q}};
        }
    s = gpu_block_sum(s);
    if (threadIdx.x == 0)
        for (int k = 0; k < 5; k++)
            atomicAdd(sums + k, s.sums[k]);
}

/* Sums of a pixel of the canvas: what is shown and its weights; with two bands also detail and
 * its. */
struct blending {
    float sum, weight, detail, sharp;
};

/* Adds a pixel of a tile, whose weight is w. */
static __device__ void add_pixel(struct blending *to, float shown, float low, float w, bool bands)
{
    float narrow = bands ? mosaic_sharp(w) : 0;
    to->sum += w * low;
    to->weight += w;
    to->detail += narrow * (shown - low);
    to->sharp += narrow;
}

/* Adds a tile's pixels of column x, PIXELS_HIGH rows apart from row y on. Rows that it has not are
 * its nearest ones, which then weigh nothing: all are read before the first is added, and none is
 * asked whether it is there. */
static __device__ void add_tile(struct blending to[ROWS], const struct mosaic_tile *tile,
                                const struct mosaic_look *look, int y, int x)
{
    bool bands = tile->low != NULL;
    float across = look->weight_x[x], shown[ROWS], low[ROWS] = {}, weight[ROWS];
    size_t at[ROWS];
    for (int r = 0; r < ROWS; r++) {
        int row = y + r * PIXELS_HIGH, there = cubic_clamp(row, look->tile_h);
        at[r] = (size_t)(unsigned)there * (unsigned)look->tile_w + (unsigned)x;
        weight[r] = row == there ? look->weight_y[there] * across : 0;
    }
    if (tile->placed)
        for (int r = 0; r < ROWS; r++)
            shown[r] = tile->placed[at[r]];
    else
        for (int r = 0; r < ROWS; r++)
            shown[r] = mosaic_value(look, tile->data, at[r]);
    if (bands)
        for (int r = 0; r < ROWS; r++)
            low[r] = tile->low[at[r]];
    for (int r = 0; r < ROWS; r++)
        add_pixel(&to[r], shown[r], bands ? low[r] : shown[r], weight[r], bands);
}

/* The tiles that a block of threads meets, in their order. */
struct met {
    int n;
    bool is[GPU_THREADS];
    struct mosaic_tile tiles[GPU_THREADS];
};

/* How many of the first `count` meet it. */
static __device__ int count_met(const struct met *met, int count)
{
    int n = 0;
    for (int k = 0; k < count; k++)
        n += met->is[k];
    return n;
}

/* Of up to GPU_THREADS tiles those that meet the pixels from (top, left) to (bottom, right). */
static __device__ void meet_tiles(struct met *met, const struct mosaic_tile *tiles, int count,
                                  const struct mosaic_look *look, int top, int left, int bottom,
                                  int right)
{
    int me = (int)(threadIdx.y * PIXELS_WIDE + threadIdx.x);
    struct mosaic_tile mine = {};
    if (me < count)
        mine = tiles[me];
    met->is[me] = me < count && mine.y < bottom && mine.y + look->tile_h > top && mine.x < right &&
                  mine.x + look->tile_w > left;
    __syncthreads();
    if (met->is[me]) /* most have nothing to count */
        met->tiles[count_met(met, me)] = mine;
    if (me == 0)
        met->n = count_met(met, count);
    __syncthreads();
}

/* A block of threads makes PIXELS_HIGH ROWS rows of PIXELS_WIDE pixels. */
static __global__ void blend(uint16_t *dst, uint8_t *cover, int canvas_w, int y0, int rows,
                             const struct mosaic_tile *tiles, int count, struct mosaic_look look)
{
    __shared__ struct met met;
    int left = (int)blockIdx.x * PIXELS_WIDE, top = (int)blockIdx.y * BLOCK_ROWS;
    int x = left + (int)threadIdx.x, y = top + (int)threadIdx.y;
    struct blending s[ROWS] = {};
    for (int first = 0; first < count; first += GPU_THREADS) {
        int some = count - first < GPU_THREADS ? count - first : GPU_THREADS;
        meet_tiles(&met, tiles + first, some, &look, y0 + top, left, y0 + top + BLOCK_ROWS,
                   left + PIXELS_WIDE);
        for (int k = 0; k < met.n; k++) {
            struct mosaic_tile tile = met.tiles[k];
            int tx = x - tile.x;
            if (tx >= 0 && tx < look.tile_w)
                add_tile(s, &tile, &look, y0 + y - tile.y, tx);
        } /* the next tiles take the place of these behind a barrier */
    }
    for (int r = 0; r < ROWS; r++) {
        if (x >= canvas_w || y + r * PIXELS_HIGH >= rows)
            continue;
        size_t at = (size_t)(y + r * PIXELS_HIGH) * canvas_w + x;
        dst[at] = mosaic_bands(s[r].sum, s[r].weight, s[r].detail, s[r].sharp);
        if (cover)
            cover[at] = s[r].weight > 0 ? 255 : 0;
    }
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

void gpu_tile_place(struct device *dev, float *dst, const uint16_t *src,
                    const struct mosaic_look *look, float dy, float dx)
{
    struct four_weights w;
    place_weights(dy, w.y);
    place_weights(dx, w.x);
    dim3 grid(gpu_pieces((size_t)look->tile_w, PIXELS_WIDE),
              gpu_pieces((size_t)look->tile_h, BLOCK_ROWS));
    LAUNCH(dev, place, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)(dst, src, *look, dy, dx, w);
}

void gpu_strip_cut(struct device *dev, float *dst, const uint16_t *tile, int tile_w,
                   struct strip strip)
{
    struct kin_dims dims = {1, strip.h, strip.w};
    ON_PIXELS(dev, dims, cut, dst, tile, tile_w, strip);
}

void gpu_strip_taper(struct device *dev, float *dst, struct kin_dims to, const float *fine,
                     const float *coarse, int h, int w)
{
    struct kin_dims dims = {1, to.y, to.x};
    ON_PIXELS(dev, dims, taper, dst, fine, coarse, h, w, taper_margin(h, w), to.x);
}

void gpu_cross_power(struct device *dev, float *a, const float *b, size_t n)
{
    unsigned pieces = gpu_pieces(n, PIECE);
    double *part = gpu_array<double>(dev, (size_t)pieces + 1);
    LAUNCH(dev, multiply_pieces, dim3(pieces), GPU_THREADS, 0)(a, b, n, part);
    LAUNCH(dev, add_parts, dim3(1), GPU_THREADS, 0)(part, (int)pieces, n);
    ON_SAMPLES(dev, n, whiten, (float2 *)a, part + pieces);
    gpu_release(dev, part);
}

int gpu_shift_peaks(struct device *dev, const float *corr, struct kin_dims dims,
                    struct shift_window window, int (*peaks)[2], int want)
{
    int host[1 + 2 * PEAKS] = {0}, *found = gpu_array<int>(dev, 1 + 2 * PEAKS);
    if (want > PEAKS)
        device_fail(dev, KIN_DEVICE, "more than %d peaks are asked for", PEAKS);
    LAUNCH(dev, find_peaks, dim3(1), GPU_THREADS, 0)(corr, dims, window, want, found);
    gpu_download(dev, host, found, sizeof host);
    gpu_release(dev, found);
    if (device_stopped(dev))
        return 0;
    memcpy(peaks, host + 1, (size_t)host[0] * sizeof *peaks);
    return host[0];
}

void gpu_overlap_sums(struct device *dev, const uint16_t *a, const uint16_t *b,
                      struct kin_dims tile, int dy, int dx, int64_t sums[6])
{
    memset(sums, 0, 6 * sizeof *sums);
    int h = tile.y - abs(dy), w = tile.x - abs(dx);
    if (device_stopped(dev) || h <= 0 || w <= 0)
        return;
    const uint16_t *from_a = a + (size_t)(dy > 0 ? dy : 0) * (size_t)tile.x + (dx > 0 ? dx : 0);
    const uint16_t *from_b = b + (size_t)(dy < 0 ? -dy : 0) * (size_t)tile.x + (dx < 0 ? -dx : 0);
    unsigned long long *there = gpu_array<unsigned long long>(dev, 5);
    gpu_zero(dev, there, 5 * sizeof *there);
    LAUNCH(dev, add_rows, dim3(gpu_pieces((size_t)h, OVERLAP_ROWS)), GPU_THREADS, 0)
    (from_a, from_b, tile.x, h, w, there);
    gpu_download(dev, sums, there, 5 * sizeof *sums);
    gpu_release(dev, there);
    sums[5] = device_stopped(dev) ? 0 : (int64_t)h * w;
}

void gpu_mosaic_rows(struct device *dev, uint16_t *dst, uint8_t *cover, int canvas_w, int y0,
                     int rows, const struct mosaic_tile *tiles, int count,
                     const struct mosaic_look *look)
{
    struct mosaic_tile *met = (struct mosaic_tile *)malloc(((size_t)count + 1) * sizeof *met);
    struct mosaic_tile *there = gpu_array<struct mosaic_tile>(dev, (size_t)count + 1);
    int n = 0;
    if (!met)
        device_fail(dev, KIN_MEMORY, "no memory for %d tiles", count);
    for (int k = 0; met && k < count; k++) /* those that these rows meet, in their order */
        if (tiles[k].y < y0 + rows && tiles[k].y + look->tile_h > y0)
            met[n++] = tiles[k];
    gpu_upload(dev, there, met, (size_t)n * sizeof *met);
    dim3 grid(gpu_pieces((size_t)canvas_w, PIXELS_WIDE), gpu_pieces((size_t)rows, BLOCK_ROWS));
    LAUNCH(dev, blend, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)
    (dst, cover, canvas_w, y0, rows, there, n, *look);
    gpu_release(dev, there);
    free(met);
}
