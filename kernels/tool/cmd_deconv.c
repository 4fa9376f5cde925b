// SPDX-License-Identifier: MIT
/* cmd_deconv.c: `kintsugi-image deconv PROJECT --cycle N`: the stitched planes of a cycle,
 * deconvolved.
 *
 *     data/processed/stitched/cycNN/CHn/ZZ.tif
 *         ->  data/processed/deconvolved/cycNN/CHn/deconv_ZZZ.tif
 *             data/processed/deconvolved/cycNN/CHn/psf.tif
 *             data/processed/deconvolved/cycNN/CHn/decon.json
 *             data/processed/deconvolved/cycNN/CHn/DECONV_parameters.txt
 *             data/processed/qc/decon_cycNN.json
 *
 * A channel is finished when its DECONV_parameters.txt is there: it is written after everything
 * else. */
#include "core/histogram.h"
#include "core/part.h"
#include "deconv/deconv.h"
#include "image/psf.h"
#include "tool/ahead.h"
#include "tool/stage.h"
#include "tool/verbs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    struct common common;
    int cycle, iterations;
    struct int_list channels;
    bool plain, from_data;
    double stop, smooth, tv, damping, offset, gain, na, immersion_ri, sample_ri, depth, slit, focal;
    const char *boundary, *psf, *model, *rescale;
} o;
static const char *project;

#define PSF_MODELS "debye|born-wolf|lsdeconv|gibson-lanni" /* as in enum kin_psf_model */

static const struct option rows[] = {
    OPTIONS_CYCLE(&o.cycle, &o.channels),
    {"iterations", OPTION_INT, "", "0",
     "Richardson-Lucy steps; 0: 10, or 5 plain ones if the foreground's median is below 60 "
     "photo-electrons",
     &o.iterations, 0, KIN_DECONV_STEPS},
    {"plain", OPTION_FLAG, "", "",
     "no Biggs-Andrews acceleration (25 steps then do what 10 do with it)", &o.plain},
    {"stop", OPTION_REAL, "%", "0", "stop when a step's change shrinks by less than this; 0: never",
     &o.stop, 0, 99},
    {"smooth", OPTION_REAL, "px", "-1",
     "sigma of a Gaussian over the data first; 0: none; -1: 1 px below 60 photo-electrons, else "
     "none",
     &o.smooth, -1, 100},
    {"tv", OPTION_REAL, "", "0",
     "total variation: 0.001 to 0.02 keeps edges and suppresses noise over many steps; 0: none",
     &o.tv, 0, 0.1},
    {"damping", OPTION_REAL, "", "0",
     "as in LsDeconv: share of the 26 neighbours mixed into each step, 0 to 0.1", &o.damping, 0,
     0.5},
    {"start-from-data", OPTION_FLAG, "", "", "start from the data instead of a flat volume",
     &o.from_data},
    {"boundary", OPTION_TEXT, "reflect|circular", "reflect",
     "what is assumed outside of the volume", &o.boundary},
    {"offset", OPTION_REAL, "ADU", "0",
     "value without light in the stitched planes (stitch subtracts it)", &o.offset, 0, 65535},
    {"gain", OPTION_REAL, "ADU", "(experiment.json, else 1)", "value of one photo-electron",
     &o.gain, 0, 1e6},
    {"psf", OPTION_TEXT, "FILE", "",
     "use this measured PSF (TIFF, one page per plane), not a computed one", &o.psf},
    {"psf-model", OPTION_TEXT, PSF_MODELS, "debye", "how the PSF is computed", &o.model},
    {"na", OPTION_REAL, "", "(experiment.json)", "numerical aperture", &o.na, 0, 2},
    {"immersion-ri", OPTION_REAL, "", "(experiment.json, else 1.0)",
     "refractive index between objective and slide", &o.immersion_ri, 0, 3},
    {"sample-ri", OPTION_REAL, "", "(experiment.json)",
     "refractive index of the tissue, for gibson-lanni", &o.sample_ri, 0, 3},
    {"depth", OPTION_REAL, "nm", "0",
     "depth of the tissue below the glass, for gibson-lanni; the first plane is the one nearest to "
     "it",
     &o.depth, 0, 1e7},
    {"slit", OPTION_REAL, "mm", "6.5", "width of the light sheet's slit, for lsdeconv", &o.slit,
     1e-3, 1e3},
    {"focal", OPTION_REAL, "mm", "1", "focal length of its cylinder lens, for lsdeconv", &o.focal,
     1e-3, 1e3},
    {"rescale", OPTION_TEXT, "none|kintsugi", "none",
     "none keeps intensities; kintsugi clips 0.01 % and 99.99 % of the stack and stretches to "
     "the raw maximum",
     &o.rescale},
    OPTIONS_COMMON(&o.common),
};
static const struct operand operands[] = {{"PROJECT", "the project's directory", &project}};
static const struct command command = {
    "deconv",
    "Deconvolves the stitched planes of a cycle (Richardson-Lucy).",
    rows,
    ROWS(rows),
    operands,
    1,
    "The PSF is that of a widefield microscope in units of the stage: emission wavelength, pixel "
    "size, plane\n"
    "distance and aperture come from meta/experiment.json. Blocks are as large as --memory "
    "allows."};

