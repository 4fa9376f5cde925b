// SPDX-License-Identifier: MIT
// The warp against a formula, in bands, on threads; binning; block correlation of a known shift;
// transforms through their file; pictures through theirs.
#include <png.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/device.h"
#include "image/picture.h"
#include "regist/probe.h"
#include "regist/transforms.h"
#include "regist/warping.h"

#include "test.h"
#include "tissue.h"

enum { H = 90, W = 317 };

// A quadratic surface: Catmull-Rom reproduces it exactly away from the border.
static double surface(double y, double x)
{
    return 20000 + 3.1 * y + 2.2 * x + 0.21 * y * y - 0.13 * x * y + 0.17 * x * x;
}

// Where pixel (y, x) is read, if u is taken there.
static void place_at(const struct warp_map *map, int y, int x, double q[2])
{
    double p[2] = {y, x}, u[2];
    warp_affine_point(map, p, q);
    warp_grid_at(&map->grid, y, x, u);
    q[0] += u[0];
    q[1] += u[1];
}

// Whether a field bends its columns.
static bool is_bent(const struct warp_map *map)
{
    return map->grid.gentle && fabs(map->a[0] - 1) < 0.05 && fabs(map->a[2]) < 0.1;
}

// Where pixel (y, x) is read.
static void place(const struct warp_map *map, int y, int x, double q[2])
{
    double knot = 4 * floor((y - 1) / 4.0) + 1, from[2], to[2];
    place_at(map, y, x, q);
    if (!is_bent(map))
        return;
    place_at(map, (int)knot, x, from);
    place_at(map, (int)knot + 4, x, to);
    for (int i = 0; i < 2; i++)
        q[i] = from[i] + (y - knot) / 4 * (to[i] - from[i]);
}

// Where column x of the canvas, of whose pixels (y, x) is read at q, crosses row k of the image.
static double crossing(const struct warp_map *map, int y, int x, const double q[2], double slant,
                       int k)
{
    double from[2], to[2], middle = -INFINITY;
    if (!is_bent(map))
        return q[1] + slant * (k - q[0]);
    for (int line = 4 * (y / 4) - 15; middle < k - 2; line += 4) {
        place_at(map, line, x, from);
        place_at(map, line + 4, x, to);
        middle = (from[0] + to[0]) / 2;
    }
    return from[1] + (to[1] - from[1]) / (to[0] - from[0]) * (k - from[0]);
}

// What warp.h says of pixel (y, x), which is read at q in an image of H x W.
static double by_formula(const uint16_t *src, const struct warp_map *map, int y, int x0,
                         const double q[2], double slant)
{
    int iy = (int)floor(q[0]);
    double sum = 0;
    float wy[4], wx[4];
    cubic_weights((float)(q[0] - iy), wy);
    for (int j = 0; j < 4; j++) {
        double x = crossing(map, y, x0, q, slant, iy + j - 1);
        cubic_weights((float)(x - floor(x)), wx);
        for (int i = 0; i < 4; i++)
            sum += (double)(wy[j] * wx[i]) *
                   src[cubic_clamp(iy + j - 1, H) * W + cubic_clamp((int)floor(x) + i - 1, W)];
    }
    return fmin(fmax(sum, 0), 65535);
}

static void warp_of_a_surface(struct device *dev, const char *name, const struct warp_map *map,
                              double slant)
{
    static uint16_t src[H * W], dst[H * W];
    struct kin_dims dims = {1, H, W};
    struct image_rows all = {src, dims, 0, H};
    double worst = 0, aside = 2 * fabs(slant), q[2];
    for (int i = 0; i < H * W; i++)
        src[i] = (uint16_t)lround(surface(i / W, i % W));
    dev->warp_u16(dev, dst, NULL, &all, dims, 0, H, map);
    for (int i = 0; i < H * W; i++) {
        place(map, i / W, i % W, q);
        if (q[0] > 1 && q[1] > 1 + aside && q[0] < H - 3 && q[1] < W - 3 - aside)
            worst = fmax(worst, fabs(dst[i] - surface(q[0], q[1])));
    }
    ok(worst < 1.5, "%s: a quadratic surface is reproduced (worst %.2f ADU)", name, worst);
}

