// SPDX-License-Identifier: MIT
// Registration against a known map: the gates of an affine and of an affine with a 3-pixel field, a
// turned image, a cycle that is another tissue, thread counts, and the real drift of cytokit's
// cellular marker set.
#include "regist/ecc.h"
#include "regist/regist.h"

#include <dirent.h>

#include "scene.h"
#include "shared.h"
#include "test.h"

// With no more than so many rows of an image at a time; 0: all.
static struct regist_result align_by(struct kin_image *ref, struct kin_image *mov,
                                     const struct regist_params *params, int threads)
{
    struct kin_error err = {0};
    struct regist_result result = {0};
    struct device *dev = device_open(DEVICE_CPU, threads, &err);
    struct kin_source reference = kin_source_image(ref), moving = kin_source_image(mov);
    struct regist *r = dev ? regist_open(dev, &reference, params, &err) : NULL;
    if (!r || !regist_align(r, &moving, &result, &err))
        ok(false, "aligned without an error: %s", err.text);
    regist_close(r);
    device_close(dev);
    return result;
}

static struct regist_result align_within(struct kin_image *ref, struct kin_image *mov,
                                         enum regist_field field, int threads, int rows)
{
    struct regist_params params = regist_defaults();
    params.field = field;
    params.rows = rows;
    return align_by(ref, mov, &params, threads);
}

static struct regist_result align(struct kin_image *ref, struct kin_image *mov,
                                  enum regist_field field, int threads)
{
    return align_within(ref, mov, field, threads, 0);
}

static void show(const char *what, struct tre tre, const struct regist_result *r)
{
    printf("# %s: TRE mean %.3f p95 %.3f max %.3f px; %s%s%s, coarse NCC %.2f, %d of %d blocks, "
           "NCC %.2f, left %.3f px, u p95 %.2f, det %.2f\n",
           what, tre.mean, tre.p95, tre.max, r->model, r->field ? " + field" : "",
           r->mellin ? " (mellin)" : "", r->coarse_ncc, r->accepted, r->blocks, r->ncc_median,
           r->residual_median, r->u_p95, r->min_det);
}

static void affine_gate(void)
{
    for (uint64_t seed = 2; seed <= 2; seed++) {
        struct scene s = scene_make(
            1024, seed, scene_truth(1024, 0.35, 1.0015, 8e-4, 37.3, -22.6, 0, seed), 400, 0.12);
        struct regist_result r = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
        struct tre tre = scene_tre(&s, &r.map);
        show("affine", tre, &r);
        ok(tre.mean <= 0.05 && tre.p95 <= 0.10,
           "affine TRE is 0.05 px in the mean, 0.10 px at p95 or better");
        ok(!r.field, "a map that is affine gets no displacement field");
        ok(!r.refused && r.ncc_median > 0.3, "the cycle is accepted");
        ok(r.ecc_correlation > 0.8 && r.ecc_corner < 0.5,
           "enhanced correlation would move a corner by %.3f px (correlation %.3f)", r.ecc_corner,
           r.ecc_correlation);
        regist_result_free(&r);
        scene_free(&s);
    }
}

static void field_gate(void)
{
    for (uint64_t seed = 4; seed <= 4; seed++) {
        struct scene s = scene_make(
            1024, seed, scene_truth(1024, 0.35, 1.0015, 8e-4, 37.3, -22.6, 3, seed), 400, 0.12);
        struct regist_result r = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
        struct tre tre = scene_tre(&s, &r.map);
        show("field", tre, &r);
        ok(r.field, "a field of 3 px is noticed");
        ok(tre.mean <= 0.35 && tre.p95 <= 0.70 && tre.max <= 1.5,
           "non-rigid TRE is 0.35 px in the mean, 0.70 px at p95, 1.5 px at most");
        ok(r.folds == 0 && r.min_det > 0.3, "the field folds nowhere");
        regist_result_free(&r);
        scene_free(&s);
    }
}

