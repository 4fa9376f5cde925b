// SPDX-License-Identifier: MIT
#include "base/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool tool_on_path(const char *name)
{
    const char *at = getenv("PATH");
    char path[4096];
    for (at = at ? at : "/usr/bin:/bin"; *at; at += *at == ':') {
        int len = (int)strcspn(at, ":");
        if (snprintf(path, sizeof path, "%.*s/%s", len, at, name) < (int)sizeof path &&
            !access(path, X_OK))
            return true;
        at += len;
    }
    return false;
}

static void read_all(int fd, struct buf *out)
{
    for (;;) {
        ssize_t n = read(fd, buf_room(out, 4096), 4096);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        out->len += (size_t)n;
        out->at[out->len] = 0;
    }
}

/* What became of a child; error: of starting it. */
static int ended(int error, pid_t pid)
{
    int status = 0;
    while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    errno = error;
    if (error)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int tool_run(const char *shell, const char *command, bool errors_too, struct buf *out)
{
    int fd[2];
    pid_t pid = 0;
    posix_spawn_file_actions_t actions;
    char dash_c[] = "-c", *argv[] = {(char *)shell, dash_c, (char *)command, NULL};
    if (pipe2(fd, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
    if (errors_too)
        posix_spawn_file_actions_adddup2(&actions, fd[1], STDERR_FILENO);
    fflush(NULL);
    int error = posix_spawnp(&pid, shell, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(fd[1]);
    if (!error)
        read_all(fd[0], out);
    close(fd[0]);
    return ended(error, pid);
}

int tool_wait(const char *shell, const char *command)
{
    pid_t pid = 0;
    char dash_c[] = "-c", *argv[] = {(char *)shell, dash_c, (char *)command, NULL};
    fflush(NULL);
    return ended(posix_spawnp(&pid, shell, NULL, NULL, argv, environ), pid);
}
