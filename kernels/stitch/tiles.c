// SPDX-License-Identifier: MIT
// tiles.c: reading the tile files of a cycle, and keeping those of a plane.
#include "stitch/tiles.h"
#include "core/each.h"
#include "core/simd.h"
#include "stitch/pair.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 2 }; /* tiles that stay at least */

static bool is_like_others(const struct stitch_source *source, const struct kin_tiff_info *info,
                           const char *path, struct kin_error *err)
{
    struct kin_dims d = info->dims;
    if (d.z != 1 || d.y != source->tile_h || d.x != source->tile_w)
        return kin_fail(err, KIN_INPUT,
                        "%s: %d x %d pixels and %d pages; the other tiles have %d x %d and one",
                        path, d.y, d.x, d.z, source->tile_h, source->tile_w);
    if (info->type != source->type)
        return kin_fail(err, KIN_INPUT, "%s: %zu-bit samples; the other tiles have %zu bits", path,
                        8 * kin_type_size(info->type), 8 * kin_type_size(source->type));
    return info->type != KIN_F32 ||
           kin_fail(err, KIN_INPUT, "%s: float samples; raw tiles are 8 or 16 bits", path);
}

/* The first rows of a tile; rows 0: all. */
static bool read_rows(const struct stitch_source *source, int tile, int plane, int channel,
                      int rows, uint16_t *dst, struct kin_error *err)
{
    char path[4300];
    struct kin_tiff_info info;
    if (!raw_path(source->raw, tile, plane, channel, path, sizeof path))
        return kin_fail(err, KIN_INPUT, "%s: the tile is missing", path);
    struct kin_tiff *tiff = kin_tiff_open(path, &info, err);
    if (!tiff)
        return false;
    rows = rows ? rows : info.dims.y;
    size_t n = (size_t)rows * (size_t)info.dims.x;
    uint8_t *bytes = (uint8_t *)dst + n; /* of 8-bit samples, which are widened from behind them */
    bool narrow = info.type == KIN_U8;
    bool good = is_like_others(source, &info, path, err) &&
                kin_tiff_rows(tiff, 0, 0, rows, narrow ? bytes : (uint8_t *)dst, err);
    kin_tiff_close(tiff);
    for (size_t i = 0; good && narrow && i < n; i++)
        dst[i] = bytes[i];
    return good;
}

bool stitch_read_tile(const struct stitch_source *source, int tile, int plane, int channel,
                      uint16_t *dst, struct kin_error *err)
{
    if (!read_rows(source, tile, plane, channel, 0, dst, err))
        return false;
    if (source->faults)
        camera_mend(&source->faults[channel - 1], dst);
    return true;
}

bool stitch_is_one_value(const uint16_t *tile, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (tile[i] != tile[0])
            return false;
    }
    return true;
}

bool stitch_tile_is_one_value(const struct stitch_source *source, int tile, int plane, int channel,
                              bool *one_value, struct kin_error *err)
{
    enum { FEW = 4 };
    int rows = source->tile_h < FEW ? source->tile_h : FEW;
    size_t row = (size_t)source->tile_w, n = (size_t)source->tile_h * row;
    uint16_t *pixels = malloc(n * sizeof *pixels);
    bool good = pixels || kin_fail(err, KIN_MEMORY, "no memory for a tile");
    good = good && read_rows(source, tile, plane, channel, rows, pixels, err);
    *one_value = good && stitch_is_one_value(pixels, (size_t)rows * row);
    good = good && (!*one_value || read_rows(source, tile, plane, channel, 0, pixels, err));
    *one_value = good && *one_value && stitch_is_one_value(pixels, n);
    free(pixels);
    return good;
}

/* ---- those of a plane ------------------------------------------------------------------------ */

struct stored {
    uint16_t *pixels; /* owned; NULL: not in memory */
    long asked;       /* when it was last asked for */
    bool one_value;
};

struct stitch_store {
    struct stitch_look look;
    size_t n;             /* pixels of a tile */
    int most, held;       /* tiles in memory */
    bool stay;            /* all that there are */
    long asked;           /* how often one was asked for */
    struct stored *tiles; /* owned */
};

VECTOR_CLONES static void correct(uint16_t *pixels, const float *dark, const float *gain, size_t n)
{
    for (size_t i = 0; i < n; i++)
        pixels[i] = kin_round_u16(((float)pixels[i] - dark[i]) * gain[i]);
}

static bool store_has(void *user, int tile)
{
    const struct stitch_look *look = &((const struct stitch_store *)user)->look;
    char path[4300];
    return raw_path(look->source->raw, tile, look->plane, look->channel, path, sizeof path);
}

