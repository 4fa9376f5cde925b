// SPDX-License-Identifier: MIT
/* transfer.c: bytes to and from storages, whatever their kinds (see storage.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/part.h"
#include "flow/state.h"
#include "flow/storage_kind.h"

bool storage_failed(struct arena *in, const char **why, const char *what, const char *path)
{
    *why = arena_printf(in, "cannot %s '%s': %s", what, path, strerror(errno));
    return false;
}

bool storage_each(struct arena *in, const struct storage_copy *copies, size_t n,
                  bool (*one)(struct arena *in, const struct storage_copy *copy, const char **why),
                  const char **why)
{
    for (size_t i = 0; i < n; i++)
        if (!one(in, &copies[i], why))
            return false;
    return true;
}

/* ---- what is there ---- */

const char *storage_own_path(const struct storage_place *place)
{
    return place->kind->own_path ? place->kind->own_path(place) : NULL;
}

const char *storage_unknown_text(struct arena *in, const struct storage_place *place, int error,
                                 const char **hint)
{
    *hint = NULL;
    const char *words = place->kind->error ? place->kind->error(place, error, hint) : NULL;
    return fs_unknown_text(in, place->shown, words ? words : strerror(error));
}

struct stats {
    const struct storage_place *place;
    struct fs_info *info;
};

static void stat_one(void *user, size_t i)
{
    const struct stats *stats = user;
    if (stats->place[i].kind->stat)
        stats->place[i].kind->stat(&stats->place[i], &stats->info[i]);
}

/* Those of each provider in one question. */
static void stat_together(const struct storage_place *places, size_t n, struct fs_info *out)
{
    struct arena in = {0};
    bool *asked = arena_array(&in, bool, n);
    const struct storage_place **place = arena_array(&in, const struct storage_place *, n);
    struct fs_info **info = arena_array(&in, struct fs_info *, n);
    for (size_t first = 0; first < n; first++) {
        size_t same = 0;
        for (size_t i = first; !asked[first] && places[first].kind->stat_all && i < n; i++)
            if (places[i].mount == places[first].mount) {
                asked[i] = i > first;
                place[same] = &places[i];
                info[same++] = &out[i];
            }
        if (same)
            places[first].kind->stat_all(place, same, info);
    }
    arena_free(&in);
}

void storage_stat_many(const struct storage_place *places, size_t n, struct fs_info *out,
                       fs_spread *spread)
{
    struct stats stats = {places, out};
    if (spread)
        spread(n, stat_one, &stats);
    for (size_t i = 0; !spread && i < n; i++)
        stat_one(&stats, i);
    stat_together(places, n, out);
}

void storage_stat(const struct storage_place *place, struct fs_info *out)
{
    storage_stat_many(place, 1, out, NULL);
}

bool storage_size(struct arena *in, const struct storage_place *place, int64_t *out,
                  const char **why)
{
    struct fs_info info = {0};
    const char *hint;
    *why = NULL;
    *out = 0;
    if (place->kind->size)
        return place->kind->size(in, place, out, why);
    storage_stat(place, &info);
    *out = info.size;
    if (info.error)
        *why = storage_unknown_text(in, place, info.error, &hint);
    errno = ENOENT;
    return info.mtime >= 0;
}

/* ---- from the storage ---- */

/* Whether the file is to be fetched, as what is here is older; then there is room for it. False:
 * *why. */
static bool is_wanted(struct arena *in, const struct storage_copy *copy,
                      const struct fs_info *there, bool *wanted, const char **why)
{
    const char *hint;
    struct fs_info here;
    storage_stat_path(copy->path, &here);
    *wanted = here.mtime < 0 || here.mtime < there->mtime;
    if (!*wanted)
        return true;
    *wanted = there->mtime >= 0;
    if (there->error)
        *why = storage_unknown_text(in, &copy->place, there->error, &hint);
    else if (there->mtime < 0 && !copy->optional)
        *why = arena_printf(in, "'%s' is not in the storage", copy->place.shown);
    else
        return there->mtime < 0 || (fs_make_parent(copy->path) && fs_remove_tree(copy->part)) ||
               storage_failed(in, why, "make room for", copy->path);
    return false;
}