static void turned(void)
{
    struct scene s = scene_make(512, 7, scene_truth(512, -14, 1.05, 0, -18, 25, 0, 7), 400, 0.05);
    struct regist_result r = align(&s.ref, &s.mov, REGIST_FIELD_OFF, 2);
    struct tre tre = scene_tre(&s, &r.map);
    show("turned 14 degrees", tre, &r);
    ok(r.mellin, "a turned image is found through its log-polar spectrum");
    ok(tre.mean <= 0.1, "a turn of 14 degrees with 5 %% of scale is found to 0.1 px");
    regist_result_free(&r);
    scene_free(&s);
}

// A pixel of the image in a pose of poses(), from the row and column of the posed one.
static size_t posed_from(int pose, int n, int y, int x)
{
    int from[][2] = {{n - 1 - y, n - 1 - x}, {x, n - 1 - y},
                     {n - 1 - x, y},         {y, n - 1 - x},
                     {n - 1 - y, x},         {x, y},
                     {n - 1 - x, n - 1 - y}, {(y + n / 2) / 2, (x + n / 2) / 2}};
    return (size_t)from[pose][0] * (size_t)n + (size_t)from[pose][1];
}

// A microscope or a program that turns or mirrors images is told by what it does.
static void poses(void)
{
    static const char *const names[] = {"turned by 180 degrees",
                                        "turned counterclockwise by 90 degrees",
                                        "turned clockwise by 90 degrees",
                                        "mirrored left to right",
                                        "mirrored top to bottom",
                                        "with rows and columns exchanged (",
                                        "with rows and columns exchanged, and turned by 180",
                                        "with pixels of half the size"};
    enum { N = 520 };
    struct scene s = scene_make(N, 17, scene_truth(N, 1.2, 1, 0, 6, -9, 0, 17), 400, 0.1);
    struct kin_image posed;
    kin_image_alloc(&posed, s.mov.dims, KIN_U16, NULL);
    for (int i = 0; i < 8; i++) {
        for (int p = 0; p < N * N; p++)
            kin_u16(&posed)[p] = kin_u16(&s.mov)[posed_from(i, N, p / N, p % N)];
        struct regist_result r = align(&s.ref, &posed, REGIST_FIELD_AUTO, 2);
        ok(r.refused && strstr(r.why, names[i]), "%s: %s", names[i], r.why);
        regist_result_free(&r);
    }
    kin_image_free(&posed);
    scene_free(&s);
}

static void refusal(void)
{
    struct scene s = scene_make(384, 11, scene_truth(384, 0, 1, 0, 3, 4, 0, 11), 400, 1.0);
    struct regist_result r = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
    printf("# %s; NCC %.2f\n", r.why, r.ncc_median);
    ok(r.refused && r.why[0] && !strstr(r.why, "looks like"),
       "another tissue is refused with a reason");
    regist_result_free(&r);
    for (size_t i = 0; i < kin_count(s.mov.dims); i++)
        kin_u16(&s.mov)[i] = i % 2 ? 0 : kin_u16(&s.mov)[i];
    r = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
    ok(r.refused && strstr(r.why, "pixels of 0 count as empty"), "half of its pixels are 0: %s",
       r.why);
    regist_result_free(&r);
    scene_free(&s);
}

// Light without structure, outside of a disc around (cy, cx).
static void leave_disc(struct kin_image *image, double cy, double cx, double radius)
{
    struct random r = {(uint64_t)(1e3 * cy)};
    struct kin_dims d = image->dims;
    for (int y = 0; y < d.y; y++)
        for (int x = 0; x < d.x; x++)
            if (hypot(y - cy, x - cx) > radius)
                kin_u16(image)[(size_t)y * d.x + x] = camera(30, &r);
}

