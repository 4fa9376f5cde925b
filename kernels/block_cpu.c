// SPDX-License-Identifier: MIT
// block_cpu.c: batches of small images on the CPU. A block is one thread's work from first to last
// pixel, so that sums have one order whatever the number of threads.
#include "device_cpu.h"

#include <math.h>
#include <stdlib.h>

#include "warp_pixel.h"

static float hann(int i, int n)
{
    return n > 1 ? 0.5f - 0.5f * cosf((float)(2 * M_PI) * (float)i / (float)(n - 1)) : 1;
}

static float *hann_table(struct device *dev, int n)
{
    float *table = malloc(n * sizeof *table);
    if (!table)
        device_fail(dev, KIN_MEMORY, "no memory for a window of %d samples", n);
    for (int i = 0; table && i < n; i++)
        table[i] = hann(i, n);
    return table;
}

// One row of a block read where the pixels lie; NAN outside or where there is nothing.
static void read_straight(float *row, int w, const struct pixel_source *src, int y, int x0)
{
    bool inside = y >= 0 && y < src->h;
    const uint16_t *from = inside ? src->data + (size_t)y * src->w : NULL;
    for (int j = 0; j < w; j++) {
        int x = x0 + j;
        row[j] = inside && x >= 0 && x < src->w && from[x] ? (float)from[x] : NAN;
    }
}

static void read_mapped(float *row, int w, const struct pixel_source *src, int y, int x0,
                        const struct warp_map *map)
{
    struct pixel_run run;
    for (int at = 0, n; at < w; at += n) {
        n = pixel_run_length(map, w - at);
        pixel_run_map(map, y, x0 + at, n, &run);
        for (int j = 0; j < n; j++)
            if (!pixel_cubic(src, run.y[j], run.x[j], &row[at + j]) ||
                pixel_empty(src, run.y[j], run.x[j]))
                row[at + j] = NAN;
    }
}

// Reads one block; pixels that hold nothing become NaN. Returns how many hold something.
static int read_block(float *block, const struct block_shape *s, const float *centre,
                      const struct pixel_source *src, const struct warp_map *map, double *sum)
{
    int y0 = (int)lroundf(centre[0] - (float)(s->h - 1) / 2);
    int x0 = (int)lroundf(centre[1] - (float)(s->w - 1) / 2), n = 0;
    *sum = 0;
    for (int i = 0; i < s->h; i++) {
        float *row = block + (size_t)i * s->w;
        if (map)
            read_mapped(row, s->w, src, y0 + i, x0, map);
        else
            read_straight(row, s->w, src, y0 + i, x0);
        for (int j = 0; j < s->w; j++)
            if (!isnan(row[j])) {
                row[j] = row[j] < s->low ? s->low : row[j] > s->high ? s->high : row[j];
                *sum += row[j];
                n++;
            }
    }
    return n;
}

static void window_block(float *block, const struct block_shape *s, float mean, const float *wy,
                         const float *wx)
{
    for (int i = 0; i < s->h; i++)
        for (int j = 0; j < s->w; j++) {
            float *v = block + (size_t)i * s->w + j;
            *v = isnan(*v) ? 0 : (*v - mean) * wy[i] * wx[j];
        }
}

void cpu_block_gather(struct device *dev, float *blocks, float *fill,
                      const struct block_shape *shape, const float *centre, const uint16_t *src,
                      struct kin_dims dims, const struct warp_map *map)
{
    struct pixel_source source = {src, dims.y, dims.x};
    float *wy = hann_table(dev, shape->h), *wx = hann_table(dev, shape->w);
    size_t size = (size_t)shape->h * shape->w;
    int n = dev->error.code == KIN_OK ? shape->n : 0;
#pragma omp parallel for num_threads(dev->threads) schedule(dynamic)
    for (int b = 0; b < n; b++) {
        double sum;
        float *block = blocks + b * size;
        int count = read_block(block, shape, centre + 2 * b, &source, map, &sum);
        fill[b] = (float)count / (float)size;
        window_block(block, shape, count ? (float)(sum / count) : 0, wy, wx);
    }
    free(wy);
    free(wx);
}

