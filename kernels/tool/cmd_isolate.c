// SPDX-License-Identifier: MIT
// cmd_isolate.c: `kintsugi-image isolate PROJECT`: markers without autofluorescence.
//
//   data/processed/registered/cycNN/MARKER.tif   read
//   data/processed/signal_isolated/MARKER.tif    one a marker; the nuclear image of the reference
//   cycle once
//   data/processed/signal_isolated/isolated.ome.tif   all of them
//   data/processed/qc/isolate.json
//
// The blank of a marker is that of its own channel; between two blank cycles it is mixed by how far
// the marker's cycle lies from each. Without any blank the images are passed on and the report says
// so.
#include "core/hash.h"
#include "isolate/exposures.h"
#include "isolate/isolate.h"
#include "qc/json.h"
#include "regist/compare.h"
#include "tool/stage_ome.h"
#include "tool/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4300, MOST_NAMES = 32 };

static struct {
    struct common common;
    const char *blank, *exposures, *compression;
    int region;
    double smooth, max_scale;
    int bin;
} o;
static const char *project;

static const struct option rows[] = {
    {"blank", OPTION_TEXT, "NAME,...", "", "these channels are blank, besides those named Blank...",
     &o.blank},
    {"exposures", OPTION_TEXT, "FILE", "",
     "file of exposure times (lines of CYCLE,CH1,CH2,... in ms, as in CODEX's exposure_times.txt); "
     "the blank is then scaled by their ratio, and only the offset is fitted",
     &o.exposures},
    {"smooth", OPTION_REAL, "px", "1", "sigma of a Gaussian over the blank before it is subtracted",
     &o.smooth, 0, ISOLATE_SMOOTHEST},
    {"bin", OPTION_INT, "px", "0",
     "average N x N pixels for the fit; 0: 8, less for small images, more above 134 Mpx", &o.bin, 0,
     1000},
    {"region", OPTION_INT, "px", "0",
     "also fit around nodes N apart, and interpolate, for background whose ratio to the blank "
     "varies over the section; 0: one fit",
     &o.region, 0, 100000},
    {"max-scale", OPTION_REAL, "", "10", "treat a larger scale as a failed fit", &o.max_scale, 0,
     1e6},
    {"compression", OPTION_TEXT, STAGE_COMPRESSIONS, "deflate",
     "compression of isolated.ome.tif; zstd is not read by QuPath, Fiji and OMERO", &o.compression},
    OPTIONS_COMMON(&o.common),
};
static const struct operand operands[] = {{"PROJECT", "the project's directory", &project}};
static const struct command command = {
    "isolate",
    "Subtracts the autofluorescence that blank cycles show from every marker.",
    rows,
    ROWS(rows),
    operands,
    1,
    "Reads data/processed/registered, writes data/processed/signal_isolated."};

struct run {
    struct experiment exp;
    struct stage stage;
    struct exposures exposures; // .ms NULL: not known
    int threads;
    char names[4096];
    const char *named[MOST_NAMES];
    int named_n;
    struct js *channels, *planes;
    struct stage_image *done; // written so far
    int done_n;
};

// Of image i of all that there are, cycle by cycle.
static int cycle_of(const struct run *run, int i)
{
    return i / run->exp.channels + 1;
}

static int channel_of(const struct run *run, int i)
{
    return i % run->exp.channels + 1;
}

static void input_path(const struct run *run, int cycle, int channel, char *path)
{
    char name[100];
    experiment_file_name(&run->exp, cycle, channel, name, sizeof name);
    snprintf(path, PATH, "%s/data/processed/registered/cyc%02d/%s.tif", project, cycle, name);
}

// MARKER.tif; a name that a cycle before has used gets the cycle behind it.
static const char *output_path(struct run *run, int cycle, int channel)
{
    char name[120];
    struct stage_image *image = &run->done[run->done_n++];
    experiment_name_together(&run->exp, cycle, channel, name, sizeof name);
    *image = (struct stage_image){cycle, channel, ""};
    stage_path(&run->stage, image->path, "%s.tif", name);
    return image->path;
}

