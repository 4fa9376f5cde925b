// SPDX-License-Identifier: MIT
// illum.c: BaSiC's approximate solver (inexact augmented Lagrangian), written above the device
// table.
//
// One solve, with weights W on the sparse part:
//     S^ <- shrink(S^ + DCT(mean_i(I - A - E + Y/mu)), lambda/mu), A = b S + D, S = IDCT(S^)
//     E  <- shrink(I - A + Y/mu, W/mu)
//     b  <- mean_x(I - E)_i / mean(I - E)
//     D  <- see update_dark (only when the offset is not known)
//     Y  <- Y + mu (I - A - E), mu <- min(1.5 mu, 1e7 mu_0), until |I - A - E| < tol |I|
// then W = 1 / (|E| / mean A_i + 0.1), and again until S stays. The pixels are sorted over the
// images first: order statistics hold less tissue than images do.
#include "illum.h"
#include "alm.h"
#include "illum_surface.h"
#include "simd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = ILLUM_SIDE, M = ILLUM_PIXELS };
enum { ROWS = 4, COLUMNS = 32 }; /* of a product that are worked out together */
enum { LANES = 32 };             /* pixels that are sorted together */

struct solver {
    struct device *dev;
    const struct illum_params *params;
    struct alm s;
    double (*sums)[2];           /* owned, (n, 2) */
    double *b, *old_b, *scratch; /* owned, (n) */
    float *weights, *mean;       /* device */
    float *basis;                /* owned, (2, N, N): the orthonormal DCT-II and its transpose */
    float *hat, *flat, *dark, *old_dark, *work; /* owned, host, (M) */
    double slope;                               /* B1: how much of the dark hides in flat */
    double lambda, lambda_dark, norm, spectral, least, mean_all;
    int iterations;
};

/* ---- small transforms on the host -------------------------------------------------------------
 */

/* The orthonormal DCT-II, and behind it its transpose. */
static void make_basis(float *basis)
{
    for (int k = 0; k < N; k++) {
        for (int x = 0; x < N; x++) {
            float v = (float)(sqrt((k ? 2.0 : 1.0) / N) * cos(M_PI * (x + 0.5) * k / N));
            basis[k * N + x] = basis[M + x * N + k] = v;
        }
    }
}

/* out (ROWS, N) = a (ROWS, N) times b (N, N); sums of a block of columns stay in registers. */
VECTOR_CLONES static void multiply_rows(double *restrict out, const double *restrict a,
                                        const float *restrict b)
{
    for (int x0 = 0; x0 < N; x0 += COLUMNS) {
        double s0[COLUMNS] = {0}, s1[COLUMNS] = {0}, s2[COLUMNS] = {0}, s3[COLUMNS] = {0};
        for (int k = 0; k < N; k++) {
            const float *row = b + k * N + x0;
#pragma omp simd
            for (int x = 0; x < COLUMNS; x++) {
                double v = row[x];
                s0[x] += a[k] * v;
                s1[x] += a[N + k] * v;
                s2[x] += a[2 * N + k] * v;
                s3[x] += a[3 * N + k] * v;
            }
        }
        memcpy(out + x0, s0, sizeof s0);
        memcpy(out + N + x0, s1, sizeof s1);
        memcpy(out + 2 * N + x0, s2, sizeof s2);
        memcpy(out + 3 * N + x0, s3, sizeof s3);
    }
}

/* a = B a B^T, or with B transposed: the inverse. basis: B, then its transpose. */
static void dct(const float *basis, float *a, bool inverse)
{
    const float *left = basis + (inverse ? M : 0), *right = basis + (inverse ? 0 : M);
    float in[M];
    memcpy(in, a, sizeof in);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i += ROWS) {
        double half[ROWS * N], whole[ROWS * N];
        for (int k = 0; k < ROWS * N; k++)
            whole[k] = left[i * N + k];
        multiply_rows(half, whole, in);
        multiply_rows(whole, half, right);
        for (int k = 0; k < ROWS * N; k++)
            a[i * N + k] = (float)whole[k];
    }
}

