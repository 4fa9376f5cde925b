// SPDX-License-Identifier: MIT
/* verb_accounts.c: kintsugi-flow accounts: what the user's Slurm accounts have free. */
#include <stdio.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/arguments.h"
#include "cli/blocked.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "hpc/probe.h"

enum { WATCH_S = 30, DAY_S = 86400 };

static const struct number_range of_slot = {1, 1e6, true};

struct view {
    bool json, watch;
    const char *project, *every, *user;
    double seconds, cpus, mem_gb;
    const char *const *names;
    blocked_list blocked;
};

static void put(const struct view *view, const struct accounts *accounts)
{
    struct buf text = {0};
    char now[32];
    if (view->json) {
        accounts_json(accounts, &text);
        buf_char(&text, '\n');
    } else {
        accounts_table(accounts, view->user, &text);
    }
    if (view->watch && !view->json) {
        clock_text(clock_wall_ns(), now);
        printf("%s%s\n", fs_is_screen(1) ? "\033[H\033[2J" : "", now);
    }
    fwrite(buf_text(&text), 1, text.len, stdout);
    fflush(stdout);
    buf_free(&text);
}

static int show_once(const struct view *view)
{
    struct accounts accounts = {.cpus_per_job = (int)view->cpus,
                                .mem_per_job_gb = (int64_t)view->mem_gb};
    struct probe_options options = {.user = view->user, .names = view->names};
    bool found = probe_accounts(&options, &accounts) && accounts_are_known(&accounts);
    accounts_block(&accounts, view->blocked.at, view->blocked.len);
    if (found) {
        put(view, &accounts);
    } else {
        if (view->names)
            fputs("error: nothing could be found out about these Slurm accounts\n", stderr);
        else
            fprintf(stderr, "error: no Slurm account of %s was found\n", view->user);
        for (uint32_t i = 0; i < accounts.notes.len; i++)
            fprintf(stderr, "  note: %s\n", accounts.notes.at[i]);
        if (!view->names)
            fputs("  hint: name the accounts: kintsugi-flow accounts NAME ...\n", stderr);
    }
    accounts_free(&accounts);
    return found ? EXIT_OK : EXIT_BAD;
}

static int show(struct view *view)
{
    int status = show_once(view);
    while (status == EXIT_OK && view->watch) {
        clock_sleep((int64_t)(view->seconds * 1e9));
        if (!view->json)
            putchar('\n');
        status = show_once(view);
    }
    return status;
}

static int with_blocked(struct view *view)
{
    struct arena arena = {0};
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    bool good = (fs_is_dir(view->project) ||
                 complain(dx, (struct span){0}, "there is no project folder '%s'",
                          view->project)) &&
                blocked_read(&arena, dx, view->project, &view->blocked);
    diag_print(dx, stderr, fs_has_colors(2));
    int status = good ? show(view) : EXIT_BAD;
    vec_free(&view->blocked);
    diags_free(dx);
    sources_free(sources);
    arena_free(&arena);
    return status;
}

int verb_accounts(const char *self, int argc, const char *const *argv)
{
    const char *cpus = NULL, *mem = NULL;
    struct view view = {.project = ".", .user = fs_username(), .seconds = WATCH_S};
    struct arguments arguments;
    const struct argument table[] = {
        {"--json", NULL, &view.json, NULL, "print the list that --config live_accounts=... takes"},
        {"--watch", NULL, &view.watch, NULL, "print the table again every 30 s"},
        {"--every", "S", &view.watch, &view.every, "the same every S seconds"},
        {"--directory -d", "DIR", NULL, &view.project,
         "leave out accounts that this project blocks"},
        {"--cpus-per-job", "N", NULL, &cpus, "CPUs of a CPU slot (default 8)"},
        {"--mem-per-job", "GB", NULL, &mem, "memory of a CPU slot (default 48)"},
        {0}};
    static const char usage[] =
        "accounts [NAME ...] [OPTIONS]\n\n"
        "Shows what Slurm accounts have free: the named ones, or all that you may use.";
    if (!arguments_parse(&arguments, table, usage, argc, argv)) {
        arguments_free(&arguments);
        return arguments.status;
    }
    view.names = arguments.words.len ? arguments.words.at : NULL;
    bool good = arguments_number("--every", view.every, (struct number_range){1, DAY_S, false},
                                 &view.seconds) &&
                arguments_number("--cpus-per-job", cpus, of_slot, &view.cpus) &&
                arguments_number("--mem-per-job", mem, of_slot, &view.mem_gb);
    int status = good ? with_blocked(&view) : EXIT_USAGE;
    arguments_free(&arguments);
    return status;
}
