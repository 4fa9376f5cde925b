// SPDX-License-Identifier: MIT
/* verb_batch.c: kintsugi-flow batch: the workflows of many projects, so many at once as there are
 * slots for. Each is a run of its own, a child of this process; what is free is dealt out among
 * those that start, so that they do not all take the same slots, and is asked for anew whenever one
 * has ended. What is done is known by its sentinel: a batch that was stopped goes on when it is
 * called again.
 *
 *     WAITING -> RUNNING -> DONE or FAILED            one that fails does not stop the others */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/path.h"
#include "base/visible.h"
#include "cli/arguments.h"
#include "cli/background.h"
#include "cli/blocked.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "hpc/probe.h"
#include "loop/process.h"
#include "state/keeper.h"

enum { SHOW_MS = 1000, TAIL = 16384, FRESH_S = 120 };

typedef VEC(const char *) word_vec;

static const char sentinel[] = "data/processed/signal_isolated/.snakemake_complete";
static const char pid_name[] = ".kintsugi_batch.pid", log_name[] = ".kintsugi_batch.log";

struct many;

struct project_run {
    struct many *batch;
    const char *name, *dir, *log;
    enum { WAITING, RUNNING, DONE, FAILED, STOPPED } state;
    struct process *process;
    int64_t start_ns, end_ns;
    int status;
    int64_t cores;       /* dealt to it, on this machine */
    struct slots *dealt; /* by account: the free ones are its own */
    int shown;           /* state and progress last printed */
};

struct many {
    struct arena arena;
    const char *self, *dir, *like, *targets, *cores, *at_once;
    bool dry, force, detach;
    uint32_t parallel; /* at once; 0: as many as there are slots */
    VEC(struct project_run) projects;
    word_vec more; /* options behind -- */
    struct accounts accounts;
    blocked_list blocked;
    struct loop *loop;
    struct probe *probe; /* what is free is asked for anew */
    uint32_t running;
    int signals;
};

/* ---- which projects ---- */

static bool has(struct many *batch, const char *dir, const char *name)
{
    return fs_exists(path_join(&batch->arena, dir, name));
}

/* What was broken off may lack what comes after the sentinel, as the quality report does. */
static bool is_complete(struct many *batch, const char *dir)
{
    if (!has(batch, dir, sentinel))
        return false;
    bool left;
    enum last_run last = status_of(dir, &left);
    return last != LAST_KILLED && last != LAST_STOPPED && last != LAST_FAILED;
}

static bool is_eligible(struct many *batch, const char *dir)
{
    return has(batch, dir, "workflow/config.yaml") && has(batch, dir, "data/raw/.staged") &&
           (batch->force || !is_complete(batch, dir));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct project_run *)a)->name, ((const struct project_run *)b)->name);
}

static bool unreadable(const char *dir)
{
    fprintf(stderr, "error: cannot read '%s': %s\n", dir, strerror(errno));
    return false;
}

static bool find_projects(struct many *batch)
{
    DIR *top = opendir(batch->dir);
    if (!top)
        return unreadable(batch->dir);
    for (const struct dirent *entry; (entry = fs_entry(top));) {
        const char *dir = path_join(&batch->arena, batch->dir, entry->d_name);
        if (entry->d_name[0] == '.' || (batch->like && !strcasestr(entry->d_name, batch->like)) ||
            !is_eligible(batch, dir))
            continue;
        struct project_run project = {.batch = batch,
                                      .name = arena_str(&batch->arena, entry->d_name),
                                      .dir = dir,
                                      .log = path_join(&batch->arena, dir, "logs/batch.log"),
                                      .shown = -1};
        vec_push(&batch->projects, project);
    }
    bool good = !errno || unreadable(batch->dir);
    closedir(top);
    if (batch->projects.len)
        qsort(batch->projects.at, batch->projects.len, sizeof *batch->projects.at, by_name);
    return good;
}

/* ---- the table ---- */

