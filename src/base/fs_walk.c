// SPDX-License-Identifier: MIT
/* fs_walk.c: many files at once: walking a tree, and the times of a list of files. Both read
 * directories whole, because on a network file system a directory read costs about as much as one
 * stat. */
#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/pool.h"

/* A directory on the way from the root to where the walk is. */
struct level {
    DIR *dir;        /* owned */
    size_t path_len; /* of this directory's path in walk.path */
    dev_t device;
    ino_t inode;
};

struct walk {
    VEC(struct level) levels;
    struct buf path; /* relative to the root */
    bool follow;
    fs_visit *visit;
    void *user;
    struct fs_unread *unread; /* may be NULL */
};

bool fs_is_absent(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP || error == ENAMETOOLONG;
}

struct dirent *fs_entry(DIR *dir)
{
    struct dirent *entry;
    do {
        errno = 0;
        entry = readdir(dir);
    } while (entry && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")));
    return entry;
}

void fs_unread_note(struct fs_unread *unread, const char *path, int error)
{
    if (error == ENOENT || (unread->n++ && (fs_is_absent(error) || !fs_is_absent(unread->error))))
        return;
    unread->error = error;
    snprintf(unread->path, sizeof unread->path, "%s", path);
}

const char *fs_unread_text(const struct fs_unread *unread, const char *root, struct arena *in)
{
    const char *text = arena_printf(in, "cannot read '%s%s%s': %s", root, *root && *unread->path ? "/" : "",
                                    unread->path, strerror(unread->error));
    return unread->n > 1 ? arena_printf(in, "%s, nor %u more folder%s", text, unread->n - 1, unread->n == 2 ? "" : "s")
                         : text;
}

/* The directory at walk.path. */
static void note_unread(struct walk *walk, int error)
{
    if (walk->unread)
        fs_unread_note(walk->unread, buf_text(&walk->path), error);
}

/* Enters a directory unless the walk is already inside it. */
static bool enter(struct walk *walk, int at, const char *name)
{
    struct stat st;
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && !fstat(fd, &st);
    if (!good)
        note_unread(walk, errno);
    for (uint32_t i = 0; good && i < walk->levels.len; i++)
        good = walk->levels.at[i].inode != st.st_ino || walk->levels.at[i].device != st.st_dev;
    DIR *dir = good ? fdopendir(fd) : NULL;
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    struct level level = {
        .dir = dir, .path_len = walk->path.len, .device = st.st_dev, .inode = st.st_ino};
    vec_push(&walk->levels, level);
    return true;
}

static bool entry_is_dir(const struct walk *walk, int at, const struct dirent *entry)
{
    struct stat st;
    if (entry->d_type != DT_UNKNOWN && (entry->d_type != DT_LNK || !walk->follow))
        return entry->d_type == DT_DIR;
    return !fstatat(at, entry->d_name, &st, walk->follow ? 0 : AT_SYMLINK_NOFOLLOW) &&
           S_ISDIR(st.st_mode);
}

static void visit_entry(struct walk *walk, const struct dirent *entry)
{
    const struct level *level = &walk->levels.at[walk->levels.len - 1];
    int at = dirfd(level->dir);
    walk->path.len = level->path_len;
    if (walk->path.len)
        buf_char(&walk->path, '/');
    buf_str(&walk->path, entry->d_name);
    bool is_dir = entry_is_dir(walk, at, entry);
    if (walk->visit(walk->user, buf_text(&walk->path), is_dir) && is_dir)
        enter(walk, at, entry->d_name);
}

static void leave(struct walk *walk, int error)
{
    struct level *level = &walk->levels.at[--walk->levels.len];
    walk->path.len = level->path_len;
    if (error)
        note_unread(walk, error);
    closedir(level->dir);
}

bool fs_walk(const char *root, bool follow, fs_visit *visit, void *user, struct fs_unread *unread)
{
    struct walk walk = {.follow = follow, .visit = visit, .user = user, .unread = unread};
    if (unread)
        *unread = (struct fs_unread){0};
    if (!enter(&walk, AT_FDCWD, root))
        return false;
    while (walk.levels.len) {
        const struct dirent *entry = fs_entry(walk.levels.at[walk.levels.len - 1].dir);
        if (entry)
            visit_entry(&walk, entry);
        else
            leave(&walk, errno);
    }
    vec_free(&walk.levels);
    buf_free(&walk.path);
    return true;
}

/* A directory of the list: the files asked for are chained, and each is stat'ed relative to it. */
struct folder {
    const char *path; /* borrowed from the list: path_len bytes; none for the current directory */
    size_t path_len;
    uint32_t first, count; /* first file of the chain, +1; how many */
};

struct lister {
    const char *const *paths;
    struct fs_info *out;
    VEC(struct folder) folders; /* 0 is not used */
    uint32_t *next;             /* owned; by file: the next of its folder, +1 */
    uint32_t *name_at;          /* owned; by file: offset of its last component */
};

/* Fewer files than this are stat'ed without a look at their directory, and one with many more
 * entries than files asked for is not read to its end. */
enum { FEW = 3, WORTH_READING = 32, WORTH_RATIO = 64 };

static struct fs_info no_info(int error)
{
    return (struct fs_info){.mtime = -1, .error = fs_is_absent(error) ? 0 : (uint8_t)error};
}

static struct fs_info stat_at(int at, const char *name)
{
    struct stat st;
    if (fstatat(at, *name ? name : ".", &st, AT_SYMLINK_NOFOLLOW))
        return no_info(errno);
    int64_t own = fs_mtime(&st);
    bool is_link = S_ISLNK(st.st_mode);
    if (is_link && fstatat(at, name, &st, 0))
        return no_info(errno); /* a broken link does not exist */
    int64_t target = fs_mtime(&st);
    return (struct fs_info){
        .mtime = own > target ? own : target, .size = st.st_size, .mode = st.st_mode, .is_link = is_link, .own = own};
}

/* The names of a directory as a set of hashes; false if it is not read to its end. A chance match
 * costs one stat, no more. */
static bool read_names(int fd, uint32_t limit, struct map *names)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
    if (!dir) {
        if (copy >= 0)
            close(copy);
        return false;
    }
    const struct dirent *entry = NULL;
    while (names->len < limit && (entry = fs_entry(dir)))
        map_set(names, hash_bytes(entry->d_name, strlen(entry->d_name)) | 1, 1);
    bool whole = !entry && !errno && names->len < limit;
    closedir(dir);
    return whole;
}

