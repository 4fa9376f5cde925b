// SPDX-License-Identifier: MIT
// ladmap.c: BaSiC's model by the linearised alternating direction method with adaptive
// penalty (Lin, Liu and Su, NIPS 2011): each unknown takes a step of its own that never raises the
// augmented Lagrangian, instead of the means that the approximate solver takes.
//
//     z, b, S <- see find_level (only when the offset is not known)
//     S  <- IDCT(shrink(DCT(S + sum_i b_i P_i / eta), n lambda / (eta mu))), not below 0;
//         eta = 1.02 sum b^2
//     b  <- max(b + <S, P_i> / <S, S>, 0), then S and b scaled so that the mean of b is 1
//     D  <- z + R:  z <- clip(z + mean P, 0, least image), R by the step of S with 1.02 n in
//         place of eta
//     E  <- shrink(I - A + Y/mu, W/mu);  Y <- Y + mu (I - A - E)
//
// with A = b S + D and P = I - A - E + Y/mu, each taken anew. mu grows by half when the step was
// small for its size, else by a fifth; the solve ends when the residual and the step are small.
#include "illum/solver.h"

#include <string.h>

enum { N = ILLUM_SIDE, M = ILLUM_PIXELS };

/* change of a step, relative to the images, in units of 1 / mu' */
static const double STEP_TOLERANCE = 1e-2;

struct ladmap {
    struct solver *v;
    double level; /* z: the dark field's mean level */
    float *rough; /* (M): R, the rest of it; the solver's old_dark */
    double moved; /* largest change of an unknown in this step, in the norm of the images */
};

static double distance(const float *a, const float *b)
{
    double sum = 0;
    for (int x = 0; x < M; x++)
        sum += ((double)a[x] - b[x]) * ((double)a[x] - b[x]);
    return sqrt(sum);
}

/* field += what was pulled (v->work), smoothed: its transform shrunk by t. */
static void smooth_step(struct solver *v, float *field, double t)
{
    for (int x = 0; x < M; x++)
        field[x] += v->work[x];
    solver_dct(v, field, false);
    for (int x = 0; x < M; x++)
        field[x] = alm_shrink(field[x], (float)t);
    solver_dct(v, field, true);
}

static void pull(struct solver *v, const double *share)
{
    v->s.b = v->b;
    v->dev->alm_mean(v->dev, v->mean, &v->s, share);
    v->dev->download(v->dev, v->work, v->mean, M * sizeof(float));
}

/* flat and b may grow or shrink together against the dark field's level: b flat + z = (b + c) flat
 * + (z - c flat) is the same where flat is. The steps below creep along that valley; so the level
 * is found at once: the slope and the rest of each pixel over the images, then the rest as level +
 * c slope over the pixels. */
static void find_level(struct ladmap *l)
{
    struct solver *v = l->v;
    double spread = 0, ss = 0, sr = 0;
    for (int i = 0; i < v->s.n; i++)
        spread += (v->b[i] - 1) * (v->b[i] - 1);
    if (spread < 1e-6 * v->s.n) /* images all alike do not tell */
        return;
    for (int i = 0; i < v->s.n; i++)
        v->scratch[i] = (v->b[i] - 1) / spread;
    pull(v, v->scratch);
    for (int x = 0; x < M; x++)
        v->hat[x] = v->flat[x] + v->work[x];
    pull(v, NULL);
    for (int x = 0; x < M; x++)
        v->work[x] += v->flat[x] + (float)l->level; /* the mean image, without R */
    double slope = kin_mean_f32(v->hat, M), rest = kin_mean_f32(v->work, M) - slope;
    for (int x = 0; x < M; x++) {
        double s = v->hat[x] - slope;
        ss += s * s;
        sr += s * (v->work[x] - v->hat[x] - rest);
    }
    if (!(ss > 0) || !(slope > 0))
        return;
    double level = fmin(fmax(rest - sr / ss * slope, 0), v->least), c = (rest - level) / slope;
    if (!(c > -0.9 && c < 9))
        return;
    for (int i = 0; i < v->s.n; i++)
        v->b[i] = fmax((v->b[i] + c) / (1 + c), 0);
    for (int x = 0; x < M; x++) {
        v->flat[x] = v->work[x] - (float)level;
        v->dark[x] += (float)(level - l->level);
    }
    l->level = level;
}

