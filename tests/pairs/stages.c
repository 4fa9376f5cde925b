// SPDX-License-Identifier: MIT
// stages.c: every stage on small made-up images: spots on a slowly varying ground, seen by two
// devices.
#include "checks.h"
#include "deconv/deconv.h"
#include "edof/edof.h"
#include "illum/illum.h"
#include "image/psf.h"
#include "regist/regist.h"
#include "regist/warping.h"
#include "stitch/plane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SPOTS = 260 };

/* Spots in a square of `side` pixels. */
struct scene {
    double side;
    struct {
        double y, x, light, width;
    } spot[SPOTS];
};

static struct scene random_scene(struct trial *t, double side)
{
    struct scene scene = {.side = side};
    for (int k = 0; k < SPOTS; k++) {
        scene.spot[k].y = some_number(t, 0, side);
        scene.spot[k].x = some_number(t, 0, side);
        scene.spot[k].light = some_number(t, 500, 6000);
        scene.spot[k].width = some_number(t, 1.3, 4);
    }
    return scene;
}

static void add_spot(float *image, int h, int w, double y, double x, double light, double width)
{
    int reach = (int)(4 * width) + 1, top = (int)y - reach, left = (int)x - reach;
    for (int i = top < 0 ? 0 : top; i < h && i <= (int)y + reach; i++)
        for (int j = left < 0 ? 0 : left; j < w && j <= (int)x + reach; j++)
            image[(size_t)i * (size_t)w + (size_t)j] +=
                (float)(light *
                        exp(-((i - y) * (i - y) + (j - x) * (j - x)) / (2 * width * width)));
}

/* The scene as h x w pixels whose first one is at (y0, x0), blurred; noise comes from the trial.
 * The caller's. */
static uint16_t *seen(struct trial *t, const struct scene *scene, int h, int w, double y0,
                      double x0, double blur)
{
    size_t n = (size_t)h * (size_t)w;
    float *sum = calloc(n, sizeof *sum);
    uint16_t *image = malloc(n * sizeof *image);
    for (int k = 0; k < SPOTS; k++) {
        double width = hypot(scene->spot[k].width, blur), share = scene->spot[k].width / width;
        add_spot(sum, h, w, scene->spot[k].y - y0, scene->spot[k].x - x0,
                 scene->spot[k].light * share * share, width);
    }
    for (size_t i = 0; i < n; i++)
        image[i] = kin_round_u16((float)(sum[i] + 400 + 60 * sin((double)(i / (size_t)w) / 40) +
                                         some_number(t, -25, 25)));
    free(sum);
    return image;
}

/* A stage that fails must fail alike: the second number says how it ended. */
static void ended(struct trial *t, bool good, const struct kin_error *err)
{
    double code = good ? 0 : 1 + err->code;
    same_numbers(t, good ? "good" : err->text, &code, 1, 0);
}

/* An image in host memory, as if it came from the device. */
static void same_image(struct trial *t, const char *what, const struct kin_image *image,
                       double tolerance)
{
    size_t n = kin_count(image->dims), bytes = n * kin_type_size(image->type);
    void *there = some_memory(t, bytes);
    t->dev->upload(t->dev, there, image->data, bytes);
    if (image->type == KIN_U16)
        same_words(t, what, there, n);
    else
        same_floats(t, what, there, n, tolerance);
}

/* ---- illumination ---------------------------------------------------------------------------- */

void stage_illum(struct trial *t)
{
    enum { IMAGES = 24 };
    struct kin_error err = {0};
    struct illum_fit *fit = calloc(1, sizeof *fit);
    float *thumbs = host_floats(t, (size_t)IMAGES * ILLUM_PIXELS, 0, 40);
    struct illum_params params = {.dark = NAN, .reweights = 1};
    for (size_t i = 0; i < (size_t)IMAGES * ILLUM_PIXELS; i++) {
        double y = (double)(i / ILLUM_SIDE % ILLUM_SIDE) / 64 - 1,
               x = (double)(i % ILLUM_SIDE) / 64 - 1;
        thumbs[i] = (float)((1.2 - 0.3 * (y * y + x * x)) *
                                (300 + 3 * (double)(i / ILLUM_PIXELS) + thumbs[i]) +
                            90);
    }
    bool good = illum_fit(t->dev, thumbs, IMAGES, &params, fit, &err);
    double flat[ILLUM_PIXELS], counts[2] = {fit->rounds, fit->method};
    for (int i = 0; i < ILLUM_PIXELS; i++)
        flat[i] = fit->flat[i];
    ended(t, good, &err);
    same_numbers(t, "rounds and method", counts, 2, 0);
    same_numbers(t, "flat", flat, ILLUM_PIXELS, 1e-4);
    free(fit);
}

