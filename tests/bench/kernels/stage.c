// SPDX-License-Identifier: MIT
// stage.c: one stage of the image library on arrays in memory, timed alone, for
// tests/bench/kernels/run:
//
//     bench-stage section DIR          a section through its PSF, with its truth
//     bench-stage tissue DIR N FIELD   two pictures and the map between them
//     bench-stage illum TILES OUT      (n, h, w) tiles to a flat field
//     bench-stage stitch TILES ROWS COLS OVERLAP START_RIGHT OUT
//     bench-stage deconv STACK PSF STEPS ACCELERATE OFFSET OUT
//     bench-stage edof STACK OUT ZMAP
//     bench-stage regist REFERENCE MOVING FIELD OUT
//
// Prints {"seconds": best of three, "cpu": processor seconds of it, "gflop": of Fourier transforms,
// "gb": moved at least (work.h)}. Reading and writing files are not timed.
#include "../../unit/kernels/scene.h"
#include "../../unit/kernels/section.h"

#include "deconv/deconv.h"
#include "edof/edof.h"
#include "illum/illum.h"
#include "stitch/report.h"
#include "stitch/stitch.h"
#include "work.h"

#include <time.h>

enum { RUNS = 3 };

static struct device *dev;
static struct kin_error err;

static double clock_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool timed(bool (*work)(void *), void *with)
{
    double best = INFINITY, cpu = 0;
    work_watch(dev);
    for (int i = 0; i < RUNS; i++) {
        counted.flop = counted.bytes = 0;
        double wall = clock_of(CLOCK_MONOTONIC), used = clock_of(CLOCK_PROCESS_CPUTIME_ID);
        if (!work(with))
            return false;
        wall = clock_of(CLOCK_MONOTONIC) - wall;
        used = clock_of(CLOCK_PROCESS_CPUTIME_ID) - used;
        cpu = wall < best ? used : cpu;
        best = fmin(best, wall);
    }
    return printf("{\"seconds\": %.6f, \"cpu\": %.6f, \"gflop\": %.6f, \"gb\": %.6f}\n", best, cpu,
                  1e-9 * counted.flop, 1e-9 * counted.bytes) > 0;
}

static bool save(const char *dir, const char *name, const struct kin_image *image)
{
    char path[4300];
    snprintf(path, sizeof path, "%.4000s/%s", dir, name);
    return kin_tiff_write(path, image, NULL, &err);
}

/* ---- data ------------------------------------------------------------------------------------ */

static bool make_section(char **argv)
{
    struct kin_psf_params p = {.na = 0.75, .emission_nm = 461, .xy_nm = 377, .z_nm = 1500};
    struct section t;
    struct kin_image psf, stack;
    kin_psf_support(&p, 17);
    if (!kin_psf(&p, &psf, &err))
        return false;
    section_make(dev, &t, (struct kin_dims){17, 1024, 1024}, 4, 11, &psf, p.xy_nm, p.z_nm);
    section_photograph(&t, 300, 20, 100, 7, &stack);
    return save(argv[0], "psf.tif", &psf) && save(argv[0], "stack.tif", &stack) &&
           save(argv[0], "object.tif", &t.object) && save(argv[0], "surface.tif", &t.surface) &&
           save(argv[0], "cover.tif", &t.cover) && save(argv[0], "focus.tif", &t.focus);
}

/* (2, n, n): where each pixel of the reference is read in the moving image, y then x. */
static bool save_map(const char *path, const struct warp_map *map, int n)
{
    struct kin_image image;
    if (!kin_image_alloc(&image, (struct kin_dims){2, n, n}, KIN_F32, &err))
        return false;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double q[2];
            scene_point(map, y, x, q);
            kin_f32(&image)[(size_t)y * n + x] = (float)q[0];
            kin_f32(&image)[((size_t)n + y) * n + x] = (float)q[1];
        }
    bool good = kin_tiff_write(path, &image, NULL, &err);
    kin_image_free(&image);
    return good;
}

static bool make_tissue(char **argv)
{
    int n = atoi(argv[1]);
    double field = atof(argv[2]);
    char path[4300];
    struct scene s = scene_make(n, 2, scene_truth(n, 0.35, 1.0015, 8e-4, 7.3, -5.6, field, 2), 400,
                                0.12);
    struct kin_image mask = {{1, n, n}, KIN_U8, s.mask};
    snprintf(path, sizeof path, "%.4000s/truth.tif", argv[0]);
    return save(argv[0], "reference.tif", &s.ref) && save(argv[0], "moving.tif", &s.mov) &&
           save(argv[0], "mask.tif", &mask) && save_map(path, &s.truth, n);
}

/* ---- stages ---------------------------------------------------------------------------------- */

struct task {
    struct kin_image in[2], out[3];
    struct stitch_params stitch;
    struct stitch_model model;
    struct kin_deconv_params deconv;
    struct regist_params regist;
    struct regist_result found;
    struct illum_fit fit;
};

static struct task task;

static bool run_illum(void *with)
{
    struct task *t = with;
    struct kin_dims d = t->in[0].dims;
    size_t tile = (size_t)d.y * (size_t)d.x;
    float *thumbs = kin_alloc((size_t)d.z * ILLUM_PIXELS * sizeof *thumbs);
    struct illum_params params = {.dark = 0};
#pragma omp parallel for schedule(dynamic, 1)
    for (int k = 0; k < d.z; k++)
        illum_thumbnail(kin_u16(&t->in[0]) + (size_t)k * tile, KIN_U16, d.y, d.x,
                        thumbs + (size_t)k * ILLUM_PIXELS);
    bool good = illum_fit(dev, thumbs, d.z, &params, &t->fit, &err);
    free(thumbs);
    kin_image_free(&t->out[0]);
    return good && illum_expand(t->fit.flat, d.y, d.x, &t->out[0], &err);
}

