// SPDX-License-Identifier: MIT
// stitch_plane.c: a plane of a mosaic, band by band.
//
//     for each band of 256 rows (fewer when memory is short):  read the tiles it meets (in
//     parallel), blend, write, drop the tiles above
#include "stitch_plane.h"
#include "each.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND = 256, LEAST_BAND = 16 };
static const float LOW_BAND = 8; /* px: detail is what a Gaussian of this takes away */

struct weave { /* one plane in the making */
    struct device *dev;
    const struct stitch_params *params;
    const struct stitch_model *model;
    const struct stitch_source *source;
    int plane, channel;
    int band_rows; /* that are made at a time */
    float **held; /* owned, [tile]: device buffers, the tile corrected and placed, then its low band
                     if there are two; NULL: not in memory */
    uint16_t *raw; /* owned device buffer: one tile */
    float *fields; /* owned device buffer: dark, gain, weight_y, weight_x */
    struct mosaic_look look;
    const float *scale, *shift; /* [tile], borrowed; NULL: tiles keep their levels */
    float *level; /* owned device buffers: two tiles, of ones and of what is taken off; NULL without shift */
    uint16_t *band, *host; /* owned: device and host, (band_rows, canvas_w) */
    uint8_t *cover, *host_cover;
    struct kin_tiff_writer *writer, *cover_writer;
};

/* ---- tiles that come and go -------------------------------------------------------------------
 */

static int tile_top(const struct weave *v, int k)
{
    float fraction;
    return stitch_pixel(v->model->places[k].y, v->params->whole_pixels, &fraction);
}

static bool needs(const struct weave *v, int k, int y0, int y1)
{
    char path[4300];
    int top = tile_top(v, k);
    return top < y1 && top + v->params->tile_h > y0 &&
           raw_path(v->source->raw, k, v->plane, v->channel, path, sizeof path);
}

static void drop_tiles(struct weave *v, int y0)
{
    for (int k = 0; k < v->model->tiles; k++) {
        if (v->held[k] && tile_top(v, k) + v->params->tile_h <= y0) {
            v->dev->release(v->dev, v->held[k]);
            v->held[k] = NULL;
        }
    }
}

/* Makes up for the drift of tile k's background. */
static void level_tile(struct weave *v, int k, float *tile, size_t n)
{
    struct device *dev = v->dev;
    if (v->scale[k] != 1)
        dev->scale(dev, tile, v->scale[k], n);
    if (v->shift[k] == 0)
        return;
    dev->copy(dev, v->level + n, v->level, n * sizeof *tile);
    dev->scale(dev, v->level + n, v->shift[k], n);
    dev->subtract(dev, tile, tile, v->level + n, n);
}

/* The tile on the device, corrected and moved to the whole pixels where it is drawn. */
static float *place_tile(struct weave *v, int k, const uint16_t *host)
{
    struct device *dev = v->dev;
    struct kin_dims dims = {1, v->params->tile_h, v->params->tile_w};
    size_t n = kin_count(dims);
    float *tile = dev->alloc(dev, (v->params->two_bands ? 2 : 1) * n * sizeof *tile), dy, dx;
    stitch_pixel(v->model->places[k].y, v->params->whole_pixels, &dy);
    stitch_pixel(v->model->places[k].x, v->params->whole_pixels, &dx);
    if (!tile)
        return NULL;
    dev->upload(dev, v->raw, host, n * sizeof *host);
    dev->tile_place(dev, tile, v->raw, &v->look, dy, dx);
    if (v->scale)
        level_tile(v, k, tile, n);
    if (v->params->two_bands)
        dev->gauss_xy(dev, tile + n, tile, dims, LOW_BAND);
    return tile;
}

/* The tiles that rows y0..y1-1 need. */
struct reading {
    const struct weave *v;
    int y0, y1;
    uint16_t **fresh; /* (tiles), host memory, the caller's */
};

static bool read_tile(void *user, int k, struct kin_error *err)
{
    const struct reading *r = user;
    const struct weave *v = r->v;
    if (v->held[k] || !needs(v, k, r->y0, r->y1))
        return true;
    r->fresh[k] = malloc((size_t)v->params->tile_h * (size_t)v->params->tile_w * sizeof(uint16_t));
    if (!r->fresh[k])
        return kin_fail(err, KIN_MEMORY, "no memory for a tile");
    return stitch_read_tile(v->source, k, v->plane, v->channel, r->fresh[k], err);
}

/* Asks for the files that rows y0..y1-1 will need: the system reads them while others are computed.
 */
static void announce_tiles(const struct weave *v, int y0, int y1)
{
    char path[4300];
    for (int k = 0; k < v->model->tiles; k++) {
        if (!v->held[k] && needs(v, k, y0, y1) &&
            raw_path(v->source->raw, k, v->plane, v->channel, path, sizeof path))
            kin_tiff_expect(path);
    }
}

