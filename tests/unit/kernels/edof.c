// SPDX-License-Identifier: MIT
/* Extended depth of field against a section whose surface and in-focus image are known; and against
 * itself: bands, threads, planes that must be left out. */
#include "section.h"
#include "test.h"

#include "edof/edof.h"

static struct device *dev;

struct result {
    struct kin_image image, zmap, confidence; /* owned */
    struct kin_edof_report report;
};

static void result_free(struct result *r)
{
    kin_image_free(&r->image);
    kin_image_free(&r->zmap);
    kin_image_free(&r->confidence);
}

static bool run(struct device *on, const struct kin_image *stack, const struct kin_edof_params *p,
                const struct kin_image *follow, struct result *r, struct kin_error *err)
{
    struct kin_dims d = {1, stack->dims.y, stack->dims.x};
    *r = (struct result){0};
    kin_image_alloc(&r->image, d, KIN_U16, err);
    kin_image_alloc(&r->zmap, d, KIN_F32, err);
    kin_image_alloc(&r->confidence, d, KIN_U8, err);
    int next[3] = {0};
    struct kin_image_sink places[3] = {
        {&r->image, next}, {&r->zmap, next + 1}, {&r->confidence, next + 2}};
    struct kin_edof_sinks sinks = {kin_sink_image(&places[0]), kin_sink_image(&places[1]),
                                   kin_sink_image(&places[2])};
    struct kin_source source = kin_source_image(stack), zmap = {0};
    if (follow)
        zmap = kin_source_image(follow);
    return kin_edof(on, &source, p, NULL, follow ? &zmap : NULL, 0, &sinks, NULL, &r->report, err);
}

/* ---- against the truth ----------------------------------------------------------------------- */

struct score {
    double mae, p95, far, ncc, mip; /* planes, planes, share beyond 2 planes, correlations */
};

/* Inside of the tissue; the camera's offset and gain do not matter to a correlation. */
static struct score measure(const struct section *t, const struct kin_image *stack,
                            const struct result *r)
{
    size_t plane = (size_t)t->dims.y * (size_t)t->dims.x, n = 0;
    float *off = malloc(plane * 4), *image = malloc(plane * 4), *truth = malloc(plane * 4),
          *mip = malloc(plane * 4);
    struct score s = {0};
    for (size_t i = 0; i < plane; i++) {
        if (kin_f32(&t->cover)[i] < 0.5f)
            continue;
        off[n] = fabsf(kin_f32(&r->zmap)[i] - 1 - kin_f32(&t->surface)[i]);
        s.mae += off[n];
        s.far += off[n] > 2;
        image[n] = kin_u16(&r->image)[i];
        truth[n] = kin_f32(&t->focus)[i];
        mip[n] = 0;
        for (int z = 0; z < t->dims.z; z++)
            mip[n] = fmaxf(mip[n], kin_u16(stack)[(size_t)z * plane + i]);
        n++;
    }
    s.mae /= n;
    s.far /= n;
    s.p95 = section_quantile(off, n, 0.95);
    s.ncc = section_ncc(image, truth, n);
    s.mip = section_ncc(mip, truth, n);
    free(off);
    free(image);
    free(truth);
    free(mip);
    return s;
}

static void check_focus(const struct section *t, const struct kin_image *stack, const char *name)
{
    struct kin_edof_params p;
    struct kin_error err = {0};
    struct result r;
    kin_edof_defaults(&p, KIN_EDOF_FOCUS);
    ok(run(dev, stack, &p, NULL, &r, &err), "%s: projected %s", name, err.text);
    struct score s = measure(t, stack, &r);
    ok(s.mae <= 0.45, "%s: z is off by %.3f planes in the mean, at most 0.45 (margin %.3f)", name,
       s.mae, 0.45 - s.mae);
    ok(s.p95 <= 1.0, "%s: 95 %% are off by %.3f planes at most, 1.0 allowed (margin %.3f)", name,
       s.p95, 1.0 - s.p95);
    ok(s.far <= 0.01, "%s: %.3f %% are off by more than 2 planes, 1 %% allowed", name, 100 * s.far);
    ok(s.ncc >= 0.90, "%s: correlation to the in-focus image %.3f, at least 0.90 (margin %.3f)",
       name, s.ncc, s.ncc - 0.90);
    ok(s.ncc > s.mip, "%s: better than the maximum projection, %.3f", name, s.mip);
    result_free(&r);
}

