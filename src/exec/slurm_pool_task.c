// SPDX-License-Identifier: MIT
/* slurm_pool_task.c: tasks in the pool's allocations. Each runs the same script as a job of its own
 * would, so it claims its attempt and leaves a done file; srun only brings it there. */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/gres.h"
#include "base/hash.h"
#include "base/memory.h"
#include "exec/slurm_pool_inner.h"
#include "exec/slurm_args.h"

static const int64_t S = 1000000000;

/* ---- tasks ---- */

int pool_gpus(const struct launch *launch)
{
    struct arena scratch = {0};
    const char *gres = launch_gres(&scratch, launch);
    int64_t n = gres ? gres_gpus(gres, strlen(gres)) : 0;
    arena_free(&scratch);
    return n < INT_MAX ? (int)n : INT_MAX;
}

static void set_ask(struct pool_task *task, const struct launch *launch)
{
    int64_t per_cpu = launch_number(launch, "mem_mb_per_cpu", 0);
    int64_t cores = launch_number(launch, "cpus_per_task", 0);
    task->ask.cores = cores > 0 ? (int)cores : launch->cores > 0 ? launch->cores : 1;
    task->ask.mem_mb = per_cpu > 0 ? per_cpu * task->ask.cores : launch->mem_mb;
    struct arena scratch = {0};
    task->gres = slurm_copy(launch_gres(&scratch, launch));
    arena_free(&scratch);
    task->ask.gpus = pool_gpus(launch);
    task->ask.seconds = launch->runtime_min * 60;
}

/* Its log, and its script, which writes to it. */
static void set_element(struct pool_task *task, const struct launch *launch)
{
    struct slurm *inner = task->pool->inner;
    struct buf text = {0};
    buf_printf(&text, "%s/%s/%s.log", inner->logdir, task->who.folder, task->token);
    task->log = buf_take(&text);
    fs_make_parent(task->log);
    buf_str(&text, "exec >>");
    buf_shell_word(&text, task->log);
    buf_str(&text, " 2>&1\n");
    task->body = slurm_path(inner, "jobs", task->token, 1);
    if (!slurm_element(launch, task->body, true, &text))
        task->message = slurm_copy("the text of the job cannot be written to .snakemake/slurm");
    task->element = buf_take(&text);
}

/* Gives it a name that no other has; place: in known + 1. */
static void set_token(struct pool_task *task, uint32_t place)
{
    struct pool *pool = task->pool;
    snprintf(task->token, sizeof task->token, "kp.%s.%u", pool->inner->run,
             (unsigned)++pool->serial);
    map_set(&pool->by_token, hash_key_of(task->token), place);
}

struct pool_task *pool_task_new(struct pool *pool, const struct launch *launch)
{
    struct pool_task *task = memory_zeroed(1, sizeof *task);
    *task = (struct pool_task){.pool = pool, .launch = launch->id};
    past_describe(&task->who, launch);
    uint32_t *place = map_at(&pool->by_launch, launch->id);
    if (!*place) {
        vec_push(&pool->known, NULL);
        *place = pool->known.len;
    }
    pool->known.at[*place - 1] = task;
    set_token(task, *place);
    set_ask(task, launch);
    set_element(task, launch);
    return task;
}

void pool_task_free(struct pool_task *task)
{
    char *const texts[] = {task->element, task->script, task->body,
                           task->log,     task->gres,   task->message};
    past_forget_job(&task->who);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    free(task);
}

struct pool_task *pool_task_of(const struct pool *pool, uint32_t launch)
{
    uint32_t place = map_find(&pool->by_launch, launch);
    return place ? pool->known.at[place - 1] : NULL;
}

/* ---- ends ---- */

/* False: the task has left no done file. */
static bool read_done(const struct pool_task *task, struct slurm_done *done)
{
    struct arena scratch = {0};
    char *path = slurm_path(task->pool->inner, "done", task->token, 0);
    const char *text = fs_read(&scratch, path, NULL);
    bool good = text && slurm_read_done(text, done);
    free(path);
    arena_free(&scratch);
    return good;
}

