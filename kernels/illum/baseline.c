// SPDX-License-Identifier: MIT
// baseline.c: how bright the background of each image is (BaSiC's baseline): the model's
// steps with flat and dark kept as they are, b_i = mean(I - E)_i - mean D.
#include "core/rank.h"
#include "illum/solver.h"

#include <stdlib.h>
#include <string.h>

enum { M = ILLUM_PIXELS };
enum { ROUNDS = 6 }; /* of weights; the first has none */

static void solve_baseline(struct solver *v, double dark)
{
    int limit = solver_steps(v);
    v->s.mu = 12.5 / v->spectral;
    v->dev->zero(v->dev, v->s.sparse, (size_t)v->s.n * M * sizeof(float));
    v->dev->zero(v->dev, v->s.multiplier, (size_t)v->s.n * M * sizeof(float));
    for (int k = 0; k < limit && !device_stopped(v->dev); k++) {
        double misfit = 0;
        memcpy(v->old_b, v->b, (size_t)v->s.n * sizeof *v->b);
        v->s.b = v->old_b;
        v->dev->alm_step(v->dev, &v->s, v->sums);
        for (int i = 0; i < v->s.n; i++) {
            misfit += v->sums[i][1];
            v->b[i] = fmax(v->sums[i][0] / M - dark, 0);
        }
        v->s.mu = fmin(1.5 * v->s.mu, solver_mu_most(v));
        if (sqrt(misfit) / v->norm < solver_tolerance(v))
            break;
    }
}

bool illum_baseline(struct device *dev, const float *thumbs, int n, const struct illum_fit *fit,
                    double *baseline, struct kin_error *err)
{
    struct illum_params params = {0};
    struct solver v;
    bool good = solver_open(&v, dev, n, &params) && solver_load(&v, thumbs) && solver_begin(&v);
    double dark = kin_mean_f32(fit->dark, M);
    if (good) {
        memcpy(v.flat, fit->flat, M * sizeof *v.flat);
        memcpy(v.dark, fit->dark, M * sizeof *v.dark);
        memcpy(v.old_dark, fit->dark, M * sizeof *v.dark);
        solver_send(&v);
        for (int round = 0; round < ROUNDS; round++) {
            if (round)
                solver_reweigh(&v);
            solve_baseline(&v, dark);
        }
        memcpy(baseline, v.b, (size_t)n * sizeof *baseline);
    }
    solver_close(&v);
    if (!device_ok(dev, err))
        return false;
    for (int i = 0; !good && i < n; i++) /* empty images: nothing to tell them apart by */
        baseline[i] = 0;
    return true;
}

/* ---- decay ----------------------------------------------------------------------------------- */

bool illum_decay(const double *baseline, int n, double *rate)
{
    int *known = malloc(((size_t)n + 1) * sizeof *known), m = 0;
    for (int i = 0; known && i < n; i++)
        if (baseline[i] > 0) /* false for NAN too */
            known[m++] = i;
    double *slopes = known ? malloc(((size_t)m * (size_t)m / 2 + 1) * sizeof *slopes) : NULL;
    size_t count = 0;
    *rate = 0;
    for (int b = 1; slopes && b < m; b++)
        for (int a = 0; a < b; a++) {
            int i = known[a], j = known[b];
            slopes[count++] = (log(baseline[i]) - log(baseline[j])) / (j - i);
        }
    if (count)
        *rate = kin_median_f64(slopes, count);
    free(known);
    free(slopes);
    return slopes != NULL;
}