static void step_flat(struct ladmap *l)
{
    struct solver *v = l->v;
    double square = 0, least = 0;
    for (int i = 0; i < v->s.n; i++)
        square += v->b[i] * v->b[i];
    double eta = 1.02 * square + 0.01;
    for (int i = 0; i < v->s.n; i++)
        v->scratch[i] = v->b[i] / eta;
    pull(v, v->scratch);
    memcpy(v->hat, v->flat, M * sizeof *v->flat);
    smooth_step(v, v->flat, v->s.n * v->lambda / (eta * v->s.mu));
    for (int x = 0; x < M; x++)
        least = fmin(least, v->flat[x]);
    for (int x = 0; x < M; x++)
        v->flat[x] -= (float)least;
    l->moved = fmax(l->moved, sqrt(eta) * distance(v->flat, v->hat));
}

static void step_b(struct ladmap *l)
{
    struct solver *v = l->v;
    double square = 0, mean = 0, moved = 0, *sums = (double *)v->sums;
    for (int x = 0; x < M; x++)
        square += (double)v->flat[x] * v->flat[x];
    memcpy(v->old_b, v->b, (size_t)v->s.n * sizeof *v->b);
    v->dev->alm_project(v->dev, &v->s, sums);
    for (int i = 0; i < v->s.n && square > 0; i++)
        v->b[i] = fmax(v->b[i] + sums[i] / square, 0);
    for (int i = 0; i < v->s.n; i++)
        mean += v->b[i] / v->s.n;
    for (int i = 0; i < v->s.n; i++) {
        v->b[i] = mean > 0 ? v->b[i] / mean : 1;
        moved += (v->b[i] - v->old_b[i]) * (v->b[i] - v->old_b[i]);
    }
    for (int x = 0; x < M && mean > 0; x++)
        v->flat[x] *= (float)mean;
    l->moved = fmax(l->moved, sqrt(moved * square));
}

static void step_dark(struct ladmap *l)
{
    struct solver *v = l->v;
    double eta = 1.02 * v->s.n, t = v->lambda_dark / (1.02 * v->s.mu), before = l->level;
    pull(v, NULL);
    l->level = fmin(fmax(l->level + kin_mean_f32(v->work, M), 0), v->least);
    for (int x = 0; x < M; x++)
        v->work[x] = (v->work[x] - (float)(l->level - before)) / 1.02f;
    memcpy(v->hat, v->dark, M * sizeof *v->dark);
    smooth_step(v, l->rough, t);
    for (int x = 0; x < M; x++) {
        l->rough[x] = alm_shrink(l->rough[x], (float)t);
        v->dark[x] = l->rough[x] + (float)l->level;
    }
    l->moved = fmax(l->moved, sqrt(eta) * distance(v->dark, v->hat));
}

/* The sparse part and the multiplier; answers the residual, relative to the images. */
static double step_sparse(struct ladmap *l)
{
    struct solver *v = l->v;
    size_t n = (size_t)v->s.n * M;
    double misfit = 0;
    v->s.b = v->b;
    v->dev->copy(v->dev, v->spare, v->s.sparse, n * sizeof *v->spare);
    v->dev->alm_step(v->dev, &v->s, v->sums);
    v->dev->subtract(v->dev, v->spare, v->spare, v->s.sparse, n);
    l->moved = fmax(l->moved, sqrt(v->dev->dot(v->dev, v->spare, v->spare, n)));
    for (int i = 0; i < v->s.n; i++)
        misfit += v->sums[i][1];
    return sqrt(misfit) / v->norm;
}

void solve_ladmap(struct solver *v)
{
    struct ladmap l = {.v = v, .rough = v->old_dark};
    int limit = solver_steps(v);
    solver_reset(v);
    for (int k = 0; k < limit && !device_stopped(v->dev); k++) {
        v->iterations++;
        l.moved = 0;
        if (isnan(v->params->dark) && k > 0) {
            find_level(&l);
            solver_send(v);
        }
        step_flat(&l);
        solver_send(v);
        step_b(&l);
        solver_send(v);
        if (isnan(v->params->dark)) {
            step_dark(&l);
            solver_send(v);
        }
        double residual = step_sparse(&l), step = l.moved / v->norm;
        bool small = step * v->s.mu * v->mean_all < STEP_TOLERANCE;
        if (residual < solver_tolerance(v) && step < STEP_TOLERANCE)
            break;
        v->s.mu = fmin((small ? 1.5 : 1.2) * v->s.mu, solver_mu_most(v));
    }
}

bool read_ladmap(const struct solver *v, float *flat, float *dark)
{
    double mean = kin_mean_f32(v->flat, M);
    for (int x = 0; x < M; x++) {
        dark[x] = v->dark[x];
        flat[x] = (float)(v->flat[x] / mean);
    }
    return mean > 0;
}
