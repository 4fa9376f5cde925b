// SPDX-License-Identifier: MIT
// Plane numbers: against plain definitions, on bands of any size and any number of threads, and
// what sharpness must do under blur and noise. Limits and the table.
#include "qc/qc.h"
#include "qc/table.h"

#include "test.h"
#include "tissue.h"

enum { H = 301, W = 260 };

static uint16_t pixels[H * W], other[600 * 600];

static bool same_plane(const struct qc_plane *a, const struct qc_plane *b)
{
    return !memcmp(a, b, sizeof *a);
}

static bool measure(uint16_t *from, int h, int w, int threads, struct qc_plane *plane,
                    struct kin_error *err)
{
    struct kin_image image = {{1, h, w}, KIN_U16, from};
    struct kin_source source = kin_source_image(&image);
    return qc_measure(&source, threads, plane, err);
}

static void plain_definitions(void)
{
    struct qc_plane p;
    struct random r = {4};
    double sum = 0, sum2 = 0, zero = 0, n = H * W;
    for (int i = 0; i < H * W; i++) {
        pixels[i] = (uint16_t)fmin(fmax(1000 + 10 * normal(&r) + i % W, 0), 65535);
        if (i % 97 == 0)
            pixels[i] = 0;
        if (i % 1009 == 3)
            pixels[i] = 65000;
        sum += pixels[i];
        sum2 += (double)pixels[i] * pixels[i];
        zero += !pixels[i];
    }
    ok(measure(pixels, H, W, 2, &p, NULL), "a plane is measured");
    double std = sqrt(sum2 / n - sum / n * sum / n);
    ok(fabs(p.mean - sum / n) < 1e-6 && fabs(p.std / std - 1) < 1e-9,
       "mean and deviation are what they are");
    ok(fabs(p.snr - p.mean / p.std) < 1e-12, "snr is KINTSUGI's mean / std");
    ok(fabs(p.zero - zero / n) < 1e-12 && fabs(p.saturated * n - 78) <= 1,
       "zero and saturated shares are counted");
    ok(p.p1 <= p.p10 && p.p10 <= p.p50 && p.p50 <= p.p90 && p.p90 <= p.p99 && p.p50 > 1100 &&
           p.p50 < 1160,
       "percentiles are in order and in place");
}

static void bands_and_threads(void)
{
    struct qc_plane whole, cut, single;
    measure(pixels, H, W, 3, &whole, NULL);
    measure(pixels, H, W, 1, &single, NULL);
    ok(same_plane(&whole, &single), "one and three threads give the same bits");
    static const int bands[] = {1, 2, 7, 64, 300};
    for (int k = 0; k < 5; k++) {
        struct qc_scan *scan = qc_scan_new(H, W, 2, NULL);
        for (int y = 0; y < H; y += bands[k])
            qc_scan_rows(scan, pixels + y * W, H - y < bands[k] ? H - y : bands[k]);
        cut = qc_scan_end(scan);
        ok(same_plane(&whole, &cut), "bands of %d rows give the same bits as one", bands[k]);
    }
}

static void small_planes(void)
{
    static const int sizes[][2] = {{1, 1}, {1, 9}, {2, 2}, {9, 1}, {3, 3}};
    struct qc_plane p;
    for (int i = 0; i < 5; i++)
        ok(measure(pixels, sizes[i][0], sizes[i][1], 2, &p, NULL) && isfinite(p.mean),
           "%d x %d pixels are measured", sizes[i][0], sizes[i][1]);
    struct kin_error err = {0};
    ok(!measure(pixels, 0, 5, 1, &p, &err) && err.text[0], "a plane without rows is refused: %s",
       err.text);
}

// The image of a tissue softened `soft` times, at that many photons.
static struct qc_plane look(int soft, double photons)
{
    struct tissue t = tissue_make(600, 9);
    struct random r = {2};
    struct qc_plane p;
    for (int i = 0; i < soft; i++)
        soften(t.value, t.n);
    for (int i = 0; i < 600 * 600; i++)
        other[i] = camera(photons * t.value[i] + 20, &r);
    tissue_free(&t);
    measure(other, 600, 600, 2, &p, NULL);
    return p;
}