static float shrink(float v, double t)
{
    return copysignf(fmaxf(fabsf(v) - (float)t, 0), v);
}

static double mean_of(const float *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum / n;
}

/* ---- one solve --------------------------------------------------------------------------------
 */

static void send_fields(struct solver *v)
{
    v->dev->upload(v->dev, v->s.flat, v->flat, M * sizeof(float));
    v->dev->upload(v->dev, v->s.dark, v->dark, M * sizeof(float));
}

static void update_flat(struct solver *v)
{
    v->dev->alm_mean(v->dev, v->mean, &v->s);
    v->dev->download(v->dev, v->work, v->mean, M * sizeof(float));
    dct(v->basis, v->work, false);
    for (int i = 0; i < M; i++)
        v->hat[i] = shrink(v->hat[i] + v->work[i], v->lambda / v->s.mu);
    memcpy(v->flat, v->hat, M * sizeof *v->flat);
    dct(v->basis, v->flat, true);
}

/* How much dark field hides in the flat: from images dimmer than the mean, by how their bright and
 * their dim halves differ (Peng's B1). */
static double hidden_dark(struct solver *v, double mean_flat, double mean_rest)
{
    double b2 = 0, b1 = 0, d = 0, bd = 0, high = 0;
    int count = 0;
    v->dev->alm_split(v->dev, &v->s, (float)mean_flat, v->sums);
    for (int x = 0; x < M; x++)
        high += v->flat[x] > (float)mean_flat;
    for (int i = 0; i < v->s.n; i++) {
        if (!(v->b[i] < 1))
            continue;
        double diff = (v->sums[i][1] / fmax(high, 1) - v->sums[i][0] / fmax(M - high, 1)) /
                      mean_rest;
        count++;
        b2 += v->b[i] * v->b[i];
        b1 += v->b[i];
        d += diff;
        bd += v->b[i] * diff;
    }
    double below = b1 * d - count * bd;
    double z = below == 0 ? 0 : (b2 * d - b1 * bd) / below;
    return fmin(fmax(z, 0), v->least / mean_flat);
}

static double mean_below_one(const struct solver *v)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < v->s.n; i++) {
        if (v->b[i] < 1) {
            sum += v->b[i];
            count++;
        }
    }
    return count ? sum / count : 0;
}

static void update_dark(struct solver *v, double mean_rest)
{
    double mean_flat = mean_of(v->flat, M), b = mean_below_one(v),
           t = v->lambda_dark / (10 * v->s.mu);
    v->slope = hidden_dark(v, mean_flat, mean_rest);
    v->s.b = v->b;
    v->dev->alm_mean_below(v->dev, v->mean, &v->s, 1);
    v->s.b = v->old_b;
    v->dev->download(v->dev, v->work, v->mean, M * sizeof(float));
    for (int i = 0; i < M; i++)
        v->work[i] -= (float)b * v->flat[i];
    float level = (float)mean_of(v->work, M);
    for (int i = 0; i < M; i++)
        v->work[i] -= level + (float)(v->slope * (mean_flat - v->flat[i]));
    dct(v->basis, v->work, false);
    for (int i = 0; i < M; i++)
        v->work[i] = shrink(v->work[i], t);
    dct(v->basis, v->work, true);
    for (int i = 0; i < M; i++)
        v->dark[i] = shrink(v->work[i], t) + (float)(v->slope * (mean_flat - v->flat[i]));
}

/* One iteration; answers the residual relative to the images. */
static double iterate(struct solver *v)
{
    double rest = 0, misfit = 0;
    memcpy(v->old_b, v->b, (size_t)v->s.n * sizeof *v->b);
    memcpy(v->old_dark, v->dark, M * sizeof *v->dark);
    v->s.b = v->old_b;
    update_flat(v);
    send_fields(v);
    v->dev->alm_step(v->dev, &v->s, v->sums);
    for (int i = 0; i < v->s.n; i++) {
        rest += v->sums[i][0];
        misfit += v->sums[i][1];
    }
    double mean_rest = rest / ((double)v->s.n * M);
    for (int i = 0; i < v->s.n; i++)
        v->b[i] = mean_rest > 0 ? fmax(v->sums[i][0] / M / mean_rest, 0) : 1;
    if (isnan(v->params->dark))
        update_dark(v, mean_rest);
    return sqrt(misfit) / v->norm;
}