/* The stage of a project, by what it has. */
static const char *stage_of(struct many *batch, const char *dir)
{
    static const char *const stages[][2] = {
        {sentinel, "signal_isolated"},
        {"data/processed/registered/.snakemake_complete", "registered"},
        {"data/processed/edf", "edf (partial)"},
        {"data/processed/deconvolved", "deconvolved (partial)"},
        {"data/processed/stitched", "stitched (partial)"},
        {"data/raw/.staged", "staged (not started)"},
    };
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (has(batch, dir, stages[i][0]))
            return stages[i][1];
    return "not staged";
}

/* Percent of its steps by the last such line of the log; -1: none yet. */
static int percent_done(const struct project_run *project)
{
    char text[TAIL + 1];
    int percent = -1;
    FILE *log = fopen(project->log, "r");
    if (!log)
        return -1;
    fseek(log, 0, SEEK_END);
    long size = ftell(log);
    fseek(log, size > TAIL ? size - TAIL : 0, SEEK_SET);
    size_t n = fread(text, 1, TAIL, log);
    fclose(log);
    text[n] = 0;
    for (char *at = text; (at = strstr(at, "%) done")); at++) {
        char *open = at;
        while (open > text && *open != '(' && *open != '\n')
            open--;
        if (*open == '(')
            percent = atoi(open + 1);
    }
    return percent;
}

/* In a column of its own. */
static void put_name(const struct project_run *project)
{
    struct buf shown = {0}, cell = {0};
    buf_shown(&shown, stdout, project->name, strlen(project->name), false);
    buf_cell(&cell, buf_text(&shown), 24);
    fputs(buf_text(&cell), stdout);
    buf_free(&shown);
    buf_free(&cell);
}

static void put_state(const struct project_run *project, int percent)
{
    static const char *const words[] = {"waiting", "running", "done", "failed", "stopped"};
    double s =
        project->start_ns
            ? (double)((project->end_ns ? project->end_ns : clock_ns()) - project->start_ns) * 1e-9
            : 0;
    char progress[16] = "";
    if (percent >= 0)
        snprintf(progress, sizeof progress, "%3d%%", percent > 100 ? 100 : percent);
    fputs("  ", stdout);
    put_name(project);
    printf("  %-8s  %-5s  %-22s  %5.0f s\n", words[project->state], progress,
           stage_of(project->batch, project->dir), s);
}

/* On a terminal the whole table anew, else a line for what has changed. */
static void show(struct many *batch)
{
    bool redraw = fs_is_screen(1);
    if (redraw)
        fputs("\033[H\033[2J", stdout);
    for (uint32_t i = 0; i < batch->projects.len; i++) {
        struct project_run *project = &batch->projects.at[i];
        int percent = project->state == WAITING ? -1 : percent_done(project);
        int now = project->state * 1000 + percent / 10;
        if (redraw || now != project->shown)
            put_state(project, percent);
        project->shown = now;
    }
    fflush(stdout);
}

static void show_eligible(struct many *batch)
{
    printf("Eligible projects\n\n  %3s  %-24s  %s\n", "#", "Project", "Current stage");
    for (uint32_t i = 0; i < batch->projects.len; i++) {
        printf("  %3u  ", i + 1);
        put_name(&batch->projects.at[i]);
        printf("  %s\n", stage_of(batch, batch->projects.at[i].dir));
    }
    putchar('\n');
    fflush(stdout);
}

/* ---- slots ---- */

/* What was dealt to a project that started just now is not in use yet, and not free any more. */
static bool is_fresh(const struct project_run *project)
{
    return project->process && clock_ns() - project->start_ns < FRESH_S * INT64_C(1000000000);
}

