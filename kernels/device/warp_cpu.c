// SPDX-License-Identifier: MIT
// warp_cpu.c: resampling on the CPU. Every output pixel is computed on its own.
#include "device/device_cpu.h"

#include "core/simd.h"
#include "device/pixel_run.h"

VECTOR_CLONES static void warp_row(uint16_t *dst, uint8_t *cover, const struct pixel_source *src,
                                   int y, int w, const struct warp_map *map)
{
    struct pixel_run run;
    float values[PIXEL_RUN];
    for (int at = 0, n; at < w; at += n) {
        n = pixel_run_length(map, w - at);
        pixel_run_map(map, y, at, n, &run);
        pixel_run_read(src, n, &run, values);
        for (int i = 0; i < n; i++)
            dst[at + i] = kin_round_u16(values[i]); /* NAN: 0 */
        for (int i = 0; cover && i < n; i++)
            cover[at + i] = values[i] == values[i] ? 255 : 0;
    }
}

void cpu_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover, const struct image_rows *src,
                  struct kin_dims to, int y0, int rows, const struct warp_map *map)
{
    struct pixel_source source = pixel_source_of(src);
    if (dev->error.code != KIN_OK)
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int i = 0; i < rows; i++)
        warp_row(dst + (size_t)i * to.x, cover ? cover + (size_t)i * to.x : NULL, &source, y0 + i,
                 to.x, map);
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
