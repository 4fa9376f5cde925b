// SPDX-License-Identifier: MIT
// plane.c: a plane of a mosaic, band by band.
//
//     for each band of 256 rows (when memory is short, others: stitch/cut.h)
//         for each window of its columns:  drop the tiles beside it, read those under it
//                                          (in parallel), blend
//         write, on another thread, while the next band is made
//
// When a card refuses memory the band is made again in smaller windows: no row has gone out before.
//
// Beside other planes, each has its share of threads, of memory and of the device. No plane is then
// made in smaller windows: others hold memory, too.
#include "stitch/plane.h"
#include "core/background.h"
#include "core/each.h"
#include "stitch/cut.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const float LOW_BAND = 8; /* px: detail is what a Gaussian of this takes away */

struct band {
    struct weave *of;
    uint16_t *pixels; /* owned, host, with coverage: (cut.rows, canvas_w) */
    uint8_t *cover;
    int rows; /* on their way to the files */
};

struct weave { /* one plane in the making */
    struct device *dev;
    const struct stitch_params *params;
    const struct stitch_model *model;
    const struct stitch_source *source;
    int plane, channel;
    struct stitch_cutting cutting;
    struct stitch_cut cut;
    float **held; /* owned, [tile]: device buffers, the tile corrected and placed, then its low band
                     if there are two; NULL: not in memory */
    pthread_mutex_t door; /* of raw and level while tiles are placed */
    uint16_t *raw;        /* owned device buffer: one tile */
    float *fields;        /* owned device buffer: dark, gain, weight_y, weight_x */
    struct mosaic_look look;
    const float *scale, *shift; /* [tile], borrowed; NULL: tiles keep their levels */
    float *level; /* owned device buffers: two tiles, of ones and of what is taken off; NULL without
                     shift */
    uint16_t *part; /* owned device buffers, with coverage: a window */
    uint8_t *part_cover;
    void *passing; /* owned, host: a window on its way to its place; NULL: there is but one */
    struct band bands[2], *band; /* one is made while the other is written */
    struct kin_background *writing;
    struct kin_tiff_writer *writer, *cover_writer;
    bool *one_value; /* [tile], borrowed; NULL: nobody asks */
};

/* ---- tiles that come and go ------------------------------------------------------------------ */

static bool needs(const struct weave *v, int k, const struct stitch_window *window)
{
    char path[4300];
    return stitch_meets(v->params, v->model, k, window) &&
           raw_path(v->source->raw, k, v->plane, v->channel, path, sizeof path);
}

