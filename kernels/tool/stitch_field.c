// SPDX-License-Identifier: MIT
// stitch_field.c: the flat field of a channel, from thumbnails of its tiles, with what the camera
// gives without light.
#include "core/part.h"
#include "tool/stitch_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void stitch_dark_path(const struct stitch_run *run, int channel, char *path)
{
    snprintf(path, STAGE_PATH, "%.4000s/meta/dark_CH%d.tif", run->options->project, channel);
}

bool stitch_has_dark(const struct stitch_run *run, int channel)
{
    char path[STAGE_PATH];
    stitch_dark_path(run, channel, path);
    return kin_is_taken(path);
}

static size_t tile_bytes(const struct stitch_run *run)
{
    return (size_t)run->params.tile_h * (size_t)run->params.tile_w * sizeof(uint16_t);
}

static bool is_dark_measured(const struct stitch_run *run, int channel)
{
    return !run->options->ignore_dark && stitch_has_dark(run, channel);
}

/* What a measured dark frame takes while tiles are read. */
static size_t dark_bytes(const struct stitch_run *run, int channel)
{
    return is_dark_measured(run, channel) ? 2 * tile_bytes(run) : 0;
}

/* How many threads may each read a tile beside so many bytes. */
static int readers(const struct stitch_run *run, const struct stitch_field *f, size_t beside)
{
    size_t most = f->room > beside ? (f->room - beside) / tile_bytes(run) : 1;
    int threads = f->dev->threads;
    return most < 1 ? 1 : most < (size_t)threads ? (int)most : threads;
}

/* How many planes are looked at, and which plane the i-th of them is. */
static int looked_at(const struct stitch_run *run)
{
    return run->exp.planes < 5 ? run->exp.planes : 5;
}

static int plane_at(const struct stitch_run *run, int i)
{
    return (i * 2 + 1) * run->exp.planes / (2 * looked_at(run)) + 1;
}

/* Thumbnails of a channel: all tiles of up to five planes. */
struct thumbs {
    float *images; /* owned, (room, ILLUM_PIXELS), n of them taken */
    int *tile_of;  /* owned, [room]: which tile each shows */
    int n, room;
};

/* look: sees the tiles too; may be NULL. */
static bool read_thumbs(const struct stitch_run *run, const struct stitch_field *f,
                        struct thumbs *thumbs, struct camera_look *look, struct kin_error *err)
{
    float *images = thumbs->images;
    int tiles = run->raw.tiles, room = thumbs->room, channel = f->channel;
    int threads = readers(run, f,
                          dark_bytes(run, channel) + (size_t)room * ILLUM_PIXELS * sizeof *images +
                              camera_look_bytes(run->params.tile_h, run->params.tile_w));
    bool failed = false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int i = 0; i < room; i++) {
        int z = plane_at(run, i / tiles);
        char path[STAGE_PATH];
        struct kin_error why = {0};
        if (!raw_path(&run->raw, i % tiles, z, channel, path, sizeof path)) {
            images[(size_t)i * ILLUM_PIXELS] = NAN;
            continue;
        }
        uint16_t *tile = malloc(tile_bytes(run));
        bool good = tile && stitch_read_tile(&run->source, i % tiles, z, channel, tile, &why);
        if (good)
            good = illum_thumbnail(tile, KIN_U16, run->params.tile_h, run->params.tile_w,
                                   images + (size_t)i * ILLUM_PIXELS);
        if (good && look && i < CAMERA_IMAGES)
            camera_look_add(look, i / tiles, tile);
        free(tile);
#pragma omp critical(stitch_thumbs)
        if (!good && !failed) {
            failed = true;
            kin_fail(err, why.code ? why.code : KIN_MEMORY, "%s",
                     why.code ? why.text : "no memory for a tile");
        }
    }
    thumbs->n = 0;
    for (int i = 0; i < room && !failed; i++) {
        if (isnan(images[(size_t)i * ILLUM_PIXELS]))
            continue;
        memmove(images + (size_t)thumbs->n * ILLUM_PIXELS, images + (size_t)i * ILLUM_PIXELS,
                ILLUM_PIXELS * sizeof *images);
        thumbs->tile_of[thumbs->n++] = i % tiles;
    }
    return !failed;
}

