// SPDX-License-Identifier: MIT
// solver.c: the state of a solve, and what is measured before it starts.
#include "illum/solver.h"
#include "core/simd.h"

#include <stdlib.h>
#include <string.h>

enum { M = ILLUM_PIXELS };
enum { SPAN = 1024 }; /* pixels that a thread takes at a time */

void solver_send(struct solver *v)
{
    v->dev->upload(v->dev, v->s.flat, v->flat, M * sizeof(float));
    v->dev->upload(v->dev, v->s.dark, v->dark, M * sizeof(float));
}

double solver_mu_most(const struct solver *v)
{
    return 1e7 * 12.5 / v->spectral;
}

int solver_steps(const struct solver *v)
{
    return v->params->iterations > 0 ? v->params->iterations : 500;
}

double solver_tolerance(const struct solver *v)
{
    return v->params->tolerance > 0 ? v->params->tolerance : 1e-6;
}

void solver_reset(struct solver *v)
{
    size_t bytes = (size_t)v->s.n * M * sizeof(float);
    v->s.mu = 12.5 / v->spectral;
    v->slope = 0;
    v->dev->zero(v->dev, v->s.sparse, bytes);
    v->dev->zero(v->dev, v->s.multiplier, bytes);
    memset(v->hat, 0, M * sizeof *v->hat);
    memset(v->flat, 0, M * sizeof *v->flat);
    memset(v->dark, 0, M * sizeof *v->dark);
    memset(v->old_dark, 0, M * sizeof *v->old_dark);
    for (int i = 0; i < v->s.n; i++)
        v->b[i] = v->old_b[i] = 1;
    solver_send(v);
}

void solver_reweigh(struct solver *v)
{
    double flat = kin_mean_f32(v->flat, M), dark = kin_mean_f32(v->old_dark, M), sum = 0;
    for (int i = 0; i < v->s.n; i++)
        v->scratch[i] = v->old_b[i] * flat + dark + 1e-6 * v->mean_all;
    double *sums = (double *)v->sums;
    v->dev->alm_reweigh(v->dev, v->weights, &v->s, v->scratch, 0.1f, sums);
    for (int i = 0; i < v->s.n; i++)
        sum += sums[i];
    v->dev->scale(v->dev, v->weights, (float)((double)v->s.n * M / sum), (size_t)v->s.n * M);
}

/* ---- setting up ------------------------------------------------------------------------------ */

/* u = W images, a span of pixels; W = w^T, or all of it 1. */
VECTOR_CLONES static void weigh_span(double *u, const double *w, const float *images, int n,
                                     int span)
{
    memset(u, 0, (size_t)span * sizeof *u);
    for (int i = 0; i < n; i++) {
        double weight = w ? w[i] : 1;
#pragma omp simd
        for (int x = 0; x < span; x++)
            u[x] += weight * (double)images[(size_t)i * M + x];
    }
}

VECTOR_CLONES static double dot_image(const double *u, const float *image)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int x = 0; x < M; x++)
        sum += u[x] * (double)image[x];
    return sum;
}

static double norm_of(const double *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += w[i] * w[i];
    return sqrt(sum);
}

/* The largest singular value of the images, by power steps from the constant vector. u, w: room for
 * M and n numbers. */
static double spectral_norm(const float *images, int n, double *u, double *w)
{
    enum { STEPS = 30 };
    double norm = 0;
    for (int i = 0; i < n; i++)
        w[i] = 1 / sqrt(n);
    for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for schedule(static)
        for (int x = 0; x < M; x += SPAN)
            weigh_span(u + x, w, images + x, n, SPAN);
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n; i++)
            w[i] = dot_image(u, images + (size_t)i * M);
        double after = norm_of(w, n), before = norm;
        norm = sqrt(after);
        for (int i = 0; i < n; i++)
            w[i] /= after;
        if (fabs(norm - before) < 1e-9 * norm)
            break;
    }
    return norm;
}