/* What an account has to deal out. */
static struct slots free_slots(const struct many *batch, uint32_t account)
{
    const struct account *known = &batch->accounts.all.at[account];
    struct slots slots = account_slots(&batch->accounts, known);
    if (!account_usable(known) || known->use_from == FROM_NOBODY)
        return (struct slots){0};
    for (uint32_t i = 0; i < batch->projects.len; i++) {
        const struct project_run *project = &batch->projects.at[i];
        if (!is_fresh(project) || !project->dealt)
            continue;
        slots.gpu_free -= project->dealt[account].gpu_free;
        slots.cpu_free -= project->dealt[account].cpu_free;
        slots.mem_free_gb -= project->dealt[account].mem_free_gb;
    }
    return slots;
}

static int64_t free_gpus(const struct many *batch)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < batch->accounts.all.len; i++) {
        int64_t here = free_slots(batch, i).gpu_free;
        n += here > 0 ? here : 0;
    }
    return n;
}

/* One part of n in so many parts: the first ones get what is left over. */
static int64_t part(int64_t n, uint32_t parts, uint32_t i)
{
    return n > 0 ? n / parts + (i < n % parts) : 0;
}

static int64_t all_cores(const struct many *batch)
{
    return strcmp(batch->cores, "all") ? atol(batch->cores) : sysconf(_SC_NPROCESSORS_ONLN);
}

/* Gives project number i of the n that start together its part of what is free. */
static void deal(struct many *batch, struct project_run *project, const struct slots *idle,
                 int64_t idle_cores, uint32_t n, uint32_t i)
{
    uint32_t naccounts = batch->accounts.all.len;
    project->cores = part(idle_cores, n, i);
    project->cores = project->cores > 0 ? project->cores : 1;
    project->dealt = arena_array(&batch->arena, struct slots, naccounts + 1);
    for (uint32_t k = 0; k < naccounts; k++)
        project->dealt[k] = (struct slots){.gpu_free = part(idle[k].gpu_free, n, i),
                                           .cpu_free = part(idle[k].cpu_free, n, i),
                                           .mem_free_gb = part(idle[k].mem_free_gb, n, i)};
}

/* Its GPU slots, and a few for work on CPUs. */
static const char *jobs_of(struct many *batch, const struct project_run *project)
{
    enum { FOR_CPUS = 4 };
    int64_t n = FOR_CPUS;
    for (uint32_t i = 0; i < batch->accounts.all.len; i++)
        n += project->dealt[i].gpu_free;
    return arena_printf(&batch->arena, "%lld", (long long)n);
}

/* live_accounts of a project. */
static const char *share_of(struct many *batch, const struct project_run *project)
{
    struct buf text = {0};
    buf_str(&text, "live_accounts=");
    accounts_json_of(&batch->accounts, project->dealt, &text);
    const char *word = arena_str(&batch->arena, buf_text(&text));
    buf_free(&text);
    return word;
}

static void look_at_accounts(struct many *batch)
{
    struct probe_options options = {.user = fs_username()};
    probe_accounts(&options, &batch->accounts);
    accounts_block(&batch->accounts, batch->blocked.at, batch->blocked.len);
}

/* ---- children ---- */

static void go_on(struct many *batch);

static void on_end(void *user, const struct process_end *end)
{
    struct project_run *project = user;
    struct many *batch = project->batch;
    project->process = NULL;
    project->end_ns = clock_ns();
    project->status = end->status;
    project->state = batch->signals ? STOPPED : end->status || end->signal ? FAILED : DONE;
    batch->running--;
    show(batch);
    go_on(batch);
}

static void add_words(word_vec *argv, const char *const *words)
{
    for (; *words; words++)
        vec_push(argv, *words);
}

