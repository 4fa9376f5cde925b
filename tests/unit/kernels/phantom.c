// SPDX-License-Identifier: MIT
// The phantom: the counter-based random numbers are those of the paper, the same seed gives the
// same bytes for any thread count, and the tiles are what the truth says: flat * (background +
// object) + dark.
#include "image/experiment.h"
#include "phantom/phantom.h"
#include "phantom/philox.h"
#include "test.h"

#include <stdlib.h>

static char dir[] = "/tmp/kin-phantom-XXXXXX";

static const struct phantom_params small = {.seed = 7,
                                            .cycles = 2,
                                            .channels = 2,
                                            .planes = 5,
                                            .rows = 2,
                                            .cols = 2,
                                            .tile_h = 96,
                                            .tile_w = 128,
                                            .overlap = 0.25,
                                            .difficulty = 2,
                                            .xy_nm = 377,
                                            .z_nm = 1500};

static void test_philox(void)
{
    struct philox zero = philox(0, 0, 0, 0, 0), ones = philox(~0ull, ~0u, ~0u, ~0u, ~0u);
    ok(zero.v[0] == 0x6627e8d5 && zero.v[1] == 0xe169c58d && zero.v[2] == 0xbc57ac4c &&
           zero.v[3] == 0x9b00dbd8,
       "the published answer for zero");
    ok(ones.v[0] == 0x408f276d && ones.v[1] == 0x41c83b0e && ones.v[2] == 0xa20bc7c6 &&
           ones.v[3] == 0x6d5451fd,
       "the published answer for all bits set");
}

static bool make(const char *name, int threads)
{
    char path[100];
    struct kin_error err = {0};
    struct device *dev = device_open(DEVICE_CPU, threads, &err);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    bool good = kin_phantom(path, &small, dev, NULL, &err);
    device_close(dev);
    if (!good)
        printf("# %s\n", err.text);
    return good;
}

static void test_threads(void)
{
    char command[300];
    ok(make("one", 1) && make("three", 3), "a phantom is made");
    snprintf(command, sizeof command, "diff -r %s/one %s/three", dir, dir);
    ok(system(command) == 0, "the same bytes with one thread and with three");
}

static void test_layout(void)
{
    char path[400], project[100];
    struct kin_error err = {0};
    struct experiment exp;
    struct raw_cycle raw;
    snprintf(project, sizeof project, "%s/one", dir);
    ok(experiment_read(project, &exp, &err) && exp.cycles == 2 && exp.rows == 2 &&
           exp.planes == 5 && exp.overlap == 0.25 && exp.camera_offset == 180,
       "experiment.json comes back (%s)", err.text);
    is(experiment_marker(&exp, 1, 2), "Blank-2", "the first cycle has the blank channel");
    is(experiment_marker(&exp, 2, 2), "CD3e", "the second cycle has a marker");
    ok(raw_find(project, 2, &raw, &err) && raw.tiles == 4 && raw.planes == 5 && raw.channels == 2,
       "the raw folder of cycle 2 is found (%s)", err.text);
    ok(raw_path(&raw, 3, 5, 2, path, sizeof path) && strstr(path, "/1_00004_Z005_CH2.tif"),
       "a tile has its name");
    ok(!raw_path(&raw, 4, 5, 2, path, sizeof path), "a tile beyond the grid is not there");
    raw_free(&raw);
    ok(!raw_find(project, 3, &raw, &err) && strstr(err.text, "cycle 3"), "%s", err.text);
    experiment_free(&exp);
}

static bool read_truth(const char *name, struct kin_image *image)
{
    char path[200];
    struct kin_error err = {0};
    snprintf(path, sizeof path, "%s/one/%s", dir, name);
    return kin_tiff_read(path, image, &err) || (printf("# %s\n", err.text), false);
}

/* Tile 1's mean against gain * flat * (background ...) + dark of a picture that is nearly empty:
 * the ratio of the two shading fields must be recovered from the pixels. */
static void test_model(void)
{
    struct kin_image flat, dark, tile[5], map;
    double seen = 0, told = 0;
    int n = 96 * 128;
    bool good = read_truth("truth/flat_ch2.tif", &flat) &&
                read_truth("truth/dark_ch2.tif", &dark) && read_truth("truth/zmap_c01.tif", &map);
    for (int z = 0; good && z < 5; z++) {
        char name[100];
        snprintf(name, sizeof name, "data/raw/cyc001_reg001_phantom/1_00001_Z00%d_CH2.tif", z + 1);
        good = read_truth(name, &tile[z]);
    }
    double flat_sum = 0;
    for (int i = 0; good && i < n; i++) {
        flat_sum += kin_f32(&flat)[i];
        told += 2 * kin_f32(&flat)[i] * 30 + kin_f32(&dark)[i];
        for (int z = 0; z < 5; z++)
            seen += kin_u16(&tile[z])[i] / 5.0;
    }
    ok(good && flat_sum / n > 0.9999 && flat_sum / n < 1.0001, "the flat field has mean 1");
    ok(good && seen / n > told / n && seen / n < 1.5 * told / n,
       "a blank tile is a little above empty glass (%.1f > %.1f)", seen / n, told / n);
    float low = kin_f32(&map)[0], high = low;
    for (size_t i = 0; good && i < kin_count(map.dims); i++) {
        low = kin_f32(&map)[i] < low ? kin_f32(&map)[i] : low;
        high = kin_f32(&map)[i] > high ? kin_f32(&map)[i] : high;
    }
    ok(low >= 1 && high <= 5, "the surface lies inside the stack (%.2f to %.2f)", (double)low,
       (double)high);
    for (int z = 0; good && z < 5; z++)
        kin_image_free(&tile[z]);
    kin_image_free(&flat);
    kin_image_free(&dark);
    kin_image_free(&map);
}

static void test_refusals(void)
{
    struct kin_error err = {0};
    struct phantom_params bad = small;
    struct device *dev = device_open(DEVICE_CPU, 1, &err);
    bad.overlap = 0.8;
    ok(!kin_phantom(dir, &bad, dev, NULL, &err) && strstr(err.text, "--overlap"), "%s", err.text);
    device_close(dev);
}

int main(void)
{
    char command[100];
    if (!mkdtemp(dir))
        return 1;
    test_philox();
    test_threads();
    test_layout();
    test_model();
    test_refusals();
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) ? 1 : done();
}
