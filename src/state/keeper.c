// SPDX-License-Identifier: MIT
#include "state/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "base/procfs.h"

static void read_boot(char out[PROCESS_BOOT_SIZE])
{
    if (!process_boot(out))
        snprintf(out, PROCESS_BOOT_SIZE, "-");
}

/* Makes a file that must not be there yet, as a whole: one without its text would never be known as
 * left by a process that is gone. */
static bool write_whole(struct arena *in, const char *path, const char *text)
{
    const char *part = part_beside(in, path);
    struct stat st;
    unlink(part);
    if (!fs_write_new(part, text, strlen(text)))
        return false;
    bool good = !link(part, path);
    int error = errno;
    good = good || (!stat(part, &st) && st.st_nlink == 2); /* a network may lose the answer */
    unlink(part);
    errno = error;
    bool no_links = error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK;
    return good || (no_links && fs_write_new(path, text, strlen(text)));
}

bool keeper_write(const char *path)
{
    struct arena scratch = {0};
    char boot[PROCESS_BOOT_SIZE];
    long pid = getpid();
    read_boot(boot);
    const char *text = arena_printf(&scratch, "%s %ld %llu %s %s\n", fs_hostname(), pid,
                                    process_started(pid, NULL), boot, fs_username());
    bool good = write_whole(&scratch, path, text);
    int error = errno;
    arena_free(&scratch);
    errno = error;
    return good;
}

bool keeper_read(const char *path, struct keeper *out)
{
    struct arena scratch = {0};
    struct stat st;
    const char *text = fs_read(&scratch, path, NULL);
    *out = (struct keeper){0};
    bool good = text && sscanf(text, "%255s %ld %llu %63s %255s", out->host, &out->pid, &out->start,
                               out->boot, out->user) == 5;
    good = good && out->pid > 0 && out->pid <= INT_MAX; /* -1 would be all processes of a user */
    if (good && (good = !stat(path, &st)))
        out->writer = st.st_uid;
    arena_free(&scratch);
    return good;
}

bool keeper_is_here(const struct keeper *keeper)
{
    return !strcmp(keeper->host, fs_hostname());
}

bool keeper_is_true(const struct keeper *keeper)
{
    uid_t user;
    return !process_user(keeper->pid, &user) || user == keeper->writer;
}

bool keeper_is_gone(const struct keeper *keeper)
{
    char boot[PROCESS_BOOT_SIZE];
    if (!keeper_is_here(keeper))
        return false;
    read_boot(boot);
    if (strcmp(boot, "-") && strcmp(keeper->boot, "-") && strcmp(boot, keeper->boot))
        return true;
    return process_has_ended(keeper->pid, keeper->start);
}

static bool is_still(int fd, const char *path)
{
    struct stat ours, there;
    return !fstat(fd, &ours) && !stat(path, &there) && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

/* While its lock is held nobody else removes the file, and as long as it is there nobody makes
 * another. */
int keeper_take_gone(const char *path)
{
    struct keeper keeper;
    if (!keeper_read(path, &keeper) || !keeper_is_gone(&keeper))
        return -1;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    bool locked = fd >= 0 && (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK);
    if (locked && is_still(fd, path) && keeper_read(path, &keeper) && keeper_is_gone(&keeper))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

void keeper_remove_gone(const char *path)
{
    int fd = keeper_take_gone(path);
    if (fd < 0)
        return;
    unlink(path);
    close(fd);
}
