// SPDX-License-Identifier: MIT
// cmd_stitch.c: `kintsugi-image stitch PROJECT --cycle N`: one cycle's raw tiles to mosaics.
//
//   data/raw/cycNNN_.../1_00001_Z001_CH1.tif          read
//   meta/dark_CHn.tif                                 the camera's measured dark frame, if there is
//                                                     one
//   data/processed/stitched/cycNN/CHn/flat.tif        illumination, mean 1; dark.tif: ADU
//   data/processed/stitched/cycNN/CHn/baseline.csv    the background of each tile, in the order of
//                                                     acquisition
//   data/processed/stitched/cycNN/CH1/positions.csv   (of the nuclear channel) and positions.json
//   data/processed/stitched/cycNN/coverage.tif        255 where a tile lies
//   data/processed/stitched/cycNN/CHn/ZZ.tif          the mosaic of each plane: illumination and
//                                                     camera offset are taken out, its pedestal is
//                                                     0
//   data/processed/qc/stitch_cycNN.json               numbers of edges, seams and planes, decisions
//
// One model of positions, from the nuclear channel's middle plane, serves all planes and channels;
// when its seams are blurred or too few overlaps fit, other planes are tried and the best model is
// kept.
#include "core/background.h"
#include "core/hash.h"
#include "core/part.h"
#include "qc/json.h"
#include "stitch/pair.h"
#include "stitch/plane.h"
#include "stitch/report.h"
#include "tool/stitch_run.h"
#include "tool/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct stitch_options o;

static const struct option rows[] = {
    OPTIONS_CYCLE(&o.cycle, &o.channels),
    {"overlap", OPTION_REAL, "fraction of a tile", "(experiment.json)",
     "overlap of neighbouring tiles", &o.overlap, 0, 0.9},
    {"illumination", OPTION_TEXT, "auto|basic|surface|none", "auto",
     "how the flat field is found; auto: a smooth surface, or BaSiC where tiles are 24 or more and "
     "their overlaps agree better with it",
     &o.illumination},
    {"solver", OPTION_TEXT, "approximate|ladmap", "approximate",
     "how BaSiC is solved: with means for projections, or exactly, by linearised alternating "
     "directions",
     &o.solver},
    {"baseline", OPTION_TEXT, BASELINES, "keep",
     "drift of the background from tile to tile: keep it; subtract it; subtract it and add its "
     "mean; divide by an exponential decay (bleaching) along the acquisition",
     &o.baseline},
    {"camera-offset", OPTION_REAL, "ADU", "(experiment.json, else fitted)", "signal without light",
     &o.offset, 0, 65535},
    {"ignore-dark", OPTION_FLAG, "", "", "do not use the measured dark frames meta/dark_CHn.tif",
     &o.ignore_dark},
    {"flat-min", OPTION_REAL, "", "0.1", "least value of the flat field when dividing by it",
     &o.flat_min, 1e-3, 1},
    {"ncc-threshold", OPTION_REAL, "", "0.15", "do not trust overlaps that correlate less",
     &o.ncc_min, -1, 1},
    {"search", OPTION_REAL, "fraction of a tile", "0.03",
     "how far a tile may be off its nominal place; at least 12 px", &o.search, 0, 0.5},
    {"model-channel", OPTION_INT, "", "0",
     "channel whose plane gives the positions; 0: the nuclear one", &o.model_channel},
    {"model-plane", OPTION_INT, "", "0",
     "plane that gives the positions; 0: the middle one, or one nearby that has more tiles",
     &o.model_plane},
    {"seam-threshold", OPTION_REAL, "", "0.4", "if seams are blurrier than this, try other planes",
     &o.seam_min, 0, 100},
    {"placement", OPTION_TEXT, "subpixel|whole", "subpixel",
     "place tiles by interpolation (once, Catmull-Rom), or at the nearest pixel", &o.placement},
    {"blend", OPTION_TEXT, "ramp|bands", "ramp",
     "one linear seam over the overlap, or a narrower one for detail (below a Gaussian of 8 px)",
     &o.blend},
    {"positions", OPTION_TEXT, "FILE", "", "take the positions from this positions.csv",
     &o.positions},
    {"allow-missing", OPTION_FLAG, "", "", "leave missing tiles out instead of failing",
     &o.allow_missing},
    OPTIONS_COMMON(&o.common),
};
static const struct operand operands[] = {{"PROJECT", "the project's directory", &o.project}};
static const struct command command = {
    "stitch",
    "Makes one mosaic per plane and channel of a cycle, with illumination corrected.",
    rows,
    ROWS(rows),
    operands,
    1,
    "Scan order comes from experiment.json: scan snake|raster, scan_axis row|column, scan_start "
    "top-left|...\n"
    "Exit status 1 if a tile is missing or differs, or if fewer than half of the overlaps fit."};

