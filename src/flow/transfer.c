// SPDX-License-Identifier: MIT
/* transfer.c: bytes to and from a storage (see storage.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/http.h"
#include "base/path.h"
#include "flow/storage.h"

static const char stamp_name[] = ".snakemake_timestamp";

static bool failed(struct arena *in, const char **why, const char *what, const char *path)
{
    *why = arena_printf(in, "cannot %s '%s': %s", what, path, strerror(errno));
    return false;
}

/* ---- what is there ---- */

/* As Snakemake's plugin: a link is as old as itself, a directory as the stamp inside. */
static void stat_path(const char *path, struct fs_info *out)
{
    struct arena in = {0};
    *out = fs_info_of(path);
    if (out->mtime >= 0 && out->is_link)
        out->mtime = out->own;
    out->is_link = false;
    if (out->mtime >= 0 && S_ISDIR(out->mode)) {
        struct fs_info info = fs_info_of(path_join(&in, path, stamp_name));
        out->mtime = info.mtime >= 0 ? info.mtime : out->mtime;
        out->error = info.error;
    }
    arena_free(&in);
}

static void stat_url(const char *url, struct fs_info *out)
{
    struct arena in = {0};
    struct http_answer answer;
    const char *why;
    bool answered = http_ask(&in, url, true, &answer, &why);
    *out = (struct fs_info){.mtime = -1, .error = answered && answer.status < 500 ? 0 : EREMOTEIO};
    if (answered && answer.status == 200)
        *out = (struct fs_info){.mtime = answer.mtime_ns,
                                .size = answer.length > 0 ? answer.length : 0,
                                .mode = S_IFREG | 0444};
    buf_free(&answer.body);
    arena_free(&in);
}

void storage_stat(const struct storage_place *place, struct fs_info *out)
{
    if (place->kind == STORAGE_FS)
        stat_path(place->query, out);
    else
        stat_url(place->query, out);
}

/* ---- from the storage ---- */

static bool fetch_file(struct arena *in, const char *query, const char *path, bool link, const char **why)
{
    char *cwd = fs_cwd(in);
    if (link) {
        const char *from = path_relative(in, path_absolute(in, cwd, query),
                                         path_dirname(in, path_absolute(in, cwd, path)));
        return !symlink(from, path) || failed(in, why, "make the link", path);
    }
    char *target = realpath(query, NULL);
    bool good = target && fs_copy(target, path);
    free(target);
    return good || failed(in, why, "copy from the storage", query);
}

static bool fetch_url(struct arena *in, const char *url, const char *path, const char **why)
{
    struct http_answer answer;
    bool good = http_ask(in, url, false, &answer, why);
    if (good && answer.status != 200) {
        *why = arena_printf(in, "the server says %d", answer.status);
        good = false;
    }
    if (!good)
        *why = arena_printf(in, "cannot fetch %s: %s", url, *why);
    else if (!fs_write(path, buf_text(&answer.body), answer.body.len) ||
             (answer.mtime_ns && !fs_touch(path, answer.mtime_ns, false)))
        good = failed(in, why, "write", path);
    buf_free(&answer.body);
    return good;
}

bool storage_fetch(struct arena *in, const struct storage_place *place, const char *path, bool link,
                   const char **why)
{
    struct fs_info here, there;
    stat_path(path, &here);
    storage_stat(place, &there);
    if (here.mtime >= 0 && here.mtime >= there.mtime)
        return true;
    if (there.error) {
        errno = there.error;
        return failed(in, why, "look at", place->query);
    }
    if (there.mtime < 0) {
        *why = arena_printf(in, "'%s' is not in the storage", place->query);
        return false;
    }
    if (!fs_remove_tree(path) || !fs_make_parent(path))
        return failed(in, why, "make room for", path);
    return place->kind == STORAGE_FS ? fetch_file(in, place->query, path, link, why)
                                     : fetch_url(in, place->query, path, why);
}

/* ---- into the storage ---- */

bool storage_store(struct arena *in, const struct storage_place *place, const char *path,
                   const char **why)
{
    if (place->kind != STORAGE_FS) {
        *why = arena_printf(in, "nothing can be stored at %s", place->query);
        return false;
    }
    char *target = realpath(path, NULL);
    bool good = target && fs_make_parent(place->query) && fs_remove_tree(place->query) &&
                fs_copy(target, place->query);
    free(target);
    return good || failed(in, why, "store", place->query);
}

bool storage_remove(struct arena *in, const struct storage_place *place, const char **why)
{
    if (place->kind != STORAGE_FS) {
        *why = arena_printf(in, "nothing can be removed at %s", place->query);
        return false;
    }
    return fs_remove_tree(place->query) || failed(in, why, "remove", place->query);
}
