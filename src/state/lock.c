// SPDX-License-Identifier: MIT
/* lock.c: the lock of a directory, in .snakemake/locks:
 *
 *     N.input.lock, N.output.lock   the files of a run, one a line: what Snakemake reads and writes
 *     N.kintsugi                    our own: "host pid start-of-process boot user"
 *
 * By the last, a lock whose owner was killed on this machine is known to be stale, and taken away.
 * Snakemake looks first and locks then; we lock first and look then, so that of two of ours at most
 * one goes on. */
#include "state/lock.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/line.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/path.h"
#include "state/keeper.h"

enum { OUTPUT = 1, INPUT = 2, TRIES = 10000, GONE_TRIES = 100 };

struct lock {
    char *dir; /* owned: .snakemake/locks */
    int number;
};

/* The files of a run by the hash of their path: OUTPUT, INPUT or both. */
static void add_paths(struct map *set, const char *const *paths, uint32_t n, uint32_t kind)
{
    for (uint32_t i = 0; i < n; i++)
        *map_at(set, hash_key_of(paths[i])) |= kind;
}

static char *locks_dir(const char *dir)
{
    struct arena scratch = {0};
    char *path = memory_text(path_join(&scratch, dir, ".snakemake/locks"));
    arena_free(&scratch);
    return path;
}

/* ---- who holds it ---- */

static char *lock_path(struct arena *in, const char *dir, int number, const char *ending)
{
    return arena_printf(in, "%s/%d.%s", dir, number, ending);
}

static bool read_holder(const char *dir, int number, struct keeper *holder)
{
    struct arena scratch = {0};
    bool good = keeper_read(lock_path(&scratch, dir, number, "kintsugi"), holder);
    arena_free(&scratch);
    return good;
}

static void remove_number(const char *dir, int number)
{
    static const char *const endings[] = {"input.lock", "output.lock", "kintsugi"};
    struct arena scratch = {0};
    for (int i = 0; i < 3; i++)
        unlink(lock_path(&scratch, dir, number, endings[i]));
    arena_free(&scratch);
}

static void remove_stale(const char *dir, int number)
{
    struct arena scratch = {0};
    int fd = keeper_take_gone(lock_path(&scratch, dir, number, "kintsugi"));
    if (fd >= 0) {
        remove_number(dir, number);
        close(fd);
    }
    arena_free(&scratch);
}

/* ---- looking ---- */

/* The number and kind of a lock file by its name, as Snakemake tells them:
 * "[0-9]+.(input|output).lock"; kind 0: the one that names its holder. */
static bool parse_name(const char *name, int *number, uint32_t *kind)
{
    size_t digits = strspn(name, "0123456789");
    if (!digits || digits > 9)
        return false;
    *number = atoi(name);
    *kind = !strcmp(name + digits, ".input.lock")    ? INPUT
            : !strcmp(name + digits, ".output.lock") ? OUTPUT
                                                     : 0;
    return *kind || !strcmp(name + digits, ".kintsugi");
}

/* The first line of a lock file that is in the way of a run with these files; in the arena, NULL if
 * none, and also with *error set if the file cannot be read. */
static const char *conflict_in(struct arena *in, const char *path, uint32_t kind,
                               const struct map *mine, int *error)
{
    const char *text = fs_read(in, path, NULL);
    uint32_t against = kind == INPUT ? OUTPUT : OUTPUT | INPUT;
    struct line line;
    *error = text || errno == ENOENT ? 0 : errno;
    while (line_next(&text, &line)) {
        line_trim(&line);
        if (line.len && map_find(mine, hash_key(line.at, line.len)) & against)
            return arena_copy(in, line.at, line.len);
    }
    return NULL;
}

struct conflict {
    int number;       /* -1: none */
    const char *file; /* in the arena */
    int error;        /* an errno if locks could not be read: nobody knows then */
};

