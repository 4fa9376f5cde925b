// SPDX-License-Identifier: MIT
/* fs.c: files and directories. Trees are read through directory descriptors, so that nothing is
 * resolved twice and a link put in place meanwhile leads nowhere. */
#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/part.h"
#include "base/path.h"

bool fs_read_all(int fd, struct buf *into)
{
    for (;;) {
        char *at = buf_room(into, (64 << 10) + 1);
        ssize_t n = read(fd, at, 64 << 10);
        if (n > 0)
            into->len += (size_t)n;
        at[n > 0 ? n : 0] = 0;
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
    }
}

char *fs_read(struct arena *in, const char *path, size_t *len)
{
    struct stat st;
    struct buf bytes = {0};
    char *text = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode))
        buf_room(&bytes, (size_t)st.st_size + (64 << 10) + 1);
    if (fs_read_all(fd, &bytes)) {
        text = arena_copy(in, bytes.at, bytes.len);
        if (len)
            *len = bytes.len;
    }
    int error = errno;
    close(fd);
    buf_free(&bytes);
    errno = error;
    return text;
}

char *fs_read_tail(struct arena *in, const char *path, uint32_t lines)
{
    enum { MOST = 64 << 10 };
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    char *text = arena_alloc(in, MOST + 1);
    if (!fseek(file, 0, SEEK_END) && ftell(file) > MOST)
        fseek(file, -MOST, SEEK_END);
    else
        rewind(file);
    size_t n = fread(text, 1, MOST, file);
    bool good = !ferror(file);
    fclose(file);
    while (n && (text[n - 1] == '\n' || !text[n - 1]))
        n--;
    text[n] = '\0';
    size_t from = n;
    while (from && !(text[from - 1] == '\n' && !--lines))
        from--;
    return good ? text + from : NULL;
}

int fs_digest(const char *path, enum digest kind, uint8_t out[32])
{
    enum { BLOCK = 64 << 10 };
    struct hasher hasher;
    struct buf block = {0};
    char *bytes = buf_room(&block, BLOCK);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 1;
    hasher_start(&hasher, kind);
    while (n > 0 || (fd >= 0 && n < 0 && errno == EINTR))
        if ((n = read(fd, bytes, BLOCK)) > 0)
            hasher_add(&hasher, bytes, (size_t)n);
    int error = errno;
    if (fd >= 0)
        close(fd);
    buf_free(&block);
    errno = error;
    return n ? 0 : hasher_end(&hasher, out);
}

bool fs_write_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

bool fs_write(const char *path, const void *bytes, size_t len)
{
    struct arena scratch = {0};
    const char *part = part_beside(&scratch, path);
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && fs_write_all(fd, bytes, len) && !fsync(fd);
    if (fd >= 0)
        good = !close(fd) && good;
    good = good && !rename(part, path);
    int error = errno;
    if (!good && fd >= 0)
        unlink(part);
    arena_free(&scratch);
    errno = error;
    return good;
}

bool fs_write_new(const char *path, const void *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    bool good = fs_write_all(fd, bytes, len);
    int error = errno;
    if (close(fd) && good) {
        good = false;
        error = errno;
    }
    if (!good)
        unlink(path);
    errno = error;
    return good;
}

bool fs_exists(const char *path)
{
    struct stat st;
    return !stat(path, &st);
}

