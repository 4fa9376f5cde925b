// SPDX-License-Identifier: MIT
#include "checks.h"
#include "device/alm.h"
#include "device/tally.h"
#include "device/warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- mosaic ---------------------------------------------------------------------------------- */

void check_tile_place(struct trial *t)
{
    static const float moves[][2] = {{0, 0}, {0.3f, 0}, {0, 0.7f}, {0.5f, 0.25f}};
    struct mosaic_look look = {.tile_h = t->dims.y, .tile_w = t->dims.x};
    uint16_t *src = some_words(t, t->n, 0, 65535);
    float *dst = some_memory(t, t->n * sizeof *dst);
    for (int i = 0; i < 4; i++) {
        t->dev->tile_place(t->dev, dst, src, &look, moves[i][0], moves[i][1]);
        same_floats(t, "dst", dst, (size_t)look.tile_h * (size_t)look.tile_w, ROUNDING);
        look.dark = some_floats(t, t->n, 0, 300);
        look.gain = some_floats(t, t->n, 0.5f, 3);
    }
}

void check_strip_cut(struct trial *t)
{
    struct strip strip = {3, 5, t->dims.y, t->dims.x};
    int wide = t->dims.x + 9;
    float *dst = some_memory(t, t->n * sizeof *dst);
    t->dev->strip_cut(t->dev, dst, some_words(t, (size_t)(t->dims.y + 4) * (size_t)wide, 0, 65535),
                      wide, strip);
    same_floats(t, "dst", dst, (size_t)t->dims.y * (size_t)t->dims.x, 0);
}

void check_strip_taper(struct trial *t)
{
    struct kin_dims to = {1, t->dims.y + 5, t->dims.x + 3};
    float *dst = some_memory(t, kin_count(to) * sizeof *dst);
    t->dev->strip_taper(t->dev, dst, to, some_floats(t, t->n, 0, 9), some_floats(t, t->n, 0, 9),
                        t->dims.y, t->dims.x);
    same_floats(t, "dst", dst, kin_count(to), ROUNDING);
}

void check_cross_power(struct trial *t)
{
    float *a = some_floats(t, 2 * t->n, -1, 1), *b = some_floats(t, 2 * t->n, -1, 1);
    t->dev->cross_power(t->dev, a, b, t->n);
    same_floats(t, "a", a, 2 * t->n, ROUNDING);
}

/* Few different values, so that there are ties. */
void check_shift_peaks(struct trial *t)
{
    struct shift_window window = {-2 * t->dims.y / 3, -t->dims.x / 2, t->dims.y / 3, t->dims.x / 4};
    uint16_t *words = some_words(t, t->n, 0, 40);
    float *corr = some_memory(t, t->n * sizeof *corr);
    int peaks[5][2] = {{0}};
    double numbers[11] = {0};
    t->dev->u16_to_f32(t->dev, corr, words, t->n);
    numbers[0] = t->dev->shift_peaks(t->dev, corr, t->dims, window, peaks, 5);
    for (int i = 0; i < 2 * (int)numbers[0]; i++)
        numbers[1 + i] = peaks[i / 2][i % 2];
    same_numbers(t, "peaks", numbers, 11, 0);
}

void check_overlap_sums(struct trial *t)
{
    uint16_t *a = some_words(t, t->n, 0, 65535), *b = some_words(t, t->n, 0, 65535);
    struct kin_dims tile = {1, t->dims.y, t->dims.x};
    for (int i = 0; i < 6; i++) {
        int dy = (i - 2) * tile.y / 4, dx = (3 - i) * tile.x / 4;
        int64_t sums[6];
        double numbers[6];
        t->dev->overlap_sums(t->dev, a, b, tile, dy, dx, sums);
        for (int k = 0; k < 6; k++)
            numbers[k] = (double)sums[k];
        same_numbers(t, "sums", numbers, 6, 0);
    }
}