/* ---- stitching ------------------------------------------------------------------------------- */

void stage_stitch(struct trial *t)
{
    enum { SIDE = 3, H = 120, W = 136 };
    struct kin_error err = {0};
    struct scene scene = random_scene(t, 370);
    struct stitch_params params = {.scan = {SIDE, SIDE}, .tile_h = H, .tile_w = W, .overlap = 0.3};
    struct stitch_model model = {0};
    uint16_t *tiles[SIDE * SIDE];
    double places[2 * SIDE * SIDE] = {0};
    for (int k = 0; k < SIDE * SIDE; k++) {
        int row, col;
        stitch_place(&params.scan, k, &row, &col);
        tiles[k] = seen(t, &scene, H, W, row * 0.7 * H + some_number(t, 0, 5),
                        col * 0.7 * W + some_number(t, 0, 5), 0);
    }
    struct stitch_tiles all = stitch_tiles_in_memory((const uint16_t *const *)tiles);
    bool good = stitch_model_fit(t->dev, &params, &all, &model, &err);
    for (int k = 0; model.places && k < SIDE * SIDE; k++) {
        places[2 * k] = model.places[k].y;
        places[2 * k + 1] = model.places[k].x;
    }
    ended(t, good, &err);
    same_numbers(t, "positions", places, 2 * SIDE * SIDE, 1e-3 / 200); /* a thousandth of a pixel */
    stitch_model_free(&model);
    for (int k = 0; k < SIDE * SIDE; k++)
        free(tiles[k]);
}

/* The place of a file of tile k, or of the mosaic that they make. */
static const char *in_folder(const char *folder, int k, bool mosaic)
{
    static char path[100];
    snprintf(path, sizeof path, mosaic ? "%s/mosaic.tif" : "%s/1_%05d_Z001_CH1.tif", folder, k + 1);
    return path;
}

static void remove_folder(const char *folder, int tiles)
{
    for (int k = 0; k < tiles; k++)
        unlink(in_folder(folder, k, false));
    unlink(in_folder(folder, 0, true));
    rmdir(folder);
}