static int model_channel(const struct stitch_run *run)
{
    return o.model_channel ? o.model_channel : run->exp.nuclear_channel;
}

static bool asks_for_model(const struct stitch_run *run)
{
    for (int c = 0; c < run->channels.count; c++)
        if (run->channels.values[c] == model_channel(run))
            return true;
    return false;
}

/* ---- the tiles ------------------------------------------------------------------------------- */

static int tile_count(const struct stitch_run *run)
{
    return run->params.scan.rows * run->params.scan.cols;
}

/* Of the tiles of all channels that are not there; 0: all are. */
static uint64_t hash_missing(const struct stitch_run *run)
{
    char path[STAGE_PATH];
    uint64_t hash = KIN_HASH;
    for (int c = 1; c <= run->exp.channels; c++)
        for (int z = 1; z <= run->exp.planes; z++)
            for (int k = 0; k < tile_count(run); k++) {
                const int tile[] = {c, z, k};
                if (!raw_path(&run->raw, k, z, c, path, sizeof path))
                    hash = kin_hash_more(hash, tile, sizeof tile);
            }
    return hash == KIN_HASH ? 0 : hash;
}

/* Looks at a channel's tile files and dark frame. Answers how many tiles are missing; first: the
 * first one of all, kept if there is one already. */
static int see_channel(struct stitch_run *run, int channel, char first[STAGE_PATH])
{
    char path[STAGE_PATH];
    int missing = 0;
    for (int z = 1; z <= run->exp.planes; z++)
        for (int k = 0; k < tile_count(run); k++) {
            if (raw_path(&run->raw, k, z, channel, path, sizeof path)) {
                run->newest = stage_later(run->newest, path);
                continue;
            }
            if (!*first)
                memcpy(first, path, sizeof path);
            missing++;
        }
    stitch_dark_path(run, channel, path);
    run->newest = stage_later(run->newest, path);
    return missing;
}

static bool has_tiles(const struct stitch_run *run, int channel)
{
    char path[STAGE_PATH];
    for (int z = 1; z <= run->exp.planes; z++)
        for (int k = 0; k < tile_count(run); k++)
            if (raw_path(&run->raw, k, z, channel, path, sizeof path))
                return true;
    return false;
}

/* Looks at every tile file; the first missing ones are named. Positions are found in the model's
 * channel, which need not be among those asked for. */
static bool check_tiles(struct stitch_run *run, struct kin_error *err)
{
    char first[STAGE_PATH] = "";
    int besides = 0;
    for (int c = 0; c < run->channels.count; c++)
        run->missing += see_channel(run, run->channels.values[c], first);
    if (o.positions)
        run->newest = stage_later(run->newest, o.positions);
    else if (!asks_for_model(run))
        besides = see_channel(run, model_channel(run), first);
    if (run->missing + besides && !o.allow_missing)
        return run->missing + besides == 1
                   ? kin_fail(err, KIN_INPUT, "%.300s: missing (--allow-missing leaves it out)",
                              first)
                   : kin_fail(err, KIN_INPUT,
                              "%.300s: missing, and %d more of the tiles of cycle %d "
                              "(--allow-missing leaves them out)",
                              first, run->missing + besides - 1, o.cycle);
    if (run->missing)
        stage_say(&run->stage, "tile images that are missing: %d; the first is %s", run->missing,
                  first);
    return o.positions || has_tiles(run, model_channel(run)) ||
           kin_fail(err, KIN_INPUT,
                    "%s: no tiles of channel %d, which gives the positions (--model-channel takes "
                    "another)",
                    run->raw.dir, model_channel(run));
}

