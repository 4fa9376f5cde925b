/* SPDX-License-Identifier: MIT
 *
 * fft_cpu.h: planes transformed by one thread into an order of its own, for work that takes a
 * spectrum sample by sample and back (rl_cpu.c). A few columns stand side by side, group after
 * group:
 *
 *     group 0: (y, columns 0..7), group 1: (y, columns 8..15), ...   complex, the last one padded
 *
 * so that a group is transformed where it lies and nothing is gathered from far rows. */
#pragma once

#include "device/device.h"

/* A plan of one plane for the below: cosine transforms (dct.h), which take the plane to be mirrored
 * outside of itself. NULL or a plan that must be freed: the device knows whether it failed. */
struct fft_plan *fft_mirrored_plan(struct device *dev, struct kin_dims dims);

/* Complex samples of a plane in that order. */
size_t fft_group_samples(const struct fft_plan *plan);

/* Where sample (y, x), x <= half, stands among them. */
size_t fft_group_place(const struct fft_plan *plan, int y, int x);

/* Bytes that a thread lends to the two below, 64-byte aligned. */
size_t fft_group_scratch(const struct fft_plan *plan);

/* groups = F real, for a plan of one plane; the padding becomes 0. groups: 64-byte aligned. */
void fft_groups_forward(const struct fft_plan *plan, const float *real, float *groups,
                        void *scratch);

/* real = F^-1 groups, which are spent. */
void fft_groups_inverse(const struct fft_plan *plan, float *groups, float *real, void *scratch);
