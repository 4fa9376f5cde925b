// SPDX-License-Identifier: MIT
#include "cli/execute.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/line.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/words.h"
#include "cli/background.h"
#include "cli/capacity.h"
#include "cli/deployment.h"
#include "cli/numbers.h"
#include "cli/site.h"
#include "cli/targets.h"
#include "exec/orphan.h"
#include "flow/scopes.h"
#include "graph/ready.h"
#include "loop/loop.h"
#include "report/efficiency.h"
#include "report/observe.h"
#include "report/stats.h"
#include "run/cache.h"
#include "run/handover.h"
#include "run/litter.h"
#include "run/run.h"
#include "run/tidy.h"
#include "state/lock.h"

/* ---- options ---- */

/* What is local to a submitted job only shapes groups. */
void execute_limits(struct session *s, bool submitted, struct run_options *out)
{
    uint32_t n;
    const struct resource_limit *limit = resource_limits(s->workflow, &s->arena, &n);
    out->limits = arena_array(&s->arena, struct limit, n + 1);
    out->nlimits = n;
    for (uint32_t i = 0; i < n; i++)
        out->limits[i] = (struct limit){
            .name = intern_str(s->names, limit[i].name),
            .total = limit[i].total,
            .within_job = submitted && resource_is_local(s->workflow, limit[i].name)};
}

bool execute_most_jobs(struct session *s, int otherwise, int *out)
{
    const char *jobs = option_word(&s->options, OPT_JOBS, "unlimited");
    *out = otherwise;
    return number_is_all(jobs) || number_whole(&s->options, s->diags, OPT_JOBS, otherwise, out);
}

/* Where jobs are submitted. */
static bool fill_remote(struct session *s, struct run_options *out)
{
    if (!site_is_used(&s->options))
        return true;
    struct remote_options *remote = arena_new(&s->arena, struct remote_options);
    if (!s->options.given[OPT_JOBS])
        return complain(s->diags, (struct span){0},
                        "you need to specify the maximum number of jobs to be submitted at the "
                        "same time, or 'unlimited' for no limit, with --jobs");
    if (!execute_most_jobs(s, 0, &out->jobs))
        return false;
    out->remote = remote;
    return site_fill(s, remote);
}

/* Where results are shared, or NULL. */
static const char *cache_dir(void)
{
    const char *dir = getenv("SNAKEMAKE_OUTPUT_CACHE");
    return dir && *dir ? dir : NULL;
}

bool execute_can_cache(struct session *s)
{
    const rule_id *rules = targets_rules(s, OPT_CACHE);
    if (!s->options.given[OPT_CACHE])
        return true;
    if (!cache_dir())
        warn(s->diags, (struct span){0},
             "--cache: no results are shared, as the environment variable "
             "SNAKEMAKE_OUTPUT_CACHE names no directory for them");
    for (rule_id r = 1; r < s->workflow->rules.len; r++)
        if (cache_concerns(s->workflow->rules.at[r], rules) &&
            !cache_check(s->workflow, s->workflow->rules.at[r]))
            return false;
    return true;
}

/* Local copies of stored files serve all jobs unless --shared-fs-usage leaves them out. */
static bool shares_copies(const struct options *o)
{
    const char *const *words = option_words(o, OPT_SHARED_FS_USAGE);
    return !words || word_in(words, "storage-local-copies");
}

static bool latency_wait(struct session *s, double *seconds)
{
    return number_seconds(&s->options, s->diags, OPT_LATENCY_WAIT, 5, seconds);
}

