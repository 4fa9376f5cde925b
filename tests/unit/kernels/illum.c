// SPDX-License-Identifier: MIT
// Illumination: the flat field of a real data set against BaSiC's published result; of a made one
// against the truth, with enough images and with few.
#include "illum/levels.h"
#include "illum/surface.h"
#include "shared.h"
#include "test.h"

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

/* The numbers of a text file, one a line. */
static int read_numbers(const char *path, double *numbers, int room)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    int n = 0;
    while (file && n < room && fscanf(file, "%lf", &numbers[n]) == 1)
        n++;
    if (file)
        fclose(file);
    return n;
}

static void test_reference_baseline(const float *thumbs, int n)
{
    struct kin_error err = {0};
    double want[63], got[63], worst = 0, mean = 0;
    int count = read_numbers(shared_path("basic_reference/ref_wsi_brain_baseline_flatonly.txt"),
                             want, 63);
    bool good = n == 63 && count == n && illum_baseline(dev, thumbs, n, &fit, got, &err);
    for (int i = 0; good && i < n; i++) {
        double e = fabs(got[i] / want[i] - 1);
        mean += e / n;
        worst = fmax(worst, e);
    }
    ok(good && mean < 0.03 && worst < 0.12,
       "the baselines are near BaSiC's: mean %.1e, worst %.1e %s", mean, worst, err.text);
}

static void test_reference_ladmap(const float *thumbs, int n, const float *want)
{
    struct kin_error err = {0};
    struct illum_params params = {.dark = 0, .solver = ILLUM_LADMAP};
    double mean, worst;
    bool good = illum_fit(dev, thumbs, n, &params, &fit, &err);
    compare(fit.flat, want, &mean, &worst);
    ok(good && fit.method == ILLUM_BASIC && mean < 0.2,
       "LADMAP, where tissue fills the images: within %.2g of it (BaSiCPy's: 0.15), worst %.2g, %d "
       "rounds, %d "
       "iterations %s",
       mean, worst, fit.rounds, fit.iterations, fit.note);
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
    test_reference_baseline(kin_f32(&thumbs), raw.dims.z);
    if (!SANITIZED) /* test_threads takes the same lines */
        test_reference_ladmap(kin_f32(&thumbs), raw.dims.z, kin_f32(&want));
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

static void test_made(int n, double offset, bool known, enum illum_solver solver,
                      enum illum_method method, double gate)
{
    struct kin_error err = {0};
    struct illum_params params = {.dark = known ? offset : NAN, .solver = solver};
    double mean, worst;
    float *images = malloc((size_t)n * M * sizeof *images), want[M];
    make_images(images, n, offset);
    for (int i = 0; i < M; i++)
        want[i] = true_flat(i);
    bool good = illum_fit(dev, images, n, &params, &fit, &err);
    ok(good && fit.method == method,
       "%d made images are fitted by %s (%s, %d rounds, %d iterations)", n,
       illum_method_name(fit.method), solver == ILLUM_LADMAP ? "ladmap" : "approximate", fit.rounds,
       fit.iterations);
    compare(fit.flat, want, &mean, &worst);
    ok(mean < gate, "the flat field is the true one to %.2f %% (worst %.2f %%), offset %s",
       mean * 100, worst * 100, known ? "known" : "fitted");
    free(images);
}

/* Where nobody says what the camera gives without light, few images do not tell it either: the fit
 * is that much worse, and says so. */
static void test_unknown_offset(void)
{
    static const struct {
        int n, places_min;
        bool known;
        const char *says;
    } cases[] = {
        {2, 2, false, "images of 2 places are too few to tell the camera's offset"},
        {2, 2, true, "images of 2 places are too few to tell shading from tissue"},
        {24, 2, true, ""},
        {23, 2, false, "images of 23 places are too few to tell the camera's offset"},
        {24, 2, false, ""},
        {6, 0, true, "images of 6 places are too few: a smooth surface instead"},
        {6, 0, false, "instead; the camera's offset was taken as 0"},
    };
    float *images = malloc((size_t)24 * M * sizeof *images), want[M];
    make_images(images, 24, 180);
    for (int i = 0; i < M; i++)
        want[i] = true_flat(i);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct kin_error err = {0};
        struct illum_params params = {.dark = cases[k].known ? 180 : NAN,
                                      .places_min = cases[k].places_min};
        double mean, worst;
        bool good = illum_fit(dev, images, cases[k].n, &params, &fit, &err);
        compare(fit.flat, want, &mean, &worst);
        ok(good && (*cases[k].says ? strstr(fit.note, cases[k].says) != NULL : !*fit.note),
           "%d images, %.2f %% off: \"%s\"", cases[k].n, mean * 100, fit.note);
    }
    free(images);
}