// A piece of tissue that covers a small part of its canvas fits as well as a large one.
static void small_piece(void)
{
    enum { SIDE = 1000, RADIUS = 140 };
    struct scene s = scene_make(SIDE, 17, scene_truth(SIDE, 0.4, 1, 0, 9.3, -14.6, 0, 17), 400,
                                0.1);
    double middle = (SIDE - 1) / 2.0;
    leave_disc(&s.ref, middle, middle, RADIUS);
    leave_disc(&s.mov, middle + 9.3, middle - 14.6, RADIUS);
    struct regist_result r = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
    ok(!r.refused && r.ncc_median > 0.5 && r.agreeing > 0.8,
       "tissue on 6 %% of the canvas: NCC %.2f, %.0f %% of the blocks with it agree %s",
       r.ncc_median, 100 * r.agreeing, r.why);
    regist_result_free(&r);
    scene_free(&s);
}

// So few blocks tell a shift, and a turn where they are far from a shift alone.
static void small_piece_turned(void)
{
    enum { SIDE = 800, RADIUS = 60 };
    struct scene s = scene_make(SIDE, 17, scene_truth(SIDE, 3, 1, 0, 9.3, -14.6, 0, 17), 400, 0.1);
    double middle = (SIDE - 1) / 2.0, most = 0;
    leave_disc(&s.ref, middle, middle, RADIUS);
    leave_disc(&s.mov, middle + 9.3, middle - 14.6, RADIUS);
    struct regist_result r = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
    for (int i = 0; i < 12; i++) {
        double y = middle + RADIUS * sin(i * M_PI / 6), x = middle + RADIUS * cos(i * M_PI / 6);
        double truth[2], found[2];
        scene_point(&s.truth, y, x, truth);
        scene_point(&r.map, y, x, found);
        most = fmax(most, hypot(found[0] - truth[0], found[1] - truth[1]));
    }
    ok(!r.refused && r.accepted < 12 && most < 0.7,
       "a piece under %d blocks, turned by 3 degrees: %.2f px off at its edge, as a %s", r.accepted,
       most, r.model);
    regist_result_free(&r);
    scene_free(&s);
}

// What is left to move in the block that moves most, of those with a clear peak.
static void most_left(void)
{
    struct scene s = scene_make(700, 16, scene_truth(700, 0.35, 1.0015, 0, 7.3, -2.6, 0, 16), 400,
                                0.05);
    struct regist_result r = align(&s.ref, &s.mov, REGIST_FIELD_OFF, 2);
    double most = 0;
    for (int i = 0; i < r.points_n; i++)
        if (r.points[i].fill >= 0.7f && r.points[i].quality >= 8)
            most = fmax(most, hypot(r.points[i].dy, r.points[i].dx));
    ok(r.residual_max == most, "at most %.3f px are left to move, and %.3f are said", most,
       r.residual_max);
    regist_result_free(&r);
    scene_free(&s);
}

// On a small canvas a few blocks may agree by accident with a map that means nothing.
static void never_by_chance(void)
{
    enum { SIDE = 256, SEEDS = SANITIZED ? 2 : 12 };
    int fooled = 0, missed = 0, misled = 0;
    double wrong = 0, right = INFINITY;
    for (uint64_t seed = 1; seed <= 2 * SEEDS; seed++) {
        bool other = seed % 2;
        struct scene s = scene_make(SIDE, seed, scene_truth(SIDE, 0.5, 1, 0, 3, -6, 0, seed), 400,
                                    other ? 1.0 : 0.3);
        struct regist_result r = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
        double beyond = r.ecc_correlation / r.ecc_chance;
        fooled += other && !r.refused;
        missed += !other && r.refused;
        misled += strstr(r.why, "looks like") != NULL;
        wrong = other ? fmax(wrong, beyond) : wrong;
        right = other ? right : fmin(right, beyond);
        regist_result_free(&r);
        scene_free(&s);
    }
    printf("# other tissues correlate by up to %.1f times chance, the same from %.1f times on\n",
           wrong, right);
    ok(!fooled, "none of %d other tissues is taken for the same (%d are)", SEEDS, fooled);
    ok(!missed, "none of %d that are the same is refused (%d are)", SEEDS, missed);
    ok(!misled, "none looks like the other in another pose (%d do)", misled);
}