static bool is_blank(const struct run *run, int cycle, int channel)
{
    return isolate_is_blank(experiment_marker(&run->exp, cycle, channel), run->named, run->named_n);
}

static bool is_nuclear(const struct run *run, int channel)
{
    return channel == run->exp.nuclear_channel;
}

// The nearest blank cycles of that channel at or before, and at or after, a cycle; 0: none.
static void blanks_around(const struct run *run, int cycle, int channel, int *before, int *after)
{
    *before = *after = 0;
    for (int c = cycle; c >= 1 && !*before; c--)
        if (is_blank(run, c, channel))
            *before = c;
    for (int c = cycle; c <= run->exp.cycles && !*after; c++)
        if (is_blank(run, c, channel))
            *after = c;
}

// The channel whose blank serves: the own one, else the nearest that has a blank. 0: there is none
// at all.
static int blank_channel(const struct run *run, int cycle, int channel)
{
    for (int away = 0; away < run->exp.channels; away++)
        for (int side = -1; side <= 1; side += 2) {
            int c = channel + side * away, before, after;
            if (c < 1 || c > run->exp.channels)
                continue;
            blanks_around(run, cycle, c, &before, &after);
            if (before || after)
                return c;
        }
    return 0;
}

// What a marker's blank is made of, for the report.
struct blank {
    int channel, before, after;
    double share; // of `after`
    double level; // light of `before`, or of the only one, by that of `after`
    double scale; // light of the marker by that of the blank; 0: not known
};

// The open images of a marker and of what its blank is made of.
struct images {
    struct isolate_pair pair;
    struct isolate_mix mix;
    struct kin_stack *marker, *before, *after; // NULL: there is none
    const char *path;                          // of the marker, borrowed
};

static void images_close(struct images *g)
{
    kin_stack_close(g->marker);
    kin_stack_close(g->before);
    kin_stack_close(g->after);
}

// Opens a registered image, which must have the marker's size.
static struct kin_stack *open_like(const char *path, const struct images *g,
                                   struct kin_source *source, struct kin_error *err)
{
    return stage_plane_like(path, g->pair.marker.dims, g->path, source, err);
}

static bool open_blank(const struct run *run, const struct blank *b, struct images *g,
                       struct kin_error *err)
{
    char path[PATH];
    input_path(run, b->before ? b->before : b->after, b->channel, path);
    g->before = open_like(path, g, &g->pair.blank, err);
    if (!g->before || !b->before || !b->after || b->after == b->before)
        return g->before != NULL;
    input_path(run, b->after, b->channel, path);
    g->mix = (struct isolate_mix){
        .a = g->pair.blank, .of_a = 1 - b->share, .of_b = b->share * b->level};
    g->after = open_like(path, g, &g->mix.b, err);
    g->pair.blank = isolate_mixed(&g->mix);
    return g->after != NULL;
}

static struct blank choose_blank(const struct run *run, int cycle, int channel)
{
    const struct exposures *times = &run->exposures;
    struct blank b = {.channel = blank_channel(run, cycle, channel), .level = 1};
    if (b.channel)
        blanks_around(run, cycle, b.channel, &b.before, &b.after);
    if (b.before && b.after && b.after > b.before)
        b.share = (double)(cycle - b.before) / (b.after - b.before);
    if (times->ms && b.channel) {
        double ms = exposures_ms(times, b.before ? b.before : b.after, b.channel);
        b.scale = exposures_ms(times, cycle, channel) / ms;
        b.level = b.after ? ms / exposures_ms(times, b.after, b.channel) : 1;
    }
    return b;
}

