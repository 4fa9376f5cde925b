/* SPDX-License-Identifier: MIT
 *
 * alm.h: the state of one solve of the shading model, shared by the illum primitives of device.h
 * and by illum.c: n images of m pixels, image after image.
 *
 *     image_i = b_i flat + dark + sparse_i        (multiplier y, penalty mu)
 */
#pragma once

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