/* A few files by their whole paths: cheaper than opening their directory. */
static void stat_few(const struct lister *lister, const struct folder *folder)
{
    for (uint32_t i = folder->first; i; i = lister->next[i - 1])
        lister->out[i - 1] = stat_at(AT_FDCWD, lister->paths[i - 1]);
}

static void stat_folder(const struct lister *lister, const struct folder *folder)
{
    struct arena scratch = {0};
    struct map names = {0};
    const char *path = folder->path_len ? arena_copy(&scratch, folder->path, folder->path_len)
                                        : ".";
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == EACCES)
        fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && !fs_is_absent(errno))
        stat_few(lister, folder);
    bool listed = fd >= 0 && folder->count >= WORTH_READING &&
                  read_names(fd, folder->count * WORTH_RATIO, &names);
    for (uint32_t i = folder->first; i && fd >= 0; i = lister->next[i - 1]) {
        const char *name = lister->paths[i - 1] + lister->name_at[i - 1];
        if (!listed || !*name || map_find(&names, hash_bytes(name, strlen(name)) | 1))
            lister->out[i - 1] = stat_at(fd, name);
    }
    if (fd >= 0)
        close(fd);
    map_free(&names);
    arena_free(&scratch);
}

static bool is_folder(const struct folder *folder, const char *path, size_t len)
{
    return folder->first && folder->path_len == len && !memcmp(folder->path, path, len);
}

/* The folder of a path, added if new; two with one hash may be added more than once. */
static uint32_t folder_of(struct lister *lister, struct map *by_path, const char *path, size_t len)
{
    uint32_t *found = map_at(by_path, hash_bytes(path, len) | 1);
    if (!*found || !is_folder(&lister->folders.at[*found], path, len)) {
        *found = lister->folders.len;
        vec_push(&lister->folders, ((struct folder){.path = path, .path_len = len}));
    }
    return *found;
}

/* Puts a file into the chain of its folder, which is that of the file before (*last) more often
 * than not. */
static void sort_in(struct lister *lister, struct map *by_path, uint32_t file, uint32_t *last)
{
    const char *path = lister->paths[file], *slash = strrchr(path, '/');
    size_t len = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    if (!path[0])
        return; /* the empty path is no file */
    lister->name_at[file] = slash ? (uint32_t)(slash - path) + 1 : 0;
    if (!is_folder(&lister->folders.at[*last], path, len))
        *last = folder_of(lister, by_path, path, len);
    struct folder *folder = &lister->folders.at[*last];
    lister->next[file] = folder->first;
    folder->first = file + 1;
    folder->count++;
}

void fs_stat_many(const char *const *paths, size_t n, struct fs_info *out)
{
    struct lister lister = {.paths = paths, .out = out};
    struct map by_path = {0};
    struct arena scratch = {0};
    uint32_t last = 0;
    if (n == 1) {
        *out = paths[0][0] ? stat_at(AT_FDCWD, paths[0]) : (struct fs_info){.mtime = -1};
        return;
    }
    lister.next = arena_array(&scratch, uint32_t, n);
    lister.name_at = arena_array(&scratch, uint32_t, n);
    vec_push(&lister.folders, (struct folder){0});
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct fs_info){.mtime = -1};
        sort_in(&lister, &by_path, (uint32_t)i, &last);
    }
    for (uint32_t i = 1; i < lister.folders.len; i++) {
        if (lister.folders.at[i].count < FEW)
            stat_few(&lister, &lister.folders.at[i]);
        else
            stat_folder(&lister, &lister.folders.at[i]);
    }
    vec_free(&lister.folders);
    map_free(&by_path);
    arena_free(&scratch);
}
