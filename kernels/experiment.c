// SPDX-License-Identifier: MIT
// experiment.c: meta/experiment.json and meta/CHANNELNAMES.txt.
#include "experiment.h"
#include "json.h"
#include "part.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- experiment.json ------------------------------------------------------------------------- */

/* The first of two keys that is there: KINTSUGI's, then CODEX's. */
static double number_of(const struct js *root, const char *key, const char *codex, double fallback)
{
    const struct js *node = js_get(root, key);
    return js_number(node ? node : codex ? js_get(root, codex) : NULL, fallback);
}

static void read_numbers(const struct js *root, struct experiment *exp)
{
    exp->cycles = (int)number_of(root, "n_cycles", "numCycles", 0);
    exp->channels = (int)number_of(root, "channels_per_cycle", "n_channels",
                                    number_of(root, "numChannels", NULL, 0));
    exp->planes = (int)number_of(root, "n_zplanes", "numZPlanes", 0);
    exp->rows = (int)number_of(root, "tile_rows", "regionHeight", 0);
    exp->cols = (int)number_of(root, "tile_cols", "regionWidth", 0);
    exp->overlap = number_of(root, "tile_overlap", "tileOverlap", 0.3);
    exp->xy_nm = number_of(root, "xy_pixel_size", "xyResolution", 377);
    exp->z_nm = number_of(root, "z_step_size", "zPitch", 1500);
    exp->na = number_of(root, "numerical_aperture", "aperture", 0.75);
    exp->tissue_ri = number_of(root, "tissue_refractive_index", NULL, 1.44);
    exp->immersion_ri = number_of(root, "immersion_ri", NULL, 1.0);
    exp->camera_offset = number_of(root, "camera_offset", NULL, NAN);
    exp->gain = number_of(root, "gain", NULL, NAN);
    exp->reference_cycle = (int)number_of(root, "reference_cycle", NULL, 1);
    exp->nuclear_channel = (int)number_of(root, "reference_channel", NULL, 1);
}

/* The place of a member's text among the words; the first where there is no such member, -1: it is none. */
static int word_of(const struct js *root, const char *key, const char *const *words, int count,
                   const char *path, struct kin_error *err)
{
    const char *word = js_text(js_get(root, key), words[0]);
    for (int i = 0; i < count; i++)
        if (!strcmp(word, words[i]))
            return i;
    char known[100];
    size_t n = 0;
    for (int i = 0; i < count; i++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i ? "|" : "", words[i]);
    kin_fail(err, KIN_INPUT, "%s: \"%s\" is \"%s\": must be one of %s", path, key, word, known);
    return -1;
}

static bool read_scan(const struct js *root, struct experiment *exp, const char *path,
                      struct kin_error *err)
{
    static const char *const ways[] = {"snake", "raster"}, *const axes[] = {"row", "column"},
                             *const starts[] = {"top-left", "top-right", "bottom-left",
                                                "bottom-right"};
    int way = word_of(root, "scan", ways, 2, path, err),
        axis = word_of(root, "scan_axis", axes, 2, path, err),
        start = word_of(root, "scan_start", starts, 4, path, err);
    exp->raster = way == 1;
    exp->column_major = axis == 1;
    exp->start_right = start == 1 || start == 3;
    exp->start_bottom = start >= 2;
    return way >= 0 && axis >= 0 && start >= 0;
}

/* {"1": [358, 461], ...}: excitation and emission of each channel. */
static void read_wavelengths(const struct js *root, struct experiment *exp)
{
    static const double usual[][2] = {{358, 461}, {488, 525}, {560, 575}, {648, 668}};
    const struct js *table = js_get(root, "wavelengths");
    for (int c = 0; c < EXPERIMENT_CHANNELS; c++) {
        char key[12];
        snprintf(key, sizeof key, "%d", c + 1);
        const struct js *pair = js_is_object(table) ? js_get(table, key) : js_at(table, c);
        const double *fallback = usual[c < 4 ? c : 3];
        exp->excitation[c] = js_number(js_at(pair, 0), fallback[0]);
        exp->emission[c] = js_number(js_at(pair, 1), js_number(pair, fallback[1]));
    }
}

