/* SPDX-License-Identifier: MIT
 *
 * report.h: a model of tile positions as files. */
#pragma once

#include "core/json.h"
#include "stitch/stitch.h"

/* tile,row,col,y,x,ncc,residual,overlaps: a line a tile, in scan order; ncc and residual are the
 * means over the tile's edges, overlaps says how many of them are accepted. Tiles count from 1.
 * Readable by pandas.read_csv. */
bool stitch_write_csv(const struct stitch_model *model, const char *path, struct kin_error *err);

/* Takes row, col, y and x of every tile from such a file; edges stay empty. False: a tile is
 * missing or twice, the grid is another one, or tiles lie farther apart than four grids side by
 * side. */
bool stitch_read_csv(const char *path, const struct stitch_params *params,
                     struct stitch_model *model, struct kin_error *err);

/* canvas, tiles, edges (from, to, dy, dx, ncc, chance, accepted, faint, residual, seam),
 * residual_rms, overlap_ncc, seam_sharpness. */
struct js *stitch_model_js(const struct stitch_model *model);