/* Five tiles, some of them partly outside of the canvas. */
void check_mosaic_rows(struct trial *t)
{
    int h = t->dims.y, w = t->dims.x, canvas_w = 2 * w + 3, y0 = h / 3, rows = h + 2;
    size_t tile = (size_t)h * (size_t)w, n = (size_t)rows * (size_t)canvas_w;
    struct mosaic_tile tiles[5];
    struct mosaic_look look = {.tile_h = h, .tile_w = w};
    look.weight_y = some_floats(t, (size_t)h, 0.1f, 1);
    look.weight_x = some_floats(t, (size_t)w, 0.1f, 1);
    for (int k = 0; k < 5; k++)
        tiles[k] = (struct mosaic_tile){.data = some_words(t, tile, 0, 65535),
                                        .y = k * h / 3 - 1,
                                        .x = (k * 7 % 5) * w / 2 - 2};
    uint16_t *dst = some_memory(t, n * sizeof *dst);
    uint8_t *cover = some_memory(t, n);
    for (int kind = 0; kind < 4; kind++) { /* raw, corrected, placed, in two bands */
        struct mosaic few = {canvas_w, tiles, 5, &look};
        t->dev->mosaic_rows(t->dev, dst, kind ? NULL : cover, &few, y0, rows);
        same_words(t, "dst", dst, n);
        same_bytes(t, "cover", cover, n);
        look.dark = some_floats(t, tile, 0, 300);
        look.gain = some_floats(t, tile, 0.5f, 2);
        for (int k = 0; k < 5 && kind; k++) {
            tiles[k].low = tiles[k].placed; /* those of the round before, or none */
            tiles[k].placed = some_floats(t, tile, 0, 65535);
        }
    }
    enum { MANY = 300 }; /* more than a block of threads looks at together */
    struct mosaic_tile many[MANY];
    for (int k = 0; k < MANY; k++) {
        many[k] = tiles[k % 5];
        many[k].y = k % (h + 2) - 1;
        many[k].x = 3 * k % canvas_w - 2;
    }
    t->dev->mosaic_rows(t->dev, dst, cover, &(struct mosaic){canvas_w, many, MANY, &look}, 0, rows);
    same_words(t, "dst of many tiles", dst, n);
    same_bytes(t, "cover of many tiles", cover, n);
}

/* ---- illum ----------------------------------------------------------------------------------- */

enum { IMAGES = 11 };

static struct alm random_state(struct trial *t, double *b)
{
    int m = t->dims.z * t->dims.y * t->dims.x;
    size_t all = (size_t)m * IMAGES;
    for (int i = 0; i < IMAGES; i++)
        b[i] = some_number(t, 0.5, 1.5);
    return (struct alm){IMAGES,
                        m,
                        some_floats(t, all, 50, 200),
                        some_floats(t, all, 0.5f, 2),
                        some_floats(t, all, -9, 9),
                        some_floats(t, all, -1, 1),
                        some_floats(t, (size_t)m, 0.8f, 1.2f),
                        some_floats(t, (size_t)m, 0, 9),
                        b,
                        0.37};
}

void check_alm_mean(struct trial *t)
{
    double b[IMAGES];
    struct alm s = random_state(t, b);
    float *mean = some_memory(t, t->n * sizeof *mean);
    t->dev->alm_mean(t->dev, mean, &s, NULL);
    same_floats(t, "mean", mean, t->n, ROUNDING);
    t->dev->alm_mean(t->dev, mean, &s, b);
    same_floats(t, "weighed sum", mean, t->n, ROUNDING);
}

void check_alm_project(struct trial *t)
{
    double b[IMAGES], sums[IMAGES];
    struct alm s = random_state(t, b);
    t->dev->alm_project(t->dev, &s, sums);
    same_numbers(t, "sums", sums, IMAGES, ROUNDING);
}

void check_alm_step(struct trial *t)
{
    double b[IMAGES], sums[IMAGES][2];
    struct alm s = random_state(t, b);
    t->dev->alm_step(t->dev, &s, sums);
    same_numbers(t, "sums", sums[0], 2 * IMAGES, ROUNDING);
    same_floats(t, "sparse", s.sparse, t->n * IMAGES, ROUNDING);
    same_floats(t, "multiplier", s.multiplier, t->n * IMAGES, ROUNDING);
}