/* The command line of a project's run. */
static void command_of(struct many *batch, const struct project_run *project, word_vec *argv)
{
    static const char redirect[] = "log=$1; shift; exec \"$@\" >\"$log\" 2>&1";
    struct arena *in = &batch->arena;
    const char *snakefile = path_join(in, project->dir, "workflow/Snakefile");
    const char *profile = path_join(in, project->dir, "workflow/profiles/slurm");
    const char *head[] = {"sh", "-c", redirect, "sh", project->log, batch->self, "run", NULL};
    const char *tail[] = {"--directory", project->dir, "--nocolor", "--rerun-incomplete", NULL};
    add_words(argv, head);
    for (char *at = batch->targets ? arena_str(in, batch->targets) : NULL, *word, *rest = at;
         at && (word = strtok_r(rest, ",", &rest));)
        vec_push(argv, word);
    add_words(argv, tail);
    if (fs_exists(snakefile))
        add_words(argv, (const char *[]){"--snakefile", snakefile, NULL});
    if (batch->cores) {
        add_words(argv, (const char *[]){
                            "--cores", arena_printf(in, "%lld", (long long)project->cores), NULL});
    } else {
        if (fs_exists(profile))
            add_words(argv, (const char *[]){"--profile", profile, NULL});
        add_words(argv, (const char *[]){"--executor", "slurm", "--jobs", jobs_of(batch, project),
                                         "--config", share_of(batch, project), NULL});
    }
    if (batch->force)
        add_words(argv, (const char *[]){"--forceall", NULL});
    for (uint32_t i = 0; i < batch->more.len; i++)
        vec_push(argv, batch->more.at[i]);
    vec_push(argv, NULL);
}

static void start_one(struct many *batch, struct project_run *project)
{
    word_vec argv = {0};
    command_of(batch, project, &argv);
    project->start_ns = clock_ns();
    fs_make_parent(project->log);
    project->process = process_start(
        batch->loop, &(struct process_options){
                         .argv = argv.at, .new_group = true, .on_end = on_end, .user = project});
    vec_free(&argv);
    project->state = project->process ? RUNNING : FAILED;
    batch->running += project->process != NULL;
}

static uint32_t count_waiting(const struct many *batch)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < batch->projects.len; i++)
        n += batch->projects.at[i].state == WAITING;
    return n;
}

/* How many projects start now. Without -p as many run at once as there are free GPU slots. */
static uint32_t count_new(const struct many *batch)
{
    int64_t waiting = count_waiting(batch), n = (int64_t)batch->parallel - batch->running;
    if (!batch->parallel) {
        int64_t gpus = batch->cores ? 1 - (int64_t)batch->running : free_gpus(batch);
        n = gpus > 0 ? gpus : !batch->running;
    }
    n = n < waiting ? n : waiting;
    return n > 0 && !batch->signals ? (uint32_t)n : 0;
}

/* What is free now is dealt out among the projects that start now. */
static void start_more(struct many *batch)
{
    uint32_t n = count_new(batch), started = 0, naccounts = batch->accounts.all.len;
    struct slots *idle = arena_array(&batch->arena, struct slots, naccounts + 1);
    int64_t idle_cores = batch->cores ? all_cores(batch) : 0;
    for (uint32_t i = 0; i < naccounts; i++)
        idle[i] = free_slots(batch, i);
    for (uint32_t i = 0; i < batch->projects.len; i++)
        if (batch->projects.at[i].process)
            idle_cores -= batch->projects.at[i].cores;
    for (uint32_t i = 0; i < batch->projects.len && started < n; i++) {
        if (batch->projects.at[i].state != WAITING)
            continue;
        deal(batch, &batch->projects.at[i], idle, idle_cores, n, started++);
        start_one(batch, &batch->projects.at[i]);
    }
}

static void start_or_end(struct many *batch)
{
    do
        start_more(batch);
    /* those could not be started */
    while (!batch->running && !batch->signals && count_waiting(batch));
    if (!batch->running)
        loop_stop(batch->loop);
}

static void on_looked(void *user)
{
    struct many *batch = user;
    batch->probe = NULL;
    accounts_block(&batch->accounts, batch->blocked.at, batch->blocked.len);
    start_or_end(batch);
}