static struct js *fit_json(const struct run *run, int cycle, int channel, const struct blank *b,
                           const struct isolate_fit *fit)
{
    struct js *c = js_object(), *from = js_array();
    js_set_number(c, "cycle", cycle);
    js_set_number(c, "channel", channel);
    js_set_text(c, "marker", experiment_marker(&run->exp, cycle, channel));
    if (b->before)
        js_push_text(from, experiment_marker(&run->exp, b->before, b->channel));
    if (b->after && b->after != b->before)
        js_push_text(from, experiment_marker(&run->exp, b->after, b->channel));
    js_set(c, "blank", from);
    js_set_number(c, "blank_channel", b->channel);
    js_set_number(c, "scale", fit->scale);
    js_set_bool(c, "scale_by_exposure", b->scale > 0);
    if (fit->field.rows) {
        js_set_number(c, "regions", (double)fit->field.rows * fit->field.cols);
        js_set_number(c, "regions_with_own_line", fit->field.own);
    }
    js_set_number(c, "offset", fit->offset);
    js_set_number(c, "spread", fit->spread);
    js_set_number(c, "explained", fit->explained);
    js_set_number(c, "left", fit->left);
    js_set_number(c, "removed", fit->removed);
    js_set_number(c, "clipped", fit->clipped);
    js_set_number(c, "quality", fit->quality);
    js_set_number(c, "blank_shift_px", hypot(fit->shift[0], fit->shift[1]));
    js_set_bool(c, "failed", fit->failed);
    if (fit->note[0])
        js_set_text(c, "note", fit->note);
    return c;
}

// Where a channel goes: its numbers, and a file unless it is kept.
struct outcome {
    struct qc_scan *scan;
    struct kin_tiff_writer *writer;
};

static bool take_rows(void *user, int z, int count, const void *rows, struct kin_error *err)
{
    struct outcome *to = user;
    (void)z;
    qc_scan_rows(to->scan, rows, count);
    return !to->writer || kin_tiff_append(to->writer, rows, count, err);
}

static bool outcome_open(const struct run *run, struct outcome *to, const char *out, bool keep,
                         struct kin_dims dims, struct kin_error *err)
{
    struct kin_tiff_options options = {.pixel_nm = experiment_pixel(&run->exp)};
    *to = (struct outcome){.scan = qc_scan_new(dims.y, dims.x, run->threads, err)};
    return to->scan && (keep || (to->writer = kin_tiff_create(out, dims, KIN_U16, &options, err)));
}

static bool outcome_close(struct run *run, struct outcome *to, bool fine, int cycle, int channel,
                          struct kin_error *err)
{
    struct qc_plane plane = {0};
    if (to->scan)
        plane = qc_scan_end(to->scan);
    if (fine && to->writer)
        fine = kin_tiff_commit(to->writer, err);
    else
        kin_tiff_abandon(to->writer);
    if (fine)
        js_push(run->planes, qc_plane_js(cycle, channel,
                                         experiment_marker(&run->exp, cycle, channel), 0, &plane));
    return fine;
}

static void tell_fit(struct run *run, int cycle, int channel, const struct blank *b,
                     const struct isolate_fit *fit)
{
    if (qc_judge(qc_limit_find("isolate", "blank_shift_px"), hypot(fit->shift[0], fit->shift[1])) >
        QC_GREEN)
        stage_say(&run->stage, "%s: shows what the blank shows (%.0f, %.0f) px beside it",
                  experiment_marker(&run->exp, cycle, channel), fit->shift[0], fit->shift[1]);
    stage_say(&run->stage, "%s: scale %.3f of %s, offset %.0f, quality %.2f%s%s",
              experiment_marker(&run->exp, cycle, channel), fit->scale,
              b->before ? "the blank" : "the later blank", fit->offset, fit->quality,
              fit->note[0] ? "; " : "", fit->note);
    js_push(run->channels, fit_json(run, cycle, channel, b, fit));
}

// Measures and subtracts; the numbers are made again even when the output is kept, since the report
// holds them.
static bool isolate_one(struct run *run, int cycle, int channel, const char *in, const char *out,
                        bool keep, struct kin_error *err)
{
    struct isolate_fit fit = {0};
    struct images g = {.path = in};
    struct outcome to = {0};
    struct blank b = choose_blank(run, cycle, channel);
    struct isolate_params params = {o.bin, o.smooth, o.max_scale, o.region, b.scale};
    g.marker = stage_plane(in, &g.pair.marker, err);
    bool fine = g.marker && open_blank(run, &b, &g, err) &&
                isolate_measure(&g.pair, &params, &fit, err) &&
                outcome_open(run, &to, out, keep, g.pair.marker.dims, err) &&
                isolate_apply(&g.pair, &params, run->threads, &fit,
                              &(struct kin_sink){KIN_U16, take_rows, &to}, err);
    images_close(&g);
    fine = outcome_close(run, &to, fine, cycle, channel, err);
    if (fine)
        tell_fit(run, cycle, channel, &b, &fit);
    isolate_fit_free(&fit);
    return fine;
}

