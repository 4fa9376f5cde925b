// SPDX-License-Identifier: MIT
#include "cli/project.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/json.h"
#include "base/line.h"
#include "base/path.h"
#include "cli/account_list.h"
#include "cli/workflow_text.h"

/* ---- metadata ---- */

/* A number, also one that is written as text, as kintsugi-image reads it. */
static int64_t number_in(const struct json *top, const char *name)
{
    const struct json *value = json_get(top, name);
    char *end;
    const char *text = json_text(value, "");
    long long n = strtoll(text, &end, 10);
    return *text && !*end ? n : json_int(value, 0);
}

static int64_t number_of(const struct json *top, const char *name, const char *other)
{
    int64_t n = number_in(top, name);
    return n > 0 ? n : number_in(top, other);
}

/* What some editors write at the start of a file, which is no part of JSON. */
static size_t mark_of(const char *text)
{
    return strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3;
}

static bool read_experiment(struct arena *in, struct diags *dx, struct project *out)
{
    const char *path = path_join(in, out->dir, "meta/experiment.json");
    struct json_error error = {0};
    size_t len;
    const char *text = fs_read(in, path, &len);
    size_t mark = text ? mark_of(text) : 0;
    const struct json *top = text ? json_parse(in, text + mark, len - mark, &error) : NULL;
    if (!text) {
        complain(dx, (struct span){0}, "cannot read '%s': %s", path, strerror(errno));
        diag_hint(dx, "it states the grid of tiles, and more: see docs/guide.md");
        return false;
    }
    if (!top)
        return complain(dx, (struct span){0}, "'%s' is not valid JSON: %s at byte %zu", path,
                        error.message, mark + error.at);
    out->cycles = number_of(top, "n_cycles", "numCycles");
    out->channels = number_of(top, "n_channels", "numChannels");
    if (!out->channels)
        out->channels = number_in(top, "channels_per_cycle");
    out->planes = number_of(top, "n_zplanes", "numZPlanes");
    out->rows = number_of(top, "tile_rows", "regionHeight");
    out->columns = number_of(top, "tile_cols", "regionWidth");
    if (out->rows <= 0)
        complain(dx, (struct span){0}, "'%s' does not state tile_rows, a number above 0", path);
    if (out->columns <= 0)
        complain(dx, (struct span){0}, "'%s' does not state tile_cols, a number above 0", path);
    if (out->rows <= 0 || out->columns <= 0)
        diag_hint(dx, "such as {\"n_cycles\": 9, \"n_channels\": 4, \"n_zplanes\": 7, "
                      "\"tile_rows\": 5, \"tile_cols\": 7}");
    return out->rows > 0 && out->columns > 0;
}

/* One name a line, or "cycle: name, name, ..."; "# ..." is a remark. */
static uint32_t count_names(struct arena *in, const char *dir)
{
    const char *text = fs_read(in, path_join(in, dir, "meta/CHANNELNAMES.txt"), NULL);
    uint32_t n = 0;
    struct line line;
    while (line_next(&text, &line)) {
        size_t start = strspn(line.at, " \t0123456789");
        bool many = start < line.len && line.at[start] == ':';
        line_trim(&line);
        if (line.len && line.at[strspn(line.at, " \t")] == '#')
            continue;
        n += line.len > 0;
        for (size_t i = 0; many && i < line.len; i++)
            n += line.at[i] == ',';
    }
    return n;
}

static uint32_t count_folders(struct arena *in, const char *dir)
{
    DIR *raw = opendir(path_join(in, dir, "data/raw"));
    uint32_t n = 0;
    for (const struct dirent *entry; raw && (entry = fs_entry(raw));)
        n += !strncasecmp(entry->d_name, "cyc", 3) && isdigit((unsigned char)entry->d_name[3]);
    if (raw)
        closedir(raw);
    return n;
}

bool project_read(struct arena *in, struct diags *dx, const char *dir, struct project *out)
{
    *out = (struct project){.dir = dir};
    if (!fs_is_dir(dir)) {
        complain(dx, (struct span){0}, "there is no project folder '%s'", dir);
        diag_hint(dx, "a project is a folder with meta/experiment.json: see docs/guide.md");
        return false;
    }
    if (!read_experiment(in, dx, out))
        return false;
    out->names = count_names(in, dir);
    out->folders = count_folders(in, dir);
    if (out->folders && out->folders < out->cycles)
        warn(dx, (struct span){0}, "%s: data/raw has %u of %lld cycles", dir, out->folders,
             (long long)out->cycles);
    if (out->names && out->cycles && out->channels && out->names != out->cycles * out->channels)
        warn(dx, (struct span){0}, "%s: meta/CHANNELNAMES.txt has %u names for %lld images", dir,
             out->names, (long long)(out->cycles * out->channels));
    return true;
}

