/* SPDX-License-Identifier: MIT
 *
 * rl_cuda.h: the plan of a Richardson-Lucy deconvolution on the GPU, known to the two files that work
 * with it: rl_cuda.cu and rl_blur_cuda.cu.
 */
#pragma once

#include "device_cuda.h"

extern "C" {
#include "rl_step.h"
}

struct recipe { /* what a graph of a step holds */
    const float *data, *point, *before, *area;
    float floor;
};

struct rl_plan {
    struct kin_dims dims;
    int half; /* complex samples of a row: x/2+1 */
    struct rl_taps taps;
    enum rl_ends ends;
    float *transfer;       /* (taps, y, half), float, or complex, or of RL_MIRRORED pairs for re and im */
    float *spectrum;       /* (z, y, half) complex, or (z, y, 2 half) real */
    float *alpha;          /* of the step that is being made */
    struct fft_plan *fft;  /* in place */
    struct recipe recipe;  /* of the last step */
    cudaGraphExec_t graph; /* a step by that recipe; NULL: none yet */
    bool no_graph;         /* it could not be made */
};
