// SPDX-License-Identifier: MIT
// domain_cuda.cu: blocks of a volume, cut out and put back, on the GPU.
#include "device_cuda.h"
#include "domain.h"

static __global__ void load_all(float *dst, const void *band, struct domain d)
{
    int z = (int)blockIdx.z;
    GPU_PIXELS(y, x, d.dims.y, d.dims.x) {
        size_t from = domain_row(&d, z, y) + domain_fold(d.x + x, d.volume.x, d.periodic);
        dst[((size_t)z * d.dims.y + y) * d.dims.x + x] = domain_value(band, from, d.type, d.offset);
    }
}

/* A block of threads for row blockIdx.x of the core in plane blockIdx.y. */
static __global__ void keep_rows(void *band, double (*sums)[2], const float *src,
                                 struct domain_core c)
{
    int y = (int)blockIdx.x, z = (int)blockIdx.y;
    size_t row = (size_t)z * c.rows + y;
    const float *from = src + ((size_t)z * c.dims.y + c.y0 + y) * c.dims.x + c.x0;
    double light = 0, high = 0;
    for (int x = (int)threadIdx.x; x < c.cols; x += GPU_THREADS) {
        light += from[x];
        high += domain_put(band, row * c.volume.x + c.x + x, c.type, from[x] + c.offset);
    }
    light = gpu_block_sum(light);
    high = gpu_block_sum(high);
    if (threadIdx.x == 0) {
        sums[row][0] = light;
        sums[row][1] = high;
    }
}

/* ---- launchers --------------------------------------------------------------------------------
 */

void gpu_domain_load(struct device *dev, float *dst, const void *band, const struct domain *d)
{
    LAUNCH(dev, load_all, gpu_pixels(d->dims.y, d->dims.x, d->dims.z), GPU_TILE, 0)(dst, band, *d);
}

void gpu_domain_keep(struct device *dev, void *band, double (*sums)[2], const float *src,
                     const struct domain_core *c)
{
    LAUNCH(dev, keep_rows, dim3((unsigned)c->rows, (unsigned)c->dims.z), GPU_THREADS, 0)
    (band, sums, src, *c);
}