/* Those that do not lie under the window; NULL: all. */
static void drop_tiles(struct weave *v, const struct stitch_window *window)
{
    struct device *dev = v->dev;
    for (int k = 0; k < v->model->tiles; k++) {
        if (v->held[k] && !(window && stitch_meets(v->params, v->model, k, window))) {
            dev->release(dev, v->held[k]);
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

struct reading {
    struct weave *v;
    const struct stitch_window *window;
    uint16_t **fresh; /* (tiles), host memory, the caller's */
};

static void place_fresh(const struct reading *r, int k)
{
    struct weave *v = r->v;
    pthread_mutex_lock(&v->door);
    v->held[k] = place_tile(v, k, r->fresh[k]);
    pthread_mutex_unlock(&v->door);
    v->dev->host_release(v->dev, r->fresh[k]);
    r->fresh[k] = NULL;
}

/* A card takes each tile when it is there; a processor is busy with reading the others. */
static bool read_tile(void *user, int k, struct kin_error *err)
{
    const struct reading *r = user;
    struct weave *v = r->v;
    if (v->held[k] || !needs(v, k, r->window))
        return true;
    size_t n = (size_t)v->params->tile_h * (size_t)v->params->tile_w;
    r->fresh[k] = v->dev->host_alloc(v->dev, n * sizeof(uint16_t));
    if (!r->fresh[k])
        return kin_fail(err, KIN_MEMORY, "no memory for a tile");
    bool good = stitch_read_tile(v->source, k, v->plane, v->channel, r->fresh[k], err);
    if (good && v->one_value)
        v->one_value[k] = stitch_is_one_value(r->fresh[k], n);
    if (good && v->dev->kind == DEVICE_GPU)
        place_fresh(r, k);
    return good;
}

/* Asks for the files that a window will need: the system reads them while others are computed. */
static void announce_tiles(const struct weave *v, const struct stitch_window *window)
{
    char path[4300];
    for (int k = 0; k < v->model->tiles; k++) {
        if (!v->held[k] && needs(v, k, window) &&
            raw_path(v->source->raw, k, v->plane, v->channel, path, sizeof path))
            kin_tiff_expect(path);
    }
}

static bool load_tiles(struct weave *v, const struct stitch_window *window, struct kin_error *err)
{
    uint16_t **fresh = calloc((size_t)v->model->tiles, sizeof *fresh);
    struct reading reading = {v, window, fresh};
    bool good = fresh ? kin_each(v->model->tiles, v->dev->threads, read_tile, &reading, err)
                      : kin_fail(err, KIN_MEMORY, "no memory for tiles");
    for (int k = 0; fresh && k < v->model->tiles; k++) {
        if (good && fresh[k])
            place_fresh(&reading, k);
        v->dev->host_release(v->dev, fresh[k]);
    }
    free(fresh);
    return good && device_ok(v->dev, err);
}

/* ---- one band -------------------------------------------------------------------------------- */

static bool open_band(struct weave *v, struct kin_error *err)
{
    int h = v->model->canvas_h, w = v->model->canvas_w;
    size_t rows = (size_t)(v->cut.rows < h ? v->cut.rows : h), band = rows * (size_t)w,
           part = rows * (size_t)v->cut.width;
    struct device *dev = v->dev;
    bool good = true;
    for (int i = 0; i < 2; i++) {
        v->bands[i] = (struct band){v, dev->host_alloc(dev, band * sizeof *v->part),
                                    dev->host_alloc(dev, band), 0};
        good = good && v->bands[i].pixels && v->bands[i].cover;
    }
    v->band = &v->bands[0];
    v->passing = part < band ? dev->host_alloc(dev, part * sizeof *v->part) : NULL;
    if (!good || (part < band && !v->passing))
        return kin_fail(err, KIN_MEMORY, "no memory for a band of the mosaic");
    v->part = dev->alloc(dev, part * sizeof *v->part);
    v->part_cover = dev->alloc(dev, part);
    return device_ok(dev, err);
}

/* Nothing may be on its way to the files. */
static void close_band(struct weave *v)
{
    struct device *dev = v->dev;
    dev->release(dev, v->part);
    dev->release(dev, v->part_cover);
    for (int i = 0; i < 2; i++) {
        dev->host_release(dev, v->bands[i].pixels);
        dev->host_release(dev, v->bands[i].cover);
        v->bands[i] = (struct band){0};
    }
    dev->host_release(dev, v->passing);
    v->part = v->passing = NULL;
    v->part_cover = NULL;
    v->band = NULL;
}

/* Brings samples of a window from the device to their place in the band. */
static void bring(struct weave *v, void *band, const void *part, size_t sample,
                  const struct stitch_window *window)
{
    size_t rows = (size_t)(window->y1 - window->y0), to = (size_t)v->model->canvas_w * sample,
           from = (size_t)(window->x1 - window->x0) * sample;
    char *at = (char *)band + (size_t)window->x0 * sample;
    v->dev->download(v->dev, v->passing ? v->passing : band, part, rows * from);
    for (size_t y = 0; v->passing && y < rows && !device_stopped(v->dev); y++)
        memcpy(at + y * to, (char *)v->passing + y * from, from);
}

static bool blend(struct weave *v, const struct stitch_window *window, struct kin_error *err)
{
    struct mosaic_tile *tiles = malloc((size_t)v->model->tiles * sizeof *tiles);
    size_t n = (size_t)v->params->tile_h * (size_t)v->params->tile_w;
    int count = 0;
    float fraction;
    if (!tiles)
        return kin_fail(err, KIN_MEMORY, "no memory for a band of the mosaic");
    for (int k = 0; k < v->model->tiles; k++) {
        if (v->held[k])
            tiles[count++] = (struct mosaic_tile){
                NULL, v->held[k], v->params->two_bands ? v->held[k] + n : NULL,
                stitch_pixel(v->model->places[k].y, v->params->whole_pixels, &fraction),
                stitch_pixel(v->model->places[k].x, v->params->whole_pixels, &fraction) -
                    window->x0};
    }
    struct mosaic mosaic = {window->x1 - window->x0, tiles, count, &v->look};
    struct device *dev = v->dev;
    dev->mosaic_rows(dev, v->part, v->cover_writer ? v->part_cover : NULL, &mosaic, window->y0,
                     window->y1 - window->y0);
    bring(v, v->band->pixels, v->part, sizeof *v->part, window);
    if (v->cover_writer)
        bring(v, v->band->cover, v->part_cover, sizeof *v->part_cover, window);
    free(tiles);
    return device_ok(dev, err);
}

/* Where the band at y0 ends. Bands end at multiples of their height, as they were weighed, also
 * after smaller ones. */
static int band_end(const struct weave *v, int y0)
{
    int end = (y0 / v->cut.rows + 1) * v->cut.rows;
    return end < v->model->canvas_h ? end : v->model->canvas_h;
}

/* Window i of the band at y0, in the order in which they are made: there and, in the next band,
 * back, so that tiles which lie under both are kept. One behind the last is the first of the next
 * band. */
static struct stitch_window window_at(const struct weave *v, int y0, int i)
{
    int w = v->model->canvas_w, width = v->cut.width;
    int count = (w + width - 1) / width, y = i < count ? y0 : band_end(v, y0);
    int x = (y / v->cut.rows % 2 ? count - 1 - i % count : i % count) * width;
    return (struct stitch_window){y, x, band_end(v, y), x + width < w ? x + width : w};
}

static bool make_band(struct weave *v, int y0, struct kin_error *err)
{
    int count = (v->model->canvas_w + v->cut.width - 1) / v->cut.width;
    if (!v->band && !open_band(v, err))
        return false;
    for (int i = 0; i < count; i++) {
        struct stitch_window now = window_at(v, y0, i), next = window_at(v, y0, i + 1);
        drop_tiles(v, &now);
        if (!load_tiles(v, &now, err))
            return false;
        announce_tiles(v, &next);
        if (!blend(v, &now, err))
            return false;
    }
    return true;
}

/* After a card has refused memory: smaller windows. False: it has not, there are none, or other
 * planes hold some of it. */
static bool cut_smaller(struct weave *v)
{
    struct kin_error why = {0};
    size_t least = stitch_cut_least(&v->cutting).on_device, half = v->cut.on_device / 2;
    if (stitch_beside(v->params) > 1 || v->cut.on_device <= least || !device_forgive(v->dev))
        return false;
    drop_tiles(v, NULL);
    kin_background_wait(v->writing, &why);
    close_band(v);
    v->cutting.card = half > least ? half : least;
    return stitch_cut_choose(&v->cutting, &v->cut, &why);
}

/* The band at y0, in smaller windows as long as a card has no memory for it. */
static bool make_some(struct weave *v, int y0, struct kin_error *err)
{
    for (;;) {
        struct kin_error why = {0};
        if (make_band(v, y0, &why))
            return true;
        if (!cut_smaller(v))
            return kin_fail(err, why.code, "%s", why.text);
    }
}

static bool write_band(void *user, struct kin_error *err)
{
    const struct band *band = user;
    struct weave *v = band->of;
    return (!v->writer || kin_tiff_append(v->writer, band->pixels, band->rows, err)) &&
           (!v->cover_writer || kin_tiff_append(v->cover_writer, band->cover, band->rows, err));
}

/* Looks at the band and sends it to the files, which takes until the next one is made. */
static bool give_band(struct weave *v, const struct stitch_output *out, int rows,
                      struct kin_error *err)
{
    struct band *band = v->band;
    if (out->seams)
        stitch_seams_rows(out->seams, band->pixels, rows);
    if (out->scan && !v->passing) /* all of it is still on the device */
        qc_scan_there(out->scan, band->pixels, v->part, rows);
    else if (out->scan)
        qc_scan_rows(out->scan, band->pixels, rows);
    if (!device_ok(v->dev, err)) /* rows that were not looked at cannot be forgiven */
        return false;
    band->rows = rows;
    v->band = &v->bands[band == v->bands];
    return kin_background_do(v->writing, write_band, band, err);
}

static bool weave_bands(struct weave *v, const struct stitch_output *out, struct kin_error *err)
{
    for (int y = 0, end; y < v->model->canvas_h; y = end) {
        if (!make_some(v, y, err))
            return false;
        end = band_end(v, y);
        if (!give_band(v, out, end - y, err))
            return false;
    }
    return kin_background_wait(v->writing, err);
}

/* ---- one plane ------------------------------------------------------------------------------- */

static void send_look(struct weave *v, const struct stitch_correction *c)
{
    int h = v->params->tile_h, w = v->params->tile_w;
    size_t n = (size_t)h * (size_t)w;
    float *ramp = malloc((size_t)(h + w) * sizeof *ramp);
    struct device *dev = v->dev;
    v->fields = dev->alloc(dev, (2 * n + (size_t)(h + w)) * sizeof(float));
    if (ramp && v->fields) {
        stitch_ramp(ramp, h, v->params->overlap);
        stitch_ramp(ramp + h, w, v->params->overlap);
        dev->upload(dev, v->fields, c->dark, n * sizeof(float));
        dev->upload(dev, v->fields + n, c->gain, n * sizeof(float));
        dev->upload(dev, v->fields + 2 * n, ramp, (size_t)(h + w) * sizeof(float));
        v->look = (struct mosaic_look){
            h, w, v->fields, v->fields + n, v->fields + 2 * n, v->fields + 2 * n + h};
    } else {
        device_fail(dev, KIN_MEMORY, "no memory for the shading of a tile");
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
    struct device *dev = v->dev;
    v->level = ones ? dev->alloc(dev, 2 * n * sizeof *ones) : NULL;
    if (v->level)
        dev->upload(dev, v->level, ones, n * sizeof *ones);
    free(ones);
    return ones || kin_fail(err, KIN_MEMORY, "no memory for the levels of a tile");
}

/* What is the same for all tiles. */
static bool open_device(struct weave *v, const struct stitch_correction *correction,
                        struct kin_error *err)
{
    struct device *dev = v->dev;
    v->raw = dev->alloc(dev,
                        (size_t)v->params->tile_h * (size_t)v->params->tile_w * sizeof *v->raw);
    send_look(v, correction);
    return (!v->scale || send_ones(v, err)) && device_ok(dev, err);
}

static bool weave_open(struct weave *v, const struct stitch_correction *correction,
                       const struct stitch_output *out, struct kin_error *err)
{
    struct kin_dims canvas = {1, v->model->canvas_h, v->model->canvas_w};
    v->held = calloc((size_t)v->model->tiles, sizeof *v->held);
    if (!v->held)
        return kin_fail(err, KIN_MEMORY, "no memory for %d tiles", v->model->tiles);
    if (!open_device(v, correction, err))
        return false;
    struct kin_tiff_options plain = {.pixel_nm = out->pixel_nm},
                            packed = {.compression = KIN_DEFLATE, .pixel_nm = out->pixel_nm};
    v->writing = out->path ? kin_background_new() : NULL;
    if (out->path && !(v->writer = kin_tiff_create(out->path, canvas, KIN_U16, &plain, err)))
        return false;
    return !out->cover ||
           (v->cover_writer = kin_tiff_create(out->cover, canvas, KIN_U8, &packed, err)) != NULL;
}

static bool weave_close(struct weave *v, bool good, struct kin_error *err)
{
    good = kin_background_end(v->writing, err) && good;
    if (v->held)
        drop_tiles(v, NULL);
    close_band(v);
    struct device *dev = v->dev;
    dev->release(dev, v->raw);
    dev->release(dev, v->fields);
    dev->release(dev, v->level);
    pthread_mutex_destroy(&v->door);
    free(v->held);
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

/* With what looks at the plane on a card. */
static struct stitch_cutting cutting_of(const struct device *dev,
                                        const struct stitch_params *params,
                                        const struct stitch_model *model,
                                        const struct stitch_correction *correction)
{
    size_t looks = dev->kind == DEVICE_GPU ? qc_scan_bytes(model->canvas_h, model->canvas_w) : 0;
    return (struct stitch_cutting){params, model, correction->scale != NULL, dev->memory, looks};
}

/* The usual cut, if a card has room for that and for what looks at the plane. */
static bool cut_to_look(const struct stitch_cutting *what, struct stitch_cut *cut)
{
    struct kin_error why = {0};
    return what->looks && stitch_cut_choose(what, cut, &why) && stitch_cut_is_whole(what, cut);
}

bool stitch_looks_there(const struct device *dev, const struct stitch_params *params,
                        const struct stitch_model *model,
                        const struct stitch_correction *correction)
{
    struct stitch_cutting cutting = cutting_of(dev, params, model, correction);
    struct stitch_cut cut;
    return cut_to_look(&cutting, &cut);
}

int stitch_planes_beside(const struct device *dev, const struct stitch_params *params,
                         const struct stitch_model *model,
                         const struct stitch_correction *correction, int planes)
{
    int beside = dev->threads / 2 < STITCH_BESIDE ? dev->threads / 2 : STITCH_BESIDE;
    beside = dev->kind != DEVICE_GPU ? 1 : beside < planes ? beside : planes;
    struct stitch_params shared = *params;
    struct stitch_cutting cutting = cutting_of(dev, &shared, model, correction);
    for (; beside > 1; beside--) {
        struct kin_error why = {0};
        struct stitch_cut cut;
        shared.beside = beside;
        if (stitch_cut_choose(&cutting, &cut, &why) && stitch_cut_is_whole(&cutting, &cut) &&
            !stitch_cut_is_tight(&cutting, &cut))
            break;
    }
    return beside > 1 ? beside : 1;
}

bool stitch_plane(struct device *dev, const struct stitch_params *params,
                  const struct stitch_model *model, const struct stitch_source *source, int plane,
                  int channel, const struct stitch_correction *correction,
                  const struct stitch_output *output, struct kin_error *err)
{
    struct weave v = {.dev = dev,
                      .door = PTHREAD_MUTEX_INITIALIZER,
                      .params = params,
                      .model = model,
                      .source = source,
                      .plane = plane,
                      .channel = channel,
                      .scale = correction->scale,
                      .shift = correction->shift,
                      .one_value = output->one_value,
                      .cutting = cutting_of(dev, params, model, correction)};
    bool good = cut_to_look(&v.cutting, &v.cut);
    if (!good) {
        v.cutting.looks = 0;
        good = stitch_cut_choose(&v.cutting, &v.cut, err);
    }
    if (good && stitch_cut_is_tight(&v.cutting, &v.cut))
        kin_return_blocks();
    good = good && weave_open(&v, correction, output, err) && weave_bands(&v, output, err);
    return weave_close(&v, good, err);
}