static void blur_and_noise(void)
{
    struct qc_plane sharp = look(0, 500), soft = look(4, 500), softer = look(16, 500),
                    dark = look(0, 30);
    printf("# sharpness %.3f %.3f %.3f; noise %.1f, dark %.1f\n", sharp.sharpness, soft.sharpness,
           softer.sharpness, sharp.noise, dark.noise);
    ok(sharp.sharpness > 1.2 * soft.sharpness && soft.sharpness > softer.sharpness,
       "sharpness falls when an image is blurred");
    ok(dark.snr_fg < sharp.snr_fg, "few photons are a poor signal, whatever mean / std says");
    for (int i = 0; i < H * W; i++) {
        struct random r = {(uint64_t)i * 77};
        pixels[i] = (uint16_t)lround(2000 + 25 * normal(&r));
    }
    struct qc_plane flat;
    measure(pixels, H, W, 2, &flat, NULL);
    ok(fabs(flat.noise / 25 - 1) < 0.03 && fabs(flat.sharpness) < 0.05,
       "pure noise of 25 ADU is measured as that, and is not sharp");
}

static void limits_and_table(void)
{
    const struct qc_limit *ncc = qc_limit_find("registration", "ncc");
    ok(qc_judge(ncc, 0.6) == QC_GREEN && qc_judge(ncc, 0.3) == QC_YELLOW &&
           qc_judge(ncc, 0.1) == QC_RED && qc_judge(ncc, NAN) == QC_NONE,
       "a correlation turns yellow, then red");
    ok(qc_judge(qc_limit_find("registration", "folds"), 0) == QC_GREEN &&
           qc_judge(qc_limit_find("registration", "folds"), 1) == QC_RED,
       "one fold is one too many");
    ok(!qc_limit_find("edf", "mean") && qc_limit_find("edf", "saturated"),
       "not every number has a limit");
    struct qc_table table = {0};
    qc_table_value(&table, "registration", "ncc", 2, 0, NULL, 0.9);
    qc_table_value(&table, "registration", "ncc", 3, 0, NULL, 0.1);
    qc_table_value(&table, "registration", "ncc", 4, 0, NULL, NAN);
    for (int z = 1; z <= 3; z++) {
        struct qc_entry e = {
            .stage = "stitch", .cycle = 1, .channel = 2, .z = z, .plane = look(0, 100)};
        e.plane.saturated = z == 2 ? 0.02 : 0;
        qc_table_plane(&table, &e);
    }
    qc_table_judge_planes(&table);
    qc_table_sort(&table);
    ok(table.values[0].status == QC_RED && table.values[0].cycle == 3, "red values come first");
    ok(table.values[1].status == QC_YELLOW && !strcmp(table.values[1].metric, "saturated") &&
           table.values[1].z == 2,
       "a stack is judged by its worst plane");
    ok(qc_table_count(&table, QC_RED) == 1 && qc_table_count(&table, QC_YELLOW) == 1,
       "and counted once");
    struct js *js = qc_table_js(&table);
    is(js_text(js_get(js, "status"), ""), "red",
       "the document's status is that of its worst value");
    js_free(js);
    qc_table_free(&table);
}

// A plane of stitch at that place; what its pixels are is told by mean alone.
static void add_plane(struct qc_table *table, int cycle, int channel, int z, double mean)
{
    struct qc_entry e = {.stage = "stitch", .cycle = cycle, .channel = channel, .z = z};
    e.plane = (struct qc_plane){.mean = mean, .std = mean > 0 ? 3 : 0, .noise = NAN};
    qc_table_plane(table, &e);
}

static void copies(void)
{
    struct qc_table table = {0};
    for (int z = 1; z <= 5; z++) {
        add_plane(&table, 1, 1, z, 100 + z);
        add_plane(&table, 1, 2, z, z == 4 ? 203 : 200 + z); // plane 4 is plane 3
        add_plane(&table, 2, 1, z, 100 + z);                // of cycle 1
        add_plane(&table, 2, 2, z, z < 4 ? 0 : 300 + z);    // black planes are no copies
    }
    qc_table_find_copies(&table, "edf");
    ok(!table.value_count, "another stage has no copies");
    qc_table_find_copies(&table, "stitch");
    ok(table.value_count == 2 && table.values[0].cycle == 1 && table.values[0].channel == 2 &&
           table.values[0].value == 1 && table.values[0].status == QC_YELLOW,
       "a plane that is another one of its stack is doubtful");
    ok(table.values[1].cycle == 2 && table.values[1].channel == 1 && table.values[1].value == 5 &&
           table.values[1].status == QC_RED,
       "a copied cycle is bad, and told at the later one");
    ok(table.note_count == 2 &&
           strstr(table.notes[0], "plane 4 is that of cycle 1, channel 2, plane 3"),
       "a note says which: %s", table.notes[0]);
    qc_table_free(&table);
    qc_table_find_copies(&table, "stitch");
    ok(!table.value_count && !table.failed, "no planes, no copies");
    qc_table_free(&table);
}

