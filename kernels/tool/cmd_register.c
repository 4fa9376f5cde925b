// SPDX-License-Identifier: MIT
// cmd_register.c: `kintsugi-image register PROJECT`: every cycle onto the reference cycle.
//
//   data/processed/edf/cycNN/MARKER.tif          read
//   data/processed/registered/transforms.json    written when all cycles are measured
//   data/processed/registered/cycNN/MARKER.tif   each warped once, on the reference's canvas
//   data/processed/registered/coverage_cycNN.tif 255 where the cycle has pixels
//   data/processed/registered/registered.ome.tif all of them
//   data/processed/qc/registration.json          maps and block numbers; registration_planes.json:
//   pixels
//
// A cycle that does not fit is named and ends the stage: nothing is copied unregistered.
#include "core/part.h"
#include "core/rank.h"
#include "qc/json.h"
#include "regist/compare.h"
#include "regist/transforms.h"
#include "regist/warping.h"
#include "tool/stage_ome.h"
#include "tool/verbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4300 };

static struct {
    struct common common;
    int reference, channel;
    const char *nonrigid, *compression;
    double min_ncc, max_shift, field_limit;
} o;
static const char *project;

static const struct option rows[] = {
    {"reference", OPTION_INT, "cycle", "0",
     "cycle that the others are brought onto; 0: by experiment.json", &o.reference},
    {"channel", OPTION_INT, "", "0", "nuclear channel to register by; 0: by experiment.json",
     &o.channel},
    {"nonrigid", OPTION_TEXT, "auto|on|off", "auto",
     "use a smooth displacement field after the affine map", &o.nonrigid},
    {"field-limit", OPTION_REAL, "px", "10", "largest displacement of that field", &o.field_limit,
     0, WARP_FIELD_MOST},
    {"min-ncc", OPTION_REAL, "", "0.2", "refuse a cycle with a lower median correlation of blocks",
     &o.min_ncc, -1, 1},
    {"max-shift", OPTION_REAL, "share of the canvas", "0.25", "refuse a cycle that moved further",
     &o.max_shift, 0, 1},
    {"compression", OPTION_TEXT, STAGE_COMPRESSIONS, "deflate",
     "compression of registered.ome.tif; zstd is not read by QuPath, Fiji and OMERO",
     &o.compression},
    OPTIONS_COMMON(&o.common),
};
static const struct operand operands[] = {{"PROJECT", "the project's directory", &project}};
static const struct command command = {
    "register",
    "Brings all cycles onto the reference cycle by its nuclear channel.",
    rows,
    ROWS(rows),
    operands,
    1,
    "Reads data/processed/edf, writes data/processed/registered. Exit status 1 if a cycle does not "
    "fit."};

struct run {
    struct experiment exp;
    struct stage stage;
    struct device *dev;
    struct transforms transforms;
    struct js *planes, *looks; // of the QC report: of each image, of each cycle's nuclear one
};

// ---- names -----------------------------------------------------------------------------------

static void input_path(const struct run *run, int cycle, int channel, char *path)
{
    char name[100];
    experiment_file_name(&run->exp, cycle, channel, name, sizeof name);
    snprintf(path, PATH, "%s/data/processed/edf/cyc%02d/%s.tif", project, cycle, name);
}

static void output_path(const struct run *run, int cycle, int channel, char *path)
{
    char name[100];
    experiment_file_name(&run->exp, cycle, channel, name, sizeof name);
    snprintf(path, PATH, "%s/cyc%02d/%s.tif", run->stage.dir, cycle, name);
}

static bool in_stage(const struct run *run, char *path, const char *name)
{
    return snprintf(path, PATH, "%s/%s", run->stage.dir, name) < PATH;
}

// The image that is read next; a cycle beyond the last is none.
static void expect(const struct run *run, int cycle, int channel)
{
    char path[PATH];
    if (cycle > run->exp.cycles)
        return;
    input_path(run, cycle, channel, path);
    kin_tiff_expect(path);
}

// ---- measuring -------------------------------------------------------------------------------

static size_t memory_limit(void)
{
    return (size_t)o.common.memory << 20;
}

