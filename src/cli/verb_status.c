// SPDX-License-Identifier: MIT
/* verb_status.c: kintsugi-flow status, logs and stop: the run in a directory, seen from elsewhere.
 * A run that lives holds a lock that names its process; what one that was killed has left is in the
 * store. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/line.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/tool.h"
#include "base/visible.h"
#include "cli/arguments.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "exec/past.h"
#include "run/handover.h"
#include "state/lock.h"

/* What these verbs have open. */
struct premises {
    struct arena arena;
    struct intern *names;
    struct sources *sources;
    struct diags *diags;
    struct state *state; /* of the current directory */
};

/* The exit status: of what went well (good) until the store could not be read, which is said. */
static int leave(struct premises *place, bool good)
{
    if (place->diags)
        diag_print(place->diags, stderr, fs_has_colors(2));
    good = good && place->state && !state_failed(place->state);
    state_close(place->state);
    diags_free(place->diags);
    sources_free(place->sources);
    intern_free(place->names);
    arena_free(&place->arena);
    return good ? EXIT_OK : EXIT_BAD;
}

static bool has_run(const char *dir)
{
    struct arena in = {0};
    bool there = fs_exists(path_join(&in, dir, ".snakemake/kintsugi.db"));
    arena_free(&in);
    return there;
}

static bool open_store(struct premises *place, const char *dir, bool readonly)
{
    place->names = intern_new();
    place->sources = sources_new();
    place->diags = diags_new(place->sources);
    place->state = state_open(dir, place->names, place->diags, readonly);
    return place->state;
}

/* Enters the directory and opens its store. False after an error on stderr. */
static bool enter(struct premises *place, const char *dir, bool readonly)
{
    if (chdir(dir)) {
        fprintf(stderr, "error: cannot enter '%s': %s\n", dir, strerror(errno));
        return false;
    }
    if (!has_run(".")) {
        fprintf(stderr, "error: nothing has been run in '%s' yet\n", dir);
        return false;
    }
    return open_store(place, ".", readonly) || leave(place, false) == EXIT_OK;
}

/* The directory among the words, and options; false after an error, with the exit status in
 * *status. */
static bool read_directory(const char *usage, const struct argument *table, int argc,
                           const char *const *argv, const char **dir, int *status)
{
    struct arguments words = {0};
    bool good = arguments_parse(&words, table, usage, argc, argv);
    *status = words.status;
    *dir = good && words.words.len ? words.words.at[0] : ".";
    if (good && words.words.len > 1) {
        fputs("error: only one directory can be given\n", stderr);
        *status = EXIT_USAGE;
        good = false;
    }
    arguments_free(&words);
    return good;
}

static const struct argument none[] = {{0}};

static const char STATUS_USAGE[] =
    "status [DIR]\n\n"
    "Shows what the run in DIR is doing, or how it ended, and which "
    "jobs it has in Slurm. DIR is the working\ndirectory of the run (default: the current one), or "
    "the folder of a batch: then its projects are shown.";
static const char LOGS_USAGE[] =
    "logs [DIR] [OPTIONS]\n\n"
    "Shows which jobs of the last run in DIR failed, why, and the ends of their logs. DIR is the "
    "working\ndirectory of the run (default: the current one); of the folder of a batch, its "
    "projects are shown.";
static const char STOP_USAGE[] =
    "stop [DIR]\n\n"
    "Ends the run or batch in DIR with its Slurm jobs, also jobs that a killed run has left, and "
    "waits until\nthey have ended. DIR is the working directory of the run (default: the current "
    "one).";

/* ---- status ---- */

/* In the list of a batch, and of one run. */
static const struct {
    const char *word, *text;
} words[] = {
    [LAST_RUNNING] = {"running", NULL},
    [LAST_KILLED] = {"killed", "killed; the next run continues where it was"},
    [LAST_STOPPED] = {"stopped", "stopped"},
    [LAST_FAILED] = {"failed", "with an error"},
    [LAST_DONE] = {"done", "successfully"},
};

const char *status_word(enum last_run last)
{
    return words[last].word;
}

/* Of a run that goes on no more. */
static enum last_run end_of(const struct run_record *run)
{
    if (!run->end_ns)
        return LAST_KILLED;
    if (!run->status)
        return LAST_DONE;
    return run->cancelled && !run->bad ? LAST_STOPPED : LAST_FAILED;
}