/* Tissue of all sizes, at a pixel of the mosaic. */
static double tissue(double y, double x)
{
    double sum = 300;
    for (int k = 0; k < 24; k++) {
        double f = 0.006 * pow(1.25, k), a = 6.283 * (double)noise((uint32_t)k + 40),
               turn = 6.283 * (double)noise((uint32_t)k + 90);
        sum += 160 * pow(1.25, -k / 2.0) * sin(f * (cos(a) * y + sin(a) * x) + turn);
    }
    return fmax(sum, 20);
}

static bool surface(const float *images, int n, const struct illum_params *params, float *flat)
{
    struct illum_views *views = illum_views_open(dev, images, n, params);
    bool good = views && illum_views_surface(views, flat);
    illum_views_close(views);
    return good;
}

static double disagreement(const float *images, int n, const struct illum_params *params,
                           const float *flat)
{
    struct illum_views *views = illum_views_open(dev, images, n, params);
    double bright, left = views ? illum_views_disagreement(views, flat, &bright) : NAN;
    illum_views_close(views);
    return left;
}

enum { GRID = 5, STEP = 90 };

/* side x side tiles of one tissue, and which overlap; answers how many do. */
static int make_grid(float *images, int side, double offset, struct illum_pair *pairs)
{
    int count = 0;
    for (int k = 0; k < side * side; k++) {
        int row = k / side, col = k % side;
        for (int i = 0; i < M; i++)
            images[k * M + i] = (float)(tissue(row * STEP + i / N, col * STEP + i % N) *
                                            (double)true_flat(i) +
                                        4 * (double)noise((uint32_t)(k * M + i)) + offset);
        if (col + 1 < side)
            pairs[count++] = (struct illum_pair){k, k + 1, 0, (double)STEP / N};
        if (row + 1 < side)
            pairs[count++] = (struct illum_pair){k, k + side, (double)STEP / N, 0};
    }
    return count;
}

/* Few tiles do not tell shading from tissue, but the same tissue under two places of the field
 * does. */
static void test_overlaps(void)
{
    static const struct {
        int side;
        double with, without; /* mean error: below, above */
    } cases[] = {{2, 0.01, 0.05}, {3, 0.01, 0.05}, {5, 0.01, 0.05}};
    struct illum_pair pairs[2 * GRID * GRID];
    float *images = malloc((size_t)GRID * GRID * M * sizeof *images), want[M];
    for (int i = 0; i < M; i++)
        want[i] = true_flat(i);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct kin_error err = {0};
        int n = cases[k].side * cases[k].side;
        double mean[2], worst;
        struct illum_params params = {.dark = 100, .pairs = pairs};
        int count = make_grid(images, cases[k].side, 100, pairs);
        for (int with = 0; with < 2; with++) {
            params.pair_count = with ? count : 0;
            bool good = illum_fit(dev, images, n, &params, &fit, &err);
            compare(fit.flat, want, &mean[with], &worst);
            ok(good && (fit.method == ILLUM_SURFACE) == (n < 24 || with), "%d tiles: \"%s\"", n,
               fit.note);
        }
        ok(mean[1] < cases[k].with && mean[0] > cases[k].without,
           "with %d overlaps the flat field is true to %.2f %%, without to %.2f %%", count,
           100 * mean[1], 100 * mean[0]);
        double agree = disagreement(images, n, &params, fit.flat);
        for (int i = 0; i < M; i++)
            fit.flat[i] = 1;
        ok(agree < disagreement(images, n, &params, fit.flat) / 2,
           "overlaps agree to %.2f %% under it, to %.2f %% under none", 100 * agree,
           100 * disagreement(images, n, &params, fit.flat));
    }
    struct illum_params off = {.dark = 80, .pairs = pairs};
    double errors[2], most;
    off.pair_count = make_grid(images, 3, 100, pairs);
    for (int free = 0; free < 2; free++) {
        off.dark_error = free ? 30 : 0.01;
        bool fits = surface(images, 9, &off, fit.flat);
        compare(fit.flat, want, &errors[free], &most);
        ok(fits, "an offset stated 20 ADU too low is fitted along, if it may be wrong");
    }
    ok(errors[1] < errors[0] / 2 && errors[1] < 0.03,
       "the flat field is then true to %.2f %%, else to %.2f %%", 100 * errors[1], 100 * errors[0]);
    struct illum_params one = {.dark = 100};
    double flat[2], worst;
    for (int i = 0; i < M; i++)
        fit.flat[i] = 1;
    compare(fit.flat, want, &flat[0], &worst);
    bool good = surface(images, 1, &one, fit.flat);
    compare(fit.flat, want, &flat[1], &worst);
    ok(good && flat[1] < 1.1 * flat[0] && isnan(disagreement(images, 1, &one, fit.flat)),
       "a single tile makes a field no worse than none: %.1f %% off, not %.1f %%", 100 * flat[1],
       100 * flat[0]);
    free(images);
}

