// SPDX-License-Identifier: MIT
// Autofluorescence of a known scale: the scale comes back, the marker alone remains, nothing wraps
// below zero.
#include "isolate/exposures.h"
#include "isolate/isolate.h"
#include "qc/qc.h"

#include "test.h"
#include "tissue.h"

#include <unistd.h>

enum { N = 512 };

static const struct isolate_params usual = {.smooth = 1, .max_scale = 10}; /* as the command */
static struct kin_dims dims = {1, N, N};
static uint16_t marker[N * N], blank[N * N], signal_one[N * N], signal_three[N * N];
static float truth[N * N], found[N * N];

static struct isolate_pair both(void)
{
    static struct kin_image images[2];
    images[0] = (struct kin_image){dims, KIN_U16, marker};
    images[1] = (struct kin_image){dims, KIN_U16, blank};
    return (struct isolate_pair){kin_source_image(&images[0]), kin_source_image(&images[1])};
}

static bool measure(const struct isolate_params *params, struct isolate_fit *fit,
                    struct kin_error *err)
{
    struct isolate_pair pair = both();
    return isolate_measure(&pair, params, fit, err);
}

static bool apply(uint16_t *signal, const struct isolate_params *params, int threads,
                  struct isolate_fit *fit, struct kin_error *err)
{
    struct isolate_pair pair = both();
    struct kin_image image = {dims, KIN_U16, signal};
    int next = 0;
    struct kin_image_sink place = {&image, &next};
    struct kin_sink sink = kin_sink_image(&place);
    return isolate_apply(&pair, params, threads, fit, &sink, err) && next == N;
}

// marker = 1.7 * autofluorescence + cells of an own pattern + offset; noise in both.
static void make(double scale, double strength, uint64_t seed)
{
    struct random r = {seed};
    struct tissue af = tissue_make(N, seed), cells = tissue_make(N, seed + 40);
    for (int i = 0; i < N * N; i++) {
        double a = 60 + 250 * af.value[i], m = strength * fmax(cells.value[i] - 0.5, 0);
        blank[i] = (uint16_t)fmax(1, lround(150 + a + sqrt(a) * normal(&r)));
        marker[i] = (uint16_t)fmax(1,
                                   lround(180 + scale * a + m + sqrt(scale * a + m) * normal(&r)));
        truth[i] = (float)m;
    }
    tissue_free(&af);
    tissue_free(&cells);
}

static double ncc_to_truth(const uint16_t *image)
{
    for (int i = 0; i < N * N; i++)
        found[i] = image[i];
    return qc_ncc(found, truth, NULL, N * N);
}

static void known_scale(double scale, double strength, uint64_t seed)
{
    struct isolate_params params = usual;
    struct isolate_fit fit;
    struct kin_error err = {0};
    make(scale, strength, seed);
    double before = ncc_to_truth(marker);
    ok(measure(&params, &fit, &err) && apply(signal_one, &params, 1, &fit, &err),
       "a marker over autofluorescence is measured and subtracted");
    double after = ncc_to_truth(signal_one);
    printf("# scale %.3f (true %.1f), offset %.1f, explained %.3f, left %.3f, quality %.2f, NCC to "
           "truth %.3f -> %.3f\n",
           fit.scale, scale, fit.offset, fit.explained, fit.left, fit.quality, before, after);
    ok(fabs(fit.scale / scale - 1) < 0.05, "the scale is found to 5 %%");
    ok(after > before && after > 0.9, "what remains looks more like the marker than before");
    ok(fit.quality > 0.8 && !fit.failed, "the quality says so");
    apply(signal_three, &params, 3, &fit, &err);
    ok(!memcmp(signal_one, signal_three, sizeof signal_one),
       "three threads give the same pixels as one");
}

// A ratio to the blank that grows over the section: one line misses it, lines of places do not.
static void varying_scale(void)
{
    struct isolate_params params = usual;
    struct isolate_fit one, many;
    struct random r = {17};
    struct tissue af = tissue_make(N, 21), cells = tissue_make(N, 61);
    for (int i = 0; i < N * N; i++) {
        double a = 60 + 250 * af.value[i], m = 500 * fmax(cells.value[i] - 0.5, 0),
               k = 0.7 + 0.9 * (i % N) / N;
        blank[i] = (uint16_t)fmax(1, lround(150 + a + sqrt(a) * normal(&r)));
        marker[i] = (uint16_t)fmax(1, lround(180 + k * a + m + sqrt(k * a + m) * normal(&r)));
        truth[i] = (float)m;
    }
    params.bin = 4;
    bool fine = measure(&params, &one, NULL) && apply(signal_one, &params, 2, &one, NULL);
    double before = ncc_to_truth(signal_one);
    params.region = 128;
    fine = fine && measure(&params, &many, NULL) && apply(signal_one, &params, 1, &many, NULL) &&
           apply(signal_three, &params, 3, &many, NULL);
    double after = ncc_to_truth(signal_one);
    ok(fine && many.field.own > 10 && after > before + 0.01 && after > 0.9,
       "with a line for each place (%d of %d nodes) the NCC to the truth is %.3f, with one line "
       "%.3f",
       many.field.own, many.field.rows * many.field.cols, after, before);
    ok(!memcmp(signal_one, signal_three, sizeof signal_one), "on any number of threads");
    isolate_fit_free(&many);
    tissue_free(&af);
    tissue_free(&cells);
}

