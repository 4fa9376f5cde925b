// SPDX-License-Identifier: MIT
// What people write into meta/ and how they name their tiles: understood, or refused by name and
// with a hint.
#include "image/experiment.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static char dir[] = "/tmp/kin-experiment-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

/* ---- experiment.json ------------------------------------------------------------------------- */

static const struct {
    const char *members, *error; /* error NULL: good */
} texts[] = {
    {"\"xy_pixel_size\": 325", NULL},
    {"\"xy_pixel_size\": \"325\"", NULL},
    {"\"xy_pixel_size\": null", NULL},
    {"\"wavelengths\": {\"1\": [358, 461], \"2\": 525}", NULL},
    {"\"wavelengths\": [[358, 461], 525, null]", NULL},
    {"\"xy_pixel_size\": \"325 nm\"",
     "experiment.json: \"xy_pixel_size\" is \"325 nm\": must be a number between 1 and 1e+06 (nm)"},
    {"\"xy_pixel_size\": 0.325", "is 0.325: must be a number between 1 and 1e+06 (nm)"},
    {"\"xyResolution\": [1, 2]", "\"xyResolution\" is [1,2]"},
    {"\"z_step_size\": true", "\"z_step_size\" is true"},
    {"\"z_step_size\": \"nan\"", "\"z_step_size\" is \"nan\""},
    {"\"tileOverlapX\": 0.3, \"tileOverlapY\": 0.1",
     "\"tileOverlapX\" is 0.3 and \"tileOverlapY\" 0.1: one overlap"},
    {"\"tileOverlapX\": 0.3, \"tileOverlapY\": 0.1, \"tile_overlap\": 0.2", NULL},
    {"\"tileOverlapX\": 30", "\"tileOverlapX\" is 30: must be a number between 0 and 0.9"},
    {"\"referenceCycle\": 4", "\"reference_cycle\" is 4, of 2 cycles"},
    {"\"tile_overlap\": 30", "between 0 and 0.9 (a fraction of a tile)"},
    {"\"n_zplanes\": 4.5", "\"n_zplanes\" is 4.5: must be a whole number between 1 and 9999"},
    {"\"n_zplanes\": 1e30", "\"n_zplanes\" is 1e30"},
    {"\"tile_rows\": null", "\"tile_rows\" is missing"},
    {"\"reference_channel\": 3", "\"reference_channel\" is 3, of 2 channels"},
    {"\"reference_cycle\": 4", "\"reference_cycle\" is 4, of 2 cycles"},
    {"\"scan\": 3", "\"scan\" is 3: must be one of snake|raster"},
    {"\"scan\": \"Snake\"", "\"scan\" is \"Snake\""},
    {"\"wavelengths\": {\"ch1\": [358, 461]}", "\"ch1\" is not the number of a channel"},
    {"\"wavelengths\": {\"1\": [358, \"DAPI\"]}", "\"DAPI\" is not a wavelength"},
    {"\"wavelengths\": 461", "\"wavelengths\" is 461"},
};

static void test_numbers(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[400];
        struct kin_error err = {0};
        struct experiment exp;
        bool rows = strstr(texts[i].members, "tile_rows") != NULL;
        snprintf(
            text, sizeof text,
            "\xef\xbb\xbf{%s\"tile_cols\": 2, \"n_cycles\": 2, \"channels_per_cycle\": 2, %s%s}",
            rows ? "" : "\"tile_rows\": 2, ",
            strstr(texts[i].members, "planes") ? "" : "\"n_zplanes\": 5, ", texts[i].members);
        write_file("meta/experiment.json", text);
        bool good = experiment_read(dir, &exp, &err);
        ok(texts[i].error ? !good && strstr(err.text, texts[i].error) : good, "%s: %s",
           texts[i].members, good ? "good" : err.text);
        if (good)
            experiment_free(&exp);
    }
}

/* As the CODEX Processor 1.7 writes it. */
static void test_codex(void)
{
    struct kin_error err = {0};
    struct experiment exp;
    write_file("meta/experiment.json",
               "{\"version\": \"1.7.0.6\", \"objectiveType\": \"air\", \"aperture\": 0.75, "
               "\"xyResolution\": 377.4463383838384, \"zPitch\": 1500.0, \"numRegions\": 1, "
               "\"numCycles\": 9, \"numZPlanes\": 13, \"numChannels\": 4, \"regionWidth\": 7, "
               "\"regionHeight\": 5, \"tileWidth\": 1920, \"tileHeight\": 1440, "
               "\"tileOverlapX\": 0.25, \"tileOverlapY\": 0.25, \"tilingMode\": \"snakerows\", "
               "\"referenceCycle\": 2, \"referenceChannel\": 3}");
    if (!ok(experiment_read(dir, &exp, &err), "CODEX's own experiment.json is read %s", err.text))
        return;
    ok(exp.cycles == 9 && exp.channels == 4 && exp.planes == 13 && exp.rows == 5 && exp.cols == 7,
       "its counts are understood");
    ok(exp.overlap == 0.25 && exp.reference_cycle == 2 && exp.nuclear_channel == 3,
       "so are its overlap (%g) and its reference: cycle %d, channel %d", exp.overlap,
       exp.reference_cycle, exp.nuclear_channel);
    experiment_free(&exp);
}

