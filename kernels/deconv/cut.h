/* SPDX-License-Identifier: MIT
 *
 * cut.h: how an axis of a volume is cut into blocks that overlap.
 *
 *            |<--------- n --------->|
 *                             |<--------- n --------->|
 *     |<------ beyond + length + beyond: the line that the blocks cover ------>|
 *            core of block 0     | core of block 1 ...     the border: halfway
 *
 * Between blocks at least two halos overlap. At the ends of the line a block needs none if it is
 * mirrored there (RL_MIRRORED); else the line goes on by a halo of mirrored or periodic samples. A
 * single block whose length transforms do not like goes on by a halo behind one end. */
#pragma once

#include "device/device.h"

struct cut_axis {
    int length; /* samples of the image */
    int beyond;
    int n, count; /* samples of a block, blocks */
    int widest;   /* samples of the widest core */
};

/* The shortest blocks that transforms like; n is 0 when so many make no sense. */
struct cut_axis cut_axis(int length, int count, int halo, enum rl_ends ends);

/* A single block of `wanted` samples from `at` on and a halo to each side, for looking at a part of
 * the image; the whole axis if that is too much. *start: its first sample. */
struct cut_axis cut_window(int length, int at, int wanted, int halo, enum rl_ends ends, int *start);

/* The first sample of block i; may lie outside of the image. */
int cut_start(const struct cut_axis *a, int i);

/* The first sample of its core; the image's length for i = count. */
int cut_core(const struct cut_axis *a, int i);
