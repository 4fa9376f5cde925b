/* SPDX-License-Identifier: MIT
 *
 * work.h: what a stage asks of a device, counted: the operations of its Fourier transforms (2.5 n
 * log2 n a real one) and the bytes that its primitives must at least read and write once, caches or
 * not. Small work (maps of bins, sums of a few numbers) is not counted.
 *
 *     work_watch(dev);      from here on
 *     ... a stage ...
 *     printf("%g %g", counted.flop, counted.bytes); */
#pragma once

#include "device/alm.h"
#include "device/device.h"

#include <math.h>

static struct {
    double flop, bytes;
} counted;

static struct device real; /* the table as it was */

enum { WORK_PLANS = 64 };
static struct {
    const void *plan;
    struct kin_dims dims;
    int batch;
} work_plans[WORK_PLANS];
static int work_count;

static void work_note(const void *plan, struct kin_dims dims, int batch)
{
    int i = 0;
    while (i < work_count && work_plans[i].plan != plan) /* a new plan may lie where one was */
        i++;
    if (i == WORK_PLANS)
        return;
    work_count += i == work_count;
    work_plans[i].plan = plan;
    work_plans[i].dims = dims;
    work_plans[i].batch = batch;
}

/* `times` transforms of all that the plan is for, and passes of so many floats over its samples. */
static void work_transform(const void *plan, int times, int floats)
{
    for (int i = 0; i < work_count; i++)
        if (work_plans[i].plan == plan) {
            double n = (double)kin_count(work_plans[i].dims), all = n * work_plans[i].batch;
            counted.flop += times * 2.5 * all * log2(n);
            counted.bytes += 4 * all * (2 * times + floats);
        }
}

static struct fft_plan *work_fft_plan(struct device *dev, struct kin_dims dims, int batch)
{
    struct fft_plan *plan = real.fft_plan(dev, dims, batch);
    work_note(plan, dims, batch);
    return plan;
}

static void work_fft_forward(struct device *dev, struct fft_plan *plan, const float *a, float *b)
{
    work_transform(plan, 1, 0);
    real.fft_forward(dev, plan, a, b);
}

static void work_fft_inverse(struct device *dev, struct fft_plan *plan, float *a, float *b)
{
    work_transform(plan, 1, 0);
    real.fft_inverse(dev, plan, a, b);
}

/* Richardson-Lucy transforms plane by plane: z planes of (y, x). */
static struct rl_plan *work_rl_plan(struct device *dev, struct kin_dims dims,
                                    const struct kin_image *psf, enum rl_ends ends)
{
    struct rl_plan *plan = real.rl_plan(dev, dims, psf, ends);
    work_note(plan, (struct kin_dims){1, dims.y, dims.x}, dims.z);
    return plan;
}

static void work_rl_load(struct device *dev, struct rl_plan *plan, const float *image)
{
    work_transform(plan, 1, 0);
    real.rl_load(dev, plan, image);
}

static void work_rl_store(struct device *dev, struct rl_plan *plan, float *image)
{
    work_transform(plan, 1, 0);
    real.rl_store(dev, plan, image);
}

static void work_rl_blur(struct device *dev, struct rl_plan *plan, bool transposed)
{
    work_transform(plan, 0, 2);
    real.rl_blur(dev, plan, transposed);
}

static void work_rl_ratio(struct device *dev, struct rl_plan *plan, const float *data, float floor)
{
    work_transform(plan, 2, 1);
    real.rl_ratio(dev, plan, data, floor);
}

static void work_rl_multiply(struct device *dev, struct rl_plan *plan, float *next,
                             const float *point)
{
    work_transform(plan, 1, 1);
    real.rl_multiply(dev, plan, next, point);
}

static void work_rl_advance(struct device *dev, struct rl_plan *plan, const float *now,
                            float *before, float alpha, float next_alpha)
{
    work_transform(plan, 2, 3);
    real.rl_advance(dev, plan, now, before, alpha, next_alpha);
}

/* Two blurs, a ratio and an advance. */
static void work_rl_step(struct device *dev, struct rl_plan *plan, const float *data,
                         const float *now, float *before, float floor, float alpha,
                         float next_alpha)
{
    work_transform(plan, 4, 2 * 2 + 1 + 3);
    real.rl_step(dev, plan, data, now, before, floor, alpha, next_alpha);
}