/* Counts what experiment.json leaves open. */
static void count_raw(const char *project, struct experiment *exp)
{
    struct raw_cycle raw;
    if (!exp->channels || !exp->planes) {
        if (raw_find(project, 1, &raw, NULL)) {
            exp->channels = exp->channels ? exp->channels : raw.channels;
            exp->planes = exp->planes ? exp->planes : raw.planes;
            raw_free(&raw);
        }
    }
    if (exp->cycles)
        return;
    while (exp->cycles < 999 && raw_find(project, exp->cycles + 1, &raw, NULL)) {
        exp->cycles++;
        raw_free(&raw);
    }
}

static bool check_numbers(const char *path, const struct experiment *exp, struct kin_error *err)
{
    struct {
        const char *key;
        bool good;
    } checks[] = {
        {"tile_rows", exp->rows > 0 && exp->rows < 1000},
        {"tile_cols", exp->cols > 0 && exp->cols < 1000},
        {"tile_overlap", exp->overlap >= 0 && exp->overlap < 0.9},
        {"n_cycles", exp->cycles > 0 && exp->cycles < 1000},
        {"n_zplanes", exp->planes > 0 && exp->planes < 10000},
        {"channels_per_cycle", exp->channels > 0 && exp->channels <= EXPERIMENT_CHANNELS},
        {"xy_pixel_size", exp->xy_nm > 0},
        {"z_step_size", exp->z_nm > 0},
        {"numerical_aperture", exp->na > 0 && exp->na < 2},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i].good)
            return kin_fail(err, KIN_INPUT, "%s: %s is missing or out of range", path,
                            checks[i].key);
    }
    return true;
}

/* ---- CHANNELNAMES.txt ------------------------------------------------------------------------ */

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = 0;
    return text;
}

static void set_marker(struct experiment *exp, int at, const char *name)
{
    if (at >= 0 && at < exp->cycles * exp->channels)
        snprintf(exp->markers[at], sizeof exp->markers[at], "%s", name);
}

/* "2: DAPI, CD31, CD8": the markers of cycle 2. False: the line is not of that form. */
static bool read_cycle_line(struct experiment *exp, char *line)
{
    char *rest, *save = NULL;
    long cycle = strtol(line, &rest, 10);
    if (rest == line || *rest != ':')
        return false;
    int at = ((int)cycle - 1) * exp->channels, count = 0;
    for (char *name = strtok_r(rest + 1, ",", &save); name && count < exp->channels;
         name = strtok_r(NULL, ",", &save))
        set_marker(exp, at + count++, trim(name));
    return true;
}

static void read_marker_lines(struct experiment *exp, FILE *file)
{
    char text[4096];
    for (int at = 0; fgets(text, sizeof text, file);) {
        char *line = trim(text);
        if (!*line || *line == '#')
            continue;
        if (!read_cycle_line(exp, line))
            set_marker(exp, at++, line);
    }
}

static bool read_markers(const char *project, struct experiment *exp, struct kin_error *err)
{
    char path[4200];
    exp->markers = calloc((size_t)exp->cycles * (size_t)exp->channels, sizeof *exp->markers);
    if (!exp->markers)
        return kin_fail(err, KIN_MEMORY, "no memory for the marker names");
    snprintf(path, sizeof path, "%s/meta/CHANNELNAMES.txt", project);
    FILE *file = fopen(path, "r");
    if (!file)
        return errno == ENOENT || kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
    read_marker_lines(exp, file);
    fclose(file);
    return true;
}

/* ---- the public functions -------------------------------------------------------------------- */

bool experiment_read(const char *project, struct experiment *exp, struct kin_error *err)
{
    char path[4200];
    *exp = (struct experiment){0};
    snprintf(path, sizeof path, "%s/meta/experiment.json", project);
    struct js *root = js_read(path, err);
    if (!root)
        return false;
    read_numbers(root, exp);
    bool good = read_scan(root, exp, path, err);
    read_wavelengths(root, exp);
    js_free(root);
    if (!good)
        return false;
    if (!exp->cycles || !exp->channels || !exp->planes)
        count_raw(project, exp);
    return check_numbers(path, exp, err) && read_markers(project, exp, err);
}

void experiment_free(struct experiment *exp)
{
    if (!exp)
        return;
    free(exp->markers);
    *exp = (struct experiment){0};
}