/* What has come takes its place; or what has not come as a whole goes. */
static bool settle_parts(struct arena *in, const struct storage_copy *copies, size_t n, bool good,
                         const char **why)
{
    for (size_t i = 0; i < n; i++) {
        if (good && !fs_move(copies[i].part, copies[i].path))
            good = storage_failed(in, why, "write", copies[i].path);
        if (!good)
            fs_remove_tree(copies[i].part);
    }
    return good;
}

typedef bool act_fn(struct arena *in, const struct storage_copy *copies, size_t n,
                    const char **why);

/* Those of each provider at once. */
static bool by_mount(struct arena *in, struct storage_copy *copies, size_t n, bool stores,
                     const char **why)
{
    while (n) {
        const struct storage_mount *mount = copies[0].place.mount;
        size_t same = 0;
        for (size_t i = 0; i < n; i++)
            if (copies[i].place.mount == mount) {
                struct storage_copy copy = copies[i];
                copies[i] = copies[same];
                copies[same++] = copy;
            }
        act_fn *act = stores ? copies[0].place.kind->store : copies[0].place.kind->fetch;
        if (!act)
            *why = arena_printf(in, "nothing can be stored at %s", copies[0].place.shown);
        if (!act || !act(in, copies, same, why))
            return false;
        copies += same;
        n -= same;
    }
    return true;
}

bool storage_fetch(struct arena *in, const struct storage_copy *copies, size_t n, const char **why)
{
    struct storage_place *places = arena_array(in, struct storage_place, n + 1);
    struct storage_copy *wanted = arena_array(in, struct storage_copy, n + 1);
    struct fs_info *there = arena_array(in, struct fs_info, n + 1);
    size_t nwanted = 0;
    for (size_t i = 0; i < n; i++)
        places[i] = copies[i].place;
    storage_stat_many(places, n, there, NULL);
    for (size_t i = 0; i < n; i++) {
        struct storage_copy *copy = &wanted[nwanted];
        bool take;
        *copy = copies[i];
        copy->part = copy->part ? copy->part : part_beside(in, copy->path);
        if (!is_wanted(in, copy, &there[i], &take, why))
            return false;
        nwanted += take;
    }
    return settle_parts(in, wanted, nwanted, by_mount(in, wanted, nwanted, false, why), why);
}

/* ---- into the storage ---- */

/* Puts local copies into the storage; both have the same time then. */
static bool storage_store(struct arena *in, const struct storage_copy *copies, size_t n,
                          const char **why)
{
    struct storage_copy *sorted = arena_array(in, struct storage_copy, n + 1);
    for (size_t i = 0; i < n; i++)
        sorted[i] = copies[i];
    return by_mount(in, sorted, n, true, why);
}

bool storage_remove(struct arena *in, const struct storage_place *place, const char **why)
{
    if (place->kind->remove)
        return place->kind->remove(in, place, why);
    *why = arena_printf(in, "nothing can be removed at %s", place->shown);
    return false;
}

bool storage_carry(struct arena *in, enum storage_act act, const struct storage_copy *copy,
                   const char **why)
{
    switch (act) {
    case STORAGE_FETCH: return storage_fetch(in, copy, 1, why);
    case STORAGE_STORE: return storage_store(in, copy, 1, why);
    case STORAGE_REMOVE: return storage_remove(in, &copy->place, why);
    }
    return true;
}

bool storage_touch(struct arena *in, const struct storage_place *place, const char **why)
{
    if (place->kind->touch)
        return place->kind->touch(in, place, why);
    *why = arena_printf(in, "nothing can be touched at %s", place->shown);
    return false;
}

/* ---- lists ---- */

bool storage_matches(struct workflow *w, const struct storage_place *place, value *files)
{
    *files = NO_VALUE;
    if (place->kind->own_path)
        return true;
    if (!place->kind->matches)
        return flow_raise(w, "WorkflowError", "the storage of '%s' cannot list what it has",
                          place->shown);
    *files = place->kind->matches(w, place);
    return *files;
}
