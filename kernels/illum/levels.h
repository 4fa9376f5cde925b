/* SPDX-License-Identifier: MIT
 *
 * levels.h: how the background of a channel drifts from tile to tile, in the order in which
 * they were taken, and what that is made up for with.
 *
 *     struct illum_levels levels;
 *     if (!illum_levels_find(dev, thumbs, tile_of, n, &fit, tiles, ILLUM_TO_MEAN, &levels, &err))
 *         ...
 *     corrected = pixel * levels.scale[k] - levels.shift[k];
 *     illum_levels_free(&levels); */
#pragma once

#include "illum/illum.h"

/* BaSiC's choices (the baseline stays; goes; becomes the mean one), and: an exponential decay is
 * divided out. */
enum illum_level { ILLUM_KEEP, ILLUM_TO_ZERO, ILLUM_TO_MEAN, ILLUM_DECAY };

struct illum_levels {
    int tiles;
    double *baseline; /* owned, [tile], ADU: the background; NAN: the tile is missing */
    float *shift;     /* owned, [tile], ADU: what is taken off */
    float *scale;     /* owned, [tile]: what is multiplied with, before */
    /* part of the background that is lost from a tile to the next, taken robustly */
    double decay;
};

/* Baselines of `tiles` tiles from n thumbnails, tile_of[i] being what thumbnail i shows (a tile's
 * planes are averaged). False: no memory, or the device fails; to be freed all the same. */
bool illum_levels_find(struct device *dev, const float *thumbs, const int *tile_of, int n,
                       const struct illum_fit *fit, int tiles, enum illum_level how,
                       struct illum_levels *levels, struct kin_error *err);

/* tile,baseline,shift,scale with a row for each tile, from 1 on, in the order of acquisition. */
bool illum_levels_write(const struct illum_levels *levels, const char *path, struct kin_error *err);
void illum_levels_free(struct illum_levels *levels);