void check_alm_step_on(struct trial *t)
{
    double b[IMAGES], sums[IMAGES][2];
    struct alm s = random_state(t, b);
    float *mean = some_memory(t, t->n * sizeof *mean);
    t->dev->alm_step_on(t->dev, &s, sums, mean, 1.5 * s.mu);
    same_floats(t, "mean", mean, t->n, ROUNDING);
    same_numbers(t, "sums", sums[0], 2 * IMAGES, ROUNDING);
    same_floats(t, "multiplier", s.multiplier, t->n * IMAGES, ROUNDING);
}

void check_alm_sparse(struct trial *t)
{
    double b[IMAGES];
    struct alm s = random_state(t, b);
    t->dev->alm_sparse(t->dev, &s);
    same_floats(t, "sparse", s.sparse, t->n * IMAGES, ROUNDING);
}

void check_alm_split(struct trial *t)
{
    double b[IMAGES], sums[IMAGES][2];
    struct alm s = random_state(t, b);
    t->dev->alm_split(t->dev, &s, 1, sums);
    same_numbers(t, "sums", sums[0], 2 * IMAGES, 1e-9);
}

void check_alm_mean_below(struct trial *t)
{
    double b[IMAGES];
    struct alm s = random_state(t, b);
    float *mean = some_memory(t, t->n * sizeof *mean);
    t->dev->alm_mean_below(t->dev, mean, &s, 1);
    same_floats(t, "mean", mean, t->n, ROUNDING);
    t->dev->alm_mean_below(t->dev, mean, &s, 0); /* there is none */
    same_floats(t, "no mean", mean, t->n, 0);
}

void check_alm_reweigh(struct trial *t)
{
    double b[IMAGES], sums[IMAGES], height[IMAGES];
    struct alm s = random_state(t, b);
    float *weights = some_memory(t, t->n * IMAGES * sizeof *weights);
    for (int i = 0; i < IMAGES; i++)
        height[i] = some_number(t, 50, 200);
    t->dev->alm_reweigh(t->dev, weights, &s, height, 0.1f, sums);
    same_floats(t, "weights", weights, t->n * IMAGES, ROUNDING);
    same_numbers(t, "sums", sums, IMAGES, ROUNDING);
}

void check_scale(struct trial *t)
{
    float *a = some_floats(t, t->n, -1, 1);
    t->dev->scale(t->dev, a, 1.37f, t->n);
    same_floats(t, "a", a, t->n, 0);
}

/* ---- warp ------------------------------------------------------------------------------------ */

/* A turn, a stretch and a shift, without a field and with one that moves anything by so much. */
static struct warp_map random_map(struct trial *t, float field)
{
    struct kin_dims d = t->dims;
    /* of short decimals the middle between two pixels would be met, where a last bit decides which
     * is taken */
    struct warp_map map = {.a = {1.01, 0.03, -0.028, 0.99},
                           .t = {1.7137, -2.2291},
                           .c = {(d.y - 1) / 2.0, (d.x - 1) / 2.0}};
    if (field > 0) {
        map.grid = (struct warp_grid){d.y / 8 + 2, d.x / 8 + 2, 8, 3.5f, NULL, field < 0.41f};
        map.grid.u = some_floats(t, 2 * (size_t)map.grid.rows * (size_t)map.grid.cols, -field,
                                 field);
    }
    return map;
}

/* Four rows of a shifted image, of which no rows are there but those that they need. */
static void check_warped_window(struct trial *t, const uint16_t *src, uint16_t *dst)
{
    enum { Y = 10, ROWS = 4, FIRST = Y + 3 - 1, COUNT = ROWS + 3 };
    struct warp_map shift = {.a = {1, 0, 0, 1}, .t = {3.25, -2.5}};
    size_t w = (size_t)t->dims.x;
    uint16_t *window = some_memory(t, COUNT * w * sizeof *window);
    struct image_rows rows = {window, {1, t->dims.y, t->dims.x}, FIRST, COUNT};
    t->dev->copy(t->dev, window, src + FIRST * w, COUNT * w * sizeof *window);
    t->dev->warp_u16(t->dev, dst, NULL, &rows, rows.dims, Y, ROWS, &shift);
    same_words(t, "rows from a window", dst, ROWS * w);
}

/* An image that has a middle and borders; its rows can be read eight or four pixels at a time, or
 * not. */
