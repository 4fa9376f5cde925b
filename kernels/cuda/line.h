/* SPDX-License-Identifier: MIT
 *
 * line.h: plans of transforms of lines in a card's shared memory; what uses them is
 * cuda/line_block.h. */
#pragma once

#include "cuda/device.h"

enum {
    LINE_STAGES = 8,
    /* of threads on a multiprocessor, that its memory and its units are busy at once */
    LINE_BLOCKS = 3,
};

/* Division by a number that only the host knows: x / by, for x by < 2^32. */
struct gpu_divisor {
    unsigned by, times; /* times: 2^32 / by, rounded up */
};

struct line_stage {
    int radix, step; /* samples of a butterfly, and how far apart they are in a line */
    int apart;       /* and in shared memory */
    int twiddle;     /* where e^(-2 pi i j / (radix step)), j < step, begin */
    struct gpu_divisor butterflies, steps; /* of a line: n / radix; step */
};

struct line_plan {
    int n;      /* even */
    int shift;  /* a block of threads has 1 << shift lines */
    int stride; /* from one to the next in shared memory */
    /* 1 << beside coefficients of a line, then those of the next lines, are neighbours in memory;
     * 0 to begin with */
    int beside;
    int stages; /* at least 2 */
    struct line_stage stage[LINE_STAGES];
    struct gpu_divisor samples, waves; /* twos of butterflies of the first stage, of the last one */
    const float2 *twiddle;
    const float2 *turn;    /* (n / last radix): e^(-i pi l / 2n) */
    const uint16_t *wave;  /* (n / last radix): where coefficients l lie in shared memory */
    const uint16_t *place; /* (n): where samples do */
};

/* Whether lines of n samples can be transformed so. */
bool gpu_line_suits(const struct device *dev, int n);

/* Blocks of threads for this many lines, and the shared memory of one. */
static inline unsigned gpu_line_blocks(const struct line_plan *c, size_t lines)
{
    return gpu_pieces(lines, (size_t)1 << c->shift);
}

static inline size_t gpu_line_bytes(const struct line_plan *c)
{
    return ((size_t)c->stride << c->shift) * sizeof(float2);
}

/* For blocks of at least `fewest` lines, if a multiprocessor has room for two such. Its tables are
 * the caller's to release, with gpu_line_free; where the device has failed there are none. */
struct line_plan gpu_line_plan(struct device *dev, int n, int fewest);
void gpu_line_free(struct device *dev, struct line_plan *plan);