bool execute_options(struct session *s, struct run_options *out)
{
    double latency, queue_wait;
    struct rate rate;
    int retries;
    const struct options *o = &s->options;
    if (!number_whole(&s->options, s->diags, OPT_RETRIES, 0, &retries) ||
        !number_seconds(&s->options, s->diags, OPT_QUEUE_INPUT_WAIT, 10, &queue_wait) ||
        !latency_wait(s, &latency) || !number_rate(o, s->diags, &rate))
        return false;
    *out = (struct run_options){.executor = option_word(o, OPT_EXECUTOR, "local"),
                                .cores = s->cores,
                                .retries = retries,
                                .rate_jobs = rate.jobs,
                                .rate_ns = rate.ns,
                                .latency_wait = latency,
                                .queue_wait = queue_wait,
                                .fresh = &s->fresh,
                                .cut = &s->cut,
                                .first = &s->first,
                                .keep_going = o->given[OPT_KEEP_GOING],
                                .notemp = o->given[OPT_NOTEMP],
                                .share_copies = shares_copies(o)};
    out->task = (struct task_context){.state = s->state,
                                      .g = s->graph,
                                      .self = s->self,
                                      .run_args = o->argv,
                                      .started_in = s->started_in,
                                      .cache_rules = targets_rules(s, OPT_CACHE),
                                      .cache_dir = cache_dir(),
                                      .shadow_prefix = option_word(o, OPT_SHADOW_PREFIX, NULL),
                                      .max_checksum_size = s->fresh.max_checksum_size,
                                      .notemp = o->given[OPT_NOTEMP],
                                      .benchmark_extended = o->given[OPT_BENCHMARK_EXTENDED],
                                      .drop_records = o->given[OPT_DROP_METADATA],
                                      .keep_incomplete = o->given[OPT_KEEP_INCOMPLETE],
                                      .skip_script_cleanup = o->given[OPT_SKIP_SCRIPT_CLEANUP]};
    if (!capacity_route(s, &out->route) || !fill_remote(s, out))
        return false;
    if (!out->remote || (s->state && !out->remote->site.detached)) /* who knows of its jobs else? */
        out->task.litter = s->workflow->workdir;
    execute_limits(s, out->remote != NULL, out);
    return true;
}

/* ---- the lock ---- */

/* Made by this run, maybe before the graph grew. */
static bool is_made(const struct graph *g, file_id f)
{
    const struct job *maker = &g->jobs.at[g->files.at[f].maker];
    return g->files.at[f].maker && (maker->must_run || maker->taken);
}

/* A temporary file of an earlier run that is removed once it has served. */
static bool is_used_up(const struct graph *g, file_id f)
{
    const struct file *file = &g->files.at[f];
    return file->flags & FLAG_TEMP && !file->target && file->maker && file->mtime >= 0 &&
           file_is_awaited(g, f);
}

/* Takes the lock for the files of the graph, or the same lock (not NULL) anew. */
static bool take_lock(const struct session *s, struct lock **lock)
{
    const struct graph *g = s->graph;
    const char **in = memory_zeroed(g->files.len + 1, sizeof *in),
               **out = memory_zeroed(g->files.len + 1, sizeof *out);
    struct lock_files files = {in, 0, out, 0};
    for (file_id f = 1; f < g->files.len; f++) {
        if (g->file_uses.start[f + 1] > g->file_uses.start[f])
            in[files.ninputs++] = file_path(g, f);
        if (is_made(g, f) || (!s->options.given[OPT_NOTEMP] && is_used_up(g, f)))
            out[files.noutputs++] = file_path(g, f);
    }
    bool good = *lock ? lock_renew(*lock, s->diags, &files)
                      : (*lock = lock_take(".", s->diags, &files)) != NULL;
    free(in);
    free(out);
    return good;
}

bool execute_open_lock(struct session *s, struct lock **lock)
{
    *lock = NULL;
    return s->options.given[OPT_NOLOCK] || take_lock(s, lock);
}

bool execute_renew_lock(struct session *s, struct lock *lock)
{
    return !lock || take_lock(s, &lock);
}

/* ---- words at the start and end ---- */

static void say_start(struct session *s)
{
    struct buf stats = {0};
    struct ready order;
    if (!log_wants(&s->log, QUIET_PROGRESS))
        return;
    if (site_is_used(&s->options))
        log_say(&s->log, LOG_INFO, "Provided remote nodes: %s",
                option_word(&s->options, OPT_JOBS, ""));
    else
        log_say(&s->log, LOG_INFO, "Provided cores: %d%s", s->cores,
                s->cores == 1 ? " (use --cores to define parallelism)" : "");
    log_say(&s->log, LOG_INFO, "Rules claiming more threads will be scaled down.");
    deployment_say_ignored(s);
    ready_walk(&order, s->graph, job_must_run);
    stats_text(&order, &stats);
    ready_end(&order);
    log_text(&s->log, LOG_INFO, buf_text(&stats), stats.len);
    buf_free(&stats);
}

