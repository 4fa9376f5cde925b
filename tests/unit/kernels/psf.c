// SPDX-License-Identifier: MIT
/* The PSF against published widths (computed elsewhere with 800 nodes) and against its own
 * symmetries. */
#include "test.h"

#include "image/psf.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* Full width at half maximum of a symmetric profile whose peak is at index 0, in steps. */
static double fwhm(const float *profile, int stride, int count)
{
    for (int i = 1; i < count; i++) {
        double a = profile[(size_t)(i - 1) * stride], b = profile[(size_t)i * stride],
               half = profile[0] / 2;
        if (b < half)
            return 2 * (i - 1 + (a - half) / (a - b));
    }
    return 0;
}

static double lateral(double emission)
{
    struct kin_psf_params p = {
        .na = 0.75, .emission_nm = emission, .xy_nm = 10, .z_nm = 10, .half_xy = 50};
    struct kin_image psf;
    if (!kin_psf(&p, &psf, NULL))
        return 0;
    double width = 10 * fwhm(kin_f32(&psf) + (size_t)50 * 101 + 50, 1, 50);
    kin_image_free(&psf);
    return width;
}

static double axial(enum kin_psf_model model, double emission, double ri)
{
    struct kin_psf_params p = {.model = model,
                               .na = 0.75,
                               .immersion_ri = ri,
                               .emission_nm = emission,
                               .xy_nm = 1,
                               .z_nm = 20,
                               .half_z = 120,
                               .half_xy = 1};
    struct kin_image psf;
    if (!kin_psf(&p, &psf, NULL))
        return 0;
    double width = 20 * fwhm(kin_f32(&psf) + (size_t)120 * 9 + 4, 9, 120);
    kin_image_free(&psf);
    return width;
}

static void test_widths(void)
{
    static const double row[5][3] = {
        {461, 317, 1216}, {525, 360, 1385}, {575, 396, 1517}, {668, 458, 1762}, {775, 532, 2044}};
    for (int i = 0; i < 5; i++) {
        double xy = lateral(row[i][0]), z = axial(KIN_PSF_DEBYE, row[i][0], 1.0);
        ok(fabs(xy - row[i][1]) <= 3, "%g nm: lateral FWHM %.1f nm, published %g", row[i][0], xy,
           row[i][1]);
        ok(fabs(z - row[i][2]) <= 4, "%g nm: axial FWHM %.1f nm, published %g", row[i][0], z,
           row[i][2]);
    }
    double paraxial = axial(KIN_PSF_BORN_WOLF, 461, 1.0),
           tissue = axial(KIN_PSF_BORN_WOLF, 461, 1.44);
    ok(fabs(paraxial - 1453) <= 4, "Born-Wolf: axial FWHM %.1f nm, published 1453", paraxial);
    ok(fabs(tissue - 2091) <= 5, "Born-Wolf in 1.44: axial FWHM %.1f nm, published 2091", tissue);
}

/* Radius in pixels that holds 99 % of the light of plane z (of a wide PSF). */
static int encircled(const struct kin_image *psf, int z)
{
    int side = psf->dims.x, half = side / 2;
    const float *plane = kin_f32(psf) + (size_t)z * side * side;
    double ring[1024] = {0}, total = 0, within = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            ring[(int)ceil(hypot(y - half, x - half))] += plane[(size_t)y * side + x];
            total += plane[(size_t)y * side + x];
        }
    for (int r = 0; r < 1024; r++)
        if ((within += ring[r]) >= 0.99 * total)
            return r;
    return 1024;
}

static void test_support(void)
{
    struct kin_psf_params p = {.na = 0.75, .emission_nm = 461, .xy_nm = 377, .z_nm = 1500};
    kin_psf_support(&p, 20);
    ok(p.half_z == 8 && p.half_xy == 42, "support at 20 planes is 8 planes, 42 px (got %d, %d)",
       p.half_z, p.half_xy);
    struct kin_image psf;
    p.half_xy = 120;
    if (!ok(kin_psf(&p, &psf, NULL), "a wide PSF is made"))
        return;
    static const int published[5] = {14, 19, 26, 35, 43}; /* at 0, 2, 4, 6, 8 planes */
    for (int i = 0; i < 5; i++) {
        int r = encircled(&psf, 8 + 2 * i);
        ok(abs(r - published[i]) <= 2, "plane %d: 99 %% of the light within %d px, published %d",
           2 * i, r, published[i]);
    }
    kin_image_free(&psf);
}

static double total(const struct kin_image *psf)
{
    double sum = 0;
    for (size_t i = 0; i < kin_count(psf->dims); i++)
        sum += kin_f32(psf)[i];
    return sum;
}

