/* SPDX-License-Identifier: MIT
 *
 * room.h: how much of the images the device holds at a time. */
#pragma once

#include "regist/task.h"

/* Rows of each of three images (the reference, the moving one, the moving one seen through the map)
 * that fit into memory (0: no limit); 0: too few. *least: bytes that would do. */
int regist_rows_within(const struct regist *r, struct kin_dims moving, size_t memory,
                       size_t *least);

/* Both images as far as the device has room for them; the reference stays there for the next one if
 * it can. False: see the device. */
bool regist_load(struct task *t, const struct kin_source *moving);

/* A row of the canvas leads to many of a turned image's. The map is nearly known; a field may come.
 * Where the device holds too few rows this says so before much is computed, and less memory is not
 * tried. False: see the device. */
bool regist_check_room(struct task *t);