/* What the camera does wrong is mended in what is read from then on: these tiles are read again. */
static bool gather_thumbs(struct stitch_run *run, const struct stitch_field *f, bool has_dark,
                          struct thumbs *thumbs, struct kin_error *err)
{
    struct camera_faults *faults = &run->faults[f->channel - 1];
    struct camera_look *look = camera_look_new(run->params.tile_h, run->params.tile_w,
                                               looked_at(run), err);
    bool good = look && read_thumbs(run, f, thumbs, look, err);
    *faults = camera_look_end(look, run->raw.tiles,
                              has_dark ? kin_f32(&run->dark[f->channel - 1]) : NULL);
    faults->plane = plane_at(run, faults->plane);
    return good && (!faults->count || read_thumbs(run, f, thumbs, NULL, err));
}

static void report_camera(const struct stitch_run *run, int channel, struct js *node)
{
    const struct camera_faults *faults = &run->faults[channel - 1];
    js_set_text(node, "marker", experiment_marker(&run->exp, run->options->cycle, channel));
    js_set_number(node, "faulty_pixels", faults->share);
    js_set_number(node, "faulty_mended", faults->count);
    js_set_number(node, "ceiling", faults->ceiling);
    js_set_number(node, "at_ceiling", faults->clipped);
    js_set_number(node, "signal", run->signal[channel - 1]);
}

static void report_field(struct stitch_run *run, int channel, const struct illum_fit *fit)
{
    struct js *node = js_object();
    float low = fit->flat[0], high = low;
    for (int i = 0; i < ILLUM_PIXELS; i++) {
        low = fminf(low, fit->flat[i]);
        high = fmaxf(high, fit->flat[i]);
    }
    js_set_number(node, "channel", channel);
    report_camera(run, channel, node);
    js_set_text(node, "method", illum_method_name(fit->method));
    js_set_number(node, "images", fit->images);
    js_set_number(node, "rounds", fit->rounds);
    js_set_number(node, "flat_min", low);
    js_set_number(node, "flat_max", high);
    js_set_number(node, "dark_mean", kin_mean_f32(fit->dark, ILLUM_PIXELS));
    js_set_text(node, "solver", fit->method == ILLUM_BASIC ? run->options->solver : "none");
    js_set_text(node, "baseline", run->options->baseline);
    js_set_number(node, "decay_per_tile", run->levels[channel - 1].decay);
    if (fit->note[0])
        js_set_text(node, "note", fit->note);
    js_push(run->fields, node);
}

static bool save_field(struct stitch_run *run, int channel, const char *name,
                       const struct kin_image *image, struct kin_error *err)
{
    char path[STAGE_PATH];
    stage_path(&run->stage, path, "CH%d/%s.tif", channel, name);
    return kin_tiff_write(path, image,
                          &(struct kin_tiff_options){.pixel_nm = experiment_pixel(&run->exp)}, err);
}

/* The camera's measured dark frame, if the project has one: meta/dark_CHn.tif. */
static bool read_dark(struct stitch_run *run, int channel, bool *found, struct kin_error *err)
{
    char path[STAGE_PATH];
    struct kin_image image, *dark = &run->dark[channel - 1];
    stitch_dark_path(run, channel, path);
    *found = is_dark_measured(run, channel);
    if (!*found)
        return true;
    if (!kin_tiff_read(path, &image, err))
        return false;
    bool good = image.dims.z == 1 && image.dims.y == run->params.tile_h &&
                image.dims.x == run->params.tile_w;
    good = (good ||
            kin_fail(err, KIN_INPUT, "%s: the dark frame has not the size of the tiles", path)) &&
           kin_to_f32(&image, dark, err);
    for (size_t i = 0; good && i < kin_count(dark->dims); i++)
        good = isfinite(kin_f32(dark)[i]) ||
               kin_fail(err, KIN_INPUT, "%s: the dark frame has pixels that are not numbers", path);
    kin_image_free(&image);
    return good;
}