/* One channel on its way. */
struct channel {
    int number, planes;
    char dir[4200];
    char **inputs;                    /* (planes), owned */
    struct kin_tiff_writer **writers; /* (planes), owned */
    uint32_t *bins; /* (planes, KIN_BINS), owned: what was written; NULL: nobody asks */
    struct kin_dims dims;
    struct kin_tiff_options options; /* of what is written */
};

/* ---- words on the command line --------------------------------------------------------------- */

static void read_words(struct kin_deconv_params *params, enum kin_psf_model *model, bool *rescale)
{
    *params = (struct kin_deconv_params){.iterations = o.iterations,
                                         .accelerate = !o.plain,
                                         .stop_percent = o.stop,
                                         .smooth = (float)o.smooth,
                                         .tv = o.tv,
                                         .damping = o.damping,
                                         .boundary = !strcmp(o.boundary, "circular") ? KIN_CIRCULAR
                                                                                     : KIN_REFLECT,
                                         .start_from_data = o.from_data,
                                         .offset = (float)o.offset,
                                         .gain = (float)o.gain,
                                         .memory = (size_t)o.common.memory << 20};
    *model = (enum kin_psf_model)options_choice(o.model, PSF_MODELS);
    *rescale = !strcmp(o.rescale, "kintsugi");
}

/* What --option did not say, experiment.json does. */
static void fill_defaults(const struct experiment *exp)
{
    o.na = o.na > 0 ? o.na : exp->na;
    o.immersion_ri = o.immersion_ri > 0 ? o.immersion_ri : exp->immersion_ri;
    o.sample_ri = o.sample_ri > 0 ? o.sample_ri : exp->tissue_ri;
    o.gain = o.gain > 0 ? o.gain : isnan(exp->gain) ? 1 : exp->gain;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool channel_new(struct channel *ch, const struct experiment *exp, int number,
                        struct kin_error *err)
{
    *ch = (struct channel){
        .number = number, .planes = exp->planes, .options = {.pixel_nm = experiment_pixel(exp)}};
    snprintf(ch->dir, sizeof ch->dir, "%s/data/processed/deconvolved/cyc%02d/CH%d", project,
             o.cycle, number);
    ch->inputs = calloc((size_t)ch->planes, sizeof *ch->inputs);
    ch->writers = calloc((size_t)ch->planes, sizeof *ch->writers);
    bool good = ch->inputs && ch->writers;
    for (int z = 0; good && z < ch->planes; z++)
        good = asprintf(&ch->inputs[z], "%s/data/processed/stitched/cyc%02d/CH%d/%02d.tif", project,
                        o.cycle, number, z + 1) > 0;
    return good || kin_fail(err, KIN_MEMORY, "no memory for the names of %d planes", ch->planes);
}

static void channel_free(struct channel *ch)
{
    for (int z = 0; z < ch->planes; z++) {
        if (ch->writers)
            kin_tiff_abandon(ch->writers[z]);
        if (ch->inputs)
            free(ch->inputs[z]);
    }
    free(ch->inputs);
    free(ch->writers);
    free(ch->bins);
}

static void output_path(const struct channel *ch, int z, char *path, size_t size)
{
    snprintf(path, size, "%s/deconv_%03d.tif", ch->dir, z + 1);
}

static void json_path(const struct channel *ch, char *path, size_t size)
{
    snprintf(path, size, "%s/decon.json", ch->dir);
}

/* Whether everything of this channel is there and newer than its inputs. */
static bool channel_done(const struct stage *stage, const struct channel *ch)
{
    static const char *const beside[] = {"psf.tif", "decon.json", "DECONV_parameters.txt"};
    struct timespec newest = {0};
    char path[4400];
    for (int z = 0; z < ch->planes; z++)
        newest = stage_later(newest, ch->inputs[z]);
    if (o.psf)
        newest = stage_later(newest, o.psf);
    for (int z = 0; z < ch->planes; z++) {
        output_path(ch, z, path, sizeof path);
        if (!stage_has(stage, path, newest))
            return false;
    }
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", ch->dir, beside[i]);
        if (!stage_has(stage, path, newest))
            return false;
    }
    return true;
}