static void check_clij2(const struct section *t, const struct kin_image *stack)
{
    struct kin_edof_params p;
    struct kin_error err = {0};
    struct result r;
    kin_edof_defaults(&p, KIN_EDOF_CLIJ2);
    ok(p.radius == 5 && p.sigma == 20 && run(dev, stack, &p, NULL, &r, &err),
       "clij2, radius 5, sigma 20: projected %s", err.text);
    struct score s = measure(t, stack, &r);
    ok(s.mae <= 0.60, "clij2: z is off by %.3f planes in the mean, at most 0.60 (margin %.3f)",
       s.mae, 0.60 - s.mae);
    size_t plane = (size_t)t->dims.y * (size_t)t->dims.x, wrong = 0;
    for (size_t i = 0; i < plane; i++) {
        size_t z = (size_t)kin_f32(&r.zmap)[i] - 1;
        wrong += kin_u16(&r.image)[i] != kin_u16(stack)[z * plane + i];
    }
    ok(wrong == 0, "clij2: every pixel is the pixel of its plane");
    result_free(&r);
}

/* The surface lies within the stack, and beyond one that ends too early. */
static void check_ends(const struct kin_image *stack)
{
    struct kin_edof_params p;
    struct kin_error err = {0};
    struct result r;
    struct kin_image early = *stack;
    early.dims.z = 8;
    kin_edof_defaults(&p, KIN_EDOF_FOCUS);
    bool good = run(dev, stack, &p, NULL, &r, &err);
    ok(good && r.report.at_end < 0.05, "%.3f of the tissue is at the ends of the stack",
       r.report.at_end);
    result_free(&r);
    good = run(dev, &early, &p, NULL, &r, &err);
    ok(good && r.report.at_end > 0.9, "%.3f of it where the stack ends too early", r.report.at_end);
    result_free(&r);
    for (size_t i = 0; i < kin_count(early.dims); i++)
        kin_u16(&early)[i] = (uint16_t)(1000 + section_hash(1, 2, (uint32_t)i) % 30);
    good = run(dev, &early, &p, NULL, &r, &err);
    ok(good && isnan(r.report.at_end), "of noise nothing is in focus, at the ends or elsewhere");
    result_free(&r);
    for (int y = 200; y < 260; y++)
        for (int x = 200; x < 260; x++)
            kin_u16(&early)[(512 + y) * 512 + x] +=
                (uint16_t)(section_hash(3, 4, (uint32_t)(y * 512 + x)) % 300);
    good = run(dev, &early, &p, NULL, &r, &err);
    ok(good && isnan(r.report.at_end), "debris above the tissue is little of it");
    result_free(&r);
}

static void test_section(void)
{
    struct kin_psf_params q = {.na = 0.75, .emission_nm = 461, .xy_nm = 377, .z_nm = 1500};
    kin_psf_support(&q, 20);
    struct kin_image psf, stack;
    struct section t;
    kin_psf(&q, &psf, NULL);
    static const double photons[2] = {300, 100};
    section_make(dev, &t, (struct kin_dims){20, 512, 512}, 4, 11, &psf, q.xy_nm, q.z_nm);
    for (int i = 0; i < 2; i++) {
        char name[40];
        section_photograph(&t, photons[i], 20, 20, 7, &stack);
        snprintf(name, sizeof name, "focus, %g photons", photons[i]);
        check_focus(&t, &stack, name);
        if (i == 0)
            check_clij2(&t, &stack);
        if (i == 1)
            check_ends(&stack);
        kin_image_free(&stack);
    }
    section_free(&t);
    kin_image_free(&psf);
}

/* ---- bands, threads -------------------------------------------------------------------------- */

/* Texture that is sharp on a tilted surface and blurred away from it; quick to make. */
static void tilted(struct kin_image *stack, struct kin_dims dims, uint32_t seed)
{
    kin_image_alloc(stack, dims, KIN_U16, NULL);
    for (int z = 0; z < dims.z; z++)
        for (int y = 0; y < dims.y; y++)
            for (int x = 0; x < dims.x; x++) {
                double surface = 2 + (dims.z - 5.0) * y / dims.y, off = fabs(z - surface);
                double fine = section_noise(seed, 1, y, x, 3),
                       noise = 4 * (section_uniform(seed, 2,
                                                    (uint32_t)(((z * dims.y) + y) * dims.x + x)) -
                                    0.5);
                kin_u16(stack)[((size_t)z * dims.y + y) * dims.x + x] = kin_round_u16(
                    (float)(1000 + 150 * fine * exp(-off * off / 2) + noise));
            }
}