static void warp_of_noise(struct device *dev, const char *name, const struct warp_map *map,
                          double slant)
{
    static uint16_t src[H * W], whole[H * W], bands[H * W], one[H * W];
    static uint8_t cover[H * W];
    struct kin_dims dims = {1, H, W};
    struct image_rows all = {src, dims, 0, H};
    struct device *single = device_open(DEVICE_CPU, 1, NULL);
    struct random r = {5};
    double worst = 0, q[2];
    int outside = 0, wrong = 0;
    for (int i = 0; i < H * W; i++)
        src[i] = (uint16_t)(2047 * uniform(&r));
    dev->warp_u16(dev, whole, cover, &all, dims, 0, H, map);
    for (int i = 0; i < H * W; i++) {
        place(map, i / W, i % W, q);
        bool there = q[0] > -0.5 && q[1] > -0.5 && q[0] < H - 0.5 && q[1] < W - 0.5;
        outside += !there;
        wrong += cover[i] != (there ? 255 : 0) || (!there && whole[i]);
        if (there)
            worst = fmax(worst, fabs(whole[i] - by_formula(src, map, i / W, i % W, q, slant)));
    }
    ok(worst < 0.51, "%s: noise is that of the formula, rounded (%.3f ADU)", name, worst);
    ok(outside && !wrong, "%s: %d pixels outside the source are 0 and not covered", name, outside);
    for (int y = 0; y < H; y += 7)
        dev->warp_u16(dev, bands + y * W, NULL, &all, dims, y, H - y < 7 ? H - y : 7, map);
    single->warp_u16(single, one, NULL, &all, dims, 0, H, map);
    ok(!memcmp(whole, bands, sizeof whole) && !memcmp(whole, one, sizeof whole),
       "%s: bands and threads do not change a pixel", name);
    device_close(single);
}

static void warps(void)
{
    float even[] = {0.5f, 0.5f, 0.5f, 0.5f, -1.25f, -1.25f, -1.25f, -1.25f};
    float waves[] = {0, 1.5f, -2,    1, 0.5f, 2,  -1, 0,    1,  -0.5f, 0, 1.5f, // along y
                     2, 0,    -1.5f, 1, 0,    -1, 2,  0.5f, -2, 1,     0, -0.5f};
    float ripples[] = {0, 2, -1, 1, 1, 2,  -1, 0, 3,  0, 1, 2, // as gentle as can be
                       2, 0, -1, 2, 0, -2, 1,  1, -2, 0, 1, -1};
    const struct {
        const char *name;
        double a[4];
        struct warp_grid field;
        double slant;
    } cases[] = {
        {"an affine map", {1, 0.01, -0.02, 1}, {0}, -0.02},
        {"with a field", {1, 0.01, -0.02, 1}, {2, 2, 60, 10, even}, 0},
        {"with a field of waves", {1, 0.01, -0.02, 1}, {3, 4, 35, 10, waves}, 0},
        {"with an even field that is gentle", {1, 0.01, -0.02, 1}, {2, 2, 60, 10, even, true}, 0},
        {"with gentle waves", {1.049, 0.03, -0.099, 1}, {3, 4, 35, -9, ripples, true}, 0},
        {"with gentle waves, of a larger image",
         {0.951, -0.1, 0.01, 1.1},
         {3, 4, 35, 10, ripples, true},
         0},
        {"with gentle waves, turned by more",
         {1, 0.15, -0.11, 1},
         {3, 4, 35, 10, ripples, true},
         0},
        {"with gentle waves, stretched by more", {1.06, 0, 0, 1}, {3, 4, 35, 10, ripples, true}, 0},
        {"stretched and turned", {1.3, 0.17, -0.18, 0.8}, {0}, -0.18 / 1.3},
        {"sheared", {0.9, 0, 0.17, 1}, {0}, 0.17 / 0.9},
        {"as slanted as can be", {1, 0.1999, -0.1999, 1}, {0}, -0.1999},
        {"too slanted to be read by rows", {1, 0.1, -0.3, 1}, {0}, 0},
        {"upside down", {-1, 0.01, 0.02, -1}, {0}, 0},
    };
    struct device *dev = device_open(DEVICE_CPU, 3, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct warp_map map = warp_identity((H - 1) / 2.0, (W - 1) / 2.0);
        memcpy(map.a, cases[i].a, sizeof map.a);
        map.t[0] = 3.3;
        map.grid = cases[i].field;
        ok(!map.grid.gentle || warp_grid_is_gentle(&map.grid), "%s", cases[i].name);
        warp_of_a_surface(dev, cases[i].name, &map, cases[i].slant);
        warp_of_noise(dev, cases[i].name, &map, cases[i].slant);
    }
    device_close(dev);
}