static void show_run(const struct run_record *run, bool goes_on)
{
    char start[32], end[32];
    clock_text(run->start_ns, start);
    printf("command    %s\nstarted    %s by %s on %s\n", run->command, start, run->user, run->host);
    if (run->end_ns) {
        clock_text(run->end_ns, end);
        printf("ended      %s, %s\n", end, words[end_of(run)].text);
    } else if (!goes_on) {
        printf("ended      %s\n", words[end_of(run)].text);
    }
    printf("jobs       %lld done, %lld failed", (long long)run->good, (long long)run->bad);
    if (run->cancelled)
        printf(", %lld cancelled", (long long)run->cancelled);
    putchar('\n');
}

/* With the run that it has begun: others may go on in the directory, or have ended since. */
static void show_owner(void *user, const struct lock_owner *owner)
{
    struct premises *place = user;
    struct run_record run;
    printf("running    process %ld of %s on %s\n", owner->pid, owner->user, owner->host);
    if (state_run_of(place->state, owner->host, owner->pid, &place->arena, &run))
        show_run(&run, true);
}

enum last_run status_of(const char *dir, bool *left)
{
    struct premises place = {0};
    struct run_record run;
    *left = false;
    if (!has_run(dir))
        return LAST_NONE;
    if (lock_owners(dir, NULL, NULL))
        return LAST_RUNNING;
    bool open = open_store(&place, dir, true);
    *left = open && handover_open_submissions(place.state, "");
    bool any = open && state_last_run(place.state, &place.arena, &run);
    enum last_run last = any ? end_of(&run) : LAST_NONE;
    leave(&place, true);
    return last;
}

static void show_submission(void *user, const struct submission *s)
{
    uint32_t *total = user;
    if (!(*total)++)
        printf("\n%-12s %6s  %-12s %-12s %s\n", "job id", "jobs", "account", "status", "name");
    bool known = *s->external_id && *s->external_id != ';'; /* not only the cluster */
    printf("%-12s %6u  %-12s %-12s %s\n", known ? s->external_id : "-",
           (unsigned)past_count(s->jobs), s->account, s->status, s->token);
}

int verb_status(const char *self, int argc, const char *const *argv)
{
    struct premises place = {0};
    struct run_record run;
    const char *dir;
    int status;
    uint32_t submissions = 0;
    (void)self;
    if (!read_directory(STATUS_USAGE, none, argc, argv, &dir, &status))
        return status;
    if (!has_run(dir) && batch_status(dir))
        return EXIT_OK;
    if (!enter(&place, dir, true))
        return EXIT_BAD;
    if (!lock_owners(".", show_owner, &place) && state_last_run(place.state, &place.arena, &run))
        show_run(&run, false);
    return leave(&place, state_submissions(place.state, show_submission, &submissions));
}

/* ---- logs ---- */

struct failures {
    const char *rule; /* only of this one; NULL: of all */
    double lines;     /* of each log */
    uint32_t shown;
};

/* What jobs and their programs have said; on a terminal nothing of it steers but colours. */
static void show_indented(const char *text, const char *margin)
{
    struct buf lines = {0}, shown = {0};
    buf_shown(&shown, stdout, text, strlen(text), fs_has_colors(1));
    buf_indented(&lines, margin, buf_text(&shown));
    fputs(buf_text(&lines), stdout);
    buf_free(&shown);
    buf_free(&lines);
}

static void show_log(const char *path, double lines)
{
    struct arena in = {0};
    const char *text = fs_read_tail(&in, path, (uint32_t)lines);
    printf("    %s%s\n", path, !text ? ": not there any more" : !*text ? ": empty" : ":");
    show_indented(text ? text : "", "        ");
    arena_free(&in);
}

static void show_failure(void *user, const struct attempt_record *attempt)
{
    struct failures *failures = user;
    char end[32];
    if (failures->rule && strcmp(failures->rule, attempt->rule))
        return;
    clock_text(attempt->end_ns, end);
    printf("%s%s%s%s, %s", failures->shown++ ? "\n" : "", attempt->rule,
           *attempt->wildcards ? ": " : "", attempt->wildcards, end);
    if (*attempt->external_id)
        printf(", Slurm job %s", attempt->external_id);
    if (attempt->attempt > 1)
        printf(", attempt %d", attempt->attempt);
    if (attempt->signal)
        printf("\n    ended by signal %d: %s\n", attempt->signal, strsignal(attempt->signal));
    else if (attempt->status >= 0)
        printf("\n    exit status %d\n", attempt->status);
    else
        printf("\n");
    show_indented(attempt->why, "    ");
    if (!*attempt->log && !*attempt->why)
        puts("    its output was not kept: the rule has no log:");
    struct line line;
    for (const char *logs = attempt->log; line_next(&logs, &line);) {
        char *path = memory_text_part(line.at, line.len);
        show_log(path, failures->lines);
        free(path);
    }
}