/* ---- texts ---- */

static const char *text_of(const char *name)
{
    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        if (!strcmp(library[i].name, name))
            return library[i].text;
    return "";
}

static enum account_fate none_is_there(void *user, const char *name)
{
    (void)user, (void)name;
    return ACCOUNT_STAYS;
}

static void put_fact(struct buf *out, const char *name, int64_t n, const char *comment)
{
    if (n > 0)
        buf_printf(out, "%s: %lld%s%s\n", name, (long long)n, *comment ? "   # " : "", comment);
}

void project_config(const struct project *project, const struct accounts *accounts, struct buf *out)
{
    struct arena in = {0};
    struct account_edited edited;
    const char **add = arena_array(&in, const char *, accounts->all.len + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < accounts->all.len; i++)
        if (account_usable(&accounts->all.at[i]))
            add[n++] = account_list_entry(&in, accounts, &accounts->all.at[i]);
    struct account_edit edit = {.judge = none_is_there, .add = add};
    const char *dir = path_absolute(&in, fs_cwd(&in), project->dir);
    buf_printf(
        out,
        "# Settings of the project %s, written by kintsugi-flow config. Calling it again writes "
        "a new one\n# and keeps this one as config.yaml.~1~; with --update-accounts it "
        "changes the accounts only.\n\n",
        path_basename(dir));
    put_fact(out, "n_cycles", project->cycles, "meta/experiment.json");
    put_fact(out, "n_channels", project->channels, "of every cycle");
    put_fact(out, "n_zplanes", project->planes, "of every tile");
    put_fact(out, "tile_rows", project->rows, "of the grid");
    put_fact(out, "tile_cols", project->columns, "");
    buf_char(out, '\n');
    account_list_edit(text_of("workflow/config.yaml"), &edit, out, &edited);
    arena_free(&in);
}

/* Copies a file to a name of its own, numbered as by cp --backup=numbered. */
static bool keep_old(struct diags *dx, struct arena *in, const char *path)
{
    const char *kept;
    int n = 1;
    while (fs_exists(kept = arena_printf(in, "%s.~%d~", path, n)))
        n++;
    if (!fs_copy(path, kept))
        return complain(dx, (struct span){0}, "cannot copy '%s': %s", path, strerror(errno));
    printf("%s has changed; the old one is %s\n", path, path_basename(kept));
    return true;
}

bool project_write_file(struct diags *dx, const char *path, const char *text, size_t len)
{
    struct arena in = {0};
    size_t old_len;
    const char *old = fs_read(&in, path, &old_len);
    bool same = old && old_len == len && !memcmp(old, text, len);
    bool good = same ||
                ((!fs_exists(path) || keep_old(dx, &in, path)) &&
                 ((fs_make_parent(path) && fs_write(path, text, len)) ||
                  complain(dx, (struct span){0}, "cannot write '%s': %s", path, strerror(errno))));
    arena_free(&in);
    return good;
}

/* In a project the rules stand beside the Snakefile. */
static void put_snakefile(const char *text, struct buf *out)
{
    for (const char *found; (found = strstr(text, "\"../rules/")); text = found + 4) {
        buf_add(out, text, (size_t)(found - text) + 1);
    }
    buf_str(out, text);
}

bool project_write_workflow(struct diags *dx, const char *dir)
{
    struct arena in = {0};
    bool good = true;
    for (size_t i = 0; good && i < sizeof library / sizeof *library; i++) {
        struct buf text = {0};
        bool rules = !strncmp(library[i].name, "rules/", 6);
        const char *name = rules ? path_join(&in, "workflow", library[i].name) : library[i].name;
        if (!strcmp(library[i].name, "workflow/config.yaml"))
            continue;
        put_snakefile(library[i].text, &text);
        good = project_write_file(dx, path_join(&in, dir, name), buf_text(&text), text.len);
        buf_free(&text);
    }
    arena_free(&in);
    return good;
}
