// SPDX-License-Identifier: MIT
// experiment.c: meta/experiment.json and meta/CHANNELNAMES.txt.
#include "image/experiment.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/part.h"
#include "core/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- experiment.json ------------------------------------------------------------------------- */

/* What experiment.json may say in one number. */
struct number {
    const char *key, *codex, *codex_too; /* KINTSUGI's, then CODEX's; NULL: none */
    size_t at;                           /* in struct experiment: an int if whole, else a double */
    bool whole;
    double fallback; /* of what is not stated; NAN with whole: it must be */
    double low, high;
    const char *unit;
    unsigned assumed; /* its bit of experiment.assumed; 0: none */
};

#define WHOLE(field) offsetof(struct experiment, field), true
#define REAL(field)  offsetof(struct experiment, field), false
static const struct number numbers[] = {
    {"n_cycles", "numCycles", NULL, WHOLE(cycles), 0, 1, EXPERIMENT_CYCLES, ""},
    {"channels_per_cycle", "n_channels", "numChannels", WHOLE(channels), 0, 1, EXPERIMENT_CHANNELS,
     ""},
    {"n_zplanes", "numZPlanes", NULL, WHOLE(planes), 0, 1, 9999, ""},
    {"tile_rows", "regionHeight", NULL, WHOLE(rows), NAN, 1, 999, ""},
    {"tile_cols", "regionWidth", NULL, WHOLE(cols), NAN, 1, 999, ""},
    {"tile_overlap", "tileOverlap", "tileOverlapX", REAL(overlap), 0.3, 0, 0.9,
     " (a fraction of a tile)"},
    {"xy_pixel_size", "xyResolution", NULL, REAL(xy_nm), 377, 1, 1e6, " (nm)", EXPERIMENT_XY},
    {"z_step_size", "zPitch", NULL, REAL(z_nm), 1500, 1, 1e6, " (nm)", EXPERIMENT_Z},
    {"numerical_aperture", "aperture", NULL, REAL(na), 0.75, 0.01, 2, "", EXPERIMENT_NA},
    {"tissue_refractive_index", NULL, NULL, REAL(tissue_ri), 1.44, 0.9, 3, ""},
    {"immersion_ri", NULL, NULL, REAL(immersion_ri), 1.0, 0.9, 3, ""},
    {"camera_offset", NULL, NULL, REAL(camera_offset), NAN, 0, 65535, " (ADU)"},
    {"gain", NULL, NULL, REAL(gain), NAN, 1e-6, 1e6, " (ADU for a photo-electron)"},
    {"reference_cycle", "referenceCycle", NULL, WHOLE(reference_cycle), 1, 1, EXPERIMENT_CYCLES,
     ""},
    {"reference_channel", "referenceChannel", NULL, WHOLE(nuclear_channel), 1, 1,
     EXPERIMENT_CHANNELS, ""},
};

/* The first of a number's keys under which something is stated; NULL: nowhere. */
static const struct js *stated(const struct js *root, const struct number *n, const char **key)
{
    const char *keys[] = {n->key, n->codex, n->codex_too};
    for (int i = 0; i < 3; i++) {
        const struct js *node = keys[i] ? js_get(root, keys[i]) : NULL;
        *key = keys[i];
        if (node && !js_is_null(node))
            return node;
    }
    *key = n->key;
    return NULL;
}

static void put_number(struct experiment *exp, const struct number *n, double value)
{
    void *to = (char *)exp + n->at;
    if (n->whole)
        *(int *)to = (int)value;
    else
        *(double *)to = value;
}

static bool read_number(const struct js *root, const struct number *n, struct experiment *exp,
                        const char *path, struct kin_error *err)
{
    char brief[60];
    const char *key;
    const struct js *node = stated(root, n, &key);
    if (!node && n->whole && isnan(n->fallback))
        return kin_fail(err, KIN_INPUT, "%s: \"%s\" is missing", path, key);
    double value = js_number(node, NAN);
    if (node && (!(value >= n->low && value <= n->high) || (n->whole && value != floor(value))))
        return kin_fail(err, KIN_INPUT, "%s: \"%s\" is %s: must be a %s between %g and %g%s", path,
                        key, js_brief(node, brief, sizeof brief),
                        n->whole ? "whole number" : "number", n->low, n->high, n->unit);
    put_number(exp, n, node ? value : n->fallback);
    exp->assumed |= node ? 0 : n->assumed;
    return true;
}

