// SPDX-License-Identifier: MIT
/* background.c: parent and child hold the ends of a socket: writing to a pipe whose reader is gone
 * would end the child. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/background.h"
#include "cli/session.h"

static int tells = -1; /* of a child that has not begun yet */

static bool has_begun(int told)
{
    char byte;
    ssize_t n;
    while ((n = read(told, &byte, 1)) < 0 && errno == EINTR)
        ;
    return n > 0;
}

/* Whether there was anything. */
static bool show_from(int log, off_t at, FILE *to)
{
    char text[4096];
    ssize_t n;
    bool any = false;
    for (; (n = pread(log, text, sizeof text, at)) > 0; at += n, any = true)
        fwrite(text, 1, (size_t)n, to);
    return any;
}

/* A child that was killed, or has no room for its log, says nothing itself. */
static int wait_for(pid_t child, int told, int log, off_t end)
{
    int status;
    if (has_begun(told))
        return EXIT_OK;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_BAD;
    bool good = WIFEXITED(status) && !WEXITSTATUS(status),
         shown = show_from(log, end, good ? stdout : stderr);
    if (WIFSIGNALED(status))
        fprintf(stderr, "error: process %ld was ended by signal %d before it had begun: %s\n",
                (long)child, WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!good && !shown)
        fprintf(stderr,
                "error: process %ld ended with exit status %d before it had begun, without a word "
                "in its log\n",
                (long)child, WEXITSTATUS(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_BAD;
}

static void go_on(int log, const int told[2])
{
    close(told[0]);
    tells = told[1];
    setsid();
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
    dup2(log, 1);
    dup2(log, 2);
}

static int cannot(const char *what)
{
    fprintf(stderr, "error: cannot %s: %s\n", what, strerror(errno));
    return EXIT_BAD;
}

int background_go(const char *log, bool afresh, background_say *say, void *user)
{
    int how = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | (afresh ? O_TRUNC : 0), told[2];
    int fd = fs_make_parent(log) ? open(log, how, 0666) : -1;
    if (fd < 0) {
        fprintf(stderr, "error: cannot write '%s': %s\n", log, strerror(errno));
        return EXIT_BAD;
    }
    off_t end = lseek(fd, 0, SEEK_END);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, told))
        return cannot("make a socket");
    pid_t child = fork();
    if (child < 0)
        return cannot("start a process");
    if (!child) {
        go_on(fd, told);
        return -1;
    }
    close(told[1]);
    say(user, child, log);
    fflush(stdout);
    return wait_for(child, told[0], fd, end);
}

void background_begun(void)
{
    if (tells < 0)
        return;
    send(tells, "", 1, MSG_NOSIGNAL);
    close(tells);
    tells = -1;
}
