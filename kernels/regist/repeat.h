/* SPDX-License-Identifier: MIT
 *
 * repeat.h: where else an image would fit: a lattice of cells fits as well one period on. */
#pragma once

#include "device/device.h"

/* Which places can be: with a further shift of d = (-dy, -dx), t + A d stays within most. Pixels of
 * the bands, y first. */
struct regist_reach {
    double a[4], t[2], most[2];
};

/* Of two bands (regist/band.h; host, (h, w)) that lie on each other: the place at most a quarter of
 * the image away, and within reach, where the moving one, dy, dx pixels on, fits best again after
 * fitting worse in between. False: there is none, or see the device. */
bool regist_repeat(struct device *dev, const float *reference, const float *moving, int h, int w,
                   const struct regist_reach *reach, int *dy, int *dx);