/* The mean of the first tile image of a channel that has that many ADU, else of the brightest; 0:
 * there is none. */
static bool find_light(const struct stitch_run *run, int channel, double wanted, double *found,
                       struct kin_error *err)
{
    char path[STAGE_PATH];
    uint16_t *tile = malloc(tile_bytes(run));
    bool good = tile || kin_fail(err, KIN_MEMORY, "no memory for a tile");
    *found = 0;
    for (int i = 0; good && *found < wanted && i < run->exp.planes * run->raw.tiles; i++) {
        int k = i % run->raw.tiles, z = i / run->raw.tiles + 1;
        double sum = 0;
        if (!raw_path(&run->raw, k, z, channel, path, sizeof path))
            continue;
        good = stitch_read_tile(&run->source, k, z, channel, tile, err);
        for (size_t x = 0; good && x < tile_bytes(run) / sizeof *tile; x++)
            sum += tile[x];
        *found = fmax(*found, sum / (double)(tile_bytes(run) / sizeof *tile));
    }
    free(tile);
    return good;
}

/* What the camera gives without light is no more than what it gives with little: else it is
 * another camera's, or of another number of bits, and nothing would be left of the tiles. */
static bool check_dark(const struct stitch_run *run, int channel, bool has_dark,
                       struct kin_error *err)
{
    const struct kin_image *frame = &run->dark[channel - 1];
    double dark = has_dark ? kin_mean_f32(kin_f32(frame), kin_count(frame->dims))
                           : run->options->offset,
           brightest;
    if (!(dark > 0))
        return true;
    if (!find_light(run, channel, dark / 2, &brightest, err))
        return false;
    if (brightest == 0 || !(brightest < dark / 2))
        return true;
    char frame_name[40];
    snprintf(frame_name, sizeof frame_name, "meta/dark_CH%d.tif", channel);
    return kin_fail(err, KIN_INPUT,
                    "cycle %d, channel %d: without light the camera gives %.0f ADU by %s, but the "
                    "brightest tile has %.0f on average: is it of another camera, gain or number "
                    "of bits? (%s)",
                    run->options->cycle, channel, dark, has_dark ? frame_name : "camera_offset",
                    brightest,
                    has_dark ? "--ignore-dark does without it" : "--camera-offset states another");
}

/* Takes the dark frame off all thumbnails. */
static bool subtract_dark(const struct kin_image *dark, const struct thumbs *thumbs)
{
    float *thumb = malloc(ILLUM_PIXELS * sizeof *thumb);
    bool good = thumb && illum_thumbnail(dark->data, KIN_F32, dark->dims.y, dark->dims.x, thumb);
    for (size_t i = 0; good && i < (size_t)thumbs->n * ILLUM_PIXELS; i++)
        thumbs->images[i] -= thumb[i % ILLUM_PIXELS];
    free(thumb);
    return good;
}

/* Fewer tiles than that get a smooth surface. */
static int places_min(const struct stitch_run *run)
{
    return !strcmp(run->options->illumination, "basic")     ? 2
           : !strcmp(run->options->illumination, "surface") ? INT32_MAX
                                                            : 0;
}

/* The baselines of the tiles, and how --baseline has them made up for. */
static bool fit_levels(struct stitch_run *run, const struct stitch_field *f,
                       const struct thumbs *thumbs, struct kin_error *err)
{
    char path[STAGE_PATH];
    struct illum_levels *levels = &run->levels[f->channel - 1];
    stage_path(&run->stage, path, "CH%d/baseline.csv", f->channel);
    return illum_levels_find(f->dev, thumbs->images, thumbs->tile_of, thumbs->n, f->fit,
                             run->params.scan.rows * run->params.scan.cols,
                             (enum illum_level)options_choice(run->options->baseline, BASELINES),
                             levels, err) &&
           illum_levels_write(levels, path, err);
}

