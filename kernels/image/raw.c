// SPDX-License-Identifier: MIT
// raw.c: the folder of a cycle's raw tiles, found by name and listed once.
//
//     data/raw/cyc001_reg001_230101/1_00017_Z008_CH2.tif
//                                   ^ prefix: the region
//                                     ^^^^^ tile  ^^^ plane  ^ channel, all from 1
//
// Numbers may have any count of digits, and the name may end in any of the suffixes below.
#include "image/experiment.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const char *const suffixes[] = {".ome.tif", ".ome.tiff", ".tif", ".tiff", ".TIF", ".TIFF"};

struct tile_name { /* a file name, taken apart */
    char prefix[64];
    int tile, plane, channel;
    struct raw_file form;
};

/* ---- file names ------------------------------------------------------------------------------ */

/* A number whose digits end before end; moves end to its first digit. Answers the digits, 0:
 * none. */
static int digits_before(const char *text, const char **end, int *value)
{
    const char *at = *end;
    long place = 1, v = 0;
    while (at > text && isdigit((unsigned char)at[-1]) && *end - at < 9) {
        v += (*--at - '0') * place;
        place *= 10;
    }
    int count = (int)(*end - at);
    *value = (int)v;
    *end = at;
    return count;
}

static bool word_before(const char *text, const char **end, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(*end - text) < n || strncmp(*end - n, word, n))
        return false;
    *end -= n;
    return true;
}

/* Which suffix the name has, from 1; moves end before it. 0: none. */
static uint8_t suffix_before(const char *text, const char **end)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (word_before(text, end, suffixes[i]))
            return (uint8_t)(i + 1);
    return 0;
}

static bool split_name(const char *text, struct tile_name *name)
{
    const char *end = text + strlen(text);
    struct raw_file *form = &name->form;
    form->suffix = suffix_before(text, &end);
    if (!form->suffix)
        return false;
    form->channel_digits = (uint8_t)digits_before(text, &end, &name->channel);
    if (!form->channel_digits || !word_before(text, &end, "_CH"))
        return false;
    form->z_digits = (uint8_t)digits_before(text, &end, &name->plane);
    if (!form->z_digits || !word_before(text, &end, "_Z"))
        return false;
    form->tile_digits = (uint8_t)digits_before(text, &end, &name->tile);
    if (!form->tile_digits || !word_before(text, &end, "_") ||
        (size_t)(end - text) >= sizeof name->prefix)
        return false;
    snprintf(name->prefix, sizeof name->prefix, "%.*s", (int)(end - text), text);
    return name->plane >= 1 && name->channel >= 1 && name->plane < 10000 &&
           name->channel <= EXPERIMENT_CHANNELS && name->tile < 100000;
}

/* ---- listing a folder ------------------------------------------------------------------------ */

struct names {
    struct tile_name *at;
    int count, room;
};

static bool add_name(struct names *names, const struct tile_name *name)
{
    if (names->count == names->room) {
        int room = names->room ? names->room * 2 : 256;
        struct tile_name *at = realloc(names->at, (size_t)room * sizeof *at);
        if (!at)
            return false;
        names->at = at;
        names->room = room;
    }
    names->at[names->count++] = *name;
    return true;
}

/* NULL at the end, with errno 0, or where the folder cannot be read on. */
static const struct dirent *next_entry(DIR *d)
{
    errno = 0;
    return readdir(d);
}

static bool list_names(const char *dir, struct names *names, struct kin_error *err)
{
    DIR *d = opendir(dir);
    if (!d)
        return kin_fail(err, KIN_IO, "%s: %s", dir, strerror(errno));
    bool ok = true;
    for (const struct dirent *e; ok && (e = next_entry(d));) {
        struct tile_name name;
        /* "._1_00001_..." are what a Mac leaves on other file systems */
        bool hidden = e->d_name[0] == '.';
        if (!hidden && split_name(e->d_name, &name))
            ok = add_name(names, &name);
    }
    int error = errno;
    closedir(d);
    if (!ok)
        return kin_fail(err, KIN_MEMORY, "%s: no memory for its list of files", dir);
    if (error)
        return kin_fail(err, KIN_IO, "%s: %s", dir, strerror(error));
    if (!names->count)
        return kin_fail(err, KIN_INPUT, "%s: no tiles named like 1_00001_Z001_CH1.tif", dir);
    return true;
}

