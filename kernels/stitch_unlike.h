/* SPDX-License-Identifier: MIT
 *
 * stitch_unlike.h: overlaps that show two different things. An overlap that does not correlate may
 * be empty; or its tiles are not those that lie there: exchanged, copied, mirrored, or displaced by
 * more than was searched. Each tile tells which, without the other: the two diagonals of every
 * square of 2 x 2 pixels see the same scene and different noise (as the halves of a single image do
 * in Koho et al., Nature Communications 10:3103, 2019), so what they have in common is structure.
 * Its share of a tile's variance is the square of what the tile would correlate by with a noiseless
 * image of its scene. */
#pragma once

#include "stitch.h"

/* The share of the variance of h x w pixels (rows stand stride apart) that is structure of up to
 * 16 px, 0 to 1. Single bright pixels and shading are none. */
double unlike_structure(const uint16_t *pixels, int stride, int h, int w);

/* From the promise of each edge: which overlaps are unlike, and which tiles are foreign: those of
 * which two overlaps at least are unlike, and at most one, and half as many, fit. Fills unlike of
 * edges and of the model, and foreign of places and of the model. */
void unlike_find(struct stitch_model *model);
