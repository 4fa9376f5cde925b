/* SPDX-License-Identifier: MIT
 *
 * gauss.h: the weights of a Gaussian, for both back ends. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Weights out to 4 sigma, sum 1; w[0] is the centre, *radius the last one. The caller's; NULL: no
 * memory. */
static inline float *gauss_weights(float sigma, int *radius)
{
    *radius = (int)ceilf(4 * sigma);
    float *w = (float *)malloc(((size_t)*radius + 1) * sizeof *w);
    double sum = 0;
    for (int i = 0; w && i <= *radius; i++) {
        w[i] = expf(-0.5f * (float)(i * i) / (sigma * sigma));
        sum += (i ? 2 : 1) * (double)w[i];
    }
    for (int i = 0; w && i <= *radius; i++)
        w[i] = (float)(w[i] / sum);
    return w;
}
