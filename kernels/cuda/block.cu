// SPDX-License-Identifier: MIT
// block.cu: batches of small images on the GPU.
//
// A batch may be a thousand blocks of 96 x 96 or one of 2000 x 2000. Each is cut into pieces of the
// same size, PIECE elements or fewer, one for a block of threads; what the pieces have added up, a
// block of threads or a warp for each image joins.
#include "cuda/device.h"
#include "device/block_pixel.h"

enum {
    PIECE = 4096,
    READS = 2, /* frequencies that a thread reads before it makes the first */
};

/* A batch of images of `size` elements, each of `pieces` pieces. */
struct batch {
    struct block_shape shape;
    int size, pieces, piece; /* elements of a piece */
};

static struct batch batch_of(const struct block_shape *shape, int size)
{
    int pieces = (int)gpu_pieces((size_t)size, PIECE),
        each = (int)gpu_pieces((size_t)size, (size_t)pieces);
    return {*shape, size, pieces, (each + GPU_THREADS - 1) / GPU_THREADS * GPU_THREADS};
}

static dim3 each_piece(const struct batch *batch)
{
    return dim3((unsigned)batch->shape.n * (unsigned)batch->pieces);
}

static dim3 each_image(const struct batch *batch)
{
    return dim3((unsigned)batch->shape.n);
}

/* The image and the elements first .. end-1 of the running block of threads. */
static __device__ int piece_of(const struct batch *batch, int *first, int *end)
{
    *first = (int)blockIdx.x % batch->pieces * batch->piece;
    *end = *first + batch->piece < batch->size ? *first + batch->piece : batch->size;
    return (int)blockIdx.x / batch->pieces;
}

/* The sums of the K numbers of each piece of an image; thread 0 gets them. */
template <int K>
static __device__ void join(double (&sum)[K], const struct batch *batch, const double *part,
                            int image)
{
    for (int i = (int)threadIdx.x; i < batch->pieces; i += GPU_THREADS)
        for (int k = 0; k < K; k++)
            sum[k] += part[((size_t)image * batch->pieces + i) * K + k];
    gpu_block_sums(sum);
}

/* Writes those of the running block's piece. */
template <int K> static __device__ void write_sums(double *part, double (&sum)[K])
{
    gpu_block_sums(sum);
    for (int k = 0; k < K && threadIdx.x == 0; k++)
        part[K * (size_t)blockIdx.x + k] = sum[k];
}

/* ---- kernels: gathering ---------------------------------------------------------------------- */

/* The source at pixel (y, x), seen through the map; NaN where there is nothing. */
static __device__ float read_pixel(const struct pixel_source *src, const struct warp_map *map,
                                   bool mapped, int y, int x)
{
    float v = NAN;
    if (!mapped) {
        bool inside = y >= 0 && y < src->h && x >= 0 && x < src->w;
        uint16_t there = inside ? pixel_row(src, y)[x] : 0;
        return there ? (float)there : v;
    }
    double q[2];
    pixel_map(map, y, x, q);
    return pixel_cubic(src, q[0], q[1], &v) && !pixel_empty(src, q[0], q[1]) ? v : NAN;
}

/* part: sum and number of the pixels that hold something. */
static __global__ void gather(float *blocks, double *part, struct batch batch, const float *centre,
                              struct pixel_source src, struct warp_map map, bool mapped)
{
    int first, end, image = piece_of(&batch, &first, &end);
    const struct block_shape *s = &batch.shape;
    int y0 = block_origin(centre[2 * image], s->h), x0 = block_origin(centre[2 * image + 1], s->w);
    double sum[2] = {0, 0}; /* and count */
    for (int i = first + (int)threadIdx.x; i < end; i += GPU_THREADS) {
        float v = read_pixel(&src, &map, mapped, y0 + i / s->w, x0 + i % s->w);
        if (!isnan(v)) {
            v = block_clip(v, s);
            sum[0] += v;
            sum[1]++;
        }
        blocks[(size_t)image * batch.size + i] = v;
    }
    write_sums(part, sum);
}

