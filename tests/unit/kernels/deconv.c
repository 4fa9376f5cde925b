// SPDX-License-Identifier: MIT
/* Deconvolution against objects that are known: published bars and a simulated section; and against
 * itself: blocks, threads, memory limits. */
#include "section.h"
#include "shared.h"
#include "test.h"

#include "deconv/deconv.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static struct device *dev;

/* Deconvolves image into a float volume of the same dims (allocated here). */
static bool run_known(struct device *on, const struct kin_image *image,
                      const struct kin_survey *survey, const struct kin_image *psf,
                      struct kin_deconv_params params, struct kin_image *out,
                      struct kin_deconv_report *report, struct kin_error *err)
{
    struct kin_source source = kin_source_image(image);
    int *next = calloc((size_t)image->dims.z, sizeof *next);
    if (!kin_image_alloc(out, image->dims, KIN_F32, err))
        return false;
    struct kin_image_sink place = {out, next};
    struct kin_sink sink = kin_sink_image(&place);
    struct kin_deconv *deconv = kin_deconv_new(on, psf, &params, err);
    bool good = deconv && kin_deconv_volume(deconv, &source, survey, &sink, NULL, report, err);
    kin_deconv_free(deconv);
    free(next);
    return good;
}

static bool run(struct device *on, const struct kin_image *image, const struct kin_image *psf,
                struct kin_deconv_params params, struct kin_image *out,
                struct kin_deconv_report *report, struct kin_error *err)
{
    return run_known(on, image, NULL, psf, params, out, report, err);
}

/* ---- published bars -------------------------------------------------------------------------- */

/* Peak signal to noise ratio at equal means, dB; the peak is the truth's. */
static double psnr(const float *a, const float *truth, size_t n)
{
    double sa = 0, st = 0, sum = 0, top = 0;
    for (size_t i = 0; i < n; i++) {
        sa += a[i];
        st += truth[i];
    }
    for (size_t i = 0; i < n; i++) {
        double d = a[i] * st / sa - truth[i];
        sum += d * d;
        top = fmax(top, truth[i]);
    }
    return 10 * log10(top * top / (sum / n));
}

static void check_bars(const struct kin_image *data, const struct kin_image *truth,
                       const struct kin_image *psf, enum kin_boundary boundary, double want_psnr,
                       double want_ncc)
{
    struct kin_image out;
    struct kin_deconv_report report;
    struct kin_error err = {0};
    struct kin_deconv_params p = {.iterations = 25, .boundary = boundary, .start_from_data = true};
    const char *name = boundary == KIN_CIRCULAR ? "circular" : "mirrored";
    if (!ok(run(dev, data, psf, p, &out, &report, &err), "bars, %s: deconvolved %s", name,
            err.text))
        return;
    size_t n = kin_count(out.dims);
    double db = psnr(kin_f32(&out), kin_f32(truth), n),
           ncc = section_ncc(kin_f32(&out), kin_f32(truth), n);
    ok(db >= want_psnr, "bars, %s: PSNR %.2f dB, at least %.2f (margin %.2f)", name, db, want_psnr,
       db - want_psnr);
    ok(ncc >= want_ncc, "bars, %s: correlation %.3f, at least %.3f (margin %.3f)", name, ncc,
       want_ncc, ncc - want_ncc);
    ok(fabs(report.flux_ratio - 1) < 1e-3, "bars, %s: light out / light in is %.6f", name,
       report.flux_ratio);
    kin_image_free(&out);
}

static void test_bars(void)
{
    struct kin_image raw, data, object, truth, psf;
    struct kin_error err = {0};
    if (!shared_path("epfl_bars/data.tif")) {
        skip("no shared data (KINTSUGI_SHARED_DATA)");
        return;
    }
    bool good = kin_tiff_read(shared_path("epfl_bars/data.tif"), &raw, &err) &&
                kin_tiff_read(shared_path("epfl_bars/actual.tif"), &object, &err) &&
                kin_psf_read(shared_path("epfl_bars/kernel.tif"), &psf, &err) &&
                kin_to_f32(&raw, &data, &err) && kin_to_f32(&object, &truth, &err);
    if (!ok(good, "published bars are read %s", err.text))
        return;
    size_t n = kin_count(data.dims);
    printf("# bars before: PSNR %.2f, correlation %.3f\n", psnr(kin_f32(&data), kin_f32(&truth), n),
           section_ncc(kin_f32(&data), kin_f32(&truth), n));
    check_bars(&data, &truth, &psf, KIN_CIRCULAR, 27.4, 0.66);
    check_bars(&data, &truth, &psf, KIN_REFLECT, 27.2, 0.65);
    struct kin_image *all[5] = {&raw, &data, &object, &truth, &psf};
    for (int i = 0; i < 5; i++)
        kin_image_free(all[i]);
}