// Bands of a canvas in any memory, of an image that is turned, and may have a field.
static void warping_in_any_memory(bool field)
{
    enum { SIDE = 700, MOST = 2000000 };
    struct kin_image image;
    struct kin_error err = {0};
    struct kin_dims to = {1, SIDE + 31, SIDE - 12};
    size_t n = kin_count(to);
    uint16_t *whole = calloc(2 * n, sizeof *whole), *bands = whole + n;
    uint8_t *cover = calloc(2, n);
    float u[] = {0.5f, 3, -2, 0.5f, -1.25f, -1.25f, 4, -1.25f};
    struct warp_map map = warp_identity((SIDE - 1) / 2.0, (SIDE - 1) / 2.0);
    struct random r = {8};
    map.a[1] = 0.05;
    map.a[2] = -0.05;
    map.t[0] = 30.3;
    if (field)
        map.grid = (struct warp_grid){2, 2, 300, 10, u, true};
    kin_image_alloc(&image, (struct kin_dims){1, SIDE, SIDE}, KIN_U16, &err);
    for (int i = 0; i < SIDE * SIDE; i++)
        kin_u16(&image)[i] = (uint16_t)(65535 * uniform(&r));
    struct kin_source source = kin_source_image(&image);
    struct image_rows all = {kin_u16(&image), image.dims, 0, SIDE};
    struct device *dev = device_open(DEVICE_CPU, 2, NULL);
    dev->warp_u16(dev, whole, cover, &all, to, 0, to.y, &map);
    for (size_t memory = 0; memory < MOST; memory += 180000) {
        struct warping *w = warping_open(dev, &source, &map, to, memory);
        const uint16_t *pixels;
        const uint8_t *inside;
        int y = 0, rows = 0;
        for (; w && y < to.y && (rows = warping_next(w, &pixels, &inside)); y += rows) {
            memcpy(bands + (size_t)y * to.x, pixels, (size_t)rows * to.x * sizeof *pixels);
            memcpy(cover + n + (size_t)y * to.x, inside, (size_t)rows * to.x);
        }
        bool good = w && y == to.y && !memcmp(whole, bands, n * sizeof *whole) &&
                    !memcmp(cover, cover + n, n);
        ok(good, "a canvas made in %zu kB: the same pixels, the last band of %d rows",
           memory / 1000, rows);
        warping_close(w);
    }
    ok(!warping_open(dev, &source, &map, to, 20000) && !device_ok(dev, &err) &&
           err.code == KIN_MEMORY,
       "too little memory is said: %s", err.text);
    device_close(dev);
    kin_image_free(&image);
    free(whole);
    free(cover);
}

static void identity_is_exact(void)
{
    static uint16_t src[H * W], dst[H * W], small[30 * ((W + 2) / 3)];
    struct kin_dims dims = {1, H, W};
    struct image_rows all = {src, dims, 0, H};
    struct random r = {8};
    struct warp_map map = warp_identity(3, 4);
    struct device *dev = device_open(DEVICE_CPU, 2, NULL);
    for (int i = 0; i < H * W; i++)
        src[i] = (uint16_t)(65535 * uniform(&r));
    dev->warp_u16(dev, dst, NULL, &all, dims, 0, H, &map);
    ok(!memcmp(src, dst, sizeof src), "the identity gives every pixel back");
    dev->bin_u16(dev, small, src, dims, 3);
    int sum = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            sum += src[(6 + j) * W + 9 + i];
    ok(small[2 * ((W + 2) / 3) + 3] == (sum + 4) / 9,
       "a binned pixel is the rounded mean of its pixels");
    device_close(dev);
}