/* A project may describe a part of what was taken; that it does so must not go unnoticed. */
static void say_unused(struct stitch_run *run)
{
    const struct raw_cycle *raw = &run->raw;
    const struct experiment *e = &run->exp;
    if (raw->planes > e->planes || raw->channels > e->channels)
        stage_say(
            &run->stage,
            "%s has %d planes and %d channels; experiment.json says %d and %d, no others are used",
            raw->dir, raw->planes, raw->channels, e->planes, e->channels);
    if (raw->others)
        stage_say(&run->stage,
                  "%s is read; %s%s, of the same cycle too, is not (another region is another "
                  "project)",
                  raw->dir, raw->other, raw->others > 1 ? " and more" : "");
}

/* The first tile image there is, whose size all must have. */
static bool first_tile(const struct stitch_run *run, char path[static STAGE_PATH],
                       struct kin_tiff_info *info, struct kin_error *err)
{
    for (int k = 0; k < run->raw.tiles * run->raw.planes; k++)
        if (raw_path(&run->raw, k / run->raw.planes, k % run->raw.planes + 1,
                     run->channels.values[0], path, STAGE_PATH))
            return kin_tiff_info(path, info, err);
    return kin_fail(err, KIN_INPUT, "%s: no tiles of channel %d", run->raw.dir,
                    run->channels.values[0]);
}

static bool take_size(struct stitch_run *run, struct kin_error *err)
{
    char path[STAGE_PATH];
    struct kin_tiff_info info;
    if (!first_tile(run, path, &info, err))
        return false;
    run->params.tile_h = run->source.tile_h = info.dims.y;
    run->params.tile_w = run->source.tile_w = info.dims.x;
    run->source.type = info.type;
    return true;
}

static void say_scale(const struct stitch_run *run)
{
    char path[STAGE_PATH];
    struct kin_tiff_info info;
    if (first_tile(run, path, &info, NULL))
        stage_compare_scale(&run->stage, path, &info, &run->exp);
}

