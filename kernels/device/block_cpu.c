// SPDX-License-Identifier: MIT
// block_cpu.c: batches of small images on the CPU. A block is one thread's work from first to last
// pixel, so that sums have one order whatever the number of threads.
#include "device/device_cpu.h"

#include <math.h>
#include <stdlib.h>

#include "core/simd.h"
#include "device/block_pixel.h"
#include "device/pixel_run.h"

static float *hann_table(struct device *dev, int n)
{
    float *table = malloc(n * sizeof *table);
    if (!table)
        device_fail(dev, KIN_MEMORY, "no memory for a window of %d samples", n);
    for (int i = 0; table && i < n; i++)
        table[i] = block_hann(i, n);
    return table;
}

// What has been read of a block so far.
struct tally {
    double sum;
    int n;
};

// Clips what is not NaN to low..high and counts it. A row is summed in single precision, which is
// exact for 256 whole numbers of 16 bits, rows in double.
static inline __attribute__((always_inline)) void clip_row(float *row, int w, float low, float high,
                                                           struct tally *tally)
{
    float total = 0;
    int n = 0;
#pragma omp simd reduction(+ : total, n)
    for (int j = 0; j < w; j++) {
        float v = row[j] < low ? low : row[j] > high ? high : row[j]; // NaN stays
        row[j] = v;
        total += v == v ? v : 0;
        n += v == v;
    }
    tally->sum += (double)total;
    tally->n += n;
}

// One row of a block read where the pixels lie; NAN outside or where there is nothing.
VECTOR_CLONES static void read_straight(float *row, const struct block_shape *s,
                                        const struct pixel_source *src, int y, int x0,
                                        struct tally *tally)
{
    bool inside = y >= 0 && y < src->h;
    int first = !inside ? s->w : x0 < 0 ? -x0 : 0, last = src->w - x0 < s->w ? src->w - x0 : s->w;
    const uint16_t *from = pixel_row(src, inside ? y : src->first) + x0;
    for (int j = 0; j < first && j < s->w; j++)
        row[j] = NAN;
#pragma omp simd
    for (int j = first; j < last; j++)
        row[j] = from[j] ? (float)from[j] : NAN;
    for (int j = last > first ? last : first; j < s->w; j++)
        row[j] = NAN;
    clip_row(row, s->w, s->low, s->high, tally);
}

VECTOR_CLONES static void read_mapped(float *row, const struct block_shape *s,
                                      const struct pixel_source *src, int y, int x0,
                                      const struct warp_map *map, struct tally *tally)
{
    struct pixel_run run;
    for (int at = 0, n; at < s->w; at += n) {
        n = pixel_run_length(map, s->w - at);
        pixel_run_map(map, y, x0 + at, n, &run);
        pixel_run_read(src, n, &run, row + at);
        for (int j = 0; j < n; j++)
            if (row[at + j] == row[at + j] && pixel_empty(src, run.y[j], run.x[j]))
                row[at + j] = NAN;
    }
    clip_row(row, s->w, s->low, s->high, tally);
}

// Reads one block; pixels that hold nothing become NaN.
static struct tally read_block(float *block, const struct block_shape *s, const float *centre,
                               const struct pixel_source *src, const struct warp_map *map)
{
    struct tally tally = {0};
    int y0 = block_origin(centre[0], s->h), x0 = block_origin(centre[1], s->w);
    for (int i = 0; i < s->h; i++) {
        float *row = block + (size_t)i * s->w;
        if (map)
            read_mapped(row, s, src, y0 + i, x0, map, &tally);
        else
            read_straight(row, s, src, y0 + i, x0, &tally);
    }
    return tally;
}

VECTOR_CLONES static void window_block(float *block, const struct block_shape *s, float mean,
                                       const float *wy, const float *wx)
{
    for (int i = 0; i < s->h; i++) {
        float *row = block + (size_t)i * s->w;
#pragma omp simd
        for (int j = 0; j < s->w; j++)
            row[j] = block_windowed(row[j], mean, wy[i], wx[j]);
    }
}