// The edge of a shifted image is no structure: what the whole images say of a dim cycle that fits
// does not depend on how far it was shifted.
static void edges_are_no_structure(void)
{
    static const double shift[2][2] = {{3, -4}, {47, -38}};
    for (int n = 384; n <= 640; n += 256) { // as they are, and binned
        double ecc[2];
        for (int i = 0; i < 2; i++) {
            struct scene s = scene_make(
                n, 19, scene_truth(n, 0, 1, 0, shift[i][0], shift[i][1], 0, 19), 40, 0.2);
            struct regist_result r = align(&s.ref, &s.mov, REGIST_FIELD_OFF, 2);
            ecc[i] = r.refused ? NAN : r.ecc_correlation;
            regist_result_free(&r);
            scene_free(&s);
        }
        ok(fabs(ecc[1] - ecc[0]) < 0.04,
           "%d px: correlation %.3f after a small shift, %.3f after a "
           "large one",
           n, ecc[0], ecc[1]);
    }
}

// Cells every `period` pixels, each moved and as bright as drawn by its number; seen (dy, dx) on.
static void draw_lattice(struct kin_image *image, double period, double irregular, double dy,
                         double dx, struct random *photons)
{
    struct kin_dims d = image->dims;
    for (int y = 0; y < d.y; y++)
        for (int x = 0; x < d.x; x++) {
            double py = y - dy, px = x - dx, value = 0;
            int row = (int)lround(py / period), col = (int)lround(px / period);
            struct random cell = {(uint64_t)((row + 500) * 1000 + col + 500)};
            double cy = period * row + irregular * period * normal(&cell),
                   cx = period * col + irregular * period * normal(&cell),
                   level = exp(3 * irregular * normal(&cell));
            value = level / (1 + exp(2 * (hypot(py - cy, px - cx) - 0.28 * period)));
            kin_u16(image)[(size_t)y * d.x + x] = camera(100 * value + 20, photons);
        }
}

// A lattice of equal cells fits as well one period on. Which is right is not in the images, so none
// is taken; where cells differ by a few percent, it is.
static void lattice(void)
{
    static const double irregular[2] = {0, 0.04}, shift[2] = {17.4, -22.8};
    for (int i = 0; i < 2; i++) {
        struct kin_image ref, mov;
        struct random photons = {31};
        kin_image_alloc(&ref, (struct kin_dims){1, 400, 520}, KIN_U16, NULL);
        kin_image_alloc(&mov, (struct kin_dims){1, 400, 520}, KIN_U16, NULL);
        draw_lattice(&ref, 26.4, irregular[i], 0, 0, &photons);
        draw_lattice(&mov, 26.4, irregular[i], shift[0], shift[1], &photons);
        struct regist_result r = align(&ref, &mov, REGIST_FIELD_AUTO, 2);
        double error = hypot(r.map.t[0] - shift[0], r.map.t[1] - shift[1]);
        if (i == 0)
            ok(r.refused && strstr(r.why, "repeats itself"), "equal cells: %s", r.why);
        else
            ok(!r.refused && error < 0.2,
               "cells that differ: off by %.3f px, %.2f and %.2f elsewhere", error,
               r.ecc_correlation, r.ecc_elsewhere);
        regist_result_free(&r);
        kin_image_free(&ref);
        kin_image_free(&mov);
    }
}

