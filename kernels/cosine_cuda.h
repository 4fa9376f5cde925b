/* SPDX-License-Identifier: MIT
 *
 * cosine_cuda.h: plans of cosine transforms in a card's shared memory; what uses them is
 * cosine_lines_cuda.h.
 */
#pragma once

#include "device_cuda.h"

enum { COSINE_STAGES = 8 };

/* Division by a number that only the host knows: x / by, for x by < 2^32. */
struct gpu_divisor {
    unsigned by, times; /* times: 2^32 / by, rounded up */
};

struct cosine_stage {
    int radix, step;  /* samples of a butterfly, and how far apart they are in a line */
    int apart;        /* and in shared memory: odd, so that lines of them begin in different banks */
    int twiddle;      /* where e^(-2 pi i j / (radix step)), j < step, begin */
    struct gpu_divisor butterflies, steps; /* of a line: n / radix; step */
};

struct cosine {
    int n;      /* even */
    int stride; /* from a line to the next in shared memory */
    int stages;
    struct cosine_stage stage[COSINE_STAGES];
    const float2 *twiddle;
    const float2 *turn; /* e^(-i pi l / 2n), l = 0..n/2 */
    const ushort2 *pair;    /* (n/2): where coefficients l and n - l lie in shared memory; 0 and n/2 */
    const uint16_t *sorted; /* (n): where samples do, sorted (dct.h) */
    const uint16_t *place;  /* (n): where they do, as they are */
};

/* Whether lines of n samples can be transformed so. */
bool gpu_cosine_suits(const struct device *dev, int n);

/* Bytes of shared memory of a line. */
static inline size_t gpu_cosine_bytes(const struct cosine *c)
{
    return (size_t)c->stride * sizeof(float2);
}

/* Its tables are the caller's to release, with gpu_cosine_free; where the device has failed there are none. */
struct cosine gpu_cosine_plan(struct device *dev, int n);
void gpu_cosine_free(struct device *dev, struct cosine *cosine);