/* Looks through all lock files but those numbered own; stale ones of ours are removed. */
static struct conflict find_conflict(struct arena *in, const char *dir, int own,
                                     const struct map *mine)
{
    DIR *entries = fs_opendir(dir);
    struct conflict found = {.number = -1, .error = entries || errno == ENOENT ? 0 : errno};
    const struct dirent *entry = NULL;
    while (entries && found.number < 0 && !found.error && (entry = fs_entry(entries))) {
        int number;
        uint32_t kind;
        struct keeper holder;
        if (!parse_name(entry->d_name, &number, &kind) || number == own)
            continue;
        if (read_holder(dir, number, &holder) && keeper_is_gone(&holder)) {
            remove_stale(dir, number);
            continue;
        }
        const char *path = arena_printf(in, "%s/%s", dir, entry->d_name);
        found.file = kind ? conflict_in(in, path, kind, mine, &found.error) : NULL;
        found.number = found.file ? number : -1;
    }
    if (entries && !entry)
        found.error = errno;
    if (entries)
        closedir(entries);
    return found;
}

/* ---- taking ---- */

static void list_lines(struct buf *lines, const char *const *paths, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        buf_str(lines, paths[i]);
        buf_char(lines, '\n');
    }
}

static bool make_list(const char *path, const char *const *paths, uint32_t n)
{
    struct buf lines = {0};
    list_lines(&lines, paths, n);
    bool good = !n || fs_write_new(path, lines.at, lines.len);
    buf_free(&lines);
    return good;
}

/* As a whole: others may be reading it. False with errno. */
static bool renew_list(struct arena *in, const char *path, const char *const *paths, uint32_t n)
{
    struct buf lines = {0};
    const char *part = part_beside(in, path);
    list_lines(&lines, paths, n);
    bool good = fs_write(part, lines.at, lines.len) && !rename(part, path);
    int error = errno;
    if (!good)
        unlink(part);
    buf_free(&lines);
    errno = error;
    return good;
}

/* Makes the files of a number; false with errno, and then none of them is left but those that
 * others made. */
static bool take_number(struct arena *in, const char *dir, int number,
                        const struct lock_files *files)
{
    char *input = lock_path(in, dir, number, "input.lock"),
         *output = lock_path(in, dir, number, "output.lock");
    char *own = lock_path(in, dir, number, "kintsugi");
    if (fs_exists(input) || fs_exists(output)) {
        errno = EEXIST;
        return false;
    }
    if (!keeper_write(own))
        return false;
    bool has_input = make_list(input, files->inputs, files->ninputs);
    if (has_input && make_list(output, files->outputs, files->noutputs))
        return true;
    int error = errno;
    if (has_input)
        unlink(input);
    unlink(own);
    errno = error;
    return false;
}

/* Stale locks of this machine are no conflicts: a holder on it is alive. */
static void explain(struct diags *dx, const char *dir, const struct conflict *conflict)
{
    struct keeper holder;
    bool known = read_holder(dir, conflict->number, &holder);
    if (known)
        complain_kind(dx, "LockException", (struct span){0},
                      "the directory is locked: another run (process %ld of %s on %s) uses '%s'",
                      holder.pid, holder.user, holder.host, conflict->file);
    if (known && keeper_is_here(&holder)) {
        diag_hint(dx, "that process is alive: wait until it has ended, look at it with "
                      "kintsugi-flow status, or end it with kintsugi-flow stop");
        return;
    }
    if (!known)
        complain_kind(dx, "LockException", (struct span){0},
                      "the directory is locked: a run of Snakemake uses '%s' (%s/%d.*.lock)",
                      conflict->file, dir, conflict->number);
    diag_hint(dx,
              "if you are sure that no such run is alive%s%s, its lock was left by a kill or a "
              "power loss: remove it with --unlock",
              known ? " on " : "", known ? holder.host : "");
}

static void cannot_lock(struct diags *dx, const char *dir, int error)
{
    complain_kind(dx, "LockException", (struct span){0}, "the directory cannot be locked: %s: %s",
                  dir, strerror(error));
    diag_hint_full(dx, error);
}

/* Takes the first free number. False with errno. The run that leaves last removes the folder, maybe
 * just now. */