/* A mosaic of tiles in files, in two bands and at levels of their own. */
void stage_small_mosaic(struct trial *t)
{
    enum { TILES = 3, H = 20, W = 24, N = H * W };
    char folder[] = "/tmp/kin-pairs-XXXXXX";
    struct kin_error err = {0};
    struct stitch_params params = {
        .scan = {1, TILES}, .tile_h = H, .tile_w = W, .overlap = 0.3, .two_bands = true};
    struct stitch_place places[TILES];
    struct stitch_model model = {.tiles = TILES, .places = places};
    struct raw_cycle raw = {0};
    struct scene scene = random_scene(t, 80);
    struct kin_image mosaic = {0};
    float *fields = host_floats(t, 2 * N + 2 * TILES, 0.9f, 1.1f);
    bool good = mkdtemp(folder) != NULL;
    for (int k = 0; k < TILES; k++) {
        places[k] = (struct stitch_place){0, k, some_number(t, 0, 3),
                                          k * 0.7 * W + some_number(t, 0, 3)};
        struct kin_image tile = {
            {1, H, W}, KIN_U16, seen(t, &scene, H, W, places[k].y, places[k].x, 0)};
        good = good && kin_tiff_write(in_folder(folder, k, false), &tile, NULL, &err);
        free(tile.data);
    }
    stitch_canvas(&params, &model);
    good = good && raw_open(folder, &raw, &err);
    struct stitch_source source = {&raw, H, W, KIN_U16};
    struct stitch_correction look = {fields, fields + N, fields + 2 * N, fields + 2 * N + TILES};
    struct stitch_output out = {.path = in_folder(folder, 0, true)};
    good = good && stitch_plane(t->dev, &params, &model, &source, 1, 1, &look, &out, &err) &&
           kin_tiff_read(out.path, &mosaic, &err);
    ended(t, good, &err);
    if (good)
        same_image(t, "mosaic", &mosaic, 0);
    kin_image_free(&mosaic);
    raw_free(&raw);
    remove_folder(folder, TILES);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Planes that are sharp where the surface, tilted, crosses them. */
static struct kin_image random_stack(struct trial *t, struct kin_dims d)
{
    struct kin_error err = {0};
    struct kin_image stack;
    struct scene scene = random_scene(t, d.x + 10);
    kin_image_alloc(&stack, d, KIN_U16, &err);
    for (int z = 0; z < d.z; z++) {
        uint16_t *sharp = seen(t, &scene, d.y, d.x, 0, 0, fabs(z - 0.4 * d.z)),
                 *dull = seen(t, &scene, d.y, d.x, 0, 0, fabs(z - 0.6 * d.z));
        for (int i = 0; i < d.y * d.x; i++) {
            float share = (float)(i % d.x) / (float)d.x;
            kin_u16(&stack)[(size_t)z * (size_t)(d.y * d.x) + (size_t)i] = kin_round_u16(
                (1 - share) * sharp[i] + share * dull[i]);
        }
        free(sharp);
        free(dull);
    }
    return stack;
}

/* bands: as many at least */
static void deconvolve(struct trial *t, const struct kin_image *stack, int bands,
                       const struct kin_deconv_params *params)
{
    struct kin_error err = {0};
    struct kin_image psf, out;
    struct kin_psf_params optics = {
        .na = 0.75, .emission_nm = 525, .xy_nm = 377, .z_nm = 1500, .half_z = 3, .half_xy = 9};
    struct kin_deconv_report report = {0};
    bool good = kin_psf(&optics, &psf, &err) && kin_image_alloc(&out, stack->dims, KIN_F32, &err);
    struct kin_image_sink place = {&out, calloc((size_t)stack->dims.z, sizeof(int))};
    struct kin_source source = kin_source_image(stack);
    struct kin_sink sink = kin_sink_image(&place);
    struct kin_deconv *run = good ? kin_deconv_new(t->dev, &psf, params, &err) : NULL;
    good = run && kin_deconv_volume(run, &source, NULL, &sink, NULL, &report, &err);
    double numbers[3] = {report.iterations, report.flux_ratio, report.alpha[5]};
    ended(t, good, &err);
    if (good && report.blocks_y < bands)
        differ(t, "it was made in %d bands", report.blocks_y);
    same_numbers(t, "steps, light, acceleration", numbers, 3, 1e-4);
    same_image(t, "deconvolved", &out, 1e-4);
    kin_deconv_free(run);
    kin_image_free(&psf);
    kin_image_free(&out);
    free(place.next);
}

void stage_deconv(struct trial *t)
{
    struct kin_image stack = random_stack(t, (struct kin_dims){7, 90, 100});
    deconvolve(t, &stack, 1,
               &(struct kin_deconv_params){.iterations = 10, .accelerate = true, .offset = 100});
    deconvolve(
        t, &stack, 1,
        &(struct kin_deconv_params){.iterations = 20, .smooth = 1, .boundary = KIN_CIRCULAR});
    kin_image_free(&stack);
}

/* In bands, so that one is read and one written while another is computed. */
void stage_small_deconv(struct trial *t)
{
    struct kin_image stack = random_stack(t, (struct kin_dims){3, 200, 40});
    deconvolve(t, &stack, 3,
               &(struct kin_deconv_params){.iterations = 4, .offset = 100, .memory = SMALL_MEMORY});
    kin_image_free(&stack);
}

void stage_tiny_deconv(struct trial *t)
{
    struct kin_image stack = random_stack(t, (struct kin_dims){3, 40, 40});
    deconvolve(t, &stack, 1,
               &(struct kin_deconv_params){.iterations = 4, .accelerate = true, .offset = 100});
    kin_image_free(&stack);
}

static void project(struct trial *t, struct kin_dims d, enum kin_edof_mode mode, double sigma)
{
    struct kin_error err = {0};
    struct kin_image stack = random_stack(t, d), image, zmap;
    struct kin_source source = kin_source_image(&stack);
    struct kin_edof_params params;
    struct kin_edof_report report = {0};
    int next[2] = {0};
    kin_edof_defaults(&params, mode);
    params.sigma = sigma;
    kin_image_alloc(&image, (struct kin_dims){1, d.y, d.x}, KIN_U16, &err);
    kin_image_alloc(&zmap, (struct kin_dims){1, d.y, d.x}, KIN_F32, &err);
    struct kin_image_sink to_image = {&image, &next[0]}, to_zmap = {&zmap, &next[1]};
    struct kin_edof_sinks sinks = {.image = kin_sink_image(&to_image),
                                   .zmap = kin_sink_image(&to_zmap)};
    bool good = kin_edof(t->dev, &source, &params, NULL, NULL, 0, &sinks, NULL, &report, &err);
    ended(t, good, &err);
    same_image(t, "z map", &zmap, 1e-4);
    same_image(t, "image", &image, 0);
    kin_image_free(&image);
    kin_image_free(&zmap);
    kin_image_free(&stack);
}

void stage_edof(struct trial *t)
{
    project(t, (struct kin_dims){9, 150, 170}, KIN_EDOF_FOCUS, 6);
    project(t, (struct kin_dims){9, 150, 170}, KIN_EDOF_CLIJ2, 6);
}

void stage_small_edof(struct trial *t)
{
    project(t, (struct kin_dims){3, 20, 30}, KIN_EDOF_FOCUS, 2);
}

/* ---- registration ---------------------------------------------------------------------------- */

static void align(struct trial *t, int rows)
{
    enum { SIDE = 260 };
    struct kin_error err = {0};
    struct scene scene = random_scene(t, SIDE), moved = scene;
    struct regist_params params = regist_defaults();
    struct regist_result result = {0};
    params.rows = rows;
    for (int k = 0; k < SPOTS; k++) { /* turned a little, and moved */
        double y = scene.spot[k].y - SIDE / 2, x = scene.spot[k].x - SIDE / 2;
        moved.spot[k].y = SIDE / 2 + y * 1.002 + x * 0.006 + 4.3;
        moved.spot[k].x = SIDE / 2 + x * 1.001 - y * 0.006 - 7.6;
    }
    struct kin_image reference = {{1, SIDE, SIDE}, KIN_U16, seen(t, &scene, SIDE, SIDE, 0, 0, 0)};
    struct kin_image moving = {{1, SIDE, SIDE}, KIN_U16, seen(t, &moved, SIDE, SIDE, 0, 0, 0)};
    struct kin_source from = kin_source_image(&moving), to = kin_source_image(&reference);
    struct regist *r = regist_open(t->dev, &to, &params, &err);
    bool good = r && regist_align(r, &from, &result, &err);
    double numbers[9] = {0};
    memcpy(numbers, result.map.a, sizeof result.map.a);
    memcpy(numbers + 4, result.map.t, sizeof result.map.t);
    numbers[6] = result.ncc_median;
    numbers[7] = result.refused;
    numbers[8] = result.accepted;
    ended(t, good, &err);
    same_numbers(t, "map", numbers, 6, 1e-4);
    same_numbers(t, "how well", numbers + 6, 3, 1e-3);
    regist_result_free(&result);
    regist_close(r);
    kin_image_free(&reference);
    kin_image_free(&moving);
}

void stage_register(struct trial *t)
{
    align(t, 0);
}

void stage_narrow_register(struct trial *t)
{
    align(t, 140);
}

/* An image on a canvas, in bands where the device has a limit. */
void stage_small_warping(struct trial *t)
{
    enum { H = 90, W = 70 };
    struct kin_error err = {0};
    struct kin_dims to = {1, H, W};
    struct scene scene = random_scene(t, H);
    struct kin_image image = {to, KIN_U16, seen(t, &scene, H, W, 0, 0, 0)};
    struct kin_source source = kin_source_image(&image);
    struct warp_map map = {.a = {1.01, 0.03, -0.028, 0.99}, .t = {1.7, -2.2}, .c = {H / 2, W / 2}};
    struct warping *warping = warping_open(t->dev, &source, &map, to, 0);
    struct kin_image made = {to, KIN_U16, calloc(H * W, sizeof(uint16_t))};
    const uint16_t *pixels;
    const uint8_t *cover;
    for (int y = 0, rows = 0; warping && made.data && y < H; y += rows) {
        rows = warping_next(warping, &pixels, &cover);
        if (!rows)
            break;
        memcpy(kin_u16(&made) + (size_t)y * W, pixels, (size_t)rows * W * sizeof *pixels);
    }
    warping_close(warping);
    ended(t, made.data && device_ok(t->dev, &err), &err);
    same_image(t, "pixels", &made, 0);
    kin_image_free(&made);
    kin_image_free(&image);
}
