/* SPDX-License-Identifier: MIT
 *
 * surface.h: a flat field from few images: a smooth surface. */
#pragma once

#include "illum/illum.h"

struct device;

/* What the images show that tells a smooth field: each place's light, and the same tissue under two
 * places of the field. */
struct illum_views;

/* Gathers it from n thumbnails less the offset (0 if it is not known); params and what it points to
 * stay until the views are closed. NULL: the images are empty, or there is no memory, as the device
 * then says; so it does below. */
struct illum_views *illum_views_open(struct device *dev, const float *thumbs, int n,
                                     const struct illum_params *params);
/* NULL does no harm. */
void illum_views_close(struct illum_views *views);

/* flat (128, 128), mean 1: a polynomial of degree 4 for its logarithm, from what the overlaps tell,
 * what all places have in common, and that shading is weak where neither tells. False: nothing is
 * told, or there is no memory. */
bool illum_views_surface(struct illum_views *views, float *flat);

/* How far the overlaps differ under a flat field, as a share of the light (1.48 times the median),
 * once the offset is made up for as far as it may be wrong; bright: that of the brightest quarter.
 * In dim tissue an offset that is wrong, or not even, looks like shading: a field that has taken it
 * for that agrees best there. NAN: there are none, or there is no memory. */
double illum_views_disagreement(struct illum_views *views, const float *flat, double *bright);