/* ---- a simulated section --------------------------------------------------------------------- */

/* ||s a - truth|| / ||truth|| with the best s. */
static double nrmse(const float *a, const float *truth, size_t n)
{
    double aa = 0, at = 0, tt = 0;
    for (size_t i = 0; i < n; i++) {
        aa += (double)a[i] * a[i];
        at += (double)a[i] * truth[i];
        tt += (double)truth[i] * truth[i];
    }
    return sqrt(1 - at * at / aa / tt);
}

/* Brightness inside of nuclei over brightness between them, in the planes of the section. */
static double contrast(const struct section *t, const float *a)
{
    double in = 0, out = 0, ins = 0, outs = 0;
    size_t plane = (size_t)t->dims.y * (size_t)t->dims.x;
    for (size_t i = 0; i < kin_count(t->dims); i++) {
        if (fabsf((float)(i / plane) - kin_f32(&t->surface)[i % plane]) > 1 ||
            kin_f32(&t->cover)[i % plane] < 0.5f)
            continue;
        bool nucleus = kin_f32(&t->object)[i] > 0.7f,
             between = kin_f32(&t->object)[i] < SECTION_GLOW;
        in += nucleus * a[i];
        ins += nucleus;
        out += between * a[i];
        outs += between;
    }
    return in / ins / (out / outs);
}

static struct kin_psf_params microscope(int planes)
{
    struct kin_psf_params p = {.na = 0.75, .emission_nm = 461, .xy_nm = 377, .z_nm = 1500};
    kin_psf_support(&p, planes);
    return p;
}

struct gate {
    const char *name;
    int iterations;
    bool accelerate;
    double photons, ncc, nrmse, contrast, tv, damping;
};

static void check_section(const struct section *t, const struct kin_image *psf,
                          const struct gate *g)
{
    struct kin_image image, before, out;
    struct kin_deconv_report report;
    struct kin_error err = {0};
    size_t n = kin_count(t->dims);
    section_photograph(t, g->photons, 10 + g->photons / 10, 100, 5, &image);
    kin_to_f32(&image, &before, NULL);
    for (size_t i = 0; i < n; i++)
        kin_f32(&before)[i] -= 100;
    struct kin_deconv_params p = {.iterations = g->iterations,
                                  .accelerate = g->accelerate,
                                  .offset = 100,
                                  .tv = g->tv,
                                  .damping = g->damping,
                                  .smooth = g->iterations ? 0 : -1};
    if (!ok(run(dev, &image, psf, p, &out, &report, &err), "%s: deconvolved %s", g->name, err.text))
        return;
    float low = FLT_MAX;
    for (size_t i = 0; i < n; i++) {
        low = fminf(low, kin_f32(&out)[i]);
        kin_f32(&out)[i] -= 100;
    }
    const float *o = kin_f32(&t->object), *x = kin_f32(&out), *y = kin_f32(&before);
    printf("# %s: before: correlation %.3f, error %.3f, contrast %.2f; foreground %.0f "
           "photo-electrons\n",
           g->name, section_ncc(y, o, n), nrmse(y, o, n), contrast(t, y), report.foreground);
    double ncc = section_ncc(x, o, n), error = nrmse(x, o, n), con = contrast(t, x);
    ok(ncc >= g->ncc, "%s: correlation to the object %.3f, at least %.2f (margin %.3f)", g->name,
       ncc, g->ncc, ncc - g->ncc);
    ok(error <= g->nrmse, "%s: relative error %.3f, at most %.2f (margin %.3f)", g->name, error,
       g->nrmse, g->nrmse - error);
    ok(con >= g->contrast, "%s: contrast %.2f, at least %.2f", g->name, con, g->contrast);
    ok(fabs(report.flux_ratio - 1) < (g->tv > 0 ? 5e-3 : 1e-3), "%s: light out / light in is %.6f",
       g->name, report.flux_ratio);
    ok(low >= 100, "%s: nothing below the offset (least %.3f)", g->name, low);
    kin_image_free(&image);
    kin_image_free(&before);
    kin_image_free(&out);
}