// Where it is known that a cycle has moved by less than half a period, there is but one place: with
// that limit a lattice that lies right passes, and none that does not.
static void lattice_held_near(void)
{
    const double shift[2] = {6.4, -8.8}, period = 26.4;
    struct regist_params params = regist_defaults();
    struct kin_image ref, mov;
    struct random photons = {31};
    kin_image_alloc(&ref, (struct kin_dims){1, 400, 400}, KIN_U16, NULL);
    kin_image_alloc(&mov, (struct kin_dims){1, 400, 400}, KIN_U16, NULL);
    draw_lattice(&ref, period, 0, 0, 0, &photons);
    draw_lattice(&mov, period, 0, shift[0], shift[1], &photons);
    for (int far = 0; far < 2; far++) {
        params.max_shift = (far ? 1.5 : 0.48) * period / 400;
        struct regist_result r = align_by(&ref, &mov, &params, 2);
        double error = hypot(r.map.t[0] - shift[0], r.map.t[1] - shift[1]);
        if (far)
            ok(r.refused && strstr(r.why, "repeats itself"), "up to a period and a half: %s",
               r.why);
        else
            ok(!r.refused && error < 0.2 && isnan(r.ecc_elsewhere),
               "equal cells up to half a period away: off by %.3f px %s", error, r.why);
        regist_result_free(&r);
    }
    kin_image_free(&ref);
    kin_image_free(&mov);
}

static void same_result(const struct regist_result *a, const struct regist_result *b,
                        const char *with)
{
    ok(!memcmp(a->map.a, b->map.a, sizeof a->map.a) && !memcmp(a->map.t, b->map.t, sizeof a->map.t),
       "the affine part is the same bits with %s", with);
    size_t n = 2 * (size_t)a->map.grid.rows * a->map.grid.cols;
    ok(a->map.grid.rows == b->map.grid.rows &&
           (!n || !memcmp(a->map.grid.u, b->map.grid.u, n * sizeof(float))),
       "so is the field");
    ok(a->points_n == b->points_n &&
           !memcmp(a->points, b->points, a->points_n * sizeof *a->points) &&
           a->ecc_corner == b->ecc_corner,
       "and what is left to move");
}

static void same_on_any_threads(void)
{
    struct scene s = scene_make(384, 12, scene_truth(384, 0.2, 1, 0, 5.4, -7.7, 2, 12), 200, 0.1);
    struct regist_result one = align(&s.ref, &s.mov, REGIST_FIELD_ON, 1);
    struct regist_result three = align(&s.ref, &s.mov, REGIST_FIELD_ON, 3);
    ok(one.map.grid.rows > 1, "a field is there");
    same_result(&one, &three, "three threads instead of one");
    regist_result_free(&one);
    regist_result_free(&three);
    scene_free(&s);
}

// Where memory is short only some rows of the images are held at a time.
static void same_in_any_memory(void)
{
    static const struct {
        int side, rows;
        double turn, field;
    } cases[] = {{600, 150, 0.35, 2}, {600, 211, 0.35, 2}, {512, 330, -14, 0}};
    for (int i = 0; i < 3; i++) {
        int n = cases[i].side;
        struct scene s = scene_make(
            n, 13, scene_truth(n, cases[i].turn, 1.001, 0, 7.3, -4.6, cases[i].field, 13), 400,
            0.05);
        struct regist_result all = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
        struct regist_result some = align_within(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2,
                                                 cases[i].rows);
        char with[80];
        snprintf(with, sizeof with, "%d of %d rows at a time", cases[i].rows, n);
        ok(!all.refused, "the cycle fits");
        same_result(&all, &some, with);
        regist_result_free(&all);
        regist_result_free(&some);
        scene_free(&s);
    }
}

