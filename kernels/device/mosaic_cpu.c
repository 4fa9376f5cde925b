// SPDX-License-Identifier: MIT
// mosaic_cpu.c: what stitching asks of the CPU: tiles moved to their places, overlaps, strips,
// bands of a mosaic.
//
// Overlap sums are exact in 64-bit integers, so that every back end gives the same bits.
#include "core/simd.h"
#include "device/device_cpu.h"
#include "device/mosaic_pixel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One row of a tile between its rows: line = four rows, corrected and weighed. */
VECTOR_CLONES static void between_rows(float *restrict line, const uint16_t *src,
                                       const struct mosaic_look *look, int y, float dy)
{
    struct mosaic_look l = *look;
    float w[4];
    place_weights(dy, w);
    memset(line, 0, (size_t)l.tile_w * sizeof *line);
    for (int j = dy > 0 ? 0 : 1; j < (dy > 0 ? 4 : 2); j++) {
        size_t at = (size_t)place_tap(y, dy, j - 1, l.tile_h) * (size_t)l.tile_w;
#pragma omp simd
        for (int x = 0; x < l.tile_w; x++)
            line[x] += w[j] * mosaic_value(&l, src, at + x);
    }
}

/* dst = line between its columns. */
VECTOR_CLONES static void between_columns(float *restrict dst, const float *restrict line, int n,
                                          float dx)
{
    float w[4];
    place_weights(dx, w);
    for (int x = 0; x < n; x += x == 1 && n > 4 ? n - 3 : 1) { /* the ends: 0, 1, n-2, n-1 */
        dst[x] = 0;
        for (int j = 0; j < 4; j++)
            dst[x] += w[j] * line[place_tap(x, dx, j - 1, n)];
    }
#pragma omp simd
    for (int x = 2; x < n - 2; x++)
        dst[x] = w[0] * line[x - 2] + w[1] * line[x - 1] + w[2] * line[x] + w[3] * line[x + 1];
}

void cpu_tile_place(struct device *dev, float *dst, const uint16_t *src,
                    const struct mosaic_look *look, float dy, float dx)
{
    bool failed = false;
    if (device_stopped(dev))
        return;
#pragma omp parallel num_threads(dev->threads)
    {
        float *line = malloc((size_t)look->tile_w * sizeof *line);
        if (!line)
#pragma omp atomic write
            failed = true;
#pragma omp for schedule(static)
        for (int y = 0; y < look->tile_h; y++) {
            float *row = dst + (size_t)y * (size_t)look->tile_w;
            if (!line)
                continue;
            between_rows(dx > 0 ? line : row, src, look, y, dy);
            if (dx > 0)
                between_columns(row, line, look->tile_w, dx);
        }
        free(line);
    }
    if (failed)
        device_fail(dev, KIN_MEMORY, "no memory for a row of a tile");
}

/* ---- strips ---------------------------------------------------------------------------------- */

void cpu_strip_cut(struct device *dev, float *dst, const uint16_t *tile, int tile_w,
                   struct strip strip)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int y = 0; y < strip.h; y++) {
        const uint16_t *row = tile + (size_t)(strip.y + y) * (size_t)tile_w + strip.x;
        for (int x = 0; x < strip.w; x++)
            dst[(size_t)y * (size_t)strip.w + x] = row[x];
    }
}

void cpu_strip_taper(struct device *dev, float *dst, struct kin_dims to, const float *fine,
                     const float *coarse, int h, int w)
{
    if (device_stopped(dev))
        return;
    int m = taper_margin(h, w);
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int y = 0; y < to.y; y++) {
        float *row = dst + (size_t)y * (size_t)to.x;
        memset(row, 0, (size_t)to.x * sizeof *row);
        for (int x = 0; y < h && x < w; x++) {
            size_t i = (size_t)y * (size_t)w + (size_t)x;
            row[x] = (fine[i] - coarse[i]) * taper_weight(y, h, m) * taper_weight(x, w, m);
        }
    }
}

void cpu_cross_power(struct device *dev, float *a, const float *b, size_t n)
{
    if (device_stopped(dev) || !n)
        return;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += cross_multiply(a + 2 * i, b + 2 * i);
    float floor = cross_floor(sum, n);
    for (size_t i = 0; i < n; i++)
        cross_whiten(a + 2 * i, floor);
}

int cpu_shift_peaks(struct device *dev, const float *corr, struct kin_dims dims,
                    struct shift_window window, int (*peaks)[2], int want)
{
    int count = 0;
    for (; !device_stopped(dev) && count < want; count++) {
        float best = -INFINITY;
        bool found = false;
        for (int y = window.y0; y <= window.y1; y++) {
            const float *row = corr + (size_t)kin_wrap(y, dims.y) * (size_t)dims.x;
            for (int x = window.x0; x <= window.x1; x++) {
                if (row[kin_wrap(x, dims.x)] <= best || near_earlier(peaks, count, y, x))
                    continue;
                best = row[kin_wrap(x, dims.x)];
                peaks[count][0] = y;
                peaks[count][1] = x;
                found = true;
            }
        }
        if (!found)
            break;
    }
    return count;
}

/* ---- overlaps -------------------------------------------------------------------------------- */

static void row_sums(const uint16_t *a, const uint16_t *b, int n, int64_t sums[5])
{
    uint64_t s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0;
    for (int x = 0; x < n; x++) {
        uint32_t p = a[x], q = b[x];
        s0 += p;
        s1 += q;
        s2 += (uint64_t)(p * p);
        s3 += (uint64_t)(q * q);
        s4 += (uint64_t)(p * q);
    }
    sums[0] += (int64_t)s0;
    sums[1] += (int64_t)s1;
    sums[2] += (int64_t)s2;
    sums[3] += (int64_t)s3;
    sums[4] += (int64_t)s4;
}