static void test_section(void)
{
    static const struct gate gates[] = {
        /* published gates, on a dimmer section: 0.60, 0.82, 2.5; 0.58, 0.83, 2.5; 0.33 */
        {"25 plain steps", 25, false, 300, 0.84, 0.60, 2.5},
        {"10 accelerated steps", 10, true, 300, 0.81, 0.62, 2.5},
        {"40 photons", 0, true, 40, 0.50, 0.95, 1.5, 0, 0},
        /* 40 steps amplify noise: without either the correlation is 0.66 */
        {"25 photons, total variation", 40, false, 25, 0.74, 0.80, 1.5, 0.005, 0},
        {"25 photons, damping", 40, false, 25, 0.72, 0.81, 1.5, 0, 0.05},
    };
    struct kin_psf_params p = microscope(20);
    struct kin_image psf;
    struct section t;
    kin_psf(&p, &psf, NULL);
    section_make(dev, &t, (struct kin_dims){20, 256, 256}, 4, 11, &psf, p.xy_nm, p.z_nm);
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++)
        check_section(&t, &psf, &gates[i]);
    section_free(&t);
    kin_image_free(&psf);
}

/* ---- blocks, threads, memory ----------------------------------------------------------------- */

struct difference {
    double rms, p999, worst; /* ADU */
};

static struct difference compare(const struct kin_image *a, const struct kin_image *b)
{
    struct difference d = {0};
    size_t n = kin_count(a->dims);
    float *off = malloc(n * sizeof *off);
    for (size_t i = 0; i < n; i++) {
        off[i] = fabsf(kin_f32(a)[i] - kin_f32(b)[i]);
        d.rms += (double)off[i] * off[i];
    }
    d.rms = sqrt(d.rms / n);
    d.p999 = section_quantile(off, n, 0.999);
    d.worst = section_quantile(off, n, 1);
    free(off);
    return d;
}

/* The stop rule ends early, and blocks agree on where. */
static void test_stop(const struct kin_image *image, const struct kin_image *psf)
{
    struct kin_deconv_params p = {.iterations = 60, .stop_percent = 5, .offset = 100};
    struct kin_image out;
    struct kin_deconv_report whole, cut;
    run(dev, image, psf, p, &out, &whole, NULL);
    kin_image_free(&out);
    p.memory = 40u << 20;
    run(dev, image, psf, p, &out, &cut, NULL);
    kin_image_free(&out);
    ok(whole.iterations > 2 && whole.iterations < 60 && whole.iterations == cut.iterations,
       "a stop criterion of 5 %% ends after %d steps, in blocks after %d", whole.iterations,
       cut.iterations);
}

/* An offset that leaves nothing. */
static void test_no_light(const struct kin_image *image, const struct kin_image *psf)
{
    struct kin_deconv_params p = {.iterations = 2, .offset = 60000};
    struct kin_image out = {0};
    struct kin_deconv_report report;
    struct kin_error err = {0};
    ok(!run(dev, image, psf, p, &out, &report, &err) &&
           strstr(err.text, "no sample is above the offset of 60000 ADU"),
       "refused: %s", err.text);
    kin_image_free(&out);
}

static void test_blocks(void)
{
    struct kin_psf_params p = microscope(9);
    struct kin_image psf, image, whole, cut, again;
    struct section t;
    struct kin_deconv_report one, many, single;
    struct kin_error err = {0};
    kin_psf(&p, &psf, NULL);
    section_make(dev, &t, (struct kin_dims){9, 400, 450}, 2, 3, &psf, p.xy_nm, p.z_nm);
    section_photograph(&t, 300, 10, 100, 5, &image);
    struct kin_deconv_params params = {.accelerate = true, .offset = 100};
    ok(run(dev, &image, &psf, params, &whole, &one, &err) && one.blocks_y * one.blocks_x == 1,
       "one block %s", err.text);
    params.memory = 40u << 20;
    bool good = run(dev, &image, &psf, params, &cut, &many, &err);
    ok(good && many.blocks_y * many.blocks_x > 1, "%d x %d blocks of %d x %d %s", many.blocks_y,
       many.blocks_x, many.block.y, many.block.x, err.text);
    ok(many.memory <= params.memory, "%zu MB used of %zu", many.memory >> 20, params.memory >> 20);
    ok(!memcmp(one.alpha, many.alpha, sizeof one.alpha), "the same accelerations");
    struct difference d = compare(&whole, &cut);
    printf("# blocks against one block: rms %.4f, 99.9 %% below %.4f, worst %.3f ADU\n", d.rms,
           d.p999, d.worst);
    ok(d.rms < 0.05 && d.p999 < 0.5,
       "blocks change 0.05 ADU rms, 0.5 ADU in 99.9 %% of samples at most");
    struct device *serial = device_open(DEVICE_CPU, 1, &err);
    ok(run(serial, &image, &psf, params, &again, &single, &err), "with one thread %s", err.text);
    ok(!memcmp(kin_f32(&cut), kin_f32(&again), kin_count(cut.dims) * 4),
       "one thread and %d give the same bits", dev->threads);
    device_close(serial);
    test_stop(&image, &psf);
    test_no_light(&image, &psf);
    struct kin_image *all[5] = {&psf, &image, &whole, &cut, &again};
    for (int i = 0; i < 5; i++)
        kin_image_free(all[i]);
    section_free(&t);
}

