// SPDX-License-Identifier: MIT
/* unseen.c: a network file system, which remembers for long what was not there. Preloaded into a
 * program: a name that was looked for in vain stays absent, whoever makes it, until the program
 * makes it itself or asks the server about the folder (statx with AT_STATX_FORCE_SYNC), as on NFS.
 * With UNSEEN_DEAF the server is never asked. The program's children, which run without it, are the
 * other machines. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 4096 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *absent[MOST]; /* absolute paths, NULL: a free place */
static bool deaf;

__attribute__((constructor)) static void begin(void)
{
    deaf = getenv("UNSEEN_DEAF");
    unsetenv("LD_PRELOAD");
}

/* The absolute path of a name below at; an empty name is at itself. */
static void find_whole(int at, const char *name, char whole[2 * PATH_MAX])
{
    char link[64], folder[PATH_MAX] = "";
    ssize_t n = 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    if (*name != '/' && at == AT_FDCWD && getcwd(folder, sizeof folder))
        n = (ssize_t)strlen(folder);
    else if (*name != '/' && at != AT_FDCWD)
        n = readlink(link, folder, sizeof folder - 1);
    folder[n > 0 ? n : 0] = '\0';
    if (!strcmp(name, "."))
        name = "";
    snprintf(whole, 2 * PATH_MAX, "%s%s%s", folder, *name && n > 0 ? "/" : "", name);
}

static bool is_in(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && path[n] == '/' && !strchr(path + n + 1, '/');
}

/* Forgets a name, and with folder what is in it. */
static void forget(int at, const char *name, bool folder)
{
    char whole[2 * PATH_MAX];
    find_whole(at, name, whole);
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < MOST; i++)
        if (absent[i] && (folder ? is_in(absent[i], whole) : !strcmp(absent[i], whole))) {
            free(absent[i]);
            absent[i] = NULL;
        }
    pthread_mutex_unlock(&mutex);
}

static bool is_absent(int at, const char *name)
{
    char whole[2 * PATH_MAX];
    bool found = false;
    find_whole(at, name, whole);
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < MOST && !found; i++)
        found = absent[i] && !strcmp(absent[i], whole);
    pthread_mutex_unlock(&mutex);
    errno = found ? ENOENT : errno;
    return found;
}

/* result, which is remembered if it says that there is no such name. */
static int note(int at, const char *name, int result)
{
    char whole[2 * PATH_MAX];
    int error = errno;
    if (result >= 0 || error != ENOENT)
        return result;
    find_whole(at, name, whole);
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < MOST; i++)
        if (!absent[i]) {
            absent[i] = strdup(whole);
            break;
        }
    pthread_mutex_unlock(&mutex);
    errno = error;
    return result;
}

#define REAL(name, ...) ((int (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

/* ---- looking ---- */

#define LOOK(name, at, parameters, types, ...)                                                     \
    int name parameters                                                                            \
    {                                                                                              \
        return is_absent(at, path) ? -1 : note(at, path, REAL(name, types)(__VA_ARGS__));          \
    }
#define TYPES(...) __VA_ARGS__

LOOK(stat64, AT_FDCWD, (const char *path, struct stat64 *st), TYPES(const char *, struct stat64 *),
     path, st)
LOOK(lstat64, AT_FDCWD, (const char *path, struct stat64 *st), TYPES(const char *, struct stat64 *),
     path, st)
LOOK(fstatat64, at, (int at, const char *path, struct stat64 *st, int flags),
     TYPES(int, const char *, struct stat64 *, int), at, path, st, flags)
LOOK(access, AT_FDCWD, (const char *path, int mode), TYPES(const char *, int), path, mode)
LOOK(unlink, AT_FDCWD, (const char *path), TYPES(const char *), path)

int statx(int at, const char *path, int flags, unsigned mask, struct statx *st)
{
    if (is_absent(at, path))
        return -1;
    if (flags & AT_STATX_FORCE_SYNC && !deaf)
        forget(at, path, true);
    return note(
        at, path,
        REAL(statx, int, const char *, int, unsigned, struct statx *)(at, path, flags, mask, st));
}

/* ---- making ---- */

static int open_at(int at, const char *path, int flags, mode_t mode)
{
    if (flags & O_CREAT)
        forget(at, path, false);
    else if (is_absent(at, path))
        return -1;
    return note(at, path, REAL(openat64, int, const char *, int, ...)(at, path, flags, mode));
}

#define MODE_OF(flags)                                                                             \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                      \
    va_end(rest)

int open64(const char *path, int flags, ...)
{
    MODE_OF(flags);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...)
{
    MODE_OF(flags);
    return open_at(at, path, flags, mode);
}

int mkdir(const char *path, mode_t mode)
{
    forget(AT_FDCWD, path, false);
    return REAL(mkdir, const char *, mode_t)(path, mode);
}

int rename(const char *from, const char *to)
{
    forget(AT_FDCWD, to, false);
    return REAL(rename, const char *, const char *)(from, to);
}

int link(const char *from, const char *to)
{
    forget(AT_FDCWD, to, false);
    return REAL(link, const char *, const char *)(from, to);
}

FILE *fopen64(const char *path, const char *mode)
{
    if (*mode == 'r' && is_absent(AT_FDCWD, path))
        return NULL;
    if (*mode != 'r')
        forget(AT_FDCWD, path, false);
    FILE *file = ((FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen64"))(path, mode);
    note(AT_FDCWD, path, file ? 0 : -1);
    return file;
}
