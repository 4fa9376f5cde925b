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
    free(path);
    return path;
}

/* Starts a command by a shell, its outputs those of this program where fd < 0; 0 or errno. */
static int start(const char *shell, const char *command, int fd, bool errors_too, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    char dash_c[] = "-c", *argv[] = {(char *)shell, dash_c, (char *)command, NULL};
    posix_spawn_file_actions_init(&actions);
    if (fd >= 0)
        posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
    if (fd >= 0 && errors_too)
        posix_spawn_file_actions_adddup2(&actions, fd, STDERR_FILENO);
    fflush(NULL);
    int error = posix_spawnp(pid, shell, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
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

bool tool_run(const char *shell, const char *command, bool errors_too, struct buf *out, int *status)
{
    int fd[2];
    pid_t pid = 0;
    *status = -1;
    if (pipe2(fd, O_CLOEXEC) != 0)
        return false;
    int error = start(shell, command, fd[1], errors_too, &pid);
    close(fd[1]);
    if (!error)
        fs_read_all(fd[0], out);
    close(fd[0]);
    return ended(error, pid, status);
}

bool tool_wait(const char *shell, const char *command, int *status)
{
    pid_t pid = 0;
    return ended(start(shell, command, -1, false, &pid), pid, status);
}