/* One has ended: before others start in its place it is asked what is free now. */
static void go_on(struct many *batch)
{
    struct probe_options options = {.user = fs_username(), .again = true};
    if (batch->cores || batch->signals || !count_waiting(batch))
        start_or_end(batch);
    else if (!batch->probe)
        batch->probe = probe_start(batch->loop, &options, &batch->accounts, on_looked, batch);
}

static void on_signal(void *user, int signum)
{
    struct many *batch = user;
    batch->signals++;
    printf("Stopping %u run%s.\n", batch->running, batch->running == 1 ? "" : "s");
    fflush(stdout);
    for (uint32_t i = 0; i < batch->projects.len; i++)
        if (batch->projects.at[i].process)
            process_kill(batch->projects.at[i].process, batch->signals > 1 ? SIGKILL : SIGTERM);
    if (!batch->running)
        loop_stop(batch->loop); /* nothing starts any more */
}

static void on_show(void *user)
{
    show(user);
}

static int run_all(struct many *batch)
{
    uint32_t failed = 0, done = 0, n = batch->projects.len;
    batch->loop = loop_new();
    struct signal_watch *on_int = signal_open(batch->loop, SIGINT, on_signal, batch),
                        *on_term = signal_open(batch->loop, SIGTERM, on_signal, batch);
    struct timer *timer = timer_open(batch->loop, SHOW_MS, SHOW_MS, on_show, batch);
    start_or_end(batch);
    if (batch->running)
        loop_run(batch->loop, NULL, NULL);
    probe_stop(batch->probe);
    timer_close(timer);
    signal_close(on_int);
    signal_close(on_term);
    loop_free(batch->loop);
    printf("\nBatch summary\n\n");
    for (uint32_t i = 0; i < n; i++) {
        const struct project_run *project = &batch->projects.at[i];
        put_state(project, project->state == WAITING ? -1 : percent_done(project));
        done += project->state == DONE;
        failed += project->state == FAILED;
        if (project->state == FAILED)
            printf("      see %s\n", project->log);
    }
    printf("\n%u of %u projects done, %u failed, %u left\n", done, n, failed, n - done - failed);
    return done == n ? EXIT_OK : EXIT_BAD;
}

/* ---- in the background ---- */

/* The process that the batch of a folder names, if it is not known to be gone. */
static bool find_keeper(struct arena *in, const char *dir, struct keeper *out)
{
    return keeper_read(path_join(in, dir, pid_name), out) && !keeper_is_gone(out);
}

static bool is_free(struct many *batch)
{
    struct keeper other;
    if (!find_keeper(&batch->arena, batch->dir, &other))
        return true;
    fprintf(stderr,
            "error: process %ld of %s on %s runs this batch already; kintsugi-flow stop %s ends "
            "it\n",
            other.pid, other.user, other.host, path_quoted(&batch->arena, batch->dir));
    return false;
}

/* What a batch that was killed has left makes place. */
static bool hold(struct many *batch)
{
    const char *path = path_join(&batch->arena, batch->dir, pid_name);
    struct keeper other;
    if (!is_free(batch))
        return false;
    if (keeper_read(path, &other))
        keeper_remove_gone(path);
    else
        unlink(path);
    if (keeper_write(path))
        return true;
    if (errno == EEXIST && !is_free(batch)) /* another was faster */
        return false;
    fprintf(stderr, "error: cannot write '%s': %s\n", path, strerror(errno));
    return false;
}

static void say_detached(void *user, long child, const char *log)
{
    struct many *batch = user;
    printf("The batch continues as process %ld. Its output goes to %s; kintsugi-flow stop %s "
           "ends it.\n",
           child, log, path_quoted(&batch->arena, batch->dir));
}

