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
     * pairs, too, if taps are real */
    float *transfer;
    /* (z, y, half) complex, or (z, y, 2 half) real; of lines see cuda/rl_lines.cu */
    float *spectrum;
    struct rl_alphas *alphas;       /* of the step that is being made */
    struct fft_plan *fft;           /* in place */
    struct line_plan along, across; /* y, x */
    struct rl_graph graphs[2];      /* [now < before]: the two change places from step to step */
    bool no_graph;                  /* one could not be made */
};