static void solve(struct solver *v)
{
    double tol = v->params->tolerance > 0 ? v->params->tolerance : 1e-6;
    double most = 1e7 * 12.5 / v->spectral;
    int limit = v->params->iterations > 0 ? v->params->iterations : 500;
    size_t bytes = (size_t)v->s.n * M * sizeof(float);
    v->s.mu = 12.5 / v->spectral;
    v->slope = 0;
    v->dev->zero(v->dev, v->s.sparse, bytes);
    v->dev->zero(v->dev, v->s.multiplier, bytes);
    memset(v->hat, 0, M * sizeof *v->hat);
    memset(v->flat, 0, M * sizeof *v->flat);
    memset(v->dark, 0, M * sizeof *v->dark);
    for (int i = 0; i < v->s.n; i++)
        v->b[i] = 1;
    send_fields(v);
    for (int k = 0; k < limit && !device_stopped(v->dev); k++) {
        v->iterations++;
        double residual = iterate(v);
        v->s.mu = fmin(1.5 * v->s.mu, most);
        if (residual < tol)
            break;
        send_fields(v);
    }
}

/* ---- reweighting ------------------------------------------------------------------------------
 */

/* Flat and dark of the last solve: A, its mean, was made with the fields before their last update.
 */
static bool read_fields(struct solver *v, float *flat, float *dark)
{
    double b = 0;
    for (int i = 0; i < v->s.n; i++)
        b += v->old_b[i] / v->s.n;
    for (int x = 0; x < M; x++) {
        dark[x] = v->dark[x] + (float)v->slope * v->flat[x];
        flat[x] = (float)b * v->flat[x] + v->old_dark[x] - dark[x];
    }
    double mean = mean_of(flat, M);
    for (int x = 0; x < M; x++)
        flat[x] = (float)(flat[x] / mean);
    return mean > 0;
}

static void reweigh(struct solver *v)
{
    double flat = mean_of(v->flat, M), dark = mean_of(v->old_dark, M), sum = 0;
    for (int i = 0; i < v->s.n; i++)
        v->scratch[i] = v->old_b[i] * flat + dark + 1e-6 * v->mean_all;
    double *sums = (double *)v->sums;
    v->dev->alm_reweigh(v->dev, v->weights, &v->s, v->scratch, 0.1f, sums);
    for (int i = 0; i < v->s.n; i++)
        sum += sums[i];
    v->dev->scale(v->dev, v->weights, (float)((double)v->s.n * M / sum), (size_t)v->s.n * M);
}

static double change(const float *a, const float *b)
{
    double difference = 0, size = 0;
    for (int i = 0; i < M; i++) {
        difference += fabs((double)a[i] - b[i]);
        size += fabs((double)b[i]);
    }
    return difference / fmax(size, 1e-6);
}

static bool run_rounds(struct solver *v, struct illum_fit *fit)
{
    int rounds = v->params->reweights > 0 ? v->params->reweights : 10;
    double tol = v->params->reweight_tol > 0 ? v->params->reweight_tol : 1e-3;
    float flat[2][M], dark[M];
    for (int r = 0; r <= rounds; r++) {
        solve(v);
        fit->rounds = r + 1;
        if (device_stopped(v->dev) || !read_fields(v, flat[r % 2], dark))
            return false;
        memcpy(fit->flat, flat[r % 2], sizeof fit->flat);
        bool still = r > 0 && change(flat[r % 2], flat[1 - r % 2]) <= tol;
        if (isnan(v->params->dark)) {
            still = still && change(dark, fit->dark) <= tol;
            memcpy(fit->dark, dark, sizeof fit->dark);
        }
        if (still)
            break;
        reweigh(v);
    }
    return true;
}