void pool_discard(struct pool_task *task)
{
    static const char *const folders[] = {"done", "claim", "jobs"};
    struct slurm *inner = task->pool->inner;
    for (int i = 0; i < 3; i++)
        past_discard(&inner->past, slurm_path(inner, folders[i], task->token, 0));
    past_discard(&inner->past, slurm_copy(task->body));
}

static void leave_step(struct pool_task *task)
{
    struct pool_step *step = task->step;
    for (uint32_t i = 0; step && i < step->tasks.len; i++)
        if (step->tasks.at[i] == task)
            step->tasks.at[i] = NULL;
    task->step = NULL;
}

void pool_end_task(struct pool_task *task, int status, int signum, const char *message,
                   bool blameless)
{
    struct pool *pool = task->pool;
    struct slurm_done done = {0};
    char id[32];
    bool has_done = read_done(task, &done);
    snprintf(id, sizeof id, "%u", (unsigned)done.job);
    struct exec_event event = {.kind = EXEC_ENDED,
                               .launch = task->launch,
                               .status = status,
                               .signal = signum,
                               .start_ns = has_done ? done.start_s * S : task->who.submit_ns,
                               .end_ns = has_done ? done.end_s * S : clock_wall_ns(),
                               .user_s = done.user_s,
                               .system_s = done.system_s,
                               .host = has_done ? done.host : NULL,
                               .external_id = has_done ? id : NULL,
                               .message = message,
                               .log = !status && !signum ? task->log : NULL,
                               .blameless = blameless,
                               .left = pool->inner->left};
    leave_step(task);
    task->ended = true;
    past_set_row(&pool->inner->past,
                 &(struct exec_submission){.token = task->token, .status = "finished"});
    pool->options.on_event(pool->options.user, &event);
}

/* A step has begun. */
static void note_start(struct pool *pool)
{
    if (pool->pause_s)
        exec_note(&pool->options, "Slurm starts steps again.");
    pool->pause_s = 0;
}

static void note_duration(struct pool *pool, const struct slurm_done *done)
{
    double s = (double)(done->end_s - done->start_s);
    s = s > 0 ? s : 0.1; /* whole seconds are all that the done file knows */
    pool->mean_s = pool->mean_s > 0 ? 0.9 * pool->mean_s + 0.1 * s : s;
}

/* A step hears SIGTERM only when its allocation ends: that is not the task's failure, and one that
 * catches it has not done its work, whatever its status. */
static void end_by_done(struct pool_task *task, const struct slurm_done *done)
{
    struct buf why = {0};
    bool cut = done->told, bad = cut || done->status;
    if (bad) {
        buf_printf(&why, "Slurm step in job %u on %s: exit status %d%s\n    log: %s",
                   (unsigned)done->job, done->host, done->status,
                   cut ? ", cut off with its allocation" : "", task->log);
        slurm_log_tail(task->log, &why);
    }
    note_start(task->pool);
    note_duration(task->pool, done);
    if (cut && task->step->slot)
        task->step->slot->closing = true;
    pool_end_task(task, bad && !done->status ? -1 : done->status, 0, bad ? buf_text(&why) : NULL,
                  cut);
    buf_free(&why);
}

/* Whether the task has left its done file; it is ended then. */
static bool try_end(struct pool_task *task)
{
    struct slurm_done done;
    if (!read_done(task, &done))
        return false;
    end_by_done(task, &done);
    return true;
}

/* A step that has begun makes room for another on its way. */
static void look_at_starts(struct pool *pool)
{
    for (uint32_t i = 0; i < pool->steps.len; i++) {
        struct pool_step *step = pool->steps.at[i];
        const struct pool_task *first = step->tasks.at[0];
        if (step->begun)
            continue;
        char *claim = first ? slurm_path(pool->inner, "claim", first->token, 0) : NULL;
        step->begun = !claim || fs_exists(claim); /* NULL: it has ended already */
        if (step->begun)
            note_start(pool);
        free(claim);
    }
}