/* An offset that nobody states, or of which only the mean is stated, of enough tiles. */
static void test_offset_of_many(void)
{
    struct illum_pair pairs[2 * GRID * GRID];
    struct kin_error err = {0};
    float *images = malloc((size_t)GRID * GRID * M * sizeof *images), want[M];
    double mean, worst;
    struct illum_params params = {.dark = NAN, .pairs = pairs};
    params.pair_count = make_grid(images, GRID, 100, pairs);
    for (int i = 0; i < M; i++)
        want[i] = true_flat(i);
    bool good = illum_fit(dev, images, GRID * GRID, &params, &fit, &err);
    compare(fit.flat, want, &mean, &worst);
    ok(good && fit.method == ILLUM_SURFACE && mean < 0.03 &&
           strstr(fit.note, "; the camera's offset was taken as "),
       "an offset of 100 is not stated: %.2f %% off, \"%s\"", 100 * mean, fit.note);
    for (int i = 0; i < GRID * GRID * M; i++)
        images[i] += (float)(i % N - N / 2) * 0.3f;
    params.dark = 102;
    params.dark_error = 10;
    good = illum_fit(dev, images, GRID * GRID, &params, &fit, &err);
    compare(fit.flat, want, &mean, &worst);
    ok(good && fit.method == ILLUM_SURFACE && mean < 0.02,
       "only the mean of an uneven one is stated: %.2f %% off, \"%s\"", 100 * mean, fit.note);
    free(images);
}

/* Backgrounds that fade from image to image, under spots that do not. */
static void test_baseline(void)
{
    enum { IMAGES = 40 };
    struct kin_error err = {0};
    double want[IMAGES], got[IMAGES], rate, mean = 0, worst = 0;
    float *images = malloc(IMAGES * M * sizeof *images), flat_mean = 0;
    fit = (struct illum_fit){.method = ILLUM_BASIC};
    make_images(images, IMAGES, 180);
    for (int i = 0; i < M; i++)
        flat_mean += true_flat(i) / M;
    for (int i = 0; i < M; i++) {
        fit.flat[i] = true_flat(i) / flat_mean;
        fit.dark[i] = 180;
    }
    for (int k = 0; k < IMAGES; k++) {
        float fade = (float)exp(-0.01 * k);
        for (int i = 0; i < M; i++)
            images[k * M + i] = fade * (images[k * M + i] - 180) + 180;
        /* camera noise: 0 to 4 */
        want[k] = ((100 + 20 * (double)noise((uint32_t)k)) * flat_mean + 2) * fade;
    }
    bool good = illum_baseline(dev, images, IMAGES, &fit, got, &err) &&
                illum_decay(got, IMAGES, &rate);
    for (int k = 0; k < IMAGES; k++) {
        mean += fabs(got[k] / want[k] - 1) / IMAGES;
        worst = fmax(worst, fabs(got[k] / want[k] - 1));
    }
    ok(good && mean < 0.01 && worst < 0.03,
       "baselines are the true ones to %.2f %% (worst %.2f %%) %s", 100 * mean, 100 * worst,
       err.text);
    ok(fabs(rate - 0.01) < 0.001, "they fade by %.5f an image, truly 0.01", rate);
    for (int k = 0; k < IMAGES; k++)
        got[k] = k == 7 ? 0 : 100 * exp(-0.02 * k) * (k % 9 ? 1 : 3);
    good = illum_decay(got, IMAGES, &rate);
    ok(good && fabs(rate - 0.02) < 2e-4, "the rate ignores images that stand out (%.5f)", rate);
    got[1] = got[0] = 0;
    ok(illum_decay(got, 2, &rate) && rate == 0 && illum_decay(got, 0, &rate) && rate == 0,
       "two dark images do not fade");
    memset(images, 0, IMAGES * M * sizeof *images);
    got[3] = 1;
    ok(illum_baseline(dev, images, IMAGES, &fit, got, &err) && got[3] == 0,
       "empty images have the baseline 0");
    free(images);
}