bool execute_hook(struct session *s, const struct hook *hook)
{
    if (s->options.given[OPT_NO_HOOKS] || !hook->function.v)
        return true;
    signals_end_program(true); /* it may take its time */
    bool well = workflow_run_hook(s->workflow, hook, s->log.path ? s->log.path : "");
    signals_end_program(false);
    return well;
}

bool execute_end_hook(struct session *s, bool started, bool good)
{
    return started && execute_hook(s, good ? &s->workflow->onsuccess : &s->workflow->onerror) &&
           good;
}

/* until: clock_ns(). */
static bool wait_for_file(struct session *s, enum option_id id, const char *path, int64_t until)
{
    char name[64];
    double waited;
    while (!fs_exists(path)) {
        if (clock_ns() >= until) {
            complain(s->diags, (struct span){0}, "'%s' did not appear (%s)", path,
                     option_name(id, name));
            if (latency_wait(s, &waited))
                diag_hint(s->diags, "--latency-wait S waits for S seconds instead of %g", waited);
            return false;
        }
        background_begun(); /* it may take its time */
        clock_sleep(100000000);
        fs_renew(path);
    }
    return true;
}

/* --wait-for-files-file: a name a line; the file itself may be late, too. */
static bool wait_for_listed(struct session *s, int64_t until)
{
    const char *list = option_word(&s->options, OPT_WAIT_FOR_FILES_FILE, NULL);
    if (!list)
        return true;
    if (!wait_for_file(s, OPT_WAIT_FOR_FILES_FILE, list, until))
        return false;
    const char *text = fs_read(&s->arena, list, NULL);
    if (!text)
        return complain(s->diags, (struct span){0}, "cannot read '%s' (--wait-for-files-file): %s",
                        list, strerror(errno));
    for (struct line line; line_next(&text, &line);) {
        line_trim(&line);
        if (line.len && !wait_for_file(s, OPT_WAIT_FOR_FILES_FILE,
                                       arena_copy(&s->arena, line.at, line.len), until))
            return false;
    }
    return true;
}

bool execute_wait_for_files(struct session *s)
{
    double seconds;
    if (!latency_wait(s, &seconds))
        return false;
    int64_t until = clock_ns() + (int64_t)(seconds * 1e9);
    for (const char *const *w = option_words(&s->options, OPT_WAIT_FOR_FILES); w && *w; w++)
        if (!wait_for_file(s, OPT_WAIT_FOR_FILES, *w, until))
            return false;
    return wait_for_listed(s, until);
}

/* --slurm-efficiency-report */
static void report_efficiency(struct session *s)
{
    const char *folder = option_word(&s->options, OPT_SLURM_EFFICIENCY_PATH, NULL);
    const char *name = s->log.path ? path_basename(s->log.path) : "run.snakemake.log";
    double least;
    if (!s->options.given[OPT_SLURM_EFFICIENCY] || !s->state)
        return;
    name = arena_printf(&s->arena, "efficiency_report_%.*s.csv",
                        (int)(strstr(name, ".snakemake.log") - name), name);
    folder = folder ? path_absolute(&s->arena, s->started_in, folder) : ".";
    if (number_any(&s->options, s->diags, OPT_SLURM_EFFICIENCY_LEAST, 0.8, &least))
        efficiency_report(s->state, s->diags, &s->log,
                          path_normal(&s->arena, path_join(&s->arena, folder, name)), least);
}

static bool run_all(struct session *s, const struct run_options *options)
{
    struct observe observe;
    struct run_result result = {0};
    observe_start(&observe, s->graph, &s->log, s->options.given[OPT_PRINTSHELLCMDS],
                  s->options.given[OPT_SHOW_FAILED_LOGS]);
    bool started = execute_hook(s, &s->workflow->onstart);
    bool good = started && run_jobs(s->graph, options, &observe.observer, &result);
    good &= !s->state || state_end_run(s->state, good ? EXIT_OK : EXIT_BAD);
    report_efficiency(s);
    log_progress(&s->log, "");
    observe_outcome(&observe, &result);
    good = execute_end_hook(s, started, good);
    observe_end(&observe, &result, options->task.keep_incomplete);
    return good;
}

