/* SPDX-License-Identifier: MIT
 *
 * fft.h: transforms between other primitives of the GPU back end, without the scaling. */
#pragma once

#include "cuda/device.h"

/* `batch` transforms of that size, one after the other. padded: the rows of the real array have
 * room for the complex ones, 2 (x/2 + 1) floats, so that real and spectrum may be the same
 * memory. */
struct fft_shape {
    struct kin_dims dims;
    int batch;
    bool padded;
};

/* Borrowed from the device, which keeps it. NULL: the device has failed. */
struct fft_plan *gpu_fft_shaped(struct device *dev, struct fft_shape shape);

/* Real to half-spectrum, on the stream; of a padded plan both may be the same array. */
void gpu_fft_run_forward(struct device *dev, struct fft_plan *plan, float *real, float *spectrum);

/* Not divided by the number of samples; the spectrum is spent. */
void gpu_fft_run_inverse(struct device *dev, struct fft_plan *plan, float *spectrum, float *real);