// One block's spectra; see block_cross in device.h. Columns 0 and w/2 stand for themselves, the
// others also for their mirror image.
static void cross_block(float *a, const float *b, const struct block_shape *s, const float *weight,
                        const float *band, float whiten, float *ncc, float *power)
{
    int half = s->w / 2 + 1;
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < s->h * half; i++) {
        float *p = a + 2 * i;
        const float *q = b + 2 * i;
        int x = i % half;
        float g = band[i] * (x == 0 || 2 * x == s->w ? 1 : 2);
        float re = p[0] * q[0] + p[1] * q[1], im = p[1] * q[0] - p[0] * q[1];
        ab += g * re;
        aa += g * (p[0] * p[0] + p[1] * p[1]);
        bb += g * (q[0] * q[0] + q[1] * q[1]);
        float size = hypotf(re, im) * weight[i];
        float scale = size > 1e-12f ? weight[i] * powf(size, -whiten) : 0;
        p[0] = re * scale;
        p[1] = im * scale;
    }
    *ncc = aa > 0 && bb > 0 ? (float)(ab / sqrt(aa * bb)) : 0;
    *power = (float)aa;
}

void cpu_block_cross(struct device *dev, float *a, const float *b, const struct block_shape *shape,
                     const float *weight, const float *band, float whiten, float *ncc,
                     float *power_a)
{
    size_t size = 2 * (size_t)shape->h * (shape->w / 2 + 1);
    int n = dev->error.code == KIN_OK ? shape->n : 0;
#pragma omp parallel for num_threads(dev->threads) schedule(dynamic)
    for (int k = 0; k < n; k++)
        cross_block(a + k * size, b + k * size, shape, weight, band, whiten, ncc + k, power_a + k);
}

static float at(const float *corr, const struct block_shape *s, int y, int x)
{
    return corr[(size_t)((y + s->h) % s->h) * s->w + (x + s->w) % s->w];
}

// Offset of the summit of the parabola through m, o, p at -1, 0, 1.
static float summit(float m, float o, float p)
{
    float bend = m - 2 * o + p;
    return bend < 0 ? 0.5f * (m - p) / bend : 0;
}

static float deviation(const float *corr, size_t n)
{
    double sum = 0, sum2 = 0;
    for (size_t i = 0; i < n; i++) {
        sum += corr[i];
        sum2 += (double)corr[i] * corr[i];
    }
    return (float)sqrt(fmax(sum2 / n - (sum / n) * (sum / n), 0));
}

static struct block_peak find_peak(const float *corr, const struct block_shape *s, int ry, int rx)
{
    int by = 0, bx = 0;
    float best = -INFINITY, std = deviation(corr, (size_t)s->h * s->w);
    for (int y = -ry; y <= ry; y++)
        for (int x = -rx; x <= rx; x++)
            if (at(corr, s, y, x) > best) {
                best = at(corr, s, y, x);
                by = y;
                bx = x;
            }
    // corr = a conj(b): its peak is at the shift from b's content to a's; callers want the reverse.
    struct block_peak peak = {
        -((float)by + summit(at(corr, s, by - 1, bx), best, at(corr, s, by + 1, bx))),
        -((float)bx + summit(at(corr, s, by, bx - 1), best, at(corr, s, by, bx + 1))), 0};
    bool border = by == -ry || by == ry || bx == -rx || bx == rx;
    if (!border && std > 0)
        peak.quality = best / std;
    return peak;
}

void cpu_block_peaks(struct device *dev, struct block_peak *peaks, const float *corr,
                     const struct block_shape *shape, int reach_y, int reach_x)
{
    size_t size = (size_t)shape->h * shape->w;
    int n = dev->error.code == KIN_OK ? shape->n : 0;
    int ry = reach_y < (shape->h - 1) / 2 ? reach_y : (shape->h - 1) / 2;
    int rx = reach_x < (shape->w - 1) / 2 ? reach_x : (shape->w - 1) / 2;
#pragma omp parallel for num_threads(dev->threads) schedule(dynamic)
    for (int b = 0; b < n; b++)
        peaks[b] = find_peak(corr + b * size, shape, ry, rx);
}
