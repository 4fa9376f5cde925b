// SPDX-License-Identifier: MIT
// illum_cpu.c: the sweeps of the shading model on the CPU. Sums over images, over pixels or over a
// span of them are taken by one thread each, in order: the thread count changes nothing.
#include "core/simd.h"
#include "device/alm.h"
#include "device/device_cpu.h"

#include <stdlib.h>
#include <string.h>

enum { SPAN = 512 }; /* pixels that one thread takes at a time */

/* sum += share (image - b flat - dark - sparse + multiplier / mu), for one image's span of
 * pixels. */
VECTOR_CLONES static void add_span(double *sum, const struct alm *s, int i, int x0, int span,
                                   double share)
{
    struct alm local = *s;
    size_t at = (size_t)i * (size_t)s->m;
    float b = (float)s->b[i], scale = (float)(1 / s->mu);
#pragma omp simd
    for (int x = x0; x < x0 + span; x++)
        sum[x - x0] += share * alm_pull(&local, at, x, b, scale);
}

void cpu_alm_mean(struct device *dev, float *mean, const struct alm *s, const double *share)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int x0 = 0; x0 < s->m; x0 += SPAN) {
        double sum[SPAN] = {0};
        int span = s->m - x0 < SPAN ? s->m - x0 : SPAN;
        for (int i = 0; i < s->n; i++)
            add_span(sum, s, i, x0, span, share ? share[i] : 1);
        for (int x = 0; x < span; x++)
            mean[x0 + x] = (float)(share ? sum[x] : sum[x] / s->n);
    }
}

VECTOR_CLONES static double project_image(const struct alm *s, int i)
{
    struct alm local = *s;
    size_t at = (size_t)i * (size_t)s->m;
    float b = (float)s->b[i], scale = (float)(1 / s->mu);
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int x = 0; x < local.m; x++)
        sum += (double)local.flat[x] * alm_pull(&local, at, x, b, scale);
    return sum;
}

void cpu_alm_project(struct device *dev, const struct alm *s, double *sums)
{
    memset(sums, 0, (size_t)s->n * sizeof *sums);
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int i = 0; i < s->n; i++)
        sums[i] = project_image(s, i);
}

/* A span of one image: its sparse part and its multiplier; sums[0] = sum of image - sparse, sums[1]
 * = squared misfit. Floats will do for so few numbers. */
VECTOR_CLONES static void step_span(const struct alm *s, int i, int x0, int span, double sums[2])
{
    size_t at = (size_t)i * (size_t)s->m;
    struct alm local = *s; /* a copy that no store below can change */
    float b = (float)s->b[i], kept = 0, misfit = 0;
#pragma omp simd reduction(+ : kept, misfit)
    for (int x = x0; x < x0 + span; x++) {
        struct alm_sums here = alm_pixel(&local, at, x, b);
        local.sparse[at + x] = here.sparse;
        kept += here.kept;
        misfit += here.misfit;
    }
    sums[0] = (double)kept;
    sums[1] = (double)misfit;
}

/* The same without the sparse part; mean += image - sparse + scale multiplier. A loop of its own:
 * one that both share is not made vector code of in each clone, and takes three times as long. */
VECTOR_CLONES static void step_span_on(const struct alm *s, int i, int x0, int span, float scale,
                                       float *mean, double sums[2])
{
    size_t at = (size_t)i * (size_t)s->m;
    struct alm local = *s;
    float b = (float)s->b[i], kept = 0, misfit = 0;
#pragma omp simd reduction(+ : kept, misfit)
    for (int x = x0; x < x0 + span; x++) {
        struct alm_sums here = alm_pixel(&local, at, x, b);
        kept += here.kept;
        misfit += here.misfit;
        mean[x - x0] += here.kept + scale * local.multiplier[at + x];
    }
    sums[0] = (double)kept;
    sums[1] = (double)misfit;
}

/* A span of all images; parts (n): their sums; mean: NULL for a step that leaves the sparse
 * parts. */
static void step_spans(const struct alm *s, int x0, float scale, float *mean, double (*parts)[2])
{
    enum { GROUP = 8 }; /* images that are added up as floats */
    double sum[SPAN] = {0};
    int span = s->m - x0 < SPAN ? s->m - x0 : SPAN;
    for (int i = 0; !mean && i < s->n; i++)
        step_span(s, i, x0, span, parts[i]);
    for (int i = 0; mean && i < s->n; i += GROUP) {
        float few[SPAN] = {0};
        for (int k = i; k < s->n && k < i + GROUP; k++)
            step_span_on(s, k, x0, span, scale, few, parts[k]);
        for (int x = 0; x < span; x++)
            sum[x] += (double)few[x];
    }
    for (int x = 0; mean && x < span; x++)
        mean[x0 + x] = (float)(sum[x] / s->n);
}

