// SPDX-License-Identifier: MIT
// approx.c: BaSiC's approximate solver: inexact augmented Lagrangian steps, the means of the
// images standing for projections.
//
//     S^ <- shrink(S^ + DCT(mean_i(I - A - E + Y/mu)), lambda/mu), A = b S + D, S = IDCT(S^)
//     E  <- shrink(I - A + Y/mu, W/mu)
//     b  <- mean_x(I - E)_i / mean(I - E)
//     D  <- see update_dark (only when the offset is not known)
//     Y  <- Y + mu (I - A - E), mu <- min(1.5 mu, 1e7 mu_0), until |I - A - E| < tol |I|
#include "illum/solver.h"

#include <string.h>

enum { M = ILLUM_PIXELS };

static bool fits_dark(const struct solver *v)
{
    return isnan(v->params->dark);
}

/* work = mean_i(I - A - E + Y/mu). Where the dark field is known the last step has left all that is
 * not A. */
static void take_mean(struct solver *v)
{
    double b = 0;
    for (int i = 0; i < v->s.n; i++)
        b += v->s.b[i] / v->s.n;
    if (fits_dark(v))
        v->dev->alm_mean(v->dev, v->mean, &v->s, NULL);
    v->dev->download(v->dev, v->work, v->mean, M * sizeof(float));
    for (int i = 0; !fits_dark(v) && i < M; i++)
        v->work[i] -= (float)b * v->flat[i];
}

static void update_flat(struct solver *v)
{
    take_mean(v);
    solver_dct(v, v->work, false);
    for (int i = 0; i < M; i++)
        v->hat[i] = alm_shrink(v->hat[i] + v->work[i], (float)(v->lambda / v->s.mu));
    memcpy(v->flat, v->hat, M * sizeof *v->flat);
    solver_dct(v, v->flat, true);
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
    double mean_flat = kin_mean_f32(v->flat, M), b = mean_below_one(v),
           t = v->lambda_dark / (10 * v->s.mu);
    v->slope = hidden_dark(v, mean_flat, mean_rest);
    v->s.b = v->b;
    v->dev->alm_mean_below(v->dev, v->mean, &v->s, 1);
    v->s.b = v->old_b;
    v->dev->download(v->dev, v->work, v->mean, M * sizeof(float));
    for (int i = 0; i < M; i++)
        v->work[i] -= (float)b * v->flat[i];
    float level = (float)kin_mean_f32(v->work, M);
    for (int i = 0; i < M; i++)
        v->work[i] -= level + (float)(v->slope * (mean_flat - v->flat[i]));
    solver_dct(v, v->work, false);
    for (int i = 0; i < M; i++)
        v->work[i] = alm_shrink(v->work[i], (float)t);
    solver_dct(v, v->work, true);
    for (int i = 0; i < M; i++)
        v->dark[i] = alm_shrink(v->work[i], (float)t) +
                     (float)(v->slope * (mean_flat - v->flat[i]));
}

/* One iteration; answers the residual relative to the images. */
static double iterate(struct solver *v)
{
    double rest = 0, misfit = 0;
    memcpy(v->old_b, v->b, (size_t)v->s.n * sizeof *v->b);
    memcpy(v->old_dark, v->dark, M * sizeof *v->dark);
    v->s.b = v->old_b;
    update_flat(v);
    solver_send(v);
    double next_mu = fmin(1.5 * v->s.mu, solver_mu_most(v));
    if (fits_dark(v))
        v->dev->alm_step(v->dev, &v->s, v->sums);
    else
        v->dev->alm_step_on(v->dev, &v->s, v->sums, v->mean, next_mu);
    for (int i = 0; i < v->s.n; i++) {
        rest += v->sums[i][0];
        misfit += v->sums[i][1];
    }
    double mean_rest = rest / ((double)v->s.n * M);
    for (int i = 0; i < v->s.n; i++)
        v->b[i] = mean_rest > 0 ? fmax(v->sums[i][0] / M / mean_rest, 0) : 1;
    if (fits_dark(v))
        update_dark(v, mean_rest);
    v->s.mu = next_mu;
    return sqrt(misfit) / v->norm;
}

void solve_approximate(struct solver *v)
{
    int limit = solver_steps(v);
    solver_reset(v);
    v->s.b = v->old_b;
    if (!fits_dark(v))
        v->dev->alm_mean(v->dev, v->mean, &v->s, NULL); /* of the images: all else is 0 */
    for (int k = 0; k < limit && !device_stopped(v->dev); k++) {
        v->iterations++;
        double residual = iterate(v);
        if (residual < solver_tolerance(v))
            break;
        solver_send(v);
    }
    if (!fits_dark(v))
        v->dev->alm_sparse(v->dev, &v->s);
}

/* Flat and dark of the last solve: A, its mean, was made with the fields before their last
 * update. */
bool read_approximate(const struct solver *v, float *flat, float *dark)
{
    double b = 0;
    for (int i = 0; i < v->s.n; i++)
        b += v->old_b[i] / v->s.n;
    for (int x = 0; x < M; x++) {
        dark[x] = v->dark[x] + (float)v->slope * v->flat[x];
        flat[x] = (float)b * v->flat[x] + v->old_dark[x] - dark[x];
    }
    double mean = kin_mean_f32(flat, M);
    for (int x = 0; x < M; x++)
        flat[x] = (float)(flat[x] / mean);
    return mean > 0;
}