static void check_warped_far(struct trial *t)
{
    static const struct {
        float low, high; /* of the field */
        double down, shift[2];
        int from, to, most; /* widths; the brightest pixel */
    } far[] = {
        {0, 0, 1.0043, {21.7137, -12.2291}, 312, 330, 2047},     /* columns meet some rows never */
        {0, 0, 0.9951, {21.7137, -12.2291}, 308, 330, 2047},     /* or twice */
        {0, 0, 1.31, {21.7137, -12.2291}, 312, 330, 2047},       /* a block does not see all rows */
        {0, 0, 1 - 2e-9, {21 + 0x1p-22, 12.25}, 312, 330, 2047}, /* a float's last bit from one */
        {0, 0, 1.0002, {21.7137, 1e12}, 310, 330, 2047},         /* nothing is there */
        {-0.1f, 0.1f, 1.0002, {21.7137, 1e12}, 310, 330, 2047},
        {-7, 7, 1.0002, {21.7137, -12.2291}, 310, 330, 2047},       /* neighbours are moved apart */
        {-1.6f, 1.6f, 1.0043, {21.7137, -12.2291}, 312, 330, 2047}, /* as far as is gentle */
        {-1.6f, 1.6f, 0.9551, {-21.7137, 12.2291}, 312, 330, 2047},
        /* all are moved far, of which a float has fewer digits: a dark image */
        {71, 72, 1.0002, {21.7137, -12.2291}, 308, 330, 200},
        {-0.1f, 0.1f, 1.0002, {21.7137, -12.2291}, 312, 331, 2047}, /* rows of odd length */
    };
    struct kin_dims most = {1, 250, 331};
    uint16_t *dst = some_memory(t, kin_count(most) * sizeof *dst);
    uint8_t *cover = some_memory(t, kin_count(most));
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        struct kin_dims from = {1, 290, far[k].from}, to = {1, most.y, far[k].to};
        struct image_rows all = {some_words(t, kin_count(from), 0, far[k].most), from, 0, from.y};
        struct warp_map map = {.a = {far[k].down, 0.004, -0.0041, 0.9997},
                               .t = {far[k].shift[0], far[k].shift[1]}};
        if (far[k].high > 0) {
            map.grid = (struct warp_grid){9, 12, 32, 3.5f, NULL, far[k].high - far[k].low < 3.4f};
            map.grid.u = some_floats(t, 2 * 9 * 12, far[k].low, far[k].high);
        }
        t->dev->warp_u16(t->dev, dst, cover, &all, to, 0, to.y, &map);
        same_words(t, "dst of a larger image", dst, kin_count(to));
        same_bytes(t, "cover of a larger image", cover, kin_count(to));
        t->dev->zero(t->dev, dst, kin_count(to) * sizeof *dst);
        t->dev->warp_u16(t->dev, dst, NULL, &all, to, 0, to.y, &map);
        same_words(t, "dst without a cover", dst, kin_count(to));
    }
}

void check_warp_u16(struct trial *t)
{
    struct kin_dims from = {1, t->dims.y, t->dims.x}, to = {1, t->dims.y + 9, t->dims.x + 4};
    /* of brighter noise a float's last bit is so much of a count that rounding moves more than a
     * pixel in a thousand */
    uint16_t *src = some_words(t, kin_count(from), 0, 2047),
             *dst = some_memory(t, kin_count(to) * sizeof *dst);
    uint8_t *cover = some_memory(t, kin_count(to));
    struct image_rows all = {src, from, 0, from.y};
    struct warp_map turned = {.a = {0.6, 0.8, -0.8, 0.6}, .c = {from.y / 2.0, from.x / 2.0}};
    struct warp_map slanted = {.a = {0.913, 0.1817, -0.1713, 1.087},
                               .c = {from.y / 2.0, from.x / 2.0}};
    struct warp_map maps[] = {random_map(t, 0), random_map(t, 2), random_map(t, 0.4f), slanted,
                              turned};
    for (int k = 0; k < 5; k++) {
        t->dev->warp_u16(t->dev, dst, cover, &all, to, 2, to.y - 2, &maps[k]);
        same_words(t, "dst", dst, (size_t)(to.y - 2) * (size_t)to.x);
        same_bytes(t, "cover", cover, (size_t)(to.y - 2) * (size_t)to.x);
        t->dev->warp_u16(t->dev, dst, NULL, &all, to, 0, 1, &maps[k]);
        same_words(t, "first row", dst, (size_t)to.x);
    }
    if (t->dims.y > 20)
        check_warped_window(t, src, dst);
    if (t->dims.z > 1 && t->dims.y > 16) /* once */
        check_warped_far(t);
}

