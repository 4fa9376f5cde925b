// SPDX-License-Identifier: MIT
// truth.c: each stage is one function that returns its numbers averaged over what there is to
// compare. Thresholds are those of the kernels' gates, for a whole chain on a stitched mosaic:
// errors of the stages before are in them.
#include "qc/truth.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/json.h"
#include "qc/gather.h"
#include "qc/qc.h"
#include "qc/truth_maps.h"
#include "qc/truth_places.h"

// Of the numbers that are there.
struct mean {
    double sum;
    int n;
};

static void take(struct mean *mean, double value)
{
    if (isnan(value))
        return;
    mean->sum += value;
    mean->n++;
}

static double mean_of(const struct mean *mean)
{
    return mean->n ? mean->sum / mean->n : NAN;
}

// ---- illumination ----------------------------------------------------------------------------

// Mean relative difference of two fields, each scaled to mean 1.
static double relative_error(const struct kin_image *a, const struct kin_image *b)
{
    size_t n = kin_count(a->dims);
    if (n != kin_count(b->dims))
        return NAN;
    double ma = kin_mean_f32(kin_f32(a), n), mb = kin_mean_f32(kin_f32(b), n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs(kin_f32(a)[i] / ma / (kin_f32(b)[i] / mb) - 1) / (double)n;
    return sum;
}

// NAN also where a field is of another size than the truth.
static double compare_flat(const struct comparing *c)
{
    char path[TRUTH_PATH];
    struct kin_image found, wanted;
    struct mean errors = {0};
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++)
        for (int k = 1; k <= c->exp->channels; k++) {
            truth_processed(c, path, "stitched/cyc%02d/CH%d/flat.tif", cycle, k);
            if (!truth_load(c, path, &found))
                continue;
            truth_path(c, path, "flat_ch%2$d.tif", cycle, k);
            if (truth_load(c, path, &wanted)) {
                errors.sum += relative_error(&found, &wanted);
                errors.n++;
                kin_image_free(&wanted);
            }
            kin_image_free(&found);
        }
    return mean_of(&errors);
}

// ---- images ----------------------------------------------------------------------------------

// Correlation where a third image of the same size has pixels.
static double images_ncc(const struct kin_image *found, const struct kin_image *wanted,
                         const struct kin_image *seen)
{
    size_t n = kin_count(found->dims);
    uint8_t *mask = malloc(n);
    for (size_t i = 0; mask && i < n; i++)
        mask[i] = kin_f32(seen)[i] > 0;
    double ncc = mask ? qc_ncc(kin_f32(found), kin_f32(wanted), mask, n) : NAN;
    free(mask);
    return ncc;
}

static double files_ncc(const struct comparing *c, const char *found, const char *wanted)
{
    struct kin_image a, b;
    if (!truth_load_pair(c, found, wanted, &a, &b))
        return NAN;
    double ncc = images_ncc(&a, &b, &a);
    kin_image_free(&a);
    kin_image_free(&b);
    return ncc;
}

// ---- deconvolution ---------------------------------------------------------------------------

// The stack of a stage read at the true surface, between the two nearest planes. False: a plane is
// missing.
static bool at_surface(const struct comparing *c, enum qc_stage stage, int cycle, int channel,
                       const struct kin_image *surface, struct kin_image *out)
{
    char path[TRUTH_PATH];
    if (!kin_image_alloc(out, surface->dims, KIN_F32, c->err))
        return false;
    for (int z = 1; z <= c->exp->planes; z++) {
        struct kin_image plane;
        qc_image_path(c->project, c->exp, stage, cycle, channel, z, path, sizeof path);
        if (!truth_load(c, path, &plane)) {
            kin_image_free(out);
            return false;
        }
        int h = out->dims.y < plane.dims.y ? out->dims.y : plane.dims.y,
            w = out->dims.x < plane.dims.x ? out->dims.x : plane.dims.x;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                size_t i = (size_t)y * out->dims.x + x;
                float near = 1 - fabsf(kin_f32(surface)[i] - (float)z);
                if (near > 0)
                    kin_f32(out)[i] += near * kin_f32(&plane)[(size_t)y * plane.dims.x + x];
            }
        kin_image_free(&plane);
    }
    return true;
}

// Mean of the brightest tenth of the true pixels over that of the darkest three tenths (stitching
// has taken the camera's offset away).
static double contrast(const struct kin_image *image, const struct kin_image *wanted)
{
    float low = truth_quantile(wanted, 0.3), high = truth_quantile(wanted, 0.9);
    double light = 0, dark = 0, n = 0, m = 0;
    for (size_t i = 0; i < kin_count(image->dims); i++) {
        float v = kin_f32(image)[i], t = kin_f32(wanted)[i];
        if (v <= 0)
            continue;
        light += t >= high ? v : 0;
        n += t >= high;
        dark += t <= low ? v : 0;
        m += t <= low;
    }
    return n > 0 && m > 0 && dark > 0 ? light / n / (dark / m) : NAN;
}

