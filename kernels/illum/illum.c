// SPDX-License-Identifier: MIT
// illum.c: the flat field of a channel: rounds of a solver (illum/approx.c, illum/ladmap.c), else
// what is simpler.
//
// After a solve W = 1 / (|E| / mean A_i + 0.1), and again until S stays. The pixels are sorted over
// the images first: order statistics hold less tissue than images do.
#include "core/simd.h"
#include "illum/solver.h"
#include "illum/surface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = ILLUM_PIXELS };
enum { LANES = 32 };                   /* pixels that are sorted together */
static const double FITTED = 30;       /* ADU: how far off an offset is that the fit has found */
static const double TOO_SMOOTH = 1.25; /* overlaps that differ so much more show rough shading */
enum { USUAL_LEAST = 24 };             /* places: fewer tell neither a rough flat nor the offset */

/* ---- reweighting ----------------------------------------------------------------------------- */

static double change(const float *a, const float *b)
{
    double difference = 0, size = 0;
    for (int i = 0; i < M; i++) {
        difference += fabs((double)a[i] - b[i]);
        size += fabs((double)b[i]);
    }
    return difference / fmax(size, 1e-6);
}

static bool run_rounds(struct solver *v, struct illum_fit *fit)
{
    int rounds = v->params->reweights > 0 ? v->params->reweights : 10;
    double tol = v->params->reweight_tol > 0 ? v->params->reweight_tol : 1e-3;
    bool exact = v->params->solver == ILLUM_LADMAP;
    float flat[2][M], dark[M];
    for (int r = 0; r <= rounds; r++) {
        (exact ? solve_ladmap : solve_approximate)(v);
        fit->rounds = r + 1;
        if (device_stopped(v->dev) ||
            !(exact ? read_ladmap : read_approximate)(v, flat[r % 2], dark))
            return false;
        memcpy(fit->flat, flat[r % 2], sizeof fit->flat);
        bool still = r > 0 && change(flat[r % 2], flat[1 - r % 2]) <= tol;
        if (isnan(v->params->dark)) {
            still = still && change(dark, fit->dark) <= tol;
            memcpy(fit->dark, dark, sizeof fit->dark);
        }
        if (still)
            break;
        solver_reweigh(v);
    }
    return true;
}

/* ---- setting up ------------------------------------------------------------------------------ */

/* Sorts each of LANES columns of n values: Batcher's merge exchange (Knuth 5.2.2 M), a step of it
 * for all columns at once. */
VECTOR_CLONES static void sort_columns(float (*v)[LANES], int n)
{
    int top = 1;
    while (2 * top < n)
        top *= 2;
    for (int p = top; p > 0; p /= 2) {
        for (int q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
            for (int i = 0; i < n - d; i++) {
                float *a = v[i], *b = v[i + d];
                for (int x = 0; (i & p) == r && x < LANES; x++) {
                    float low = a[x] < b[x] ? a[x] : b[x];
                    b[x] = a[x] < b[x] ? b[x] : a[x];
                    a[x] = low;
                }
            }
            if (q == p)
                break;
        }
    }
}

/* images (n, M) = the thumbnails less the known offset, each pixel sorted over the images. */
static bool sort_images(const float *thumbs, int n, double offset, float *images)
{
    bool failed = false;
#pragma omp parallel
    {
        float(*columns)[LANES] = malloc((size_t)n * sizeof *columns);
        if (!columns)
#pragma omp atomic write
            failed = true;
#pragma omp for schedule(static)
        for (int x = 0; x < M; x += LANES) {
            for (int i = 0; columns && i < n; i++)
                for (int k = 0; k < LANES; k++)
                    columns[i][k] = thumbs[(size_t)i * M + x + k] - (float)offset;
            if (columns)
                sort_columns(columns, n);
            for (int i = 0; columns && i < n; i++)
                memcpy(images + (size_t)i * M + x, columns[i], sizeof *columns);
        }
        free(columns);
    }
    return !failed;
}

static bool load_sorted(struct solver *v, const float *thumbs, int n)
{
    double offset = isnan(v->params->dark) ? 0 : v->params->dark;
    float *images = malloc((size_t)n * M * sizeof *images);
    bool sorted = images && sort_images(thumbs, n, offset, images);
    if (!sorted)
        device_fail(v->dev, KIN_MEMORY, "no memory for %d images", n);
    bool good = sorted && solver_load(v, images);
    free(images);
    return good;
}

static bool fit_basic(struct device *dev, const float *thumbs, int n,
                      const struct illum_params *params, struct illum_fit *fit)
{
    struct solver v;
    bool good = solver_open(&v, dev, n, params) && load_sorted(&v, thumbs, n) && solver_begin(&v) &&
                run_rounds(&v, fit);
    fit->iterations = v.iterations;
    solver_close(&v);
    return good;
}

/* ---- the public functions -------------------------------------------------------------------- */

static bool usable(const float *flat, double least)
{
    for (int i = 0; i < M; i++) {
        if (!(flat[i] > least) || !isfinite(flat[i]))
            return false;
    }
    return true;
}

static void set_dark(struct illum_fit *fit, double dark)
{
    for (int i = 0; i < M; i++)
        fit->dark[i] = isnan(dark) ? 0 : (float)dark;
}

static void no_correction(struct illum_fit *fit)
{
    fit->method = ILLUM_NONE;
    for (int i = 0; i < M; i++)
        fit->flat[i] = 1;
}