static __global__ void join_means(float *mean, float *fill, struct batch batch, const double *part)
{
    int image = (int)blockIdx.x;
    double sum[2] = {0, 0};
    join(sum, &batch, part, image);
    if (threadIdx.x == 0) {
        mean[image] = sum[1] > 0 ? (float)(sum[0] / sum[1]) : 0;
        fill[image] = (float)sum[1] / (float)batch.size;
    }
}

static __global__ void window(float *blocks, struct batch batch, const float *mean)
{
    int first, end, image = piece_of(&batch, &first, &end);
    const struct block_shape *s = &batch.shape;
    for (int i = first + (int)threadIdx.x; i < end; i += GPU_THREADS) {
        float *v = blocks + (size_t)image * batch.size + i;
        *v = block_windowed(*v, mean[image], block_hann(i / s->w, s->h),
                            block_hann(i % s->w, s->w));
    }
}

/* ---- kernels: correlation -------------------------------------------------------------------- */

static __global__ void __launch_bounds__(GPU_THREADS, gpu_blocks(6))
    cross(float2 *a, const float2 *b, double *part, const __grid_constant__ struct batch batch,
          const float *band, float whiten)
{
    int first, end, image = piece_of(&batch, &first, &end);
    int wide = batch.shape.w / 2 + 1, on = GPU_THREADS % wide, i = first + (int)threadIdx.x,
        x = i % wide;
    double sums[3] = {0, 0, 0}; /* struct block_sums */
    a += (size_t)image * batch.size;
    b += (size_t)image * batch.size;
    GPU_UNROLLED(1)
    for (; i < end; i += READS * GPU_THREADS) {
        float2 p[READS], q[READS];
        float gain[READS];
        for (int k = 0; k < READS; k++)
            if (k == 0 || i + k * GPU_THREADS < end) {
                p[k] = a[i + k * GPU_THREADS];
                q[k] = b[i + k * GPU_THREADS];
                gain[k] = gpu_fixed(band[i + k * GPU_THREADS]);
            }
        for (int k = 0; k < READS; k++) {
            if (k == 0 || i + k * GPU_THREADS < end) {
                struct block_sums here = block_cross_with(&p[k].x, &q[k].x, gain[k],
                                                          block_times(&batch.shape, x), whiten);
                a[i + k * GPU_THREADS] = p[k];
                sums[0] += here.ab;
                sums[1] += here.aa;
                sums[2] += here.bb;
            }
            x = x + on < wide ? x + on : x + on - wide;
        }
    }
    write_sums(part, sums);
}

/* A warp for each image: most have few pieces. */
static __global__ void join_cross(float *ncc, float *power, struct batch batch, const double *part)
{
    int image = (int)(blockIdx.x * (GPU_THREADS / GPU_LANES) + threadIdx.x / GPU_LANES),
        lane = (int)threadIdx.x % GPU_LANES;
    double sums[3] = {0, 0, 0};
    if (image >= batch.shape.n)
        return;
    for (int i = lane; i < batch.pieces; i += GPU_LANES)
        for (int k = 0; k < 3; k++)
            sums[k] += part[((size_t)image * batch.pieces + i) * 3 + k];
    for (int k = 0; k < 3; k++)
        sums[k] = gpu_warp_sum(sums[k]);
    if (lane == 0) {
        ncc[image] = block_ncc(block_sums{sums[0], sums[1], sums[2]});
        power[image] = (float)sums[1];
    }
}

/* part: sum and sum of squares. */
static __global__ void add_squares(const float *corr, double *part, struct batch batch)
{
    int first, end, image = piece_of(&batch, &first, &end);
    double sum[2] = {0, 0};
    for (int i = first + (int)threadIdx.x; i < end; i += GPU_THREADS) {
        double v = corr[(size_t)image * batch.size + i];
        sum[0] += v;
        sum[1] += v * v;
    }
    write_sums(part, sum);
}

