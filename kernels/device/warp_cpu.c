// SPDX-License-Identifier: MIT
// warp_cpu.c: resampling on the CPU, a pixel on its own or rows of the image at once (warp.h).
#include "device/device_cpu.h"

#include "core/simd.h"
#include "device/pixel_bent.h"
#include "device/pixel_rows.h"

enum { STRIP = 128 }; // rows that are made of the same rows of the image

// Rows of the canvas, from row y of it on.
struct warped {
    uint16_t *pixels;
    uint8_t *cover; // or NULL
    int y, rows, width;
};

static inline __attribute__((always_inline)) void keep(const struct warped *to, int row, int x,
                                                       int n, const float *values)
{
    uint16_t *pixels = to->pixels + (size_t)row * to->width + x;
    uint8_t *cover = to->cover ? to->cover + (size_t)row * to->width + x : NULL;
    for (int i = 0; i < n; i++)
        pixels[i] = kin_round_u16(values[i]); // NAN: 0
    for (int i = 0; cover && i < n; i++)
        cover[i] = values[i] == values[i] ? 255 : 0;
}

VECTOR_CLONES static void warp_row(const struct warped *to, const struct pixel_source *src, int row,
                                   const struct warp_map *map)
{
    struct pixel_run run;
    float values[PIXEL_RUN];
    for (int x = 0, n; x < to->width; x += n) {
        n = pixel_run_length(map, to->width - x);
        pixel_run_map(map, to->y + row, x, n, &run);
        pixel_run_read(src, n, &run, values);
        keep(to, row, x, n, values);
    }
}

// n columns from x on, `rows` rows from the `row`-th on.
VECTOR_CLONES static void warp_strip(const struct warped *to, const struct pixel_source *src,
                                     int row, int rows, int x, int n, const struct warp_map *map)
{
    struct crossings crossings;
    float values[CROSSINGS];
    crossings_begin(&crossings, src, map, x, n);
    for (int end = row + rows; row < end; row++) {
        crossings_read(&crossings, to->y + row, values);
        keep(to, row, x, n, values);
    }
}

// The same through a gentle field.
VECTOR_CLONES static void warp_bent(const struct warped *to, const struct pixel_source *src,
                                    int row, int rows, int x, int n, const struct warp_map *map)
{
    struct bent bent;
    float values[BENT];
    bent_begin(&bent, src, map, x, n);
    for (int end = row + rows; row < end; row++) {
        bent_read(&bent, to->y + row, values);
        keep(to, row, x, n, values);
    }
}

void cpu_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover, const struct image_rows *src,
                  struct kin_dims to, int y0, int rows, const struct warp_map *map)
{
    struct pixel_source source = pixel_source_of(src);
    const struct warped warped = {dst, cover, y0, rows, to.x};
    bool by_rows = pixel_by_rows(map), field = pixel_has_field(map);
    int high = by_rows ? STRIP : 1, wide = !by_rows ? to.x : field ? BENT : CROSSINGS;
    if (dev->error.code != KIN_OK)
        return;
#pragma omp parallel for collapse(2) num_threads(dev->threads) schedule(static)
    for (int row = 0; row < rows; row += high)
        for (int x = 0; x < to.x; x += wide)
            if (by_rows && field)
                warp_bent(&warped, &source, row, pixel_least(high, rows - row), x,
                          pixel_least(wide, to.x - x), map);
            else if (by_rows)
                warp_strip(&warped, &source, row, pixel_least(high, rows - row), x,
                           pixel_least(wide, to.x - x), map);
            else
                warp_row(&warped, &source, row, map);
}

void cpu_bin_u16(struct device *dev, uint16_t *dst, const uint16_t *src, struct kin_dims dims,
                 int k)
{
    int h = (dims.y + k - 1) / k, w = (dims.x + k - 1) / k;
    if (dev->error.code != KIN_OK)
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[(size_t)y * w + x] = pixel_binned(src, dims, k, y, x);
}

void cpu_log_polar(struct device *dev, float *dst, int angles, int radii, const float *complex,
                   struct kin_dims dims, float low, float high)
{
    if (dev->error.code != KIN_OK)
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int a = 0; a < angles; a++)
        for (int r = 0; r < radii; r++)
            dst[(size_t)a * radii + r] = log_polar_at(complex, dims, log_polar_angle(a, angles),
                                                      log_polar_radius(r, radii, low, high));
}