/* How wavy the mean image is: the penalties grow with it. */
static double waviness(struct solver *v, const float *images)
{
    double sum = 0;
#pragma omp parallel for schedule(static)
    for (int from = 0; from < M; from += SPAN) {
        double sums[SPAN];
        weigh_span(sums, NULL, images + from, v->s.n, SPAN);
        for (int x = 0; x < SPAN; x++)
            v->work[from + x] = (float)(sums[x] / v->s.n);
    }
    v->mean_all = kin_mean_f32(v->work, M);
    for (int x = 0; x < M; x++)
        v->work[x] = (float)(v->work[x] / v->mean_all);
    solver_dct(v, v->work, false);
    for (int x = 0; x < M; x++)
        sum += fabs((double)v->work[x]);
    return sum;
}

static void measure(struct solver *v, const float *images)
{
    size_t n = (size_t)v->s.n * M;
    double square = 0, *u = malloc((M + (size_t)v->s.n) * sizeof *u);
    float least = INFINITY;
    for (size_t i = 0; i < n; i++)
        square += (double)images[i] * images[i];
#pragma omp parallel for schedule(static) reduction(min : least)
    for (size_t i = 0; i < n; i++)
        least = images[i] < least ? images[i] : least;
    v->least = (double)least;
    double wavy = waviness(v, images);
    v->lambda = wavy / 800;
    v->lambda_dark = wavy / 2000;
    v->norm = sqrt(square);
    if (!u)
        device_fail(v->dev, KIN_MEMORY, "no memory for a flat field");
    v->spectral = u ? spectral_norm(images, v->s.n, u, u + M) : 1;
    free(u);
}

bool solver_open(struct solver *v, struct device *dev, int n, const struct illum_params *params)
{
    *v = (struct solver){.dev = dev, .params = params, .s = {.n = n, .m = M}};
    v->s.images = dev->alloc(dev, (size_t)n * M * sizeof(float));
    v->s.flat = dev->alloc(dev, M * sizeof(float));
    v->s.dark = dev->alloc(dev, M * sizeof(float));
    v->mean = dev->alloc(dev, M * sizeof(float));
    v->sums = calloc((size_t)n, sizeof *v->sums);
    v->b = calloc((size_t)n * 3, sizeof *v->b);
    v->basis = calloc(6 * M, sizeof *v->basis);
    if (!v->sums || !v->b || !v->basis) {
        device_fail(dev, KIN_MEMORY, "no memory for the shading of %d images", n);
        return false;
    }
    v->old_b = v->b + n;
    v->scratch = v->b + 2 * n;
    v->hat = v->basis + M;
    v->flat = v->basis + 2 * M;
    v->dark = v->basis + 3 * M;
    v->old_dark = v->basis + 4 * M;
    v->work = v->basis + 5 * M;
    solver_dct_basis(v->basis);
    return !device_stopped(dev);
}

void solver_close(struct solver *v)
{
    void *buffers[] = {(void *)(uintptr_t)v->s.images,
                       v->weights,
                       v->s.sparse,
                       v->s.multiplier,
                       v->s.flat,
                       v->s.dark,
                       v->mean,
                       v->spare};
    for (int i = 0; i < 8; i++)
        v->dev->release(v->dev, buffers[i]);
    free(v->sums);
    free(v->b);
    free(v->basis);
}

bool solver_load(struct solver *v, const float *images)
{
    measure(v, images);
    v->dev->upload(v->dev, (void *)(uintptr_t)v->s.images, images,
                   (size_t)v->s.n * M * sizeof *images);
    return v->mean_all > 0 && isfinite(v->spectral) && v->spectral > 0;
}

bool solver_begin(struct solver *v)
{
    size_t bytes = (size_t)v->s.n * M * sizeof(float);
    v->s.weights = v->weights = v->dev->alloc(v->dev, bytes);
    v->s.sparse = v->dev->alloc(v->dev, bytes);
    v->s.multiplier = v->dev->alloc(v->dev, bytes);
    if (v->params->solver == ILLUM_LADMAP)
        v->spare = v->dev->alloc(v->dev, bytes);
    for (int x = 0; x < M; x++)
        v->work[x] = 1;
    for (int i = 0; i < v->s.n && !device_stopped(v->dev); i++)
        v->dev->upload(v->dev, v->weights + (size_t)i * M, v->work, M * sizeof *v->work);
    return !device_stopped(v->dev);
}

size_t solver_bytes(int n, enum illum_solver solver)
{
    return (solver == ILLUM_LADMAP ? 5 : 4) * (size_t)n * M * sizeof(float);
}
