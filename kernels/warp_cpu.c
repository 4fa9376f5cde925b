// SPDX-License-Identifier: MIT
// warp_cpu.c: resampling on the CPU. Every output pixel is computed on its own.
#include "device_cpu.h"

#include <math.h>

#include "warp_pixel.h"

void cpu_shift_xy(struct device *dev, float *dst, const float *src, struct kin_dims dims, float dy,
                  float dx)
{
    int iy = (int)floorf(dy), ix = (int)floorf(dx);
    float wy[4], wx[4];
    cubic_weights(dy - (float)iy, wy);
    cubic_weights(dx - (float)ix, wx);
#pragma omp parallel for collapse(2) num_threads(dev->threads) schedule(static)
    for (int z = 0; z < dims.z; z++)
        for (int y = 0; y < dims.y; y++) {
            const float *plane = src + (size_t)z * dims.y * dims.x;
            float *out = dst + ((size_t)z * dims.y + y) * dims.x;
            for (int x = 0; x < dims.x; x++) {
                float sum = 0;
                for (int j = 0; j < 4; j++) {
                    const float *row = plane + (size_t)cubic_clamp(y + iy + j - 1, dims.y) * dims.x;
                    for (int i = 0; i < 4; i++)
                        sum += wy[j] * wx[i] * row[cubic_clamp(x + ix + i - 1, dims.x)];
                }
                out[x] = sum;
            }
        }
}

static void warp_row(uint16_t *dst, uint8_t *cover, const struct pixel_source *src, int y, int w,
                     const struct warp_map *map)
{
    struct pixel_run run;
    for (int at = 0, n; at < w; at += n) {
        n = pixel_run_length(map, w - at);
        pixel_run_map(map, y, at, n, &run);
        for (int i = 0; i < n; i++) {
            float v = 0;
            bool inside = pixel_cubic(src, run.y[i], run.x[i], &v);
            dst[at + i] = inside ? kin_round_u16(v) : 0;
            if (cover)
                cover[at + i] = inside ? 255 : 0;
        }
    }
}

void cpu_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover, const uint16_t *src,
                  struct kin_dims from, struct kin_dims to, int y0, int rows,
                  const struct warp_map *map)
{
    struct pixel_source source = {src, from.y, from.x};
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
        for (int x = 0; x < w; x++) {
            int y1 = y * k + k < dims.y ? y * k + k : dims.y,
                x1 = x * k + k < dims.x ? x * k + k : dims.x;
            uint64_t sum = 0, n = (uint64_t)(y1 - y * k) * (x1 - x * k);
            for (int j = y * k; j < y1; j++)
                for (int i = x * k; i < x1; i++)
                    sum += src[(size_t)j * dims.x + i];
            dst[(size_t)y * w + x] = (uint16_t)((sum + n / 2) / n);
        }
}

// log(1 + |F|) at frequency index (ky, kx); kx 0..w/2, ky of either sign.
static float log_magnitude(const float *complex, struct kin_dims dims, int ky, int kx)
{
    if (kx > dims.x / 2)
        kx = dims.x / 2;
    ky = ((ky % dims.y) + dims.y) % dims.y;
    const float *v = complex + 2 * ((size_t)ky * (dims.x / 2 + 1) + kx);
    return log1pf(hypotf(v[0], v[1]));
}

void cpu_log_polar(struct device *dev, float *dst, int angles, int radii, const float *complex,
                   struct kin_dims dims, float low, float high)
{
    if (dev->error.code != KIN_OK)
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int a = 0; a < angles; a++)
        for (int r = 0; r < radii; r++) {
            double angle = M_PI * a / angles - M_PI / 2;
            double radius = low * pow((double)high / low, (double)r / radii);
            float y = (float)(radius * sin(angle) * dims.y),
                  x = (float)(radius * cos(angle) * dims.x);
            int iy = (int)floorf(y), ix = (int)floorf(x);
            float fy = y - (float)iy, fx = x - (float)ix;
            dst[(size_t)a * radii + r] = (1 - fy) *
                                             ((1 - fx) * log_magnitude(complex, dims, iy, ix) +
                                              fx * log_magnitude(complex, dims, iy, ix + 1)) +
                                         fy * ((1 - fx) * log_magnitude(complex, dims, iy + 1, ix) +
                                               fx * log_magnitude(complex, dims, iy + 1, ix + 1));
        }
}
