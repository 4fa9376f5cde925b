// SPDX-License-Identifier: MIT
/* failing.c: lets one call of the C library fail, for tests/crash/faults. Preloaded into a program:
 *
 *     KINTSUGI_FAIL=CALL:ERRNO:N   the N-th call of CALL gives that error; N 0: they are counted
 *     KINTSUGI_FAIL_LOG=FILE       "calls N" at the end, and before it what failed
 *
 * read and write count on regular files alone: a pipe of the event loop does not fail. The
 * program's children run without it. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char wanted[32];
static int error_code;
static unsigned long number, calls;
static int log_fd = -1;
static pid_t self;

__attribute__((constructor)) static void begin(void)
{
    const char *fail = getenv("KINTSUGI_FAIL"), *path = getenv("KINTSUGI_FAIL_LOG");
    int (*open_it)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT,
                                                                                    "open64");
    if (!fail || !path || sscanf(fail, "%31[^:]:%d:%lu", wanted, &error_code, &number) != 3)
        return;
    log_fd = open_it(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    self = getpid();
    unsetenv("KINTSUGI_FAIL");
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
    if (log_fd >= 0 && getpid() == self)
        dprintf(log_fd, "calls %lu\n", calls);
}

/* libuv itself ends the program where it gets no memory. */
static bool is_from_libuv(const void *caller)
{
    Dl_info from;
    return caller && dladdr(caller, &from) && from.dli_fname && strstr(from.dli_fname, "libuv");
}

/* caller: an address in the code that asks for memory, else NULL. */
static bool fails_for(const void *caller, const char *call, const char *what)
{
    if (log_fd < 0 || strcmp(call, wanted) || getpid() != self || ++calls != number ||
        is_from_libuv(caller))
        return false;
    int fd = log_fd;
    log_fd = -1; /* writing the log is no call of the program */
    dprintf(fd, "failed %s %s\n", call, what);
    log_fd = fd;
    errno = error_code;
    return true;
}

static bool fails(const char *call, const char *what)
{
    return fails_for(NULL, call, what);
}

static bool is_file(int fd)
{
    static int (*look)(int, struct stat64 *);
    struct stat64 st;
    if (!look)
        look = (int (*)(int, struct stat64 *))dlsym(RTLD_NEXT, "fstat64");
    return !look(fd, &st) && S_ISREG(st.st_mode);
}

/* A call that is handed on unless it fails. */
#define HANDED(type, name, bad, what, parameters, ...)                                             \
    type name parameters                                                                           \
    {                                                                                              \
        static type(*real) parameters;                                                             \
        if (!real)                                                                                 \
            real = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                    \
        return fails(#name, what) ? (bad) : real(__VA_ARGS__);                                     \
    }

/* The same on a descriptor: of regular files alone. */
#define HANDED_FILE(type, name, parameters, ...)                                                   \
    type name parameters                                                                           \
    {                                                                                              \
        static type(*real) parameters;                                                             \
        if (!real)                                                                                 \
            real = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                    \
        return !strcmp(#name, wanted) && is_file(fd) && fails(#name, "") ? -1 : real(__VA_ARGS__); \
    }

HANDED_FILE(ssize_t, read, (int fd, void *to, size_t n), fd, to, n)
HANDED_FILE(ssize_t, write, (int fd, const void *from, size_t n), fd, from, n)
HANDED_FILE(ssize_t, pread64, (int fd, void *to, size_t n, off64_t at), fd, to, n, at)
HANDED_FILE(ssize_t, pwrite64, (int fd, const void *from, size_t n, off64_t at), fd, from, n, at)
HANDED_FILE(int, fsync, (int fd), fd)
HANDED_FILE(int, fdatasync, (int fd), fd)
HANDED_FILE(int, ftruncate64, (int fd, off64_t len), fd, len)
HANDED_FILE(int, fstat64, (int fd, struct stat64 *st), fd, st)

HANDED(int, stat64, -1, path, (const char *path, struct stat64 *st), path, st)
HANDED(int, lstat64, -1, path, (const char *path, struct stat64 *st), path, st)
HANDED(int, fstatat64, -1, path, (int at, const char *path, struct stat64 *st, int flags), at, path,
       st, flags)
HANDED(int, access, -1, path, (const char *path, int mode), path, mode)
HANDED(int, rename, -1, to, (const char *from, const char *to), from, to)
HANDED(int, link, -1, to, (const char *from, const char *to), from, to)
HANDED(int, symlink, -1, to, (const char *from, const char *to), from, to)
HANDED(ssize_t, readlink, -1, path, (const char *path, char *to, size_t n), path, to, n)
HANDED(int, mkdir, -1, path, (const char *path, mode_t mode), path, mode)
HANDED(int, rmdir, -1, path, (const char *path), path)
HANDED(int, unlink, -1, path, (const char *path), path)
HANDED(int, unlinkat, -1, path, (int at, const char *path, int flags), at, path, flags)
HANDED(int, chmod, -1, path, (const char *path, mode_t mode), path, mode)
HANDED(int, utimensat, -1, path,
       (int at, const char *path, const struct timespec times[2], int flags), at, path, times,
       flags)
HANDED(char *, getcwd, NULL, "", (char *to, size_t n), to, n)
HANDED(DIR *, opendir, NULL, path, (const char *path), path)
HANDED(DIR *, fdopendir, NULL, "", (int fd), fd)
HANDED(struct dirent64 *, readdir64, NULL, "", (DIR * dir), dir)
HANDED(FILE *, fopen64, NULL, path, (const char *path, const char *mode), path, mode)
HANDED(int, pipe2, -1, "", (int fds[2], int flags), fds, flags)

/* Its caller cannot go on behind a function that has returned: here it is a fork. */
pid_t vfork(void)
{
    return fails("vfork", "") ? -1 : fork();
}

int open64(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (!real)
        real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
    return fails("open64", path) ? -1 : real(path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...)
{
    static int (*real)(int, const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (!real)
        real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat64");
    return fails("openat64", path) ? -1 : real(at, path, flags, mode);
}

/* dlsym itself asks for memory: glibc's own names lead to its functions. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t n);

void *malloc(size_t n)
{
    return fails_for(__builtin_return_address(0), "malloc", "") ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails_for(__builtin_return_address(0), "calloc", "") ? NULL : __libc_calloc(n, size);
}

void *realloc(void *at, size_t n)
{
    return fails_for(__builtin_return_address(0), "realloc", "") ? NULL : __libc_realloc(at, n);
}