// The ratio of the exposures is the scale: only the offset is fitted, also where no line would be
// found.
static void exposure_ratio(void)
{
    struct isolate_params params = usual;
    struct isolate_fit fit;
    make(1.7, 900, 5);
    params.scale = 1.7;
    bool fine = measure(&params, &fit, NULL) && apply(signal_one, &params, 2, &fit, NULL);
    double after = ncc_to_truth(signal_one);
    ok(fine && fit.scale == 1.7 && !fit.failed && after > 0.9,
       "with the ratio of the exposures the NCC to the truth is %.3f", after);
    ok(fabs(fit.offset - (180 - 1.7 * 150)) < 6, "and the offset %.1f is the true one", fit.offset);
    double right = fit.quality;
    const double wrong[] = {0.05, 0.4, 3.4};
    for (int i = 0; i < 3; i++) {
        params.scale = wrong[i];
        fine = measure(&params, &fit, NULL);
        ok(fine && right > 0.9 && fit.quality < 0.7,
           "with exposures that say %.2f the quality is %.2f, with the true ones %.2f", wrong[i],
           fit.quality, right);
    }
    params.scale = 20;
    fine = measure(&params, &fit, NULL);
    ok(fine && fit.scale == 20, "no largest scale holds for what is known");
}

static bool times_in(const char *text, struct exposures *times, struct kin_error *err)
{
    FILE *file = fopen("exposures.csv", "w");
    fputs(text, file);
    fclose(file);
    return exposures_read("exposures.csv", 2, 3, times, err);
}

static void exposure_files(void)
{
    static const char *const bad[][2] = {
        {"Cycle,CH1,CH2,CH3\n1,10,20,30\n", "cycle 2"},
        {"1,10,20\n2,1,2,3\n", "exposures.csv:1"},
        {"1,10,20,30\n2,1,0,3\n", "channel 2"},
        {"1,10,20,30\n2,1,-5,3\n", "channel 2"},
        {"1,10,20,nan\n2,1,5,3\n", "channel 3"},
        {"1,10,20,30ms\n2,1,5,3\n", "channel 3"},
        {"1,10,20,30\nx,1,5,3\n", "exposures.csv:2"},
        {"", "cycle 1"},
        {"1,10,20,30\n2,1,1e300,3\n", "channel 2"},
        {"1,10,20,1e-9\n2,1,1,3\n", "channel 3"},
        {"1,10,20,30\n1,1,2,3\n2,1,2,3\n", "exposures.csv:2: cycle 1 for the second time"}};
    struct exposures times;
    struct kin_error err = {0};
    ok(times_in("Cycle,CH1,CH2,CH3\n1, 10, 20, 30\n\n# later\n2;40;50;60.5\n9,1,1,1\n", &times,
                &err) &&
           exposures_ms(&times, 1, 1) == 10 && exposures_ms(&times, 2, 3) == 60.5,
       "exposure times are read %s", err.text);
    exposures_free(&times);
    ok(times_in("1\t10\t20\t30\r\n2\t1\t2\t3\r\n", &times, &err) && exposures_ms(&times, 2, 2) == 2,
       "parted by tabs, without names, with the line ends of Windows %s", err.text);
    exposures_free(&times);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err = (struct kin_error){0};
        ok(!times_in(bad[i][0], &times, &err) && strstr(err.text, bad[i][1]) && !times.ms,
           "refused: %s", err.text);
    }
    remove("exposures.csv");
    err = (struct kin_error){0};
    ok(!exposures_read("exposures.csv", 2, 3, &times, &err), "refused: %s", err.text);
}

/* --exposures <(command): a pipe is read once, from its first byte. */
static void exposures_from_a_pipe(void)
{
    static const char text[] = "1,10,20,30\n2,1,2,3\n";
    struct exposures times;
    struct kin_error err = {0};
    char path[40];
    int ends[2];
    if (!ok(!pipe(ends) && write(ends[1], text, sizeof text - 1) == sizeof text - 1, "a pipe"))
        return;
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    ok(exposures_read(path, 2, 3, &times, &err) && exposures_ms(&times, 1, 1) == 10,
       "exposure times are read from a pipe %s", err.text);
    exposures_free(&times);
    close(ends[0]);
}