static struct regist_params params_of(void)
{
    struct regist_params p = regist_defaults();
    p.field = !strcmp(o.nonrigid, "off")  ? REGIST_FIELD_OFF
              : !strcmp(o.nonrigid, "on") ? REGIST_FIELD_ON
                                          : REGIST_FIELD_AUTO;
    p.field_limit = o.field_limit;
    p.min_ncc = o.min_ncc;
    p.max_shift = o.max_shift;
    p.memory = memory_limit();
    return p;
}

static bool align_cycle(struct run *run, struct regist *reference, int i, struct kin_error *err)
{
    char path[PATH];
    struct kin_source moving;
    int cycle = run->transforms.cycle[i];
    struct regist_result *result = &run->transforms.result[i];
    input_path(run, cycle, o.channel, path);
    struct kin_stack *plane = stage_plane(path, &moving, err);
    bool fine = plane && regist_align(reference, &moving, result, err);
    kin_stack_close(plane);
    if (fine)
        stage_say(
            &run->stage,
            "cycle %d: %s%s, shift (%.2f, %.2f) px, NCC %.2f, %.2f px left, %d of %d blocks%s%s",
            cycle, result->model, result->field ? " and field" : "", result->map.t[0],
            result->map.t[1], result->ncc_median, result->residual_median, result->accepted,
            result->blocks, result->refused ? "; REFUSED: " : "", result->why);
    return fine;
}

static bool measure(struct run *run, struct kin_error *err)
{
    char path[PATH];
    struct kin_source source = {0};
    struct regist_params params = params_of();
    input_path(run, o.reference, o.channel, path);
    struct kin_stack *plane = stage_plane(path, &source, err);
    struct regist *reference = plane ? regist_open(run->dev, &source, &params, err) : NULL;
    if (!reference)
        stage_place(project, err, "%s", path);
    bool fine = reference && transforms_alloc(&run->transforms, run->exp.cycles, err);
    run->transforms.reference = o.reference;
    run->transforms.canvas = source.dims;
    for (int i = 0; i < run->exp.cycles && fine; i++) {
        expect(run, i + 2, o.channel);
        run->transforms.cycle[i] = i + 1;
        if (i + 1 == o.reference)
            run->transforms.result[i] = regist_identity(run->transforms.canvas);
        else
            fine = align_cycle(run, reference, i, err);
        kin_tell(&run->stage.progress, i + 1, run->exp.cycles, "cycles measured:");
    }
    regist_close(reference);
    kin_stack_close(plane);
    return fine;
}

// Names every cycle that does not fit.
static bool all_fit(const struct transforms *t, struct kin_error *err)
{
    char text[sizeof err->text] = "";
    int bad = 0;
    for (int i = 0; i < t->count; i++)
        if (t->result[i].refused) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s cycle %d (%s)", bad ? "," : "",
                     t->cycle[i], t->result[i].why);
            bad++;
        }
    return !bad || kin_fail(err, KIN_INPUT, "not registered:%s", text);
}

// ---- the report ------------------------------------------------------------------------------

// Block numbers as a small map for the QC page: at most 24 x 24 cells of medians.
enum { CELLS = 24 };

// Of a block; NAN: it does not count.
static double ncc_of(const struct probe_point *p)
{
    return p->fill >= 0.7f ? p->ncc : NAN;
}

static double left_of(const struct probe_point *p)
{
    return p->fill >= 0.7f && p->quality >= 6 ? hypot(p->dy, p->dx) : NAN;
}

// The median of a number over the blocks of each of rows_n x cols_n cells; scratch: room for all.
static struct js *cell_medians(const struct regist_result *r, struct kin_dims canvas, int rows_n,
                               int cols_n, double (*number)(const struct probe_point *),
                               double *scratch)
{
    struct js *list = js_array();
    for (int cell = 0; scratch && cell < rows_n * cols_n; cell++) {
        size_t n = 0;
        for (int i = 0; i < r->points_n; i++) {
            const struct probe_point *p = &r->points[i];
            int row = (int)(p->y * (float)rows_n / (float)canvas.y),
                col = (int)(p->x * (float)cols_n / (float)canvas.x);
            if (row * cols_n + col == cell && !isnan(number(p)))
                scratch[n++] = number(p);
        }
        js_push_number(list, n ? kin_rank_f64(scratch, n, n / 2) : NAN);
    }
    return list;
}