static const char *command_line(struct session *s)
{
    struct buf text = {0};
    buf_str(&text, "kintsugi-flow run");
    for (const char *const *w = s->options.argv; *w; w++) {
        buf_char(&text, ' ');
        buf_shell_word(&text, *w);
    }
    const char *line = arena_str(&s->arena, buf_text(&text));
    buf_free(&text);
    return line;
}

void execute_record_nothing(struct session *s)
{
    struct run_record last;
    bool bad = s->state && state_last_end(s->state, &s->arena, &last) &&
               (last.end_ns ? last.status : !lock_owners(".", NULL, NULL));
    if (bad && state_begin_run(s->state, command_line(s)))
        state_end_run(s->state, EXIT_OK);
}

bool execute_has_cores(struct session *s)
{
    if (s->cores || strcmp(option_word(&s->options, OPT_EXECUTOR, "local"), "local"))
        return true;
    complain(s->diags, (struct span){0},
             "you need to specify the maximum number of CPU cores to be used at the same time");
    diag_hint(s->diags, "add --cores N, or --cores all for all %ld of this machine",
              sysconf(_SC_NPROCESSORS_ONLN));
    return false;
}

/* What a killed run has left may serve jobs that it has submitted. */
static void sweep(const struct session *s)
{
    if (s->state && !handover_open_submissions(s->state, ""))
        litter_sweep(s->workflow->workdir);
}

void execute_say_left(struct session *s, const char *means)
{
    uint32_t left = s->state ? handover_left_submissions(s->state) : 0;
    if (left)
        log_say(&s->log, LOG_INFO,
                "%u submitted job%s of an earlier run may still be there%s: 'kintsugi-flow status' "
                "tells, 'kintsugi-flow stop' ends %s.",
                left, left == 1 ? "" : "s", means, left == 1 ? "it" : "them");
}

/* A run and its lock. */
struct held_lock {
    struct session *session;
    struct lock *lock;
};

static bool renew_lock(void *user)
{
    struct held_lock *held = user;
    return execute_renew_lock(held->session, held->lock);
}

static bool went_well(void *user, long owner)
{
    struct session *s = user;
    struct run_record run;
    return s->state && state_run_of(s->state, fs_hostname(), owner, &s->arena, &run) &&
           run.end_ns && !run.status;
}

int execute(struct session *s)
{
    struct run_options options;
    struct held_lock held = {s, NULL};
    if (!execute_options(s, &options))
        return EXIT_USAGE;
    if (!execute_can_cache(s))
        return EXIT_BAD;
    if (!execute_has_cores(s) || !site_is_there(s))
        return EXIT_BAD;
    if (!deployment_scripts(s, false) || !deployment_make(s, false, false))
        return EXIT_BAD;
    options.task.deploy = s->deploy;
    options.grown = renew_lock;
    options.grown_user = &held;
    if (!execute_open_lock(s, &held.lock))
        return EXIT_BAD;
    log_open_file(&s->log, s->workflow->first_workdir); /* as Snakemake: not in that of workdir: */
    int orphans = orphan_kill(s->workflow->workdir, went_well, s);
    tidy_parts(s->workflow->workdir);
    sweep(s);
    if (orphans)
        log_say(&s->log, LOG_INFO, "Ended %d process%s that a killed run had left behind.", orphans,
                orphans == 1 ? "" : "es");
    if (!options.remote) /* who cannot take them over */
        execute_say_left(s, ", and write to the same files as this run");
    orphan_mark(s->workflow->workdir);
    say_start(s);
    bool good = !s->state || state_begin_run(s->state, command_line(s));
    if (good)
        background_begun();
    good = good && run_all(s, &options);
    sweep(s); /* jobs of a killed run that this one has followed need nothing any more */
    lock_release(held.lock);
    return good ? EXIT_OK : EXIT_BAD;
}