static bool same(const struct result *a, const struct result *b)
{
    size_t n = kin_count(a->image.dims);
    return !memcmp(a->image.data, b->image.data, 2 * n) &&
           !memcmp(a->zmap.data, b->zmap.data, 4 * n) &&
           !memcmp(a->confidence.data, b->confidence.data, n);
}

static void test_bands(void)
{
    struct kin_image stack;
    struct kin_error err = {0};
    struct device *serial = device_open(DEVICE_CPU, 1, &err);
    tilted(&stack, (struct kin_dims){8, 1203, 201}, 4);
    for (int mode = 0; mode < 2; mode++) {
        struct kin_edof_params p;
        struct result whole, cut, single;
        kin_edof_defaults(&p, mode ? KIN_EDOF_CLIJ2 : KIN_EDOF_FOCUS);
        p.sigma = mode ? 6 : p.sigma;
        const char *name = mode ? "clij2" : "focus";
        bool good = run(dev, &stack, &p, NULL, &whole, &err);
        p.memory = 4 << 20;
        good = good && run(dev, &stack, &p, NULL, &cut, &err) &&
               run(serial, &stack, &p, NULL, &single, &err);
        if (ok(good && cut.report.bands > 1, "%s: in %d bands %s", name, cut.report.bands,
               err.text)) {
            ok(same(&whole, &cut), "%s: one band and %d give the same bits", name,
               cut.report.bands);
            ok(same(&cut, &single), "%s: one thread and %d give the same bits", name, dev->threads);
        }
        result_free(&whole);
        result_free(&cut);
        result_free(&single);
    }
    kin_image_free(&stack);
    device_close(serial);
}

/* ---- planes that are left out, maps that are followed ---------------------------------------- */

static uint16_t *plane_of(struct kin_image *stack, int z)
{
    return kin_u16(stack) + (size_t)z * (size_t)stack->dims.y * (size_t)stack->dims.x;
}

static void test_gate(void)
{
    struct kin_image stack;
    struct kin_edof_params p;
    struct kin_error err = {0};
    struct result r;
    tilted(&stack, (struct kin_dims){9, 160, 160}, 5);
    size_t plane = 160 * 160;
    for (size_t i = 0; i < plane; i++)
        if (i % 160 < 40) /* outside of the mosaic: zero in all planes */
            for (int z = 0; z < 9; z++)
                plane_of(&stack, z)[i] = 0;
    memset(plane_of(&stack, 3), 0, plane * 2);
    for (size_t i = 0; i < plane; i++)
        if (i % 160 >= 40 && i % 10 == 9)
            plane_of(&stack, 5)[i] = 65000;
    kin_edof_defaults(&p, KIN_EDOF_FOCUS);
    ok(run(dev, &stack, &p, NULL, &r, &err), "a stack with bad planes is projected %s", err.text);
    const struct focus_planes *u = &r.report.used;
    ok(u->count == 5 && u->number[0] == 1 && u->number[1] == 2 && u->number[2] == 4 &&
           u->number[3] == 6 && u->number[4] == 7,
       "left out: the ends, the dark plane, the saturated plane (%d used)", u->count);
    ok(fabs(r.report.covered - 0.75) < 1e-9 && r.report.zero[3] == 1 && r.report.zero[2] < 0.01,
       "zeros are counted in the covered three quarters");
    ok(kin_u16(&r.image)[80 * 160 + 10] == 0 && kin_u16(&r.image)[80 * 160 + 100] > 500,
       "outside stays zero, inside is not");
    result_free(&r);
    for (int z = 2; z < 8; z++)
        memset(plane_of(&stack, z), 0, plane * 2);
    ok(!run(dev, &stack, &p, NULL, &r, &err) && strstr(err.text, "can be used (") &&
           strstr(err.text, "--max-zero"),
       "too few planes: %s", err.text);
    result_free(&r);
    kin_image_free(&stack);
}

/* The least value of at least 1 that at most a thousandth of the covered samples exceeds, counted
 * one by one. */