/* ---- seams ----------------------------------------------------------------------------------- */

/* A case of blocks against one block. optics: half widths of 0 are those of a stage; no aperture:
 * a PSF of one plane, `blunt` pixels of which weigh the same on one side and fall off on the
 * other. */
struct seams {
    const char *name;
    struct kin_dims dims;
    struct kin_psf_params optics;
    int blunt;
    struct kin_deconv_params params;
};

/* Points and spots up to a hundred times as bright as what lies between them, and noise. */
static void spots(struct kin_image *image, struct kin_dims d)
{
    unsigned seed = 1;
    kin_image_alloc(image, d, KIN_F32, NULL);
    float *v = kin_f32(image);
    for (size_t i = 0; i < kin_count(d); i++)
        v[i] = 20;
    for (int k = 0; k < d.y * d.x / 150; k++) {
        double at[5];
        for (int i = 0; i < 5; i++)
            at[i] = ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0;
        double r = 0.6 + 6 * at[3], height = (200 + 800 * at[4]) * (k % 10 ? 1 : 10);
        int y0 = (int)(at[1] * d.y), x0 = (int)(at[2] * d.x), reach = (int)(3 * r) + 1;
        for (size_t row = 0; row < (size_t)d.z * d.y; row++) {
            double z = (double)(row / (size_t)d.y) - at[0] * d.z;
            int y = (int)(row % (size_t)d.y) - y0;
            for (int x = -reach; abs(y) <= reach && x <= reach; x++)
                if (x0 + x >= 0 && x0 + x < d.x)
                    v[row * (size_t)d.x + (size_t)(x0 + x)] +=
                        (float)(height * exp(-(y * y + x * x) / (r * r) - z * z / 1.5));
        }
    }
    for (size_t i = 0; i < kin_count(d); i++) {
        seed = seed * 1664525u + 1013904223u;
        v[i] = fmaxf(v[i] + 2 * sqrtf(v[i]) * ((float)(seed >> 8) / 8388608.0f - 1), 0);
    }
}

static void seams_psf(const struct seams *c, struct kin_image *psf)
{
    struct kin_psf_params p = c->optics;
    double total = 0;
    if (p.na > 0) {
        kin_psf_support(&p, c->dims.z);
        kin_psf(&p, psf, NULL);
        return;
    }
    int half = c->blunt;
    kin_image_alloc(psf, (struct kin_dims){1, 2 * half + 1, 2 * half + 1}, KIN_F32, NULL);
    for (int i = 0; i < (int)kin_count(psf->dims); i++) {
        int y = i / (2 * half + 1) - half, x = i % (2 * half + 1) - half;
        kin_f32(psf)[i] = expf(-0.02f * (float)(y * y + x * x)) * (y > 0 ? 1 : expf((float)y));
        total += kin_f32(psf)[i];
    }
    for (int i = 0; i < (int)kin_count(psf->dims); i++)
        kin_f32(psf)[i] /= (float)total;
}

/* The largest difference, as a share of a sample and the mean together. */
static double worst_share(const struct kin_image *a, const struct kin_image *b)
{
    size_t n = kin_count(a->dims);
    double mean = 0, worst = 0;
    for (size_t i = 0; i < n; i++)
        mean += kin_f32(b)[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabsf(kin_f32(a)[i] - kin_f32(b)[i]) / (kin_f32(b)[i] + mean));
    return worst;
}