static uint32_t starting(const struct pool *pool)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < pool->steps.len; i++)
        n += !pool->steps.at[i]->begun;
    return n;
}

void pool_look(struct pool *pool)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/done", pool->inner->dir);
    DIR *dir = fs_opendir(path);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (strncmp(entry->d_name, "kp.", 3) || !dot || strcmp(dot, ".0"))
            continue;
        uint32_t place = map_find(&pool->by_token,
                                  hash_key(entry->d_name, (size_t)(dot - entry->d_name)));
        struct pool_task *task = place ? pool->known.at[place - 1] : NULL;
        if (task && task->step && !task->ended &&
            !strncmp(task->token, entry->d_name, (size_t)(dot - entry->d_name)))
            try_end(task);
    }
    if (dir)
        closedir(dir);
    look_at_starts(pool);
}

/* ---- steps ---- */

static void give_back(struct pool_step *step)
{
    struct pool_slot *slot = step->slot;
    if (!slot)
        return;
    slot->left.cores += step->ask.cores;
    slot->left.gpus += step->ask.gpus;
    slot->left.mem_mb += step->ask.mem_mb;
    if (!--slot->steps)
        slot->idle_ns = clock_ns();
}

/* Whether srun says that the task alone was killed, not its allocation. */
static bool is_own_end(const char *why)
{
    static const char *const allocation[] = {"CANCELLED", "Force Terminated", "Node failure",
                                             "Terminated"};
    for (size_t i = 0; i < sizeof allocation / sizeof *allocation; i++)
        if (strstr(why, allocation[i]))
            return false;
    return strstr(why, "Killed") || strstr(why, "oom") || strstr(why, "Out Of Memory") ||
           strstr(why, "OUT_OF_MEMORY");
}

/* Whether srun says that there is no allocation any more. */
static bool is_gone(const char *why)
{
    static const char *const words[] = {
        "expired", "already completing", "Invalid job id", "Job/step", "revoked",
        "aborted", "Terminated"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(why, words[i]))
            return true;
    return false;
}

/* Whether SIGTERM came before it was killed: its allocation was ending. */
static bool was_told(const struct pool_task *task)
{
    struct arena scratch = {0};
    char *path = slurm_path(task->pool->inner, "claim", task->token, 0);
    const char *text = fs_read(&scratch, path, NULL);
    bool told = text && strstr(text, "\ntold\n");
    free(path);
    arena_free(&scratch);
    return told;
}

/* Whether srun has not reached Slurm, which passes. */
static bool is_unreached(const char *why)
{
    enum slurm_trouble trouble = slurm_trouble(why);
    return trouble == TROUBLE_AMBIGUOUS || trouble == TROUBLE_BUSY;
}

/* Nothing starts for a while; longer each time. */
static void pause_starts(struct pool *pool, const char *why)
{
    int64_t now = clock_ns();
    if (now < pool->not_before)
        return; /* others have come before it */
    if (!pool->pause_s)
        exec_note(&pool->options,
                  "Slurm starts no steps now (%s); it is asked again until it does.", why);
    pool->pause_s = !pool->pause_s ? 1 : pool->pause_s < 30 ? 2 * pool->pause_s : 60;
    pool->not_before = now + pool->pause_s * S;
}

/* Waits again, first of all; unless srun has refused it too often. */
static void wait_again(struct pool_task *task, struct pool_slot *slot, const char *why)
{
    struct pool *pool = task->pool;
    struct buf text = {0};
    bool unreached = is_unreached(why) && !is_gone(why);
    if (unreached)
        pause_starts(pool, why);
    else if (slot) /* no step can be made there: the allocation has ended, or is of no use */
        slot->closing = true;
    task->refusals += slot && !unreached && !is_gone(why);
    if (task->refusals == REFUSALS_MOST) {
        buf_printf(&text, "srun cannot start it: %s", why);
        pool_end_task(task, 1, 0, buf_text(&text), false);
        buf_free(&text);
        return;
    }
    if (pool->first)
        pool->waiting.at[--pool->first] = task;
    else
        vec_push(&pool->waiting, task);
}