static bool on_rows(void *user, int z, int count, const void *src, struct kin_error *err)
{
    struct channel *ch = user;
    if (ch->bins) /* the rows of a plane come one after the other */
        kin_count_u16(ch->bins + (size_t)z * KIN_BINS, src, (size_t)count * (size_t)ch->dims.x);
    return kin_tiff_append(ch->writers[z], src, count, err);
}

static bool open_writers(struct channel *ch, struct kin_dims dims, struct kin_error *err)
{
    char path[4400];
    ch->dims = dims;
    for (int z = 0; z < ch->planes; z++) {
        output_path(ch, z, path, sizeof path);
        ch->writers[z] = kin_tiff_create(path, (struct kin_dims){1, dims.y, dims.x}, KIN_U16,
                                         &ch->options, err);
        if (!ch->writers[z])
            return false;
    }
    return true;
}

/* Puts the planes in place. Until there is a report again, they do not count as finished: they may
 * yet be rescaled. */
static bool commit_writers(struct channel *ch, struct kin_error *err)
{
    char report[4400];
    json_path(ch, report, sizeof report);
    bool good = !unlink(report) || errno == ENOENT ||
                kin_fail(err, KIN_IO, "cannot remove %s: %s", report, strerror(errno));
    for (int z = 0; z < ch->planes; z++) {
        struct kin_tiff_writer *writer = ch->writers[z];
        ch->writers[z] = NULL;
        if (good)
            good = kin_tiff_commit(writer, err);
        else
            kin_tiff_abandon(writer);
    }
    return good;
}

/* ---- KINTSUGI's rescaling -------------------------------------------------------------------- */

/* How often each value occurs in all planes: (KIN_BINS), the caller's; NULL: no memory. */
static uint64_t *count_all(const struct channel *ch)
{
    uint64_t *bins = calloc(KIN_BINS, sizeof *bins);
    for (size_t i = 0; bins && i < (size_t)ch->planes * KIN_BINS; i++)
        bins[i % KIN_BINS] += ch->bins[i];
    return bins;
}

static bool rescale_plane(const struct channel *ch, const char *path, const uint16_t *table,
                          struct kin_error *err)
{
    struct kin_image image;
    if (!kin_tiff_read(path, &image, err))
        return false;
    for (size_t i = 0; i < kin_count(image.dims); i++)
        kin_u16(&image)[i] = table[kin_u16(&image)[i]];
    bool good = kin_tiff_write(path, &image, &ch->options, err);
    kin_image_free(&image);
    return good;
}

