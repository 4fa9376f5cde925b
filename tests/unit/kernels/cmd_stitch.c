// SPDX-License-Identifier: MIT
// `kintsugi-image stitch` on a phantom: positions and pixels against the truth, the same bytes for
// any thread count, what is finished is kept, what is missing or damaged is refused by name. The
// tool's path is in KINTSUGI_IMAGE.
#include "core/json.h"
#include "stitch/report.h"
#include "tool.h"

#include <math.h>
#include <sys/stat.h>

static void test_run(void)
{
    ok(tool("phantom p --grid 3x3 --tile 128x160 --planes 5 --channels 2 --cycles 1 --difficulty 1 "
            "--seed 5 --quiet") == 0,
       "a phantom is made %s", output);
    ok(tool("stitch p --cycle 1 --quiet --json") == 0, "it is stitched");
    ok(strstr(output, "\"overlap_ncc\""), "its numbers are on stdout as JSON");
    ok(shell("grep -q '^stage=stitch$' p/data/processed/stitched/cyc01/.snakemake_complete") == 0,
       "the sentinel says which stage");
    ok(shell("ls p/data/processed/stitched/cyc01/CH2/0[1-5].tif "
             "p/data/processed/stitched/cyc01/coverage.tif "
             "p/data/processed/qc/stitch_cyc01.json >/dev/null") == 0,
       "all planes, the coverage and the report are there");
    ok(shell("! find p -name '*.part' | grep -q .") == 0, "no temporary file is left");
}

static void test_positions(void)
{
    struct stitch_params params = {.scan = {.rows = 3, .cols = 3}, .tile_h = 128, .tile_w = 160};
    struct stitch_model got, want;
    struct kin_error err = {0};
    double mean[2] = {0}, square = 0, worst = 0;
    bool good = stitch_read_csv(in("p/data/processed/stitched/cyc01/CH1/positions.csv"), &params,
                                &got, &err) &&
                stitch_read_csv(in("p/truth/positions_c01.csv"), &params, &want, &err);
    if (!ok(good, "positions are read back %s", err.text))
        return;
    ok(isnan(got.seam_median), "a file of positions does not tell how sharp seams are");
    for (int k = 0; k < 9; k++) {
        mean[0] += (got.places[k].y - want.places[k].y) / 9;
        mean[1] += (got.places[k].x - want.places[k].x) / 9;
    }
    for (int k = 0; k < 9; k++) {
        double e = hypot(got.places[k].y - want.places[k].y - mean[0],
                         got.places[k].x - want.places[k].x - mean[1]);
        square += e * e / 9;
        worst = fmax(worst, e);
    }
    ok(sqrt(square) < 0.10 && worst < 0.25, "positions are true to %.3f px, the worst to %.3f px",
       sqrt(square), worst);
    stitch_model_free(&got);
    stitch_model_free(&want);
}