/* Its step may come yet, though srun has ended: that finds the claim of the old name taken. */
static void rename_task(struct pool_task *task)
{
    past_end_row(&task->pool->inner->past, task->token);
    task->journaled = false;
    unlink(task->script);
    free(task->script);
    task->script = NULL;
    set_token(task, map_find(&task->pool->by_launch, task->launch));
}

/* A task that has not begun waits again; one whose result is lost is for the caller to try
 * again. */
static void begin_anew(struct pool_task *task, const char *why)
{
    struct pool *pool = task->pool;
    struct slurm_batch names = {.slurm = pool->inner};
    struct pool_slot *slot = task->step->slot;
    snprintf(names.token, sizeof names.token, "%s", task->token);
    leave_step(task);
    if (slurm_revoke(&names, 0, false)) {
        rename_task(task);
        wait_again(task, slot, why);
        return;
    }
    bool killed = is_own_end(why) && !was_told(task);
    slurm_revoke(&names, 0, true);
    struct buf text = {0};
    if (slot && !killed)
        slot->closing = true;
    buf_printf(&text, "the step was broken off%s: %s\n    log: %s",
               killed ? ", probably for its memory" : "", why, task->log);
    slurm_log_tail(task->log, &text);
    pool_end_task(task, killed ? 137 : 1, 0, buf_text(&text), !killed);
    buf_free(&text);
}

static void remove_step(struct pool_step *step)
{
    struct pool *pool = step->pool;
    vec_remove(&pool->steps, step);
    vec_free(&step->tasks);
    free(step);
}

static void on_step_end(void *user, const struct process_end *end)
{
    struct pool_step *step = user;
    struct pool *pool = step->pool;
    char complaint[300];
    slurm_complaint(end->err, complaint, sizeof complaint);
    give_back(step);
    for (uint32_t i = 0; i < step->tasks.len; i++) {
        struct pool_task *task = step->tasks.at[i];
        if (!task || try_end(task))
            continue;
        if (pool->stopping)
            pool_end_task(task, -1, SIGTERM, NULL, false);
        else
            begin_anew(task, *complaint ? complaint : "srun ended without its result");
    }
    remove_step(step);
    pool_dispatch(pool);
}

/* The file that runs a task, and its row in the journal. False: cannot be written. */
static bool write_task(struct pool_task *task)
{
    if (task->script)
        return true; /* it comes again */
    struct slurm *inner = task->pool->inner;
    struct buf text = {0};
    slurm_script(inner->dir, task->token, task->element, &text);
    task->script = slurm_path(inner, "jobs", task->token, 0);
    FILE *file = fopen(task->script,
                       "we"); /* not fs_write: nothing is lost if it does not survive a crash */
    bool good = file && fwrite(text.at, 1, text.len, file) == text.len;
    good = file && !fclose(file) && good && !chmod(task->script, 0755);
    buf_free(&text);
    return good;
}

static bool journal_task(struct pool_task *task)
{
    if (task->journaled)
        return true;
    task->journaled = true;
    return past_add_job(&task->pool->inner->past, task->token, &task->who);
}

