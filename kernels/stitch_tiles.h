/* SPDX-License-Identifier: MIT
 *
 * stitch_tiles.h: the tile files of a cycle.
 */
#pragma once

#include "experiment.h"

struct stitch_source {
    const struct raw_cycle *raw; /* borrowed */
    int tile_h, tile_w;
    enum kin_type type; /* of every tile */
};

/* Reads a tile into (tile_h, tile_w) samples; refuses another size or sample type by name. */
bool stitch_read_tile(const struct stitch_source *source, int tile, int plane, int channel,
                      uint16_t *dst, struct kin_error *err);