static struct js *block_map(const struct regist_result *r, struct kin_dims canvas)
{
    struct js *map = js_object();
    int rows_n = canvas.y / 512 + 2, cols_n = canvas.x / 512 + 2;
    rows_n = rows_n > CELLS ? CELLS : rows_n;
    cols_n = cols_n > CELLS ? CELLS : cols_n;
    double *scratch = malloc((size_t)(r->points_n + 1) * sizeof *scratch);
    js_set_number(map, "rows", rows_n);
    js_set_number(map, "cols", cols_n);
    js_set(map, "ncc", cell_medians(r, canvas, rows_n, cols_n, ncc_of, scratch));
    js_set(map, "displacement_px", cell_medians(r, canvas, rows_n, cols_n, left_of, scratch));
    free(scratch);
    return map;
}

static struct js *cycle_report(const struct transforms *t, int i)
{
    const struct regist_result *r = &t->result[i];
    struct js *c = js_object();
    js_set_number(c, "cycle", t->cycle[i]);
    js_set_text(c, "model", r->model);
    js_set_bool(c, "field", r->field);
    js_set_number(c, "shift_y_px", r->map.t[0]);
    js_set_number(c, "shift_x_px", r->map.t[1]);
    js_set_number(c, "rotation_deg",
                  atan2(r->map.a[2] - r->map.a[1], r->map.a[0] + r->map.a[3]) * 180 / M_PI);
    js_set_number(c, "scale", sqrt(fabs(r->map.a[0] * r->map.a[3] - r->map.a[1] * r->map.a[2])));
    js_set_number(c, "ncc", r->ncc_median);
    js_set_number(c, "agreeing", r->agreeing);
    js_set_number(c, "displacement_median_px", r->residual_median);
    js_set_number(c, "displacement_p95_px", r->residual_p95);
    js_set_number(c, "displacement_max_px", r->residual_max);
    js_set_number(c, "field_p95_px", r->u_p95);
    js_set_number(c, "folds", r->folds);
    js_set_number(c, "min_det", r->min_det);
    js_set_number(c, "ecc", r->ecc_correlation);
    js_set_number(c, "ecc_by_chance", r->ecc_chance);
    js_set_number(c, "ecc_elsewhere", r->ecc_elsewhere);
    js_set_number(c, "ecc_corner_px", r->ecc_corner);
    js_set_bool(c, "refused", r->refused);
    js_set_text(c, "why", r->why);
    js_set_text(c, "note", r->note);
    if (r->points_n)
        js_set(c, "map", block_map(r, t->canvas));
    return c;
}

// The blocks exist only in the run that measured them, so their report is written there and then.
static bool write_cycles(struct run *run, struct kin_error *err)
{
    struct js *root = js_object(), *cycles = js_array();
    for (int i = 0; i < run->transforms.count; i++)
        js_push(cycles, cycle_report(&run->transforms, i));
    js_set_text(root, "stage", "registration");
    js_set_number(root, "reference_cycle", run->transforms.reference);
    js_set_number(root, "nuclear_channel", o.channel);
    js_set(root, "cycles", cycles);
    bool fine = stage_write_report(project, "registration.json", root, err);
    js_free(root);
    return fine;
}

static void print_report(const struct run *run)
{
    char path[STAGE_PATH];
    stage_report_path(project, "registration.json", path);
    struct js *root = o.common.json ? js_read(path, NULL) : NULL;
    if (root)
        stage_print(&run->stage, root);
    js_free(root);
}

static bool write_planes(struct run *run, struct kin_error *err)
{
    struct js *root = js_object();
    js_set_text(root, "stage", "registration");
    js_set(root, "planes", run->planes);
    js_set(root, "cycles", run->looks);
    run->planes = run->looks = NULL;
    bool fine = stage_write_report(project, "registration_planes.json", root, err);
    js_free(root);
    return fine;
}

// ---- warping ---------------------------------------------------------------------------------

struct canvas_writer {
    struct kin_tiff_writer *image, *cover; // cover NULL: not wanted
    struct qc_scan *scan;
};

static bool write_band(struct canvas_writer *w, const uint16_t *band, const uint8_t *cover,
                       int count, struct kin_error *err)
{
    qc_scan_rows(w->scan, band, count);
    return kin_tiff_append(w->image, band, count, err) &&
           (!w->cover || kin_tiff_append(w->cover, cover, count, err));
}