static bool rescale_channel(const struct channel *ch, float top, struct kin_error *err)
{
    char path[4400];
    uint64_t *bins = count_all(ch);
    uint16_t *table = malloc(KIN_BINS * sizeof *table);
    bool good = (bins && table) ||
                kin_fail(err, KIN_MEMORY, "no memory for a table of intensities");
    int low = good ? kin_quantile_u16(bins, 0.0001) : 0,
        high = good ? kin_quantile_u16(bins, 0.9999) : 0;
    for (int i = 0; good && i < KIN_BINS; i++) {
        double share = high > low ? (double)(i - low) / (high - low) : 0;
        table[i] = kin_round_u16((float)(fmin(fmax(share, 0), 1) * top));
    }
    for (int z = 0; good && z < ch->planes; z++) {
        output_path(ch, z, path, sizeof path);
        good = rescale_plane(ch, path, table, err);
    }
    free(bins);
    free(table);
    return good;
}

/* ---- what is said about a channel ------------------------------------------------------------ */

/* A measured PSF moves everything by what it is off its centre: an even one, or one that was cut
 * carelessly. */
static bool is_off_centre(const struct kin_image *psf, char *note, size_t size)
{
    double shift[3];
    kin_psf_shift(psf, shift);
    snprintf(
        note, size,
        "the light of %.60s lies %.2f planes and (%.2f, %.2f) px (y, x) from sample "
        "[z/2][y/2][x/2], which is taken for its centre: the images move by as much the other way",
        o.psf ? o.psf : "the PSF", shift[0], shift[1], shift[2]);
    return o.psf && fmax(fabs(shift[0]), fmax(fabs(shift[1]), fabs(shift[2]))) > 0.4;
}

/* The PSF stands on numbers that nobody has stated. */
static bool is_assumed(const struct experiment *exp, int channel, char *note, size_t size)
{
    const struct {
        bool assumed;
        const char *key, *unit;
        double value;
    } optics[] = {
        {exp->assumed & EXPERIMENT_XY, "xy_pixel_size", " nm", exp->xy_nm},
        {exp->assumed & EXPERIMENT_Z, "z_step_size", " nm", exp->z_nm},
        {exp->assumed & EXPERIMENT_NA, "numerical_aperture", "", exp->na},
        {!experiment_emission(exp, channel), "emission wavelength", " nm",
         exp->emission[channel - 1]},
    };
    int n = snprintf(note, size, "meta/experiment.json does not state"), first = n;
    for (size_t i = 0; i < sizeof optics / sizeof *optics; i++)
        if (optics[i].assumed)
            n += snprintf(note + n, size - (size_t)n, "%s %s (taken to be %g%s)",
                          n > first ? "," : "", optics[i].key, optics[i].value, optics[i].unit);
    if (n > first)
        snprintf(note + n, size - (size_t)n, ": the PSF may be that of another microscope");
    return !o.psf && n > first;
}

static bool has_note(const struct channel *ch, const struct experiment *exp,
                     const struct kin_image *psf, char *note, size_t size)
{
    return is_off_centre(psf, note, size) || is_assumed(exp, ch->number, note, size);
}

static struct js *metrics(const struct channel *ch, const struct experiment *exp,
                          const struct kin_deconv_report *r, double emission,
                          const struct kin_image *psf, double seconds)
{
    char note[400];
    struct js *root = js_object(), *alphas = js_array();
    js_set_number(root, "channel", ch->number);
    js_set_text(root, "marker", experiment_marker(exp, o.cycle, ch->number));
    js_set_number(root, "iterations", r->iterations);
    js_set_bool(root, "accelerated", r->accelerated);
    js_set_number(root, "smooth_px", r->smooth);
    for (int i = 0; i < r->iterations; i++)
        js_push_number(alphas, r->alpha[i]);
    js_set(root, "acceleration", alphas);
    js_set_number(root, "flux_ratio", r->flux_ratio);
    js_set_number(root, "high_share", r->high_share);
    js_set_number(root, "foreground_photoelectrons", r->foreground);
    js_set_number(root, "emission_nm", emission);
    js_set_number(root, "psf_planes", psf->dims.z);
    js_set_number(root, "psf_width", psf->dims.x);
    if (has_note(ch, exp, psf, note, sizeof note))
        js_set_text(root, "note", note);
    js_set_number(root, "blocks", (double)r->blocks_y * r->blocks_x);
    js_set_number(root, "block_height", r->block.y);
    js_set_number(root, "block_width", r->block.x);
    js_set_number(root, "memory_mb", (double)(r->memory >> 20));
    js_set_number(root, "seconds", seconds);
    return root;
}