/* ---- setting up -------------------------------------------------------------------------------
 */

/* Sorts each of LANES columns of n values: Batcher's merge exchange (Knuth 5.2.2 M), a step of it
 * for all columns at once. */
VECTOR_CLONES static void sort_columns(float (*v)[LANES], int n)
{
    int top = 1;
    while (2 * top < n)
        top *= 2;
    for (int p = top; p > 0; p /= 2) {
        for (int q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
            for (int i = 0; i < n - d; i++) {
                float *a = v[i], *b = v[i + d];
                for (int x = 0; (i & p) == r && x < LANES; x++) {
                    float low = a[x] < b[x] ? a[x] : b[x];
                    b[x] = a[x] < b[x] ? b[x] : a[x];
                    a[x] = low;
                }
            }
            if (q == p)
                break;
        }
    }
}

/* images (n, M) = the thumbnails less the known offset, each pixel sorted over the images. */
static bool sort_images(const float *thumbs, int n, double offset, float *images)
{
    bool failed = false;
#pragma omp parallel
    {
        float(*columns)[LANES] = malloc((size_t)n * sizeof *columns);
        if (!columns)
#pragma omp atomic write
            failed = true;
#pragma omp for schedule(static)
        for (int x = 0; x < M; x += LANES) {
            for (int i = 0; columns && i < n; i++)
                for (int k = 0; k < LANES; k++)
                    columns[i][k] = thumbs[(size_t)i * M + x + k] - (float)offset;
            if (columns)
                sort_columns(columns, n);
            for (int i = 0; columns && i < n; i++)
                memcpy(images + (size_t)i * M + x, columns[i], sizeof *columns);
        }
        free(columns);
    }
    return !failed;
}

