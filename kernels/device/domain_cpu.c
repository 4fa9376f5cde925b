// SPDX-License-Identifier: MIT
// domain_cpu.c: blocks of a volume, cut out and put back, on the CPU.
#include "device/device_cpu.h"
#include "device/domain.h"

#include <stdlib.h>

static void load_row(float *dst, const void *band, const struct domain *d, size_t row,
                     const int *columns)
{
    for (int x = 0; x < d->dims.x; x++)
        dst[x] = domain_value(band, row + columns[x], d->type, d->offset);
}

void cpu_domain_load(struct device *dev, float *dst, const void *band, const struct domain *d)
{
    if (device_stopped(dev))
        return;
    int *columns = malloc((size_t)d->dims.x * sizeof *columns);
    if (!columns) {
        device_fail(dev, KIN_MEMORY, "no memory for the columns of a block");
        return;
    }
    for (int x = 0; x < d->dims.x; x++)
        columns[x] = domain_fold(d->x + x, d->volume.x, d->periodic);
#pragma omp parallel for collapse(2) num_threads(dev->threads) schedule(static)
    for (int z = 0; z < d->dims.z; z++)
        for (int y = 0; y < d->dims.y; y++)
            load_row(dst + ((size_t)z * d->dims.y + y) * d->dims.x, band, d, domain_row(d, z, y),
                     columns);
    free(columns);
}

static void keep_row(void *band, size_t to, double sums[2], const float *src,
                     const struct domain_core *c)
{
    double light = 0, high = 0;
    for (int x = 0; x < c->cols; x++) {
        light += src[x];
        high += domain_put(band, to + x, c->type, src[x] + c->offset);
    }
    sums[0] = light;
    sums[1] = high;
}

void cpu_domain_keep(struct device *dev, void *band, double (*sums)[2], const float *src,
                     const struct domain_core *c)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for collapse(2) num_threads(dev->threads) schedule(static)
    for (int z = 0; z < c->dims.z; z++)
        for (int y = 0; y < c->rows; y++) {
            size_t row = (size_t)z * c->rows + y;
            const float *from = src + ((size_t)z * c->dims.y + c->y0 + y) * c->dims.x + c->x0;
            keep_row(band, row * c->volume.x + c->x, sums[row], from, c);
        }
}