// Nine planes of which the fifth is sharpest, and what deconvolution makes of that and of the
// others.
static double gain_of(double sharpest, double others, int planes, int at, bool *judged)
{
    struct qc_table table = {0};
    for (int z = 1; z <= planes; z++)
        for (int stage = 0; stage < 2; stage++) {
            double std = z == at ? 40 : 20;
            struct qc_entry e = {.cycle = 2, .channel = 1, .z = z};
            snprintf(e.stage, sizeof e.stage, "%s", stage ? "decon" : "stitch");
            e.plane.std = stage ? std * (z == at ? sharpest : others) : std;
            qc_table_plane(&table, &e);
        }
    qc_table_judge_stacks(&table);
    double value = NAN;
    *judged = false;
    for (int i = 0; i < table.value_count; i++)
        if (!strcmp(table.values[i].metric, "focus_gain")) {
            value = table.values[i].cycle == 2 ? table.values[i].value : NAN;
            *judged = table.values[i].status == QC_YELLOW;
        }
    qc_table_free(&table);
    return value;
}

// A stack's contrast rises to its peak and falls: planes that are exchanged break that, unless they
// lie as far from the peak.
static void exchanged(void)
{
    static const struct {
        int std[7], planes;
        double dip;
        const char *note; // "": none
    } cases[] = {
        {{10, 20, 30, 40, 35, 25, 15}, 7, 0, ""},
        {{40, 35, 30, 25, 20, 10, 5}, 7, 0, ""},
        {{10, 30, 20, 40, 35, 25, 15}, 7, 0.25, "plane 3 has less"},
        {{10, 20, 30, 40, 25, 35, 15}, 7, 0.25, "plane 5 has less"},
        {{40, 20, 30, 10, 35, 25, 15}, 7, 0.625, "plane 4 has less"},
        {{10, 20, 20, 39, 40, 38, 39}, 7, 0.025, ""},
        {{10, 40, 10, 40}, 4, NAN, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct qc_table table = {0};
        for (int z = 0; z < cases[i].planes; z++) {
            struct qc_entry e = {.stage = "stitch", .cycle = 3, .channel = 2, .z = z + 1};
            e.plane.std = cases[i].std[z];
            qc_table_plane(&table, &e);
        }
        qc_table_judge_stacks(&table);
        double dip = table.value_count ? table.values[0].value : NAN;
        bool told = table.note_count && strstr(table.notes[0], cases[i].note);
        ok((isnan(cases[i].dip) ? isnan(dip) : fabs(dip - cases[i].dip) < 1e-9) &&
               (*cases[i].note ? told : !table.note_count),
           "stack %zu: a dip of %g; %s", i, dip, table.note_count ? table.notes[0] : "no note");
        qc_table_free(&table);
    }
}

static void gains(void)
{
    bool doubted;
    double gain = gain_of(2.4, 1.6, 9, 5, &doubted);
    ok(fabs(gain - 1.5) < 1e-9 && !doubted, "the sharpest plane gains most: %g", gain);
    gain = gain_of(0.7, 1.75, 9, 5, &doubted);
    ok(fabs(gain - 0.4) < 1e-9 && doubted, "it loses and the outermost gain: %g is doubtful", gain);
    ok(isnan(gain_of(0.7, 1.75, 9, 9, &doubted)),
       "where the last plane is sharpest nothing is told");
    ok(isnan(gain_of(0.7, 1.75, 4, 2, &doubted)), "nor of four planes");
    ok(isnan(gain_of(NAN, NAN, 9, 5, &doubted)), "nor of what was not deconvolved");
}

static void steps(void)
{
    struct qc_table table = {0};
    for (int cycle = 1; cycle <= 4; cycle++) {
        qc_table_value(&table, "decon", "iterations", cycle, 1, "DAPI", 10);
        qc_table_value(&table, "decon", "iterations", cycle, 2, "CD4", cycle < 3 ? 10 : 5);
    }
    qc_table_compare_steps(&table, 1);
    ok(!table.note_count, "the nuclear channel is sharpened alike; other channels need not be");
    table.values[2].value = table.values[6].value = 5; // of cycles 2 and 4
    qc_table_compare_steps(&table, 1);
    ok(table.note_count == 1 &&
           strstr(table.notes[0], "alike: 10 steps in cycles 1, 3; 5 steps in cycles 2, 4; deconv"),
       "%s", table.note_count ? table.notes[0] : "no note");
    qc_table_free(&table);
}

int main(void)
{
    plain_definitions();
    bands_and_threads();
    small_planes();
    blur_and_noise();
    limits_and_table();
    copies();
    gains();
    exchanged();
    steps();
    return done();
}
