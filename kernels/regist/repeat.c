// SPDX-License-Identifier: MIT
// repeat.c: summits of the cross-correlation beside the one in the middle.
#include "regist/repeat.h"
#include "device/warp.h"

#include <math.h>
#include <stdlib.h>

enum { BESIDE = 3 };                        // pixels from the middle: nearer is the same summit
static const double DIP = 0.5, WORTH = 0.5; // shares of the summit, and of the one in the middle

struct surface {
    const float *corr; // (h, w), periodic
    int h, w;
    int image_h, image_w; // what overlaps in place
};

// The correlation at a shift, as if as much overlapped as in place.
static double height(const struct surface *s, int dy, int dx)
{
    double share = (1 - abs(dy) / (double)s->image_h) * (1 - abs(dx) / (double)s->image_w);
    return (double)s->corr[(size_t)((dy + s->h) % s->h) * (size_t)s->w + (dx + s->w) % s->w] /
           share;
}

static bool is_summit(const struct surface *s, int dy, int dx)
{
    double here = height(s, dy, dx);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if ((j || i) && height(s, dy + j, dx + i) > here)
                return false;
    return true;
}

// A shoulder of the summit in the middle is no place of its own.
static bool stands_apart(const struct surface *s, int dy, int dx)
{
    int steps = abs(dy) > abs(dx) ? abs(dy) : abs(dx);
    double least = INFINITY;
    for (int i = 1; i < steps; i++)
        least = fmin(least, height(s, (int)lround(dy * i / (double)steps),
                                   (int)lround(dx * i / (double)steps)));
    return least < DIP * height(s, dy, dx);
}

static bool within(const struct regist_reach *r, int dy, int dx)
{
    double y = r->t[0] - r->a[0] * dy - r->a[1] * dx, x = r->t[1] - r->a[2] * dy - r->a[3] * dx;
    return fabs(y) <= r->most[0] && fabs(x) <= r->most[1];
}

// Both halves of the plane: an image that repeats itself need not do so in both directions.
static bool best_summit(const struct surface *s, const struct regist_reach *reach, int *dy, int *dx)
{
    double best = WORTH * height(s, 0, 0);
    bool found = false;
    for (int y = -s->image_h / 4; y <= s->image_h / 4; y++)
        for (int x = -s->image_w / 4; x <= s->image_w / 4; x++)
            if (height(s, y, x) > best && y * y + x * x >= BESIDE * BESIDE && within(reach, y, x) &&
                is_summit(s, y, x) && stands_apart(s, y, x)) {
                best = height(s, y, x);
                *dy = y;
                *dx = x;
                found = true;
            }
    return found;
}

// What is held of a band, less its mean, in a frame of zeros.
static void put_band(struct device *dev, float *to, const float *band, const struct surface *s,
                     float *host)
{
    double sum = 0, held = 0;
    size_t n = (size_t)s->image_h * (size_t)s->image_w;
    for (size_t i = 0; i < n; i++) {
        sum += band[i] > 0 ? (double)band[i] : 0;
        held += band[i] > 0;
    }
    for (int y = 0; y < s->h; y++)
        for (int x = 0; x < s->w; x++) {
            float v = y < s->image_h && x < s->image_w ? band[(size_t)y * (size_t)s->image_w + x]
                                                       : 0;
            host[(size_t)y * (size_t)s->w + x] = v > 0 ? (float)(v - sum / held) : 0;
        }
    dev->upload(dev, to, host, (size_t)s->h * (size_t)s->w * sizeof *host);
}

static void put_ones(struct device *dev, float *to, size_t n, float *host)
{
    for (size_t i = 0; i < n; i++)
        host[i] = 1;
    dev->upload(dev, to, host, n * sizeof *host);
}

enum { A, B, SPEC_A, SPEC_B, ONES, NUMBERS, BUFFERS };

static void correlate(struct device *dev, float *const buffer[BUFFERS], const struct surface *s,
                      const float *reference, const float *moving, float *host)
{
    struct block_shape shape = {1, s->h, s->w, 0, 0};
    struct fft_plan *plan = dev->fft_plan(dev, (struct kin_dims){1, s->h, s->w}, 1);
    if (!device_stopped(dev)) {
        put_band(dev, buffer[A], reference, s, host);
        put_band(dev, buffer[B], moving, s, host);
        put_ones(dev, buffer[ONES], (size_t)s->h * (size_t)(s->w / 2 + 1), host);
        dev->fft_forward(dev, plan, buffer[A], buffer[SPEC_A]);
        dev->fft_forward(dev, plan, buffer[B], buffer[SPEC_B]);
        dev->block_cross(dev, buffer[SPEC_A], buffer[SPEC_B], &shape, buffer[ONES], 0,
                         buffer[NUMBERS], buffer[NUMBERS] + 1);
        dev->fft_inverse(dev, plan, buffer[SPEC_A], buffer[A]);
        dev->download(dev, host, buffer[A], (size_t)s->h * (size_t)s->w * sizeof *host);
    }
    dev->fft_free(dev, plan);
}

bool regist_repeat(struct device *dev, const float *reference, const float *moving, int h, int w,
                   const struct regist_reach *reach, int *dy, int *dx)
{
    struct surface s = {NULL, kin_good_size(h + h / 4 + 2, true),
                        kin_good_size(w + w / 4 + 2, true), h, w};
    size_t real = (size_t)s.h * (size_t)s.w, half = (size_t)s.h * (size_t)(s.w / 2 + 1);
    size_t numbers[BUFFERS] = {real, real, 2 * half, 2 * half, half, 2};
    float *buffer[BUFFERS], *host = malloc(real * sizeof *host);
    for (int i = 0; i < BUFFERS; i++)
        buffer[i] = dev->alloc(dev, numbers[i] * sizeof(float));
    if (!host)
        device_fail(dev, KIN_MEMORY, "no memory for %zu pixels", real);
    if (!device_stopped(dev))
        correlate(dev, buffer, &s, reference, moving, host);
    for (int i = 0; i < BUFFERS; i++)
        dev->release(dev, buffer[i]);
    s.corr = host;
    bool found = !device_stopped(dev) && best_summit(&s, reach, dy, dx);
    free(host);
    return found;
}
