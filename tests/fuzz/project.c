// SPDX-License-Identifier: MIT
/* project.c: any bytes as one of the text files of an imaging project, which the first byte
 * selects: refused with a sentence that names the file, or read as something that makes sense. */
#include "folder.h"
#include "image/experiment.h"
#include "image/ometiff.h"
#include "isolate/exposures.h"
#include "regist/transforms.h"
#include "stitch/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_experiment(void)
{
    struct experiment exp;
    struct kin_error err = {0};
    if (!experiment_read(dir, &exp, &err)) {
        require(err.code != KIN_OK && strstr(err.text, "/meta/"));
        return;
    }
    require(exp.cycles > 0 && exp.channels > 0 && exp.planes > 0 && exp.rows > 0 && exp.cols > 0 &&
            exp.xy_nm > 0 && exp.nuclear_channel <= exp.channels &&
            exp.reference_cycle <= exp.cycles);
    for (int c = 1; c <= exp.channels; c++) {
        char name[256], other[256];
        require(exp.emission[c - 1] >= 100);
        experiment_file_name(&exp, 1, c, name, sizeof name);
        require(name[0] && !strchr(name, '/'));
        for (int k = 1; k < c; k++) {
            experiment_file_name(&exp, 1, k, other, sizeof other);
            require(strcmp(name, other));
        }
    }
    experiment_free(&exp);
}

static void check_markers(const void *bytes, size_t len)
{
    static const char json[] =
        "{\"tile_rows\": 1, \"tile_cols\": 1, \"n_cycles\": 2, \"channels_per_cycle\": 4, "
        "\"n_zplanes\": 5}";
    put("meta/experiment.json", json, sizeof json - 1);
    put("meta/CHANNELNAMES.txt", bytes, len);
    check_experiment();
    unlink(path_of("meta/CHANNELNAMES.txt"));
}

static void check_positions(const char *file)
{
    struct stitch_params params = {.scan = {2, 2}, .tile_h = 100, .tile_w = 90, .overlap = 0.3};
    struct stitch_model model;
    struct kin_error err = {0};
    bool good = stitch_read_csv(file, &params, &model, &err);
    require(good || strstr(err.text, "positions.csv"));
    require(!good || (model.canvas_h >= 100 && model.canvas_h <= 1000 && model.canvas_w >= 90 &&
                      model.canvas_w <= 1000));
    if (good)
        stitch_model_free(&model);
}

static void check_exposures(const char *file)
{
    struct exposures times;
    struct kin_error err = {0};
    bool good = exposures_read(file, 2, 3, &times, &err);
    require(good || strstr(err.text, "times.csv"));
    for (int i = 0; good && i < 6; i++)
        require(exposures_ms(&times, i / 3 + 1, i % 3 + 1) > 0);
    if (good)
        exposures_free(&times);
}

static void check_transforms(const char *file)
{
    struct transforms t;
    struct kin_error err = {0};
    bool good = transforms_read(file, &t, &err);
    require(good || strstr(err.text, "transforms.json"));
    for (int i = 0; good && i < t.count; i++)
        require(isfinite(t.result[i].map.t[0]) && (!t.result[i].field || t.result[i].map.grid.u));
    if (good)
        transforms_free(&t);
}

/* Behind a character of well-formed UTF-8, in its shortest form, that XML has and that controls
 * nothing. */
static const char *behind(const char *at)
{
    static const unsigned least[] = {' ', 0xa0, 0x800, 0x10000};
    unsigned c = (unsigned char)*at++;
    int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    require(c < 0x7f || (more && c < 0xf8));
    c &= more ? 0x3fu >> more : 0x7f;
    for (int i = 0; i < more; i++) {
        require(((unsigned char)*at & 0xc0) == 0x80);
        c = c << 6 | ((unsigned char)*at++ & 0x3f);
    }
    require(c >= least[more] && c <= 0x10ffff && c != 0xfffe && c != 0xffff &&
            (c < 0xd800 || c > 0xdfff));
    return at;
}

static bool is_entity(const char *name)
{
    static const char *const names[] = {"amp;", "lt;", "gt;", "quot;", "apos;"};
    bool found = false;
    for (int i = 0; i < 5; i++)
        found = found || !strncmp(name, names[i], strlen(names[i]));
    return found;
}

/* A marker's name in OME-XML: quotes in pairs, and no reference by number. */
static void check_ome(const void *bytes, size_t len)
{
    char name[4097] = "";
    memcpy(name, bytes, len < sizeof name ? len : sizeof name - 1);
    struct ometiff_channel channels[] = {{name, "a.tif", 461}, {"b", "b.tif", 0}};
    char *text = ometiff_xml(name, channels, 2, (struct kin_dims){1, 30, 40}, 377);
    int quotes = 0, open = 0;
    require(text != NULL);
    for (const char *at = text; *at; at = behind(at)) {
        quotes += *at == '"';
        open += (*at == '<') - (*at == '>');
        require((open == 0 || open == 1) && (*at != '&' || is_entity(at + 1)));
    }
    require(quotes % 2 == 0 && open == 0 && !strcmp(text + strlen(text) - 6, "</OME>"));
    free(text);
}

/* Names of tiles, one a line. */
static void check_tiles(const uint8_t *bytes, size_t len)
{
    char names[4097], command[100], file[4300], *save = NULL;
    struct raw_cycle raw;
    struct kin_error err = {0};
    snprintf(command, sizeof command, "rm -rf %s/raw && mkdir %s/raw", dir, dir);
    len = len < sizeof names ? len : sizeof names - 1;
    memcpy(names, bytes, len);
    names[len] = 0;
    require(!system(command));
    int made = 0;
    for (char *name = strtok_r(names, "\n", &save); name; name = strtok_r(NULL, "\n", &save)) {
        snprintf(file, sizeof file, "%s/raw/%s", dir, name);
        FILE *tile = strchr(name, '/') ? NULL : fopen(file, "w");
        made += tile != NULL;
        if (tile)
            fclose(tile);
    }
    bool good = raw_open(path_of("raw"), &raw, &err);
    require(good || strstr(err.text, "/raw"));
    size_t all = good ? (size_t)raw.tiles * (size_t)raw.planes * (size_t)raw.channels : 0,
           there = 0;
    for (size_t i = 0; i < all && all <= 1 << 20; i++) {
        int channel = (int)(i % (size_t)raw.channels), rest = (int)(i / (size_t)raw.channels);
        if (raw_path(&raw, rest / raw.planes, rest % raw.planes + 1, channel + 1, file,
                     sizeof file)) {
            require(!access(file, F_OK));
            there++;
        }
    }
    require(there <= (size_t)made && (there || !good || all > 1 << 20));
    if (good)
        raw_free(&raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const char *const folders[] = {"meta"};
    if (strstr(dir, "XXXXXX"))
        make_folder(folders, 1);
    if (!len)
        return 0;
    const uint8_t *text = bytes + 1;
    switch (bytes[0]) {
    case 'e':
        put("meta/experiment.json", text, len - 1);
        check_experiment();
        break;
    case 'm': check_markers(text, len - 1); break;
    case 'p': check_positions(put("positions.csv", text, len - 1)); break;
    case 'x': check_exposures(put("times.csv", text, len - 1)); break;
    case 't': check_transforms(put("transforms.json", text, len - 1)); break;
    case 'r': check_tiles(text, len - 1); break;
    case 'o': check_ome(text, len - 1); break;
    }
    return 0;
}