static bool warp_bands(struct run *run, const struct kin_source *source, const struct warp_map *map,
                       struct canvas_writer *w, struct kin_error *err)
{
    struct kin_dims to = run->transforms.canvas;
    struct warping *warping = warping_open(run->dev, source, map, to, memory_limit());
    bool fine = warping != NULL;
    for (int y = 0, count = 0; fine && y < to.y; y += count) {
        const uint16_t *pixels;
        const uint8_t *cover;
        count = warping_next(warping, &pixels, &cover);
        fine = count && write_band(w, pixels, cover, count, err);
    }
    warping_close(warping);
    return device_ok(run->dev, err) && fine;
}

static void cover_path(const struct run *run, int cycle, char *path)
{
    snprintf(path, PATH, "%s/coverage_cyc%02d.tif", run->stage.dir, cycle);
}

static bool open_writers(struct run *run, struct canvas_writer *w, const char *out, int cycle,
                         bool cover, struct kin_error *err)
{
    char path[PATH];
    double pixel = experiment_pixel(&run->exp);
    struct kin_tiff_options plain = {.pixel_nm = pixel},
                            squeezed = {.compression = KIN_DEFLATE, .pixel_nm = pixel};
    struct kin_dims to = run->transforms.canvas;
    *w = (struct canvas_writer){.scan = qc_scan_new(to.y, to.x, run->dev->threads, err)};
    cover_path(run, cycle, path);
    w->image = w->scan ? kin_tiff_create(out, to, KIN_U16, &plain, err) : NULL;
    w->cover = w->image && cover ? kin_tiff_create(path, to, KIN_U8, &squeezed, err) : NULL;
    return w->image && (w->cover || !cover);
}

// The image last: when it is there, so is the coverage.
static bool close_writers(struct canvas_writer *w, bool fine, struct kin_error *err)
{
    if (fine && w->cover) {
        fine = kin_tiff_commit(w->cover, err);
        w->cover = NULL;
    }
    if (fine)
        return kin_tiff_commit(w->image, err);
    kin_tiff_abandon(w->cover);
    kin_tiff_abandon(w->image);
    return false;
}

static bool warp_channel(struct run *run, int cycle, int channel, const char *in, const char *out,
                         struct qc_plane *plane, struct kin_error *err)
{
    struct kin_source source;
    struct canvas_writer w;
    const struct warp_map *map = &transforms_find(&run->transforms, cycle)->map;
    struct kin_stack *image = stage_plane(in, &source, err);
    if (!image)
        return false;
    bool fine = open_writers(run, &w, out, cycle, channel == o.channel, err) &&
                warp_bands(run, &source, map, &w, err);
    fine = close_writers(&w, fine, err);
    if (w.scan)
        *plane = qc_scan_end(w.scan);
    kin_stack_close(image);
    return fine;
}

static bool one_channel(struct run *run, int cycle, int channel, struct timespec newest,
                        struct kin_error *err)
{
    char in[PATH], out[PATH], cover[PATH];
    struct qc_plane plane;
    input_path(run, cycle, channel, in);
    output_path(run, cycle, channel, out);
    newest = stage_later(newest, in);
    bool kept = stage_has(&run->stage, out, newest);
    cover_path(run, cycle, cover);
    kept = kept && (channel != o.channel || stage_has(&run->stage, cover, newest));
    if (!(kept ? qc_measure_file(out, run->dev->threads, &plane, err)
               : warp_channel(run, cycle, channel, in, out, &plane, err)))
        return false;
    js_push(run->planes,
            qc_plane_js(cycle, channel, experiment_marker(&run->exp, cycle, channel), 0, &plane));
    return true;
}

static bool warp_all(struct run *run, struct timespec newest, struct kin_error *err)
{
    char dir[PATH];
    int total = run->exp.cycles * run->exp.channels;
    run->planes = js_array();
    for (int i = 0; i < total; i++) {
        int cycle = i / run->exp.channels + 1, channel = i % run->exp.channels + 1;
        snprintf(dir, sizeof dir, "%s/cyc%02d", run->stage.dir, cycle);
        if (channel == 1)
            kin_part_sweep(dir);
        expect(run, (i + 1) / run->exp.channels + 1, (i + 1) % run->exp.channels + 1);
        if (!make_dirs(dir, err) || !one_channel(run, cycle, channel, newest, err))
            return false;
        kin_tell(&run->stage.progress, i + 1, total, "images warped:");
    }
    return true;
}

// ---- what the nuclear images show of each other ----------------------------------------------