static bool load_tiles(struct weave *v, int y0, int y1, struct kin_error *err)
{
    uint16_t **fresh = calloc((size_t)v->model->tiles, sizeof *fresh);
    struct reading reading = {v, y0, y1, fresh};
    bool good = fresh ? kin_each(v->model->tiles, v->dev->threads, read_tile, &reading, err)
                      : kin_fail(err, KIN_MEMORY, "no memory for tiles");
    for (int k = 0; fresh && k < v->model->tiles; k++) {
        if (good && fresh[k])
            v->held[k] = place_tile(v, k, fresh[k]);
        free(fresh[k]);
    }
    free(fresh);
    return good && device_ok(v->dev, err);
}

/* Tiles that rows y0..y1-1 meet. */
static int tiles_met(const struct weave *v, int y0, int y1)
{
    int count = 0;
    for (int k = 0; k < v->model->tiles; k++)
        count += tile_top(v, k) < y1 && tile_top(v, k) + v->params->tile_h > y0;
    return count;
}

/* Bytes in use at most when so many rows are made at a time: each tile that is held, the same while
 * it is read, the shading, the band on both sides, and the TIFF writers' strips. */
static size_t bytes_with(const struct weave *v, int rows)
{
    size_t tile = (size_t)v->params->tile_h * (size_t)v->params->tile_w, most = 0;
    size_t row = (size_t)v->model->canvas_w;
    for (int y = 0; y < v->model->canvas_h; y += rows) {
        size_t met = (size_t)tiles_met(v, y, y + rows);
        most = met > most ? met : most;
    }
    size_t held = sizeof(float) * (v->params->two_bands ? 2 : 1) + sizeof(uint16_t);
    return most * tile * held + tile * ((v->scale ? 4 : 2) * sizeof(float) + 4 * sizeof(uint16_t)) +
           row * (size_t)rows * 6 + row * 64 * 3;
}

static bool choose_rows(struct weave *v, struct kin_error *err)
{
    size_t least = bytes_with(v, LEAST_BAND), limit = v->params->memory;
    v->band_rows = BAND;
    while (limit && v->band_rows > LEAST_BAND && bytes_with(v, v->band_rows) > limit)
        v->band_rows /= 2;
    return !limit || bytes_with(v, v->band_rows) <= limit ||
           kin_fail(err, KIN_MEMORY,
                    "%zu MB are too little memory for a mosaic of %d x %d: at least %zu MB",
                    limit >> 20, v->model->canvas_h, v->model->canvas_w, (least >> 20) + 1);
}

/* ---- one band ---------------------------------------------------------------------------------
 */

static bool blend_band(struct weave *v, int y0, int rows, bool with_cover)
{
    struct mosaic_tile *tiles = malloc((size_t)v->model->tiles * sizeof *tiles);
    size_t n = (size_t)v->params->tile_h * (size_t)v->params->tile_w;
    int count = 0;
    for (int k = 0; tiles && k < v->model->tiles; k++) {
        float fraction;
        int x = stitch_pixel(v->model->places[k].x, v->params->whole_pixels, &fraction);
        if (v->held[k])
            tiles[count++] = (struct mosaic_tile){
                NULL, v->held[k], v->params->two_bands ? v->held[k] + n : NULL, tile_top(v, k), x};
    }
    n = (size_t)rows * (size_t)v->model->canvas_w;
    if (tiles) {
        v->dev->mosaic_rows(v->dev, v->band, with_cover ? v->cover : NULL, v->model->canvas_w, y0,
                            rows, tiles, count, &v->look);
        v->dev->download(v->dev, v->host, v->band, n * sizeof *v->host);
        if (with_cover)
            v->dev->download(v->dev, v->host_cover, v->cover, n);
    }
    free(tiles);
    return tiles != NULL;
}

static bool give_band(struct weave *v, const struct stitch_output *out, int y0, int rows,
                      struct kin_error *err)
{
    size_t width = (size_t)v->model->canvas_w;
    if (out->pixels)
        memcpy(out->pixels + (size_t)y0 * width, v->host, (size_t)rows * width * sizeof *v->host);
    if (out->scan)
        qc_scan_rows(out->scan, v->host, rows);
    if (v->writer && !kin_tiff_append(v->writer, v->host, rows, err))
        return false;
    return !v->cover_writer || kin_tiff_append(v->cover_writer, v->host_cover, rows, err);
}

static bool weave_bands(struct weave *v, const struct stitch_output *out, struct kin_error *err)
{
    int h = v->model->canvas_h;
    for (int y = 0; y < h; y += v->band_rows) {
        int rows = h - y < v->band_rows ? h - y : v->band_rows;
        drop_tiles(v, y);
        if (!load_tiles(v, y, y + rows, err))
            return false;
        announce_tiles(v, y + rows, y + rows + v->band_rows);
        if (!blend_band(v, y, rows, v->cover_writer != NULL))
            return kin_fail(err, KIN_MEMORY, "no memory for a band of the mosaic");
        if (!device_ok(v->dev, err) || !give_band(v, out, y, rows, err))
            return false;
    }
    return true;
}

