/* SPDX-License-Identifier: MIT
 *
 * tiles.h: the tile files of a cycle, and the corrected tiles of a plane as the fit of
 * positions asks for them: as many as memory has room for stay, the others are read again.
 *
 *     struct stitch_store *store = stitch_store_open(&look, memory, threads, &err);
 *     struct stitch_tiles tiles = stitch_store_tiles(store);
 *     bool good = store && stitch_model_fit(dev, &params, &tiles, &model, &err);
 *     stitch_store_free(store); */
#pragma once

#include "image/experiment.h"
#include "stitch/camera.h"
#include "stitch/stitch.h"

struct stitch_source {
    const struct raw_cycle *raw; /* borrowed */
    int tile_h, tile_w;
    enum kin_type type;                 /* of every tile */
    const struct camera_faults *faults; /* [channel - 1], borrowed: mended; NULL: not known yet */
};

/* Reads a tile into (tile_h, tile_w) samples; refuses another size or sample type by name. */
bool stitch_read_tile(const struct stitch_source *source, int tile, int plane, int channel,
                      uint16_t *dst, struct kin_error *err);

/* Whether n pixels are all the same. A camera's image never is: noise differs from pixel to pixel.
 */
bool stitch_is_one_value(const uint16_t *tile, size_t n);

/* The same of a tile file, of which mostly a few rows are read. False: it cannot be read. */
bool stitch_tile_is_one_value(const struct stitch_source *source, int tile, int plane, int channel,
                              bool *one_value, struct kin_error *err);

struct stitch_look { /* which tiles, and how they are corrected; borrowed */
    const struct stitch_source *source;
    int tiles, plane, channel;
    const float *dark, *gain; /* (tile_h, tile_w) */
};

struct stitch_store;

/* Reads every tile once. In so many bytes (0: no limit), of which the fit takes some, as many stay
 * as fit, but two at least; two lines of the grid are enough for each to be read once a round.
 * Where memory is short, fewer threads read.
 * False: no memory, a tile that cannot be read, or KIN_INPUT when more than half of them hold one
 * value only. */
struct stitch_store *stitch_store_open(const struct stitch_look *look, size_t memory, int threads,
                                       struct kin_error *err);
void stitch_store_free(struct stitch_store *store);

/* The bytes that a store which holds so many n-pixel tiles (two at least) and the fit take; with
 * one thread they take least. */
size_t stitch_store_bytes(size_t n, int tiles, int threads);

/* Its tiles; valid as long as it. */
struct stitch_tiles stitch_store_tiles(struct stitch_store *store);