static void no_relation(void)
{
    struct isolate_params params = usual;
    struct isolate_fit fit;
    struct random r = {3};
    for (int i = 0; i < N * N; i++) {
        blank[i] = (uint16_t)(1000 + 30 * normal(&r));
        marker[i] = (uint16_t)(1000 + 30 * normal(&r));
    }
    marker[7] = 1;
    bool fine = measure(&params, &fit, NULL) && apply(signal_one, &params, 2, &fit, NULL);
    ok(fine && fit.scale < 0.1, "an unrelated blank gets next to no scale (%.3f)", fit.scale);
    ok(signal_one[7] == 0, "a pixel below the background becomes 0 and does not wrap");
}

// A blank that tells nothing of a textured background is told; where the background is noise alone
// there is nothing to tell, nor where the blank is seen beneath brighter light.
static void unrelated_blank(void)
{
    enum { HAZE = 800 };
    static const char *const what[] = {"saturated",
                                       "noise",
                                       "turned by half a circle",
                                       "of a marker without autofluorescence",
                                       "right",
                                       "right, under a stain's haze"};
    struct isolate_params params = usual;
    for (int i = 0; i < 6; i++) {
        struct isolate_fit fit;
        struct random r = {77};
        make(1.2, 300, 5);
        for (int k = 0; i == 2 && k < N * N / 2; k++) {
            uint16_t kept = blank[k];
            blank[k] = blank[N * N - 1 - k];
            blank[N * N - 1 - k] = kept;
        }
        for (int k = 0; k < N * N; k++) {
            double noise = 300 + 17 * normal(&r);
            blank[k] = (uint16_t)(i == 0 ? 65535 : i == 1 ? noise : blank[k]);
            double haze = i == 5 ? HAZE * (1 + sin(k / N / 40.0) * cos(k % N / 30.0)) : 0;
            marker[k] = (uint16_t)(i == 3 ? noise : marker[k] + haze);
        }
        bool fine = measure(&params, &fit, NULL);
        ok(fine && fit.unrelated == (i < 3) && (fit.quality <= 0.5) == (i < 3) && !fit.failed,
           "a blank that is %s: explains %.2f, quality %.2f; %s", what[i], fit.explained,
           fit.quality, fit.note);
    }
}

// Where the blank lies beside the marker, the fit says where; not so where it is another's.
static void displaced_blank(void)
{
    static const int places[][2] = {{0, 0}, {11, -12}, {-20, 5}, {0, 27}, {36, -36}};
    static uint16_t moved[N * N];
    struct isolate_params params = usual;
    struct isolate_fit fit;
    for (int i = 0; i < 5; i++) {
        make(1.2, 100, 9);
        for (int k = 0; k < N * N; k++) {
            int y = (k / N + places[i][0] + N) % N, x = (k % N + places[i][1] + N) % N;
            moved[y * N + x] = marker[k];
        }
        memcpy(marker, moved, sizeof marker);
        bool fine = measure(&params, &fit, NULL);
        ok(fine && fabs(fit.shift[0] - places[i][0]) < 3 && fabs(fit.shift[1] - places[i][1]) < 3,
           "the marker lies (%d, %d) px beside the blank: (%.1f, %.1f)", places[i][0], places[i][1],
           fit.shift[0], fit.shift[1]);
    }
    make(1.2, 100, 9);
    memcpy(moved, marker, sizeof moved);
    make(1.2, 100, 31);
    memcpy(marker, moved, sizeof marker);
    bool fine = measure(&params, &fit, NULL);
    ok(fine && isnan(fit.shift[0]) && isnan(fit.shift[1]),
       "another tissue's blank is seen nowhere: (%.1f, %.1f)", fit.shift[0], fit.shift[1]);
}

static bool broken_rows(void *user, int z, int y0, int count, void *dst, struct kin_error *err)
{
    (void)user, (void)z, (void)count, (void)dst;
    return kin_fail(err, KIN_IO, "row %d is not to be read", y0);
}

// The blank between two others, and what happens when it cannot be read.
// 151 Mpx, each row the same.
static bool endless_rows(void *user, int z, int y0, int count, void *dst, struct kin_error *err)
{
    const int *width = user;
    uint16_t *to = dst;
    (void)z;
    (void)y0;
    (void)err;
    for (int i = 0; i < count; i++)
        for (int x = 0; x < *width; x++)
            to[(size_t)i * (size_t)*width + (size_t)x] = (uint16_t)(100 + x % 4001);
    return true;
}

