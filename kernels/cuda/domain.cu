// SPDX-License-Identifier: MIT
// domain.cu: blocks of a volume, cut out and put back, on the GPU.
#include "cuda/sample.h"
#include "device/domain.h"

enum { ROWS = 4 }; /* of samples that a thread takes */

namespace {

/* Plane blockIdx.z of a block from a band of Ts. A thread takes ROWS samples of a column and reads
 * them all before it writes the first. */
template <typename T>
static __global__ void load(float *dst, const T *band, const __grid_constant__ struct domain d)
{
    int x = (int)(blockIdx.x * PIXELS_WIDE + threadIdx.x), high = ROWS * PIXELS_HIGH;
    size_t width = (unsigned)d.volume.x, plane = (size_t)blockIdx.z * (unsigned)d.band_rows * width;
    if (x >= d.dims.x)
        return;
    const T *column = band + plane + (unsigned)domain_fold(d.x + x, d.volume.x, d.periodic);
    unsigned from = gpu_plain(PIXELS_HIGH * (unsigned)d.volume.x * (unsigned)sizeof *band),
             to = gpu_plain(PIXELS_HIGH * (unsigned)d.dims.x * (unsigned)sizeof *dst);
    for (int top = (int)(blockIdx.y * high + threadIdx.y); top < d.dims.y;
         top += (int)gridDim.y * high) {
        int y = d.y + top, last = y + (ROWS - 1) * PIXELS_HIGH;
        bool inside = y >= 0 && last < d.volume.y && last < d.y + d.dims.y;
        const T *first = column + width * (unsigned)(inside ? y - d.band_y : 0);
        T v[ROWS] = {};
        if (inside)
            for (int k = 0; k < ROWS; k++)
                v[k] = *gpu_past(first, from, k);
        else
            for (int k = 0; k < ROWS && top + k * PIXELS_HIGH < d.dims.y; k++)
                v[k] = first[width * domain_line(&d, top + k * PIXELS_HIGH)];
        float *here = dst +
                      ((size_t)blockIdx.z * (unsigned)d.dims.y + (unsigned)top) *
                          (unsigned)d.dims.x +
                      (unsigned)x;
        for (int k = 0; k < ROWS; k++)
            if (top + k * PIXELS_HIGH < d.dims.y)
                *gpu_past(here, to, k) = domain_above(v[k], d.offset);
    }
}

/* A block of threads for row blockIdx.x of the core in plane blockIdx.y. */
static __global__ void keep_rows(void *band, double (*sums)[2], const float *src,
                                 struct domain_core c)
{
    int y = (int)blockIdx.x, z = (int)blockIdx.y;
    size_t row = (size_t)z * c.rows + y;
    const float *from = src + ((size_t)z * c.dims.y + c.y0 + y) * c.dims.x + c.x0;
    double sum[2] = {0, 0};
    read_ahead((int)threadIdx.x, c.cols, GPU_THREADS, [&](int x) { return from[x]; },
               [&](int x, float v) {
                   sum[0] += v;
                   sum[1] += domain_put(band, row * c.volume.x + c.x + x, c.type, v + c.offset);
               });
    gpu_block_sums(sum);
    if (threadIdx.x == 0) {
        sums[row][0] = sum[0];
        sums[row][1] = sum[1];
    }
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

template <typename T>
static void launch_load(struct device *dev, float *dst, const T *band, const struct domain *d)
{
    unsigned high = gpu_pieces((size_t)d->dims.y, PIXELS_HIGH * ROWS);
    dim3 grid(gpu_pieces((size_t)d->dims.x, PIXELS_WIDE), high < 65535 ? high : 65535,
              (unsigned)d->dims.z);
    LAUNCH(dev, load<T>, grid, dim3(PIXELS_WIDE, PIXELS_HIGH), 0)(dst, band, *d);
}

void gpu_domain_load(struct device *dev, float *dst, const void *band, const struct domain *d)
{
    if (d->type == KIN_U16)
        launch_load(dev, dst, (const uint16_t *)band, d);
    else if (d->type == KIN_U8)
        launch_load(dev, dst, (const uint8_t *)band, d);
    else
        launch_load(dev, dst, (const float *)band, d);
}

void gpu_domain_keep(struct device *dev, void *band, double (*sums)[2], const float *src,
                     const struct domain_core *c)
{
    LAUNCH(dev, keep_rows, dim3((unsigned)c->rows, (unsigned)c->dims.z), GPU_THREADS, 0)
    (band, sums, src, *c);
}