int verb_logs(const char *self, int argc, const char *const *argv)
{
    struct premises place = {0};
    struct failures failures = {.lines = 20};
    const char *dir, *lines = NULL;
    int status;
    const struct argument table[] = {
        {"--rule", "RULE", NULL, &failures.rule, "show only jobs of this rule"},
        {"--lines -n", "N", NULL, &lines, "show the last N lines of each log (default 20)"},
        {0}};
    (void)self;
    if (!read_directory(LOGS_USAGE, table, argc, argv, &dir, &status))
        return status;
    if (!arguments_number("--lines", lines, (struct number_range){1, 1e9, true}, &failures.lines))
        return EXIT_USAGE;
    if (!has_run(dir) && batch_status(dir))
        return EXIT_OK;
    if (!enter(&place, dir, true))
        return EXIT_BAD;
    bool good = state_failures(place.state, show_failure, &failures);
    if (good && !failures.shown)
        printf("no job%s%s failed in the last run\n", failures.rule ? " of " : "",
               failures.rule ? failures.rule : "");
    return leave(&place, good);
}

/* ---- stop ---- */

struct stopping {
    uint32_t elsewhere, failed;
    VEC(long) told; /* processes of this machine that have been told to stop */
};

static bool has_been_told(const struct stopping *stopping, long pid)
{
    for (uint32_t i = 0; i < stopping->told.len; i++)
        if (stopping->told.at[i] == pid)
            return true;
    return false;
}

static void stop_owner(void *user, const struct lock_owner *owner)
{
    struct stopping *stopping = user;
    if (strcmp(owner->host, fs_hostname())) {
        fprintf(stderr, "error: the run is process %ld on %s: stop it there\n", owner->pid,
                owner->host);
        stopping->elsewhere++;
        return;
    }
    if (has_been_told(stopping, owner->pid))
        return;
    vec_push(&stopping->told, owner->pid);
    if (!owner->is_true) {
        fprintf(stderr,
                "error: a lock here names process %ld, which is not one of who made the lock: it "
                "is not stopped\n",
                owner->pid);
        stopping->failed++;
    } else if (kill((pid_t)owner->pid, SIGTERM) && errno != ESRCH) {
        fprintf(stderr, "error: process %ld of %s cannot be stopped: %s\n", owner->pid, owner->user,
                strerror(errno));
        stopping->failed++;
    } else {
        printf("Stopping process %ld; waiting until its jobs have ended.\n", owner->pid);
        fflush(stdout);
    }
}

static void show_note(void *user, const struct exec_event *event)
{
    (void)user;
    if (event->kind == EXEC_NOTE)
        printf("%s\n", event->message);
}

static bool is_none_known(void *user, const char *key)
{
    (void)user;
    (void)key;
    return false;
}

/* Cancels what killed runs have left in Slurm, and waits for its end; says what they have left with
 * others, whose commands are not known here. */
static void stop_left(struct state *state, const char *name)
{
    struct exec_journal journal = handover_journal(state);
    struct loop *loop = loop_new();
    struct exec_options options = {.on_event = show_note, .journal = &journal};
    struct executor *executor = executor_open(name, loop, &options);
    executor_orphans(executor, is_none_known, NULL, true);
    loop_run(loop, NULL, NULL);
    executor_close(executor);
    loop_free(loop);
}

static int stop_run(const char *dir)
{
    struct premises place = {0};
    struct stopping stopping = {0};
    if (!enter(&place, dir, false))
        return EXIT_BAD;
    uint32_t owners = lock_owners(".", stop_owner, &stopping);
    while (owners && !stopping.elsewhere && !stopping.failed) {
        clock_sleep(200000000);
        owners = lock_owners(".", stop_owner, &stopping); /* another may have begun meanwhile */
    }
    vec_free(&stopping.told);
    if (!owners && handover_open_submissions(place.state, "")) {
        bool any = handover_open_submissions(place.state, slurm_tokens),
             can = tool_on_path("squeue") || tool_on_path("scontrol");
        if (any && can)
            stop_left(place.state, "slurm");
        else if (any)
            fprintf(stderr, "error: jobs may be left in Slurm, whose commands are not on the PATH "
                            "of this machine\n");
        stop_left(place.state, "cluster-generic");
    }
    return leave(&place, !owners);
}

int verb_stop(const char *self, int argc, const char *const *argv)
{
    const char *dir;
    int status;
    bool stopped;
    (void)self;
    if (!read_directory(STOP_USAGE, none, argc, argv, &dir, &status))
        return status;
    if (batch_stop(dir, &stopped))
        return stopped ? EXIT_OK : EXIT_BAD;
    if (has_run(dir) || !batch_stop_runs(dir, stop_run, &status))
        status = stop_run(dir);
    if (status == EXIT_OK)
        printf("No run is active any more.\n");
    return status;
}