static __global__ void find_peaks(struct block_peak *peaks, const float *corr, struct batch batch,
                                  const double *part, int reach_y, int reach_x)
{
    int image = (int)blockIdx.x, wide = 2 * reach_x + 1, area = wide * (2 * reach_y + 1);
    const float *mine = corr + (size_t)image * batch.size;
    double sum[2] = {0, 0};
    struct gpu_best best = {-INFINITY, -1};
    for (int i = (int)threadIdx.x; i < area; i += GPU_THREADS) {
        float v = block_at(mine, &batch.shape, i / wide - reach_y, i % wide - reach_x);
        if (v > best.value)
            best = {v, i};
    }
    best = gpu_block_best(best);
    join(sum, &batch, part, image);
    if (threadIdx.x == 0) {
        int at = best.index < 0 ? area / 2 : best.index; /* the middle is shift 0 */
        peaks[image] = block_peak_at(mine, &batch.shape, at / wide - reach_y, at % wide - reach_x,
                                     reach_y, reach_x,
                                     block_deviation(sum[0], sum[1], (size_t)batch.size));
    }
}

/* ---- launchers ------------------------------------------------------------------------------- */

void gpu_block_gather(struct device *dev, float *blocks, float *fill,
                      const struct block_shape *shape, const float *centre,
                      const struct image_rows *src, const struct warp_map *map)
{
    struct batch batch = batch_of(shape, shape->h * shape->w);
    struct warp_map seen = map ? *map : warp_map{};
    size_t n = (size_t)shape->n;
    float *middle = gpu_array<float>(dev, 2 * n), *mean = gpu_array<float>(dev, n);
    double *part = gpu_array<double>(dev, 2 * n * (size_t)batch.pieces);
    gpu_upload(dev, middle, centre, 2 * n * sizeof *centre);
    LAUNCH(dev, gather, each_piece(&batch), GPU_THREADS, 0)
    (blocks, part, batch, middle, pixel_source_of(src), seen, map != NULL);
    LAUNCH(dev, join_means, each_image(&batch), GPU_THREADS, 0)(mean, fill, batch, part);
    LAUNCH(dev, window, each_piece(&batch), GPU_THREADS, 0)(blocks, batch, mean);
    gpu_release(dev, part);
    gpu_release(dev, mean);
    gpu_release(dev, middle);
}

void gpu_block_cross(struct device *dev, float *a, const float *b, const struct block_shape *shape,
                     const float *band, float whiten, float *ncc, float *power_a)
{
    struct batch batch = batch_of(shape, shape->h * (shape->w / 2 + 1));
    double *part = gpu_array<double>(dev, 3 * (size_t)shape->n * (size_t)batch.pieces);
    LAUNCH(dev, cross, each_piece(&batch), GPU_THREADS, 0)
    ((float2 *)a, (const float2 *)b, part, batch, band, whiten);
    LAUNCH(dev, join_cross, dim3(gpu_pieces((size_t)shape->n, GPU_THREADS / GPU_LANES)),
           GPU_THREADS, 0)
    (ncc, power_a, batch, part);
    gpu_release(dev, part);
}

void gpu_block_peaks(struct device *dev, struct block_peak *peaks, const float *corr,
                     const struct block_shape *shape, int reach_y, int reach_x)
{
    struct batch batch = batch_of(shape, shape->h * shape->w);
    double *part = gpu_array<double>(dev, 2 * (size_t)shape->n * (size_t)batch.pieces);
    LAUNCH(dev, add_squares, each_piece(&batch), GPU_THREADS, 0)(corr, part, batch);
    LAUNCH(dev, find_peaks, each_image(&batch), GPU_THREADS, 0)
    (peaks, corr, batch, part, block_reach(reach_y, shape->h), block_reach(reach_x, shape->w));
    gpu_release(dev, part);
}
