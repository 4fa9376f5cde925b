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
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP ||
           error == ENAMETOOLONG;
}

const char *fs_unknown_text(struct arena *in, const char *shown, const char *why)
{
    return arena_printf(in, "cannot find out whether '%s' exists: %s", shown, why);
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
    const char *text = arena_printf(in, "cannot read '%s%s%s': %s", root,
                                    *root && *unread->path ? "/" : "", unread->path,
                                    strerror(unread->error));
    return unread->n > 1 ? arena_printf(in, "%s, nor %u more folder%s", text, unread->n - 1,
                                        unread->n == 2 ? "" : "s")
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
    if (!good && fd >= 0)
        close(fd);
    DIR *dir = fs_dir(good ? fd : -1);
    if (!dir)
        return false;
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
    uint32_t first, count; /* first file of the chain, +1; how many there were */
};

/* Some files of a chain that are stat'ed in one go. */
struct piece {
    uint32_t folder, first; /* first file, +1 */
};

struct lister {
    const char *const *paths;
    struct fs_info *out;
    VEC(struct folder) folders; /* 0 is not used */
    VEC(struct piece) pieces;
    uint32_t *next;    /* owned; by file: the next of its folder, +1 */
    uint32_t *name_at; /* owned; by file: offset of its last component */
};

/* Fewer files than this are stat'ed without a look at their directory, and one with many more
 * entries than files asked for is not read to its end. */
enum { FEW = 3, WORTH_READING = 32, WORTH_RATIO = 64, PIECE = 64 };

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
    return (struct fs_info){.mtime = own > target ? own : target,
                            .size = st.st_size,
                            .mode = st.st_mode,
                            .is_link = is_link,
                            .own = own};
}

/* The names of a directory as a set of hashes; false if it is not read to its end. A chance match
 * costs one stat, no more. */
static bool read_names(int fd, uint32_t limit, struct map *names)
{
    DIR *dir = fs_dir(fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (!dir)
        return false;
    const struct dirent *entry = NULL;
    while (names->len < limit && (entry = fs_entry(dir)))
        map_set(names, hash_key_of(entry->d_name), 1);
    bool whole = !entry && !errno && names->len < limit;
    closedir(dir);
    return whole;
}

/* -1: errno says why. */
static int open_folder(const struct folder *folder)
{
    struct arena in = {0};
    const char *path = folder->path_len ? arena_copy(&in, folder->path, folder->path_len) : ".";
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == EACCES)
        fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int error = errno;
    arena_free(&in);
    errno = error;
    return fd;
}

/* Takes those out of the chain that the directory does not name. */
static void keep_named(const struct lister *lister, struct folder *folder, const struct map *names)
{
    for (uint32_t *at = &folder->first; *at;) {
        uint32_t file = *at - 1;
        const char *name = lister->paths[file] + lister->name_at[file];
        if (*name && !map_find(names, hash_key_of(name)))
            *at = lister->next[file];
        else
            at = &lister->next[file];
    }
}

static void list_folder(void *user, size_t number)
{
    const struct lister *lister = user;
    struct folder *folder = &lister->folders.at[number + 1];
    struct map names = {0};
    if (folder->count < WORTH_READING)
        return;
    int fd = open_folder(folder);
    if (fd < 0 && fs_is_absent(errno))
        folder->first = 0;
    if (fd >= 0 && read_names(fd, folder->count * WORTH_RATIO, &names))
        keep_named(lister, folder, &names);
    if (fd >= 0)
        close(fd);
    map_free(&names);
}

/* A few files, or those of a folder that does not open, by their whole paths: cheaper than opening
 * it. */
static void stat_piece(void *user, size_t number)
{
    const struct lister *lister = user;
    struct piece piece = lister->pieces.at[number];
    const struct folder *folder = &lister->folders.at[piece.folder];
    bool few = folder->count < FEW;
    int fd = few ? -1 : open_folder(folder);
    uint32_t left = few || fd >= 0 || !fs_is_absent(errno) ? PIECE : 0;
    for (uint32_t i = piece.first; i && left--; i = lister->next[i - 1]) {
        const char *path = lister->paths[i - 1];
        lister->out[i - 1] = fd >= 0 ? stat_at(fd, path + lister->name_at[i - 1])
                                     : stat_at(AT_FDCWD, path);
    }
    if (fd >= 0)
        close(fd);
}

static void cut_chain(struct lister *lister, uint32_t folder)
{
    uint32_t n = 0;
    for (uint32_t i = lister->folders.at[folder].first; i; i = lister->next[i - 1], n++)
        if (n % PIECE == 0)
            vec_push(&lister->pieces, ((struct piece){folder, i}));
}

static bool is_folder(const struct folder *folder, const char *path, size_t len)
{
    return folder->first && folder->path_len == len && !memcmp(folder->path, path, len);
}

/* The folder of a path, added if new; two with one hash may be added more than once. */
static uint32_t folder_of(struct lister *lister, struct map *by_path, const char *path, size_t len)
{
    uint32_t *found = map_at(by_path, hash_key(path, len));
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

struct fs_info fs_info_of(const char *path)
{
    return *path ? stat_at(AT_FDCWD, path) : no_info(ENOENT);
}

static void one_by_one(size_t n, void (*work)(void *user, size_t i), void *user)
{
    for (size_t i = 0; i < n; i++)
        work(user, i);
}

void fs_stat_many(const char *const *paths, size_t n, struct fs_info *out, fs_spread *spread)
{
    struct lister lister = {.paths = paths, .out = out};
    struct map by_path = {0};
    struct arena scratch = {0};
    uint32_t last = 0;
    spread = spread ? spread : one_by_one;
    lister.next = arena_array(&scratch, uint32_t, n);
    lister.name_at = arena_array(&scratch, uint32_t, n);
    vec_push(&lister.folders, (struct folder){0});
    for (size_t i = 0; i < n; i++) {
        out[i] = no_info(ENOENT);
        sort_in(&lister, &by_path, (uint32_t)i, &last);
    }
    spread(lister.folders.len - 1, list_folder, &lister);
    for (uint32_t i = 1; i < lister.folders.len; i++)
        cut_chain(&lister, i);
    spread(lister.pieces.len, stat_piece, &lister);
    vec_free(&lister.folders);
    vec_free(&lister.pieces);
    map_free(&by_path);
    arena_free(&scratch);
}
