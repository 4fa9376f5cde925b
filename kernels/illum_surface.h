/* SPDX-License-Identifier: MIT
 *
 * illum_surface.h: a flat field from few images: a smooth surface. */
#pragma once

#include "illum.h"

/* flat (128, 128), mean 1, from n thumbnails less the offset (0 if it is not known): a polynomial
 * of degree 4 for its logarithm, from what the overlaps of params tell, what all places have in
 * common, and that shading is weak where neither tells. False: the images are empty, or there is no
 * memory. */
bool illum_surface(const float *thumbs, int n, const struct illum_params *params, float *flat);

/* How far the overlaps of params differ under a flat field, as a share of the light (1.48 times the
 * median), once the offset is made up for as far as it may be wrong. NAN: there are none, or there
 * is no memory. */
double illum_disagreement(const float *thumbs, int n, const struct illum_params *params,
                          const float *flat);