static void work_focus_measure(struct device *dev, float *spread, float *level, const uint16_t *src,
                               struct kin_dims dims, int radius, int bin, int top)
{
    counted.bytes += 2.0 * (double)kin_count(dims);
    real.focus_measure(dev, spread, level, src, dims, radius, bin, top);
}

static void work_focus_take(struct device *dev, uint16_t *dst, float *z,
                            const struct focus_stack *stack, const struct focus_map *map, int y0,
                            int rows)
{
    counted.bytes += 10.0 * rows * stack->width;
    real.focus_take(dev, dst, z, stack, map, y0, rows);
}

static void work_warp_u16(struct device *dev, uint16_t *dst, uint8_t *cover,
                          const struct image_rows *src, struct kin_dims to, int y0, int rows,
                          const struct warp_map *map)
{
    counted.bytes += 4.0 * rows * to.x;
    real.warp_u16(dev, dst, cover, src, to, y0, rows, map);
}

static double work_block(const struct block_shape *s)
{
    return (double)s->n * s->h * s->w;
}

static void work_block_gather(struct device *dev, float *blocks, float *fill,
                              const struct block_shape *shape, const float *centre,
                              const struct image_rows *src, const struct warp_map *map)
{
    counted.bytes += 6 * work_block(shape);
    real.block_gather(dev, blocks, fill, shape, centre, src, map);
}

static void work_block_cross(struct device *dev, float *a, const float *b,
                             const struct block_shape *shape, const float *band, float whiten,
                             float *ncc, float *power)
{
    counted.bytes += 12 * work_block(shape);
    real.block_cross(dev, a, b, shape, band, whiten, ncc, power);
}

static void work_block_peaks(struct device *dev, struct block_peak *peaks, const float *corr,
                             const struct block_shape *shape, int reach_y, int reach_x)
{
    counted.bytes += 4 * work_block(shape);
    real.block_peaks(dev, peaks, corr, shape, reach_y, reach_x);
}

static void work_alm_mean(struct device *dev, float *mean, const struct alm *s, const double *each)
{
    counted.bytes += 12.0 * s->n * s->m;
    real.alm_mean(dev, mean, s, each);
}

static void work_alm_step(struct device *dev, const struct alm *s, double (*sums)[2])
{
    counted.bytes += 20.0 * s->n * s->m;
    real.alm_step(dev, s, sums);
}

static void work_alm_step_on(struct device *dev, const struct alm *s, double (*sums)[2],
                             float *mean, double next_mu)
{
    counted.bytes += 16.0 * s->n * s->m;
    real.alm_step_on(dev, s, sums, mean, next_mu);
}

static void work_alm_sparse(struct device *dev, const struct alm *s)
{
    counted.bytes += 16.0 * s->n * s->m;
    real.alm_sparse(dev, s);
}

static void work_gauss_xy(struct device *dev, float *dst, const float *src, struct kin_dims dims,
                          float sigma)
{
    counted.bytes += 8.0 * (double)kin_count(dims);
    real.gauss_xy(dev, dst, src, dims, sigma);
}

static void work_overlap_sums(struct device *dev, const uint16_t *a, const uint16_t *b,
                              struct kin_dims tile, int dy, int dx, int64_t sums[6])
{
    counted.bytes += 4.0 * fmax(tile.y - abs(dy), 0) * fmax(tile.x - abs(dx), 0);
    real.overlap_sums(dev, a, b, tile, dy, dx, sums);
}

static void work_watch(struct device *dev)
{
    real = *dev;
#define WATCH(primitive) dev->primitive = work_##primitive
    WATCH(fft_plan), WATCH(fft_forward), WATCH(fft_inverse), WATCH(rl_plan), WATCH(rl_load);
    WATCH(rl_store), WATCH(rl_blur), WATCH(rl_ratio), WATCH(rl_multiply), WATCH(rl_advance),
        WATCH(rl_step);
    WATCH(focus_measure), WATCH(focus_take), WATCH(warp_u16), WATCH(block_gather);
    WATCH(block_cross), WATCH(block_peaks), WATCH(alm_mean), WATCH(alm_step), WATCH(alm_step_on),
        WATCH(alm_sparse), WATCH(gauss_xy);
    WATCH(overlap_sums);
#undef WATCH
}