/* CODEX states an overlap for each direction; here both share one. */
static bool check_overlaps(const struct js *root, const char *path, struct kin_error *err)
{
    double x = js_number(js_get(root, "tileOverlapX"), NAN),
           y = js_number(js_get(root, "tileOverlapY"), NAN);
    bool differ = x < y || x > y; /* not where one is missing */
    bool one = !isnan(js_number(js_get(root, "tile_overlap"), NAN)) ||
               !isnan(js_number(js_get(root, "tileOverlap"), NAN));
    if (!differ || one)
        return true;
    return kin_fail(err, KIN_INPUT,
                    "%s: \"tileOverlapX\" is %g and \"tileOverlapY\" %g: one overlap for both "
                    "directions is supported (\"tile_overlap\" states it)",
                    path, x, y);
}

static bool read_numbers(const struct js *root, struct experiment *exp, const char *path,
                         struct kin_error *err)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!read_number(root, &numbers[i], exp, path, err))
            return false;
    return check_overlaps(root, path, err);
}

/* The place of a member's text among the words; the first where there is no such member, -1: it is
 * none. */
static int word_of(const struct js *root, const char *key, const char *const *words, int count,
                   const char *path, struct kin_error *err)
{
    const struct js *node = js_get(root, key);
    const char *word = js_text(node, node && !js_is_null(node) ? "" : words[0]);
    for (int i = 0; i < count; i++)
        if (!strcmp(word, words[i]))
            return i;
    char known[100], brief[60];
    size_t n = 0;
    for (int i = 0; i < count; i++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i ? "|" : "", words[i]);
    kin_fail(err, KIN_INPUT, "%s: \"%s\" is %s: must be one of %s", path, key,
             js_brief(node, brief, sizeof brief), known);
    return -1;
}

const char *const scan_ways[] = {"snake", "raster"}, *const scan_axes[] = {"row", "column"},
                  *const scan_starts[] = {"top-left", "top-right", "bottom-left", "bottom-right"};

static bool read_scan(const struct js *root, struct experiment *exp, const char *path,
                      struct kin_error *err)
{
    int way = word_of(root, "scan", scan_ways, 2, path, err),
        axis = word_of(root, "scan_axis", scan_axes, 2, path, err),
        start = word_of(root, "scan_start", scan_starts, 4, path, err);
    exp->raster = way == 1;
    exp->column_major = axis == 1;
    exp->start_right = start == 1 || start == 3;
    exp->start_bottom = start >= 2;
    return way >= 0 && axis >= 0 && start >= 0;
}

/* A wavelength, or what is stated nowhere: the fallback. */
static bool read_nm(const struct js *node, double fallback, double *nm, const char *path,
                    struct kin_error *err)
{
    char brief[60];
    bool given = node && !js_is_null(node);
    *nm = given ? js_number(node, NAN) : fallback;
    return (*nm >= 100 && *nm <= 5000) ||
           kin_fail(err, KIN_INPUT,
                    "%s: \"wavelengths\": %s is not a wavelength between 100 and 5000 nm", path,
                    js_brief(node, brief, sizeof brief));
}

/* Every key of a table is a channel's number. */
static bool check_keys(const struct js *table, const char *path, struct kin_error *err)
{
    for (int i = 0; js_is_object(table) && i < js_count(table); i++) {
        const char *key = js_key(table, i);
        char *end;
        long channel = strtol(key, &end, 10);
        if (*end || channel < 1 || channel > EXPERIMENT_CHANNELS)
            return kin_fail(err, KIN_INPUT,
                            "%s: \"wavelengths\": \"%s\" is not the number of a channel, as in "
                            "{\"1\": [358, 461]}",
                            path, key);
    }
    return true;
}

const double *experiment_usual_nm(int channel)
{
    static const double usual[][2] = {{358, 461}, {488, 525}, {560, 575}, {648, 668}};
    return usual[channel < 4 ? channel - 1 : 3];
}

