// SPDX-License-Identifier: MIT
/* fs_copy.c: copies and moves, between file systems too. Links stay links; times and modes are
 * kept. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "base/path.h"

static bool copy_bytes(int from, int to)
{
    char block[64 << 10];
    for (;;) {
        ssize_t n = read(from, block, sizeof block), done = 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        while (done < n) {
            ssize_t k = write(to, block + done, (size_t)(n - done));
            if (k < 0 && errno != EINTR)
                return false;
            done += k > 0 ? k : 0;
        }
    }
}

/* A program that runs with its owner's rights would run with those of who copies it: only whose own
 * it is may have it so. */
static bool give_mode(int to, const struct stat *st)
{
    struct stat copy;
    mode_t mode = st->st_mode & 07777;
    if (fstat(to, &copy))
        return false;
    if (copy.st_uid != st->st_uid || copy.st_gid != st->st_gid)
        mode &= (mode_t) ~(S_ISUID | S_ISGID);
    return !fchmod(to, mode);
}

static bool copy_file(const char *from, const char *to, const struct stat *st)
{
    struct timespec times[2] = {st->st_atim, st->st_mtim};
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return false;
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = out >= 0 && copy_bytes(in, out) && give_mode(out, st) && !futimens(out, times);
    int error = errno;
    close(in);
    if (out >= 0 && close(out) && good) { /* some file systems find the room only now */
        good = false;
        error = errno;
    }
    errno = error;
    return good;
}

static bool copy_link(const char *from, const char *to)
{
    char target[4096];
    ssize_t n = readlink(from, target, sizeof target - 1);
    if (n < 0)
        return false;
    target[n] = '\0';
    unlink(to);
    return !symlink(target, to);
}

struct copy {
    const char *from, *to;
    struct arena scratch;
    int error; /* the first failure; 0: none */
};

static bool copy_one(const char *from, const char *to)
{
    struct stat st;
    if (lstat(from, &st))
        return false;
    if (S_ISLNK(st.st_mode))
        return copy_link(from, to);
    if (S_ISDIR(st.st_mode)) /* more is to be written into it */
        return fs_mkdirs(to) && !chmod(to, (st.st_mode & 07777) | 0700);
    if (!S_ISREG(st.st_mode)) /* a pipe is not read: that may never end */
        return !mknod(to, st.st_mode, st.st_rdev) && !chmod(to, st.st_mode & 07777);
    return copy_file(from, to, &st);
}

static bool copy_entry(void *user, const char *path, bool is_dir)
{
    struct copy *copy = user;
    if (!copy->error && !copy_one(path_join(&copy->scratch, copy->from, path),
                                  path_join(&copy->scratch, copy->to, path)))
        copy->error = errno;
    arena_reset(&copy->scratch);
    return is_dir && !copy->error;
}

bool fs_copy(const char *from, const char *to)
{
    struct copy copy = {.from = from, .to = to};
    struct fs_unread unread = {0};
    struct stat st;
    if (!copy_one(from, to) || lstat(from, &st))
        return false;
    bool walked = !S_ISDIR(st.st_mode) || fs_walk(from, false, copy_entry, &copy, &unread);
    arena_free(&copy.scratch);
    if (walked)
        errno = copy.error ? copy.error : unread.error;
    return walked && !errno;
}

/* A directory's mode may forbid what was still to be done in it: its copy gets it, and it can be
 * emptied. */
static bool pass_mode(const char *from, const char *to)
{
    struct stat st;
    return !lstat(from, &st) &&
           ((st.st_mode & 0700) == 0700 ||
            (!chmod(to, st.st_mode & 07777) && !chmod(from, (st.st_mode & 07777) | 0700)));
}

static bool pass_entry(void *user, const char *path, bool is_dir)
{
    struct copy *copy = user;
    if (is_dir && !pass_mode(path_join(&copy->scratch, copy->from, path),
                             path_join(&copy->scratch, copy->to, path)))
        copy->error = errno;
    arena_reset(&copy->scratch);
    return is_dir && !copy->error;
}

static bool pass_modes(const char *from, const char *to)
{
    struct copy copy = {.from = from, .to = to};
    struct stat st;
    bool none = !lstat(from, &st) && !S_ISDIR(st.st_mode);
    bool walked = none || (pass_mode(from, to) && fs_walk(from, false, pass_entry, &copy, NULL));
    arena_free(&copy.scratch);
    errno = walked ? copy.error : errno;
    return walked && !copy.error;
}

/* To another file system: nothing stands at the new place before it is whole. */
static bool move_far(const char *from, const char *to)
{
    struct arena in = {0};
    const char *part = part_beside(&in, to);
    bool good = fs_copy(from, part) && fs_move(part, to) && pass_modes(from, to);
    int error = errno;
    if (!good)
        fs_remove_tree(part);
    arena_free(&in);
    errno = error;
    return good && fs_remove_tree(from);
}

bool fs_move(const char *from, const char *to)
{
    if (!rename(from, to))
        return true;
    if (errno == EXDEV)
        return move_far(from, to);
    if (errno != EISDIR && errno != ENOTDIR && errno != ENOTEMPTY && errno != EEXIST)
        return false;
    return fs_remove_tree(to) && !rename(from, to);
}