static void no_field(double dark, struct illum_fit *fit)
{
    *fit = (struct illum_fit){.method = ILLUM_NONE};
    for (int i = 0; i < ILLUM_PIXELS; i++) {
        fit->flat[i] = 1;
        fit->dark[i] = isnan(dark) ? 0 : (float)dark;
    }
}

static struct illum_params illum_params_of(const struct stitch_run *run, bool has_dark)
{
    const double STATED = 10; /* ADU: a number is the mean of a frame, which has a shape */
    return (struct illum_params){
        .dark = has_dark ? 0 : run->options->offset,
        .dark_error = has_dark ? 0 : STATED,
        .places = run->raw.tiles,
        .places_min = places_min(run),
        .solver = !strcmp(run->options->solver, "ladmap") ? ILLUM_LADMAP : ILLUM_APPROXIMATE};
}

/* Whether the tiles are not looked at. */
static bool is_none(const struct stitch_run *run)
{
    return !strcmp(run->options->illumination, "none") && !strcmp(run->options->baseline, "keep");
}

size_t stitch_field_bytes(const struct stitch_run *run, int channel, int threads)
{
    int n = looked_at(run) * run->raw.tiles;
    struct illum_params params = illum_params_of(run, false);
    size_t frame = (size_t)run->params.tile_h * (size_t)run->params.tile_w * sizeof(float),
           reading = (size_t)n * ILLUM_PIXELS * sizeof(float) + (size_t)threads * tile_bytes(run) +
                     camera_look_bytes(run->params.tile_h, run->params.tile_w) +
                     dark_bytes(run, channel),
           fitting = illum_bytes(run->dev, n, &params),
           finding = fitting > reading ? fitting : reading,
           expanded = 3 * frame; /* at last: flat field, dark frame and gain as large as a tile */
    return !is_none(run) && finding > expanded ? finding : expanded;
}

size_t stitch_field_kept(const struct stitch_run *run)
{
    return 2 * (size_t)run->params.tile_h * (size_t)run->params.tile_w * sizeof(float);
}

/* The neighbours in the grid, where the stage should have put them; room for two a tile. Answers
 * how many. Of a tile's two the one that was taken first comes first: sums over them are in this
 * order. */
static int list_pairs(const struct stitch_params *params, struct illum_pair *pairs)
{
    int n = params->scan.rows * params->scan.cols, count = 0;
    for (int k = 0; k < n; k++) {
        int row, col;
        stitch_place(&params->scan, k, &row, &col);
        int to[] = {stitch_tile_at(&params->scan, row, col + 1),
                    stitch_tile_at(&params->scan, row + 1, col)};
        for (int i = 0; i < 2; i++) {
            bool below = to[0] < to[1] ? i : !i;
            if (to[below] >= 0)
                pairs[count++] = (struct illum_pair){k, to[below], below * (1 - params->overlap),
                                                     !below * (1 - params->overlap)};
        }
    }
    return count;
}

static bool fit_flat(const struct stitch_run *run, const struct stitch_field *f, bool has_dark,
                     const struct thumbs *thumbs, struct kin_error *err)
{
    struct illum_params params = illum_params_of(run, has_dark);
    int tiles = run->params.scan.rows * run->params.scan.cols;
    struct illum_pair *pairs = malloc(2 * (size_t)tiles * sizeof *pairs);
    if (!pairs)
        return kin_fail(err, KIN_MEMORY, "no memory for the overlaps of %d tiles", tiles);
    params.place_of = thumbs->tile_of;
    params.pairs = pairs;
    params.pair_count = list_pairs(&run->params, pairs);
    bool good = illum_fit(f->dev, thumbs->images, thumbs->n, &params, f->fit, err);
    free(pairs);
    return good;
}

