// SPDX-License-Identifier: MIT
// warp_cuda.cu: resampling on the GPU. Every output pixel is computed on its own; neighbours read
// nearly the same source pixels, which the cache gives them.
#include "device_cuda.h"
#include "warp_pixel.h"

static __global__ void warp_all(uint16_t *dst, uint8_t *cover, struct pixel_source src, int y0,
                                int rows, int width, struct warp_map map)
{
    GPU_PIXELS(y, x, rows, width) {
        double q[2];
        float v = 0;
        pixel_map(&map, y0 + y, x, q);
        bool inside = pixel_cubic(&src, q[0], q[1], &v);
        dst[(size_t)y * width + x] = inside ? kin_round_u16(v) : 0;
        if (cover)
            cover[(size_t)y * width + x] = inside ? 255 : 0;
    }
}

static __global__ void bin_all(uint16_t *dst, const uint16_t *src, struct kin_dims dims, int k,
                               int h, int w)
{
    GPU_PIXELS(y, x, h, w)
        dst[(size_t)y * w + x] = pixel_binned(src, dims, k, y, x);
}

static __global__ void polar_all(float *dst, int angles, int radii, const float *spectrum,
                                 struct kin_dims dims, float low, float high)
{
    GPU_PIXELS(a, r, angles, radii)
        dst[(size_t)a * radii + r] = log_polar_at(spectrum, dims, log_polar_angle(a, angles),
                                                  log_polar_radius(r, radii, low, high));
}

/* ---- launchers --------------------------------------------------------------------------------
 */

void gpu_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover, const struct image_rows *src,
                  struct kin_dims to, int y0, int rows, const struct warp_map *map)
{
    LAUNCH(dev, warp_all, gpu_pixels(rows, to.x), GPU_TILE, 0)
    (dst, cover, pixel_source_of(src), y0, rows, to.x, *map);
}

void gpu_bin_u16(struct device *dev, uint16_t *dst, const uint16_t *src, struct kin_dims dims,
                 int k)
{
    int h = (dims.y + k - 1) / k, w = (dims.x + k - 1) / k;
    LAUNCH(dev, bin_all, gpu_pixels(h, w), GPU_TILE, 0)(dst, src, dims, k, h, w);
}

void gpu_log_polar(struct device *dev, float *dst, int angles, int radii, const float *complex,
                   struct kin_dims dims, float low, float high)
{
    LAUNCH(dev, polar_all, gpu_pixels(angles, radii), GPU_TILE, 0)
    (dst, angles, radii, complex, dims, low, high);
}
