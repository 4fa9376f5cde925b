// SPDX-License-Identifier: MIT
#include "base/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/fs.h"

extern char **environ;

char *tool_find(const char *name)
{
    const char *at = getenv("PATH");
    char *path = NULL;
    for (at = at ? at : "/usr/bin:/bin"; *at; at += *at == ':') {
        int len = (int)strcspn(at, ":");
        if (asprintf(&path, "%.*s/%s", len, at, name) < 0)
            out_of_memory();
        if (!access(path, X_OK))
            return path;
        free(path);
        at += len;
    }
    return NULL;
}

bool tool_on_path(const char *name)
{
    char *path = tool_find(name);
    bool found = path;
    free(path);
    return found;
}

/* Where a child reads and writes; less than 0: as this program does. */
struct ends {
    int in, out;
    bool errors_too;
};

/* Linux takes no argument of 128 KiB: a command as long as that is run from a file in memory. -1:
 * it is shorter, or there is no such file. */
static int file_of(const char *command)
{
    enum { ARGUMENT_MAX = 128 << 10 };
    size_t len = strlen(command);
    int fd = len < ARGUMENT_MAX ? -1 : memfd_create("command", MFD_CLOEXEC);
    if (fd < 0 || fs_write_all(fd, command, len))
        return fd;
    close(fd);
    return -1;
}

/* What this program ignores has its usual effect in a child, as commands expect. */
static void expect_signals(posix_spawnattr_t *attributes)
{
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_init(attributes);
    posix_spawnattr_setsigdefault(attributes, &usual);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
}

/* Starts a command by a shell; 0 or errno. */
static int start(const char *shell, const char *command, const struct ends *ends, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int file = file_of(command);
    char path[32], dash_c[] = "-c";
    char *argv[] = {(char *)shell, file < 0 ? dash_c : path, file < 0 ? (char *)command : NULL,
                    NULL};
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    posix_spawn_file_actions_init(&actions);
    if (file >= 0)
        posix_spawn_file_actions_adddup2(&actions, file, file); /* the child keeps it open */
    if (ends->in >= 0)
        posix_spawn_file_actions_adddup2(&actions, ends->in, STDIN_FILENO);
    if (ends->out >= 0)
        posix_spawn_file_actions_adddup2(&actions, ends->out, STDOUT_FILENO);
    if (ends->out >= 0 && ends->errors_too)
        posix_spawn_file_actions_adddup2(&actions, ends->out, STDERR_FILENO);
    expect_signals(&attributes);
    fflush(NULL);
    int error = posix_spawnp(pid, shell, &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (file >= 0)
        close(file);
    return error;
}

/* What became of a child; error: of starting it. */
static bool ended(int error, pid_t pid, int *status)
{
    int how = 0;
    while (!error && waitpid(pid, &how, 0) < 0 && errno == EINTR)
        ;
    *status = error ? -1 : WIFEXITED(how) ? WEXITSTATUS(how) : -WTERMSIG(how);
    errno = error;
    return !error;
}

static bool run_to_end(const char *shell, const char *command, struct ends ends, struct buf *out,
                       int *status)
{
    int fd[2];
    pid_t pid = 0;
    *status = -1;
    if (pipe2(fd, O_CLOEXEC) != 0)
        return false;
    ends.out = fd[1];
    int error = start(shell, command, &ends, &pid);
    close(fd[1]);
    if (!error)
        fs_read_all(fd[0], out);
    close(fd[0]);
    return ended(error, pid, status);
}

bool tool_run(const char *shell, const char *command, bool errors_too, struct buf *out, int *status)
{
    return run_to_end(shell, command, (struct ends){.in = -1, .errors_too = errors_too}, out,
                      status);
}

bool tool_feed(const char *shell, const char *command, const char *input, struct buf *out,
               int *status)
{
    int fd[2];
    size_t len = strlen(input);
    *status = -1;
    if (pipe2(fd, O_CLOEXEC) != 0)
        return false;
    fcntl(fd[1], F_SETFL, O_NONBLOCK); /* nobody reads yet */
    ssize_t written = write(fd[1], input, len);
    close(fd[1]);
    errno = written < 0 ? errno : E2BIG;
    bool good = written == (ssize_t)len &&
                run_to_end(shell, command, (struct ends){.in = fd[0], .errors_too = true}, out,
                           status);
    int error = errno;
    close(fd[0]);
    errno = error;
    return good;
}

bool tool_wait(const char *shell, const char *command, int *status)
{
    pid_t pid = 0;
    return ended(start(shell, command, &(struct ends){-1, -1, false}, &pid), pid, status);
}