static void build_srun(const struct pool_step *step, struct arena *in, slurm_words *words)
{
    const struct pool_task *first = step->tasks.at[0];
    vec_push(words, "srun");
    if (*step->slot->cluster)
        vec_push(words, arena_printf(in, "--clusters=%s", step->slot->cluster));
    vec_push(words, arena_printf(in, "--jobid=%u", (unsigned)step->slot->job));
    vec_push(words, "--exact");
    vec_push(words, "--quiet");
    vec_push(words, "--nodes=1");
    vec_push(words, "--ntasks=1");
    vec_push(words, "--input=none");
    vec_push(words, "--output=none");
    vec_push(words, arena_printf(in, "--job-name=%s", first->token));
    vec_push(words, arena_printf(in, "--cpus-per-task=%d", step->ask.cores));
    vec_push(words, arena_printf(in, "--mem=%lldM",
                                 (long long)(step->ask.mem_mb > 0 ? step->ask.mem_mb : 0)));
    vec_push(words,
             arena_printf(in, "--gres=%s", first->gres && *first->gres ? first->gres : "none"));
    for (const char *const *more = step->pool->how.pool_srun; more && *more; more++)
        vec_push(words, *more);
    vec_push(words, "/bin/sh");
    vec_push(words, "-c");
    vec_push(words, "unset SLURM_ARRAY_TASK_ID SLURM_RESTART_COUNT; told=; trap told=1 TERM; "
                    "for f do [ -n \"$told\" ] || \"$f\"; done"); /* waits for the one that runs */
    vec_push(words, "sh");
    for (uint32_t i = 0; i < step->tasks.len; i++)
        vec_push(words, step->tasks.at[i]->script);
    vec_push(words, NULL);
}

static void report_started(const struct pool_step *step)
{
    struct pool *pool = step->pool;
    char id[32];
    snprintf(id, sizeof id, "%u", (unsigned)step->slot->job);
    for (uint32_t i = 0; i < step->tasks.len; i++) {
        struct exec_event event = {.kind = EXEC_SUBMITTED,
                                   .launch = step->tasks.at[i]->launch,
                                   .external_id = id,
                                   .start_ns = clock_wall_ns(),
                                   .host = step->slot->node,
                                   .log = step->tasks.at[i]->log};
        pool->options.on_event(pool->options.user, &event);
        event.kind = EXEC_STARTED;
        pool->options.on_event(pool->options.user, &event);
    }
}

/* Nothing of the step has run, nor will. */
static void abandon_step(struct pool_step *step, const char *why)
{
    give_back(step);
    for (uint32_t i = 0; i < step->tasks.len; i++)
        if (step->tasks.at[i])
            pool_end_task(step->tasks.at[i], 127, 0, why, false);
    remove_step(step);
}

static void start_step(struct pool_step *step)
{
    struct arena scratch = {0};
    slurm_words words = {0};
    struct pool *pool = step->pool;
    build_srun(step, &scratch, &words);
    step->process = slurm_call(pool->inner, &(struct process_options){.argv = words.at,
                                                                      .cwd = pool->inner->workdir,
                                                                      .on_end = on_step_end,
                                                                      .user = step});
    vec_free(&words);
    arena_free(&scratch);
    if (step->process)
        report_started(step);
    else
        abandon_step(step, "srun cannot be started: is Slurm installed here?");
}

/* ---- which task goes where ---- */

bool pool_fits(const struct pool_ask *ask, const struct pool_ask *room)
{
    return ask->cores <= room->cores && ask->gpus <= room->gpus && ask->mem_mb <= room->mem_mb;
}

bool pool_has_time(const struct pool *pool, const struct pool_slot *slot,
                   const struct pool_ask *ask)
{
    int64_t need = ask->seconds ? ask->seconds : pool->least_s;
    return !slot->end_ns || slot->end_ns - clock_ns() >= need * S;
}

static struct pool_slot *find_slot(struct pool *pool, const struct pool_ask *ask)
{
    struct pool_slot *best = NULL; /* the emptiest: tasks share memory and disks with few others */
    for (uint32_t i = 0; i < pool->slots.len; i++) {
        struct pool_slot *slot = pool->slots.at[i];
        if (slot->job && !slot->released && !slot->closing && pool_fits(ask, &slot->left) &&
            pool_has_time(pool, slot, ask) && (!best || slot->left.cores > best->left.cores))
            best = slot;
    }
    return best;
}

