// SPDX-License-Identifier: MIT
/* fs.h: files and directories. Functions return false (or NULL) with errno set; the caller says
 * what was being attempted. */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"

/* The whole file, NUL-terminated, in the arena; its length in *len (may be NULL). */
char *fs_read(struct arena *in, const char *path, size_t *len);
/* Its last lines, of at most 64 KiB, without the final newline; NULL if it cannot be read. */
char *fs_read_tail(struct arena *in, const char *path, uint32_t lines);
/* Adds what a descriptor (a file, a pipe, a socket) still gives to into, NUL-terminated. */
bool fs_read_all(int fd, struct buf *into);
/* Writes all of it to a descriptor. False with errno. */
bool fs_write_all(int fd, const char *bytes, size_t len);
/* The digest of what a file holds, however large, and its length; 0 if it cannot be read. */
int fs_digest(const char *path, enum digest kind, uint8_t out[32]);
/* Writes under another name (part.h), flushes to disk, renames. */
bool fs_write(const char *path, const void *bytes, size_t len);
/* Makes a file that must not be there yet, which no two processes do. False with errno: there is
 * none, or none of ours. */
bool fs_write_new(const char *path, const void *bytes, size_t len);
bool fs_exists(const char *path); /* follows links; a broken link does not exist */
bool fs_is_dir(const char *path);
/* Whether an errno says that a path is not there or out of reach: those of disks and networks say
 * that nobody knows. */
bool fs_is_absent(int error);
/* What is told of such a path, in the arena: "cannot find out whether 'shown' exists: why". */
const char *fs_unknown_text(struct arena *in, const char *shown, const char *why);
/* Whether a file or directory (never a link) is not to be overwritten: nobody may write it, or this
 * user may not. */
bool fs_is_protected(const char *path);
/* mkdir -p; true if it exists afterwards. */
bool fs_mkdirs(const char *path);
/* mkdir -p of the directory that will hold path. */
bool fs_make_parent(const char *path);
/* rm -rf; true if it is gone afterwards; never follows links out of the tree, nor removes one that
 * holds the current directory (EBUSY). */
bool fs_remove_tree(const char *path);
/* Whether a directory is the current one, or above it. */
bool fs_holds_cwd(const char *path);
/* Copies a file, link or tree with the times of its files and its modes; links stay links. */
bool fs_copy(const char *from, const char *to);
/* Moves one over what is there, also to another file system. */
bool fs_move(const char *from, const char *to);
/* Modification time in nanoseconds since the epoch. */
int64_t fs_mtime(const struct stat *st);
/* Sets access and modification time to now (or to ns, if not 0); follow: the link's target. */
bool fs_touch(const char *path, int64_t ns, bool follow);

/* Has the file system ask its server what is at a path and in its folder. On NFS, what another
 * machine has made there may stay unseen for a minute otherwise. */
void fs_renew(const char *path);
/* opendir, and fdopendir (the descriptor, or -1, is taken): with the entries that the server knows
 * now. NULL with errno. */
DIR *fs_opendir(const char *path);
DIR *fs_dir(int take_fd);
/* The next entry of a directory but "." and ".."; NULL at its end, with errno 0, or where it cannot
 * be read on. */
struct dirent *fs_entry(DIR *dir);

/* Folders that a walk could not read. */
struct fs_unread {
    uint32_t n;
    int error;       /* of the first, or of the first that is not just out of reach: an errno */
    char path[1024]; /* the first, relative to the root ("" is the root), cut off if longer */
};
/* Counts one, an errno being why; one that is gone by now is none. */
void fs_unread_note(struct fs_unread *unread, const char *path, int error);
/* "cannot read 'root/path': Permission denied", and how many more; in the arena. */
const char *fs_unread_text(const struct fs_unread *unread, const char *root, struct arena *in);

/* Walks a tree. For each entry visit(user, path relative to root, is_dir); returning false prunes a
 * directory. Entries of a directory come in the order of the directory; follow: through links to
 * directories (loops are cut). What cannot be read is passed over and noted in *unread, which may
 * be NULL: then it does not matter. False with errno: root could not be read. */
typedef bool fs_visit(void *user, const char *path, bool is_dir);
bool fs_walk(const char *root, bool follow, fs_visit *visit, void *user, struct fs_unread *unread);

/* Time and existence of a file, or of many at once: one directory read where that is cheaper than a
 * stat a file. mtime is -1 where there is none, and of the empty path. */
struct fs_info {
    int64_t mtime; /* ns; for a link the later of the link's and its target's; -1: absent */
    int64_t size;
    uint32_t mode;
    bool is_link; /* size and mode are its target's */
    /* an errno if nobody knows whether it is there (fs_is_absent); it counts as absent then */
    uint8_t error;
    int64_t own; /* a link's own time */
};
/* What stat says of a path; not there: exists is false. */
struct fs_info fs_info_of(const char *path);
/* spread: calls work(user, i) for each i < n, some of them at a time if it likes; NULL: one after
 * the other. */
typedef void fs_spread(size_t n, void (*work)(void *user, size_t i), void *user);
/* The same of many at once; spread: how the work is shared, NULL: not. */
void fs_stat_many(const char *const *paths, size_t n, struct fs_info *out, fs_spread *spread);

/* The current directory, in the arena; fs_find_cwd: NULL with errno if it is not there any more,
 * fs_cwd: then the program ends (out_of_means). */
char *fs_find_cwd(struct arena *in);
char *fs_cwd(struct arena *in);
/* Whether a descriptor is a terminal that can move its cursor. */
bool fs_is_screen(int fd);
/* Whether it is one whose text is to have colours: TERM is not dumb, NO_COLOR not set. */
bool fs_has_colors(int fd);
/* Where a user's programs keep their settings: $XDG_CONFIG_HOME, else ~/.config; in the arena. */
const char *fs_user_config(struct arena *in);
/* The host's name, and the user's, in static storage. */
const char *fs_hostname(void);
const char *fs_username(void);