bool fs_is_dir(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool fs_is_protected(const char *path)
{
    struct stat st;
    return !lstat(path, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) &&
           (!(st.st_mode & 0222) || access(path, W_OK));
}

/* Some file systems say "read-only" or "not permitted" of a directory that is there. One that was
 * there and is gone by now is missing, unless another process has made it again meanwhile. */
static bool make_dir(const char *path)
{
    struct stat st = {0};
    if (!mkdir(path, 0777))
        return true;
    int error = errno;
    if (fs_is_dir(path))
        return true;
    bool missing = lstat(path, &st) && errno == ENOENT;
    if (error == EEXIST && !missing && S_ISDIR(st.st_mode))
        return true;
    errno = error != EEXIST ? error : missing ? ENOENT : ENOTDIR;
    return false;
}

bool fs_mkdirs(const char *path)
{
    if (!path[0] || make_dir(path))
        return true;
    if (errno != ENOENT)
        return false;
    struct arena scratch = {0};
    char *parent = path_dirname(&scratch, path);
    bool good = strcmp(parent, path) && fs_mkdirs(parent) && make_dir(path);
    int error = errno;
    arena_free(&scratch);
    errno = error;
    return good;
}

bool fs_make_parent(const char *path)
{
    struct arena scratch = {0};
    const char *parent = path_dirname(&scratch, path);
    bool good = !*parent || fs_is_dir(parent) || fs_mkdirs(parent); /* most often it is there */
    int error = errno;
    arena_free(&scratch);
    errno = error;
    return good;
}

/* ---- what another machine has made ---- */

static bool ask_server(int at, const char *path, int flags)
{
    struct statx st;
    return !statx(at, path, flags | AT_STATX_FORCE_SYNC, STATX_BASIC_STATS, &st);
}

/* A name that is remembered as absent is asked for again once its folder is known to have changed,
 * so that of a folder that is absent its own comes first. */
void fs_renew(const char *path)
{
    struct arena scratch = {0};
    const char *parent = path_dirname(&scratch, path);
    int error = errno;
    if (!ask_server(AT_FDCWD, *parent ? parent : ".", 0) && *parent && strcmp(parent, path))
        fs_renew(parent);
    ask_server(AT_FDCWD, path, 0);
    arena_free(&scratch);
    errno = error;
}

DIR *fs_dir(int take_fd)
{
    DIR *dir = take_fd < 0 ? NULL : fdopendir(take_fd);
    int error = errno;
    if (dir)
        ask_server(take_fd, "", AT_EMPTY_PATH);
    else if (take_fd >= 0)
        close(take_fd);
    errno = error;
    return dir;
}

DIR *fs_opendir(const char *path)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    int fd = open(path, flags);
    if (fd < 0 && errno == ENOENT) {
        fs_renew(path);
        fd = open(path, flags);
    }
    return fs_dir(fd);
}

/* ---- trees ---- */

/* What unlinkat has refused to remove, and why: most often a directory. The only recursion over
 * directories: as deep as the tree, and a path is at most PATH_MAX long. */
static bool remove_refused(int at, const char *name, int refusal)
{
    errno = refusal;
    if (refusal != EISDIR && refusal != EPERM)
        return refusal == ENOENT;
    DIR *dir = fs_dir(openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!dir) {
        errno = errno == ENOTDIR || errno == ELOOP ? refusal : errno; /* no directory at all */
        return false;
    }
    bool good = true;
    for (const struct dirent *entry; good && (entry = fs_entry(dir));)
        good = !unlinkat(dirfd(dir), entry->d_name, 0) ||
               remove_refused(dirfd(dir), entry->d_name, errno);
    int error = errno;
    good = good && !error;
    closedir(dir);
    errno = error;
    return good && !unlinkat(at, name, AT_REMOVEDIR);
}

bool fs_holds_cwd(const char *path)
{
    char *real = realpath(path, NULL), *cwd = getcwd(NULL, 0);
    bool holds = real && cwd && (!strcmp(real, "/") || path_inside(cwd, real));
    free(real);
    free(cwd);
    return holds;
}

bool fs_remove_tree(const char *path)
{
    if (!unlinkat(AT_FDCWD, path, 0) || errno == ENOENT)
        return true;
    int refusal = errno;
    return remove_refused(AT_FDCWD, path, fs_holds_cwd(path) ? EBUSY : refusal);
}

int64_t fs_mtime(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

bool fs_touch(const char *path, int64_t ns, bool follow)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    if (ns) {
        int64_t rest = ns % 1000000000;
        times[0].tv_nsec = (long)(rest < 0 ? rest + 1000000000 : rest);
        times[0].tv_sec = (time_t)(ns / 1000000000 - (rest < 0));
        times[1] = times[0];
    }
    return !utimensat(AT_FDCWD, path, times, follow ? 0 : AT_SYMLINK_NOFOLLOW);
}

char *fs_find_cwd(struct arena *in)
{
    char *cwd = getcwd(NULL, 0);
    char *copy = cwd ? arena_str(in, cwd) : NULL;
    free(cwd);
    return copy;
}

char *fs_cwd(struct arena *in)
{
    char *cwd = fs_find_cwd(in);
    if (!cwd)
        out_of_means("find the current directory", errno);
    return cwd;
}

bool fs_is_screen(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) && term && strcmp(term, "dumb");
}

bool fs_has_colors(int fd)
{
    const char *without = getenv("NO_COLOR");
    return fs_is_screen(fd) && !(without && *without);
}

const char *fs_user_config(struct arena *in)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    return config && *config ? arena_str(in, config)
                             : arena_printf(in, "%s/.config", home ? home : "");
}

const char *fs_hostname(void)
{
    static char name[256];
    if (!name[0] && (gethostname(name, sizeof name - 1) || !name[0]))
        strcpy(name, "localhost");
    return name;
}

const char *fs_username(void)
{
    static char name[256];
    if (!name[0]) {
        const struct passwd *entry = getpwuid(getuid());
        const char *from = entry ? entry->pw_name : getenv("USER");
        snprintf(name, sizeof name, "%s", from && *from ? from : "unknown");
    }
    return name;
}