/* {"1": [358, 461], ...}: excitation and emission of each channel; or an array of these. */
static bool read_wavelengths(const struct js *root, struct experiment *exp, const char *path,
                             struct kin_error *err)
{
    const struct js *table = js_get(root, "wavelengths");
    char brief[60];
    if (table && !js_is_null(table) && !js_is_object(table) && !js_is_array(table))
        return kin_fail(err, KIN_INPUT,
                        "%s: \"wavelengths\" is %s: must be as in {\"1\": [358, 461]}", path,
                        js_brief(table, brief, sizeof brief));
    bool good = check_keys(table, path, err);
    for (int c = 0; good && c < EXPERIMENT_CHANNELS; c++) {
        char key[12];
        snprintf(key, sizeof key, "%d", c + 1);
        const struct js *pair = js_is_object(table) ? js_get(table, key) : js_at(table, c);
        const struct js *emission = js_is_array(pair) ? js_at(pair, 1) : pair;
        const double *fallback = experiment_usual_nm(c + 1);
        good = read_nm(js_at(pair, 0), fallback[0], &exp->excitation[c], path, err) &&
               read_nm(emission, fallback[1], &exp->emission[c], path, err);
        if (!emission || js_is_null(emission))
            exp->assumed |= EXPERIMENT_WAVE << c;
    }
    return good;
}

/* Counts what experiment.json leaves open. False: a folder below the last cycle's is missing or
 * cannot be read: a cycle would be left out without a word. */
static bool count_raw(const char *project, struct experiment *exp, struct kin_error *err)
{
    struct raw_cycle raw;
    int last = exp->cycles ? 1 : raw_last(project);
    for (int cycle = 1; cycle <= last; cycle++) {
        struct kin_error why = {0};
        if (!raw_find(project, cycle, &raw, &why))
            return exp->cycles || kin_fail(err, why.code,
                                           "%s (without n_cycles in meta/experiment.json, the "
                                           "folders of cycles are counted)",
                                           why.text);
        if (cycle == 1) {
            exp->channels = exp->channels ? exp->channels : raw.channels;
            exp->planes = exp->planes ? exp->planes : raw.planes;
        }
        raw_free(&raw);
    }
    exp->cycles = exp->cycles ? exp->cycles : last;
    return true;
}