/* What nobody has stated is computed with, but written into no image. */
static void test_unstated(void)
{
    static const struct {
        const char *members;
        double pixel, emission[2];
        unsigned assumed;
    } cases[] = {
        {"\"n_cycles\": 1", 0, {0, 0}, 31},
        {"\"xy_pixel_size\": null, \"wavelengths\": [[358, null], 530]", 0, {0, 530}, 15},
        {"\"xyResolution\": 325, \"wavelengths\": {\"1\": [358, 470]}, \"aperture\": 0.8, "
         "\"zPitch\": 900",
         325,
         {470, 0},
         16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        struct kin_error err = {0};
        struct experiment exp;
        snprintf(text, sizeof text,
                 "{\"tile_rows\": 2, \"tile_cols\": 2, \"numCycles\": 1, \"n_channels\": 2, "
                 "\"n_zplanes\": 5, %s}",
                 cases[i].members);
        write_file("meta/experiment.json", text);
        if (!ok(experiment_read(dir, &exp, &err), "%s is read %s", cases[i].members, err.text))
            continue;
        ok(experiment_pixel(&exp) == cases[i].pixel &&
               experiment_emission(&exp, 1) == cases[i].emission[0] &&
               experiment_emission(&exp, 2) == cases[i].emission[1] &&
               exp.assumed == cases[i].assumed && exp.xy_nm >= 325 && exp.emission[0] >= 461 &&
               exp.emission[1] >= 525,
           "with %s, %g nm and %g and %g nm are known (not: %x)", cases[i].members,
           experiment_pixel(&exp), experiment_emission(&exp, 1), experiment_emission(&exp, 2),
           exp.assumed);
        experiment_free(&exp);
    }
}

/* ---- CHANNELNAMES.txt ------------------------------------------------------------------------ */

static void test_extent(void)
{
    char text[120];
    const struct experiment exp = {.cycles = 1, .channels = 2, .planes = 1, .rows = 1, .cols = 1},
                            other = {.cycles = 3, .channels = 1, .planes = 9, .rows = 1, .cols = 4};
    experiment_extent(&exp, text, sizeof text);
    is(text, "1 cycle, 2 channels, 1 plane, 1 x 1 tile", "what there is one of");
    experiment_extent(&other, text, sizeof text);
    is(text, "3 cycles, 1 channel, 9 planes, 1 x 4 tiles", "and what there are several of");
}

static bool read_names(const char *names, struct experiment *exp, struct kin_error *err)
{
    write_file("meta/experiment.json", "{\"tile_rows\": 1, \"tile_cols\": 1, \"n_cycles\": 2, "
                                       "\"channels_per_cycle\": 4, \"n_zplanes\": 5}");
    write_file("meta/CHANNELNAMES.txt", names);
    *err = (struct kin_error){0};
    return experiment_read(dir, exp, err);
}

static void test_markers(void)
{
    char name[128];
    struct kin_error err;
    struct experiment exp;
    ok(read_names("\xef\xbb\xbf"
                  "DAPI\r\n\n# a note\nCD 3\r\n2: x, y\n99999999999: z\n",
                  &exp, &err),
       "names with a byte-order mark and Windows' line ends (%s)", err.text);
    is(experiment_marker(&exp, 1, 1), "DAPI", "the mark is no part of a name");
    is(experiment_marker(&exp, 1, 2), "CD 3", "nor is the line's end");
    is(experiment_marker(&exp, 2, 2), "y", "a cycle's line");
    experiment_free(&exp);
    static const char *const bad[][2] = {
        {"DAPI\n\xb5m\n", "CHANNELNAMES.txt:2: the marker's name is not UTF-8"},
        {"1: DAPI, a\x01"
         "b\n",
         "CHANNELNAMES.txt:1: the marker's name has a control character"},
        {"a234567890123456789012345678901234567890123456789012345678901234\n",
         "is longer than 63 bytes"},
    };
    for (int i = 0; i < 3; i++)
        ok(!read_names(bad[i][0], &exp, &err) && strstr(err.text, bad[i][1]), "refused: %s",
           err.text);
    static const char *const twins[][5] = {
        {"A/B\nA B\nA_B\n", "A_B", "A_B_CH2", "A_B_CH3", "CH4_edf"},
        {"A\nA\nA_CH2\nA_CH2\n", "A", "A_CH2", "A_CH2_CH3", "A_CH2_CH4"},
        {"zmap_A\nA\nconfidence_B\nB\n", "zmap_A", "A_CH2", "confidence_B", "B_CH4"},
    };
    for (int i = 0; i < 3; i++) {
        ok(read_names(twins[i][0], &exp, &err), "names that would be one file %s", err.text);
        for (int c = 1; c <= 4; c++) {
            experiment_file_name(&exp, 1, c, name, sizeof name);
            is(name, twins[i][c], "a file of its own");
        }
        experiment_free(&exp);
    }
}

/* Where all cycles lie together. */
static void test_together(void)
{
    static const struct {
        const char *names, *of_second[3]; /* of cycle 2, channels 2 to 4 */
    } cases[] = {
        {"1: DAPI, A, B, C\n2: DAPI, A, D, B\n", {"A_cyc02", "D", "B_cyc02"}},
        {"1: DAPI, A, A_cyc02, B\n2: DAPI, A, A_cyc02, C\n", {"A_cyc02_CH2", "A_cyc02_cyc02", "C"}},
        {"1: DAPI, A, B, C\n2: DAPI, A, A_cyc02, isolated.ome\n",
         {"A_cyc02_CH2", "A_cyc02", "isolated.ome_cyc02"}},
    };
    char name[128];
    struct kin_error err;
    struct experiment exp;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ok(read_names(cases[i].names, &exp, &err), "names that others have, too %s", err.text);
        ok(!experiment_name_together(&exp, 2, 1, name, sizeof name), "one nuclear stain is kept");
        for (int c = 2; c <= 4; c++) {
            experiment_name_together(&exp, 2, c, name, sizeof name);
            is(name, cases[i].of_second[c - 2], "a file of its own among all cycles");
        }
        experiment_free(&exp);
    }
}