/* Positions that people bring along. */
static void test_bad_positions(void)
{
    static const struct {
        const char *edit, *says; /* of sed, on a good file; NULL: it is still good */
    } cases[] = {
        {"s/$/\\r/", NULL},
        {"1s/^/\\xef\\xbb\\xbf/", NULL},
        {"1d", NULL},
        {"3d", "bad.csv: no position of tile 2 (of a grid of 9)"},
        {"3p", "bad.csv:4: tile 2 for the second time"},
        {"3s/^2/12/", "bad.csv:3: tile 12 of 9"},
        {"3s/^2,0,1/2,1,0/",
         "bad.csv:3: tile 2 in row 1, column 0; by the experiment's order it is in 0, 1"},
        {"s/,/;/g", "bad.csv:2: not tile,row,col,y,x as numbers"},
        {"2,$s/[.]/,/g", "bad.csv:2: 12 values under 8 names of columns"},
        {"4s/[0-9.]*,/nan,/4", "bad.csv:4: not tile,row,col,y,x as numbers"},
        {"4s/[0-9.]*,/1e15,/4", "bad.csv: tiles lie 1e+15 x "},
        {"d", "bad.csv: no position of tile 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shell("sed '%s' p/data/processed/stitched/cyc01/CH1/positions.csv >bad.csv", cases[i].edit);
        struct stitch_params params = {.scan = {3, 3}, .tile_h = 128, .tile_w = 160};
        struct stitch_model model;
        struct kin_error err = {0};
        bool good = stitch_read_csv(in("bad.csv"), &params, &model, &err);
        ok(cases[i].says ? !good && strstr(err.text, cases[i].says) : good,
           "positions after %s: %s", cases[i].edit, good ? "good" : err.text);
        if (good)
            stitch_model_free(&model);
    }
}

static void test_pixels(void)
{
    struct kin_image got, want;
    struct kin_error err = {0};
    bool good = kin_tiff_read(in("p/data/processed/stitched/cyc01/CH1/03.tif"), &got, &err) &&
                kin_tiff_read(in("p/truth/infocus_c01_ch1.tif"), &want, &err);
    if (!ok(good, "mosaic and truth are read %s", err.text))
        return;
    int h = got.dims.y < want.dims.y ? got.dims.y : want.dims.y,
        w = got.dims.x < want.dims.x ? got.dims.x : want.dims.x;
    double s[5] = {0}, n = 0;
    for (int i = 0; i < h * w; i++) {
        double a = kin_u16(&got)[(size_t)(i / w) * (size_t)got.dims.x + (size_t)(i % w)];
        double b = kin_u16(&want)[(size_t)(i / w) * (size_t)want.dims.x + (size_t)(i % w)];
        double v[] = {a, b, a * a, b * b, a * b};
        for (int k = 0; k < 5 && a > 0; k++)
            s[k] += v[k];
        n += a > 0;
    }
    double ncc = (s[4] - s[0] * s[1] / n) /
                 sqrt((s[2] - s[0] * s[0] / n) * (s[3] - s[1] * s[1] / n));
    ok(abs(got.dims.y - want.dims.y) <= 1 && abs(got.dims.x - want.dims.x) <= 1,
       "the canvas has the true size");
    ok(ncc > 0.9 && fabs(s[0] / s[1] - 1) < 0.05,
       "the mosaic correlates with the truth by %.3f, its light is %.3f of it", ncc, s[0] / s[1]);
    kin_image_free(&got);
    kin_image_free(&want);
}

static void test_again(void)
{
    struct stat before, after;
    shell("cp -r p/data/processed/stitched first");
    stat(in("p/data/processed/stitched/cyc01/CH1/02.tif"), &before);
    shell("rm p/data/processed/stitched/cyc01/CH2/03.tif "
          "p/data/processed/stitched/cyc01/.snakemake_complete");
    ok(tool("stitch p --cycle 1 --quiet --threads 3") == 0, "with a plane removed it runs again %s",
       output);
    stat(in("p/data/processed/stitched/cyc01/CH1/02.tif"), &after);
    ok(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_ino == after.st_ino,
       "a finished plane is kept");
    ok(shell("diff -rq -x .snakemake_complete first p/data/processed/stitched") == 0,
       "the removed one has the same bytes");
    ok(tool("stitch p --cycle 1 --quiet --threads 1 --force") == 0 &&
           shell("diff -rq -x .snakemake_complete first p/data/processed/stitched") == 0,
       "so has everything with one thread");
    ok(tool("stitch p --cycle 1 --quiet --flat-min 0.2") == 0, "another parameter %s", output);
    stat(in("p/data/processed/stitched/cyc01/CH1/02.tif"), &after);
    ok(before.st_ino != after.st_ino || before.st_mtim.tv_nsec != after.st_mtim.tv_nsec,
       "makes all planes again");
}

/* Memory changes no byte; where it is too little, the stage says so before it takes any. */
static void test_memory(void)
{
    static const struct {
        const char *options, *says;
    } short_of[] = {
        {"--memory 2", "to find the illumination of channel 1: at least 3 MB (--memory)"},
        {"--memory 3", "to find the positions: at least 4 MB (--memory)"},
        {"--memory 4 --blend bands --positions kept/cyc01/CH1/positions.csv", "MB (--memory)"},
    };
    ok(tool("phantom w --grid 2x3 --tile 256x320 --planes 1 --channels 1 --cycles 1 --quiet "
            "--no-truth-images --difficulty 1") == 0 &&
           tool("stitch w --quiet") == 0 && shell("cp -r w/data/processed/stitched kept") == 0,
       "a mosaic with memory to spare %s", output);
    for (int mb = 5; mb >= 4; mb--)
        ok(tool("stitch w --quiet --memory %d --threads 16 --force", mb) == 0 && !output_lines &&
               shell("diff -rq -x .snakemake_complete kept w/data/processed/stitched") == 0,
           "has the same bytes with little, in %s, however many threads %s",
           mb > 4 ? "bands of fewer rows" : "narrow windows", output);
    for (size_t i = 0; i < sizeof short_of / sizeof *short_of; i++)
        ok(tool("stitch w --quiet --force --threads 1 %s", short_of[i].options) == 1 &&
               strstr(output, "are too little memory") && strstr(output, short_of[i].says),
           "less is refused: %s", output);
    ok(tool("phantom w1 --grid 1x1 --tile 400x400 --planes 1 --channels 1 --cycles 1 --quiet "
            "--no-truth-images --difficulty 1") == 0 &&
           tool("stitch w1 --quiet --memory 1 --illumination none") == 1 &&
           strstr(output, "to find the illumination of channel 1: at least 2 MB (--memory)") &&
           access(in("w1/data/processed/stitched/cyc01/CH1/flat.tif"), F_OK),
       "so is a tile whose flat field, dark frame and gain are more, though none is to be found: "
       "%s",
       output);
    ok(tool("stitch w1 --quiet --memory 1 --ignore-dark") == 1 && strstr(output, "at least 3 MB") &&
           tool("stitch w1 --quiet --memory 1") == 1 && strstr(output, "at least 4 MB"),
       "a measured dark frame is held while a field is found: %s", output);
}

/* 216 x 216 places make more pairs than an int counts. */
static void test_large_grid(void)
{
    shell("seq 0 46655 | awk '{ print $1 + 1 \",\" int($1 / 216) \",\" $1 %% 216 \",0,0\" }' "
          ">all.csv");
    ok(tool("phantom g --grid 1x2 --tile 32x32 --planes 1 --channels 1 --cycles 1 --quiet "
            "--no-truth-images --difficulty 1") == 0 &&
           shell("sed -i 's/\\(\"tile_[a-z]*s\": \\)[12]/\\1216/; s/snake/raster/' "
                 "g/meta/experiment.json") == 0 &&
           tool("stitch g --quiet --allow-missing --positions all.csv") == 0,
       "tiles of a large grid are stitched, though most of them are missing: %s", output);
}

/* Positions lie with the nuclear channel, also when neither they nor the planes come from it. */
static void test_without_nuclei(void)
{
    ok(tool("phantom n --grid 1x2 --tile 96x96 --planes 1 --channels 2 --cycles 1 --quiet "
            "--no-truth-images --difficulty 1") == 0 &&
           tool("stitch n --quiet --channels 2 --model-channel 2 --positions "
                "n/truth/positions_c01.csv") == 0 &&
           !access(in("n/data/processed/stitched/cyc01/CH1/positions.csv"), F_OK),
       "a channel is stitched without the nuclear one: %s", output);
    shell("rm n/data/raw/*/*_CH1.tif");
    ok(tool("stitch n --quiet --channels 2") == 1 &&
           strstr(output, "1_00001_Z001_CH1.tif: missing, and 1 more"),
       "the positions need the tiles of the nuclear one: %s", output);
    ok(tool("stitch n --quiet --channels 2 --allow-missing") == 1 &&
           strstr(output, "no tiles of channel 1, which gives the positions"),
       "some of them: %s", output);
    ok(tool("stitch n --quiet --channels 2 --model-channel 2") == 0,
       "or another channel gives them %s", output);
}

/* The report and the pixels name the plane alike. */
static void test_one_plane(void)
{
    ok(tool("phantom z --grid 1x2 --tile 96x96 --planes 1 --channels 1 --cycles 1 --quiet "
            "--no-truth-images --difficulty 1") == 0 &&
           tool("stitch z --quiet --positions z/truth/positions_c01.csv") == 0 &&
           tool("qc z --quiet") == 0 && shell("mv z/qc_plots plots") == 0 &&
           tool("qc z --quiet --pixels") == 0,
       "a mosaic of a single plane is judged by its report, and by its pixels %s", output);
    ok(shell("cmp plots/qc.json z/qc_plots/qc.json") == 0, "which say the same: %s", output);
}

static bool remade(const char *line, const char *file)
{
    struct stat before, after;
    bool there = !stat(in(file), &before);
    return tool("%s", line) == 0 && there && !stat(in(file), &after) &&
           (before.st_ino != after.st_ino || before.st_mtim.tv_nsec != after.st_mtim.tv_nsec);
}

/* A dark frame, or an offset, that would leave nothing of the tiles is of another camera. */
static void test_wrong_dark(void)
{
    const char *frame = "p/meta/dark_CH1.tif";
    struct kin_image image;
    struct kin_error err = {0};
    bool good = kin_tiff_read(in(frame), &image, &err);
    shell("cp %s kept.tif", frame);
    for (size_t i = 0; good && i < kin_count(image.dims); i++)
        kin_f32(&image)[i] = 9000;
    good = good && image.type == KIN_F32 && kin_tiff_write(in(frame), &image, NULL, &err);
    ok(good && tool("stitch p --quiet") == 1 &&
           strstr(output, "channel 1: without light the camera gives 9000 ADU by "
                          "meta/dark_CH1.tif") &&
           strstr(output, "--ignore-dark"),
       "a dark frame brighter than all tiles: %s", output);
    ok(tool("stitch p --quiet --illumination none") == 1 && strstr(output, "gives 9000 ADU by"),
       "also without a flat field: %s", output);
    shell("ln -sf nowhere %s", frame);
    ok(tool("stitch p --quiet") == 1 && strstr(output, "dark_CH1.tif: No such file"),
       "one that is a link to nothing: %s", output);
    shell("mv kept.tif %s", frame);
    ok(tool("stitch p --quiet --ignore-dark --camera-offset 9000") == 1 &&
           strstr(output, "9000 ADU by camera_offset") && strstr(output, "--camera-offset states"),
       "a camera offset above all tiles: %s", output);
    kin_image_free(&image);
}

/* What is not a tile but makes the pixels all the same. */
static void test_other_inputs(void)
{
    const char *plane = "p/data/processed/stitched/cyc01/CH1/03.tif",
               *with = "stitch p --quiet --positions pos.csv", *without = "stitch p --quiet";
    shell("cp p/data/processed/stitched/cyc01/CH1/positions.csv pos.csv");
    ok(remade(with, plane) && !remade(with, plane), "positions from a file are taken once");
    ok(shell("sed -i '3s/[0-9.]*,/9,/4' pos.csv") == 0 && remade(with, plane),
       "and again when the file has changed");
    ok(remade(without, plane) && !remade(without, plane), "then those that are found %s", output);
    ok(shell("mv p/meta/dark_CH1.tif kept.tif") == 0 && remade(without, plane),
       "without the dark frame %s", output);
    ok(shell("mv kept.tif p/meta/dark_CH1.tif") == 0 && remade(without, plane), "and with it %s",
       output);
    test_wrong_dark();
    shell("cp -r p/data/raw/cyc001_reg001_phantom p/data/raw/cyc001_reg002_phantom");
    ok(tool("stitch p") == 0 &&
           strstr(output,
                  "cyc001_reg001_phantom is read; cyc001_reg002_phantom, of the same cycle"),
       "a folder of another region is not passed over in silence: %s", output);
    shell("rm -r p/data/raw/cyc001_reg002_phantom");
}

/* Two by two tiles whose overlap is stated wrongly: accidents do not count; and three of them,
 * which form no circle. */
static void test_unconfirmed(void)
{
    ok(tool("phantom u --grid 2x2 --tile 128x160 --planes 1 --channels 1 --cycles 1 --difficulty 1 "
            "--quiet "
            "--no-truth-images") == 0 &&
           tool("stitch u --quiet --json") == 0 && !strstr(output, "circle") &&
           strstr(output, "\"residual_rms\":") && !strstr(output, "\"residual_rms\":null"),
       "a mosaic whose overlaps confirm each other");
    ok(tool("stitch u --quiet --json --overlap 0.05") == 1 &&
           strstr(output, "of 4 overlaps fit together"),
       "%s", output);
    ok(shell("rm u/data/raw/*/1_00004_*") == 0 &&
           tool("stitch u --quiet --json --allow-missing") == 0 &&
           strstr(output, "no circle of overlaps closes"),
       "without a tile nothing confirms the others: this is noted");
    ok(tool("phantom line --grid 1x4 --tile 128x160 --planes 1 --channels 1 --cycles 1 "
            "--difficulty 1 --quiet "
            "--no-truth-images") == 0 &&
           tool("stitch line --quiet --json") == 0 &&
           strstr(output, "no circle of overlaps can confirm") &&
           strstr(output, "of 3 overlaps are seen") && strstr(output, "\"residual_rms\":null"),
       "nor do tiles in one line: this is noted");
    ok(tool("phantom apart --grid 2x2 --tile 128x160 --planes 1 --channels 1 --cycles 1 "
            "--difficulty 1 --quiet "
            "--no-truth-images --overlap 0") == 0 &&
           tool("stitch apart --quiet --json") == 0 && strstr(output, "\"edges\":[]") &&
           !strstr(output, "overlap_ncc") && strstr(output, "nothing confirms it"),
       "tiles that do not overlap have no overlaps that could be judged");
    ok(tool("phantom two --grid 1x2 --tile 128x160 --planes 1 --channels 1 --cycles 1 "
            "--difficulty 1 --quiet --no-truth-images --overlap 0") == 0 &&
           tool("stitch two --quiet") == 0,
       "nor do two tiles, which have one pair");
    ok(shell("sed -i 's/\"tile_overlap\": [0-9.]*/\"tile_overlap\": 0/' u/meta/experiment.json") ==
               0 &&
           tool("stitch u --quiet --allow-missing") == 0,
       "a pair in each direction is no proof against the experiment %s", output);
    ok(tool("phantom v --grid 2x3 --tile 128x160 --planes 1 --channels 1 --cycles 1 --difficulty 1 "
            "--quiet --no-truth-images") == 0 &&
           shell("sed -i 's/\"tile_overlap\": [0-9.]*/\"tile_overlap\": 0/' "
                 "v/meta/experiment.json") == 0 &&
           tool("stitch v --quiet") == 1 && strstr(output, "they overlap by about 30 %") &&
           access(in("v/data/processed/stitched/cyc01/.snakemake_complete"), F_OK),
       "tiles that are said not to overlap, and do: %s", output);
    ok(tool("stitch v --quiet --json --overlap 0") == 0 && strstr(output, "nothing confirms it"),
       "who insists gets them side by side");
    ok(tool("stitch u --quiet --cycle 2") == 1 &&
           strstr(output, "cycle 2: the experiment has 1 to 1"),
       "%s", output);
}

/* What was mixed up by hand is told by name. */
static void test_mixed_up(void)
{
    const char *json = "m/meta/experiment.json";
    ok(tool("phantom m --grid 3x4 --tile 128x160 --planes 1 --channels 1 --cycles 1 --difficulty 1 "
            "--quiet --no-truth-images") == 0 &&
           shell("cp %s m.json && sed -i 's/\"tile_rows\": 3/\"tile_rows\": 4/; "
                 "s/\"tile_cols\": 4/\"tile_cols\": 3/' %s",
                 json, json) == 0 &&
           tool("stitch m --quiet") == 1 &&
           strstr(output, "17 fit if meta/experiment.json says \"tile_rows\": 3, \"tile_cols\": 4"),
       "rows and columns exchanged: %s", output);
    shell("cp m.json %s && cd m/data/raw/*/ && mv 1_00006_Z001_CH1.tif x && "
          "mv 1_00007_Z001_CH1.tif 1_00006_Z001_CH1.tif && mv x 1_00007_Z001_CH1.tif",
          json);
    ok(tool("stitch m") == 0 && shell("grep -q 'tiles 6, 7: other tissue' out.txt") == 0 &&
           tool("qc m --stage stitch --gate") == 1 &&
           shell("grep -q 'red .*foreign_tiles: 2' out.txt") == 0,
       "tiles exchanged: told by number, and red: %s", output);
}

/* All planes of tile 5, channel 2: `more` ADU of light. */
static bool brighten(int more)
{
    bool good = true;
    for (int z = 1; z <= 5 && good; z++) {
        char path[300];
        struct kin_image image;
        struct kin_error err = {0};
        snprintf(path, sizeof path, "%s/p/data/raw/cyc001_reg001_phantom/1_00005_Z%03d_CH2.tif",
                 dir, z);
        good = kin_tiff_read(path, &image, &err);
        for (size_t i = 0; good && i < kin_count(image.dims); i++)
            kin_u16(&image)[i] = (uint16_t)(kin_u16(&image)[i] + more);
        good = good && kin_tiff_write(path, &image, NULL, &err);
        kin_image_free(&image);
    }
    return good;
}

/* Mean of the middle of tile 5, which no other tile covers, less that of tile 2's. */
static double stands_out(void)
{
    struct kin_image image;
    struct kin_error err = {0};
    double mean[2] = {0};
    if (!kin_tiff_read(in("p/data/processed/stitched/cyc01/CH2/03.tif"), &image, &err))
        return NAN;
    for (int k = 0; k < 2; k++)
        for (int y = 0; y < 30; y++)
            for (int x = 0; x < 40; x++)
                mean[k] += kin_u16(&image)[(size_t)((k ? 40 : 130) + y) * (size_t)image.dims.x +
                                           (size_t)(170 + x)] /
                           1200.0;
    kin_image_free(&image);
    return mean[0] - mean[1];
}

/* Nothing is little, not what is usual: 12 px are searched at least. */
static void test_no_search(void)
{
    ok(tool("phantom n --grid 2x2 --tile 96x1000 --overlap 0.1 --planes 2 --channels 1 --cycles 1 "
            "--difficulty 3 --quiet --no-truth-images") == 0,
       "a phantom of long tiles is made");
    ok(tool("stitch n --cycle 1 --quiet --search 0.001") == 0 &&
           shell("mv n/data/processed/stitched/cyc01/CH1/positions.json near.json") == 0 &&
           tool("stitch n --cycle 1 --quiet --search 0") == 0 &&
           shell("cmp -s near.json n/data/processed/stitched/cyc01/CH1/positions.json") == 0,
       "--search 0 is no more than --search 0.001 %s", output);
}

/* All tiles of channel 2 of a phantom: 8 times as bright, of a camera that ends at 4095 and has a
 * hot pixel. */
static bool take_badly(int tile_h, int tile_w)
{
    bool good = true;
    for (int k = 0; k < 9 * 3 && good; k++) {
        char path[300];
        struct kin_image image;
        struct kin_error err = {0};
        snprintf(path, sizeof path, "%s/c/data/raw/cyc001_reg001_phantom/1_%05d_Z%03d_CH2.tif", dir,
                 k / 3 + 1, k % 3 + 1);
        good = kin_tiff_read(path, &image, &err);
        for (size_t i = 0; good && i < kin_count(image.dims); i++) {
            int hot = i == (size_t)(tile_h / 2 * tile_w + tile_w / 2) ? 2000 : 0;
            kin_u16(&image)[i] = (uint16_t)fmin(8.0 * kin_u16(&image)[i] + hot, 4095);
        }
        good = good && kin_tiff_write(path, &image, NULL, &err);
        kin_image_free(&image);
    }
    return good;
}

static void test_camera(void)
{
    ok(tool("phantom c --grid 3x3 --tile 96x120 --planes 3 --channels 2 --cycles 1 --difficulty 1 "
            "--quiet --no-truth-images") == 0 &&
           take_badly(96, 120) && tool("stitch c --cycle 1 --ignore-dark") == 0 &&
           shell("grep -q 'channel 2: pixels of the camera .* in all tiles: 1;' out.txt") == 0,
       "a hot pixel is found and mended: %s", output);
    ok(tool("qc c --stage stitch") == 0 &&
           shell(
               "grep -q 'at_ceiling: 0' out.txt && grep -q 'channel 2: .* are at 4095' out.txt") ==
               0,
       "that the camera ended is judged and told: %s", output);
}

/* Light that one tile has more than the others: kept, or taken out with its baseline. */
static void test_baseline(void)
{
    double kept[2], level[2];
    bool good = true;
    for (int k = 0; k < 2; k++) {
        good = good && (!k || brighten(300)) && tool("stitch p --cycle 1 --quiet") == 0;
        kept[k] = stands_out();
        good = good && tool("stitch p --cycle 1 --quiet --baseline mean") == 0;
        level[k] = stands_out();
    }
    ok(good, "the stage runs %s", output);
    ok(kept[1] - kept[0] > 240, "300 ADU more in a tile are seen in the mosaic: %.0f",
       kept[1] - kept[0]);
    ok(fabs(level[1] - level[0]) < 30, "and are gone with --baseline mean: %.1f",
       level[1] - level[0]);
    ok(shell("grep -q '^tile,baseline,shift,scale$' "
             "p/data/processed/stitched/cyc01/CH2/baseline.csv && "
             "[ $(wc -l < p/data/processed/stitched/cyc01/CH2/baseline.csv) = 10 ]") == 0,
       "the baselines are saved, one a tile");
    ok(tool("stitch u --quiet --allow-missing --force --solver ladmap --illumination basic "
            "--baseline decay") == 0 &&
           brighten(-300) && tool("stitch p --cycle 1 --quiet --baseline sideways") == 2 &&
           strstr(output, "keep|zero|mean|decay"),
       "LADMAP with decay; no such baseline: %s", output);
}

static void test_refusals(void)
{
    const char *tile = "p/data/raw/cyc001_reg001_phantom/1_00005_Z003_CH1.tif";
    const char *first = "p/data/raw/cyc001_reg001_phantom/1_00001_Z001_CH1.tif";
    shell("cp %s kept.tif && : > %s && touch p/data/processed/stitched/cyc01/.snakemake_complete",
          first, first);
    ok(tool("stitch p --cycle 1 --quiet") == 1 && strstr(output, "1_00001_Z001_CH1.tif") &&
           access(in("p/data/processed/stitched/cyc01/.snakemake_complete"), F_OK),
       "an empty first tile: no sentinel stays: %s", output);
    shell("cp kept.tif %s", first);
    shell("cp %s kept.tif && rm %s", tile, tile);
    ok(tool("stitch p --cycle 1 --quiet") == 1 && strstr(output, "1_00005_Z003_CH1.tif"),
       "missing: %s", output);
    ok(access(in("p/data/processed/stitched/cyc01/.snakemake_complete"), F_OK),
       "without a sentinel");
    ok(tool("stitch p --cycle 1 --quiet --allow-missing") == 0, "it can be left out %s", output);
    ok(shell("grep -q '^5,.*,4$' p/data/processed/stitched/cyc01/CH1/positions.csv") == 0,
       "a plane beside that one, in which it is there, tells by four overlaps where it lies");
    shell("head -c 9000 kept.tif > %s", tile);
    ok(tool("stitch p --cycle 1 --quiet") == 1 && strstr(output, "1_00005_Z003_CH1.tif"),
       "cut off: %s", output);
    shell("cp p/truth/infocus_c01_ch1.tif %s", tile);
    ok(tool("stitch p --cycle 1 --quiet") == 1 && strstr(output, "1_00005_Z003_CH1.tif"),
       "another size: %s", output);
    shell("cp kept.tif %s", tile);
    ok(tool("stitch p --cycle 1 --quiet --overlap 0.1") == 1 && strstr(output, "overlap"),
       "a wrong overlap: %s", output);
    ok(tool("stitch p --cycle 7 --quiet") == 1 && strstr(output, "cycle 7"), "no such cycle: %s",
       output);
    ok(tool("stitch p --channels 1,9") == 1 && strstr(output, "channel 9"), "no such channel: %s",
       output);
    ok(tool("stitch p --placement nowhere") == 2 && strstr(output, "subpixel|whole"),
       "no such placement: %s", output);
    ok(tool("stitch p --sorcery 3") == 2 && strstr(output, "--sorcery"), "no such option: %s",
       output);
    ok(shell("! find p -name '*.part' | grep -q .") == 0, "no temporary file is left");
}

int main(void)
{
    if (!tool_open())
        return printf("1..0 # SKIP KINTSUGI_IMAGE does not name the tool\n") < 0;
    test_run();
    test_positions();
    test_bad_positions();
    test_pixels();
    test_again();
    test_memory();
    test_one_plane();
    test_large_grid();
    test_without_nuclei();
    test_other_inputs();
    test_unconfirmed();
    test_mixed_up();
    test_no_search();
    test_camera();
    test_baseline();
    test_refusals();
    return tool_done();
}