static const struct qc_limit *limit_of(const char *metric)
{
    return qc_limit_find("registration", metric);
}

// Only the less sharp of the two is blurred: the other one's share is then noise's.
static struct js *look_report(const struct run *run, int cycle, const struct compare_spectra *found,
                              const struct compare_light *light)
{
    char note[300];
    struct js *look = js_object();
    js_set_number(look, "cycle", cycle);
    if (found->detail_b <= found->detail_a)
        js_set_number(look, "detail", found->detail_b);
    else
        js_set_number(look, "reference_detail", found->detail_a);
    js_set_number(look, "least_light", light->least);
    if (qc_judge(limit_of("least_light"), light->least) > QC_GREEN) {
        snprintf(note, sizeof note,
                 "around row %d, column %d a square of 64 px has %.0f %% of the light that the "
                 "reference has there: tissue that is gone, or a bubble?",
                 light->y, light->x, 100 * light->least);
        js_set_text(look, "note", note);
        stage_say(&run->stage, "cycle %d: %s", cycle, note);
    }
    return look;
}

static bool is_cover(const struct kin_source *source, struct kin_dims canvas, const char *path,
                     struct kin_error *err)
{
    return (source->type == KIN_U8 && source->dims.y == canvas.y && source->dims.x == canvas.x) ||
           kin_fail(err, KIN_INPUT, "%s: not a page of %d x %d 8-bit samples, as the canvas is",
                    path, canvas.x, canvas.y);
}

static bool look_at_cycle(struct run *run, struct device *cpu, int cycle, struct kin_error *err)
{
    char paths[3][PATH], *covers = paths[2];
    struct kin_source reference, moving, cover;
    struct compare_spectra found;
    struct compare_light light;
    output_path(run, o.reference, o.channel, paths[0]);
    output_path(run, cycle, o.channel, paths[1]);
    cover_path(run, cycle, covers);
    struct kin_dims canvas = run->transforms.canvas;
    struct kin_stack *a = stage_plane_like(paths[0], canvas, "the canvas", &reference, err),
                     *b = a ? stage_plane_like(paths[1], canvas, "the canvas", &moving, err) : NULL,
                     *c = b ? kin_stack_open(&covers, 1, &cover, err) : NULL;
    bool fine = c && is_cover(&cover, canvas, covers, err) &&
                compare_spectra(cpu, &reference, &moving, &found, err) &&
                compare_light(&reference, &moving, &cover, &light, err);
    kin_stack_close(a);
    kin_stack_close(b);
    kin_stack_close(c);
    if (fine)
        js_push(run->looks, look_report(run, cycle, &found, &light));
    return fine;
}

static bool look_at_all(struct run *run, struct kin_error *err)
{
    struct device *cpu = device_open(DEVICE_CPU, run->dev->threads, err);
    bool fine = cpu;
    run->looks = js_array();
    for (int cycle = 1; fine && cycle <= run->exp.cycles; cycle++)
        fine = cycle == o.reference || look_at_cycle(run, cpu, cycle, err);
    device_close(cpu);
    return fine;
}

// ---- one file of all -------------------------------------------------------------------------

static bool write_ome(struct run *run, struct kin_error *err)
{
    int n = run->exp.cycles * run->exp.channels;
    struct stage_image *images = calloc((size_t)n, sizeof *images);
    bool fine = images || kin_fail(err, KIN_MEMORY, "no memory for the names of %d images", n);
    for (int i = 0; i < n && fine; i++) {
        images[i].cycle = i / run->exp.channels + 1;
        images[i].channel = i % run->exp.channels + 1;
        output_path(run, images[i].cycle, images[i].channel, images[i].path);
    }
    fine = fine && stage_ome(&run->stage, project, &run->exp, "registered.ome.tif", images, n,
                             o.compression, err);
    free(images);
    return fine;
}

// ---- the stage -------------------------------------------------------------------------------

static bool check_options(struct run *run, struct kin_error *err)
{
    o.reference = o.reference ? o.reference : run->exp.reference_cycle;
    o.channel = o.channel ? o.channel : run->exp.nuclear_channel;
    if (o.reference < 1 || o.reference > run->exp.cycles)
        return kin_fail(err, KIN_INPUT, "--reference %d: the experiment has cycles 1 to %d",
                        o.reference, run->exp.cycles);
    if (o.channel < 1 || o.channel > run->exp.channels)
        return kin_fail(err, KIN_INPUT, "--channel %d: the experiment has channels 1 to %d",
                        o.channel, run->exp.channels);
    return true;
}