static void check_seams(const struct seams *c)
{
    struct kin_image psf, image, whole, cut;
    struct kin_deconv_params params = c->params;
    struct kin_deconv_report one, many;
    struct kin_error err = {0};
    seams_psf(c, &psf);
    spots(&image, c->dims);
    bool good = run(dev, &image, &psf, params, &whole, &one, &err);
    params.memory = one.memory / 4 * 3;
    good = good && run(dev, &image, &psf, params, &cut, &many, &err);
    if (ok(good && one.blocks_y * one.blocks_x == 1 && many.blocks_y * many.blocks_x > 1,
           "%s: in one block and in %d x %d, halo %d %s", c->name, many.blocks_y, many.blocks_x,
           many.halo, err.text)) {
        double worst = worst_share(&cut, &whole);
        ok(!memcmp(one.alpha, many.alpha, sizeof one.alpha), "%s: the same accelerations", c->name);
        double bound = params.tv > 0 ? 2e-2 : 2e-3; /* total variation makes rounding grow */
        ok(worst <= bound, "%s: no sample differs by more than %g %% (worst %.4f %%)", c->name,
           100 * bound, 100 * worst);
    }
    struct kin_image *all[4] = {&psf, &image, &whole, &cut};
    for (int i = 0; i < 4; i++)
        kin_image_free(all[i]);
}

#define DRY .na = 0.75, .emission_nm = 525, .xy_nm = 377, .z_nm = 1500
static const struct seams seams[] = {
    {"a small stack", {3, 330, 40}, {DRY}, 0, {.iterations = 10, .accelerate = true}},
    {"its dim twin", {3, 330, 40}, {DRY}, 0, {.iterations = 5, .smooth = 1}},
    {"a deeper stack", {7, 620, 80}, {DRY}, 0, {.iterations = 10, .accelerate = true}},
    {"a PSF that ends where it is strong",
     {3, 250, 24},
     {DRY, .half_z = 3, .half_xy = 9},
     0,
     {.iterations = 10, .accelerate = true}},
    {"the same, few steps", {3, 180, 30}, {DRY, .half_z = 3, .half_xy = 9}, 0, {.iterations = 4}},
    {"the same, 25 steps of total variation",
     {3, 280, 24},
     {DRY, .half_z = 3, .half_xy = 9},
     0,
     {.iterations = 25, .tv = 0.005}},
    {"the same, 25 damped steps",
     {3, 280, 24},
     {DRY, .half_z = 3, .half_xy = 9},
     0,
     {.iterations = 25, .damping = 0.05}},
    {"the same, periodic",
     {3, 450, 100},
     {DRY, .half_z = 3, .half_xy = 9},
     0,
     {.iterations = 10, .accelerate = true, .boundary = KIN_CIRCULAR}},
    {"water immersion, fine pixels",
     {5, 528, 60},
     {.na = 1.2, .immersion_ri = 1.33, .emission_nm = 525, .xy_nm = 160, .z_nm = 300},
     0,
     {.iterations = 10, .accelerate = true}},
    {"a low aperture",
     {5, 220, 40},
     {.na = 0.3, .emission_nm = 525, .xy_nm = 377, .z_nm = 1500},
     0,
     {.iterations = 10, .accelerate = true}},
    {"a PSF that is not even", {3, 200, 30}, {0}, 7, {.iterations = 10, .accelerate = true}},
    {"wide, cut across", {3, 40, 330}, {DRY}, 0, {.iterations = 10, .accelerate = true}},
};

static void test_seams(void)
{
    for (size_t i = 0; i < sizeof seams / sizeof *seams; i++)
        check_seams(&seams[i]);
}

/* ---- what it must refuse --------------------------------------------------------------------- */

static void refuses(struct kin_dims dims, float value, struct kin_deconv_params params,
                    const char *word)
{
    struct kin_psf_params p = {
        .na = 0.75, .emission_nm = 461, .xy_nm = 377, .z_nm = 1500, .half_z = 2, .half_xy = 9};
    struct kin_image psf, image, out;
    struct kin_deconv_report report;
    struct kin_error err = {0};
    kin_psf(&p, &psf, NULL);
    kin_image_alloc(&image, dims, KIN_F32, NULL);
    kin_f32(&image)[5] = value;
    bool refused = !run(dev, &image, &psf, params, &out, &report, &err) && strstr(err.text, word);
    ok(refused, "refused, saying '%s': %s", word, err.text);
    kin_image_free(&psf);
    kin_image_free(&image);
    kin_image_free(&out);
}