// An image that is turned needs more rows at a time than one that is not.
static void too_little_memory(void)
{
    struct scene s = scene_make(256, 14, scene_truth(256, 0, 1, 0, 3, 4, 0, 14), 400, 0.05);
    struct kin_error err = {0};
    struct regist_result result;
    struct regist_params params = regist_defaults();
    struct device *dev = device_open(DEVICE_CPU, 2, &err);
    struct kin_source reference = kin_source_image(&s.ref), moving = kin_source_image(&s.mov);
    params.memory = 100000;
    struct regist *r = regist_open(dev, &reference, &params, &err);
    ok(r && !regist_align(r, &moving, &result, &err) && err.code == KIN_MEMORY &&
           strstr(err.text,
                  "too little memory to register a canvas of 256 x 256 pixels: at least "),
       "too little memory is said, and how much would do: %s", err.text);
    regist_close(r);
    device_close(dev);
    dev = device_open(DEVICE_CPU, 2, &err);
    params = (struct regist_params){.rows = 20};
    err = (struct kin_error){0};
    r = regist_open(dev, &reference, &params, &err);
    ok(r && !regist_align(r, &moving, &result, &err) && err.code == KIN_MEMORY &&
           strstr(err.text, "rows of an image are needed at a time, and there is memory for 20"),
       "so is a band that is too low for a block: %s", err.text);
    regist_close(r);
    device_close(dev);
    scene_free(&s);
}

// How much memory is needed is said, and is true: first for any image, then for one that is turned
// far.
static void turned_far_in_little_memory(void)
{
    enum { SIDE = 1500, TURN = 27, TRIES = 3 };
    struct scene s = scene_make(SIDE, 15, scene_truth(SIDE, TURN, 1, 0, 3, 4, 0, 15), 400, 0.05);
    struct regist_result all = align(&s.ref, &s.mov, REGIST_FIELD_OFF, 2), some = {0};
    struct regist_params params = regist_defaults();
    struct kin_source reference = kin_source_image(&s.ref), moving = kin_source_image(&s.mov);
    struct kin_error err[TRIES] = {0};
    bool good[TRIES];
    params.field = REGIST_FIELD_OFF;
    params.memory = 1;
    for (int i = 0; i < TRIES; i++) {
        struct device *dev = device_open(DEVICE_CPU, 2, &err[i]);
        struct regist *r = regist_open(dev, &reference, &params, &err[i]);
        good[i] = r && regist_align(r, &moving, &some, &err[i]);
        const char *least = strstr(err[i].text, "at least ");
        params.memory = least ? strtoull(least + 9, NULL, 10) << 20 : 1;
        regist_close(r);
        device_close(dev);
    }
    ok(!good[0] && strstr(err[0].text, "register a canvas"), "in no memory: %s", err[0].text);
    ok(!good[1] && strstr(err[1].text, "an image turned so far"), "turned by %d degrees: %s", TURN,
       err[1].text);
    ok(good[2] && !all.refused, "in that much it is registered %s", err[2].text);
    same_result(&all, &some, "just enough memory");
    regist_result_free(&all);
    regist_result_free(&some);
    scene_free(&s);
}

// One step of enhanced correlation over a shift of 0.6 px and a turn of a pixel at the corners.
static void second_opinion(void)
{
    enum { SIDE = 200 };
    static float a[SIDE * SIDE], b[SIDE * SIDE];
    struct tissue t = tissue_make(SIDE + 40, 3);
    struct regist_ecc same, moved, threads;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double turn = 0.004 * (x - SIDE / 2);
            a[y * SIDE + x] = 100 + 50 * tissue_at(&t, y + 20, x + 20);
            b[y * SIDE + x] = 70 + 40 * tissue_at(&t, y + 20 + 0.6 + turn, x + 20);
        }
    bool good = regist_ecc_step(a, a, SIDE, SIDE, 1, &same) &&
                regist_ecc_step(a, b, SIDE, SIDE, 1, &moved) &&
                regist_ecc_step(a, b, SIDE, SIDE, 3, &threads);
    ok(good && same.corner < 1e-6 && fabs(same.correlation - 1) < 1e-9, "an image lies on itself");
    ok(fabs(moved.corner - 1.0) < 0.15, "a corner that is off by 1 px is seen to be off by %.2f",
       moved.corner);
    ok(moved.corner == threads.corner, "on any number of threads");
    for (int i = 0; i < SIDE * SIDE; i++)
        b[i] = 5;
    ok(regist_ecc_step(a, b, SIDE, SIDE, 1, &same) && isnan(same.corner),
       "a constant image tells nothing");
    tissue_free(&t);
}

