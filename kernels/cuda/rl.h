/* SPDX-License-Identifier: MIT
 *
 * rl.h: the plan of a Richardson-Lucy deconvolution on the GPU, known to the files that work
 * with it: cuda/rl.cu, cuda/rl_blur.cu, cuda/rl_lines.cu and cuda/rl_planes.cu. */
#pragma once

#include "cuda/line.h"

extern "C" {
#include "device/rl_step.h"
}

/* What a step's point was found by, and the next one's is. */
struct rl_alphas {
    float here, next;
};

/* Where a plane of the spectrum of lines lies, in pairs of complex numbers: of two rows, 2 l and
 * 2 l + 1, before columns are transformed, and then of coefficients l and y - l (0 and y/2). One
 * panel of columns lies behind the other, so that what a block of cuda/rl_lines.cu has of columns
 * is one piece of memory, and what it has of rows are lines of the card's cache. */
struct rl_panels {
    int high, wide; /* y/2, x/2 */
    int shift;      /* a panel has 1 << shift columns, the last one perhaps fewer */
    /* Columns of the panel that begins with this one. */
    __device__ int width(int first) const
    {
        int left = wide - first, most = 1 << shift;
        return left < most ? left : most;
    }
    /* Pair l of column x. */
    __device__ int at(int l, int x) const
    {
        int first = x >> shift << shift;
        return first * high + l * width(first) + x - first;
    }
    /* Coefficient l of it, l < y, in complex numbers. */
    __device__ size_t wave(int l, int x) const
    {
        bool far = l >= high;
        return 2 * (size_t)at(far ? (2 * high - l) % high : l, x) + far;
    }
};

struct rl_graph {
    struct {
        const float *data, *now, *before, *area;
        float floor;
    } recipe;              /* of the last step, and what the graph holds */
    cudaGraphExec_t graph; /* a step by that recipe; NULL: none yet */
};

struct rl_plan {
    struct kin_dims dims;
    struct rl_taps taps;
    enum rl_ends ends;
    bool lines; /* transforms are of lines in shared memory; else cuFFT's */
    int half;   /* pairs of floats in a row of the spectrum: x/2, cuFFT's x/2+1 */
    /* (taps, y, half), float, or complex, or of RL_MIRRORED pairs for both floats; of lines such
     * pairs, too, if taps are real, and where the spectrum has them */
    float *transfer;
    /* (z, y, half) complex, or (z, y, 2 half) real; of lines (z), each as rl_panels has it */
    float *spectrum;
    struct rl_alphas *alphas;       /* of the step that is being made */
    struct fft_plan *fft;           /* in place */
    struct line_plan along, across; /* y, x */
    struct rl_graph graphs[2];      /* [now < before]: the two change places from step to step */
    bool no_graph;                  /* one could not be made */
};

static inline struct rl_panels rl_panels_of(const struct rl_plan *plan)
{
    return {plan->dims.y / 2, plan->dims.x / 2, plan->along.shift};
}
