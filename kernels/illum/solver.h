/* SPDX-License-Identifier: MIT
 *
 * solver.h: what the solvers of the shading model share (illum/approx.c, illum/ladmap.c,
 * illum/baseline.c).
 *
 * All minimise   sum |W sparse| + n lambda |DCT flat| (+ n lambda_dark |DCT dark|)   subject to
 *     image_i = b_i flat + dark + sparse_i
 * by steps of an augmented Lagrangian (alm.h), each in its own way.
 *
 *     struct solver v;
 *     if (solver_open(&v, dev, n, params) && solver_load(&v, images) && solver_begin(&v))
 *         solve_approximate(&v);
 *     solver_close(&v); */
#pragma once

#include "device/alm.h"
#include "illum/illum.h"

struct solver {
    struct device *dev;
    const struct illum_params *params;
    struct alm s;
    double (*sums)[2];           /* owned, (n, 2) */
    double *b, *old_b, *scratch; /* owned, (n) */
    float *weights, *mean;       /* device, (n, m) and (m) */
    float *spare;                /* device, (n, m); what ladmap keeps of the last step, or NULL */
    float *basis;                /* owned, (M): see illum/dct.c */
    float *hat, *flat, *dark, *old_dark, *work; /* owned, host, (M) */
    double slope;                               /* B1: how much of the dark hides in flat */
    double lambda, lambda_dark, norm, spectral, least, mean_all;
    int iterations;
};

/* Buffers for n images. False: no memory; close it all the same. */
bool solver_open(struct solver *v, struct device *dev, int n, const struct illum_params *params);
void solver_close(struct solver *v);

/* Measures and uploads the images (n, M). False: they are empty or not numbers, or there is no
 * memory. */
bool solver_load(struct solver *v, const float *images);

/* Room for the unknowns, all weights being 1. After solver_load, whose images may be gone by then.
 * False: no memory. */
bool solver_begin(struct solver *v);

/* What the device holds from then on. */
size_t solver_bytes(int n, enum illum_solver solver);

/* Sparse part, multiplier, flat and dark 0, b 1, mu at its start. */
void solver_reset(struct solver *v);

/* The largest mu, the most steps and the residual at which a solve ends. */
double solver_mu_most(const struct solver *v);
int solver_steps(const struct solver *v);
double solver_tolerance(const struct solver *v);

/* Flat and dark to the device. */
void solver_send(struct solver *v);

/* Weights of the next round, of mean 1: 1 / (|sparse| / height + 0.1); height: mean of b flat +
 * dark of an image. */
void solver_reweigh(struct solver *v);

/* The orthonormal 2-D DCT-II of (N, N) in place; or its inverse. basis: M values that it goes
 * by. */
void solver_dct_basis(float *basis);
void solver_dct(const struct solver *v, float *a, bool inverse);

/* One solve with the weights as they are; the result is in flat, dark and b. */
void solve_approximate(struct solver *v);
void solve_ladmap(struct solver *v);

/* What a solve found: flat of mean 1, dark in the images' units. False: there is no light. */
bool read_approximate(const struct solver *v, float *flat, float *dark);
bool read_ladmap(const struct solver *v, float *flat, float *dark);
