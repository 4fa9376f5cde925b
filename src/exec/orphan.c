// SPDX-License-Identifier: MIT
#include "exec/orphan.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/procfs.h"

/* "PID START NAMESPACE WORKDIR": START in clock ticks since boot, as pids are used again; NAMESPACE
 * is where PID names it. */
void orphan_mark(const char *workdir)
{
    struct arena in = {0};
    setenv(ORPHAN_MARK,
           arena_printf(&in, "%ld %llu %llu %s", (long)getpid(), process_started(getpid(), NULL),
                        process_namespace(), workdir),
           1);
    arena_free(&in);
}

/* The mark in an environment block of len bytes, or NULL. */
static const char *find_mark(const char *block, size_t len)
{
    for (const char *at = block; at < block + len; at += strlen(at) + 1)
        if (!strncmp(at, ORPHAN_MARK "=", sizeof ORPHAN_MARK))
            return at + sizeof ORPHAN_MARK;
    return NULL;
}

/* Whose orphans are looked for. */
struct search {
    const char *workdir;
    bool (*spares)(void *user, long owner);
    void *user;
};

static bool is_orphan(long pid, const struct search *search)
{
    struct arena in = {0};
    long owner;
    unsigned long long start, namespace;
    size_t len;
    int path = 0;
    const char *block = fs_read(&in, arena_printf(&in, "/proc/%ld/environ", pid), &len);
    const char *mark = block ? find_mark(block, len) : NULL;
    bool orphan = mark &&
                  sscanf(mark, "%ld %llu %llu %n", &owner, &start, &namespace, &path) == 3 &&
                  !strcmp(mark + path, search->workdir) && namespace == process_namespace() &&
                  process_has_ended(owner, start) && !search->spares(search->user, owner);
    arena_free(&in);
    return orphan;
}

static int kill_all(const struct search *search)
{
    DIR *proc = opendir("/proc");
    int n = 0;
    for (struct dirent *entry; proc && (entry = readdir(proc));) {
        long pid = strtol(entry->d_name, NULL, 10);
        if (pid > 1 && pid != getpid() && is_orphan(pid, search)) {
            kill((pid_t)pid, SIGKILL);
            n++;
        }
    }
    if (proc)
        closedir(proc);
    return n;
}

int orphan_kill(const char *workdir, bool (*spares)(void *user, long owner), void *user)
{
    struct search search = {workdir, spares, user};
    int first = kill_all(&search), left = first;
    /* what a dying process has just started is found in the next round */
    for (int i = 0; left && i < 200; i++) {
        clock_sleep(10000000);
        left = kill_all(&search);
    }
    return first;
}