static void step(struct device *dev, const struct alm *s, double (*sums)[2], float *mean,
                 float scale)
{
    size_t n = (size_t)s->n, spans = ((size_t)s->m + SPAN - 1) / SPAN;
    memset(sums, 0, n * sizeof *sums);
    if (device_stopped(dev))
        return;
    double(*parts)[2] = malloc(spans * n * sizeof *parts);
    if (!parts) {
        device_fail(dev, KIN_MEMORY, "no memory for the sums of %d images", s->n);
        return;
    }
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (size_t k = 0; k < spans; k++)
        step_spans(s, (int)k * SPAN, scale, mean, parts + k * n);
    for (size_t k = 0; k < spans * n; k++) {
        sums[k % n][0] += parts[k][0];
        sums[k % n][1] += parts[k][1];
    }
    free(parts);
}

void cpu_alm_step(struct device *dev, const struct alm *s, double (*sums)[2])
{
    step(dev, s, sums, NULL, 0);
}

void cpu_alm_step_on(struct device *dev, const struct alm *s, double (*sums)[2], float *mean,
                     double next_mu)
{
    step(dev, s, sums, mean, (float)(1 / next_mu));
}

VECTOR_CLONES static void sparse_image(const struct alm *s, int i)
{
    size_t at = (size_t)i * (size_t)s->m;
    struct alm local = *s;
    float b = (float)s->b[i];
#pragma omp simd
    for (int x = 0; x < local.m; x++)
        local.sparse[at + x] = alm_sparse_of(&local, at, x, alm_rest(&local, at, x, b));
}

void cpu_alm_sparse(struct device *dev, const struct alm *s)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int i = 0; i < s->n; i++)
        sparse_image(s, i);
}

void cpu_alm_split(struct device *dev, const struct alm *s, float level, double (*sums)[2])
{
    memset(sums, 0, (size_t)s->n * sizeof *sums);
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int i = 0; i < s->n; i++) {
        size_t at = (size_t)i * (size_t)s->m;
        for (int x = 0; x < s->m; x++)
            sums[i][s->flat[x] > level] += (double)(s->images[at + x] - s->sparse[at + x]);
    }
}

void cpu_alm_mean_below(struct device *dev, float *mean, const struct alm *s, double limit)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int x0 = 0; x0 < s->m; x0 += SPAN) {
        double sum[SPAN] = {0};
        int span = s->m - x0 < SPAN ? s->m - x0 : SPAN, count = 0;
        for (int i = 0; i < s->n; i++) {
            size_t at = (size_t)i * (size_t)s->m + (size_t)x0;
            if (!(s->b[i] < limit))
                continue;
            count++;
            for (int x = 0; x < span; x++)
                sum[x] += s->images[at + x] - s->sparse[at + x];
        }
        for (int x = 0; x < span; x++)
            mean[x0 + x] = count ? (float)(sum[x] / count) : 0;
    }
}

VECTOR_CLONES static double reweigh_image(float *weight, const float *sparse, int m, float scale,
                                          float epsilon)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int x = 0; x < m; x++) {
        weight[x] = alm_weight(sparse[x], scale, epsilon);
        sum += (double)weight[x];
    }
    return sum;
}

void cpu_alm_reweigh(struct device *dev, float *weights, const struct alm *s, const double *height,
                     float epsilon, double *sums)
{
    memset(sums, 0, (size_t)s->n * sizeof *sums);
    if (device_stopped(dev))
        return;
#pragma omp parallel for num_threads(dev->threads) schedule(static)
    for (int i = 0; i < s->n; i++) {
        size_t at = (size_t)i * (size_t)s->m;
        sums[i] = reweigh_image(weights + at, s->sparse + at, s->m, (float)(1 / height[i]),
                                epsilon);
    }
}

void cpu_scale(struct device *dev, float *a, float factor, size_t n)
{
    if (device_stopped(dev))
        return;
#pragma omp parallel for simd num_threads(dev->threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        a[i] *= factor;
}