bool batch_status(const char *dir)
{
    struct many batch = {.dir = dir, .force = true};
    struct keeper keeper;
    bool good = fs_is_dir(dir) && find_projects(&batch) && batch.projects.len;
    if (good && find_keeper(&batch.arena, dir, &keeper))
        printf("running    the batch, process %ld of %s on %s\n\n", keeper.pid, keeper.user,
               keeper.host);
    else if (good)
        puts("No batch is running.\n");
    for (uint32_t i = 0; good && i < batch.projects.len; i++) {
        const struct project_run *project = &batch.projects.at[i];
        bool left;
        const char *stage = stage_of(&batch, project->dir),
                   *word = status_word(status_of(project->dir, &left));
        char end[20] = "";
        int percent = percent_done(project);
        if (word)
            snprintf(end, sizeof end, " (%s)", word);
        fputs("  ", stdout);
        put_name(project);
        if (percent < 0)
            printf("  %s%s\n", stage, end);
        else
            printf("  %-22s  %3d%% of the last run%s\n", stage, percent, end);
    }
    const char *one = path_quoted(&batch.arena, path_join(&batch.arena, dir, "PROJECT"));
    if (good)
        printf("\nkintsugi-flow status %s shows more of one,\nkintsugi-flow logs %s why its jobs "
               "failed.\n",
               one, one);
    vec_free(&batch.projects);
    arena_free(&batch.arena);
    return good;
}

bool batch_stop(const char *dir, bool *stopped)
{
    struct arena in = {0};
    struct keeper keeper;
    bool there = find_keeper(&in, dir, &keeper);
    *stopped = false;
    if (there && !keeper_is_here(&keeper)) {
        fprintf(stderr, "error: the batch is process %ld on %s: stop it there\n", keeper.pid,
                keeper.host);
    } else if (there && !keeper_is_true(&keeper)) {
        fprintf(stderr,
                "error: the batch is said to be process %ld, which is not one of who said so: it "
                "is not stopped\n",
                keeper.pid);
    } else if (there && kill((pid_t)keeper.pid, SIGTERM)) {
        fprintf(stderr, "error: process %ld of %s cannot be stopped: %s\n", keeper.pid, keeper.user,
                strerror(errno));
    } else if (there) {
        printf("Stopping the batch, process %ld; its runs end their jobs first.\n", keeper.pid);
        fflush(stdout);
        while (!keeper_is_gone(&keeper))
            clock_sleep(200000000);
        *stopped = true;
    }
    arena_free(&in);
    return there;
}

/* Whether there is something to stop. */
static bool may_go_on(const char *dir)
{
    bool left;
    enum last_run last = status_of(dir, &left);
    return left || last == LAST_RUNNING || last == LAST_KILLED;
}

bool batch_stop_runs(const char *dir, int (*stop)(const char *dir), int *status)
{
    struct many batch = {.force = true};
    batch.dir = path_absolute(&batch.arena, fs_cwd(&batch.arena), dir); /* stop() goes elsewhere */
    bool there = fs_is_dir(batch.dir) && find_projects(&batch) && batch.projects.len;
    uint32_t stopped = 0, failed = 0;
    for (uint32_t i = 0; there && i < batch.projects.len; i++)
        if (may_go_on(batch.projects.at[i].dir)) {
            failed += stop(batch.projects.at[i].dir) != EXIT_OK;
            stopped++;
        }
    if (there && !stopped)
        fprintf(stderr, "error: no batch is running in '%s', nor a run of its projects\n", dir);
    *status = stopped && !failed ? EXIT_OK : EXIT_BAD;
    vec_free(&batch.projects);
    arena_free(&batch.arena);
    return there;
}

/* ---- the command line ---- */