static void measure(struct raw_cycle *raw, const struct names *names)
{
    const struct tile_name *first = &names->at[0];
    int low = first->tile, high = first->tile;
    snprintf(raw->prefix, sizeof raw->prefix, "%s", first->prefix);
    raw->usual = first->form;
    for (int i = 0; i < names->count; i++) {
        const struct tile_name *n = &names->at[i];
        low = n->tile < low ? n->tile : low;
        high = n->tile > high ? n->tile : high;
        raw->planes = n->plane > raw->planes ? n->plane : raw->planes;
        raw->channels = n->channel > raw->channels ? n->channel : raw->channels;
    }
    raw->tile_first = low == 0 ? 0 : 1;
    raw->tiles = high - raw->tile_first + 1;
}

static size_t place(const struct raw_cycle *raw, int tile, int plane, int channel)
{
    return ((size_t)tile * (size_t)raw->planes + (size_t)plane - 1) * (size_t)raw->channels +
           (size_t)channel - 1;
}

static void put_name(const struct raw_cycle *raw, const struct raw_file *form, int tile, int plane,
                     int channel, char *name, size_t size)
{
    snprintf(name, size, "%s_%0*d_Z%0*d_CH%0*d%s", raw->prefix, form->tile_digits,
             tile + raw->tile_first, form->z_digits, plane, form->channel_digits, channel,
             suffixes[form->suffix - 1]);
}

static bool same_tile(const struct raw_cycle *raw, const struct tile_name *n, struct raw_file other,
                      struct kin_error *err)
{
    char names[2][120];
    put_name(raw, &other, n->tile - raw->tile_first, n->plane, n->channel, names[0],
             sizeof names[0]);
    put_name(raw, &n->form, n->tile - raw->tile_first, n->plane, n->channel, names[1],
             sizeof names[1]);
    bool rising = strcmp(names[0], names[1]) < 0; /* a folder is listed in any order */
    return kin_fail(err, KIN_INPUT, "%.300s: %s and %s are the same tile; one of them has to go",
                    raw->dir, names[!rising], names[rising]);
}

static bool mark_present(struct raw_cycle *raw, const struct names *names, struct kin_error *err)
{
    size_t all = (size_t)raw->tiles * (size_t)raw->planes * (size_t)raw->channels;
    if (all > 1000 * (size_t)names->count + 1000000)
        return kin_fail(err, KIN_INPUT,
                        "%s: by their names %d tiles of %d planes and %d channels, but %d files",
                        raw->dir, raw->tiles, raw->planes, raw->channels, names->count);
    raw->files = calloc(all, sizeof *raw->files);
    if (!raw->files)
        return kin_fail(err, KIN_MEMORY, "%s: no memory for its list of files", raw->dir);
    for (int i = 0; i < names->count; i++) {
        const struct tile_name *n = &names->at[i];
        if (strcmp(n->prefix, raw->prefix))
            return kin_fail(
                err, KIN_INPUT,
                "%s: tiles of more than one region ('%s_...' and '%s_...'); one folder holds one",
                raw->dir, raw->prefix, n->prefix);
        struct raw_file *file =
            &raw->files[place(raw, n->tile - raw->tile_first, n->plane, n->channel)];
        if (file->suffix)
            return same_tile(raw, n, *file, err);
        *file = n->form;
    }
    return true;
}

bool raw_open(const char *dir, struct raw_cycle *raw, struct kin_error *err)
{
    struct names names = {0};
    *raw = (struct raw_cycle){0};
    snprintf(raw->dir, sizeof raw->dir, "%s", dir);
    bool ok = list_names(dir, &names, err);
    if (ok) {
        measure(raw, &names);
        ok = mark_present(raw, &names, err);
    }
    free(names.at);
    if (!ok)
        raw_free(raw);
    return ok;
}

void raw_free(struct raw_cycle *raw)
{
    if (!raw)
        return;
    free(raw->files);
    *raw = (struct raw_cycle){0};
}

