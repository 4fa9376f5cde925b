// SPDX-License-Identifier: MIT
/* storage_fs.c: file systems as a storage, as Snakemake's plugin fs has them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/part.h"
#include "base/path.h"
#include "flow/state.h"
#include "flow/storage_kind.h"

/* What stands in the path of a copy for a query's first '/', and for a "../" in front. */
static const char mark[] = "__abspath__/", up_mark[] = "__parent__/";
static const char stamp_name[] = ".snakemake_timestamp";

static bool open_mount(struct workflow *w, struct storage_mount *mount,
                       const struct storage_opening *opening)
{
    return storage_settings_known(w, mount, opening, NULL);
}

static void close_mount(struct storage_mount *mount) {}

/* The relative path of a copy: a query that leads out must not lead to other files than copies. */
static const char *suffix_of(struct arena *in, const char *query)
{
    const char *rest = query, *ups = "";
    for (; path_leads_out(rest); rest += 2 + strspn(rest + 2, "/"))
        ups = arena_printf(in, "%s%s", ups, up_mark);
    if (path_leads_out(path_normal(in, rest)))
        return suffix_of(in, path_normal(in, query));
    return *ups ? arena_printf(in, "%s%s", ups, *rest ? rest : ".") : query;
}

/* The reverse. */
static const char *query_of(struct arena *in, const char *suffix)
{
    const char *rest = suffix, *ups = "";
    for (; !strncmp(rest, up_mark, strlen(up_mark)); rest += strlen(up_mark))
        ups = arena_printf(in, "%s../", ups);
    return arena_printf(in, "%s%s", ups, rest);
}

static const char *path_of(struct workflow *w, struct storage_mount *mount, const char *query,
                           bool copied)
{
    struct arena *in = &w->arena;
    if (strstr(query, "://")) {
        flow_raise(w, "WorkflowError",
                   "Error applying storage provider %s: '%s' is a URL, but should be a path",
                   mount->name, query);
        return NULL;
    }
    if (!copied)
        return *query == '/' ? query : path_normal(in, query);
    bool absolute = *query == '/';
    return arena_printf(in, "%s%s%s", mount->dir, absolute ? mark : "",
                        suffix_of(in, query + absolute));
}

static bool find(const struct storage_mount *mount, struct arena *in, const char *path,
                 struct storage_place *out)
{
    const char *suffix = path + strlen(mount->dir);
    bool absolute = !strncmp(suffix, mark, strlen(mark));
    out->query = out->shown = arena_printf(in, "%s%s", absolute ? "/" : "",
                                           query_of(in, suffix + (absolute ? strlen(mark) : 0)));
    return true;
}

static const char *own_path(const struct storage_place *place)
{
    return place->query;
}

/* As Snakemake's plugin: a link is as old as itself, a directory as the stamp inside. */
void storage_stat_path(const char *path, struct fs_info *out)
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

static void stat_place(const struct storage_place *place, struct fs_info *out)
{
    storage_stat_path(place->query, out);
}

static bool fetch_one(struct arena *in, const struct storage_copy *copy, const char **why)
{
    const char *query = copy->place.query;
    char *cwd = fs_cwd(in);
    if (copy->link) {
        const char *from = path_relative(in, path_absolute(in, cwd, query),
                                         path_dirname(in, path_absolute(in, cwd, copy->path)));
        return !symlink(from, copy->part) || storage_failed(in, why, "make the link", copy->path);
    }
    char *target = realpath(query, NULL);
    bool good = target && fs_copy(target, copy->part);
    free(target);
    return good || storage_failed(in, why, "copy from the storage", query);
}

static bool fetch(struct arena *in, const struct storage_copy *copies, size_t n, const char **why)
{
    return storage_each(in, copies, n, fetch_one, why);
}

static bool store_one(struct arena *in, const struct storage_copy *copy, const char **why)
{
    const char *query = copy->place.query;
    const char *part = copy->part ? copy->part : part_beside(in, query);
    char *target = realpath(copy->path, NULL);
    bool good = target && fs_make_parent(query) && fs_remove_tree(part) && fs_copy(target, part) &&
                fs_move(part, query);
    int error = errno;
    if (!good)
        fs_remove_tree(part);
    errno = error;
    free(target);
    return good || storage_failed(in, why, "store", query);
}

static bool store(struct arena *in, const struct storage_copy *copies, size_t n, const char **why)
{
    return storage_each(in, copies, n, store_one, why);
}

static bool remove_place(struct arena *in, const struct storage_place *place, const char **why)
{
    return fs_remove_tree(place->query) || storage_failed(in, why, "remove", place->query);
}

static bool touch(struct arena *in, const struct storage_place *place, const char **why)
{
    struct fs_info there;
    storage_stat_path(place->query, &there);
    if (there.mtime < 0)
        return true;
    const char *path = S_ISDIR(there.mode) ? path_join(in, place->query, stamp_name) : place->query;
    bool good = S_ISDIR(there.mode) ? fs_write(path, "", 0) : fs_touch(path, 0, false);
    return good || storage_failed(in, why, "touch", path);
}

const struct storage_kind storage_fs = {
    .name = "fs",
    .open = open_mount,
    .close = close_mount,
    .path = path_of,
    .find = find,
    .own_path = own_path,
    .stat = stat_place,
    .fetch = fetch,
    .store = store,
    .remove = remove_place,
    .touch = touch,
};
