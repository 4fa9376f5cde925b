// SPDX-License-Identifier: MIT
// bin.cu: binned images, and spectra in polar coordinates, on the GPU.
#include "cuda/sample.h"
#include "device/warp_pixel.h"

enum { BINNED = 4 }; /* pixels that a thread bins */

namespace {

/* ---- kernels --------------------------------------------------------------------------------- */

/* What pixels are binned from, and whether a row of k can be read at once. */
struct binning {
    uint16_t *dst;
    const uint16_t *src;
    struct kin_dims dims;
    int h, w; /* of dst */
    bool words;
};

template <int k> struct bin_word {
    using type = uint32_t;
};

template <> struct bin_word<4> {
    using type = uint64_t;
};

template <int k> static __device__ unsigned bin_pixels(const uint16_t *first)
{
    unsigned sum = 0;
    KIN_UNROLL
    for (int i = 0; i < k; i++)
        sum += first[i];
    return sum;
}

template <int k> static __device__ unsigned bin_words(const uint16_t *first)
{
    auto all = *(const typename bin_word<k>::type *)first;
    unsigned sum = 0;
    KIN_UNROLL
    for (int i = 0; i < k; i++)
        sum += (unsigned)(all >> 16 * i) & 0xffff;
    return sum;
}

/* The sum of k pixels next to each other. */
template <int k> static __device__ unsigned bin_row(const uint16_t *first, bool words)
{
    return words ? bin_words<k>(first) : bin_pixels<k>(first);
}

/* pixel_binned for a k that is known. A thread makes BINNED of a column; all that they are made
 * of is read before the first is stored. */
template <int k> static __global__ void bin_known(const __grid_constant__ struct binning b)
{
    int x = (int)(blockIdx.x * PIXELS_WIDE + threadIdx.x),
        top = (int)(blockIdx.y * PIXELS_HIGH * BINNED + threadIdx.y),
        last = top + (BINNED - 1) * PIXELS_HIGH;
    unsigned sum[BINNED] = {};
    if (x >= b.w)
        return;
    if ((x + 1) * k > b.dims.x || (last + 1) * k > b.dims.y) {
        for (int y = top; y < b.h && y <= last; y += PIXELS_HIGH)
            b.dst[(size_t)y * b.w + x] = pixel_binned(b.src, b.dims, k, y, x);
        return;
    }
    const uint16_t *first = b.src + (size_t)(unsigned)(top * k) * (unsigned)b.dims.x +
                            (unsigned)(x * k);
    unsigned line = gpu_plain((unsigned)b.dims.x * (unsigned)sizeof *first);
    KIN_UNROLL
    for (int i = 0; i < BINNED * k; i++)
        sum[i / k] += bin_row<k>(gpu_past(first, line, i / k * PIXELS_HIGH * k + i % k), b.words);
    uint16_t *to = b.dst + (size_t)(unsigned)top * (unsigned)b.w + (unsigned)x;
    unsigned below = gpu_plain(PIXELS_HIGH * (unsigned)b.w * (unsigned)sizeof *to);
    KIN_UNROLL
    for (int i = 0; i < BINNED; i++)
        *gpu_past(to, below, i) = (uint16_t)((sum[i] + k * k / 2) / (k * k));
}

static __global__ void bin_any(uint16_t *dst, const uint16_t *src, struct kin_dims dims, int k,
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

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

template <int k> static void launch_bin(struct device *dev, struct binning b)
{
    b.words = b.dims.x % k == 0 && (uintptr_t)b.src % (k * sizeof *b.src) == 0;
    dim3 grid(gpu_pieces((size_t)b.w, PIXELS_WIDE), gpu_pieces((size_t)b.h, PIXELS_HIGH * BINNED));
    LAUNCH(dev, bin_known<k>, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)(b);
}

void gpu_bin_u16(struct device *dev, uint16_t *dst, const uint16_t *src, struct kin_dims dims,
                 int k)
{
    int h = (dims.y + k - 1) / k, w = (dims.x + k - 1) / k;
    struct binning b = {dst, src, dims, h, w};
    if (k == 2)
        launch_bin<2>(dev, b);
    else if (k == 4)
        launch_bin<4>(dev, b);
    else
        LAUNCH(dev, bin_any, gpu_pixels(h, w), GPU_TILE, 0)(dst, src, dims, k, h, w);
}

void gpu_log_polar(struct device *dev, float *dst, int angles, int radii, const float *complex,
                   struct kin_dims dims, float low, float high)
{
    LAUNCH(dev, polar_all, gpu_pixels(angles, radii), GPU_TILE, 0)
    (dst, angles, radii, complex, dims, low, high);
}