/* What must be known, and what depends on each other. */
static bool check_numbers(const char *path, const struct experiment *exp, struct kin_error *err)
{
    const struct {
        const char *key;
        int count;
    } counted[] = {{"n_cycles", exp->cycles},
                   {"channels_per_cycle", exp->channels},
                   {"n_zplanes", exp->planes}};
    for (int i = 0; i < 3; i++)
        if (!counted[i].count)
            return kin_fail(err, KIN_INPUT,
                            "%s: \"%s\" is missing, and data/raw has no cycle 1 to count them in",
                            path, counted[i].key);
    if (exp->channels > EXPERIMENT_CHANNELS)
        return kin_fail(err, KIN_INPUT, "%s: %d channels; at most %d are supported", path,
                        exp->channels, EXPERIMENT_CHANNELS);
    if (exp->reference_cycle > exp->cycles)
        return kin_fail(err, KIN_INPUT, "%s: \"reference_cycle\" is %d, of %d cycles", path,
                        exp->reference_cycle, exp->cycles);
    return exp->nuclear_channel <= exp->channels ||
           kin_fail(err, KIN_INPUT, "%s: \"reference_channel\" is %d, of %d channels", path,
                    exp->nuclear_channel, exp->channels);
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

/* Why a name cannot be that of a marker: it stands in file names, in JSON and in XML. NULL: it
 * can. */
static const char *marker_problem(const char *name)
{
    for (const char *c = name; *c; c++)
        if (iscntrl((unsigned char)*c))
            return "has a control character";
    if (!js_can_hold(name))
        return "is not UTF-8 (save the file as UTF-8)";
    return strlen(name) < sizeof *((struct experiment *)0)->markers ? NULL
                                                                    : "is longer than 63 bytes";
}

/* The marker at that place, which may lie beyond those of the experiment; where: file and line. */
static bool set_marker(struct experiment *exp, long at, const char *name, const char *where,
                       struct kin_error *err)
{
    const char *problem = marker_problem(name);
    if (problem)
        return kin_fail(err, KIN_INPUT, "%s: the marker's name %s", where, problem);
    if (at >= 0 && at < (long)exp->cycles * exp->channels)
        snprintf(exp->markers[at], sizeof exp->markers[at], "%s", name);
    return true;
}

/* "2: DAPI, CD31, CD8": the names of cycle 2, and which one it is; NULL: the line is not of that
 * form. */
static char *cycle_names(char *line, long *cycle)
{
    char *rest;
    *cycle = strtol(line, &rest, 10);
    return rest == line || *rest != ':' ? NULL : rest + 1;
}

static bool set_cycle(struct experiment *exp, long cycle, char *names, const char *where,
                      struct kin_error *err)
{
    char *save = NULL;
    long at = cycle >= 1 && cycle <= exp->cycles ? (cycle - 1) * exp->channels : -exp->channels;
    int count = 0;
    for (char *name = strtok_r(names, ",", &save); name && count < exp->channels;
         name = strtok_r(NULL, ",", &save))
        if (!set_marker(exp, at + count++, trim(name), where, err))
            return false;
    return true;
}

static bool read_marker_lines(struct experiment *exp, FILE *file, const char *path,
                              struct kin_error *err)
{
    char text[4096], where[4220];
    bool good = true;
    long at = 0, cycle;
    for (int number = 1; good && fgets(text, sizeof text, file); number++) {
        char *line = trim(text), *names = cycle_names(line, &cycle);
        snprintf(where, sizeof where, "%s:%d", path, number);
        if (!*line || *line == '#')
            continue;
        good = names ? set_cycle(exp, cycle, names, where, err)
                     : set_marker(exp, at++, line, where, err);
    }
    exp->names = (int)at;
    return good;
}

static bool read_markers(const char *project, struct experiment *exp, struct kin_error *err)
{
    char path[4200];
    exp->markers = calloc((size_t)exp->cycles * (size_t)exp->channels, sizeof *exp->markers);
    if (!exp->markers)
        return kin_fail(err, KIN_MEMORY, "no memory for the marker names");
    snprintf(path, sizeof path, "%s/meta/CHANNELNAMES.txt", project);
    FILE *file = text_open(path);
    if (!file)
        return errno == ENOENT || kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
    bool good = read_marker_lines(exp, file, path, err);
    fclose(file);
    return good;
}

/* ---- the public functions -------------------------------------------------------------------- */

double experiment_pixel(const struct experiment *exp)
{
    return exp->assumed & EXPERIMENT_XY ? 0 : exp->xy_nm;
}

double experiment_emission(const struct experiment *exp, int channel)
{
    return exp->assumed & (unsigned)EXPERIMENT_WAVE << (channel - 1) ? 0
                                                                     : exp->emission[channel - 1];
}

void experiment_free(struct experiment *exp)
{
    if (!exp)
        return;
    free(exp->markers);
    *exp = (struct experiment){0};
}

bool experiment_read(const char *project, struct experiment *exp, struct kin_error *err)
{
    char path[4200];
    *exp = (struct experiment){0};
    snprintf(path, sizeof path, "%s/meta/experiment.json", project);
    if (access(path, F_OK) && (errno == ENOENT || errno == ENOTDIR))
        return kin_fail(err, KIN_IO, "%s: %s: is %s the folder of a project?", path,
                        strerror(errno), project);
    struct js *root = js_read(path, err);
    if (!root)
        return false;
    bool good = js_is_object(root) ||
                kin_fail(err, KIN_INPUT, "%s: must be one object, {\"tile_rows\": 9, ...}", path);
    good = good && read_numbers(root, exp, path, err) && read_scan(root, exp, path, err) &&
           read_wavelengths(root, exp, path, err);
    js_free(root);
    if (!good)
        return false;
    good = (exp->cycles && exp->channels && exp->planes) || count_raw(project, exp, err);
    good = good && check_numbers(path, exp, err) && read_markers(project, exp, err);
    /* Of the channels that are there alone. */
    exp->assumed &= ((unsigned)EXPERIMENT_WAVE << exp->channels) - 1;
    if (!good)
        experiment_free(exp);
    return good;
}

void experiment_registered(const char *project, struct experiment *exp)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/data/processed/registered/transforms.json", project);
    struct js *root = js_read(path, NULL);
    int reference = js_int(js_get(root, "reference_cycle"), 0);
    if (reference >= 1 && reference <= exp->cycles)
        exp->reference_cycle = reference;
    js_free(root);
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

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

void experiment_extent(const struct experiment *exp, char *to, size_t size)
{
    snprintf(to, size, "%d cycle%s, %d channel%s, %d plane%s, %d x %d tile%s", exp->cycles,
             plural(exp->cycles), exp->channels, plural(exp->channels), exp->planes,
             plural(exp->planes), exp->rows, exp->cols, plural(exp->rows * exp->cols));
}

bool experiment_names_blank(const char *marker)
{
    return !strncasecmp(marker, "blank", 5);
}

/* The marker's name with what file names do not like replaced. */
static void plain_name(const struct experiment *exp, int cycle, int channel, char *name,
                       size_t size)
{
    const char *marker = exp->markers ? exp->markers[(cycle - 1) * exp->channels + channel - 1]
                                      : "";
    if (*marker)
        snprintf(name, size, "%s", marker);
    else
        snprintf(name, size, "CH%d_edf", channel);
    for (char *c = name; *c; c++) {
        if (*c == '/' || *c == ' ')
            *c = '_';
    }
}

enum { FILE_NAME = 256 };

/* Whether one of these names, or a map that is written beside its image, has that name. */
static bool is_taken(char (*names)[FILE_NAME], int count, const char *name)
{
    static const char *const beside[] = {"", "zmap_", "confidence_"};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            size_t n = strlen(beside[k]);
            if ((!strncmp(name, beside[k], n) && !strcmp(name + n, names[i])) ||
                (!strncmp(names[i], beside[k], n) && !strcmp(names[i] + n, name)))
                return true;
        }
    return false;
}