static double stage_contrast(const struct comparing *c, enum qc_stage stage, int cycle,
                             const struct kin_image *surface, const struct kin_image *focus)
{
    struct kin_image image;
    if (!at_surface(c, stage, cycle, c->exp->nuclear_channel, surface, &image))
        return NAN;
    double value = contrast(&image, focus);
    kin_image_free(&image);
    return value;
}

// How much contrast of the nuclear stain deconvolution adds at the true surface.
static double contrast_gain(const struct comparing *c, int cycle)
{
    char zmap[TRUTH_PATH], focus_path[TRUTH_PATH];
    struct kin_image surface, focus;
    truth_path(c, zmap, "zmap_c%02d.tif", cycle, 0);
    truth_path(c, focus_path, "infocus_c%02d_ch%d.tif", cycle, c->exp->nuclear_channel);
    if (!truth_load_pair(c, zmap, focus_path, &surface, &focus))
        return NAN;
    double after = stage_contrast(c, QC_DECON, cycle, &surface, &focus);
    double before = isnan(after) ? NAN : stage_contrast(c, QC_STITCH, cycle, &surface, &focus);
    kin_image_free(&surface);
    kin_image_free(&focus);
    return after / before;
}

static double worst_flux(const struct comparing *c, int cycle)
{
    char path[TRUTH_PATH];
    double worst = NAN;
    truth_processed(c, path, "qc/decon_cyc%02d.json", cycle, 0);
    struct js *root = js_read(path, NULL);
    const struct js *channels = js_get(root, "channels");
    for (int i = 0; i < js_count(channels); i++) {
        double e = fabs(js_number(js_get(js_at(channels, i), "flux_ratio"), NAN) - 1);
        worst = isnan(worst) || e > worst ? e : worst;
    }
    js_free(root);
    return worst;
}

static struct truth_pair compare_decon(const struct comparing *c)
{
    struct mean gain = {0};
    double worst = NAN;
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++) {
        double flux = worst_flux(c, cycle);
        take(&gain, contrast_gain(c, cycle));
        worst = isnan(worst) || flux > worst ? flux : worst;
    }
    return (struct truth_pair){mean_of(&gain), worst};
}

// ---- extended depth of field -----------------------------------------------------------------

// Mean distance in planes where the nuclear stain has something to focus on.
static double surface_error(const struct comparing *c, int cycle)
{
    char found[TRUTH_PATH], wanted[TRUTH_PATH], name[100];
    struct kin_image a, b, focus;
    double sum = 0, n = 0;
    experiment_file_name(c->exp, cycle, c->exp->nuclear_channel, name, sizeof name);
    snprintf(found, sizeof found, "%s/data/processed/edf/cyc%02d/zmap_%s.tif", c->project, cycle,
             name);
    truth_path(c, wanted, "zmap_c%02d.tif", cycle, 0);
    if (!truth_load_pair(c, found, wanted, &a, &b))
        return NAN;
    truth_path(c, wanted, "infocus_c%02d_ch%d.tif", cycle, c->exp->nuclear_channel);
    bool fine = truth_load(c, wanted, &focus);
    float tissue = fine ? truth_quantile(&focus, 0.5) : 0;
    for (int y = 0; fine && y < a.dims.y && y < focus.dims.y; y++)
        for (int x = 0; x < a.dims.x && x < focus.dims.x; x++) {
            size_t i = (size_t)y * a.dims.x + x;
            if (kin_f32(&focus)[(size_t)y * focus.dims.x + x] >= tissue && kin_f32(&a)[i] > 0) {
                sum += fabsf(kin_f32(&a)[i] - kin_f32(&b)[i]);
                n++;
            }
        }
    kin_image_free(&a);
    kin_image_free(&b);
    if (fine)
        kin_image_free(&focus);
    return n > 0 ? sum / n : NAN;
}

static struct truth_pair compare_edf(const struct comparing *c)
{
    char found[TRUTH_PATH], wanted[TRUTH_PATH];
    struct mean error = {0}, ncc = {0};
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++) {
        take(&error, surface_error(c, cycle));
        qc_image_path(c->project, c->exp, QC_EDF, cycle, c->exp->nuclear_channel, 0, found,
                      sizeof found);
        truth_path(c, wanted, "infocus_c%02d_ch%d.tif", cycle, c->exp->nuclear_channel);
        take(&ncc, files_ncc(c, found, wanted));
    }
    return (struct truth_pair){mean_of(&error), mean_of(&ncc)};
}

// ---- isolation -------------------------------------------------------------------------------

// Mean of an image where the true stain is absent (at most 1 % of its 99th percentile).
static double background(const struct kin_image *image, const struct kin_image *stain)
{
    double sum = 0, n = 0;
    float absent = 0.01f * truth_quantile(stain, 0.99);
    for (size_t i = 0; i < kin_count(image->dims); i++)
        if (kin_f32(stain)[i] <= absent) {
            sum += kin_f32(image)[i];
            n++;
        }
    return n > 0 ? sum / n : NAN;
}

