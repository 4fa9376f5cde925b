/* SPDX-License-Identifier: MIT
 *
 * unlike.h: overlaps that show two different things. An overlap that does not correlate may
 * be empty; or its tiles are not those that lie there: exchanged, copied, mirrored, or displaced by
 * more than was searched. Each tile tells which, without the other: the two diagonals of every
 * square of 2 x 2 pixels see the same scene and different noise (as the halves of a single image do
 * in Koho et al., Nature Communications 10:3103, 2019), so what they have in common is structure.
 * Its share of a tile's variance is the square of what the tile would correlate by with a noiseless
 * image of its scene.
 *
 * Overlaps that fit show the same scene twice, so that they tell of a tile that was exposed or
 * focused otherwise than all of its neighbours. */
#pragma once

#include "stitch/stitch.h"

/* What one tile shows of an overlap. */
struct unlike_view {
    double mean, structure; /* ADU; variance of structure of up to 16 px, ADU^2 */
    double share;           /* of structure in the variance, 0 to 1 */
};

/* Of h x w pixels; rows stand stride apart. Single bright pixels and shading are no structure. */
struct unlike_view unlike_look(const uint16_t *pixels, int stride, int h, int w);

/* Fills in promise, light and detail of an edge from what its two tiles show. */
void unlike_compare(struct stitch_edge *edge, const struct unlike_view *from,
                    const struct unlike_view *to);

/* From these, which overlaps are unlike, and which tiles are foreign: two of their overlaps or more
 * are unlike, and at most one, and half as many, fit. Uneven or blurred are those of which two
 * overlaps at least fit, and all that do say so. Fills unlike of edges, fault of places, and the
 * numbers of both in the model. */
void unlike_find(struct stitch_model *model);
