/* SPDX-License-Identifier: MIT
 *
 * line_cuda.h: plans of transforms of lines in a card's shared memory; what uses them is line_block_cuda.h.
 */
#pragma once

#include "device_cuda.h"

enum { LINE_STAGES = 8 };

/* Division by a number that only the host knows: x / by, for x by < 2^32. */
struct gpu_divisor {
    unsigned by, times; /* times: 2^32 / by, rounded up */
};

struct line_stage {
    int radix, step;  /* samples of a butterfly, and how far apart they are in a line */
    int apart;        /* and in shared memory: odd, so that lines of them begin in different banks */
    int twiddle;      /* where e^(-2 pi i j / (radix step)), j < step, begin */
    struct gpu_divisor butterflies, steps; /* of a line: n / radix; step */
};

struct line_plan {
    int n;      /* even */
    int stride; /* from a line to the next in shared memory */
    int stages;
    struct line_stage stage[LINE_STAGES];
    const float2 *twiddle;
    const float2 *turn; /* e^(-i pi l / 2n), l = 0..n/2 */
    const ushort2 *pair;    /* (n/2): where coefficients l and n - l lie in shared memory; 0 and n/2 */
    const uint16_t *place;  /* (n): where samples do */
    const uint16_t *sorted; /* (n): where they do when they are sorted (dct.h) */
};

/* Whether lines of n samples can be transformed so. */
bool gpu_line_suits(const struct device *dev, int n);

/* Bytes of shared memory of a line. */
static inline size_t gpu_line_bytes(const struct line_plan *c)
{
    return (size_t)c->stride * sizeof(float2);
}

/* Its tables are the caller's to release, with gpu_line_free; where the device has failed there are none. */
struct line_plan gpu_line_plan(struct device *dev, int n);
void gpu_line_free(struct device *dev, struct line_plan *plan);