static bool is_alike(const struct pool_task *a, const struct pool_task *b)
{
    return a->ask.cores == b->ask.cores && a->ask.gpus == b->ask.gpus &&
           a->ask.mem_mb == b->ask.mem_mb && a->ask.seconds == b->ask.seconds &&
           !strcmp(a->gres ? a->gres : "", b->gres ? b->gres : "");
}

/* How many short tasks one step takes: about a second's worth, and no more than leaves work for the
 * other steps. */
static uint32_t pack_size(const struct pool *pool)
{
    uint32_t waiting = pool->waiting.len - pool->first, share = waiting / STARTS_AT_ONCE;
    uint32_t n = pool->mean_s > 0 && pool->mean_s < 1 ? (uint32_t)(1 / pool->mean_s) : 1;
    n = n > share ? share : n;
    return n < 1 ? 1 : n > PACK_MOST ? PACK_MOST : n;
}

static struct pool_step *make_step(struct pool *pool, struct pool_slot *slot)
{
    struct pool_step *step = memory_zeroed(1, sizeof *step);
    struct pool_task *first = pool->waiting.at[pool->first];
    uint32_t most = pack_size(pool);
    *step = (struct pool_step){.pool = pool, .slot = slot, .ask = first->ask};
    while (step->tasks.len < most && pool->first < pool->waiting.len &&
           is_alike(first, pool->waiting.at[pool->first])) {
        struct pool_task *task = pool->waiting.at[pool->first++];
        if (task->message || !write_task(task) || !journal_task(task)) {
            pool_end_task(task, 1, 0,
                          task->message ? task->message : "the job cannot be written to .snakemake",
                          false);
            continue;
        }
        task->step = step;
        vec_push(&step->tasks, task);
    }
    if (!step->tasks.len) {
        free(step);
        return NULL;
    }
    slot->left.cores -= step->ask.cores;
    slot->left.gpus -= step->ask.gpus;
    slot->left.mem_mb -= step->ask.mem_mb;
    slot->steps++;
    slot->idle_ns = 0;
    vec_push(&pool->steps, step);
    return step;
}

/* Tasks go in order; one that fits nowhere now lets others pass. */
static bool bring_forward(struct pool *pool, struct pool_slot **slot)
{
    enum { WINDOW = 200 };
    for (uint32_t i = pool->first; i < pool->waiting.len && i < pool->first + WINDOW; i++) {
        struct pool_task *task = pool->waiting.at[i];
        *slot = find_slot(pool, &task->ask);
        if (!*slot)
            continue;
        memmove(pool->waiting.at + pool->first + 1, pool->waiting.at + pool->first,
                (i - pool->first) * sizeof task);
        pool->waiting.at[pool->first] = task;
        return true;
    }
    return false;
}

void pool_dispatch(struct pool *pool)
{
    VEC(struct pool_step *) fresh = {0};
    struct pool_slot *slot;
    uint32_t room = STARTS_AT_ONCE - starting(pool);
    while (!pool->stopping && clock_ns() >= pool->not_before && fresh.len < room &&
           bring_forward(pool, &slot)) {
        struct pool_step *step = make_step(pool, slot);
        if (step)
            vec_push(&fresh, step);
    }
    bool kept = !fresh.len || past_flush(&pool->inner->past);
    for (uint32_t i = 0; i < fresh.len; i++) {
        if (kept)
            start_step(fresh.at[i]);
        else
            abandon_step(fresh.at[i],
                         "what is to run cannot be written to the store in .snakemake");
    }
    vec_free(&fresh);
    if (pool->first == pool->waiting.len)
        pool->first = pool->waiting.len = 0;
}

void pool_slot_lost(struct pool *pool, struct pool_slot *slot)
{
    for (uint32_t i = 0; i < pool->steps.len; i++) /* their srun ends by itself */
        if (pool->steps.at[i]->slot == slot)
            pool->steps.at[i]->slot = NULL;
}