static int places_of(int n, const struct illum_params *params)
{
    return params->places > 0 ? params->places : n;
}

static int enough_places(const struct illum_params *params)
{
    return params->places_min > 0 ? params->places_min : USUAL_LEAST;
}

size_t illum_bytes(const struct device *dev, int n, const struct illum_params *params)
{
    int places = places_of(n, params);
    size_t thumb = M * sizeof(float), all = (size_t)n * thumb, sorted = all,
           means = (size_t)places * thumb;
    bool card = dev->memory > 0;
    size_t fit = card ? sorted : solver_bytes(n, params->solver),
           levels = means + (card ? 0 : solver_bytes(places, ILLUM_APPROXIMATE));
    fit = places < enough_places(params) ? 3 * means : fit; /* binned, and overlaps */
    return all + (fit > levels ? fit : levels);
}

/* What few images do not tell. Light that fills every image, however bright, is as good a dark
 * frame as any: only images of different brightness tell the offset from the flat field, and a
 * surface is not fitted to it. */
static void note_untold(struct illum_fit *fit, int places, const struct illum_params *params)
{
    size_t n = strlen(fit->note);
    bool stated = !isnan(params->dark);
    if (fit->method == ILLUM_SURFACE && !stated)
        snprintf(fit->note + n, sizeof fit->note - n,
                 "; the camera's offset was taken as 0: no dark frame and no number tells it");
    else if (fit->method == ILLUM_BASIC && places < USUAL_LEAST)
        snprintf(fit->note + n, sizeof fit->note - n,
                 stated ? "images of %d places are too few to tell shading from tissue: what "
                          "overlaps show is not asked (--illumination surface)"
                        : "images of %d places are too few to tell the camera's offset from the "
                          "flat field, and no dark frame and no number does",
                 places);
}

/* BaSiC's field is as rough as tiles say, a surface as true as overlaps are: they decide, where
 * nobody asked for the one or the other. An offset that nobody states is as BaSiC has found it. */
static bool prefers_surface(struct device *dev, const float *thumbs, int n,
                            const struct illum_params *params, struct illum_fit *fit)
{
    bool asked = params->pair_count && !params->places_min, stated = !isnan(params->dark),
         measured = stated && params->dark_error <= 0;
    struct illum_params known = *params;
    if (!stated) {
        known.dark = (double)kin_mean_f32(fit->dark, M);
        known.dark_error = FITTED;
    }
    struct illum_views *views = asked ? illum_views_open(dev, thumbs, n, &known) : NULL;
    float flat[M];
    double all[2], bright[2], *told = measured ? all : bright;
    bool better = views && illum_views_surface(views, flat);
    if (better) {
        all[0] = illum_views_disagreement(views, fit->flat, &bright[0]);
        all[1] = illum_views_disagreement(views, flat, &bright[1]);
        better = measured ? all[1] < all[0] : bright[1] < bright[0] && all[1] < TOO_SMOOTH * all[0];
    }
    illum_views_close(views);
    if (better) {
        memcpy(fit->flat, flat, sizeof flat);
        fit->method = ILLUM_SURFACE;
        int at = snprintf(fit->note, sizeof fit->note,
                          "overlaps%s agree better under a smooth surface: to %.2f %% instead of "
                          "%.2f %%",
                          measured ? "" : " of bright tissue", 100 * told[1], 100 * told[0]);
        if (!stated)
            snprintf(fit->note + at, sizeof fit->note - (size_t)at,
                     "; the camera's offset was taken as %.0f ADU: no dark frame and no number "
                     "tells it",
                     known.dark);
        set_dark(fit, known.dark);
    }
    return better;
}

bool illum_fit(struct device *dev, const float *thumbs, int n, const struct illum_params *params,
               struct illum_fit *fit, struct kin_error *err)
{
    double least = params->flat_min > 0 ? params->flat_min : 0.05;
    int enough = enough_places(params), places = places_of(n, params);
    *fit = (struct illum_fit){.method = ILLUM_BASIC, .images = n};
    set_dark(fit, params->dark);
    if (places >= enough && fit_basic(dev, thumbs, n, params, fit) && usable(fit->flat, least)) {
        if (!prefers_surface(dev, thumbs, n, params, fit))
            note_untold(fit, places, params);
        return device_ok(dev, err);
    }
    if (!device_ok(dev, err))
        return false;
    set_dark(fit, params->dark);
    if (places < USUAL_LEAST)
        snprintf(fit->note, sizeof fit->note,
                 "images of %d places are too few: a smooth surface instead", places);
    else if (places < enough)
        snprintf(fit->note, sizeof fit->note, "a smooth surface, as asked for");
    else
        snprintf(fit->note, sizeof fit->note,
                 "the fit to %d images failed: a smooth surface instead", n);
    fit->method = ILLUM_SURFACE;
    struct illum_views *views = illum_views_open(dev, thumbs, n, params);
    bool good = views && illum_views_surface(views, fit->flat) && usable(fit->flat, least);
    illum_views_close(views);
    if (good) {
        note_untold(fit, places, params);
        return true;
    }
    if (!device_ok(dev, err))
        return false;
    snprintf(fit->note, sizeof fit->note, "no usable flat field in %d images: left uncorrected", n);
    no_correction(fit);
    return true;
}

const char *illum_method_name(enum illum_method method)
{
    return method == ILLUM_BASIC ? "basic" : method == ILLUM_SURFACE ? "surface" : "none";
}
