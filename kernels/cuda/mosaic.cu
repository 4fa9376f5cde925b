// SPDX-License-Identifier: MIT
// mosaic.cu: what stitching asks of the GPU: tiles moved to their places, overlaps, strips,
// bands of a mosaic.
//
// Overlap sums are exact in 64-bit integers, so that they do not depend on the order.
#include "cuda/sample.h"
#include "device/mosaic_pixel.h"

enum {
    PIECE = 4096,
    PEAKS = 64,
    OVERLAP_ROWS = 4,
    ROWS = 4,                        /* of pixels that a thread moves */
    BLOCK_ROWS = ROWS * PIXELS_HIGH, /* and a block of threads */
    SEEN_HIGH = BLOCK_ROWS + 3,      /* rows that these are made of */
    TILES = 32, /* that a block looks at together: one for each thread of a warp */
};

namespace {

/* ---- kernels: tiles and strips --------------------------------------------------------------- */

struct four_weights {
    float y[4], x[4];
};

/* The pixels that a block of threads sees, corrected: BLOCK_ROWS and 3 around them. */
typedef float seen_pixels[SEEN_HIGH][PIXELS_WIDE + 4];

/* What pixels are made of, beyond a tile's edges its nearest. */
struct seeing {
    const uint16_t *src;
    struct mosaic_look look;
    float dy, dx;
};

static __device__ size_t edge_tap(const struct seeing *s, int y, int x)
{
    return (size_t)(unsigned)place_tap(y, s->dy, -1, s->look.tile_h) * (unsigned)s->look.tile_w +
           (unsigned)place_tap(x, s->dx, -1, s->look.tile_w);
}

/* Pixels EVERY rows apart of a column, from row `row` on, up to EACH of them; all are read before
 * the first is corrected. inside: no tile's edge is near. */
template <int EVERY, int EACH, bool inside>
static __device__ void see_some(seen_pixels seen, const struct seeing *s, int top, int left,
                                int row, int column)
{
    const struct mosaic_look *look = &s->look;
    int y = top + row - 1 - (s->dy > 0), x = left + column - 1 - (s->dx > 0);
    size_t first = (size_t)(unsigned)y * (unsigned)look->tile_w + (unsigned)x;
    unsigned step = gpu_plain(EVERY * (unsigned)look->tile_w);
    uint16_t v[EACH];
    float dark[EACH], gain[EACH];
    for (int i = 0; i < EACH; i++) {
        if (row + i * EVERY >= SEEN_HIGH)
            break;
        size_t at = inside ? 0 : edge_tap(s, top + row + i * EVERY, left + column);
        v[i] = inside ? *gpu_past(s->src + first, step * 2, i) : s->src[at];
        dark[i] = !look->dark ? 0
                  : inside    ? *gpu_past(look->dark + first, step * 4, i)
                              : look->dark[at];
        gain[i] = !look->gain ? 1
                  : inside    ? *gpu_past(look->gain + first, step * 4, i)
                              : look->gain[at];
    }
    for (int i = 0; i < EACH && row + i * EVERY < SEEN_HIGH; i++)
        seen[row + i * EVERY][column] = ((float)v[i] - dark[i]) * gain[i];
}

template <bool inside>
static __device__ void see_pixels(seen_pixels seen, const struct seeing *s, int top, int left)
{
    enum { MORE = 3 };
    int me = (int)(threadIdx.y * PIXELS_WIDE + threadIdx.x);
    see_some<PIXELS_HIGH, (SEEN_HIGH + PIXELS_HIGH - 1) / PIXELS_HIGH, inside>(
        seen, s, top, left, (int)threadIdx.y, (int)threadIdx.x);
    if (me < SEEN_HIGH * MORE)
        see_some<1, 1, inside>(seen, s, top, left, me / MORE, PIXELS_WIDE + me % MORE);
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
 * column. With six blocks on a multiprocessor, not eight, warps would wait more. */
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(8))
    place(float *dst, const __grid_constant__ struct seeing from,
          const __grid_constant__ struct four_weights w)
{
    __shared__ seen_pixels seen;
    int left = (int)blockIdx.x * PIXELS_WIDE, top = (int)blockIdx.y * BLOCK_ROWS;
    int x = (int)threadIdx.x, y = ROWS * (int)threadIdx.y;
    float across[ROWS + 3];
    int high = from.look.tile_h, wide = from.look.tile_w;
    if (top >= 2 && left >= 2 && top + SEEN_HIGH <= high && left + PIXELS_WIDE + 3 <= wide)
        see_pixels<true>(seen, &from, top, left);
    else
        see_pixels<false>(seen, &from, top, left);
    __syncthreads();
    for (int j = 0; j < ROWS + 3; j++)
        across[j] = between_columns(seen, y + j, x, w.x);
    float *to = dst + (size_t)(unsigned)(top + y) * (unsigned)wide + (unsigned)(left + x);
    unsigned step = gpu_plain((unsigned)wide * (unsigned)sizeof *to);
    for (int k = 0; k < ROWS && top + y + k < high && left + x < wide; k++) {
        float sum = 0;
        for (int j = 0; j < 4; j++)
            sum += w.y[j] * across[k + j];
        *gpu_past(to, step, k) = sum;
    }
}

/* With one product and one sum. */
template <typename T> static __device__ T *pixel_at(T *image, int y, int width, int x)
{
    return gpu_past(image + x, (unsigned)width * (unsigned)sizeof *image, y);
}

struct cut {
    float *dst;
    const uint16_t *tile;
    int tile_w;
    struct strip strip;
    __device__ uint16_t read(int, int y, int x) const
    {
        return *pixel_at(tile, strip.y + y, tile_w, strip.x + x);
    }
    __device__ void write(int, int y, int x, uint16_t v) const
    {
        *pixel_at(dst, y, strip.w, x) = v;
    }
};

struct taper {
    float *dst;
    const float *fine, *coarse;
    int h, w, margin, width; /* of the strip; of dst */
    __device__ float read(int, int y, int x) const
    {
        return y < h && x < w ? *pixel_at(fine, y, w, x) - *pixel_at(coarse, y, w, x) : 0;
    }
    __device__ void write(int, int y, int x, float v) const
    {
        if (y < h && x < w)
            v *= taper_weight(y, h, margin) * taper_weight(x, w, margin);
        *pixel_at(dst, y, width, x) = v;
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
    __device__ float2 read(size_t i) const { return a[i]; }
    __device__ void write(size_t i, float2 v) const
    {
        cross_whiten(&v.x, (float)gpu_fixed(*floor));
        a[i] = v;
    }
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

/* Asks for all of a block's rows at once, a warp for each of either image: read one after the
 * other, too few pixels would be under way. */
static __device__ void ask_rows(const uint16_t *a, const uint16_t *b, unsigned bytes, int rows,
                                int w)
{
    enum { WARP = 32, LINE = 128 / sizeof *a };
    static_assert(GPU_THREADS == 2 * OVERLAP_ROWS * WARP, "a warp for each row");
    int warp = (int)threadIdx.x / WARP, y = warp / 2;
    const uint16_t *mine = gpu_past(warp % 2 ? b : a, bytes, y);
    GPU_UNROLLED(1)
    for (int x = (int)threadIdx.x % WARP * LINE; y < rows && x < w; x += WARP * LINE)
        gpu_ask(mine + x);
}

/* A block adds OVERLAP_ROWS of the h x w pixels; a and b begin at the first ones. Overlaps are
 * often narrow: a thread reads all of its column before it adds any. */
static __global__ void add_rows(const uint16_t *a, const uint16_t *b, int tile_w, int h, int w,
                                unsigned long long *sums)
{
    unsigned long long sum[5] = {0, 0, 0, 0, 0};
    int first = (int)blockIdx.x * OVERLAP_ROWS,
        rows = first + OVERLAP_ROWS < h ? OVERLAP_ROWS : h - first;
    unsigned bytes = (unsigned)tile_w * (unsigned)sizeof *a;
    a = gpu_past(a, bytes, first);
    b = gpu_past(b, bytes, first);
    if (w > GPU_THREADS)
        ask_rows(a, b, bytes, rows, w);
    for (int x = (int)threadIdx.x; x < w; x += GPU_THREADS) {
        unsigned light[2] = {0, 0};
        read_some<OVERLAP_ROWS>(
            0, rows, 1,
            [&](int y) {
                return ushort2{*gpu_past(a + x, bytes, y), *gpu_past(b + x, bytes, y)};
            },
            [&](int, ushort2 v) {
                unsigned p = v.x, q = v.y;
                light[0] += p;
                light[1] += q;
                sum[2] += (unsigned long long)p * p;
                sum[3] += (unsigned long long)q * q;
                sum[4] += (unsigned long long)p * q;
            });
        sum[0] += light[0];
        sum[1] += light[1];
    }
    gpu_block_sums(sum);
    if (threadIdx.x == 0)
        for (int k = 0; k < 5; k++)
            atomicAdd(sums + k, sum[k]);
}

/* Sums of a pixel of the canvas: what is shown and its weights; with two bands also detail and
 * its. */
struct blending {
    float sum, weight, detail, sharp;
};

/* a b rounded before it is added to anything, as it is on the CPU: of many tiles, a pixel would
 * else be another one. */
static __device__ float rounded_product(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#else
    float product = a * b;
    asm("" : "+m"(product));
    return product;
#endif
}

/* Adds a pixel of a tile, whose weight is w. */
template <bool bands>
static __device__ void add_pixel(struct blending *to, float shown, float low, float w)
{
    to->sum += rounded_product(w, bands ? low : shown);
    to->weight += w;
    if (bands) {
        float narrow = mosaic_sharp(w);
        to->detail += narrow * (shown - low);
        to->sharp += narrow;
    }
}

/* mosaic_bands; weights are not as small as their powers. */
static __device__ uint16_t blended(const struct blending *s)
{
    float value = gpu_quotient(s->sum, s->weight);
    if (s->sharp > 0)
        value += s->detail / s->sharp;
    return gpu_round_u16(s->weight > 0 ? value : 0);
}

/* Pixels of a column of a tile, HIGH of them below each other, and their weights along y. */
template <bool bands, int HIGH> struct tile_column {
    float shown[HIGH], low[bands ? HIGH : 1], down[HIGH];
};

/* Reads them from row y on: all that is to be read before the first is added. whole: the tile has
 * them all; else rows that it has not are its nearest ones, which then weigh nothing: none is asked
 * whether it is there. placed: it is known to be. */
template <bool whole, bool placed, bool bands, int HIGH>
static __device__ void read_column(struct tile_column<bands, HIGH> *c,
                                   const struct mosaic_tile *tile, const struct mosaic_look *look,
                                   int y, int x)
{
    auto row = [&](int r) { return whole ? y + r : cubic_clamp(y + r, look->tile_h); };
    unsigned bytes = (unsigned)look->tile_w * (unsigned)sizeof(float);
    for (int r = 0; r < HIGH; r++)
        c->down[r] = whole || row(r) == y + r ? look->weight_y[row(r)] : 0;
    auto read = [&](float(&to)[HIGH], const float *image) {
        const float *at = gpu_past(image + x, bytes, row(0));
        for (int r = 0; r < HIGH; r++) {
            to[r] = whole ? *at : *gpu_past(image + x, bytes, row(r));
            at = gpu_past(at, bytes, 1);
        }
    };
    if (placed || tile->placed)
        read(c->shown, tile->placed);
    else
        for (int r = 0; r < HIGH; r++)
            c->shown[r] = mosaic_value(
                look, tile->data, (size_t)(unsigned)row(r) * (unsigned)look->tile_w + (unsigned)x);
    if constexpr (bands)
        read(c->low, tile->low);
}

/* Adds a tile's pixels of column x, which may be beside it, from row y on. */
template <bool placed, bool bands, int HIGH>
static __device__ void add_tile(struct blending to[HIGH], const struct mosaic_tile *tile,
                                const struct mosaic_look *look, int y, int x)
{
    struct tile_column<bands, HIGH> c;
    int column = cubic_clamp(x, look->tile_w);
    float across = look->weight_x[column];
    if (y >= 0 && y + HIGH <= look->tile_h)
        read_column<true, placed>(&c, tile, look, y, column);
    else
        read_column<false, placed>(&c, tile, look, y, column);
    across = column == x ? across : 0;
    for (int r = 0; r < HIGH; r++)
        add_pixel<bands>(&to[r], c.shown[r], bands ? c.low[r] : 0,
                         rounded_product(c.down[r], across));
}

/* The tiles that a block of threads meets, in their order. */
struct met {
    int n;
    struct mosaic_tile tiles[TILES];
};

/* Of up to TILES tiles those that meet the pixels from (top, left) to (bottom, right). A warp looks
 * at them, the others wait. */
static __device__ void meet_tiles(struct met *met, const struct mosaic_tile *tiles, int count,
                                  const struct mosaic_look *look, int top, int left, int bottom,
                                  int right)
{
    int me = (int)(threadIdx.y * PIXELS_WIDE + threadIdx.x);
    if (me < TILES) {
        struct mosaic_tile mine = tiles[me < count ? me : 0];
        bool meets = me < count && mine.y < bottom && mine.y + look->tile_h > top &&
                     mine.x < right && mine.x + look->tile_w > left;
        unsigned all = __ballot_sync(~0u, meets);
        if (meets)
            met->tiles[__popc(all & ((1u << me) - 1))] = mine;
        if (me == 0)
            met->n = __popc(all);
    }
    __syncthreads();
}

/* Rows that a thread makes. plain: all tiles are placed and have one band, which leaves registers
 * for twice as many. */
static __host__ __device__ constexpr int rows_blended(bool plain)
{
    return plain ? 8 : 4;
}

/* A block of threads makes PIXELS_HIGH rows_blended rows of PIXELS_WIDE pixels, a thread those of a
 * column one below the other. */
template <bool plain>
static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(5))
    blend(uint16_t *dst, uint8_t *cover, int canvas_w, int y0, int rows,
          const struct mosaic_tile *tiles, int count,
          const __grid_constant__ struct mosaic_look look)
{
    constexpr int HIGH = rows_blended(plain), BLOCK = HIGH * PIXELS_HIGH;
    __shared__ struct met met;
    int left = (int)blockIdx.x * PIXELS_WIDE, top = (int)blockIdx.y * BLOCK;
    int x = left + (int)threadIdx.x, y = top + HIGH * (int)threadIdx.y;
    struct blending s[HIGH] = {};
    for (int first = 0; first < count; first += TILES) {
        int some = count - first < TILES ? count - first : TILES;
        if (first) /* the next tiles take the place of these */
            __syncthreads();
        meet_tiles(&met, tiles + first, some, &look, y0 + top, left, y0 + top + BLOCK,
                   left + PIXELS_WIDE);
        for (int k = 0; k < met.n; k++) {
            const struct mosaic_tile *tile = &met.tiles[k];
            int ty = y0 + y - tile->y, tx = x - tile->x;
            if (!plain && tile->low)
                add_tile<false, true, HIGH>(s, tile, &look, ty, tx);
            else
                add_tile<plain, false, HIGH>(s, tile, &look, ty, tx);
        }
    }
    size_t at = (size_t)(unsigned)y * (unsigned)canvas_w + (unsigned)x;
    uint16_t *to = dst + at;
    uint8_t *covered = cover ? cover + at : NULL;
    bool all = cover && y + HIGH <= rows; /* then nothing is asked between them */
    if (x >= canvas_w)
        return;
    for (int r = 0; r < HIGH && all; r++) {
        *to = blended(&s[r]);
        *covered = s[r].weight > 0 ? 255 : 0;
        to = gpu_past(to, (unsigned)canvas_w * (unsigned)sizeof *to, 1);
        covered = gpu_past(covered, (unsigned)canvas_w, 1);
    }
    for (int r = 0; r < HIGH && !all && y + r < rows; r++) {
        *gpu_past(to, (unsigned)canvas_w * (unsigned)sizeof *to, r) = blended(&s[r]);
        if (cover)
            *gpu_past(covered, (unsigned)canvas_w, r) = s[r].weight > 0 ? 255 : 0;
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
    LAUNCH(dev, place, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)(dst, seeing{src, *look, dy, dx}, w);
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
    int count = host[0] < 0 ? 0 : host[0] < want ? host[0] : want; /* whatever a card says */
    memcpy(peaks, host + 1, (size_t)count * sizeof *peaks);
    return count;
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

void gpu_mosaic_rows(struct device *dev, uint16_t *dst, uint8_t *cover, const struct mosaic *mosaic,
                     int y0, int rows)
{
    const struct mosaic_look *look = mosaic->look;
    size_t room = (size_t)mosaic->count + 1;
    struct mosaic_tile *met = (struct mosaic_tile *)malloc(room * sizeof *met);
    struct mosaic_tile *there = gpu_array<struct mosaic_tile>(dev, room);
    int n = 0;
    bool plain = true;
    if (!met)
        device_fail(dev, KIN_MEMORY, "no memory for %d tiles", mosaic->count);
    /* those that these rows meet, in their order */
    for (int k = 0; met && k < mosaic->count; k++) {
        int y = mosaic->tiles[k].y;
        if (y < y0 + rows && y + look->tile_h > y0) {
            met[n++] = mosaic->tiles[k];
            plain &= mosaic->tiles[k].placed && !mosaic->tiles[k].low;
        }
    }
    gpu_upload(dev, there, met, (size_t)n * sizeof *met);
    dim3 grid(gpu_pieces((size_t)mosaic->width, PIXELS_WIDE),
              gpu_pieces((size_t)rows, (size_t)(PIXELS_HIGH * rows_blended(plain))));
    auto kernel = plain ? blend<true> : blend<false>;
    LAUNCH(dev, kernel, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)
    (dst, cover, mosaic->width, y0, rows, there, n, *look);
    gpu_release(dev, there);
    free(met);
}