/* The parameters as KINTSUGI keeps them beside the planes, one a line. */
static void parameters_text(char *text, size_t size, const struct experiment *exp, double emission,
                            const struct kin_deconv_report *r, struct kin_dims psf)
{
    snprintf(text, size,
             "algorithm: Richardson-Lucy%s\niterations: %d\nstop_criterion: %g "
             "%%\ntotal_variation: %g\ndamping: %g\nsmooth: %g px\nboundary: %s\noffset: %g ADU\n"
             "psf: %s\nnumerical_aperture: %g\nimmersion_ri: %g\nemission: %g nm\nxy_pixel_size: "
             "%g nm\nz_step_size: %g nm\n"
             "psf_size: %d x %d x %d (z, y, x)\nrescale: %s\nflux_ratio: %.6f\n",
             r->accelerated ? ", Biggs-Andrews accelerated" : "", r->iterations, o.stop, o.tv,
             o.damping, r->smooth, o.boundary, o.offset, o.psf ? o.psf : o.model, o.na,
             o.immersion_ri, emission, exp->xy_nm, exp->z_nm, psf.z, psf.y, psf.x, o.rescale,
             r->flux_ratio);
}

static bool write_report(const struct channel *ch, const struct experiment *exp,
                         const struct kin_deconv_report *r, double emission,
                         const struct kin_image *psf, double seconds, struct kin_error *err)
{
    char path[4400], text[2000];
    struct js *root = metrics(ch, exp, r, emission, psf, seconds);
    snprintf(path, sizeof path, "%s/psf.tif", ch->dir);
    struct kin_tiff_options options = ch->options;
    options.plane_nm = exp->assumed & EXPERIMENT_Z ? 0 : exp->z_nm;
    bool good = kin_tiff_write(path, psf, &options, err);
    json_path(ch, path, sizeof path);
    good = good && js_write(root, path, err);
    js_free(root);
    snprintf(path, sizeof path, "%s/DECONV_parameters.txt", ch->dir);
    parameters_text(text, sizeof text, exp, emission, r, psf->dims);
    return good && kin_write_text(path, text, err);
}

/* ---- the stage ------------------------------------------------------------------------------- */

/* What is kept from one channel to the next: transfer functions serve all channels of equal
 * emission. */
struct bench {
    struct device *dev;
    struct stage *stage;
    const struct experiment *exp;
    struct ahead *ahead;
    struct kin_survey survey; /* of the channel that was looked at */
    struct kin_deconv_params params;
    enum kin_psf_model model;
    bool rescale;
    double emission; /* of psf; 0: none yet */
    struct kin_image psf;
    struct kin_deconv *deconv;
};

/* A measured PSF: one stack of planes, of the scale of the images. */
static bool read_psf(const struct stage *stage, const struct experiment *exp, struct kin_image *psf,
                     struct kin_error *err)
{
    struct kin_tiff_info info;
    if (!kin_tiff_info(o.psf, &info, err))
        return false;
    if (info.dims.z > 1 && (info.channels > 1 || (info.moments > 1 && info.slices > 1)))
        return kin_fail(err, KIN_INPUT,
                        "%s: its pages are %d channels, %d planes and %d moments; a PSF is one "
                        "stack of planes",
                        o.psf, info.channels, info.slices, info.moments);
    stage_compare_scale(stage, o.psf, &info, exp);
    return kin_psf_read(o.psf, psf, err);
}

