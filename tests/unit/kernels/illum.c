// SPDX-License-Identifier: MIT
// Illumination: the flat field of a real data set against BaSiC's published result; of a made one
// against the truth, with enough images and with few.
#include "illum.h"
#include "test.h"
#include "shared.h"

#include <math.h>

enum { M = ILLUM_PIXELS, N = ILLUM_SIDE };

static struct device *dev;
static struct illum_fit fit;

static void compare(const float *got, const float *want, double *mean, double *worst)
{
    double a = 0, b = 0;
    for (int i = 0; i < M; i++) {
        a += got[i] / (double)M;
        b += want[i] / (double)M;
    }
    *mean = *worst = 0;
    for (int i = 0; i < M; i++) {
        double e = fabs(got[i] / a / (want[i] / b) - 1);
        *mean += e / M;
        *worst = fmax(*worst, e);
    }
}

static void test_reference(void)
{
    struct kin_image raw, want, thumbs;
    struct kin_error err = {0};
    struct illum_params params = {.dark = 0};
    double mean, worst;
    const char *path = shared_path("basic_reference/wsi_brain.tif");
    if (!path || !kin_tiff_read(path, &raw, &err)) {
        skip("no shared data (KINTSUGI_SHARED_DATA)");
        return;
    }
    if (!kin_tiff_read(shared_path("basic_reference/ref_wsi_brain_flat_flatonly.tif"), &want,
                       &err) ||
        !kin_to_f32(&raw, &thumbs, &err))
        return;
    bool good = illum_fit(dev, kin_f32(&thumbs), raw.dims.z, &params, &fit, &err);
    ok(good && fit.method == ILLUM_BASIC, "63 real tiles are fitted (%s), %d rounds, %d iterations",
       fit.note, fit.rounds, fit.iterations);
    compare(fit.flat, kin_f32(&want), &mean, &worst);
    ok(mean < 1e-3 && worst < 1e-2, "the flat field is BaSiC's own: mean %.1e, worst %.1e", mean,
       worst);
    kin_image_free(&raw);
    kin_image_free(&want);
    kin_image_free(&thumbs);
}

static float noise(uint32_t i)
{
    i ^= i >> 16;
    i *= 0x7feb352du;
    i ^= i >> 15;
    i *= 0x846ca68bu;
    return (float)((i ^ i >> 16) >> 8) / 16777216.0f;
}

static float true_flat(int i)
{
    double y = (i / N - 60) / 64.0, x = (i % N - 70) / 64.0;
    return (float)(1 / ((1 + 0.25 * (x * x + y * y)) * (1 + 0.25 * (x * x + y * y))));
}

/* Images of background and bright spots under the true flat. */
static void make_images(float *images, int n, double offset)
{
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < M; i++)
            images[k * M + i] = 100 + 20 * noise((uint32_t)k);
        for (int s = 0; s < 60; s++) {
            int at = (int)(noise((uint32_t)(k * 100 + s) + 7777) * M), r = 4;
            for (int dy = -r; dy <= r; dy++) {
                for (int dx = -r; dx <= r; dx++) {
                    int y = at / N + dy, x = at % N + dx;
                    if (y >= 0 && y < N && x >= 0 && x < N && dy * dy + dx * dx <= r * r)
                        images[k * M + y * N + x] += 300;
                }
            }
        }
        for (int i = 0; i < M; i++)
            images[k * M + i] = images[k * M + i] * true_flat(i) +
                                4 * noise((uint32_t)(k * M + i)) + (float)offset;
    }
}

static void test_made(int n, double offset, bool known, enum illum_method method, double gate)
{
    struct kin_error err = {0};
    struct illum_params params = {.dark = known ? offset : NAN};
    double mean, worst;
    float *images = malloc((size_t)n * M * sizeof *images), want[M];
    make_images(images, n, offset);
    for (int i = 0; i < M; i++)
        want[i] = true_flat(i);
    bool good = illum_fit(dev, images, n, &params, &fit, &err);
    ok(good && fit.method == method, "%d made images are fitted by %s", n,
       illum_method_name(fit.method));
    compare(fit.flat, want, &mean, &worst);
    ok(mean < gate, "the flat field is the true one to %.2f %% (worst %.2f %%), offset %s",
       mean * 100, worst * 100, known ? "known" : "fitted");
    free(images);
}

static void test_threads(void)
{
    struct kin_error err = {0};
    struct illum_params params = {.dark = NAN, .reweights = 2};
    static struct illum_fit three;
    float *images = malloc(30 * M * sizeof *images);
    make_images(images, 30, 180);
    bool good = true;
    for (int k = 0; k < 2; k++) {
        struct device *other = device_open(DEVICE_CPU, k ? 3 : 1, &err);
        good = good && other && illum_fit(other, images, 30, &params, k ? &three : &fit, &err);
        device_close(other);
    }
    ok(good && !memcmp(fit.flat, three.flat, sizeof fit.flat) &&
           !memcmp(fit.dark, three.dark, sizeof fit.dark),
       "one thread and three give the same bits %s", err.text);
    free(images);
}

static void test_empty(void)
{
    struct kin_error err = {0};
    struct illum_params params = {.dark = 0};
    float *images = calloc(20 * M, sizeof *images);
    ok(illum_fit(dev, images, 20, &params, &fit, &err) && fit.method == ILLUM_NONE &&
           fit.flat[77] == 1,
       "empty images: %s", fit.note);
    free(images);
}

static void test_sizes(void)
{
    struct kin_error err = {0};
    struct kin_image big, gain;
    uint16_t *tile = malloc(200 * 300 * sizeof *tile);
    static float thumb[M];
    double worst = 0, light = 0, kept = 0;
    for (int i = 0; i < 200 * 300; i++) {
        tile[i] = (uint16_t)(1000 + 2 * (i / 300) + 3 * (i % 300));
        light += tile[i];
    }
    illum_thumbnail(tile, KIN_U16, 200, 300, thumb);
    for (int i = 0; i < M; i++)
        kept += thumb[i] * (200.0 * 300 / M);
    ok(fabs(kept / light - 1) < 1e-6,
       "a thumbnail keeps the light, fractions weighed exactly (%.1e)", kept / light - 1);
    ok(illum_expand(thumb, 200, 300, &big, &err) && illum_gain(&big, 0.1f, &gain, &err),
       "and grows back");
    for (int i = 0; i < 200 * 300; i++) {
        if (i / 300 > 1 && i / 300 < 198 && i % 300 > 1 && i % 300 < 298)
            worst = fmax(worst, fabs(kin_f32(&big)[i] - tile[i]));
    }
    ok(worst < 0.4, "to the same slope within a fraction of a pixel (%.4f)", worst);
    kin_image_free(&big);
    kin_image_free(&gain);
    free(tile);
}

int main(void)
{
    struct kin_error err = {0};
    dev = device_open(DEVICE_CPU, 0, &err);
    if (!dev)
        return 1;
    test_reference();
    test_made(40, 180, true, ILLUM_BASIC, 0.01);
    test_made(40, 180, false, ILLUM_BASIC, 0.05);
    test_made(6, 180, true, ILLUM_SURFACE, 0.02);
    test_threads();
    test_empty();
    test_sizes();
    ok(device_ok(dev, &err), "the device reports no failure %s", err.text);
    device_close(dev);
    return done();
}