/* ---- one plane --------------------------------------------------------------------------------
 */

static void send_look(struct weave *v, const struct stitch_correction *c)
{
    int h = v->params->tile_h, w = v->params->tile_w;
    size_t n = (size_t)h * (size_t)w;
    float *ramp = malloc((size_t)(h + w) * sizeof *ramp);
    v->fields = v->dev->alloc(v->dev, (2 * n + (size_t)(h + w)) * sizeof(float));
    if (ramp && v->fields) {
        stitch_ramp(ramp, h, v->params->overlap);
        stitch_ramp(ramp + h, w, v->params->overlap);
        v->dev->upload(v->dev, v->fields, c->dark, n * sizeof(float));
        v->dev->upload(v->dev, v->fields + n, c->gain, n * sizeof(float));
        v->dev->upload(v->dev, v->fields + 2 * n, ramp, (size_t)(h + w) * sizeof(float));
        v->look = (struct mosaic_look){
            h, w, v->fields, v->fields + n, v->fields + 2 * n, v->fields + 2 * n + h};
    } else {
        device_fail(v->dev, KIN_MEMORY, "no memory for the shading of a tile");
    }
    free(ramp);
}

/* A tile of ones, and room for another. */
static bool send_ones(struct weave *v, struct kin_error *err)
{
    size_t n = (size_t)v->params->tile_h * (size_t)v->params->tile_w;
    float *ones = malloc(n * sizeof *ones);
    for (size_t i = 0; ones && i < n; i++)
        ones[i] = 1;
    v->level = ones ? v->dev->alloc(v->dev, 2 * n * sizeof *ones) : NULL;
    if (v->level)
        v->dev->upload(v->dev, v->level, ones, n * sizeof *ones);
    free(ones);
    return ones || kin_fail(err, KIN_MEMORY, "no memory for the levels of a tile");
}

static bool weave_open(struct weave *v, const struct stitch_correction *correction,
                       const struct stitch_output *out, struct kin_error *err)
{
    struct kin_dims canvas = {1, v->model->canvas_h, v->model->canvas_w};
    size_t n = (size_t)v->band_rows * (size_t)canvas.x;
    v->held = calloc((size_t)v->model->tiles, sizeof *v->held);
    v->host = malloc(n * sizeof *v->host);
    v->host_cover = malloc(n);
    if (!v->held || !v->host || !v->host_cover)
        return kin_fail(err, KIN_MEMORY, "no memory for a band of the mosaic");
    v->band = v->dev->alloc(v->dev, n * sizeof *v->band);
    v->cover = v->dev->alloc(v->dev, n);
    v->raw = v->dev->alloc(v->dev,
                           (size_t)v->params->tile_h * (size_t)v->params->tile_w * sizeof *v->raw);
    send_look(v, correction);
    if (v->scale && !send_ones(v, err))
        return false;
    if (!device_ok(v->dev, err))
        return false;
    struct kin_tiff_options packed = {.compression = KIN_DEFLATE};
    if (out->path && !(v->writer = kin_tiff_create(out->path, canvas, KIN_U16, NULL, err)))
        return false;
    return !out->cover ||
           (v->cover_writer = kin_tiff_create(out->cover, canvas, KIN_U8, &packed, err)) != NULL;
}

static bool weave_close(struct weave *v, bool good, struct kin_error *err)
{
    if (v->held)
        drop_tiles(v, INT32_MAX);
    v->dev->release(v->dev, v->band);
    v->dev->release(v->dev, v->cover);
    v->dev->release(v->dev, v->raw);
    v->dev->release(v->dev, v->fields);
    v->dev->release(v->dev, v->level);
    free(v->held);
    free(v->host);
    free(v->host_cover);
    if (good && v->cover_writer) {
        good = kin_tiff_commit(v->cover_writer, err);
        v->cover_writer = NULL;
    }
    if (good && v->writer) {
        good = kin_tiff_commit(v->writer, err);
        v->writer = NULL;
    }
    kin_tiff_abandon(v->cover_writer);
    kin_tiff_abandon(v->writer);
    return good;
}

bool stitch_plane(struct device *dev, const struct stitch_params *params,
                  const struct stitch_model *model, const struct stitch_source *source, int plane,
                  int channel, const struct stitch_correction *correction,
                  const struct stitch_output *output, struct kin_error *err)
{
    struct weave v = {.dev = dev,
                      .params = params,
                      .model = model,
                      .source = source,
                      .plane = plane,
                      .channel = channel,
                      .scale = correction->scale,
                      .shift = correction->shift};
    bool good = choose_rows(&v, err) && weave_open(&v, correction, output, err) &&
                weave_bands(&v, output, err);
    return weave_close(&v, good, err);
}
