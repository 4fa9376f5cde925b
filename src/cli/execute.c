// SPDX-License-Identifier: MIT
#include "cli/execute.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/line.h"
#include "base/memory.h"
#include "base/path.h"
#include "cli/capacity.h"
#include "cli/deployment.h"
#include "cli/numbers.h"
#include "cli/site.h"
#include "cli/targets.h"
#include "exec/orphan.h"
#include "flow/scopes.h"
#include "flow/storage.h"
#include "graph/checkpoint.h"
#include "graph/ready.h"
#include "report/efficiency.h"
#include "report/observe.h"
#include "report/stats.h"
#include "run/cache.h"
#include "run/handover.h"
#include "run/litter.h"
#include "run/run.h"
#include "run/task_body.h"
#include "run/task_files.h"
#include "run/temp.h"
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

/* With --executor cluster-generic. */
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
    const char *const *w = words;
    while (w && *w && strcmp(*w, "storage-local-copies"))
        w++;
    return !words || *w;
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

static struct lock *take_lock(struct session *s)
{
    const struct graph *g = s->graph;
    const char **in = memory_zeroed(g->files.len + 1, sizeof *in),
               **out = memory_zeroed(g->files.len + 1, sizeof *out);
    uint32_t nin = 0, nout = 0;
    for (file_id f = 1; f < g->files.len; f++) {
        job_id maker = g->files.at[f].maker;
        if (g->file_uses.start[f + 1] > g->file_uses.start[f])
            in[nin++] = file_path(g, f);
        if (maker && g->jobs.at[maker].must_run)
            out[nout++] = file_path(g, f);
    }
    struct lock *lock = lock_take(".", s->diags, in, nin, out, nout);
    free(in);
    free(out);
    return lock;
}

/* False: another run has it. *lock: NULL with --nolock. */
static bool open_lock(struct session *s, struct lock **lock)
{
    *lock = s->options.given[OPT_NOLOCK] ? NULL : take_lock(s);
    return *lock || s->options.given[OPT_NOLOCK];
}

static void close_lock(struct lock *lock)
{
    if (lock)
        lock_release(lock);
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
    log_text(&s->log, LOG_INFO, "Rules claiming more threads will be scaled down.", 48);
    deployment_say_ignored(s);
    ready_walk(&order, s->graph, job_must_run);
    stats_text(&order, &stats);
    ready_end(&order);
    log_text(&s->log, LOG_INFO, buf_text(&stats), stats.len);
    buf_free(&stats);
}

static bool hook(struct session *s, const struct hook *hook)
{
    return s->options.given[OPT_NO_HOOKS] || !hook->function.v ||
           workflow_run_hook(s->workflow, hook, s->log.path ? s->log.path : "");
}

/* Where onstart failed, nothing has been run that could end. False: not all is well. */
static bool end_hook(struct session *s, bool started, bool good)
{
    return started && hook(s, good ? &s->workflow->onsuccess : &s->workflow->onerror) && good;
}

