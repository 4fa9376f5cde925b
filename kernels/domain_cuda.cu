// SPDX-License-Identifier: MIT
// domain_cuda.cu: blocks of a volume, cut out and put back, on the GPU.
#include "sample_cuda.h"
#include "domain.h"

namespace {

struct load {
    float *dst;
    const void *band;
    struct domain d;
    __device__ float read(int z, int y, int x) const
    {
        size_t from = domain_row(&d, z, y) + domain_fold(d.x + x, d.volume.x, d.periodic);
        return domain_value(band, from, d.type, d.offset);
    }
    __device__ void write(int z, int y, int x, float v) const
    {
        dst[((size_t)z * d.dims.y + y) * d.dims.x + x] = v;
    }
};

/* A block of threads for row blockIdx.x of the core in plane blockIdx.y. */
static __global__ void keep_rows(void *band, double (*sums)[2], const float *src,
                                 struct domain_core c)
{
    int y = (int)blockIdx.x, z = (int)blockIdx.y;
    size_t row = (size_t)z * c.rows + y;
    const float *from = src + ((size_t)z * c.dims.y + c.y0 + y) * c.dims.x + c.x0;
    double light = 0, high = 0;
    read_ahead((int)threadIdx.x, c.cols, GPU_THREADS, [&](int x) { return from[x]; },
               [&](int x, float v) {
                   light += v;
                   high += domain_put(band, row * c.volume.x + c.x + x, c.type, v + c.offset);
               });
    light = gpu_block_sum(light);
    high = gpu_block_sum(high);
    if (threadIdx.x == 0) {
        sums[row][0] = light;
        sums[row][1] = high;
    }
}

} // namespace

/* ---- launchers ------------------------------------------------------------------------------- */

void gpu_domain_load(struct device *dev, float *dst, const void *band, const struct domain *d)
{
    ON_PIXELS(dev, d->dims, load, dst, band, *d);
}

void gpu_domain_keep(struct device *dev, void *band, double (*sums)[2], const float *src,
                     const struct domain_core *c)
{
    LAUNCH(dev, keep_rows, dim3((unsigned)c->rows, (unsigned)c->dims.z), GPU_THREADS, 0)
    (band, sums, src, *c);
}