bool raw_path(const struct raw_cycle *raw, int tile, int plane, int channel, char *path,
              size_t size)
{
    char name[120];
    bool within = tile >= 0 && tile < raw->tiles && plane >= 1 && plane <= raw->planes &&
                  channel >= 1 && channel <= raw->channels;
    const struct raw_file *file = within ? &raw->files[place(raw, tile, plane, channel)] : NULL;
    bool there = file && file->suffix;
    put_name(raw, there ? file : &raw->usual, tile, plane, channel, name, sizeof name);
    snprintf(path, size, "%s/%s", raw->dir, name);
    return there;
}

/* ---- finding the folder ---------------------------------------------------------------------- */

/* The cycle that a folder is named after, and what follows its number; 0: none. */
static long cycle_of(const char *name, const char **behind)
{
    char *end;
    if (strncasecmp(name, "cyc", 3) || !isdigit((unsigned char)name[3]))
        return 0;
    long number = strtol(name + 3, &end, 10);
    *behind = end;
    return *end && *end != '_' ? 0 : number;
}

/* How well a folder's name fits the cycle: 0 not at all, lower is better. "cyc001_x" before
 * "cyc01_x" before "Cyc01_x", and names with something behind the number before bare ones. */
static int name_rank(const char *name, int cycle)
{
    const char *end = name;
    if (cycle_of(name, &end) != cycle)
        return 0;
    int digits = (int)(end - name) - 3;
    return (*end ? 1 : 20) + (digits == 3 ? 0 : digits == 2 ? 2 : 4) + (name[0] == 'c' ? 0 : 1);
}

struct choice {                 /* among the folders of a cycle */
    char best[256], other[256]; /* names; other: the first of those that were not taken */
    int rank, others;
};

static void choose(struct choice *c, const char *name, int rank)
{
    char loser[256];
    bool better = !c->rank || rank < c->rank || (rank == c->rank && strcmp(name, c->best) < 0);
    snprintf(loser, sizeof loser, "%s", better ? c->best : name);
    if (better) {
        snprintf(c->best, sizeof c->best, "%s", name);
        c->rank = rank;
    }
    if (*loser && (!c->others++ || strcmp(loser, c->other) < 0))
        memcpy(c->other, loser, sizeof loser);
}

static bool is_folder(const char *root, const char *name)
{
    char path[4300];
    struct stat st;
    snprintf(path, sizeof path, "%.4000s/%s", root, name);
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* False with errno: the folder cannot be read to its end. */
static bool best_name(DIR *d, const char *root, int cycle, struct choice *choice)
{
    for (const struct dirent *e; (e = next_entry(d));) {
        int rank = name_rank(e->d_name, cycle);
        if (rank && is_folder(root, e->d_name))
            choose(choice, e->d_name, rank);
    }
    return !errno;
}

int raw_last(const char *project)
{
    char root[4000];
    const char *behind;
    long last = 0;
    snprintf(root, sizeof root, "%s/data/raw", project);
    DIR *d = opendir(root);
    for (const struct dirent *e; d && (e = next_entry(d));) {
        long cycle = cycle_of(e->d_name, &behind);
        if (cycle > last && cycle <= EXPERIMENT_CYCLES && is_folder(root, e->d_name))
            last = cycle;
    }
    if (d)
        closedir(d);
    return (int)last;
}

bool raw_find(const char *project, int cycle, struct raw_cycle *raw, struct kin_error *err)
{
    char root[4000], path[4300];
    struct choice choice = {.rank = 0};
    *raw = (struct raw_cycle){0};
    snprintf(root, sizeof root, "%s/data/raw", project);
    DIR *d = opendir(root);
    if (!d)
        return kin_fail(err, KIN_IO, "%s: %s", root, strerror(errno));
    bool whole = best_name(d, root, cycle, &choice);
    int error = errno;
    closedir(d);
    if (!whole)
        return kin_fail(err, KIN_IO, "%s: %s", root, strerror(error));
    if (!choice.rank)
        return kin_fail(err, KIN_INPUT,
                        "%s: no folder of cycle %d (cyc%03d_reg001_..., cyc%03d, cyc%02d, Cyc%02d)",
                        root, cycle, cycle, cycle, cycle, cycle);
    snprintf(path, sizeof path, "%s/%s", root, choice.best);
    if (!raw_open(path, raw, err))
        return false;
    raw->others = choice.others;
    snprintf(raw->other, sizeof raw->other, "%s", choice.other);
    return true;
}