/* until: clock_ns(). */
static bool wait_for_file(struct session *s, enum option_id id, const char *path, int64_t until)
{
    char name[64];
    while (!fs_exists(path)) {
        if (clock_ns() >= until) {
            complain(s->diags, (struct span){0}, "'%s' did not appear (%s)", path,
                     option_name(id, name));
            diag_hint(s->diags, "--latency-wait S waits for S seconds instead of 5");
            return false;
        }
        struct timespec tenth = {0, 100000000};
        nanosleep(&tenth, NULL);
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
    bool started = hook(s, &s->workflow->onstart);
    bool good = started && run_jobs(s->graph, options, &observe.observer, &result);
    good &= !s->state || state_end_run(s->state, good ? EXIT_OK : EXIT_BAD);
    report_efficiency(s);
    log_progress(&s->log, "");
    observe_outcome(&observe, &result);
    good = end_hook(s, started, good);
    observe_end(&observe, &result, options->task.keep_incomplete);
    return good;
}

static const char *command_line(struct session *s)
{
    struct buf text = {0};
    buf_str(&text, "kintsugi-flow run");
    for (const char *const *w = s->options.argv; *w; w++) {
        buf_char(&text, ' ');
        buf_shell_quote(&text, *w, strlen(*w));
    }
    const char *line = arena_str(&s->arena, buf_text(&text));
    buf_free(&text);
    return line;
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

int execute(struct session *s)
{
    struct run_options options;
    struct lock *lock;
    if (!execute_options(s, &options))
        return EXIT_USAGE;
    if (!execute_can_cache(s))
        return EXIT_BAD;
    if (!execute_has_cores(s) || !site_is_there(s))
        return EXIT_BAD;
    if (!deployment_scripts(s, false) || !deployment_make(s, false, false))
        return EXIT_BAD;
    options.task.deploy = s->deploy;
    if (!open_lock(s, &lock))
        return EXIT_BAD;
    log_open_file(&s->log);
    int orphans = orphan_kill(s->workflow->workdir);
    tidy_parts(s->workflow->workdir);
    sweep(s);
    if (orphans)
        log_say(&s->log, LOG_INFO, "Ended %d process%s that a killed run had left behind.", orphans,
                orphans == 1 ? "" : "es");
    orphan_mark(s->workflow->workdir);
    say_start(s);
    bool good = (!s->state || state_begin_run(s->state, command_line(s))) && run_all(s, &options);
    sweep(s); /* jobs of a killed run that this one has followed need nothing any more */
    close_lock(lock);
    return good ? EXIT_OK : EXIT_BAD;
}

/* ---- --touch ---- */

/* Whether an output is in a storage, where it is touched; what is wrong with that goes to
 * task->why. */
static bool is_stored(struct session *s, struct task *task, const char *path)
{
    struct storage_place place;
    struct fs_info info;
    const char *why;
    if (!storage_find(s->workflow, &task->scratch, path, &place))
        return false;
    storage_stat(&place, &info);
    if (info.mtime >= 0 && !storage_touch(&task->scratch, &place, &why))
        buf_printf(&task->why, "storage: %s", why);
    return info.mtime >= 0;
}

/* Touches what is in a storage, and names what is nowhere: temporary outputs may be gone. */
static void touch_stored(struct session *s, struct task *task)
{
    struct buf missing = {0};
    for (uint32_t i = 0; i < task->eval.output.len; i++) {
        const char *path = sym_text(s->names, task->eval.output.at[i].path);
        if (!is_stored(s, task, path) && !fs_exists(path))
            buf_printf(&missing, "%s%s", missing.len ? ", " : "", path);
    }
    if (missing.len)
        log_say(&s->log, LOG_INFO, "Output files not touched because they don't exist: %s",
                buf_text(&missing));
    buf_free(&missing);
}

/* The records of outputs that are gone are renewed as well: it is their job that is accepted as it
 * is now. */
static bool touch_job(struct session *s, const struct task_context *context, job_id id)
{
    struct task *task = task_new(s->graph, id, 1, s->cores);
    if (!task)
        return false;
    task->touched = true;
    touch_stored(s, task);
    for (uint32_t i = 0; i < task->eval.benchmark.len; i++)
        fs_touch(sym_text(s->names, task->eval.benchmark.at[i].path), 0, false);
    task->eval.benchmark.len = 0; /* nothing was measured */
    bool good = !task->why.len && task_resume(context, task, NULL);
    task->end_ns = task->end.start_ns = task->end.end_ns = task->start_ns;
    good = good && task_seal(context, task) && task_commit(context, task);
    if (!good && task->why.len)
        complain(s->diags, (struct span){0}, "%s", buf_text(&task->why));
    task_free(task);
    return good;
}

/* A temporary file that has served, also in a storage. */
static void remove_temp(void *user, file_id file)
{
    struct session *s = user;
    struct arena in = {0};
    struct storage_place place;
    const char *path = file_path(s->graph, file), *why = NULL;
    if (s->graph->files.at[file].mtime >= 0 && !s->options.given[OPT_NOTEMP]) {
        if (storage_find(s->workflow, &in, path, &place))
            storage_remove(&in, &place, &why);
        if (!temp_remove(s->graph, file) && !why)
            why = strerror(errno);
        observe_removed(&s->log, path, why);
    }
    arena_free(&in);
}

/* Jobs in the order in which they were touched. */
struct touched {
    VEC(job_id);
};

struct unmade {
    const struct graph *g;
    bool found;
};

static bool note_unmade(void *user, job_id job)
{
    struct unmade *by = user;
    by->found = job_must_run(&by->g->jobs.at[job]);
    return !by->found;
}

static bool lacks_input(const struct graph *g, job_id id)
{
    struct input_walk walk = input_walk(g, id);
    file_id f = input_next(g, &walk);
    while (f && g->files.at[f].mtime >= 0)
        f = input_next(g, &walk);
    return f;
}

/* Whether a job has yet to make what is wanted of it, as its users that are so have told. One
 * without outputs wants its inputs. */
static bool is_unmade(const struct graph *g, job_id id)
{
    struct unmade by = {.g = g, .found = !g->jobs.at[id].noutputs && lacks_input(g, id)};
    struct product_walk products = product_walk(g, id);
    for (file_id f; !by.found && (f = product_next(g, &products));) {
        if (g->files.at[f].mtime >= 0)
            continue;
        by.found = g->jobs.at[id].wanted || g->files.at[f].target;
        if (!by.found)
            file_users(g, f, note_unmade, &by);
    }
    return by.found;
}

/* Removes temporary files but those of which a job that has yet to be run can still make use. */
static void remove_temps(struct session *s, const struct touched *touched)
{
    struct temps temps;
    for (uint32_t i = touched->len; i--;)
        s->graph->jobs.at[touched->at[i]].done = !is_unmade(s->graph, touched->at[i]);
    temps_start(&temps, s->graph, remove_temp, s);
    temps.held = s->graph->waiting.len > 0;
    for (uint32_t i = 0; i < touched->len; i++)
        if (s->graph->jobs.at[touched->at[i]].done)
            temps_done(&temps, touched->at[i]);
    temps_end(&temps);
    tidy_directories(s->graph);
}

/* Touches what is known: jobs that wait for a checkpoint, and their users, come when it has been
 * touched. */
static bool touch_known(struct session *s, const struct task_context *context,
                        struct touched *touched)
{
    struct ready ready;
    bool good = true;
    ready_start(&ready, s->graph, job_must_run);
    for (uint32_t i = 0; i < ready.queue.len; i++) {
        job_id id = ready.queue.at[i];
        if (s->graph->jobs.at[id].waits_checkpoint)
            continue;
        good = touch_job(s, context, id);
        if (!good)
            break;
        s->graph->jobs.at[id].taken = s->graph->jobs.at[id].done = true;
        ready_done(&ready, id);
        vec_push(touched, id);
    }
    ready_end(&ready);
    return good;
}

int execute_touch(struct session *s)
{
    struct run_options options;
    struct touched touched = {0};
    struct lock *lock;
    bool more = true;
    if (!execute_options(s, &options))
        return EXIT_USAGE;
    if (!open_lock(s, &lock))
        return EXIT_BAD;
    bool started = hook(s, &s->workflow->onstart), good = started;
    while (good && more) {
        good = touch_known(s, &options.task, &touched);
        more = false;
        good = good && checkpoint_grow(s->graph, &s->fresh, &s->cut, &more);
    }
    if (good) {
        remove_temps(s, &touched);
        log_say(&s->log, LOG_INFO, "%u of %u steps (100%%) done", touched.len, touched.len);
    }
    vec_free(&touched);
    good &= !s->state || state_flush(s->state);
    good = end_hook(s, started, good);
    log_end(&s->log);
    close_lock(lock);
    return good ? EXIT_OK : EXIT_BAD;
}