static void known_shift(void)
{
    enum { N = 160 };
    static uint16_t a[N * N], b[N * N];
    struct tissue t = tissue_make(N + 40, 21);
    struct random r = {6};
    struct device *dev = device_open(DEVICE_CPU, 2, NULL);
    struct kin_dims dims = {1, N, N};
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            a[y * N + x] = camera(300 * tissue_at(&t, y + 20, x + 20) + 20, &r);
            b[y * N + x] = camera(300 * tissue_at(&t, y + 20 - 4.6, x + 20 + 2.3) + 20, &r);
        }
    struct probe_image ref, mov;
    struct kin_image images[2] = {{dims, KIN_U16, a}, {dims, KIN_U16, b}};
    struct kin_source sources[2] = {kin_source_image(&images[0]), kin_source_image(&images[1])};
    probe_image_load(dev, &ref, NULL, 1, &sources[0], 0);
    probe_image_load(dev, &mov, NULL, 1, &sources[1], 0);
    struct probe *probe = probe_new(dev, 96, 96, 20, 20, 4);
    struct warp_view view = {.map = warp_identity(0, 0)};
    struct probe_point point = {.y = 79.5f, .x = 79.5f};
    probe_run(probe, &ref, &mov, &view, &point, 1);
    printf("# (%.3f, %.3f), quality %.1f, NCC %.2f\n", point.dy, point.dx, point.quality,
           point.ncc);
    ok(fabs(point.dy - 4.6) < 0.3 && fabs(point.dx + 2.3) < 0.3,
       "a block finds where the moving image has its content, to 0.3 px at one look");
    view.map.t[0] = 4.6;
    view.map.t[1] = -2.3;
    probe_run(probe, &ref, &mov, &view, &point, 1);
    printf("# (%.3f, %.3f), quality %.1f, NCC %.2f\n", point.dy, point.dx, point.quality,
           point.ncc);
    ok(hypot(point.dy, point.dx) < 0.15 && point.ncc > 0.9,
       "read through the right map nothing is left to move");
    probe_free(probe);
    probe_image_free(dev, &ref);
    probe_image_free(dev, &mov);
    device_close(dev);
    tissue_free(&t);
}

static void transforms_file(const char *path)
{
    struct transforms t, back;
    struct kin_error err = {0};
    transforms_alloc(&t, 2, &err);
    t.reference = 1;
    t.canvas = (struct kin_dims){1, 100, 200};
    for (int i = 0; i < 2; i++) {
        t.cycle[i] = i + 1;
        t.result[i] = regist_identity(t.canvas);
    }
    struct regist_result *r = &t.result[1];
    r->model = "affine";
    r->map.a[1] = 0.00123456789;
    r->map.t[0] = -12.345678;
    r->ncc_median = 0.71;
    r->map.grid = (struct warp_grid){2, 3, 64, 47.5f, malloc(12 * sizeof(float))};
    for (int i = 0; i < 12; i++)
        r->map.grid.u[i] = (float)i / 4 - 1;
    ok(transforms_write(&t, path, &err) && transforms_read(path, &back, &err),
       "transforms go through their file: %s", err.text);
    const struct regist_result *b = transforms_find(&back, 2);
    ok(b && fabs(b->map.a[1] - r->map.a[1]) < 1e-11 && fabs(b->map.t[0] - r->map.t[0]) < 1e-8 &&
           b->map.c[1] == 99.5 && b->ncc_median == 0.71 && !strcmp(b->model, "affine"),
       "the numbers are those that were written");
    ok(b && b->map.grid.rows == 2 && b->map.grid.cols == 3 &&
           !memcmp(b->map.grid.u, r->map.grid.u, 12 * sizeof(float)),
       "so is the field");
    transforms_free(&t);
    transforms_free(&back);
    FILE *file = fopen(path, "w");
    fprintf(file, "{\"cycles\": [{\"cycle\": 2, \"A\": [[1, 0], [0]], \"t\": [1, 2]}]}");
    fclose(file);
    ok(!transforms_read(path, &back, &err) && strstr(err.text, "cycle 2"),
       "an incomplete transform is refused: %s", err.text);
    unlink(path);
}