static void test_symmetry(void)
{
    struct kin_psf_params p = {.na = 0.75, .emission_nm = 525, .xy_nm = 377, .z_nm = 1500};
    struct kin_image psf;
    kin_psf_support(&p, 10);
    ok(kin_psf(&p, &psf, NULL) && fabs(total(&psf) - 1) < 1e-5, "sum is 1");
    ok(kin_psf_even_xy(&psf) && kin_psf_even_z(&psf), "Debye is even in xy and in z");
    float centre = kin_f32(&psf)[kin_count(psf.dims) / 2], top = 0;
    for (size_t i = 0; i < kin_count(psf.dims); i++)
        top = fmaxf(top, kin_f32(&psf)[i]);
    ok(centre == top, "the peak is the middle sample");
    kin_image_free(&psf);

    p.model = KIN_PSF_GIBSON_LANNI;
    p.depth_nm = 10000;
    ok(kin_psf(&p, &psf, NULL) && kin_psf_even_xy(&psf), "Gibson-Lanni is even in xy");
    ok(!kin_psf_even_z(&psf), "Gibson-Lanni at 10 um is not even in z");
    kin_image_free(&psf);

    p.depth_nm = 0;
    struct kin_image debye;
    p.model = KIN_PSF_DEBYE;
    kin_psf(&p, &debye, NULL);
    p.model = KIN_PSF_GIBSON_LANNI;
    kin_psf(&p, &psf, NULL);
    double worst = 0;
    for (size_t i = 0; i < kin_count(psf.dims); i++)
        worst = fmax(worst, fabs(kin_f32(&psf)[i] - kin_f32(&debye)[i]));
    ok(worst < 1e-6, "Gibson-Lanni at depth 0 is Debye (worst difference %.1e)", worst);
    kin_image_free(&psf);
    kin_image_free(&debye);
}

/* Peak of the Gibson-Lanni axial curve against the aberration-free one. */
static double strehl(double depth)
{
    struct kin_psf_params p = {.na = 0.75,
                               .emission_nm = 525,
                               .xy_nm = 1,
                               .z_nm = 50,
                               .half_z = 100,
                               .half_xy = 1,
                               .model = KIN_PSF_GIBSON_LANNI,
                               .depth_nm = depth};
    struct kin_image psf;
    kin_psf(&p, &psf, NULL);
    /* Parseval along the axis: the sum over all z does not change, so peak / sum is the loss. */
    double top = 0, sum = 0;
    for (int z = 0; z <= 200; z++) {
        double v = kin_f32(&psf)[(size_t)z * 9 + 4];
        top = fmax(top, v);
        sum += v;
    }
    kin_image_free(&psf);
    return top / sum;
}

static void test_depth(void)
{
    double at5 = strehl(5000) / strehl(0), at10 = strehl(10000) / strehl(0);
    ok(fabs(at5 - 0.98) < 0.01, "5 um deep: peak %.3f, published 0.98", at5);
    ok(fabs(at10 - 0.93) < 0.02, "10 um deep: peak %.3f, published 0.93", at10);
}

/* How far the middle of the light on the axis lies from the middle plane, in planes. */
static double middle_of_light(const struct kin_psf_params *p)
{
    struct kin_psf_params sized = *p;
    struct kin_image psf;
    kin_psf_support(&sized, 9);
    kin_psf(&sized, &psf, NULL);
    double light = 0, moment = 0;
    for (int z = 0; z < psf.dims.z; z++) {
        double v = kin_f32(
            &psf)[((size_t)z * psf.dims.y + psf.dims.y / 2) * psf.dims.x + psf.dims.x / 2];
        light += v;
        moment += (z - sized.half_z) * v;
    }
    kin_image_free(&psf);
    return moment / light;
}

/* Refraction (Snell): when the objective is brought nearer by D, rays of aperture s meet at the
 * depth D tan(i) / tan(t), and rays near the axis at D ns / n. Into a denser medium those of the
 * margin meet deeper, so their focus is at the emitter in planes that come before. */
static void test_direction(void)
{
    struct kin_psf_params p = {.model = KIN_PSF_GIBSON_LANNI,
                               .na = 0.75,
                               .sample_ri = 1.4,
                               .depth_nm = 20000,
                               .emission_nm = 461,
                               .xy_nm = 377,
                               .z_nm = 1500};
    double denser = middle_of_light(&p);
    p.na = 1.2, p.immersion_ri = 1.515, p.sample_ri = 1.33, p.depth_nm = 5000;
    p.xy_nm = 108, p.z_nm = 300;
    double thinner = middle_of_light(&p);
    ok(denser < -0.2, "from air into tissue the light lies before the middle: %.2f planes", denser);
    ok(thinner > 0.2, "from oil into water behind it: %.2f planes", thinner);
}

static void refuses(struct kin_psf_params p, const char *word)
{
    struct kin_error err = {0};
    struct kin_image psf;
    bool refused = !kin_psf(&p, &psf, &err) && err.code == KIN_INPUT && strstr(err.text, word);
    ok(refused, "refused, naming '%s': %s", word, err.text);
}