void cpu_overlap_sums(struct device *dev, const uint16_t *a, const uint16_t *b,
                      struct kin_dims tile, int dy, int dx, int64_t sums[6])
{
    memset(sums, 0, 6 * sizeof *sums);
    int h = tile.y - abs(dy), w = tile.x - abs(dx);
    if (device_stopped(dev) || h <= 0 || w <= 0)
        return;
    const uint16_t *pa = a + (size_t)(dy > 0 ? dy : 0) * (size_t)tile.x + (dx > 0 ? dx : 0);
    const uint16_t *pb = b + (size_t)(dy < 0 ? -dy : 0) * (size_t)tile.x + (dx < 0 ? -dx : 0);
    int64_t s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0;
#pragma omp parallel for num_threads(dev->threads) schedule(static)                                \
    reduction(+ : s0, s1, s2, s3, s4)
    for (int y = 0; y < h; y++) {
        int64_t row[5] = {0};
        row_sums(pa + (size_t)y * (size_t)tile.x, pb + (size_t)y * (size_t)tile.x, w, row);
        s0 += row[0];
        s1 += row[1];
        s2 += row[2];
        s3 += row[3];
        s4 += row[4];
    }
    int64_t all[6] = {s0, s1, s2, s3, s4, (int64_t)h * w};
    memcpy(sums, all, sizeof all);
}

/* ---- bands of a mosaic ----------------------------------------------------------------------- */

/* Sums of a row of the canvas, each (canvas_w): what is shown and its weights; with two bands also
 * detail and its. */
struct row_sums {
    float *sum, *weight, *detail, *sharp;
};

VECTOR_CLONES static void add_tile_row(const struct mosaic_tile *tile,
                                       const struct mosaic_look *look, int y, int canvas_w,
                                       const struct row_sums *to)
{
    size_t at = (size_t)y * (size_t)look->tile_w;
    struct mosaic_look l = *look; /* copies that no store below can change */
    struct mosaic_tile t = *tile;
    int left = t.x < 0 ? -t.x : 0;
    int right = t.x + l.tile_w > canvas_w ? canvas_w - t.x : l.tile_w;
    float wy = look->weight_y[y], *sum = to->sum + t.x, *weight = to->weight + t.x;
#pragma omp simd
    for (int x = left; x < right; x++) {
        float w = wy * l.weight_x[x];
        sum[x] += w * (t.placed ? t.placed[at + x] : mosaic_value(&l, t.data, at + x));
        weight[x] += w;
    }
}

VECTOR_CLONES static void add_tile_bands(const struct mosaic_tile *tile,
                                         const struct mosaic_look *look, int y, int canvas_w,
                                         const struct row_sums *to)
{
    size_t at = (size_t)y * (size_t)look->tile_w;
    const float *placed = tile->placed + at, *low = tile->low + at, *weight_x = look->weight_x;
    int left = tile->x < 0 ? -tile->x : 0;
    int right = tile->x + look->tile_w > canvas_w ? canvas_w - tile->x : look->tile_w;
    float wy = look->weight_y[y], *sum = to->sum + tile->x, *weight = to->weight + tile->x;
    float *detail = to->detail + tile->x, *sharp = to->sharp + tile->x;
#pragma omp simd
    for (int x = left; x < right; x++) {
        float w = wy * weight_x[x], narrow = mosaic_sharp(w);
        sum[x] += w * low[x];
        weight[x] += w;
        detail[x] += narrow * (placed[x] - low[x]);
        sharp[x] += narrow;
    }
}

static uint16_t mosaic_mean(float sum, float weight)
{
    return weight > 0 ? kin_round_u16(sum / weight) : 0;
}

static void mosaic_row(uint16_t *dst, uint8_t *cover, const struct mosaic *m, int y, float *room)
{
    const struct mosaic_tile *tiles = m->tiles;
    size_t n = (size_t)m->width;
    struct row_sums s = {room, room + n, room + 2 * n, room + 3 * n};
    bool bands = m->count > 0 && tiles[0].low;
    memset(room, 0, (bands ? 4 : 2) * n * sizeof *room);
    for (int k = 0; k < m->count; k++) {
        if (y < tiles[k].y || y >= tiles[k].y + m->look->tile_h)
            continue;
        if (bands)
            add_tile_bands(&tiles[k], m->look, y - tiles[k].y, m->width, &s);
        else
            add_tile_row(&tiles[k], m->look, y - tiles[k].y, m->width, &s);
    }
    for (int x = 0; x < m->width; x++)
        dst[x] = bands ? mosaic_bands(s.sum[x], s.weight[x], s.detail[x], s.sharp[x])
                       : mosaic_mean(s.sum[x], s.weight[x]);
    for (int x = 0; cover && x < m->width; x++)
        cover[x] = s.weight[x] > 0 ? 255 : 0;
}

void cpu_mosaic_rows(struct device *dev, uint16_t *dst, uint8_t *cover, const struct mosaic *mosaic,
                     int y0, int rows)
{
    bool failed = false;
    if (device_stopped(dev))
        return;
#pragma omp parallel num_threads(dev->threads)
    {
        float *sum = malloc((size_t)mosaic->width * 4 * sizeof *sum);
        if (!sum)
#pragma omp atomic write
            failed = true;
#pragma omp for schedule(static)
        for (int y = 0; y < rows; y++) {
            size_t at = (size_t)y * (size_t)mosaic->width;
            if (sum)
                mosaic_row(dst + at, cover ? cover + at : NULL, mosaic, y0 + y, sum);
        }
        free(sum);
    }
    if (failed)
        device_fail(dev, KIN_MEMORY, "no memory for a row of the mosaic");
}
