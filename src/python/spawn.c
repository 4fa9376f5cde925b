// SPDX-License-Identifier: MIT
/* fork, the descriptors in place, exec; what went wrong comes back through a pipe that exec
 * closes. */
#include "python/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* In the child between fork and exec: only calls that are safe there. */
static void become(const struct spawn *c, int report)
{
    int fd[3];
    bool ready = !c->cwd || !chdir(c->cwd);
    if (c->new_session)
        setsid();
    if (c->with_us)
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (c->keep)
        fcntl(c->keep, F_SETFD, 0);
    for (int i = 0; i < 3; i++) /* out of the way of 0, 1, 2 first */
        fd[i] = c->fd[i] >= 0 && c->fd[i] < 3 && c->fd[i] != i ? fcntl(c->fd[i], F_DUPFD, 10)
                                                               : c->fd[i];
    for (int i = 0; i < 3; i++)
        if (fd[i] >= 0 && fd[i] != i)
            dup2(fd[i], i);
        else if (fd[i] == i)
            fcntl(i, F_SETFD, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (c->env)
        environ = (char **)c->env;
    if (ready)
        execvp(c->argv[0], (char **)c->argv);
    int32_t told[2] = {errno, !ready};
    ssize_t written = write(report, told, sizeof told);
    _exit(written > 0 ? 127 : 126);
}

int spawn_start(const struct spawn *c, bool *at_cwd)
{
    int report[2];
    int32_t told[2] = {0};
    *at_cwd = false;
    if (pipe2(report, O_CLOEXEC))
        return -errno;
    pid_t pid = fork();
    if (!pid)
        become(c, report[1]);
    int failed = pid < 0 ? errno : 0;
    close(report[1]);
    ssize_t n;
    do
        n = pid > 0 ? read(report[0], told, sizeof told) : 0;
    while (n < 0 && errno == EINTR);
    close(report[0]);
    if (failed)
        return -failed;
    if (n != sizeof told)
        return pid;
    waitpid(pid, NULL, 0);
    *at_cwd = told[1];
    return -told[0];
}