/* ---- names of raw tiles ---------------------------------------------------------------------- */

static bool open_raw(const char *names, struct raw_cycle *raw, struct kin_error *err)
{
    char command[900];
    snprintf(command, sizeof command, "rm -rf %s/raw && mkdir %s/raw && cd %s/raw && touch %s", dir,
             dir, dir, names);
    *err = (struct kin_error){0};
    return !system(command) && raw_open(strcat(strcpy(command, dir), "/raw"), raw, err);
}

static void test_raw(void)
{
    static const char *const sets[][3] = {
        /* names, and how tile 1 and tile 10 at plane 2, channel 1 are called */
        {"1_00001_Z002_CH1.tif 1_00010_Z002_CH1.tif", "1_00001_Z002_CH1.tif",
         "1_00010_Z002_CH1.tif"},
        {"1_1_Z2_CH1.tif 1_10_Z2_CH1.tif", "1_1_Z2_CH1.tif", "1_10_Z2_CH1.tif"},
        {"reg_1_1_Z02_CH01.TIFF reg_1_10_Z02_CH01.tiff", "reg_1_1_Z02_CH01.TIFF",
         "reg_1_10_Z02_CH01.tiff"},
        {"1_1_Z2_CH1.ome.tif ._1_1_Z2_CH1.ome.tif 1_10_Z2_CH1.TIF notes.txt", "1_1_Z2_CH1.ome.tif",
         "1_10_Z2_CH1.TIF"},
    };
    char path[4300];
    struct kin_error err;
    struct raw_cycle raw;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        ok(open_raw(sets[i][0], &raw, &err) && raw.tiles == 10 && raw.planes == 2, "%s: %s",
           sets[i][0], err.text);
        for (int k = 0; k < 2; k++)
            ok(raw_path(&raw, k * 9, 2, 1, path, sizeof path) && strstr(path, sets[i][k + 1]), "%s",
               path);
        ok(!raw_path(&raw, 4, 2, 1, path, sizeof path), "there is no %s", path);
        raw_free(&raw);
    }
    ok(!open_raw("1_1_Z2_CH1.tif 1_01_Z2_CH1.tif", &raw, &err) &&
           strstr(err.text, "/raw: 1_01_Z2_CH1.tif and 1_1_Z2_CH1.tif are the same tile"),
       "%s", err.text);
    ok(!open_raw("1_1_Z1_CH1.tif 1_99999_Z9999_CH16.tif", &raw, &err) &&
           strstr(err.text,
                  "by their names 99999 tiles of 9999 planes and 16 channels, but 2 files"),
       "%s", err.text);
    ok(!open_raw("a.tif", &raw, &err) && strstr(err.text, "no tiles named like"), "%s", err.text);
}

int main(void)
{
    char command[100];
    snprintf(command, sizeof command, "mkdir %s/meta", mkdtemp(dir));
    if (!ok(!system(command), "a folder for the test"))
        return done();
    test_numbers();
    test_codex();
    test_unstated();
    test_extent();
    test_markers();
    test_together();
    test_raw();
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return done() + (system(command) != 0);
}