static void test_refusals(void)
{
    struct kin_deconv_params p = {0};
    refuses((struct kin_dims){2, 64, 64}, 1, p, "at least 3");
    refuses((struct kin_dims){5, 64, 16}, 1, p, "too wide");
    refuses((struct kin_dims){5, 64, 64}, NAN, p, "not finite");
    refuses((struct kin_dims){5, 64, 64}, INFINITY, p, "not finite");
    p.memory = 1 << 16;
    refuses((struct kin_dims){5, 64, 64}, 1, p, " MB (--memory)");
    p = (struct kin_deconv_params){.iterations = -1};
    refuses((struct kin_dims){5, 64, 64}, 1, p, "iterations");
}

/* A dark volume and a constant one come back as they are. */
static void test_plain_fields(void)
{
    for (int v = 0; v < 2; v++) {
        struct kin_psf_params p = microscope(5);
        struct kin_image psf, image, out;
        struct kin_deconv_report report;
        double worst = 0;
        kin_psf(&p, &psf, NULL);
        kin_image_alloc(&image, (struct kin_dims){5, 80, 90}, KIN_F32, NULL);
        for (size_t i = 0; i < kin_count(image.dims); i++)
            kin_f32(&image)[i] = 700.0f * v;
        run(dev, &image, &psf, (struct kin_deconv_params){.accelerate = true}, &out, &report, NULL);
        for (size_t i = 0; i < kin_count(image.dims); i++)
            worst = fmax(worst, fabs(kin_f32(&out)[i] - 700.0f * v));
        ok(worst < 0.01, "a field of %d stays (worst difference %.5f)", 700 * v, worst);
        kin_image_free(&psf);
        kin_image_free(&image);
        kin_image_free(&out);
    }
}

/* ---- what is known beforehand ---------------------------------------------------------------- */

/* One that is given serves as well as one that is made. */
static void test_known_survey(const struct kin_image *image)
{
    struct kin_psf_params p = microscope(3);
    struct kin_deconv_params params = {.iterations = 3, .accelerate = true, .offset = 80};
    struct kin_source source = kin_source_image(image);
    struct kin_deconv_report report;
    struct kin_survey survey;
    struct kin_image psf, made = {0}, given = {0};
    kin_psf(&p, &psf, NULL);
    bool good = kin_deconv_survey(&source, params.offset, 1, &survey, NULL) &&
                run(dev, image, &psf, params, &made, &report, NULL) &&
                run_known(dev, image, &survey, &psf, params, &given, &report, NULL);
    ok(good && !memcmp(kin_f32(&made), kin_f32(&given), kin_count(made.dims) * sizeof(float)),
       "a volume that was looked at before comes out the same");
    kin_image_free(&psf);
    kin_image_free(&made);
    kin_image_free(&given);
}

/* Integers are looked at in their own way, which must see what that of floats sees. */
static void test_survey(void)
{
    const float offsets[] = {0, 1, 100, 65535, 100.5f, -3};
    struct kin_image whole, real;
    kin_image_alloc(&whole, (struct kin_dims){3, 150, 170}, KIN_U16, NULL);
    kin_image_alloc(&real, whole.dims, KIN_F32, NULL);
    for (size_t i = 0; i < kin_count(whole.dims); i++) {
        kin_u16(&whole)[i] = (uint16_t)(i % 1000 == 7 ? 65535
                                                      : 90 + rand() % (i % 170 > 90 ? 400 : 30));
        kin_f32(&real)[i] = kin_u16(&whole)[i];
    }
    for (int i = 0; i < 6; i++) {
        struct kin_source a = kin_source_image(&whole), b = kin_source_image(&real);
        struct kin_survey of_whole, of_real;
        bool good = kin_survey(&a, offsets[i], 64, 2, &of_whole, NULL) &&
                    kin_survey(&b, offsets[i], 64, 2, &of_real, NULL);
        ok(good && of_whole.total == of_real.total && of_whole.top == of_real.top &&
               of_whole.foreground == of_real.foreground && of_whole.y == of_real.y &&
               of_whole.x == of_real.x,
           "less %g, integers are what the same floats are: %.0f in all, %g at most, %g in the "
           "foreground",
           (double)offsets[i], of_whole.total, (double)of_whole.top, of_whole.foreground);
    }
    test_known_survey(&whole);
    kin_image_free(&whole);
    kin_image_free(&real);
}

