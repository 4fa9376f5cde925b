/* SPDX-License-Identifier: MIT
 *
 * affine.h: the map without a field: first a translation (with a turn where need be) that
 * brings the images near, then an affine fit. */
#pragma once

#include "regist/task.h"

/* Measures the whole binned images. NULL: see the device. */
struct probe *regist_whole_probe(const struct regist *r);

/* Moves a map by the translation of the whole binned images and returns the correlation it then
 * has. */
double regist_shift(struct task *t, struct probe *probe, struct warp_map *map);

/* Moves the task's map by the whole binned images. */
void regist_coarse(struct task *t);

/* Fits it to blocks of the level that is binned k times, in that many rounds at most. */
void regist_affine(struct task *t, int k, int rounds);
