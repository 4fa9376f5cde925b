// SPDX-License-Identifier: MIT
// cmd_phantom.c: `kintsugi-image phantom DIR`: a raw acquisition with known truth.
#include "phantom/phantom.h"
#include "tool/stage.h"
#include "tool/verbs.h"

#include <stdio.h>
#include <unistd.h>

static struct {
    struct common common;
    int seed, cycles, channels, planes, difficulty;
    int grid[2], tile[2];
    double overlap, xy_nm, z_nm;
    bool skip_truth_images;
} o;
static const char *dir;

static const struct option rows[] = {
    {"seed", OPTION_INT, "", "1", "the same seed gives the same bytes", &o.seed},
    {"cycles", OPTION_INT, "", "3", "staining cycles; the first has the blank channels", &o.cycles},
    {"channels", OPTION_INT, "", "3", "channels of a cycle; the first shows nuclei", &o.channels},
    {"planes", OPTION_INT, "", "7", "focal planes", &o.planes},
    {"grid", OPTION_PAIR, "tiles", "2x2", "rows x columns of tiles", o.grid},
    {"tile", OPTION_PAIR, "px", "256x256", "height x width of a tile", o.tile},
    {"overlap", OPTION_REAL, "fraction of a tile", "0.3", "overlap of neighbouring tiles",
     &o.overlap},
    {"difficulty", OPTION_INT, "", "2",
     "1 easy, 2 usual, 3 hard: noise, stage, shading, transforms of cycles", &o.difficulty},
    {"pixel", OPTION_REAL, "nm", "377", "pixel size", &o.xy_nm},
    {"plane-distance", OPTION_REAL, "nm", "1500", "step of the stage between planes", &o.z_nm},
    {"no-truth-images", OPTION_FLAG, "", "", "leave out the in-focus and signal images",
     &o.skip_truth_images},
    OPTIONS_COMMON(&o.common),
};
static const struct operand operands[] = {
    {"DIR", "where data/raw, meta and truth are written", &dir}};
static const struct command command = {
    "phantom",
    "Makes a synthetic raw acquisition, and its true images in DIR/truth.",
    rows,
    ROWS(rows),
    operands,
    1,
    "Tiles are made one by one: memory holds the stack of one tile and, for the true images, one "
    "mosaic\n"
    "at a time (--no-truth-images leaves these out)."};

static void report(const struct phantom_params *p)
{
    struct js *root = js_object();
    js_set_text(root, "project", dir);
    js_set_number(root, "seed", (double)p->seed);
    js_set_number(root, "files", (double)p->cycles * p->channels * p->planes * p->rows * p->cols);
    js_print(root, stdout);
    js_free(root);
}

static bool has(const char *name)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return !access(path, F_OK);
}

/* An acquisition without a truth is somebody's own: it would be overwritten. */
static bool check_dir(struct kin_error *err)
{
    const char *what = has("meta/experiment.json") ? "meta/experiment.json" : "data/raw";
    return o.common.force || has("truth") || !has(what) ||
           kin_fail(err, KIN_INPUT,
                    "%s: there is a %s that no phantom made: name another folder (--force "
                    "overwrites it)",
                    dir, what);
}

int cmd_phantom(int argc, char **argv)
{
    struct kin_error err = {0};
    struct stage stage;
    int status;
    if (!options_parse(&command, argc, argv, &status))
        return status;
    struct phantom_params p = {.seed = (uint64_t)(uint32_t)o.seed,
                               .cycles = o.cycles,
                               .channels = o.channels,
                               .planes = o.planes,
                               .rows = o.grid[0],
                               .cols = o.grid[1],
                               .tile_h = o.tile[0],
                               .tile_w = o.tile[1],
                               .overlap = o.overlap,
                               .difficulty = o.difficulty,
                               .xy_nm = o.xy_nm,
                               .z_nm = o.z_nm,
                               .skip_truth_images = o.skip_truth_images};
    if (!kin_phantom_check(&p, &err))
        return options_mistake(&command, "%s", err.text);
    /* the same files everywhere */
    struct device *dev = device_open(DEVICE_CPU, o.common.threads, &err);
    bool fresh = access(dir, F_OK), good = dev && check_dir(&err) && make_dirs(dir, &err);
    stage_simple(&stage, "phantom", &o.common);
    good = good && kin_phantom(dir, &p, dev, &stage.progress, &err);
    device_close(dev);
    if (!good && fresh)
        rmdir(dir); /* if nothing is in it */
    if (good && o.common.json)
        report(&p);
    return good ? 0 : stage_failed("phantom", &err);
}