static bool take_any(struct arena *in, struct lock *lock, const struct lock_files *files)
{
    for (int gone = 0; lock->number < TRIES && gone < GONE_TRIES;) {
        if (fs_mkdirs(lock->dir) && take_number(in, lock->dir, lock->number, files))
            return true;
        if (errno != EEXIST && errno != ENOENT)
            return false;
        lock->number += errno == EEXIST;
        gone += errno == ENOENT;
    }
    return false;
}

static void free_lock(struct lock *lock)
{
    free(lock->dir);
    free(lock);
}

/* Whether no other run is in the way; else says which. */
static bool is_free(struct arena *in, const struct lock *lock, struct diags *dx,
                    const struct lock_files *files)
{
    struct map mine = {0};
    add_paths(&mine, files->inputs, files->ninputs, INPUT);
    add_paths(&mine, files->outputs, files->noutputs, OUTPUT);
    struct conflict conflict = find_conflict(in, lock->dir, lock->number, &mine);
    if (conflict.error)
        cannot_lock(dx, lock->dir, conflict.error);
    else if (conflict.number >= 0)
        explain(dx, lock->dir, &conflict);
    map_free(&mine);
    return !conflict.error && conflict.number < 0;
}

struct lock *lock_take(const char *dir, struct diags *dx, const struct lock_files *files)
{
    struct arena scratch = {0};
    struct lock *lock = memory_zeroed(1, sizeof *lock);
    lock->dir = locks_dir(dir);
    int error = take_any(&scratch, lock, files) ? 0 : errno;
    if (error) {
        cannot_lock(dx, lock->dir, error);
        free_lock(lock);
        lock = NULL;
    } else if (!is_free(&scratch, lock, dx, files)) {
        lock_release(lock);
        lock = NULL;
    }
    arena_free(&scratch);
    errno = error;
    return lock;
}

bool lock_look(const char *dir, struct diags *dx, const struct lock_files *files)
{
    struct arena scratch = {0};
    const struct lock none = {locks_dir(dir), -1};
    bool good = is_free(&scratch, &none, dx, files);
    free(none.dir);
    arena_free(&scratch);
    return good;
}

bool lock_renew(struct lock *lock, struct diags *dx, const struct lock_files *files)
{
    struct arena scratch = {0};
    bool good = renew_list(&scratch, lock_path(&scratch, lock->dir, lock->number, "input.lock"),
                           files->inputs, files->ninputs) &&
                renew_list(&scratch, lock_path(&scratch, lock->dir, lock->number, "output.lock"),
                           files->outputs, files->noutputs);
    if (!good)
        cannot_lock(dx, lock->dir, errno);
    good = good && is_free(&scratch, lock, dx, files);
    arena_free(&scratch);
    return good;
}

void lock_release(struct lock *lock)
{
    if (!lock)
        return;
    remove_number(lock->dir, lock->number);
    rmdir(lock->dir); /* fails while others have locks in it */
    free_lock(lock);
}

void lock_remove_stale(const char *dir)
{
    struct arena scratch = {0};
    struct map none = {0};
    char *locks = locks_dir(dir);
    find_conflict(&scratch, locks, -1, &none);
    rmdir(locks); /* fails while others have locks in it */
    map_free(&none);
    arena_free(&scratch);
    free(locks);
}

uint32_t lock_owners(const char *dir, void (*visit)(void *user, const struct lock_owner *owner),
                     void *user)
{
    char *locks = locks_dir(dir);
    DIR *entries = fs_opendir(locks);
    uint32_t n = 0;
    for (const struct dirent *entry; entries && (entry = fs_entry(entries));) {
        struct keeper holder;
        const char *ending = strchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".kintsugi") ||
            !read_holder(locks, atoi(entry->d_name), &holder) || keeper_is_gone(&holder))
            continue;
        struct lock_owner owner = {holder.host, holder.user, holder.pid,
                                   keeper_is_here(&holder) && keeper_is_true(&holder)};
        if (visit)
            visit(user, &owner);
        n++;
    }
    if (entries)
        closedir(entries);
    free(locks);
    return n;
}

bool lock_remove_all(const char *dir)
{
    char *locks = locks_dir(dir);
    bool good = fs_remove_tree(locks);
    int error = errno;
    free(locks);
    errno = error;
    return good;
}
