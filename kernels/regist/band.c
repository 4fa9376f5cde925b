// SPDX-License-Identifier: MIT
// band.c: a band with normalised averages: gauss(image) / gauss(held), 1 where held.
#include "regist/band.h"

#include <stdlib.h>

static const float FINE = 1, COARSE = 8, LIFT = 100000;

struct room {
    float *image, *held, *blurred; // device (h, w)
    uint16_t *counts;              // host (h, w), as what follows
    float *share;
};

static bool is_held(const uint16_t *counts, struct kin_dims d, bool binned, int y, int x)
{
    int reach = binned ? 1 : 0;
    for (int j = y - reach; j <= y + reach; j++)
        for (int i = x - reach; i <= x + reach; i++)
            if (j >= 0 && i >= 0 && j < d.y && i < d.x && !counts[(size_t)j * (size_t)d.x + i])
                return false;
    return true;
}

// image and held: the plane where it is held, 1 there; 0 elsewhere.
static void load(struct device *dev, struct room *r, const uint16_t *plane, struct kin_dims d,
                 bool binned, float *host)
{
    size_t n = kin_count(d), i = 0;
    dev->download(dev, r->counts, plane, n * sizeof *r->counts);
    if (device_stopped(dev))
        return;
    for (int y = 0; y < d.y; y++)
        for (int x = 0; x < d.x; x++, i++) {
            r->share[i] = is_held(r->counts, d, binned, y, x);
            host[i] = r->share[i] * (float)r->counts[i];
        }
    dev->upload(dev, r->image, host, n * sizeof *host);
    dev->upload(dev, r->held, r->share, n * sizeof *r->share);
}

// values: those of the image around each pixel, averaged.
static void average(struct device *dev, const struct room *r, struct kin_dims d, float sigma,
                    float *values)
{
    size_t n = kin_count(d);
    dev->gauss_xy(dev, r->blurred, r->held, d, sigma);
    dev->download(dev, r->share, r->blurred, n * sizeof *r->share);
    dev->gauss_xy(dev, r->blurred, r->image, d, sigma);
    dev->download(dev, values, r->blurred, n * sizeof *values);
    for (size_t i = 0; i < n && !device_stopped(dev); i++)
        values[i] = r->share[i] > 0 ? values[i] / r->share[i] : 0;
}

static void make_band(struct device *dev, struct room *r, struct kin_dims d, float *fine,
                      float *coarse)
{
    size_t n = kin_count(d);
    average(dev, r, d, FINE, fine);
    average(dev, r, d, COARSE, coarse);
    dev->download(dev, r->share, r->held, n * sizeof *r->share);
    for (size_t i = 0; i < n && !device_stopped(dev); i++)
        fine[i] = r->share[i] > 0 ? fine[i] - coarse[i] + LIFT : 0;
}

bool regist_band(struct device *dev, const uint16_t *plane, struct kin_dims dims, bool binned,
                 float *host)
{
    size_t n = kin_count(dims);
    struct room r = {.counts = malloc(n * sizeof *r.counts), .share = malloc(n * sizeof *r.share)};
    float *coarse = malloc(n * sizeof *coarse), **buffers[] = {&r.image, &r.held, &r.blurred};
    for (int i = 0; i < 3; i++)
        *buffers[i] = dev->alloc(dev, n * sizeof(float));
    if (!r.counts || !r.share || !coarse)
        device_fail(dev, KIN_MEMORY, "no memory for %zu pixels", n);
    if (!device_stopped(dev)) {
        load(dev, &r, plane, dims, binned, host);
        make_band(dev, &r, dims, host, coarse);
    }
    for (int i = 0; i < 3; i++)
        dev->release(dev, *buffers[i]);
    free(r.counts);
    free(r.share);
    free(coarse);
    return !device_stopped(dev);
}