static bool make_transforms(struct run *run, const char *path, struct kin_error *err)
{
    bool fine = measure(run, err) && write_cycles(run, err) &&
                transforms_write(&run->transforms, path, err);
    transforms_free(&run->transforms);
    return fine;
}

// Whether the maps are those of the experiment's cycles, whose number may have changed since, onto
// an image of that size.
static bool maps_fit(const struct run *run, struct kin_dims reference)
{
    const struct transforms *t = &run->transforms;
    for (int cycle = 1; cycle <= run->exp.cycles; cycle++)
        if (!transforms_find(t, cycle))
            return false;
    return t->count == run->exp.cycles && t->reference == o.reference &&
           t->canvas.y == reference.y && t->canvas.x == reference.x;
}

// Measures the cycles or, when transforms.json is newer than the nuclear images and the report of
// what was measured is there, reads it. The maps are always those of the file, so that a run that
// goes on after a kill warps by the same numbers.
static bool find_transforms(struct run *run, struct timespec *newest, struct kin_error *err)
{
    char path[PATH], in[PATH], report[STAGE_PATH];
    struct timespec inputs = {0};
    struct kin_tiff_info reference;
    in_stage(run, path, "transforms.json");
    for (int cycle = 1; cycle <= run->exp.cycles; cycle++) {
        input_path(run, cycle, o.channel, in);
        inputs = stage_later(inputs, in);
    }
    input_path(run, o.reference, o.channel, in);
    stage_report_path(project, "registration.json", report);
    bool there = stage_has(&run->stage, path, inputs) && kin_is_taken(report);
    if (there &&
        !(kin_tiff_info(in, &reference, err) && transforms_read(path, &run->transforms, err)))
        return false;
    if (!there || !maps_fit(run, reference.dims)) {
        transforms_free(&run->transforms);
        if (!make_transforms(run, path, err) || !transforms_read(path, &run->transforms, err))
            return false;
    }
    *newest = stage_later(*newest, path);
    return transforms_check(&run->transforms, path, err);
}

// Better to say at once what is missing than after an hour.
static bool inputs_there(const struct run *run, struct kin_error *err)
{
    char path[PATH];
    for (int cycle = 1; cycle <= run->exp.cycles; cycle++)
        for (int channel = 1; channel <= run->exp.channels; channel++) {
            input_path(run, cycle, channel, path);
            if (!stage_input(path, "edof", cycle, err))
                return false;
        }
    return true;
}

static bool work(struct run *run, struct kin_error *err)
{
    char dir[PATH], recipe[400];
    struct timespec newest = {0};
    snprintf(dir, sizeof dir, "%s/data/processed/registered", project);
    snprintf(recipe, sizeof recipe,
             "register 2 reference=%d channel=%d nonrigid=%s limit=%g ncc=%g shift=%g ome=%s\n",
             o.reference, o.channel, o.nonrigid, o.field_limit, o.min_ncc, o.max_shift,
             o.compression);
    if (!stage_begin(&run->stage, "registration", 0, dir, recipe, &o.common, err) ||
        !inputs_there(run, err))
        return false;
    if (!find_transforms(run, &newest, err))
        return false;
    bool fine = all_fit(&run->transforms, err) && warp_all(run, newest, err) &&
                look_at_all(run, err) && write_ome(run, err) && write_planes(run, err) &&
                stage_finish(&run->stage, err);
    print_report(run);
    return fine;
}

// From the experiment to the sentinel, and everything given back.
static bool register_cycles(struct kin_error *err)
{
    static struct run run;
    run = (struct run){0};
    bool fine = experiment_read(project, &run.exp, err) && check_options(&run, err) &&
                (run.dev = options_device(&o.common, err)) && work(&run, err);
    js_free(run.planes);
    js_free(run.looks);
    transforms_free(&run.transforms);
    device_close(run.dev);
    experiment_free(&run.exp);
    return fine;
}

int cmd_register(int argc, char **argv)
{
    struct kin_error err = {0};
    int status;
    if (!options_parse(&command, argc, argv, &status))
        return status;
    bool fine = register_cycles(&err) ||
                (options_retreat(&o.common, &err) && register_cycles(&err));
    return fine ? 0 : stage_failed("register", &err);
}