/* For images of that size. */
static bool prepare_psf(struct bench *b, int channel, struct kin_dims image, struct kin_error *err)
{
    const struct experiment *exp = b->exp;
    double emission = exp->emission[channel - 1];
    if (b->deconv && (o.psf || b->emission == emission))
        return true;
    kin_deconv_free(b->deconv);
    b->deconv = NULL;
    kin_image_free(&b->psf);
    struct kin_psf_params p = {.model = b->model,
                               .na = o.na,
                               .immersion_ri = o.immersion_ri,
                               .sample_ri = o.sample_ri,
                               .depth_nm = o.depth,
                               .sheet_na = sin(atan(o.slit / (2 * o.focal))),
                               .excitation_nm = exp->excitation[channel - 1],
                               .emission_nm = emission,
                               .xy_nm = exp->xy_nm,
                               .z_nm = exp->z_nm};
    kin_psf_support(&p, exp->planes);
    struct kin_dims size = {2 * p.half_z + 1, 2 * p.half_xy + 1, 2 * p.half_xy + 1};
    if (!o.psf && !kin_deconv_fits(image, size, err))
        return false;
    if (!(o.psf ? read_psf(b->stage, exp, &b->psf, err) : kin_psf(&p, &b->psf, err)))
        return false;
    b->emission = emission;
    b->deconv = kin_deconv_new(b->dev, &b->psf, &b->params, err);
    return b->deconv != NULL;
}

static bool survey_channel(void *user, int number, int threads, void *seen)
{
    const struct bench *b = user;
    struct channel ch;
    struct kin_source source;
    struct kin_error none = {0};
    bool wanted = channel_new(&ch, b->exp, number, &none) && !channel_done(b->stage, &ch);
    struct kin_stack *stack = wanted ? kin_stack_open(ch.inputs, ch.planes, &source, &none) : NULL;
    bool good = stack && kin_deconv_survey(&source, b->params.offset, threads, seen, &none);
    kin_stack_close(stack);
    channel_free(&ch);
    return good;
}

static bool run_channel(struct bench *b, struct channel *ch, struct kin_error *err)
{
    const struct experiment *exp = b->exp;
    struct kin_deconv_report report;
    struct kin_source source;
    struct kin_sink sink = {KIN_U16, on_rows, ch};
    double started = stage_clock();
    struct kin_stack *stack = stage_stack(ch->inputs, ch->planes, "stitch", o.cycle, &source, err);
    bool good = stack && make_dirs(ch->dir, err);
    ch->bins = b->rescale ? calloc((size_t)ch->planes * KIN_BINS, sizeof *ch->bins) : NULL;
    if (good && b->rescale && !ch->bins)
        good = kin_fail(err, KIN_MEMORY, "no memory for the intensities of %d planes", ch->planes);
    good = good && prepare_psf(b, ch->number, source.dims, err);
    bool known = ahead_seen(b->ahead, ch->number);
    const struct kin_survey survey = b->survey;
    good = good && open_writers(ch, source.dims, err);
    if (good)
        ahead_next(b->ahead, ch->number);
    good = good && kin_deconv_volume(b->deconv, &source, known ? &survey : NULL, &sink,
                                     &b->stage->progress, &report, err);
    kin_stack_close(stack);
    good = good && commit_writers(ch, err) && (!b->rescale || rescale_channel(ch, report.top, err));
    double seconds = stage_clock() - started;
    char note[400];
    if (good && has_note(ch, exp, &b->psf, note, sizeof note))
        stage_say(b->stage, "%s", note);
    if (good)
        stage_say(b->stage, "channel %d: %d steps, light out / in %.5f, %.1f s", ch->number,
                  report.iterations, report.flux_ratio, seconds);
    return good &&
           write_report(ch, exp, &report, exp->emission[ch->number - 1], &b->psf, seconds, err);
}

static bool do_channel(struct bench *b, int number, struct kin_error *err)
{
    struct channel ch;
    bool good = channel_new(&ch, b->exp, number, err);
    kin_part_sweep(ch.dir);
    if (good && channel_done(b->stage, &ch))
        stage_say(b->stage, "channel %d is there", number);
    else if (good)
        good = run_channel(b, &ch, err) ||
               stage_place(project, err, "%s/data/processed/stitched/cyc%02d/CH%d", project,
                           o.cycle, number);
    channel_free(&ch);
    return good;
}

