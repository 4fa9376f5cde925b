// SPDX-License-Identifier: MIT
// Memory that is not there: of each computation one request after the other is refused. What comes
// out is the same then, or it is said that there was no memory: never other numbers.
#include "core/json.h"
#include "deconv/deconv.h"
#include "edof/edof.h"
#include "illum/illum.h"
#include "phantom/paint.h"
#include "scene.h"
#include "stitch/stitch.h"
#include "test.h"

#include <unistd.h>

enum { SIDE = 3, TILES = SIDE * SIDE, TILE = 96, STEP = 72, M = ILLUM_PIXELS };

/* ---- memory (linked with --wrap) ------------------------------------------------------------- */

static long asked, refused; /* requests so far; which of them fails, 0: none */
static bool counts;

static bool is_refused(void)
{
    return counts && ++asked == refused;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *at, size_t n);
int __real_posix_memalign(void **at, size_t alignment, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *at, size_t n);
int __wrap_posix_memalign(void **at, size_t alignment, size_t n);

void *__wrap_malloc(size_t n)
{
    return is_refused() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return is_refused() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *at, size_t n)
{
    return is_refused() ? NULL : __real_realloc(at, n);
}

int __wrap_posix_memalign(void **at, size_t alignment, size_t n)
{
    return is_refused() ? 12 : __real_posix_memalign(at, alignment, n);
}

/* ---- computations: what they give, in one number --------------------------------------------- */

static struct scene scene;
static struct kin_image stack, psf;
static char path[] = "/tmp/kin-starved-XXXXXX"; /* a document */

static void add(uint64_t *sum, const void *data, size_t bytes)
{
    const uint8_t *at = data;
    for (size_t i = 0; i < bytes; i++)
        *sum = (*sum ^ at[i]) * 0x100000001b3;
}

static bool shading(struct device *dev, int places_min, enum illum_solver solver, uint64_t *sum,
                    struct kin_error *err)
{
    static float thumbs[TILES * M];
    static struct illum_fit fit;
    struct illum_pair pairs[TILES];
    struct illum_params params = {.dark = 20,
                                  .pairs = pairs,
                                  .places_min = places_min,
                                  .reweights = 1,
                                  .iterations = 3,
                                  .solver = solver};
    for (int k = 0; k < TILES; k++)
        for (int i = 0; i < M; i++)
            thumbs[k * M + i] = kin_u16(&scene.ref)[(k / SIDE * 32 + i / ILLUM_SIDE) * scene.n +
                                                    k % SIDE * 32 + i % ILLUM_SIDE];
    for (int k = 0; k + SIDE < TILES; k++)
        pairs[params.pair_count++] = (struct illum_pair){k, k + SIDE, 0.25, 0};
    bool good = illum_fit(dev, thumbs, TILES, &params, &fit, err);
    add(sum, fit.flat, sizeof fit.flat);
    return good;
}

static bool basic(struct device *dev, uint64_t *sum, struct kin_error *err)
{
    return shading(dev, 2, ILLUM_APPROXIMATE, sum, err);
}

static bool exact(struct device *dev, uint64_t *sum, struct kin_error *err)
{
    return shading(dev, 2, ILLUM_LADMAP, sum, err);
}

static bool surface(struct device *dev, uint64_t *sum, struct kin_error *err)
{
    return shading(dev, 0, ILLUM_APPROXIMATE, sum, err);
}

static bool positions(struct device *dev, uint64_t *sum, struct kin_error *err)
{
    static uint16_t pixels[TILES][TILE * TILE];
    const uint16_t *data[TILES];
    struct stitch_params params = {
        .scan = {SIDE, SIDE}, .tile_h = TILE, .tile_w = TILE, .overlap = 0.25};
    struct stitch_model model = {0};
    for (int k = 0; k < TILES; k++) {
        int row, col;
        stitch_place(&params.scan, k, &row, &col);
        data[k] = pixels[k];
        for (int y = 0; y < TILE; y++)
            memcpy(pixels[k] + y * TILE,
                   kin_u16(&scene.ref) + (row * STEP + y) * scene.n + col * STEP,
                   TILE * sizeof **pixels);
    }
    struct stitch_tiles tiles = stitch_tiles_in_memory(data);
    bool good = stitch_model_fit(dev, &params, &tiles, &model, err);
    for (int k = 0; good && k < model.tiles; k++)
        add(sum, &model.places[k].y, 2 * sizeof(double));
    add(sum, &model.ncc_median, sizeof model.ncc_median);
    stitch_model_free(&model);
    return good;
}

static bool registration(struct device *dev, uint64_t *sum, struct kin_error *err)
{
    struct regist_params params = regist_defaults();
    struct kin_source ref = kin_source_image(&scene.ref), mov = kin_source_image(&scene.mov);
    struct regist_result result = {0};
    struct regist *r = regist_open(dev, &ref, &params, err);
    bool good = r && regist_align(r, &mov, &result, err);
    add(sum, result.map.a, sizeof result.map.a + sizeof result.map.t);
    add(sum, result.map.grid.u, sizeof(float) * 2 * result.map.grid.rows * result.map.grid.cols);
    add(sum, result.why, strlen(result.why));
    regist_result_free(&result);
    regist_close(r);
    return good;
}

/* Planes as a sink gets them. */
static bool take(void *user, int z, int count, const void *rows, struct kin_error *err)
{
    add(user, rows, (size_t)count * (size_t)stack.dims.x * sizeof(uint16_t));
    return true;
}

