// SPDX-License-Identifier: MIT
// mellin.c: the log-polar map of a spectrum is ANGLES x RADII samples over half a turn; a rotation
// of the image moves it along the angles (which wrap, since |F(k)| = |F(-k)|), a scale along the
// radii.
#include "regist/mellin.h"

#include <math.h>
#include <stdlib.h>

enum { ANGLES = 1440, RADII = 256 };
static const float LOW = 0.03f, HIGH = 0.35f; // cycles per pixel

// Removes each radius' mean over the angles (the spectrum's common decay) and tapers the radii.
static void flatten(float *polar)
{
    for (int r = 0; r < RADII; r++) {
        double mean = 0, taper = 0.5 - 0.5 * cos(2 * M_PI * (r + 0.5) / RADII);
        for (int a = 0; a < ANGLES; a++)
            mean += polar[a * RADII + r] / (double)ANGLES;
        for (int a = 0; a < ANGLES; a++)
            polar[a * RADII + r] = (float)((polar[a * RADII + r] - mean) * taper);
    }
}

// The flattened log-polar spectrum of an image, left in `to` (ANGLES x RADII, device memory).
static void spectrum(struct device *dev, const struct probe_image *image, float *to)
{
    const struct image_rows *rows = &image->window.rows;
    int h = kin_good_size(rows->dims.y, true), w = kin_good_size(rows->dims.x, true);
    struct kin_dims d = {1, h, w};
    struct block_shape shape = {1, h, w, image->low, image->high};
    float centre[2] = {(float)(rows->dims.y - 1) / 2, (float)(rows->dims.x - 1) / 2};
    float *block = dev->alloc(dev, (size_t)h * w * sizeof *block);
    float *freq = dev->alloc(dev, (size_t)h * (w / 2 + 1) * 2 * sizeof *freq);
    float *fill = dev->alloc(dev, sizeof *fill), *host = malloc(ANGLES * RADII * sizeof *host);
    struct fft_plan *plan = dev->fft_plan(dev, d, 1);
    if (!host)
        device_fail(dev, KIN_MEMORY, "no memory for a log-polar spectrum");
    if (!device_stopped(dev)) {
        dev->block_gather(dev, block, fill, &shape, centre, rows, NULL);
        dev->fft_forward(dev, plan, block, freq);
        dev->log_polar(dev, to, ANGLES, RADII, freq, d, LOW, HIGH);
        dev->download(dev, host, to, ANGLES * RADII * sizeof *host);
        flatten(host);
        dev->upload(dev, to, host, ANGLES * RADII * sizeof *host);
    }
    dev->fft_free(dev, plan);
    dev->release(dev, block);
    dev->release(dev, freq);
    dev->release(dev, fill);
    free(host);
}

size_t mellin_bytes(void)
{
    enum { NUMBERS = 8 }; // a sample: a, b, fa, fb, flat, and room for the transform
    return (size_t)ANGLES * (RADII + 2) * NUMBERS * sizeof(float);
}

struct polar_pair {
    float *a, *b;          // ANGLES x RADII
    float *fa, *fb, *flat; // ANGLES x (RADII/2 + 1): spectra, and weights of 1
    float *numbers;        // ncc, power
    struct block_peak *peak;
};

static void pair_alloc(struct device *dev, struct polar_pair *p)
{
    size_t real = ANGLES * RADII * sizeof(float), half = ANGLES * (RADII / 2 + 1) * sizeof(float);
    p->a = dev->alloc(dev, real);
    p->b = dev->alloc(dev, real);
    p->fa = dev->alloc(dev, 2 * half);
    p->fb = dev->alloc(dev, 2 * half);
    p->flat = dev->alloc(dev, half);
    p->numbers = dev->alloc(dev, 2 * sizeof(float));
    p->peak = dev->alloc(dev, sizeof *p->peak);
}

static void pair_free(struct device *dev, struct polar_pair *p)
{
    void *buffers[] = {p->a, p->b, p->fa, p->fb, p->flat, p->numbers, p->peak};
    for (int i = 0; i < 7; i++)
        dev->release(dev, buffers[i]);
}

static void put_ones(struct device *dev, float *to)
{
    int n = ANGLES * (RADII / 2 + 1);
    float *ones = malloc(n * sizeof *ones);
    if (!ones) {
        device_fail(dev, KIN_MEMORY, "no memory for a filter");
        return;
    }
    for (int i = 0; i < n; i++)
        ones[i] = 1;
    dev->upload(dev, to, ones, n * sizeof *ones);
    free(ones);
}

static struct block_peak correlate(struct device *dev, struct polar_pair *p)
{
    struct block_shape shape = {1, ANGLES, RADII, 0, 0};
    struct block_peak peak = {0};
    struct fft_plan *plan = dev->fft_plan(dev, (struct kin_dims){1, ANGLES, RADII}, 1);
    int reach = (int)(RADII * log(1.2) / log((double)HIGH / LOW));
    put_ones(dev, p->flat);
    if (!device_stopped(dev)) {
        dev->fft_forward(dev, plan, p->a, p->fa);
        dev->fft_forward(dev, plan, p->b, p->fb);
        dev->block_cross(dev, p->fa, p->fb, &shape, p->flat, 0.5f, p->numbers, p->numbers + 1);
        dev->fft_inverse(dev, plan, p->fa, p->a);
        dev->block_peaks(dev, p->peak, p->a, &shape, ANGLES / 4, reach);
        dev->download(dev, &peak, p->peak, sizeof peak);
    }
    dev->fft_free(dev, plan);
    return peak;
}

bool mellin_measure(struct device *dev, const struct probe_image *ref,
                    const struct probe_image *mov, double *angle, double *scale)
{
    struct polar_pair p = {0};
    struct block_peak peak = {0};
    pair_alloc(dev, &p);
    if (!device_stopped(dev)) {
        spectrum(dev, ref, p.a);
        spectrum(dev, mov, p.b);
        peak = correlate(dev, &p);
    }
    pair_free(dev, &p);
    *angle = -peak.dy * M_PI / ANGLES;
    *scale = exp(-peak.dx * log((double)HIGH / LOW) / RADII);
    return !device_stopped(dev) && peak.quality > 4;
}