// The nuclear stain, and every marker when there is no blank.
static bool pass_on(struct run *run, int cycle, int channel, const char *in, const char *out,
                    bool keep, struct kin_error *err)
{
    struct kin_source source;
    struct outcome to = {0};
    struct kin_stack *image = stage_plane(in, &source, err);
    bool fine = image && outcome_open(run, &to, out, keep, source.dims, err) &&
                kin_pass_plane(&source, &(struct kin_sink){KIN_U16, take_rows, &to}, err);
    kin_stack_close(image);
    return outcome_close(run, &to, fine, cycle, channel, err);
}

// Blanks, and the nuclear images of other cycles than the reference.
static bool is_left_out(const struct run *run, int cycle, int channel)
{
    return is_blank(run, cycle, channel) ||
           (is_nuclear(run, channel) && cycle != run->exp.reference_cycle);
}

static struct timespec newest_blank(const struct run *run)
{
    char path[PATH];
    struct timespec newest = {0};
    for (int i = 0; i < run->exp.cycles * run->exp.channels; i++)
        if (is_blank(run, cycle_of(run, i), channel_of(run, i))) {
            input_path(run, cycle_of(run, i), channel_of(run, i), path);
            newest = stage_later(newest, path);
        }
    return newest;
}

static bool one_channel(struct run *run, int cycle, int channel, bool any_blank,
                        struct kin_error *err)
{
    char in[PATH];
    if (is_left_out(run, cycle, channel))
        return true;
    input_path(run, cycle, channel, in);
    const char *out = output_path(run, cycle, channel);
    struct timespec newest = stage_later(newest_blank(run), in);
    if (o.exposures)
        newest = stage_later(newest, o.exposures);
    bool keep = stage_has(&run->stage, out, newest);
    bool plain = is_nuclear(run, channel) || !any_blank;
    return stage_input(in, "register", 0, err) &&
           (plain ? pass_on : isolate_one)(run, cycle, channel, in, out, keep, err);
}

static bool write_report(struct run *run, bool any_blank, struct kin_error *err)
{
    struct js *root = js_object();
    js_set_text(root, "stage", "isolate");
    js_set_bool(root, "blank_channels", any_blank);
    if (!any_blank)
        js_set_text(root, "note",
                    "the experiment has no blank channel: images were passed on as they are");
    js_set(root, "channels", run->channels);
    js_set(root, "planes", run->planes);
    run->channels = run->planes = NULL;
    bool fine = stage_write_report(project, "isolate.json", root, err);
    if (fine && o.common.json)
        stage_print(&run->stage, root);
    js_free(root);
    return fine;
}

// For QuPath and napari.
static bool write_ome(struct run *run, struct kin_error *err)
{
    return stage_ome(&run->stage, project, &run->exp, "isolated.ome.tif", run->done, run->done_n,
                     o.compression, err);
}

// Of which channel each image is, and which are blanks.
static uint64_t hash_channels(const struct run *run)
{
    uint64_t hash = experiment_names_hash(&run->exp, 1, run->exp.cycles);
    for (int i = 0; i < run->exp.cycles * run->exp.channels; i++) {
        bool blank = is_blank(run, cycle_of(run, i), channel_of(run, i));
        hash = kin_hash_more(hash, &blank, sizeof blank);
    }
    return hash;
}

