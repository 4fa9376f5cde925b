// SPDX-License-Identifier: MIT
#include "base/part.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/path.h"
#include "base/procfs.h"

static const char start_of_all[] = ".part-";

static uint64_t hash_text(const char *text)
{
    return hash_bytes(text, strlen(text));
}

/* Of this machine since its start, and the set of processes that this one sees; 0: not known. */
static uint64_t where(void)
{
    static uint64_t here;
    char boot[PROCESS_BOOT_SIZE], text[PROCESS_BOOT_SIZE + 24];
    if (here || !process_boot(boot))
        return here;
    snprintf(text, sizeof text, "%s %llu", boot, process_namespace());
    return here = hash_text(text);
}

const char *part_beside(struct arena *in, const char *path)
{
    static uint64_t own; /* machines may have the same name, and processes there the same pid */
    static unsigned long long start;
    static pid_t pid;
    if (!own && getrandom(&own, sizeof own, 0) != (ssize_t)sizeof own)
        own = (uint64_t)clock_wall_ns();
    if (pid != getpid()) {
        pid = getpid();
        start = process_started(pid, NULL);
    }
    const char *of = arena_printf(in, "%s %ld %llx %s", fs_hostname(), (long)pid,
                                  (unsigned long long)own, path);
    return path_join(in, path_dirname(in, path),
                     arena_printf(in, "%s%016llx-%016llx-%ld-%llu", start_of_all,
                                  (unsigned long long)hash_text(of), (unsigned long long)where(),
                                  (long)pid, start));
}

bool part_is_one(const char *path)
{
    return !strncmp(path_basename(path), start_of_all, strlen(start_of_all));
}

bool part_is_left(const char *path)
{
    unsigned long long there, start;
    long pid;
    if (!part_is_one(path) ||
        sscanf(path_basename(path) + strlen(start_of_all), "%*16[0-9a-f]-%16llx-%ld-%llu", &there,
               &pid, &start) != 3 ||
        !start || !there || there != where())
        return false;
    return process_has_ended(pid, start);
}