static int clip_by_hand(const struct kin_image *stack)
{
    static size_t bins[65536];
    size_t plane = (size_t)stack->dims.y * (size_t)stack->dims.x, above = 0;
    size_t n = plane * (size_t)stack->dims.z, covered = n;
    memset(bins, 0, sizeof bins);
    for (size_t i = 0; i < n; i++)
        bins[kin_u16(stack)[i]]++;
    for (size_t i = 0; i < plane; i++) {
        bool dark = true;
        for (int z = 0; z < stack->dims.z; z++)
            dark &= !kin_u16(stack)[(size_t)z * plane + i];
        covered -= dark ? (size_t)stack->dims.z : 0;
    }
    int clip = 65535;
    while (clip > 1 && (above + bins[clip]) * 1000 <= covered)
        above += bins[clip--];
    return clip;
}

/* The gate counts ever fewer of the samples on its way down the image. */
static void test_clip(void)
{
    static const char *const names[] = {"noise",       "brighter below", "brighter above",
                                        "a few spots", "one value",      "dark but for some rows"};
    struct kin_edof_params p;
    kin_edof_defaults(&p, KIN_EDOF_FOCUS);
    p.max_zero = 1;
    for (int kind = 0; kind < 6; kind++) {
        struct kin_image stack;
        struct kin_error err = {0};
        struct kin_edof_report report;
        kin_image_alloc(&stack, (struct kin_dims){5, 901, 77}, KIN_U16, &err);
        for (size_t i = 0; i < (size_t)5 * 901 * 77; i++) {
            int y = (int)(i / 77 % 901), noise = rand() % 500;
            int values[] = {noise,
                            y * 50 + noise,
                            (900 - y) * 50 + noise,
                            rand() % 700 ? noise : rand() % 60000,
                            7,
                            y > 640 && y < 660 ? noise : 0};
            kin_u16(&stack)[i] = (uint16_t)values[kind];
        }
        struct kin_source source = kin_source_image(&stack);
        kin_edof_gate(&source, &p, 3, &report, &err);
        int clip = clip_by_hand(&stack);
        ok(report.clip == clip, "the clip of %s: %d, %d by hand", names[kind], report.clip, clip);
        kin_image_free(&stack);
    }
}

static void test_follow(void)
{
    struct kin_image stack;
    struct kin_edof_params p;
    struct kin_error err = {0};
    struct result own, led;
    tilted(&stack, (struct kin_dims){8, 200, 150}, 6);
    kin_edof_defaults(&p, KIN_EDOF_FOCUS);
    bool good = run(dev, &stack, &p, NULL, &own, &err) &&
                run(dev, &stack, &p, &own.zmap, &led, &err);
    size_t n = 200 * 150;
    int worst = 0;
    for (size_t i = 0; good && i < n; i++) {
        int off = abs(kin_u16(&own.image)[i] - kin_u16(&led.image)[i]);
        worst = off > worst ? off : worst;
    }
    ok(good && worst <= 1,
       "following its own map gives the same image (worst difference %d ADU) %s", worst, err.text);
    struct kin_image other = led.zmap;
    other.dims.x--;
    struct result none;
    ok(!run(dev, &stack, &p, &other, &none, &err) && strstr(err.text, "z map"),
       "a map of another size is refused: %s", err.text);
    result_free(&own);
    result_free(&led);
    result_free(&none);
    kin_image_free(&stack);
}

static void test_refusals(void)
{
    struct kin_image stack;
    struct kin_edof_params p;
    struct kin_error err = {0};
    struct result r;
    kin_edof_defaults(&p, KIN_EDOF_FOCUS);
    tilted(&stack, (struct kin_dims){2, 64, 64}, 6);
    ok(!run(dev, &stack, &p, NULL, &r, &err) && strstr(err.text, "planes"),
       "two planes are refused: %s", err.text);
    result_free(&r);
    kin_image_free(&stack);
    tilted(&stack, (struct kin_dims){5, 64, 64}, 6);
    p.memory = 1000;
    err = (struct kin_error){0};
    ok(!run(dev, &stack, &p, NULL, &r, &err) && err.code == KIN_MEMORY,
       "1000 bytes are too little: %s", err.text);
    result_free(&r);
    kin_image_free(&stack);
}

int main(void)
{
    struct kin_error err = {0};
    dev = device_open(DEVICE_CPU, 0, &err);
    test_section();
    test_bands();
    test_gate();
    test_clip();
    test_follow();
    test_refusals();
    device_close(dev);
    return done();
}
