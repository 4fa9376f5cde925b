// SPDX-License-Identifier: MIT
/* main.c: kintsugi-flow VERB ...; called through a link named snakemake it is `run`. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/path.h"
#include "cli/session.h"
#include "cli/verbs.h"

const struct verb verbs[] = {
    {"run", verb_run, "run a workflow, with Snakemake's options"},
    {"accounts", verb_accounts, "show what your Slurm accounts have free"},
    {"batch", verb_batch, "run many projects, over what the accounts have free"},
    {"config", verb_config, "write a project's workflow folder from its metadata"},
    {"report", verb_report, "make one page with the results, run times and rules of a workflow"},
    {"simulate", verb_simulate, "play a workflow on a simulated cluster, under several policies"},
    {"status", verb_status, "show what the run in a directory is doing, or how it ended"},
    {"logs", verb_logs, "show why jobs of the last run in a directory failed, and their logs"},
    {"stop", verb_stop, "end the run in a directory, and its Slurm jobs"},
    {"run-block", verb_run_block, NULL},
    {"carry-files", verb_carry_files, NULL},
    {NULL, NULL, NULL},
};

static void usage(FILE *out)
{
    fputs("usage: kintsugi-flow VERB ...\n\n", out);
    for (const struct verb *verb = verbs; verb->name; verb++)
        if (verb->help)
            fprintf(out, "  %-10s %s\n", verb->name, verb->help);
    fputs(
        "\nkintsugi-flow VERB --help explains each verb. A link to this program named snakemake is "
        "kintsugi-flow run.\n",
        out);
}

static int unknown(const char *const *words)
{
    const char *word = words[0];
    struct nearest near = nearest_to(word);
    for (const struct verb *verb = verbs; verb->name; verb++)
        if (verb->help)
            nearest_offer(&near, verb->name);
    fprintf(stderr, "error: there is no verb '%s'\n", word);
    if (near.best && *word != '-') {
        fprintf(stderr, "  hint: did you mean 'kintsugi-flow %s'?\n", near.best);
        return EXIT_USAGE;
    }
    fprintf(stderr, "  hint: %s: kintsugi-flow run",
            *word == '-' ? "options come after a verb" : "targets come after the verb run");
    for (; *words; words++)
        fprintf(stderr, " %s", *words);
    fputc('\n', stderr);
    if (*word != '-')
        usage(stderr);
    return EXIT_USAGE;
}

/* The path of this program, for children. */
static const char *self_path(const char *argv0)
{
    static char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    return n > 0 ? path : argv0;
}

/* Everything is named from there. */
static bool has_directory(void)
{
    char *cwd = getcwd(NULL, 0);
    bool good = cwd;
    free(cwd);
    if (!good)
        fprintf(stderr,
                "error: the current directory does not exist any more, or cannot be reached: %s\n",
                strerror(errno));
    return good;
}

/* Words behind an option that holds a secret are overwritten where lists of processes show them;
 * what is read is the copy, which stays until the end. */
static char **hide_secrets(int argc, char **argv)
{
    static const char option[] = "--storage-"; /* of a provider, http-auth and those of plugins */
    static char **copy;
    bool hidden = false;
    copy = memory_zeroed((size_t)argc + 1, sizeof *copy);
    for (int i = 0; i < argc; i++) {
        char *equal = strchr(argv[i], '=');
        copy[i] = memory_text(argv[i]);
        bool is_option = !strncmp(argv[i], option, strlen(option));
        char *secret = is_option ? equal : hidden && argv[i][0] != '-' ? argv[i] : NULL;
        hidden = is_option || secret;
        if (secret)
            memset(secret, '*', strlen(secret));
    }
    return copy;
}

static int carry_out(int argc, char **argv)
{
    const char *self = self_path(argv[0]);
    const char *const *words = (const char *const *)argv + 1;
    if (!strcmp(path_basename(argv[0]), "snakemake"))
        return has_directory() ? verb_run(self, argc - 1, words) : EXIT_BAD;
    if (argc < 2 || !strcmp(words[0], "--help") || !strcmp(words[0], "-h") ||
        !strcmp(words[0], "help")) {
        usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_USAGE : EXIT_OK;
    }
    if (!strcmp(words[0], "--version")) {
        puts(KF_VERSION);
        return EXIT_OK;
    }
    for (const struct verb *verb = verbs; verb->name; verb++)
        if (!strcmp(words[0], verb->name))
            return has_directory() ? verb->run(self, argc - 2, words + 1) : EXIT_BAD;
    return unknown(words);
}

/* What was asked for on standard output is there as a whole, or the status says no. A reader that
 * has seen enough is fine. */
static int written(int status)
{
    bool failed = ferror(stdout);
    errno = 0;
    if ((!fflush(stdout) && !failed) || errno == EPIPE)
        return status;
    fprintf(stderr, "error: cannot write to standard output%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return status ? status : EXIT_BAD;
}

/* A standard stream that is closed would leave its number to the next file that is opened, and that
 * file would get its messages; jobs that print would fail. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_WRONLY : O_RDONLY) < 0)
            return;
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file over the limit is an error of write(), as a full disk is */
    return written(carry_out(argc, hide_secrets(argc, argv)));
}