const char *experiment_marker(const struct experiment *exp, int cycle, int channel)
{
    static _Thread_local char name[16];
    if (cycle >= 1 && cycle <= exp->cycles && channel >= 1 && channel <= exp->channels &&
        exp->markers) {
        const char *marker = exp->markers[(cycle - 1) * exp->channels + channel - 1];
        if (*marker)
            return marker;
    }
    snprintf(name, sizeof name, "CH%d", channel);
    return name;
}

static bool is_repeated(const struct experiment *exp, int cycle, int channel)
{
    const char *row = exp->markers ? (const char *)exp->markers[(cycle - 1) * exp->channels] : NULL;
    for (int c = 1; row && c < channel; c++) {
        if (!strcmp(exp->markers[(cycle - 1) * exp->channels + c - 1],
                    exp->markers[(cycle - 1) * exp->channels + channel - 1]))
            return true;
    }
    return false;
}

void experiment_file_name(const struct experiment *exp, int cycle, int channel, char *name,
                          size_t size)
{
    bool known = exp->markers && exp->markers[(cycle - 1) * exp->channels + channel - 1][0];
    if (!known)
        snprintf(name, size, "CH%d_edf", channel);
    else if (is_repeated(exp, cycle, channel))
        snprintf(name, size, "%s_CH%d", experiment_marker(exp, cycle, channel), channel);
    else
        snprintf(name, size, "%s", experiment_marker(exp, cycle, channel));
    for (char *c = name; *c; c++) {
        if (*c == '/' || *c == ' ')
            *c = '_';
    }
}

static struct js *wavelengths_json(const struct experiment *exp)
{
    struct js *table = js_object();
    for (int c = 0; c < exp->channels; c++) {
        char key[12];
        double pair[] = {exp->excitation[c], exp->emission[c]};
        snprintf(key, sizeof key, "%d", c + 1);
        js_set(table, key, js_numbers(pair, 2));
    }
    return table;
}

static void scan_json(struct js *root, const struct experiment *exp)
{
    char start[24];
    snprintf(start, sizeof start, "%s-%s", exp->start_bottom ? "bottom" : "top",
             exp->start_right ? "right" : "left");
    js_set_text(root, "scan", exp->raster ? "raster" : "snake");
    js_set_text(root, "scan_axis", exp->column_major ? "column" : "row");
    js_set_text(root, "scan_start", start);
}

static struct js *experiment_json(const struct experiment *exp)
{
    struct js *root = js_object();
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"n_cycles", exp->cycles},
        {"n_zplanes", exp->planes},
        {"channels_per_cycle", exp->channels},
        {"tile_rows", exp->rows},
        {"tile_cols", exp->cols},
        {"tile_overlap", exp->overlap},
        {"xy_pixel_size", exp->xy_nm},
        {"z_step_size", exp->z_nm},
        {"numerical_aperture", exp->na},
        {"tissue_refractive_index", exp->tissue_ri},
        {"immersion_ri", exp->immersion_ri},
        {"camera_offset", exp->camera_offset},
        {"gain", exp->gain},
        {"reference_cycle", exp->reference_cycle},
        {"reference_channel", exp->nuclear_channel},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!isnan(numbers[i].value))
            js_set_number(root, numbers[i].key, numbers[i].value);
    }
    scan_json(root, exp);
    js_set(root, "wavelengths", wavelengths_json(exp));
    return root;
}

static bool write_markers(const char *path, const struct experiment *exp, struct kin_error *err)
{
    struct kin_part part;
    if (!kin_part_open(&part, path, err))
        return false;
    for (int i = 0; i < exp->cycles * exp->channels; i++)
        fprintf(part.file, "%s\n",
                experiment_marker(exp, i / exp->channels + 1, i % exp->channels + 1));
    return kin_part_close(&part, true, err);
}

bool experiment_write(const char *project, const struct experiment *exp, struct kin_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/meta/experiment.json", project);
    struct js *root = experiment_json(exp);
    bool ok = js_write(root, path, err);
    js_free(root);
    snprintf(path, sizeof path, "%s/meta/CHANNELNAMES.txt", project);
    return ok && write_markers(path, exp, err);
}
