// SPDX-License-Identifier: MIT
/* transfer.c: bytes to and from a storage (see storage.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/http.h"
#include "base/path.h"
#include "base/tool.h"
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

/* What servers say, as errors that no file system gives. */
enum { NO_ANSWER = -1, NO_CURL = -2 };
static const struct said {
    int first, last; /* status */
    int error;
    const char *words, *hint;
} said[] = {
    {NO_CURL, NO_CURL, ENOPKG, "this takes the program curl, which is not installed", "install curl"},
    {NO_ANSWER, NO_ANSWER, EHOSTUNREACH, "its server cannot be reached",
     "nobody knows whether it is there; when the network and the server work again, the same command goes on"},
    {300, 399, EREMCHG, "it has moved, and redirects are not allowed",
     "name where it is now, or allow redirects: --storage-http-allow-redirects true, allow_redirects=True"},
    {401, 401, ENOKEY, "the server wants to know who asks",
     "--storage-http-auth HTTPBasicAuth=USER,PASSWORD, or SNAKEMAKE_STORAGE_HTTP_AUTH in the environment; "
     "or the user and password are wrong"},
    {429, 429, EUSERS, "the server says that it is asked too often (429)",
     "--storage-http-max-requests-per-second 5, or max_requests_per_second=5 of the storage provider"},
    {500, 599, EREMOTEIO, "the server has an error",
     "nobody knows whether it is there; when the server works again, the same command goes on"},
};

static int error_of(int status)
{
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (status >= said[i].first && status <= said[i].last)
            return said[i].error;
    return 0;
}

const char *storage_error(int error, const char **hint)
{
    *hint = NULL;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (said[i].error == error) {
            *hint = said[i].hint;
            return said[i].words;
        }
    return strerror(error);
}

static void stat_url(const char *url, const struct http_manners *manners, struct fs_info *out)
{
    struct arena in = {0};
    struct http_answer answer;
    const char *why;
    int status = http_ask(&in, url, true, manners, &answer, &why) ? answer.status : NO_ANSWER;
    if (status == NO_ANSWER && http_takes_curl(url, manners) && !tool_on_path("curl"))
        status = NO_CURL;
    *out = (struct fs_info){.mtime = -1, .error = error_of(status)};
    if (status == 200)
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
        stat_url(place->query, place->manners, out);
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

static bool fetch_url(struct arena *in, const struct storage_place *place, const char *path, const char **why)
{
    const char *url = place->query;
    struct http_answer answer;
    bool good = http_get(in, url, place->manners, &answer, why);
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
        const char *hint;
        *why = arena_printf(in, "cannot look at '%s': %s", place->query, storage_error(there.error, &hint));
        return false;
    }
    if (there.mtime < 0) {
        *why = arena_printf(in, "'%s' is not in the storage", place->query);
        return false;
    }
    if (!fs_remove_tree(path) || !fs_make_parent(path))
        return failed(in, why, "make room for", path);
    return place->kind == STORAGE_FS ? fetch_file(in, place->query, path, link, why)
                                     : fetch_url(in, place, path, why);
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