/* Tile k, corrected, the caller's; NULL: it cannot be read. */
static uint16_t *read_corrected(struct stitch_store *store, int k, struct kin_error *err)
{
    const struct stitch_look *look = &store->look;
    uint16_t *pixels = malloc(store->n * sizeof *pixels);
    if (!pixels) {
        kin_fail(err, KIN_MEMORY, "no memory for the tiles of a plane");
        return NULL;
    }
    if (!stitch_read_tile(look->source, k, look->plane, look->channel, pixels, err)) {
        free(pixels);
        return NULL;
    }
    store->tiles[k].one_value = stitch_is_one_value(pixels, store->n);
    correct(pixels, look->dark, look->gain, store->n);
    return pixels;
}

/* The first tiles stay. */
static bool look_at(void *user, int k, struct kin_error *err)
{
    struct stitch_store *store = user;
    if (!store_has(store, k))
        return true;
    uint16_t *pixels = read_corrected(store, k, err);
    if (k < store->most)
        store->tiles[k].pixels = pixels;
    else
        free(pixels);
    return pixels != NULL;
}

static bool tells_places(const struct stitch_store *store, struct kin_error *err)
{
    const struct stitch_look *look = &store->look;
    int present = 0, empty = 0;
    for (int k = 0; k < look->tiles; k++) {
        present += store_has((void *)(uintptr_t)store, k);
        empty += store->tiles[k].one_value;
    }
    return 2 * empty <= present || empty == 0 ||
           kin_fail(err, KIN_INPUT,
                    "%.300s: %d of %d tiles of channel %d, plane %d hold one value only: nothing "
                    "in them tells where they lie",
                    look->source->raw->dir, empty, present, look->channel, look->plane);
}

/* The fit and the tiles that are being read, in tiles. */
static size_t beside(int threads)
{
    return PAIRING_TILES + 2 * (size_t)threads;
}

/* How many threads may read; they give way before tiles do. */
static int readers(size_t memory, size_t n, int threads)
{
    size_t fit = memory / (n * sizeof(uint16_t));
    while (memory && threads > 1 && beside(threads) + KEPT > fit)
        threads--;
    return threads;
}

/* How many tiles may stay beside those. */
static int most_tiles(size_t memory, size_t n, int threads)
{
    size_t fit = memory / (n * sizeof(uint16_t));
    if (!memory || fit > INT_MAX)
        return INT_MAX;
    return fit > beside(threads) + KEPT ? (int)(fit - beside(threads)) : KEPT;
}

size_t stitch_store_bytes(size_t n, int tiles, int threads)
{
    return (beside(threads) + (size_t)(tiles > KEPT ? tiles : KEPT)) * n * sizeof(uint16_t);
}

struct stitch_store *stitch_store_open(const struct stitch_look *look, size_t memory, int threads,
                                       struct kin_error *err)
{
    struct stitch_store *store = calloc(1, sizeof *store);
    struct stored *tiles = calloc((size_t)look->tiles, sizeof *tiles);
    size_t n = (size_t)look->source->tile_h * (size_t)look->source->tile_w;
    if (store)
        *store = (struct stitch_store){.look = *look, .n = n, .tiles = tiles};
    if (!store || !tiles) {
        free(tiles);
        free(store);
        kin_fail(err, KIN_MEMORY, "no memory for the tiles of a plane");
        return NULL;
    }
    threads = readers(memory, n, threads);
    store->most = most_tiles(memory, n, threads);
    if (kin_each(look->tiles, threads, look_at, store, err) && tells_places(store, err)) {
        store->stay = store->most >= look->tiles;
        for (int k = 0; k < look->tiles; k++)
            store->held += tiles[k].pixels != NULL;
        return store;
    }
    stitch_store_free(store);
    return NULL;
}

void stitch_store_free(struct stitch_store *store)
{
    for (int k = 0; store && k < store->look.tiles; k++)
        free(store->tiles[k].pixels);
    if (store)
        free(store->tiles);
    free(store);
}

/* The one that was not asked for the longest gives way. */
static void give_way(struct stitch_store *store)
{
    struct stored *oldest = NULL;
    for (int k = 0; k < store->look.tiles; k++) {
        struct stored *tile = &store->tiles[k];
        if (tile->pixels && (!oldest || tile->asked < oldest->asked))
            oldest = tile;
    }
    free(oldest->pixels);
    oldest->pixels = NULL;
    store->held--;
}

static const uint16_t *store_get(void *user, int k, struct kin_error *err)
{
    struct stitch_store *store = user;
    struct stored *tile = &store->tiles[k];
    if (store->stay)
        return tile->pixels;
    tile->asked = ++store->asked;
    if (tile->pixels)
        return tile->pixels;
    if (store->held >= store->most)
        give_way(store);
    tile->pixels = read_corrected(store, k, err);
    store->held += tile->pixels != NULL;
    return tile->pixels;
}

struct stitch_tiles stitch_store_tiles(struct stitch_store *store)
{
    return (struct stitch_tiles){store, store_has, store_get, store && store->stay};
}