static bool work(struct run *run, struct kin_error *err)
{
    char dir[PATH], recipe[STAGE_RECIPE];
    bool any_blank = false, any_left = false;
    int total = run->exp.cycles * run->exp.channels;
    for (int i = 0; i < total; i++) {
        any_blank |= is_blank(run, cycle_of(run, i), channel_of(run, i));
        any_left |= !is_left_out(run, cycle_of(run, i), channel_of(run, i));
    }
    if (!any_left)
        return kin_fail(err, KIN_INPUT,
                        "every channel is a blank, by its name in meta/CHANNELNAMES.txt or by "
                        "--blank: no image would be left");
    snprintf(dir, sizeof dir, "%s/data/processed/signal_isolated", project);
    snprintf(recipe, sizeof recipe,
             "isolate 3 blank=%s smooth=%g bin=%d max=%g region=%d ome=%s channels=%" PRIx64
             " nuclear=%d reference=%d%s%s\n",
             o.blank ? o.blank : "", o.smooth, o.bin, o.max_scale, o.region, o.compression,
             hash_channels(run), run->exp.nuclear_channel, run->exp.reference_cycle,
             o.exposures ? " exposures=" : "", o.exposures ? o.exposures : "");
    if (!stage_begin(&run->stage, "signal_isolation", 0, dir, recipe, &o.common, err))
        return false;
    if (!any_blank)
        stage_say(
            &run->stage,
            "no channel is named Blank and none was given with --blank: images are passed on");
    run->channels = js_array();
    run->planes = js_array();
    for (int i = 0; i < total; i++) {
        if (i + 1 < total) {
            char next[PATH];
            input_path(run, cycle_of(run, i + 1), channel_of(run, i + 1), next);
            kin_tiff_expect(next);
        }
        if (!one_channel(run, cycle_of(run, i), channel_of(run, i), any_blank, err))
            return false;
        kin_tell(&run->stage.progress, i + 1, total, "channels:");
    }
    return write_ome(run, err) && write_report(run, any_blank, err) &&
           stage_finish(&run->stage, err);
}

// What --blank names, separated by commas.
static bool split_names(struct run *run, struct kin_error *err)
{
    char *save = NULL;
    const char *given = o.blank ? o.blank : "";
    if (snprintf(run->names, sizeof run->names, "%s", given) >= (int)sizeof run->names)
        return kin_fail(err, KIN_INPUT, "--blank: its names are too long together");
    for (char *name = strtok_r(run->names, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
        if (run->named_n == MOST_NAMES)
            return kin_fail(err, KIN_INPUT, "--blank: more than %d names", MOST_NAMES);
        run->named[run->named_n++] = name;
    }
    return true;
}

// A name given by hand must be a channel.
static bool check_names(const struct run *run, struct kin_error *err)
{
    for (int i = 0; i < run->named_n; i++) {
        bool found = false;
        for (int k = 0; k < run->exp.cycles * run->exp.channels; k++)
            found |= !strcmp(experiment_marker(&run->exp, cycle_of(run, k), channel_of(run, k)),
                             run->named[i]);
        if (!found)
            return kin_fail(err, KIN_INPUT,
                            "--blank %s: no channel has that name (see meta/CHANNELNAMES.txt)",
                            run->named[i]);
    }
    return true;
}

int cmd_isolate(int argc, char **argv)
{
    struct kin_error err = {0};
    static struct run run;
    int status;
    if (!options_parse(&command, argc, argv, &status))
        return status;
    if (o.region && o.region < 64)
        return options_mistake(&command, "--region %d: 0, or at least 64 px", o.region);
    struct device *dev = options_device(&o.common, &err); // checks --device, settles the threads
    bool fine = dev && experiment_read(project, &run.exp, &err) && split_names(&run, &err);
    if (fine) {
        experiment_registered(project, &run.exp);
        run.threads = dev->threads;
        run.done = calloc((size_t)run.exp.cycles * run.exp.channels, sizeof *run.done);
        fine = (run.done || kin_fail(&err, KIN_MEMORY, "no memory for file names")) &&
               check_names(&run, &err) &&
               (!o.exposures || exposures_read(o.exposures, run.exp.cycles, run.exp.channels,
                                               &run.exposures, &err)) &&
               work(&run, &err);
    }
    js_free(run.channels);
    js_free(run.planes);
    free(run.done);
    exposures_free(&run.exposures);
    device_close(dev);
    experiment_free(&run.exp);
    return fine ? 0 : stage_failed("isolate", &err);
}