static bool read_u16(const char *path, struct kin_image *image)
{
    struct kin_image any = {0};
    if (!kin_tiff_read(path, &any, NULL))
        return false;
    bool fine = kin_image_alloc(image, any.dims, KIN_U16, NULL);
    for (size_t i = 0; fine && i < kin_count(any.dims); i++)
        kin_u16(image)[i] = any.type == KIN_U8 ? kin_u8(&any)[i] : kin_u16(&any)[i];
    kin_image_free(&any);
    return fine;
}

static void cytokit_drift(void)
{
    struct kin_image image[2] = {0};
    for (int i = 0; i < 2; i++) {
        char name[100];
        snprintf(name, sizeof name,
                 "cytokit_cellular_marker_small/raw/Cyc%d_reg1/1_00001_Z002_CH1.tif", i + 1);
        const char *path = shared_path(name);
        if (!path || !read_u16(path, &image[i])) {
            kin_image_free(&image[0]);
            skip("no shared data (KINTSUGI_SHARED_DATA)");
            return;
        }
    }
    struct regist_result r = align(&image[0], &image[1], REGIST_FIELD_AUTO, 2);
    printf("# cytokit: t (%.3f, %.3f), %s, NCC %.2f, %d of %d blocks\n", r.map.t[0], r.map.t[1],
           r.model, r.ncc_median, r.accepted, r.blocks);
    // The map says where to read: a shift of the moving image by (12, -3) reads at (-12, +3).
    ok(lround(r.map.t[0]) == -12 && lround(r.map.t[1]) == 3 && !strcmp(r.model, "translation"),
       "a shift of exactly (12, -3) px, y first, brings cycle 2 of cytokit's set onto cycle 1");
    ok(fabs(r.map.t[0] + 12) < 0.05 && fabs(r.map.t[1] - 3) < 0.05, "measured to 0.05 px");
    regist_result_free(&r);
    kin_image_free(&image[0]);
    kin_image_free(&image[1]);
}

// Tissue that came off between the cycles: the rest is brought together, and the share of blocks
// that agree, which qc judges, says that something is not there.
static void tissue_lost(void)
{
    enum { SIDE = 500 };
    struct scene s = scene_make(SIDE, 5, scene_truth(SIDE, 0.2, 1.001, 0, 10.3, -7.6, 0, 5), 400,
                                0.1);
    struct regist_result whole = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
    struct random r = {8};
    for (int y = 0; y < SIDE; y++)
        for (int x = SIDE / 2; x < SIDE; x++)
            kin_u16(&s.mov)[y * SIDE + x] = camera(5, &r);
    struct regist_result part = align(&s.ref, &s.mov, REGIST_FIELD_AUTO, 2);
    struct tre tre = scene_tre(&s, &whole.map);
    ok(tre.mean < 0.1 && whole.agreeing > 0.95, "whole tissue: %.0f %% of the blocks agree",
       100 * whole.agreeing);
    ok(hypot(part.map.t[0] - whole.map.t[0], part.map.t[1] - whole.map.t[1]) < 0.5 &&
           part.agreeing < 0.75,
       "half of it lost: what is left lies right, and %.0f %% agree", 100 * part.agreeing);
    regist_result_free(&whole);
    regist_result_free(&part);
    scene_free(&s);
}

int main(void)
{
    affine_gate();
    field_gate();
    turned();
    refusal();
    poses();
    never_by_chance();
    edges_are_no_structure();
    lattice();
    lattice_held_near();
    small_piece();
    small_piece_turned();
    tissue_lost();
    most_left();
    same_on_any_threads();
    same_in_any_memory();
    too_little_memory();
    turned_far_in_little_memory();
    second_opinion();
    cytokit_drift();
    return done();
}