/* What is a number but no map of a cycle is refused by name, unless register has refused it. */
static void impossible_maps(void)
{
    const struct {
        struct warp_map map;
        const char *why; /* NULL: it can be */
    } cases[] = {
        {{.a = {1, 0, 0, 1}, .t = {-99, 380}}, NULL},
        {{.a = {0, -1, 1, 0}, .t = {3, 4}}, NULL},
        {{.a = {1, 0, 0, 1}, .grid = {2, 2, 256, -256, (float[8]){0}}}, NULL},
        {{.a = {1, 0, 0, 1}, .t = {1e9, 0}}, "\"t\" is (1e+09, 0) px"},
        {{.a = {1, 0, 0, 1}, .t = {NAN, 0}}, "\"t\" is (nan, 0) px"},
        {{.a = {1, 0, 0, 1}, .c = {0, -1e12}}, "\"centre\" is (0, -1e+12) px"},
        {{.a = {0}}, "\"A\" scales by 0 to 0"},
        {{.a = {1, 0, 0, -1}}, "\"A\" scales by -1 to 1"},
        {{.a = {1e300, 0, 0, 1}}, "\"A\" scales by"},
        {{.a = {1, 0, 0, 1}, .grid = {2, 2, 1e-30f, 0}}, "lie 1e-30 px apart"},
        {{.a = {1, 0, 0, 1}, .grid = {2, 2, 64, INFINITY}}, "begin at inf px"},
        {{.a = {1, 0, 0, 1}, .grid = {2, 2, 64, 47, (float[8]){0, 0, 1e9f}}}, "moves by 1e+09 px"},
        {{.a = {1, 0, 0, 1}, .grid = {2, 2, 64, 47, (float[8]){0, 0, 0, NAN}}}, "moves by nan px"},
        {{.a = {1, 0, 0, 1}, .grid = {2, 2, 64, 47, (float[8]){0, 0, -90, -90}}}, "folds"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct regist_result results[] = {{.map = cases[i].map}, {.map = cases[i].map}};
        struct transforms t = {1, 1, {1, 100, 200}, (int[]){7, 7}, results};
        struct kin_error err = {0};
        bool fine = transforms_check(&t, "maps", &err);
        ok(cases[i].why
               ? !fine && strstr(err.text, "maps: cycle 7: ") && strstr(err.text, cases[i].why)
               : fine,
           "map %zu: %s", i, fine ? "accepted" : err.text);
        results[0].refused = true;
        ok(transforms_check(&t, "maps", NULL), "map %zu, refused before: no matter", i);
        t.count = 2;
        err = (struct kin_error){0};
        results[1].refused = true;
        ok(!transforms_check(&t, "maps", &err) && strstr(err.text, "cycle 7 stands there twice"),
           "a cycle that stands there twice: %s", err.text);
    }
}

static void folds(void)
{
    float u[] = {0, 0, 0, 0, -80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    struct warp_grid grid = {3, 3, 64, 0, u};
    int n;
    double least = regist_min_det(&grid, &n);
    ok(n >= 1 && least < 0, "a field that folds is noticed (least det %.2f at %d nodes)", least, n);
}

static bool is_in_file(const struct picture *picture, const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t data[5 * 7 * 3];
    bool same = png_image_begin_read_from_file(&image, path) && image.width == 7 &&
                image.height == 5 && image.format == PNG_FORMAT_RGB &&
                png_image_finish_read(&image, NULL, data, 0, NULL) &&
                !memcmp(data, picture->data, sizeof data);
    png_image_free(&image);
    return same;
}

static void pictures(const char *path)
{
    struct picture p;
    struct kin_error err = {0};
    picture_alloc(&p, 5, 7, 3, &err);
    for (int i = 0; i < 5 * 7 * 3; i++)
        p.data[i] = (uint8_t)(i * 2);
    ok(picture_write(path, &p, &err) && is_in_file(&p, path),
       "an RGB picture is in its file as it was: %s", err.text);
    ok(!picture_write("/nonexistent/p.png", &p, &err) && err.text[0],
       "a folder that is missing is an error: %s", err.text);
    picture_free(&p);
    ok(!picture_alloc(&p, 0, 7, 3, &err), "a picture without rows cannot be made");
    unlink(path);
}

int main(void)
{
    char dir[] = "/tmp/kintsugi-warp-XXXXXX", path[100];
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/file", dir);
    warps();
    warping_in_any_memory(false);
    warping_in_any_memory(true);
    identity_is_exact();
    known_shift();
    transforms_file(path);
    impossible_maps();
    folds();
    pictures(path);
    ok(rmdir(dir) == 0, "no temporary file is left behind");
    return done();
}
