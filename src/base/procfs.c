// SPDX-License-Identifier: MIT
#include "base/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"

/* Of its main thread: a process that is emulated (qemu) is shown another time for itself. */
unsigned long long process_started(long pid, bool *dead)
{
    struct arena scratch = {0};
    const char *path = arena_printf(&scratch, "/proc/%ld/task/%ld/stat", pid, pid);
    const char *stat = fs_read(&scratch, path, NULL);
    const char *at = stat ? strrchr(stat, ')') : NULL; /* the name may hold anything */
    if (dead)
        *dead = at && (!strncmp(at, ") Z", 3) || !strncmp(at, ") X", 3));
    /* Behind the name: state is field 3, starttime field 22. */
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    unsigned long long start = at ? strtoull(at, NULL, 10) : 0;
    arena_free(&scratch);
    return start;
}

bool process_has_ended(long pid, unsigned long long start)
{
    bool dead;
    unsigned long long now = process_started(pid, &dead);
    if (now)
        return dead || (start && now != start);
    return kill((pid_t)pid, 0) && errno == ESRCH;
}

bool process_user(long pid, uid_t *user)
{
    struct arena scratch = {0};
    const char *status = fs_read(&scratch, arena_printf(&scratch, "/proc/%ld/status", pid), NULL);
    const char *line = status ? strstr(status, "\nUid:") : NULL;
    unsigned number;
    bool known = line && sscanf(line, "\nUid: %u", &number) == 1;
    if (known)
        *user = number;
    arena_free(&scratch);
    return known;
}

static bool is_alive_in(long pid, long group)
{
    struct arena scratch = {0};
    const char *stat = fs_read(&scratch, arena_printf(&scratch, "/proc/%ld/stat", pid), NULL);
    const char *at = stat ? strrchr(stat, ')') : NULL;
    char state;
    long its_group;
    bool alive = at && sscanf(at, ") %c %*d %ld", &state, &its_group) == 2 && its_group == group &&
                 state != 'Z' && state != 'X';
    arena_free(&scratch);
    return alive;
}

/* The system counts those, too, that have ended and whose parent has not asked for their status,
 * which in some containers nobody ever does. */
bool process_group_lives(long group)
{
    if (kill((pid_t)-group, 0) && errno == ESRCH)
        return false;
    DIR *proc = opendir("/proc");
    bool alive = !proc;
    for (struct dirent *entry; !alive && proc && (entry = readdir(proc));) {
        long pid = strtol(entry->d_name, NULL, 10);
        alive = pid > 0 && is_alive_in(pid, group);
    }
    if (proc)
        closedir(proc);
    return alive;
}

bool process_boot(char out[PROCESS_BOOT_SIZE])
{
    struct arena scratch = {0};
    const char *id = fs_read(&scratch, "/proc/sys/kernel/random/boot_id", NULL);
    snprintf(out, PROCESS_BOOT_SIZE, "%.*s", id ? (int)strcspn(id, "\n") : 0, id ? id : "");
    arena_free(&scratch);
    return *out;
}

unsigned long long process_namespace(void)
{
    struct stat st;
    return stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
}
