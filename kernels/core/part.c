// SPDX-License-Identifier: MIT
// part.c: files that appear under their name when they are whole.
#include "core/part.h"
#include "core/hash.h"
#include "core/text.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LEFT_DAYS = 7 }; /* no process is silent for that long */

static const char ending[] = ".part";

/* ---- whose it is ----------------------------------------------------------------------------- */

/* Of this machine since its start, and the set of processes that this one sees; 0: not known. */
static uint64_t where(void)
{
    char boot[80];
    struct stat st;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    size_t n = file ? fread(boot, 1, sizeof boot, file) : 0;
    if (file)
        fclose(file);
    if (!n || stat("/proc/self/ns/pid", &st))
        return 0;
    uint64_t hash = kin_hash_more(KIN_HASH, boot, n);
    return kin_hash_more(hash, &st.st_ino, sizeof st.st_ino);
}

/* When a process was started, in clock ticks since boot: with its pid, which is used again, it
 * names one process. 0: nobody can tell. Of its main thread: a process that is emulated (qemu) is
 * shown another time for itself. */
static unsigned long long started(long pid, bool *dead)
{
    char path[64], text[1024] = "";
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", pid, pid);
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[n] = 0;
    char *at = strrchr(text, ')'); /* the name may hold anything */
    *dead = at && (!strncmp(at, ") Z", 3) || !strncmp(at, ") X", 3));
    /* Behind the name: state is field 3, starttime field 22. */
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at, NULL, 10) : 0;
}

/* That the system hides a process does not make it one that has ended. */
static bool has_ended(long pid, unsigned long long start)
{
    bool dead;
    unsigned long long now = started(pid, &dead);
    return dead || (now && now != start) || (kill((pid_t)pid, 0) && errno == ESRCH);
}

bool kin_is_taken(const char *path)
{
    struct stat st;
    return !lstat(path, &st) || (errno != ENOENT && errno != ENOTDIR);
}

char *kin_part_name(const char *path)
{
    static atomic_uint count;
    bool dead;
    long pid = getpid();
    char *name;
    int n = asprintf(&name, "%s.%016" PRIx64 "-%ld-%llx-%u%s", path, where(), pid,
                     started(pid, &dead), count++, ending);
    return n < 0 ? NULL : name;
}

/* Whether nobody will finish the file of that name. */
static bool is_left(const char *name, const char *path)
{
    const char *end = name + strlen(name) - strlen(ending), *dot = end;
    uint64_t there;
    unsigned long long start;
    struct stat st;
    long pid;
    while (dot > name && *--dot != '.')
        ;
    if (sscanf(dot, ".%16" SCNx64 "-%ld-%llx-", &there, &pid, &start) == 3 && there && start &&
        there == where())
        return has_ended(pid, start);
    return !lstat(path, &st) && S_ISREG(st.st_mode) &&
           difftime(time(NULL), st.st_mtime) > LEFT_DAYS * 86400.0;
}

void kin_part_sweep(const char *dir)
{
    char path[4400];
    DIR *open = opendir(dir);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        if (text_ends_in(entry->d_name, ending) && is_left(entry->d_name, path))
            unlink(path);
    }
    if (open)
        closedir(open);
}

/* ---- a file ---------------------------------------------------------------------------------- */

static void part_free(struct kin_part *part)
{
    free(part->path);
    free(part->name);
    *part = (struct kin_part){0};
}

bool kin_part_open(struct kin_part *part, const char *path, struct kin_error *err)
{
    *part = (struct kin_part){.path = strdup(path), .name = kin_part_name(path)};
    if (!part->path || !part->name)
        kin_fail(err, KIN_MEMORY, "%s: no memory to write it", path);
    else if (!(part->file = fopen(part->name, "w")))
        kin_fail(err, KIN_IO, "%s: %s", path, strerror(errno));
    bool good = part->file;
    if (!good)
        part_free(part);
    return good;
}

bool kin_part_close(struct kin_part *part, bool good, struct kin_error *err)
{
    good = good && !ferror(part->file) && !fflush(part->file) && !fsync(fileno(part->file));
    int why = errno;
    if (fclose(part->file) && good) {
        good = false;
        why = errno;
    }
    if (good && rename(part->name, part->path)) {
        good = false;
        why = errno;
    }
    if (!good) {
        unlink(part->name);
        kin_fail(err, KIN_IO, "%s: %s", part->path,
                 why ? strerror(why) : "it could not be written");
    }
    part_free(part);
    return good;
}

bool kin_write_text(const char *path, const char *text, struct kin_error *err)
{
    struct kin_part part;
    return kin_part_open(&part, path, err) &&
           kin_part_close(&part, fputs(text, part.file) >= 0, err);
}
