/* SPDX-License-Identifier: MIT
 *
 * alm.h: the state of one solve of the shading model, shared by the illum primitives of device.h
 * and by illum.c: n images of m pixels, image after image.
 *
 *     image_i = b_i flat + dark + sparse_i        (multiplier y, penalty mu) */
#pragma once

#include <math.h>

#include "kintsugi.h"

struct alm {
    int n, m;
    const float *images;  /* (n, m); device memory, as all buffers here */
    const float *weights; /* (n, m); how dear the sparse part is */
    float *sparse;        /* (n, m) */
    float *multiplier;    /* (n, m) */
    float *flat, *dark;   /* (m) */
    const double *b;      /* (n); host memory */
    double mu;
};

/* ---- one pixel x of an image whose first pixel is number `at`, for both back ends ------------ */

KIN_INLINE float alm_shrink(float v, float t)
{
    float over = fabsf(v) - t;
    return over > 0 ? copysignf(over, v) : 0;
}

KIN_INLINE float alm_rest(const struct alm *s, size_t at, int x, float b)
{
    return s->images[at + x] - (b * s->flat[x] + s->dark[x]);
}

/* What the steps of flat and b go by; scale: 1 / mu. */
KIN_INLINE double alm_pull(const struct alm *s, size_t at, int x, float b, float scale)
{
    return (double)(alm_rest(s, at, x, b) - s->sparse[at + x] + scale * s->multiplier[at + x]);
}

struct alm_sums {
    float sparse;
    float kept, misfit; /* image - sparse, (rest - sparse)^2 */
};

/* What the sparse part becomes. */
KIN_INLINE float alm_sparse_of(const struct alm *s, size_t at, int x, float rest)
{
    float scale = (float)(1 / s->mu);
    return alm_shrink(rest + scale * s->multiplier[at + x], s->weights[at + x] * scale);
}

/* The new multiplier of a pixel, and what it goes by. */
KIN_INLINE struct alm_sums alm_pixel(const struct alm *s, size_t at, int x, float b)
{
    float rest = alm_rest(s, at, x, b), sparse = alm_sparse_of(s, at, x, rest),
          miss = rest - sparse;
    s->multiplier[at + x] += (float)s->mu * miss;
    struct alm_sums sums = {sparse, s->images[at + x] - sparse, miss * miss};
    return sums;
}

KIN_INLINE float alm_weight(float sparse, float scale, float epsilon)
{
    return 1 / (fabsf(sparse * scale) + epsilon);
}