/* u = W images, a span of pixels; W = w^T. */
VECTOR_CLONES static void weigh_span(double *u, const double *w, const float *images, int n,
                                     int span)
{
    memset(u, 0, (size_t)span * sizeof *u);
    for (int i = 0; i < n; i++) {
#pragma omp simd
        for (int x = 0; x < span; x++)
            u[x] += w[i] * (double)images[(size_t)i * M + x];
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

/* The largest singular value of the images, by power steps from the constant vector. */
static double spectral_norm(const float *images, int n, double *u)
{
    enum { STEPS = 30, SPAN = 1024 };
    double *w = malloc((size_t)n * sizeof *w), norm = 0;
    for (int i = 0; w && i < n; i++)
        w[i] = 1 / sqrt(n);
    for (int step = 0; w && step < STEPS; step++) {
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
    free(w);
    return norm;
}

/* How wavy the mean image is: the penalties grow with it. */
static double waviness(struct solver *v, const float *images)
{
    double sum = 0;
    for (int x = 0; x < M; x++) {
        double s = 0;
        for (int i = 0; i < v->s.n; i++)
            s += images[(size_t)i * M + x];
        v->work[x] = (float)(s / v->s.n);
    }
    v->mean_all = mean_of(v->work, M);
    for (int x = 0; x < M; x++)
        v->work[x] = (float)(v->work[x] / v->mean_all);
    dct(v->basis, v->work, false);
    for (int x = 0; x < M; x++)
        sum += fabs((double)v->work[x]);
    return sum;
}

static void measure(struct solver *v, const float *images)
{
    size_t n = (size_t)v->s.n * M;
    double square = 0, *u = malloc(M * sizeof *u);
    v->least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        square += (double)images[i] * images[i];
        v->least = fmin(v->least, images[i]);
    }
    double wavy = waviness(v, images);
    v->lambda = wavy / 800;
    v->lambda_dark = wavy / 2000;
    v->norm = sqrt(square);
    v->spectral = u ? spectral_norm(images, v->s.n, u) : v->norm;
    free(u);
}

static bool solver_open(struct solver *v, struct device *dev, int n,
                        const struct illum_params *params)
{
    size_t bytes = (size_t)n * M * sizeof(float);
    *v = (struct solver){.dev = dev, .params = params, .s = {.n = n, .m = M}};
    v->s.images = dev->alloc(dev, bytes);
    v->weights = dev->alloc(dev, bytes);
    v->s.weights = v->weights;
    v->s.sparse = dev->alloc(dev, bytes);
    v->s.multiplier = dev->alloc(dev, bytes);
    v->s.flat = dev->alloc(dev, M * sizeof(float));
    v->s.dark = dev->alloc(dev, M * sizeof(float));
    v->mean = dev->alloc(dev, M * sizeof(float));
    v->sums = calloc((size_t)n, sizeof *v->sums);
    v->b = calloc((size_t)n * 3, sizeof *v->b);
    v->basis = calloc(7 * M, sizeof *v->basis);
    if (!v->sums || !v->b || !v->basis)
        return false;
    v->old_b = v->b + n;
    v->scratch = v->b + 2 * n;
    v->hat = v->basis + 2 * M;
    v->flat = v->basis + 3 * M;
    v->dark = v->basis + 4 * M;
    v->old_dark = v->basis + 5 * M;
    v->work = v->basis + 6 * M;
    make_basis(v->basis);
    return !device_stopped(dev);
}

static void solver_close(struct solver *v)
{
    void *buffers[] = {(void *)(uintptr_t)v->s.images,
                       v->weights,
                       v->s.sparse,
                       v->s.multiplier,
                       v->s.flat,
                       v->s.dark,
                       v->mean};
    for (int i = 0; i < 7; i++)
        v->dev->release(v->dev, buffers[i]);
    free(v->sums);
    free(v->b);
    free(v->basis);
}

/* Weights of the first round: all 1. */
static void start_weights(struct solver *v, float *ones)
{
    for (size_t i = 0; i < (size_t)v->s.n * M; i++)
        ones[i] = 1;
    v->dev->upload(v->dev, v->weights, ones, (size_t)v->s.n * M * sizeof(float));
}

static bool fit_basic(struct device *dev, const float *thumbs, int n,
                      const struct illum_params *params, struct illum_fit *fit)
{
    struct solver v;
    double offset = isnan(params->dark) ? 0 : params->dark;
    float *images = malloc((size_t)n * M * sizeof *images);
    bool good = solver_open(&v, dev, n, params) && images && sort_images(thumbs, n, offset, images);
    if (good) {
        measure(&v, images);
        dev->upload(dev, (void *)(uintptr_t)v.s.images, images, (size_t)n * M * sizeof(float));
        start_weights(&v, images);
        good = v.mean_all > 0 && isfinite(v.spectral) && v.spectral > 0 && run_rounds(&v, fit);
        fit->iterations = v.iterations;
    }
    solver_close(&v);
    free(images);
    return good;
}

/* ---- the public functions ---------------------------------------------------------------------
 */

static bool usable(const float *flat, double least)
{
    for (int i = 0; i < M; i++) {
        if (!(flat[i] > least) || !isfinite(flat[i]))
            return false;
    }
    return true;
}

static void set_dark(struct illum_fit *fit, double dark)
{
    for (int i = 0; i < M; i++)
        fit->dark[i] = isnan(dark) ? 0 : (float)dark;
}

static void no_correction(struct illum_fit *fit)
{
    fit->method = ILLUM_NONE;
    for (int i = 0; i < M; i++)
        fit->flat[i] = 1;
}

bool illum_fit(struct device *dev, const float *thumbs, int n, const struct illum_params *params,
               struct illum_fit *fit, struct kin_error *err)
{
    double least = params->flat_min > 0 ? params->flat_min : 0.05;
    int enough = params->places_min > 0 ? params->places_min : 24;
    int places = params->places > 0 ? params->places : n;
    *fit = (struct illum_fit){.method = ILLUM_BASIC, .images = n};
    set_dark(fit, params->dark);
    if (places >= enough && fit_basic(dev, thumbs, n, params, fit) && usable(fit->flat, least))
        return true;
    if (!device_ok(dev, err))
        return false;
    set_dark(fit, params->dark);
    if (places < enough)
        snprintf(fit->note, sizeof fit->note,
                 "images of %d places are too few: a smooth surface instead", places);
    else
        snprintf(fit->note, sizeof fit->note,
                 "the fit to %d images failed: a smooth surface instead", n);
    fit->method = ILLUM_SURFACE;
    if (illum_surface(thumbs, n, isnan(params->dark) ? 0 : params->dark, fit->flat) &&
        usable(fit->flat, least))
        return true;
    snprintf(fit->note, sizeof fit->note, "no usable flat field in %d images: left uncorrected", n);
    no_correction(fit);
    return true;
}

VECTOR_CLONES static void add_row(double *restrict sum, const float *restrict pixels, int w,
                                  double share)
{
#pragma omp simd
    for (int x = 0; x < w; x++)
        sum[x] += share * (double)pixels[x];
}

/* Sum of the pixels from x0 to x1, fractions of pixels weighed. */
static double sum_between(const double *row, int w, double x0, double x1)
{
    double s = 0;
    for (int x = (int)x0; x < w && x < x1; x++)
        s += (fmin(x + 1, x1) - fmax(x, x0)) * row[x];
    return s;
}

/* Mean of the pixels under each square; line and sum: room for a row of pixels. */
static void reduce(const void *tile, enum kin_type type, int h, int w, float *line, double *sum,
                   float *thumb)
{
    double area = (double)h / N * w / N;
    for (int row = 0; row < N; row++) {
        double y0 = (double)row * h / N, y1 = (double)(row + 1) * h / N;
        memset(sum, 0, (size_t)w * sizeof *sum);
        for (int y = (int)y0; y < h && y < y1; y++) {
            size_t at = (size_t)y * (size_t)w * kin_type_size(type);
            kin_convert_f32(line, (const char *)tile + at, type, (size_t)w);
            add_row(sum, line, w, fmin(y + 1, y1) - fmax(y, y0));
        }
        for (int col = 0; col < N; col++)
            thumb[row * N + col] =
                (float)(sum_between(sum, w, (double)col * w / N, (double)(col + 1) * w / N) / area);
    }
}

bool illum_thumbnail(const void *tile, enum kin_type type, int h, int w, float *thumb)
{
    float *line = malloc((size_t)w * sizeof *line);
    double *sum = malloc((size_t)w * sizeof *sum);
    bool good = line && sum;
    if (good)
        reduce(tile, type, h, w, line, sum, thumb);
    free(line);
    free(sum);
    return good;
}

/* Where pixel i of n lies between the samples of the field. */
static float between(int i, int n, int *low)
{
    double at = fmin(fmax((i + 0.5) * N / n - 0.5, 0), N - 1);
    *low = at < N - 2 ? (int)at : N - 2;
    return (float)(at - *low);
}

bool illum_expand(const float *field, int h, int w, struct kin_image *image, struct kin_error *err)
{
    if (!kin_image_alloc(image, (struct kin_dims){1, h, w}, KIN_F32, err))
        return false;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < h; y++) {
        int r, c;
        float fy = between(y, h, &r), *row = kin_f32(image) + (size_t)y * (size_t)w;
        for (int x = 0; x < w; x++) {
            float fx = between(x, w, &c);
            const float *a = field + r * N + c;
            row[x] = (1 - fy) * ((1 - fx) * a[0] + fx * a[1]) +
                     fy * ((1 - fx) * a[N] + fx * a[N + 1]);
        }
    }
    return true;
}

bool illum_gain(const struct kin_image *flat, float least, struct kin_image *gain,
                struct kin_error *err)
{
    if (!kin_image_alloc(gain, flat->dims, KIN_F32, err))
        return false;
    for (size_t i = 0; i < kin_count(flat->dims); i++)
        kin_f32(gain)[i] = 1 / fmaxf(kin_f32(flat)[i], least);
    return true;
}

const char *illum_method_name(enum illum_method method)
{
    return method == ILLUM_BASIC ? "basic" : method == ILLUM_SURFACE ? "surface" : "none";
}
