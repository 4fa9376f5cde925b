// SPDX-License-Identifier: MIT
// Pairs of tiles that have nothing in common are hardly ever taken for an overlap, whatever they
// show, and pairs that have are: of any size of tile and of overlap.
#include "stitch/stitch.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { TRIALS = 25, WIDE = 400 };

static struct device *dev;
static uint32_t state = 1;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state / 4294967296.0;
}

enum scene { NOISE, CLOUDS, SPOTS, SHADED, SCENES };
static const char *const scenes[] = {"noise", "clouds", "a few spots", "noise under shading"};

static void add_spot(float *image, int n, double y, double x, double height, double width)
{
    int reach = (int)(3 * width) + 1, cy = (int)y, cx = (int)x;
    for (int i = cy - reach; i <= cy + reach; i++)
        for (int j = cx - reach; j <= cx + reach; j++)
            if (i >= 0 && j >= 0 && i < n && j < n)
                image[i * n + j] += (float)(height * exp(-((i - y) * (i - y) + (j - x) * (j - x)) /
                                                         (2 * width * width)));
}

/* n x n pixels without noise. */
static void draw(float *image, int n, enum scene scene)
{
    for (int i = 0; i < n * n; i++)
        image[i] = scene == NOISE || scene == SHADED ? (float)(600 * uniform()) : 300;
    for (int k = 0; scene == CLOUDS && k < n * n / 60; k++)
        add_spot(image, n, uniform() * n, uniform() * n, 600 * uniform(), 3);
    for (int k = 0; scene == SPOTS && k < n * n / 900; k++)
        add_spot(image, n, uniform() * n, uniform() * n, 3000 * uniform(), 2.5);
}

/* A tile of an image that is w wide. */
static void take(uint16_t *tile, int size, const float *image, int w, int y, int x,
                 enum scene scene)
{
    for (int i = 0; i < size * size; i++) {
        double shade = scene == SHADED ? 2000.0 * (i % size) / size + 1000.0 * (i / size) / size
                                       : 0;
        tile[i] = (uint16_t)(500 + shade + 40 * uniform() +
                             (double)image[(y + i / size) * w + x + i % size]);
    }
}

/* Whether two tiles side by side are taken to overlap; found: how far from `right` (y, x). */
static bool meets(const uint16_t *a, const uint16_t *b, int size, double overlap,
                  const int right[2], double *off)
{
    const uint16_t *data[2] = {a, b};
    struct stitch_tiles tiles = stitch_tiles_in_memory(data);
    struct stitch_params params = {
        .scan = {.rows = 1, .cols = 2}, .tile_h = size, .tile_w = size, .overlap = overlap};
    struct stitch_model model;
    struct kin_error err = {0};
    stitch_model_fit(dev, &params, &tiles, &model, &err);
    bool accepted = model.accepted == 1;
    *off = hypot(model.edges[0].dy - right[0], model.edges[0].dx - right[1]);
    stitch_model_free(&model);
    return accepted;
}

/* Answers how many pairs that have nothing in common count. */
static int test_scene(enum scene scene, int size, double overlap)
{
    static float image[WIDE * WIDE], other[WIDE * WIDE];
    static uint16_t tiles[2][WIDE * WIDE / 4];
    int n = 2 * size, right[2] = {3, size - (int)lrint(size * overlap) - 2}, accidents = 0,
        found = 0, wrong = 0;
    for (int t = 0; t < TRIALS; t++) {
        double off;
        draw(image, n, scene);
        draw(other, n, scene);
        take(tiles[0], size, image, n, 4, 0, scene);
        take(tiles[1], size, other, n, 4, 0, scene);
        accidents += meets(tiles[0], tiles[1], size, overlap, right, &off);
        take(tiles[1], size, image, n, 4 + right[0], right[1], scene);
        bool counts = meets(tiles[0], tiles[1], size, overlap, right, &off);
        found += counts && off < 1;
        wrong += counts && off >= 1;
    }
    /* one spot alone may always be an accident */
    int least = scene == SPOTS ? TRIALS / 2 : TRIALS - 1;
    ok(found >= least && !wrong,
       "%s, %d px, %g %%: %d of %d pairs count where they are, %d elsewhere", scenes[scene], size,
       100 * overlap, found, TRIALS, wrong);
    return accidents;
}

int main(void)
{
    struct kin_error err = {0};
    dev = device_open(DEVICE_CPU, 1, &err);
    if (!dev)
        return 1;
    int accidents = 0, tried = 3 * SCENES * TRIALS;
    for (enum scene scene = 0; scene < SCENES; scene++)
        accidents += test_scene(scene, 128, 0.1) + test_scene(scene, 128, 0.3) +
                     test_scene(scene, 200, 0.15);
    ok(accidents <= 0.08 * tried, "%d of %d pairs that have nothing in common count; 5 %% should",
       accidents, tried);
    device_close(dev);
    return done();
}