// Of one channel, by the paths of its images after and before isolation, and of its true stain.
static struct truth_pair compare_channel(const struct comparing *c, const char *found,
                                         const char *before, const char *wanted)
{
    struct truth_pair pair = {NAN, NAN};
    struct kin_image after, stain, registered, same;
    if (!truth_load_pair(c, found, wanted, &after, &stain))
        return pair;
    if (truth_load_pair(c, before, wanted, &registered, &same)) {
        if (after.dims.y == registered.dims.y && after.dims.x == registered.dims.x)
            pair.first = images_ncc(&after, &stain, &registered); // 0 may be light taken away
        pair.second = background(&after, &stain) / background(&registered, &same);
        kin_image_free(&registered);
        kin_image_free(&same);
    }
    kin_image_free(&after);
    kin_image_free(&stain);
    return pair;
}

// Correlation with the true stain after isolation, and the share of the light that is left where
// there is none.
static struct truth_pair compare_isolation(const struct comparing *c)
{
    char found[TRUTH_PATH], wanted[TRUTH_PATH], before[TRUTH_PATH];
    struct mean ncc = {0}, left = {0};
    for (int cycle = 1; cycle <= c->exp->cycles; cycle++)
        for (int k = 1; k <= c->exp->channels; k++) {
            if (k == c->exp->nuclear_channel ||
                !qc_image_path(c->project, c->exp, QC_ISOLATE, cycle, k, 0, found, sizeof found))
                continue;
            truth_path(c, wanted, "signal_c%02d_ch%d.tif", cycle, k);
            qc_image_path(c->project, c->exp, QC_REGISTRATION, cycle, k, 0, before, sizeof before);
            struct truth_pair one = compare_channel(c, found, before, wanted);
            take(&ncc, one.first);
            take(&left, one.second);
        }
    return (struct truth_pair){mean_of(&ncc), mean_of(&left)};
}

// ---- all -------------------------------------------------------------------------------------

// A flat field needs many different tiles; the gates are for 63 of them.
static double flat_threshold(const struct experiment *exp)
{
    int tiles = exp->rows * exp->cols;
    return tiles >= 50 ? 0.02 : tiles >= 9 ? 0.05 : 0.10;
}

bool qc_truth_measure(const char *project, const struct experiment *exp, struct qc_truth *rows,
                      int *count, struct kin_error *err)
{
    struct comparing c = {project, exp, err};
    char path[TRUTH_PATH];
    truth_path(&c, path, "transforms.json", 0, 0);
    struct js *root = js_read(path, err);
    *count = 0;
    if (!root)
        return false;
    // The true stains lie in the frame of one cycle, as do isolated images in that of theirs.
    bool comparable = exp->reference_cycle == js_int(js_get(root, "reference_cycle"), 1);
    js_free(root);
    double unheld, flat = compare_flat(&c);
    struct truth_pair places = truth_compare_places(&c, &unheld), decon = compare_decon(&c),
                      edf = compare_edf(&c), target = truth_compare_maps(&c), isolated = {NAN, NAN};
    if (comparable)
        isolated = compare_isolation(&c);
    const struct qc_truth all[] = {
        {"illum", "flat_field_error", "", "mean relative error of the flat fields", flat,
         flat_threshold(exp), true},
        {"stitch", "position_rms", "px", "tile positions", places.first, 0.30, true},
        {"stitch", "position_max", "px", "the worst tile", places.second, 1.0, true},
        {"stitch", "tiles_not_held", "", "share of tiles whose place no overlap shows", unheld,
         0.05, true},
        {"decon", "contrast_gain", "", "nuclei over background, after / before", decon.first, 1.0,
         false},
        {"decon", "flux_error", "", "light lost or made", decon.second, 0.001, true},
        {"edf", "surface_error", "planes", "mean distance from the true surface, in tissue",
         edf.first, 0.45, true},
        {"edf", "ncc", "", "correlation with the true in-focus nuclei", edf.second, 0.90, false},
        {"registration", "tre_mean", "px", "target registration error in tissue", target.first,
         0.50, true},
        {"registration", "tre_p95", "px", "its 95th percentile", target.second, 1.0, true},
        {"isolate", "ncc", "", "correlation with the stain alone", isolated.first, 0.80, false},
        {"isolate", "background_left", "", "light left where the stain is absent", isolated.second,
         0.25, true},
    };
    static_assert(sizeof all / sizeof *all <= QC_TRUTHS, "there is room for all");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct qc_truth *row = &rows[(*count)++];
        *row = all[i];
        row->there = !isnan(row->value);
        row->pass = row->there &&
                    (row->higher ? row->value <= row->threshold : row->value >= row->threshold);
    }
    return !err || err->code == KIN_OK;
}