void experiment_file_name(const struct experiment *exp, int cycle, int channel, char *name,
                          size_t size)
{
    char names[EXPERIMENT_CHANNELS][FILE_NAME];
    for (int c = 1; c <= channel; c++) {
        char *own = names[c - 1];
        plain_name(exp, cycle, c, own, FILE_NAME);
        while (is_taken(names, c - 1, own)) {
            size_t n = strlen(own);
            snprintf(own + n, FILE_NAME - n, "_CH%d", c);
        }
    }
    snprintf(name, size, "%s", names[channel - 1]);
}

uint64_t experiment_names_hash(const struct experiment *exp, int first, int last)
{
    char name[FILE_NAME];
    uint64_t hash = KIN_HASH;
    for (int cycle = first; cycle <= last; cycle++)
        for (int c = 1; c <= exp->channels; c++) {
            experiment_file_name(exp, cycle, c, name, sizeof name);
            hash = kin_hash_more(hash, name, strlen(name) + 1);
        }
    return hash;
}

static bool is_kept_together(const struct experiment *exp, int cycle, int channel)
{
    return channel != exp->nuclear_channel || cycle == exp->reference_cycle;
}

/* The file of all of them, which lies there too. */
static const char all_together[] = "isolated.ome";

/* Whether a channel of the first `cycles` cycles that is kept has that name. */
static bool is_used(const struct experiment *exp, int cycles, const char *name)
{
    char other[FILE_NAME];
    bool used = !strcmp(name, all_together);
    for (int i = 0; i < cycles * exp->channels && !used; i++) {
        int cycle = i / exp->channels + 1, c = i % exp->channels + 1;
        experiment_file_name(exp, cycle, c, other, sizeof other);
        used = is_kept_together(exp, cycle, c) && !strcmp(name, other);
    }
    return used;
}

/* What is put behind a name says the cycle, and the channel if that is a marker's name, too: no
 * other channel gets the same. */
bool experiment_name_together(const struct experiment *exp, int cycle, int channel, char *name,
                              size_t size)
{
    char own[FILE_NAME];
    experiment_file_name(exp, cycle, channel, own, sizeof own);
    bool used = is_used(exp, cycle - 1, own);
    for (int times = 0; used; used = is_used(exp, exp->cycles, own), times++) {
        size_t n = strlen(own);
        snprintf(own + n, sizeof own - n, times ? "_CH%d" : "_cyc%02d", times ? channel : cycle);
    }
    snprintf(name, size, "%s", own);
    return is_kept_together(exp, cycle, channel);
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
    js_set_text(root, "scan", scan_ways[exp->raster]);
    js_set_text(root, "scan_axis", scan_axes[exp->column_major]);
    js_set_text(root, "scan_start", scan_starts[2 * exp->start_bottom + exp->start_right]);
}

static struct js *experiment_json(const struct experiment *exp)
{
    struct js *root = js_object();
    const struct {
        const char *key;
        double value;
    } values[] = {
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
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (!isnan(values[i].value))
            js_set_number(root, values[i].key, values[i].value);
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
