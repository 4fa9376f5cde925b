// SPDX-License-Identifier: MIT
// main.c: `kintsugi-image VERB ...`, one row a verb.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/options.h"
#include "tool/verbs.h"

static const struct {
    const char *name, *about;
    int (*run)(int argc, char **argv);
} verbs[] = {
#define X(name, about) {#name, about, cmd_##name},
    VERBS(X)
#undef X
};

static int no_verb(const char *word)
{
    fprintf(stderr, "kintsugi-image: no verb '%s'", word);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (options_alike(word, strlen(word), verbs[i].name))
            return fprintf(stderr, "; did you mean %s? (--help lists the verbs)\n", verbs[i].name),
                   2;
    fprintf(stderr, " (--help lists the verbs)\n");
    return 2;
}

static void print_help(FILE *to)
{
    fprintf(to, "usage: kintsugi-image VERB [ARGUMENTS]\n\nThe stages of the image pipeline, and "
                "tools:\n\n");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        fprintf(to, "  %-10s %s\n", verbs[i].name, verbs[i].about);
    fprintf(to, "\nkintsugi-image VERB --help lists every parameter with its unit and default.\n");
}

/* Threads that wait for each other sleep after a moment instead of turning in place: on a machine
 * that does other work too, turning more than doubled the processor time. OpenMP reads this only
 * when the program is loaded, so the program starts itself once more; where that fails it goes on
 * as it is. */
static void wait_without_turning(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT"))
        return;
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return;
    path[n] = 0;
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("GOMP_SPINCOUNT", "2000", 1);
    execv(path, argv);
}

/* A standard stream that is closed would leave its number to the next file that is opened, and that
 * file would get its messages. Writing to what is open for reading fails as before. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return;
}

static int carry_out(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (!strcmp(argv[1], verbs[i].name))
            return verbs[i].run(argc - 1, argv + 1);
    }
    if (!strcmp(argv[1], "--version"))
        return puts("kintsugi-image " KF_VERSION), 0;
    bool help = !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help");
    if (!help)
        return no_verb(argv[1]);
    print_help(stdout);
    return 0;
}

/* What was asked for on standard output is there as a whole, or the status says no. A reader that
 * has seen enough is fine. */
static int written(int status)
{
    bool failed = ferror(stdout);
    errno = 0;
    if ((!fflush(stdout) && !failed) || errno == EPIPE)
        return status;
    fprintf(stderr, "kintsugi-image: cannot write to standard output%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return status ? status : 1;
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    wait_without_turning(argv);
    signal(SIGXFSZ, SIG_IGN); /* a file over the limit is an error of write(), as a full disk is */
    return written(carry_out(argc, argv));
}
