// SPDX-License-Identifier: MIT
// illum_surface.c: a polynomial flat field for when images are few.
#include "illum_surface.h"
#include "cholesky.h"
#include "illum.h"
#include "rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    N = ILLUM_SIDE,
    M = ILLUM_PIXELS,
    DEGREE = 4,
    TERMS = (DEGREE + 1) * (DEGREE + 2) / 2,
    ROUNDS = 12
};

/* Median over the images, each divided by its median; false: none of them has light. */
static bool median_image(const float *thumbs, int n, double offset, float *out)
{
    float *level = malloc((size_t)n * sizeof *level),
          *work = malloc((size_t)(n > M ? n : M) * sizeof *work);
    int used = 0;
    for (int i = 0; level && work && i < n; i++) {
        memcpy(work, thumbs + (size_t)i * M, M * sizeof *work);
        level[i] = kin_median_f32(work, M) - (float)offset;
    }
    for (int x = 0; level && work && x < M; x++) {
        used = 0;
        for (int i = 0; i < n; i++) {
            if (level[i] > 1)
                work[used++] = (thumbs[(size_t)i * M + x] - (float)offset) / level[i];
        }
        if (!used)
            break;
        out[x] = kin_median_f32(work, (size_t)used);
    }
    free(level);
    free(work);
    return used > 0;
}

static void terms_at(int x, double t[TERMS])
{
    double v = 2.0 * (x / N) / (N - 1) - 1, u = 2.0 * (x % N) / (N - 1) - 1, py = 1;
    int k = 0;
    for (int i = 0; i <= DEGREE; i++, py *= v) {
        double px = py;
        for (int j = 0; i + j <= DEGREE; j++, px *= u)
            t[k++] = px;
    }
}

/* One weighted fit; weights follow from the residuals of the fit before (Cauchy, scale by their
 * median). */
static bool fit_round(const float *image, const float *before, double scale, double *coefficients)
{
    double a[TERMS][TERMS] = {{0}}, t[TERMS];
    memset(coefficients, 0, TERMS * sizeof *coefficients);
    for (int x = 0; x < M; x++) {
        double r = before ? (image[x] - before[x]) / scale : 0, w = 1 / (1 + r * r);
        terms_at(x, t);
        for (int i = 0; i < TERMS; i++) {
            for (int j = 0; j <= i; j++)
                a[i][j] += w * t[i] * t[j];
            coefficients[i] += w * t[i] * image[x];
        }
    }
    return cholesky_solve(a[0], coefficients, TERMS);
}

static void evaluate(const double *coefficients, float *out)
{
    double t[TERMS];
    for (int x = 0; x < M; x++) {
        double s = 0;
        terms_at(x, t);
        for (int i = 0; i < TERMS; i++)
            s += coefficients[i] * t[i];
        out[x] = (float)s;
    }
}

static double residual_scale(const float *image, const float *fit)
{
    static _Thread_local float r[M];
    for (int x = 0; x < M; x++)
        r[x] = fabsf(image[x] - fit[x]);
    return fmax(1.4826 * (double)kin_median_f32(r, M), 1e-4);
}

bool illum_surface(const float *thumbs, int n, double offset, float *flat)
{
    double coefficients[TERMS];
    float *image = malloc(M * sizeof *image);
    bool good = image && median_image(thumbs, n, offset, image);
    for (int round = 0; good && round < ROUNDS; round++) {
        double scale = round ? residual_scale(image, flat) : 1;
        good = fit_round(image, round ? flat : NULL, scale, coefficients);
        if (good)
            evaluate(coefficients, flat);
    }
    free(image);
    double mean = good ? kin_mean_f32(flat, M) : 0;
    for (int x = 0; good && x < M; x++)
        flat[x] = (float)(flat[x] / mean);
    return good && mean > 0;
}