/* Three tiles of two planes each, one of them missing: what is taken off and multiplied with. */
static void test_levels(void)
{
    enum { IMAGES = 6, TILES = 4 };
    static const int tile_of[IMAGES] = {0, 1, 3, 0, 1, 3};
    static const double light[TILES] = {100, 80, 0, 64};
    struct kin_error err = {0};
    struct illum_levels l;
    float *images = malloc(IMAGES * M * sizeof *images);
    for (int i = 0; i < M; i++) {
        fit.flat[i] = 1;
        fit.dark[i] = 50;
    }
    for (int i = 0; i < IMAGES * M; i++)
        /* the planes differ */
        images[i] = (float)(50 + light[tile_of[i / M]] + (i / M < 3 ? 5 : -5));
    for (int how = ILLUM_KEEP; how <= ILLUM_DECAY; how++) {
        double mean = (100 + 80 + 64) / 3.0, zero = how == ILLUM_TO_MEAN ? mean : 0;
        bool good = illum_levels_find(dev, images, tile_of, IMAGES, &fit, TILES,
                                      (enum illum_level)how, &l, &err);
        for (int k = 0; good && k < TILES; k++) {
            bool moved = k != 2 && (how == ILLUM_TO_ZERO || how == ILLUM_TO_MEAN);
            double scale = how == ILLUM_DECAY ? exp(l.decay * (k - 1.5)) : 1;
            good = (k == 2 ? isnan(l.baseline[k]) : fabs(l.baseline[k] - light[k]) < 0.01) &&
                   fabs(l.shift[k] - (moved ? light[k] - zero : 0)) < 0.02 &&
                   fabs(l.scale[k] - scale) < 1e-6;
        }
        ok(good && l.decay > 0.1 && l.decay < 0.23,
           "levels, way %d: a missing tile is left alone (decay %.3f) %s", how, l.decay, err.text);
        illum_levels_free(&l);
    }
    free(images);
}

/* Three planes of so many places under one flat field, with the camera's pattern: a scene that is
 * the same in all planes of a place, times its brightness, and noise of 20 ADU. */
static double signal_of(int places, int planes, double light)
{
    float *thumbs = malloc((size_t)places * (size_t)planes * M * sizeof *thumbs);
    int place_of[100], n = 0;
    for (int z = 0; z < planes; z++)
        for (int k = 0; k < places; k++, n++) {
            place_of[n] = k;
            for (int i = 0; i < M; i++) {
                double scene = light * tissue(i / N + 300.0 * k, i % N + 170.0 * k);
                thumbs[(size_t)n * M + i] = (float)(300 + 5 * (i % N % 2) +
                                                    true_flat(i) * (50 + scene) +
                                                    20 * noise((uint32_t)(n * M + i)));
            }
        }
    double signal = illum_signal(thumbs, place_of, n, places);
    free(thumbs);
    return signal;
}

static void test_signal(void)
{
    double none = signal_of(9, 3, 0), dim = signal_of(9, 3, 0.01), bright = signal_of(9, 3, 1000);
    ok(fabs(none) < 0.1, "planes of noise have nothing in common: %.3f", none);
    ok(dim > 0.15 && bright > 0.99, "what is there is in all planes: dim %.3f, bright %.3f", dim,
       bright);
    ok(isnan(signal_of(3, 3, 100)) && isnan(signal_of(9, 1, 100)),
       "three places, or one plane, do not tell");
}

static void test_threads(enum illum_solver solver)
{
    struct kin_error err = {0};
    enum { ITERATIONS = SANITIZED ? 20 : 60 };
    struct illum_params params = {
        .dark = NAN, .reweights = 1, .iterations = ITERATIONS, .solver = solver};
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
    test_made(40, 180, true, ILLUM_APPROXIMATE, ILLUM_BASIC, 0.01);
    if (!SANITIZED) { /* so it does those of these */
        test_made(40, 180, false, ILLUM_LADMAP, ILLUM_BASIC, 0.01);
        test_made(40, 180, false, ILLUM_APPROXIMATE, ILLUM_BASIC, 0.05);
        test_made(40, 180, true, ILLUM_LADMAP, ILLUM_BASIC, 0.01);
    }
    test_made(6, 180, true, ILLUM_APPROXIMATE, ILLUM_SURFACE, 0.02);
    test_unknown_offset();
    test_overlaps();
    test_offset_of_many();
    test_baseline();
    test_levels();
    test_signal();
    test_threads(ILLUM_APPROXIMATE);
    test_threads(ILLUM_LADMAP);
    test_empty();
    test_sizes();
    ok(device_ok(dev, &err), "the device reports no failure %s", err.text);
    device_close(dev);
    return done();
}