void check_bin_u16(struct trial *t)
{
    uint16_t *src = some_words(t, t->n, 0, 65535), *dst = some_memory(t, t->n * sizeof *dst);
    for (int k = 1; k <= 4; k++) {
        size_t n = (size_t)((t->dims.y + k - 1) / k) * (size_t)((t->dims.x + k - 1) / k);
        t->dev->bin_u16(t->dev, dst, src, (struct kin_dims){1, t->dims.y, t->dims.x}, k);
        same_bytes(t, "dst", dst, n * sizeof *dst);
    }
}

void check_log_polar(struct trial *t)
{
    enum { ANGLES = 37, RADII = 19 };
    struct kin_dims d = {1, t->dims.y, t->dims.x};
    float *freq = some_floats(t, 2 * (size_t)d.y * ((size_t)d.x / 2 + 1), -100, 100);
    float *dst = some_memory(t, ANGLES * RADII * sizeof *dst);
    t->dev->log_polar(t->dev, dst, ANGLES, RADII, freq, d, 0.03f, 0.35f);
    same_floats(t, "dst", dst, ANGLES * RADII, 10 * ROUNDING);
}

/* ---- block ----------------------------------------------------------------------------------- */

/* Five small blocks, or a large one; low and high cut some of the values off. */
static struct block_shape random_shape(struct trial *t)
{
    bool large = t->dims.z > 1;
    return (struct block_shape){large ? 1 : 5, large ? 100 : t->dims.y / 2 + 1,
                                large ? 90 : t->dims.x / 2 + 1, 9000, 60000};
}

static float *random_spectra(struct trial *t, const struct block_shape *s)
{
    return some_floats(t, 2 * (size_t)s->n * (size_t)s->h * ((size_t)s->w / 2 + 1), -1, 1);
}

void check_block_gather(struct trial *t)
{
    struct block_shape s = random_shape(t);
    size_t n = (size_t)s.n * (size_t)s.h * (size_t)s.w;
    struct kin_dims d = {1, t->dims.y, t->dims.x};
    uint16_t *src = some_words(t, kin_count(d), 0, 65535);
    float *blocks = some_memory(t, n * sizeof *blocks),
          *fill = some_memory(t, (size_t)s.n * sizeof *fill), centre[10];
    struct image_rows all = {src, d, 0, d.y};
    t->dev->zero(t->dev, src, kin_count(d) / 4 * sizeof *src); /* nothing is there */
    for (int i = 0; i < 10; i++)
        centre[i] = (float)some_number(t, 0, i % 2 ? d.x : d.y);
    for (int mapped = 0; mapped < 3; mapped++) {
        struct warp_map map = random_map(t, mapped == 2 ? 2 : 0);
        t->dev->block_gather(t->dev, blocks, fill, &s, centre, &all, mapped ? &map : NULL);
        same_floats(t, "blocks", blocks, n, ROUNDING);
        same_floats(t, "fill", fill, (size_t)s.n, 0);
    }
}

void check_block_cross(struct trial *t)
{
    struct block_shape s = random_shape(t);
    size_t half = (size_t)s.h * ((size_t)s.w / 2 + 1);
    float *a = random_spectra(t, &s), *b = random_spectra(t, &s),
          *band = some_floats(t, half, 0, 1), *ncc = some_memory(t, (size_t)s.n * sizeof *ncc),
          *power = some_memory(t, (size_t)s.n * sizeof *power);
    t->dev->block_cross(t->dev, a, b, &s, band, 0.8f, ncc, power);
    same_floats(t, "a", a, 2 * (size_t)s.n * half, ROUNDING);
    same_floats(t, "ncc", ncc, (size_t)s.n, ROUNDING);
    same_floats(t, "power", power, (size_t)s.n, ROUNDING);
}