/* Whether a channel is finished, and where what it says lies. */
static bool report_of(const struct stage *stage, const void *exp, int number, char *path)
{
    struct channel ch;
    struct kin_error none = {0};
    bool done = channel_new(&ch, exp, number, &none) && channel_done(stage, &ch);
    json_path(&ch, path, STAGE_PATH);
    channel_free(&ch);
    return done;
}

/* Everything that the pixels depend on, and what is said of them. */
static void recipe_text(char *text, size_t size, const struct experiment *exp)
{
    int n = snprintf(
        text, size,
        "deconv 2 iterations=%d plain=%d stop=%g smooth=%g from_data=%d boundary=%s offset=%g "
        "gain=%g psf=%s model=%s na=%g immersion_ri=%g sample_ri=%g depth=%g xy=%g z=%g rescale=%s "
        "tv=%g damping=%g slit=%g focal=%g emission=",
        o.iterations, o.plain, o.stop, o.smooth, o.from_data, o.boundary, o.offset, o.gain,
        o.psf ? o.psf : "", o.model, o.na, o.immersion_ri, o.sample_ri, o.depth, exp->xy_nm,
        exp->z_nm, o.rescale, o.tv, o.damping, o.slit, o.focal);
    for (int c = 0; c < exp->channels && n > 0 && (size_t)n < size; c++)
        n += snprintf(text + n, size - (size_t)n, "%g/%g,", exp->excitation[c], exp->emission[c]);
    if (exp->assumed && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, " assumed=%x", exp->assumed);
    /* it was mirrored in z once; the other models are even, and their results stand */
    if (!o.psf && !strcmp(o.model, "gibson-lanni") && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, " planes=deeper");
}

/* An option that only another PSF depends on would change nothing without a word. */
static void note_unused(const struct stage *stage, bool depth, bool sheet)
{
    const char *given = o.psf ? "a PSF that is read from a file" : o.model;
    if (depth && (o.psf || strcmp(o.model, "gibson-lanni")))
        stage_say(stage, "--depth and --sample-ri have no effect with %s", given);
    if (sheet && (o.psf || strcmp(o.model, "lsdeconv")))
        stage_say(stage, "--slit and --focal have no effect with %s", given);
}

static bool run(const struct experiment *exp, struct kin_error *err)
{
    struct stage stage;
    bool depth = o.depth > 0 || o.sample_ri > 0, sheet = o.slit != 6.5 || o.focal != 1;
    struct bench b = {.stage = &stage, .exp = exp};
    struct int_list channels;
    char dir[4200], recipe[8000];
    fill_defaults(exp);
    if (!stage_cycle(o.cycle, exp, err))
        return false;
    read_words(&b.params, &b.model, &b.rescale);
    if (!stage_channels(&o.channels, exp, &channels, err))
        return false;
    snprintf(dir, sizeof dir, "%s/data/processed/deconvolved/cyc%02d", project, o.cycle);
    recipe_text(recipe, sizeof recipe, exp);
    b.dev = options_device(&o.common, err);
    bool good = b.dev && stage_begin(&stage, "decon", o.cycle, dir, recipe, &o.common, err);
    if (good)
        note_unused(&stage, depth, sheet);
    b.ahead = good ? ahead_new(b.dev, &channels, survey_channel, &b, &b.survey) : NULL;
    for (int i = 0; good && i < channels.count; i++)
        good = do_channel(&b, channels.values[i], err);
    ahead_end(b.ahead);
    good = good && stage_gather(&stage, project, exp->channels, report_of, exp, o.common.json, err);
    kin_deconv_free(b.deconv);
    kin_image_free(&b.psf);
    device_close(b.dev);
    return good;
}

int cmd_deconv(int argc, char **argv)
{
    struct kin_error err = {0};
    struct experiment exp;
    int status;
    if (!options_parse(&command, argc, argv, &status))
        return status;
    if (!experiment_read(project, &exp, &err))
        return stage_failed("deconv", &err);
    if (o.na > 0)
        exp.assumed &= ~(unsigned)EXPERIMENT_NA;
    bool good = run(&exp, &err) || (options_retreat(&o.common, &err) && run(&exp, &err));
    experiment_free(&exp);
    return good ? 0 : stage_failed("deconv", &err);
}