static bool bench_illum(char **argv)
{
    return kin_tiff_read(argv[0], &task.in[0], &err) && timed(run_illum, &task) &&
           kin_tiff_write(argv[1], &task.out[0], NULL, &err);
}

static bool run_stitch(void *with)
{
    struct task *t = with;
    const uint16_t *tiles[1024];
    size_t n = (size_t)t->in[0].dims.y * (size_t)t->in[0].dims.x;
    for (int k = 0; k < t->in[0].dims.z; k++)
        tiles[k] = kin_u16(&t->in[0]) + (size_t)k * n;
    struct stitch_tiles all = stitch_tiles_in_memory(tiles);
    stitch_model_free(&t->model);
    return stitch_model_fit(dev, &t->stitch, &all, &t->model, &err);
}

static bool bench_stitch(char **argv)
{
    if (!kin_tiff_read(argv[0], &task.in[0], &err))
        return false;
    task.stitch = (struct stitch_params){.scan = {.rows = atoi(argv[1]), .cols = atoi(argv[2])},
                                         .tile_h = task.in[0].dims.y,
                                         .tile_w = task.in[0].dims.x,
                                         .overlap = atof(argv[3])};
    task.stitch.scan.start_right = atoi(argv[4]);
    return timed(run_stitch, &task) && stitch_write_csv(&task.model, argv[5], &err);
}

static bool run_deconv(void *with)
{
    struct task *t = with;
    struct kin_deconv_report report;
    int next[256] = {0};
    struct kin_image_sink place = {&t->out[0], next};
    struct kin_sink sink = kin_sink_image(&place);
    struct kin_source source = kin_source_image(&t->in[0]);
    struct kin_deconv *run = kin_deconv_new(dev, &t->in[1], &t->deconv, &err);
    bool good = run && kin_deconv_volume(run, &source, NULL, &sink, NULL, &report, &err);
    kin_deconv_free(run);
    return good;
}

static bool bench_deconv(char **argv)
{
    if (!kin_tiff_read(argv[0], &task.in[0], &err) || !kin_psf_read(argv[1], &task.in[1], &err) ||
        !kin_image_alloc(&task.out[0], task.in[0].dims, KIN_F32, &err))
        return false;
    task.deconv = (struct kin_deconv_params){
        .iterations = atoi(argv[2]), .accelerate = atoi(argv[3]), .offset = (float)atof(argv[4])};
    return timed(run_deconv, &task) && kin_tiff_write(argv[5], &task.out[0], NULL, &err);
}

static bool run_edof(void *with)
{
    struct task *t = with;
    struct kin_edof_params params;
    struct kin_edof_report report;
    int next[3] = {0};
    struct kin_image_sink places[3] = {
        {&t->out[0], next}, {&t->out[1], next + 1}, {&t->out[2], next + 2}};
    struct kin_edof_sinks sinks = {kin_sink_image(&places[0]), kin_sink_image(&places[1]),
                                   kin_sink_image(&places[2])};
    struct kin_source source = kin_source_image(&t->in[0]);
    kin_edof_defaults(&params, KIN_EDOF_FOCUS);
    return kin_edof(dev, &source, &params, NULL, NULL, 0, &sinks, NULL, &report, &err);
}

static bool bench_edof(char **argv)
{
    if (!kin_tiff_read(argv[0], &task.in[0], &err))
        return false;
    struct kin_dims d = {1, task.in[0].dims.y, task.in[0].dims.x};
    return kin_image_alloc(&task.out[0], d, KIN_U16, &err) &&
           kin_image_alloc(&task.out[1], d, KIN_F32, &err) &&
           kin_image_alloc(&task.out[2], d, KIN_U8, &err) && timed(run_edof, &task) &&
           kin_tiff_write(argv[1], &task.out[0], NULL, &err) &&
           kin_tiff_write(argv[2], &task.out[1], NULL, &err);
}

static bool run_regist(void *with)
{
    struct task *t = with;
    regist_result_free(&t->found);
    struct kin_source reference = kin_source_image(&t->in[0]), moving = kin_source_image(&t->in[1]);
    struct regist *r = regist_open(dev, &reference, &t->regist, &err);
    bool good = r && regist_align(r, &moving, &t->found, &err);
    regist_close(r);
    return good;
}

static bool bench_regist(char **argv)
{
    task.regist = regist_defaults();
    task.regist.field = atoi(argv[2]) ? REGIST_FIELD_ON : REGIST_FIELD_OFF;
    return kin_tiff_read(argv[0], &task.in[0], &err) && kin_tiff_read(argv[1], &task.in[1], &err) &&
           timed(run_regist, &task) && save_map(argv[3], &task.found.map, task.in[0].dims.x);
}

static const struct {
    const char *name;
    int arguments;
    bool (*run)(char **argv);
} verbs[] = {
    {"section", 1, make_section}, {"tissue", 3, make_tissue},  {"illum", 2, bench_illum},
    {"stitch", 6, bench_stitch},  {"deconv", 6, bench_deconv}, {"edof", 3, bench_edof},
    {"regist", 4, bench_regist},
};

int main(int argc, char **argv)
{
    bool good = false;
    dev = device_open(DEVICE_CPU, 0, &err);
    for (size_t i = 0; dev && argc > 1 && i < sizeof verbs / sizeof *verbs; i++) {
        if (!strcmp(argv[1], verbs[i].name) && argc == verbs[i].arguments + 2)
            good = verbs[i].run(argv + 2);
    }
    if (!good)
        fprintf(stderr, "bench-stage: %s\n", err.text[0] ? err.text : "see the head of stage.c");
    device_close(dev);
    return good ? 0 : 1;
}