static void test_refusals(void)
{
    struct kin_psf_params good = {.na = 0.75,
                                  .emission_nm = 461,
                                  .xy_nm = 377,
                                  .z_nm = 1500,
                                  .half_xy = 3},
                          p;
    p = good, p.na = 1.2, refuses(p, "aperture");
    p = good, p.na = NAN, refuses(p, "aperture");
    p = good, p.emission_nm = 0, refuses(p, "wavelength");
    p = good, p.xy_nm = 0, refuses(p, "pixel size");
    p = good, p.half_xy = 100000, refuses(p, "half-widths");
}

static void test_read(void)
{
    struct kin_psf_params p = {
        .na = 0.75, .emission_nm = 461, .xy_nm = 377, .z_nm = 1500, .half_z = 2, .half_xy = 4};
    struct kin_image psf, back;
    struct kin_error err = {0};
    char path[64];
    snprintf(path, sizeof path, "/tmp/kin-psf-%d.tif", (int)getpid());
    kin_psf(&p, &psf, NULL);
    ok(kin_tiff_write(path, &psf, NULL, &err) && kin_psf_read(path, &back, &err),
       "written and read %s", err.text);
    ok(back.dims.z == 5 && back.dims.x == 9 && fabs(total(&back) - 1) < 1e-6, "same shape, sum 1");
    kin_image_free(&back);
    kin_f32(&psf)[7] = NAN;
    kin_tiff_write(path, &psf, NULL, NULL);
    ok(!kin_psf_read(path, &back, &err) && strstr(err.text, "finite"), "a NaN is refused: %s",
       err.text);
    kin_image_free(&psf);
    unlink(path);
}

/* A Gaussian over a pedestal, around a place that is given from sample [z/2][y/2][x/2] on. */
static void test_shift(void)
{
    static const struct {
        struct kin_dims dims;
        double at[3];
    } cases[] = {
        {{5, 15, 17}, {0, 0, 0}}, {{4, 16, 18}, {-0.5, -0.5, -0.5}}, {{5, 15, 17}, {0, 2, -3}}};
    for (int i = 0; i < 3; i++) {
        struct kin_dims d = cases[i].dims;
        const double *at = cases[i].at;
        struct kin_image psf;
        double shift[3];
        kin_image_alloc(&psf, d, KIN_F32, NULL);
        for (int k = 0; k < d.z * d.y * d.x; k++) {
            double z = k / (d.y * d.x) - d.z / 2 - at[0], y = k / d.x % d.y - d.y / 2 - at[1],
                   x = k % d.x - d.x / 2 - at[2];
            kin_f32(&psf)[k] = (float)(0.1 + exp(-z * z - (y * y + x * x) / 6));
        }
        kin_psf_shift(&psf, shift);
        ok(fabs(shift[0] - at[0]) + fabs(shift[1] - at[1]) + fabs(shift[2] - at[2]) < 1e-5,
           "%d x %d x %d: the light lies (%.2f, %.2f, %.2f) off the centre", d.z, d.y, d.x,
           shift[0], shift[1], shift[2]);
        kin_image_free(&psf);
    }
}

/* LsDeconv's form: the paraxial PSF, but thinner along z by its sheet. */
static void test_sheet(void)
{
    struct kin_psf_params p = {.model = KIN_PSF_BORN_WOLF,
                               .na = 0.75,
                               .emission_nm = 525,
                               .xy_nm = 125,
                               .z_nm = 300,
                               .half_z = 6,
                               .half_xy = 20};
    struct kin_image plain, sheet;
    struct kin_error err = {0};
    double away[2] = {0}, sum = 0;
    p.sheet_na = sin(atan(6.5 / 2));
    p.excitation_nm = 488;
    bool good = kin_psf(&p, &plain, &err);
    p.model = KIN_PSF_LSDECONV;
    if (!ok(good && kin_psf(&p, &sheet, &err), "a light sheet's PSF %s", err.text))
        return;
    for (size_t i = 0; i < kin_count(plain.dims); i++) {
        double z = fabs((double)(i / (41 * 41)) - 6);
        away[0] += z * kin_f32(&plain)[i];
        away[1] += z * kin_f32(&sheet)[i];
        sum += kin_f32(&sheet)[i];
    }
    ok(fabs(sum - 1) < 1e-4 && kin_psf_even_z(&sheet) && kin_psf_even_xy(&sheet),
       "sums to 1 and is even");
    ok(away[1] < 0.5 * away[0], "is thinner along z than without the sheet (%.2f and %.2f planes)",
       away[1], away[0]);
    kin_image_free(&plain);
    kin_image_free(&sheet);
    p.sheet_na = 1.2;
    ok(!kin_psf(&p, &sheet, &err) && strstr(err.text, "light sheet"),
       "an aperture beyond the index: %s", err.text);
}

int main(void)
{
    test_widths();
    test_support();
    test_symmetry();
    test_depth();
    test_direction();
    test_refusals();
    test_read();
    test_shift();
    test_sheet();
    return done();
}
