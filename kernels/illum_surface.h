/* SPDX-License-Identifier: MIT
 *
 * illum_surface.h: a flat field from few images: a smooth surface through their median. */
#pragma once

#include <stdbool.h>

/* flat (128, 128), mean 1, from n thumbnails less an offset. Each is divided by its own median; the
 * median over the images is then fitted by a polynomial of degree 4, pixels far off it counting
 * less and less. False: the images are empty, or there is no memory. */
bool illum_surface(const float *thumbs, int n, double offset, float *flat);
