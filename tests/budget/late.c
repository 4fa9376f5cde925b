// SPDX-License-Identifier: MIT
/* late.c: a file system whose answers take their time. Preloaded into a program: looking at a file
 * takes LATE_US microseconds more, however many threads look. Its children run without it. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static useconds_t late;

__attribute__((constructor)) static void begin(void)
{
    const char *us = getenv("LATE_US");
    late = us ? (useconds_t)atoi(us) : 0;
    unsetenv("LD_PRELOAD");
}

#define HANDED(name, parameters, ...)                                                              \
    int name parameters                                                                            \
    {                                                                                              \
        int(*real) parameters = (int(*) parameters)dlsym(RTLD_NEXT, #name);                        \
        usleep(late);                                                                              \
        return real(__VA_ARGS__);                                                                  \
    }

HANDED(stat64, (const char *path, struct stat64 *st), path, st)
HANDED(lstat64, (const char *path, struct stat64 *st), path, st)
HANDED(fstatat64, (int at, const char *path, struct stat64 *st, int flags), at, path, st, flags)