static bool check_grid(const struct stitch_run *run, struct kin_error *err)
{
    int tiles = run->exp.rows * run->exp.cols;
    if (run->raw.tiles > tiles)
        return kin_fail(err, KIN_INPUT, "%s: %d tiles, but experiment.json says %d x %d = %d",
                        run->raw.dir, run->raw.tiles, run->exp.rows, run->exp.cols, tiles);
    if (o.model_plane < 0 || o.model_plane > run->exp.planes)
        return kin_fail(err, KIN_INPUT, "--model-plane %d: there are %d planes", o.model_plane,
                        run->exp.planes);
    if (model_channel(run) < 1 || model_channel(run) > run->exp.channels)
        return kin_fail(err, KIN_INPUT, "--model-channel %d: there are %d", model_channel(run),
                        run->exp.channels);
    return true;
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Finds the seams of the mosaic that a model gives. */
static bool judge_model(struct stitch_run *run, int plane, struct stitch_model *model,
                        struct kin_error *err)
{
    int channel = model_channel(run);
    struct stitch_correction correction = stitch_correction_of(run, channel);
    struct stitch_output out = {.seams = stitch_seams_new(model, &run->params, err)};
    bool good = out.seams && stitch_plane(run->dev, &run->params, model, &run->source, plane,
                                          channel, &correction, &out, err);
    return stitch_seams_end(out.seams, good ? model : NULL, err) && good;
}

static void report_decision(struct stitch_run *run, int plane, const struct stitch_model *m,
                            bool kept, const char *why)
{
    struct js *node = js_object();
    js_set_number(node, "plane", plane);
    js_set_number(node, "accepted", m->accepted);
    js_set_number(node, "edges", m->edge_count);
    js_set_number(node, "residual_rms", m->residual_rms);
    js_set_number(node, "seam_sharpness", m->seam_median);
    js_set_bool(node, "kept", kept);
    if (why[0])
        js_set_text(node, "why", why);
    js_push(run->decisions, node);
}

static bool fit_plane(struct stitch_run *run, int plane, struct stitch_model *model,
                      struct kin_error *why)
{
    int channel = model_channel(run);
    struct stitch_look look = {&run->source,
                               tile_count(run),
                               plane,
                               channel,
                               kin_f32(&run->dark[channel - 1]),
                               kin_f32(&run->gain[channel - 1])};
    size_t held = run->params.held,
           memory = run->params.memory > held ? run->params.memory - held : 1;
    struct stitch_store *store = stitch_store_open(&look, memory, run->dev->threads, why);
    struct stitch_tiles tiles = stitch_store_tiles(store);
    *model = (struct stitch_model){.seam_median = NAN};
    bool good = store && stitch_model_fit(run->dev, &run->params, &tiles, model, why);
    stitch_store_free(store);
    return good;
}

/* Fits a model to one plane. Answers whether it is good enough to stop; why says what is wrong. A
 * seam of NAN with a `why`: the model cannot be used at all. */
static bool try_plane(struct stitch_run *run, int plane, struct stitch_model *model,
                      struct kin_error *why)
{
    if (!fit_plane(run, plane, model, why) || !judge_model(run, plane, model, why))
        return false;
    return !(model->seam_median < o.seam_min) ||
           kin_fail(why, KIN_INPUT, "the seams are blurred (%.2f)", model->seam_median);
}

/* More accepted edges are better; among equals more circles of them; then the smaller residual. */
static bool is_better(const struct stitch_model *a, const struct stitch_model *b)
{
    if (!b->places || a->accepted != b->accepted)
        return !b->places || a->accepted > b->accepted;
    return a->loops != b->loops ? a->loops > b->loops : a->residual_rms < b->residual_rms;
}

static void keep_model(struct stitch_run *run, struct stitch_model *model)
{
    stitch_model_free(&run->model);
    run->model = *model;
}

static bool room_for_fit(const struct stitch_run *run, struct kin_error *err)
{
    const struct stitch_params *p = &run->params;
    size_t n = (size_t)p->tile_h * (size_t)p->tile_w;
    int tiles = tile_count(run);
    return stitch_room(run, "the positions", stitch_store_bytes(n, 0, 1),
                       stitch_store_bytes(n, tiles, run->dev->threads), err);
}

static int missing_in(const struct stitch_run *run, int plane)
{
    char path[STAGE_PATH];
    int missing = 0;
    for (int k = 0; k < tile_count(run); k++)
        missing += !raw_path(&run->raw, k, plane, model_channel(run), path, sizeof path);
    return missing;
}

/* The plane that is to give the positions: the middle one. A tile that is missing in it would lie
 * where the stage should have been in all planes, so one nearby that has more tiles is better. */
static int model_plane(const struct stitch_run *run)
{
    int nz = run->exp.planes, middle = (nz + 1) / 2, best = middle, least = missing_in(run, best);
    if (o.model_plane)
        return o.model_plane;
    for (int i = 2; least && i < 2 * (nz > 4 ? nz / 4 : 1) + 2; i++) {
        int z = i % 2 ? middle + i / 2 : middle - i / 2;
        int missing = z < 1 || z > nz ? least : missing_in(run, z);
        best = missing < least ? z : best;
        least = missing < least ? missing : least;
    }
    return best;
}

/* Adds to a text in which other order of the tiles, also with rows and columns exchanged, more of
 * their overlaps fit, if there is one. */
static void suggest_order(struct stitch_run *run, char *text, size_t size)
{
    const struct stitch_scan asked = run->params.scan;
    struct stitch_scan found = asked;
    char grid[80] = "";
    int least = run->model.accepted, most = least, orders = asked.rows == asked.cols ? 16 : 32,
        pairs = asked.rows * (asked.cols - 1) + asked.cols * (asked.rows - 1);
    stage_say(&run->stage, "trying other orders of the tiles");
    for (int i = 0; i < orders && most < pairs; i++) {
        struct stitch_model model;
        struct kin_error none = {0};
        run->params.scan = (struct stitch_scan){i & 16 ? asked.cols : asked.rows,
                                                i & 16 ? asked.rows : asked.cols,
                                                i & 8,
                                                i & 4,
                                                i & 1,
                                                i & 2};
        if (fit_plane(run, model_plane(run), &model, &none) && model.accepted > most) {
            most = model.accepted;
            found = run->params.scan;
        }
        stitch_model_free(&model);
    }
    run->params.scan = asked;
    size_t n = strlen(text);
    if (found.rows != asked.rows)
        snprintf(grid, sizeof grid, "\"tile_rows\": %d, \"tile_cols\": %d, ", found.rows,
                 found.cols);
    if (most > least)
        snprintf(text + n, size - n,
                 "; %d fit if meta/experiment.json says %s\"scan\": \"%s\", \"scan_axis\": "
                 "\"%s\", \"scan_start\": \"%s\"",
                 most, grid, scan_ways[found.raster], scan_axes[found.column_major],
                 scan_starts[2 * found.start_bottom + found.start_right]);
}

enum { TRIED = 6 }; /* planes, at most */

/* The planes that may give the positions, in the order in which they are tried. Answers how many.
 */
static int planes_to_try(const struct stitch_run *run, int planes[TRIED])
{
    int nz = run->exp.planes, count = 0;
    const int wanted[TRIED] = {model_plane(run), (nz + 1) / 2, nz / 4, 3 * nz / 4, 1, nz};
    for (int i = 0; i < (o.model_plane ? 1 : TRIED); i++) {
        int plane = wanted[i] < 1 ? 1 : wanted[i], k = 0;
        while (k < count && planes[k] != plane)
            k++;
        if (k == count)
            planes[count++] = plane;
    }
    return count;
}

static bool fit_positions(struct stitch_run *run, struct kin_error *err)
{
    int planes[TRIED], count = planes_to_try(run, planes);
    struct kin_error first = {0};
    bool usable = false;
    if (!room_for_fit(run, err))
        return false;
    for (int i = 0; i < count; i++) {
        int plane = planes[i];
        struct stitch_model model;
        struct kin_error why = {0};
        bool good = try_plane(run, plane, &model, &why);
        if (why.code && why.code != KIN_INPUT) {
            stitch_model_free(&model);
            return kin_fail(err, why.code, "%s", why.text);
        }
        bool fits = good || !isnan(model.seam_median),
             better = fits && (good || is_better(&model, &run->model));
        report_decision(run, plane, &model, better, why.text);
        usable = usable || fits;
        first = i ? first : why; /* the first plane's complaint is the one to tell */
        if (better)
            keep_model(run, &model);
        else
            stitch_model_free(&model);
        if (good)
            return true;
        stage_say(&run->stage, "positions from plane %d: %s", plane, why.text);
    }
    if (usable)
        return true;
    suggest_order(run, first.text, sizeof first.text);
    return kin_fail(err, KIN_INPUT, "cycle %d: %s", o.cycle, first.text);
}

static bool find_positions(struct stitch_run *run, struct kin_error *err)
{
    char path[STAGE_PATH], json[STAGE_PATH];
    int channel = model_channel(run);
    bool good = o.positions ? stitch_read_csv(o.positions, &run->params, &run->model, err)
                            : fit_positions(run, err);
    stage_path(&run->stage, path, "CH%d", run->exp.nuclear_channel); /* need not be asked for */
    good = good && make_dirs(path, err);
    stage_path(&run->stage, path, "CH%d/positions.csv", run->exp.nuclear_channel);
    stage_path(&run->stage, json, "CH%d/positions.json", run->exp.nuclear_channel);
    if (!good || !stitch_write_csv(&run->model, path, err))
        return false;
    struct js *root = stitch_model_js(&run->model);
    js_set_number(root, "cycle", o.cycle);
    js_set_number(root, "channel", channel);
    good = js_write(root, json, err);
    js_free(root);
    return good;
}

/* ---- the stage ------------------------------------------------------------------------------- */

static void set_params(struct stitch_run *run)
{
    const double LEAST = 1e-6;
    const struct experiment *e = &run->exp;
    o.offset = isnan(o.offset) ? e->camera_offset : o.offset;
    run->params = (struct stitch_params){
        .scan = {e->rows, e->cols, e->column_major, e->raster, e->start_right, e->start_bottom},
        .overlap = isnan(o.overlap) ? e->overlap : o.overlap,
        .apart = o.overlap < 0.01,         /* as asked for, not as the experiment says */
        .ncc_min = fmax(o.ncc_min, LEAST), /* 0 would be what is usual */
        .search = fmax(o.search, LEAST),
        .whole_pixels = !strcmp(o.placement, "whole"),
        .two_bands = !strcmp(o.blend, "bands"),
        .memory = (size_t)o.common.memory << 20};
    run->source.raw = &run->raw;
    run->source.faults = run->faults;
    for (int c = 0; c < EXPERIMENT_CHANNELS; c++)
        run->signal[c] = NAN;
    run->total = (int64_t)run->channels.count * e->planes;
}

/* 0: no measured dark frames are to be used; else 1, and a bit for each channel that has one:
 * taking one away must show. */
static unsigned dark_frames(const struct stitch_run *run)
{
    unsigned frames = !o.ignore_dark;
    for (int c = 1; frames && c <= run->exp.channels; c++)
        frames |= stitch_has_dark(run, c) ? 1u << c : 0;
    return frames;
}

/* Everything that the files depend on, in one line. */
static void write_recipe(const struct stitch_run *run, char *text, size_t size)
{
    const struct stitch_scan *s = &run->params.scan;
    snprintf(
        text, size,
        "stitch 6 grid %dx%d scan %d%d%d%d planes %d overlap %.6g offset %.6g flat_min %.6g "
        "illumination %s ncc %.6g search %.6g seam %.6g model %d/%d positions %s missing %" PRIx64
        " dark %x placement %s blend %s solver %s baseline %s pixel %g\n",
        s->rows, s->cols, s->column_major, s->raster, s->start_right, s->start_bottom,
        run->exp.planes, run->params.overlap, o.offset, o.flat_min, o.illumination, o.ncc_min,
        o.search, o.seam_min, model_channel(run), o.model_plane, o.positions ? o.positions : "-",
        o.allow_missing ? hash_missing(run) : 0, dark_frames(run), o.placement, o.blend, o.solver,
        o.baseline, experiment_pixel(&run->exp));
}

static bool begin(struct stitch_run *run, struct kin_error *err)
{
    char dir[STAGE_PATH], recipe[2000];
    snprintf(dir, sizeof dir, "%.4000s/data/processed/stitched/cyc%02d", o.project, o.cycle);
    write_recipe(run, recipe, sizeof recipe);
    if (!stage_begin(&run->stage, "stitch", o.cycle, dir, recipe, &o.common, err))
        return false;
    for (int c = 1; c <= run->exp.channels; c++) {
        stage_path(&run->stage, dir, "CH%d", c);
        kin_part_sweep(dir);
    }
    return true;
}

/* What positions will be found by. */
struct planning {
    struct device dev;
    struct stitch_params params;
};

static bool plan_pairs(void *user, struct kin_error *err)
{
    struct planning *p = user;
    pairing_prepare(&p->dev, &p->params);
    return true; /* what fails is asked for again */
}

/* The model's channel needs its flat field even when it is not among those asked for. On a card,
 * plans for the pairs of tiles are made meanwhile. */
static bool make_fields(struct stitch_run *run, struct kin_error *err)
{
    struct planning planning = {device_share(run->dev, 1), run->params};
    bool plans = run->dev->kind == DEVICE_GPU && !o.positions;
    struct kin_background *beside = plans ? kin_background_new() : NULL;
    struct kin_error none = {0};
    struct int_list channels = run->channels;
    if (!asks_for_model(run))
        channels.values[channels.count++] = model_channel(run);
    if (beside)
        kin_background_do(beside, plan_pairs, &planning, &none);
    bool good = stitch_make_fields(run, &channels, err);
    kin_background_end(beside, &none);
    return good;
}

/* A sentence for the user, and for the report behind those that are there. */
static void add_note(const struct stitch_run *run, struct js *report, const char *sentence)
{
    char notes[1600];
    const char *before = js_text(js_get(report, "note"), "");
    stage_say(&run->stage, "%s", sentence);
    snprintf(notes, sizeof notes, "%s%s%s", before, *before ? "; " : "", sentence);
    js_set_text(report, "note", notes);
}

/* Where overlaps go round in circles, one that closes confirms those in it; a few that form none
 * always fit, and so do those of tiles in one line. */
static void note_unconfirmed(struct stitch_run *run, struct js *report)
{
    const struct stitch_model *m = &run->model;
    char note[600];
    if (o.positions || m->loops || m->tiles < 2 || (m->edge_count && !m->accepted))
        return;
    if (!m->edge_count)
        snprintf(
            note, sizeof note,
            "the tiles do not overlap, by the experiment: they lie where the stage should have "
            "been, and nothing confirms it");
    else if (m->edge_count < m->tiles)
        snprintf(note, sizeof note,
                 "tiles in one line: no circle of overlaps can confirm their positions; %d of %d "
                 "overlaps are seen",
                 m->accepted, m->edge_count);
    else {
        snprintf(
            note, sizeof note,
            "no circle of overlaps closes: nothing confirms the positions of the tiles (is the "
            "overlap what the experiment says?)");
        suggest_order(run, note, sizeof note);
    }
    add_note(run, report, note);
}

/* Notes the tiles that have a fault, by number. */
static void note_tiles(struct stitch_run *run, struct js *report, enum stitch_fault fault,
                       const char *what)
{
    const struct stitch_model *m = &run->model;
    char note[400] = "", numbers[100] = "";
    int named = 0;
    for (int k = 0; k < m->tiles && named < 8; k++) {
        size_t n = strlen(numbers);
        if (m->places[k].fault == fault)
            snprintf(numbers + n, sizeof numbers - n, "%s%d", named++ ? ", " : "", k + 1);
    }
    snprintf(note, sizeof note, "tile%s %s%s: %s", m->faulty[fault] > 1 ? "s" : "", numbers,
             m->faulty[fault] > named ? " and more" : "", what);
    if (named)
        add_note(run, report, note);
}

/* An unlike overlap of tiles that are not foreign. */
static const struct stitch_edge *find_unlike(const struct stitch_model *m)
{
    for (int e = 0; e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        if (edge->unlike && m->places[edge->from].fault != STITCH_FOREIGN &&
            m->places[edge->to].fault != STITCH_FOREIGN)
            return edge;
    }
    return NULL;
}

/* A wrong tile among right ones changes nothing else: the others fit, and it lies where the stage
 * should have been. */
static void note_unlike(struct stitch_run *run, struct js *report)
{
    const struct stitch_model *m = &run->model;
    const struct stitch_edge *unlike = find_unlike(m);
    char note[600];
    note_tiles(run, report, STITCH_FOREIGN,
               "other tissue than in the neighbours' overlaps (exchanged, copied, mirrored, or "
               "farther off than --search?)");
    note_tiles(run, report, STITCH_UNEVEN,
               "brighter or darker than all neighbours where they overlap (exposure, lamp?)");
    note_tiles(run, report, STITCH_BLURRED,
               "less sharp than all neighbours where they overlap (focus?)");
    if (!unlike)
        return;
    snprintf(note, sizeof note,
             "%d of %d overlaps show tissue, but not the same (such as of tiles %d and %d): is a "
             "tile missing in the order?",
             m->unlike, m->edge_count, unlike->from + 1, unlike->to + 1);
    add_note(run, report, note);
}

/* Saturated samples are told in words, too. */
static void note_ceiling(struct stitch_run *run, struct js *report)
{
    const struct qc_limit *limit = qc_limit_find("stitch", "at_ceiling");
    char note[300];
    for (int c = 1; c <= run->exp.channels; c++) {
        const struct camera_faults *faults = &run->faults[c - 1];
        snprintf(note, sizeof note,
                 "channel %d: %.1f %% of the samples of plane %d are at %d, the greatest value of "
                 "the camera (exposed too long?)",
                 c, 100 * faults->clipped, faults->plane, faults->ceiling);
        if (qc_judge(limit, faults->clipped) >= QC_YELLOW)
            add_note(run, report, note);
    }
}

static bool write_report(struct stitch_run *run, struct kin_error *err)
{
    char name[40];
    run->report = stitch_model_js(&run->model);
    js_set_text(run->report, "stage", "stitch");
    js_set_number(run->report, "cycle", o.cycle);
    note_unconfirmed(run, run->report);
    note_unlike(run, run->report);
    note_ceiling(run, run->report);
    js_set_number(run->report, "missing_tiles", run->missing);
    js_set_number(run->report, "one_value_tiles", run->one_value);
    js_set_number(run->report, "pedestal", 0);
    js_set_text(run->report, "placement", o.placement);
    js_set_number(run->report, "seconds", stage_clock() - run->stage.started);
    js_set(run->report, "illumination", run->fields);
    js_set(run->report, "decisions", run->decisions);
    js_set(run->report, "planes", run->planes);
    run->fields = run->decisions = run->planes = NULL;
    snprintf(name, sizeof name, "stitch_cyc%02d.json", o.cycle);
    return stage_write_report(o.project, name, run->report, err);
}

static void release(struct stitch_run *run)
{
    struct js *owned[] = {run->report, run->planes, run->fields, run->decisions};
    for (int i = 0; i < 4; i++)
        js_free(owned[i]);
    for (int c = 0; c < EXPERIMENT_CHANNELS; c++) {
        kin_image_free(&run->dark[c]);
        kin_image_free(&run->gain[c]);
        illum_levels_free(&run->levels[c]);
        camera_faults_free(&run->faults[c]);
    }
    stitch_model_free(&run->model);
    raw_free(&run->raw);
    experiment_free(&run->exp);
    device_close(run->dev);
}

/* Whether all channels of the cycle are there, this run's and those of others. */
static bool is_whole(const struct stitch_run *run)
{
    char path[STAGE_PATH];
    for (int c = 1; c <= run->exp.channels; c++)
        for (int z = 1; z <= run->exp.planes; z++) {
            stage_path(&run->stage, path, "CH%d/%02d.tif", c, z);
            if (!stage_has(&run->stage, path, run->newest))
                return false;
        }
    return true;
}

static bool prepare(struct stitch_run *run, struct kin_error *err)
{
    if (!experiment_read(o.project, &run->exp, err) || !stage_cycle(o.cycle, &run->exp, err) ||
        !raw_find(o.project, o.cycle, &run->raw, err) ||
        !stage_channels(&o.channels, &run->exp, &run->channels, err))
        return false;
    set_params(run);
    return check_grid(run, err);
}

static bool stitch_cycle(struct stitch_run *run, struct kin_error *err)
{
    run->planes = js_array();
    run->fields = js_array();
    run->decisions = js_array();
    if (!prepare(run, err) || !begin(run, err) || !take_size(run, err))
        return false;
    say_unused(run);
    say_scale(run);
    return check_tiles(run, err) && (run->dev = options_device(&o.common, err)) &&
           make_fields(run, err) && find_positions(run, err) && stitch_make_planes(run, err) &&
           write_report(run, err) && stage_recall(&run->stage, err) &&
           (run->channels.count < run->exp.channels || stage_finish(&run->stage, err));
}

static void begin_again(struct stitch_run *run)
{
    release(run);
    *run = (struct stitch_run){.options = &o};
}

int cmd_stitch(int argc, char **argv)
{
    struct kin_error err = {0};
    struct stitch_run run = {.options = &o};
    int status;
    o.overlap = o.offset = NAN;
    if (!options_parse(&command, argc, argv, &status))
        return status;
    bool good = stitch_cycle(&run, &err);
    if (!good && options_retreat(&o.common, &err)) {
        begin_again(&run);
        good = stitch_cycle(&run, &err);
    }
    if (good && run.channels.count < run.exp.channels && is_whole(&run)) {
        o.channels.count = 0; /* the last of several runs reports on all */
        o.common.force = false;
        begin_again(&run);
        good = stitch_cycle(&run, &err);
    }
    if (good && o.common.json)
        stage_print(&run.stage, run.report);
    release(&run);
    return good ? 0 : stage_failed("stitch", &err);
}