/* Flat field and levels. */
static bool fit_thumbs(struct stitch_run *run, const struct stitch_field *f, bool has_dark,
                       const struct thumbs *thumbs, struct kin_error *err)
{
    if (!strcmp(run->options->illumination, "none"))
        no_field(has_dark ? 0 : run->options->offset, f->fit);
    else if (!fit_flat(run, f, has_dark, thumbs, err))
        return false;
    return fit_levels(run, f, thumbs, err);
}

static bool fit_field(struct stitch_run *run, const struct stitch_field *f, bool has_dark,
                      struct kin_error *err)
{
    int room = looked_at(run) * run->raw.tiles, channel = f->channel;
    double dark = has_dark ? 0 : run->options->offset;
    if (is_none(run)) {
        no_field(dark, f->fit);
        return true;
    }
    struct thumbs thumbs = {.images = calloc((size_t)room * ILLUM_PIXELS + 1, sizeof(float)),
                            .tile_of = calloc((size_t)room + 1, sizeof(int)),
                            .room = room};
    bool good = (thumbs.images && thumbs.tile_of) ||
                kin_fail(err, KIN_MEMORY, "no memory for %d thumbnails", room);
    good = good && gather_thumbs(run, f, has_dark, &thumbs, err);
    if (good && has_dark && !subtract_dark(&run->dark[channel - 1], &thumbs))
        good = kin_fail(err, KIN_MEMORY, "no memory for %d thumbnails", room);
    kin_image_free(&run->dark[channel - 1]); /* the fit needs the room, and not the frame */
    if (good)
        run->signal[channel - 1] = illum_signal(thumbs.images, thumbs.tile_of, thumbs.n,
                                                run->raw.tiles);
    good = good && fit_thumbs(run, f, has_dark, &thumbs, err);
    free(thumbs.images);
    free(thumbs.tile_of);
    return good;
}

bool stitch_make_field(struct stitch_run *run, struct stitch_field *f, struct kin_error *err)
{
    int channel = f->channel, h = run->params.tile_h, w = run->params.tile_w;
    struct kin_image flat = {0};
    struct kin_image *dark = &run->dark[channel - 1], *gain = &run->gain[channel - 1];
    char dir[STAGE_PATH];
    bool has_dark = false;
    f->fit = malloc(sizeof *f->fit);
    stage_path(&run->stage, dir, "CH%d", channel);
    bool good = (f->fit || kin_fail(err, KIN_MEMORY, "no memory for a flat field")) &&
                make_dirs(dir, err) && read_dark(run, channel, &has_dark, err) &&
                check_dark(run, channel, has_dark, err) && fit_field(run, f, has_dark, err);
    good = good && illum_expand(f->fit->flat, h, w, &flat, err) &&
           (dark->data || (has_dark ? read_dark(run, channel, &has_dark, err)
                                    : illum_expand(f->fit->dark, h, w, dark, err))) &&
           illum_gain(&flat, (float)run->options->flat_min, gain, err) &&
           save_field(run, channel, "flat", &flat, err) &&
           save_field(run, channel, "dark", dark, err);
    kin_image_free(&flat);
    if (good)
        return true;
    free(f->fit);
    f->fit = NULL;
    kin_image_free(dark);
    kin_image_free(gain);
    illum_levels_free(&run->levels[channel - 1]);
    camera_faults_free(&run->faults[channel - 1]);
    return false;
}

void stitch_tell_field(struct stitch_run *run, struct stitch_field *f)
{
    int faults = run->faults[f->channel - 1].count;
    if (faults)
        stage_say(
            &run->stage,
            "channel %d: pixels of the camera that are bright or dark in all tiles: %d; the median "
            "of their neighbours stands for them",
            f->channel, faults);
    if (f->fit->note[0])
        stage_say(&run->stage, "channel %d: %s", f->channel, f->fit->note);
    report_field(run, f->channel, f->fit);
    free(f->fit);
    f->fit = NULL;
}