static bool deconvolution(struct device *dev, uint64_t *sum, struct kin_error *err)
{
    struct kin_deconv_params params = {.iterations = 4, .accelerate = true};
    struct kin_deconv_report report;
    struct kin_source source = kin_source_image(&stack);
    struct kin_sink sink = {KIN_U16, take, sum};
    struct kin_deconv *deconv = kin_deconv_new(dev, &psf, &params, err);
    bool good = deconv && kin_deconv_volume(deconv, &source, NULL, &sink, NULL, &report, err);
    kin_deconv_free(deconv);
    return good;
}

static bool focus(struct device *dev, uint64_t *sum, struct kin_error *err)
{
    struct kin_edof_params params;
    struct kin_edof_report report;
    struct kin_source source = kin_source_image(&stack);
    struct kin_edof_sinks sinks = {.image = {KIN_U16, take, sum}};
    kin_edof_defaults(&params, KIN_EDOF_FOCUS);
    return kin_edof(dev, &source, &params, NULL, NULL, 0, &sinks, NULL, &report, err);
}

static void add_nucleus(void *user, double y, double x, double z, double radius_um)
{
    const double place[] = {y, x, z, radius_um};
    add(user, place, sizeof place);
}

/* A part of a phantom with more cells than a list begins with. */
static bool tissue(struct device *dev, uint64_t *sum, struct kin_error *err)
{
    struct phantom_params params = {.seed = 3,
                                    .cycles = 2,
                                    .channels = 2,
                                    .planes = 3,
                                    .rows = 1,
                                    .cols = 1,
                                    .tile_h = 400,
                                    .tile_w = 400,
                                    .difficulty = 2,
                                    .xy_nm = 800,
                                    .z_nm = 1500};
    struct region region = {.cycle = 2, .h = 400, .w = 400};
    struct world world;
    static float volume[3 * 400 * 400];
    if (!world_open(&world, &params, 400, 400, err))
        return false;
    bool good = region_open(&region, &world, err);
    for (int c = 1; good && c <= 2; c++) {
        good = region_object(&world, &region, c, PARTS_ALL, volume) ||
               kin_fail(err, KIN_MEMORY, "no memory for cells");
        add(sum, volume, sizeof volume);
    }
    good = good && (world_each_nucleus(&world, add_nucleus, sum) ||
                    kin_fail(err, KIN_MEMORY, "no memory for nuclei"));
    region_close(&region);
    world_close(&world);
    return good;
}

/* Short texts and long ones, more keys than a table begins with. */
static bool write_document(struct kin_error *err)
{
    struct js *root = js_object(), *list = js_array();
    for (int i = 0; i < 40; i++) {
        char key[64];
        snprintf(key, sizeof key, "key %d%s", i, i % 4 ? "" : " which is longer than a small text");
        js_set_number(root, key, i / 4.0);
        js_push_text(list, key);
    }
    js_set(root, "list", list);
    bool good = js_write(root, path, err);
    js_free(root);
    return good;
}

static bool document(struct device *dev, uint64_t *sum, struct kin_error *err)
{
    char text[4096];
    struct js *root = js_read(path, err);
    counts = false;
    if (root)
        add(sum, js_brief(root, text, sizeof text), strlen(text));
    js_free(root);
    return root;
}

static const struct work {
    const char *name;
    bool (*run)(struct device *dev, uint64_t *sum, struct kin_error *err);
} works[] = {{"shading", basic},
             {"shading, solved exactly", exact},
             {"shading, a surface", surface},
             {"positions of tiles", positions},
             {"registration", registration},
             {"deconvolution", deconvolution},
             {"focus", focus},
             {"tissue of a phantom", tissue},
             {"a document of JSON", document}};

/* ---- the test -------------------------------------------------------------------------------- */

/* With request number n refused; 0: none. Answers whether it went well. */
static bool run(const struct work *work, long n, uint64_t *sum, struct kin_error *err)
{
    *err = (struct kin_error){0};
    *sum = 0xcbf29ce484222325;
    struct device *dev = device_open(DEVICE_CPU, 1, err);
    asked = 0;
    refused = n;
    counts = true;
    bool good = work->run(dev, sum, err);
    counts = false;
    device_close(dev);
    return good;
}

static void test_work(const struct work *work)
{
    struct kin_error err;
    uint64_t want, got;
    long said = 0, wrong = 0;
    if (!ok(run(work, 0, &want, &err), "%s %s", work->name, err.text))
        return;
    long all = asked;
    for (long n = 1; n <= all; n++) {
        bool good = run(work, n, &got, &err);
        said += !good && err.code == KIN_MEMORY;
        if (good ? got == want : err.code == KIN_MEMORY)
            continue;
        if (wrong++ < 5)
            printf("# request %ld: %s\n", n, good ? "another result" : err.text);
    }
    ok(!wrong && said > all / 4, "%s: %ld requests, of which %ld end it if refused", work->name,
       all, said);
}

int main(void)
{
    struct kin_error err = {0};
    struct warp_map map = scene_truth(256, 0.3, 1, 0, 3, -2, 1, 5);
    scene = scene_make(256, 5, map, 400, 0);
    kin_image_alloc(&stack, (struct kin_dims){6, 96, 96}, KIN_U16, &err);
    kin_image_alloc(&psf, (struct kin_dims){3, 3, 3}, KIN_F32, &err);
    for (size_t i = 0; i < kin_count(stack.dims); i++)
        kin_u16(&stack)[i] = kin_u16(&scene.ref)[i % (256 * 96)];
    for (size_t i = 0; i < kin_count(psf.dims); i++)
        kin_f32(&psf)[i] = 1 / 27.0f;
    ok(!close(mkstemp(path)) && write_document(&err), "a document is written %s", err.text);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        test_work(&works[i]);
    unlink(path);
    kin_image_free(&stack);
    kin_image_free(&psf);
    scene_free(&scene);
    return done();
}