void cpu_block_gather(struct device *dev, float *blocks, float *fill,
                      const struct block_shape *shape, const float *centre,
                      const struct image_rows *src, const struct warp_map *map)
{
    struct pixel_source source = pixel_source_of(src);
    float *wy = hann_table(dev, shape->h), *wx = hann_table(dev, shape->w);
    size_t size = (size_t)shape->h * shape->w;
    int n = dev->error.code == KIN_OK ? shape->n : 0;
#pragma omp parallel for num_threads(dev->threads) schedule(dynamic)
    for (int b = 0; b < n; b++) {
        float *block = blocks + b * size;
        struct tally tally = read_block(block, shape, centre + 2 * b, &source, map);
        fill[b] = (float)tally.n / (float)size;
        window_block(block, shape, tally.n ? (float)(tally.sum / tally.n) : 0, wy, wx);
    }
    free(wy);
    free(wx);
}

// One row of a block's spectra. Columns 0 and w/2 stand for themselves, the others also for their
// mirror image.
VECTOR_CLONES static void cross_row(float *restrict a, const float *restrict b, int w,
                                    const float *restrict band, float whiten,
                                    struct block_sums *sums)
{
    double ab = 0, aa = 0, bb = 0;
    for (int k = 0; k < 2 - w % 2; k++) {
        int x = k * (w / 2);
        struct block_sums once = block_sums_of(a + 2 * x, b + 2 * x, -band[x]);
        ab += once.ab;
        aa += once.aa;
        bb += once.bb;
    }
#pragma omp simd reduction(+ : ab, aa, bb)
    for (int x = 0; x <= w / 2; x++) {
        struct block_sums twice = block_cross_with(a + 2 * x, b + 2 * x, band[x], 2, whiten);
        ab += twice.ab;
        aa += twice.aa;
        bb += twice.bb;
    }
    sums->ab += ab;
    sums->aa += aa;
    sums->bb += bb;
}

static void cross_block(float *a, const float *b, const struct block_shape *s, const float *band,
                        float whiten, float *ncc, float *power)
{
    size_t half = (size_t)s->w / 2 + 1;
    struct block_sums sums = {0};
    for (size_t i = 0; i < (size_t)s->h; i++)
        cross_row(a + 2 * i * half, b + 2 * i * half, s->w, band + i * half, whiten, &sums);
    *ncc = block_ncc(sums);
    *power = (float)sums.aa;
}

void cpu_block_cross(struct device *dev, float *a, const float *b, const struct block_shape *shape,
                     const float *band, float whiten, float *ncc, float *power_a)
{
    size_t size = 2 * (size_t)shape->h * (shape->w / 2 + 1);
    int n = dev->error.code == KIN_OK ? shape->n : 0;
#pragma omp parallel for num_threads(dev->threads) schedule(dynamic)
    for (int k = 0; k < n; k++)
        cross_block(a + k * size, b + k * size, shape, band, whiten, ncc + k, power_a + k);
}

VECTOR_CLONES static float deviation(const float *corr, size_t n)
{
    double sum = 0, sum2 = 0;
#pragma omp simd reduction(+ : sum, sum2)
    for (size_t i = 0; i < n; i++) {
        sum += (double)corr[i];
        sum2 += (double)corr[i] * (double)corr[i];
    }
    return block_deviation(sum, sum2, n);
}

static struct block_peak find_peak(const float *corr, const struct block_shape *s, int ry, int rx)
{
    int by = 0, bx = 0;
    float best = -INFINITY, std = deviation(corr, (size_t)s->h * s->w);
    for (int y = -ry; y <= ry; y++)
        for (int x = -rx; x <= rx; x++)
            if (block_at(corr, s, y, x) > best) {
                best = block_at(corr, s, y, x);
                by = y;
                bx = x;
            }
    return block_peak_at(corr, s, by, bx, ry, rx, std);
}

void cpu_block_peaks(struct device *dev, struct block_peak *peaks, const float *corr,
                     const struct block_shape *shape, int reach_y, int reach_x)
{
    size_t size = (size_t)shape->h * shape->w;
    int n = dev->error.code == KIN_OK ? shape->n : 0;
    int ry = block_reach(reach_y, shape->h), rx = block_reach(reach_x, shape->w);
#pragma omp parallel for num_threads(dev->threads) schedule(dynamic)
    for (int b = 0; b < n; b++)
        peaks[b] = find_peak(corr + b * size, shape, ry, rx);
}