static int carry_out(struct many *batch)
{
    if (!batch->cores)
        look_at_accounts(batch);
    if (!batch->cores && !batch->dry && !batch->accounts.all.len) {
        fputs("error: no Slurm account was found\n", stderr);
        for (uint32_t i = 0; i < batch->accounts.notes.len; i++)
            fprintf(stderr, "  note: %s\n", batch->accounts.notes.at[i]);
        fputs("  hint: --cores N runs the projects on this machine\n", stderr);
        return EXIT_BAD;
    }
    show_eligible(batch);
    uint32_t first = count_new(batch);
    if (!batch->cores)
        printf("%lld GPU slots are free now: %u project%s at once\n", (long long)free_gpus(batch),
               first, first == 1 ? "" : "s");
    fflush(stdout);
    if (batch->dry)
        return EXIT_OK;
    if (!is_free(batch))
        return EXIT_BAD;
    const char *log = path_join(&batch->arena, batch->dir, log_name);
    int away = batch->detach ? background_go(log, true, say_detached, batch) : -1;
    if (away >= 0)
        return away;
    if (!hold(batch))
        return EXIT_BAD;
    background_begun();
    int status = run_all(batch);
    unlink(path_join(&batch->arena, batch->dir, pid_name));
    return status;
}

static bool read_numbers(struct many *batch)
{
    static const struct number_range count = {1, UINT16_MAX, true};
    double n = 0, cores;
    bool all = batch->cores && !strcmp(batch->cores, "all");
    if (!arguments_number("-p", batch->at_once, count, &n) ||
        (!all && !arguments_number("--cores", batch->cores, count, &cores)))
        return false;
    batch->parallel = (uint32_t)n;
    return true;
}

static int with_projects(struct many *batch)
{
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    bool good = blocked_read(&batch->arena, dx, batch->dir, &batch->blocked) &&
                find_projects(batch);
    diag_print(dx, stderr, fs_has_colors(2));
    diags_free(dx);
    sources_free(sources);
    if (!good)
        return EXIT_BAD;
    if (!batch->projects.len) {
        puts("No eligible projects found.");
        printf("  hint: a project is a folder in %s with workflow/config.yaml and "
               "data/raw/.staged that is not complete\n",
               batch->dir);
        return EXIT_OK;
    }
    return carry_out(batch);
}

int verb_batch(const char *self, int argc, const char *const *argv)
{
    struct many batch = {.self = self};
    struct arguments arguments;
    int own = 0, status;
    while (own < argc && strcmp(argv[own], "--"))
        own++;
    const struct argument table[] = {
        {"--parallel -p", "N", NULL, &batch.at_once,
         "run N projects at once (default: by the free GPU slots)"},
        {"--name -d", "TEXT", NULL, &batch.like, "only projects with this in their names"},
        {"--dry-run -n", NULL, &batch.dry, NULL, "show the projects, run nothing"},
        {"--force -f", NULL, &batch.force, NULL,
         "run complete projects too, all from the beginning"},
        {"--targets", "A,B", NULL, &batch.targets, "make these rules instead of everything"},
        {"--cores -c", "N", NULL, &batch.cores,
         "run on this machine, with N cores for all projects together"},
        {"--detach", NULL, &batch.detach, NULL, "continue in the background"},
        {0}};
    static const char usage[] =
        "batch DIR [OPTIONS] [-- OPTIONS OF run]\n\n"
        "Runs the workflows of all projects in DIR that are staged and not complete, several at a "
        "time. Staged is\na project with workflow/config.yaml and data/raw/.staged (which may be "
        "empty).";
    bool good = arguments_parse(&arguments, table, usage, own, argv);
    status = arguments.status;
    for (int i = own + 1; i < argc; i++)
        vec_push(&batch.more, argv[i]);
    if (good && arguments.words.len != 1) {
        fputs("error: which folder holds the projects? kintsugi-flow batch DIR\n", stderr);
        status = EXIT_USAGE;
    } else if (good && !read_numbers(&batch)) {
        status = EXIT_USAGE;
    } else if (good) {
        batch.dir = path_absolute(&batch.arena, fs_cwd(&batch.arena), arguments.words.at[0]);
        status = with_projects(&batch);
    }
    accounts_free(&batch.accounts);
    vec_free(&batch.blocked);
    vec_free(&batch.projects);
    vec_free(&batch.more);
    arena_free(&batch.arena);
    arguments_free(&arguments);
    return status;
}