void check_block_peaks(struct trial *t)
{
    struct block_shape s = random_shape(t);
    size_t n = (size_t)s.n * (size_t)s.h * (size_t)s.w;
    struct block_peak *peaks = some_memory(t, (size_t)s.n * sizeof *peaks);
    float *corr = some_floats(t, n, -1, 1);
    for (int reach = 1; reach < 50; reach += 12) {
        t->dev->block_peaks(t->dev, peaks, corr, &s, reach, reach + 3);
        same_floats(t, "peaks", (float *)peaks, 3 * (size_t)s.n, ROUNDING);
    }
}

/* ---- tally ----------------------------------------------------------------------------------- */

/* Compares all sums of a tally of a plane. */
static void same_tally(struct trial *t, struct tally *tally, struct kin_dims plane)
{
    enum { OF_ROW = TALLY_TENTHS + 4 };
    size_t h = (size_t)plane.y, w = (size_t)plane.x, n = TALLY_VALUES + w + h * OF_ROW, at = 0;
    double *numbers = calloc(n, sizeof *numbers);
    struct tally_sums sums = {calloc(TALLY_VALUES, sizeof *sums.values),
                              calloc(w, sizeof *sums.columns), calloc(h, sizeof *sums.rows)};
    if (tally)
        t->dev->tally_read(t->dev, tally, &sums);
    for (int v = 0; v < TALLY_VALUES; v++)
        numbers[at++] = (double)sums.values[v];
    for (size_t x = 0; x < w; x++)
        numbers[at++] = (double)sums.columns[x];
    for (size_t y = 0; y < h; y++) {
        const struct tally_row *row = &sums.rows[y];
        for (int k = 0; k < TALLY_TENTHS; k++)
            numbers[at++] = (double)row->tenths[k];
        numbers[at++] = (double)row->windows;
        numbers[at++] = (double)row->laplace;
        numbers[at++] = (double)row->squares;
        numbers[at++] = (double)row->noise;
    }
    same_numbers(t, "sums of a plane", numbers, n, 0);
    free(sums.values);
    free(sums.columns);
    free(sums.rows);
    free(numbers);
}

/* Rows that come one by one, by twos and many at a time; with values that are all over, that are
 * alike, and zeros among them. */
void check_tally_add(struct trial *t)
{
    const int high[] = {65535, 900, 3};
    struct kin_dims plane = {1, t->dims.y, t->dims.x};
    for (int kind = 0; kind < 3; kind++) {
        const uint16_t *rows = some_words(t, kin_count(plane), 0, high[kind]);
        struct tally *tally = t->dev->tally_new(t->dev, plane);
        for (int y = 0, n = 1; tally && y < plane.y; y += n, n = n == 1 ? 2 : n == 2 ? 17 : 1) {
            n = plane.y - y < n ? plane.y - y : n;
            t->dev->tally_add(t->dev, tally, rows + (size_t)y * (size_t)plane.x, n);
        }
        same_tally(t, tally, plane);
        t->dev->tally_free(t->dev, tally);
    }
}

void check_tally_new(struct trial *t)
{
    struct kin_dims plane = {1, t->dims.y, t->dims.x};
    struct tally *tally = t->dev->tally_new(t->dev, plane);
    same_tally(t, tally, plane);
    t->dev->tally_free(t->dev, tally);
}

/* Before the last rows are there, and after. */
void check_tally_read(struct trial *t)
{
    struct kin_dims plane = {1, t->dims.y + 2, t->dims.x};
    const uint16_t *rows = some_words(t, kin_count(plane), 0, 2000);
    struct tally *tally = t->dev->tally_new(t->dev, plane);
    const int counts[] = {plane.y - 2, 2};
    for (int i = 0; tally && i < 2; i++) {
        t->dev->tally_add(t->dev, tally, rows, counts[i]);
        same_tally(t, tally, plane);
        rows += (size_t)counts[i] * (size_t)plane.x;
    }
    t->dev->tally_free(t->dev, tally);
}

void check_tally_free(struct trial *t)
{
    struct kin_dims plane = {1, t->dims.y, t->dims.x};
    t->dev->tally_free(t->dev, NULL);
    t->dev->tally_free(t->dev, t->dev->tally_new(t->dev, plane));
    struct tally *next = t->dev->tally_new(t->dev, plane);
    same_tally(t, next, plane);
    t->dev->tally_free(t->dev, next);
}
