/* SPDX-License-Identifier: MIT
 *
 * blocks.h: blocks of both images, on lattices, and how they are measured through a map. */
#pragma once

#include "regist/task.h"

enum { REGIST_MANY_BLOCKS = 2500 }; /* of a lattice: more tell no more */

/* The quality of a peak from which on a block moves the map, or a field. */
#define REGIST_AFFINE_QUALITY 8.0
#define REGIST_FIELD_QUALITY  6.0

/* Pixels of a block's side, for an image of that size. */
int regist_block_size(struct kin_dims d);

/* The lattice over an image whose blocks of that size stand step apart; by `more` farther, and so
 * on, while there are more than REGIST_MANY_BLOCKS. */
struct probe_lattice regist_lattice(struct kin_dims d, int size, int step, int more);

/* Measures the points of a lattice. Where its blocks overlap much the moving image is seen through
 * the map once, not once in every block. */
void regist_measure_lattice(struct device *dev, struct probe *probe, struct probe_image *ref,
                            struct probe_image *mov, const struct warp_map *map,
                            const struct probe_lattice *lattice, struct probe_point *points);

/* Measures on a lattice of the full level with the map as it stands and that field; the caller
 * frees the points. NULL: see the device. */
struct probe_point *regist_measure(struct task *t, const struct probe_lattice *lattice,
                                   const struct warp_grid *field);