/* ---- borders --------------------------------------------------------------------------------- */

enum { OZ = 5, OY = 24, OX = 26, PZ = 3, PY = 5, PX = 7 }; /* extents of an image and of a PSF */

static int mirrored(int i, int n)
{
    i = ((i % (2 * n)) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
}

/* Sample (z, y, x) of a convolution with the PSF (direction 1), or of a correlation (-1): mirrored
 * in z; in y and in x a is so large (three images) that its ends do not matter. */
static double blurred(const double *a, const struct kin_image *psf, int direction, int z, int y,
                      int x)
{
    double sum = 0;
    for (int i = 0; i < PZ * PY * PX; i++) {
        int dz = i / (PY * PX) - PZ / 2, dy = i / PX % PY - PY / 2, dx = i % PX - PX / 2;
        int from = (mirrored(z - direction * dz, OZ) * 3 * OY +
                    (y - direction * dy + 3 * OY) % (3 * OY)) *
                       3 * OX +
                   (x - direction * dx + 3 * OX) % (3 * OX);
        sum += kin_f32(psf)[i] * a[from];
    }
    return sum;
}

/* The same steps in plain loops: the data are mirrored in y and in x, the object in z. */
static void plain_steps(const struct kin_image *image, const struct kin_image *psf, int steps,
                        double *x)
{
    enum { N = OZ * 3 * OY * 3 * OX };
    static double ratio[N], next[N];
    double mean = 0;
    for (int i = 0; i < OZ * OY * OX; i++)
        mean += kin_f32(image)[i] / (double)(OZ * OY * OX);
    for (int i = 0; i < N; i++)
        x[i] = mean;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < N; i++) {
            int z = i / (9 * OY * OX), y = i / (3 * OX) % (3 * OY), c = i % (3 * OX);
            ratio[i] = kin_f32(image)[(z * OY + mirrored(y - OY, OY)) * OX + mirrored(c - OX, OX)] /
                       blurred(x, psf, 1, z, y, c);
        }
        for (int i = 0; i < N; i++)
            next[i] = x[i] * blurred(ratio, psf, -1, i / (9 * OY * OX), i / (3 * OX) % (3 * OY),
                                     i % (3 * OX));
        memcpy(x, next, sizeof next);
    }
}

static void test_odd_psf(void)
{
    enum { STEPS = 4 };
    static double want[OZ * 3 * OY * 3 * OX];
    struct kin_image image, psf, out;
    struct kin_deconv_report report;
    struct kin_error err = {0};
    double sum = 0, worst = 0;
    kin_image_alloc(&image, (struct kin_dims){OZ, OY, OX}, KIN_F32, &err);
    kin_image_alloc(&psf, (struct kin_dims){PZ, PY, PX}, KIN_F32, &err);
    for (int i = 0; i < OZ * OY * OX; i++)
        kin_f32(&image)[i] = (float)(60 + i * 7919 % 101 * 5 + (i % 97 == 0) * 3000);
    for (int i = 0; i < PZ * PY * PX; i++)
        sum += kin_f32(&psf)[i] = (float)(1 + i * i % 13 + (i == 20) * 40);
    for (int i = 0; i < PZ * PY * PX; i++)
        kin_f32(&psf)[i] /= (float)sum;
    bool good = run(dev, &image, &psf, (struct kin_deconv_params){.iterations = STEPS}, &out,
                    &report, &err);
    plain_steps(&image, &psf, STEPS, want);
    for (int i = 0; good && i < OZ * OY * OX; i++) {
        int z = i / (OY * OX), y = i / OX % OY, x = i % OX;
        double w = want[(z * 3 * OY + y + OY) * 3 * OX + x + OX];
        worst = fmax(worst, fabs(kin_f32(&out)[i] - w) / (w + 1));
    }
    ok(good && worst < 1e-4,
       "a PSF that is not even, up to the borders: as in plain loops to %.1e %s", worst, err.text);
    kin_image_free(&image);
    kin_image_free(&psf);
    kin_image_free(&out);
}

int main(void)
{
    struct kin_error err = {0};
    dev = device_open(DEVICE_CPU, 0, &err);
    test_bars();
    test_section();
    test_blocks();
    test_seams();
    test_plain_fields();
    test_survey();
    test_odd_psf();
    test_refusals();
    device_close(dev);
    return done();
}