static void very_large(void)
{
    int width = 12288;
    struct kin_source rows = {{1, width, width}, KIN_U16, endless_rows, &width};
    struct isolate_pair pair = {rows, rows};
    struct isolate_params params = usual;
    struct isolate_fit fit;
    struct kin_error err = {0};
    bool good = isolate_measure(&pair, &params, &fit, &err);
    ok(good && fit.cells == width / 16 * (width / 16),
       "of a very large image larger cells are looked at: %d of them", fit.cells);
    isolate_fit_free(&fit);
}

// The edge of a blank becomes the integral of a Gaussian, however wide that is.
static void wide_smoothing(void)
{
    const double sigmas[] = {4, 10, 20, 40, ISOLATE_SMOOTHEST};
    struct isolate_fit fit = {.scale = 1};
    struct kin_error err = {0};
    for (int i = 0; i < N * N; i++) {
        blank[i] = i % N < N / 2 ? 1000 : 3000;
        marker[i] = 40000;
    }
    for (size_t k = 0; k < sizeof sigmas / sizeof *sigmas; k++) {
        struct isolate_params params = {.smooth = sigmas[k]};
        double worst = 0;
        ok(apply(signal_one, &params, 2, &fit, &err), "a blank smoothed by %g px", sigmas[k]);
        for (int x = 0; x < N; x++) {
            double away = (x - (N - 1) / 2.0) / sigmas[k],
                   light = 2000 + 1000 * erf(away / sqrt(2));
            worst = fmax(worst, fabs(40000 - light - signal_one[N * (N / 2) + x]));
        }
        ok(worst < 15, "its edge is that of a Gaussian to %.1f of 2000 ADU", worst);
    }
}

// Where a blank of one brightness ends, it is as bright as elsewhere up to its last pixel.
static void edge_of_coverage(void)
{
    struct isolate_fit fit = {.scale = 1};
    struct kin_error err = {0};
    for (double sigma = 1; sigma < 40; sigma *= 3) {
        struct isolate_params params = {.smooth = sigma};
        int wrong = 0, beyond = 0;
        for (int i = 0; i < N * N; i++) {
            blank[i] = i % N < 300 && i / N > 70 && i != 90 * N + 90 ? 1000 : 0;
            marker[i] = 3000;
        }
        ok(apply(signal_one, &params, 2, &fit, &err) && apply(signal_three, &params, 1, &fit, &err),
           "a blank of a part of the image is smoothed by %g px", sigma);
        for (int i = 0; i < N * N; i++) {
            wrong += i % N < 300 && i / N > 70 && signal_one[i] != 2000;
            beyond += i % N > 300 + 3 * sigma && signal_one[i] != 3000;
        }
        ok(!wrong && !beyond, "%d pixels of it are dimmed, %d beyond its reach are changed", wrong,
           beyond);
        ok(!memcmp(signal_one, signal_three, sizeof signal_one), "on any number of threads");
    }
}

static void mixed_blanks(void)
{
    struct isolate_pair pair = both();
    struct isolate_mix mix = {pair.marker, pair.blank, 0.25, 0.75};
    struct kin_source source = isolate_mixed(&mix);
    struct isolate_params params = usual;
    struct isolate_fit fit;
    struct kin_error err = {0};
    int wrong = 0;
    bool fine = source.rows(source.user, 0, 9, N - 9, signal_one, &err);
    for (int i = 0; i < (N - 9) * N; i++)
        wrong += signal_one[i] !=
                 (uint16_t)nearbyint(0.25 * marker[i + 9 * N] + 0.75 * blank[i + 9 * N]);
    ok(fine && !wrong, "two blanks are mixed");
    mix.of_b = 1.5; // b twice as bright
    uint16_t a = marker[0], b = blank[1], rows[N];
    marker[1] = blank[0] = marker[2] = blank[2] = 0;
    fine = source.rows(source.user, 0, 0, 1, rows, &err);
    ok(fine && rows[0] == a && rows[1] == 2 * b && rows[2] == 0,
       "where one of them holds nothing the other stands alone: %d of %d, %d of %d", rows[0], a,
       rows[1], b);
    mix.b.rows = broken_rows;
    pair.blank = source;
    ok(!isolate_measure(&pair, &params, &fit, &err) && err.code == KIN_IO,
       "a blank that cannot be read: %s", err.text);
}

static void names(void)
{
    const char *named[] = {"Empty"};
    ok(isolate_is_blank("Blank", NULL, 0) && isolate_is_blank("blank-2", NULL, 0) &&
           isolate_is_blank("Empty", named, 1) && !isolate_is_blank("CD4", named, 1),
       "blank channels are known by name or by being named");
}

int main(void)
{
    known_scale(1.7, 900, 5);
    known_scale(0.6, 300, 8);
    varying_scale();
    exposure_ratio();
    exposure_files();
    exposures_from_a_pipe();
    no_relation();
    unrelated_blank();
    displaced_blank();
    edge_of_coverage();
    wide_smoothing();
    mixed_blanks();
    very_large();
    names();
    return done();
}
