// SPDX-License-Identifier: MIT
/* slurm_pool.c: a pool of held allocations in which tasks run as Slurm steps: for many short tasks,
 * whose own jobs would spend more time in the queue than at work. An allocation is a job that does
 * nothing but wait; it tells by a file which job it is. One that ends is replaced while there is
 * work, one that is idle for long is given back. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/memory.h"
#include "exec/exec.h"
#include "exec/kinds.h"
#include "exec/slurm_pool_inner.h"
#include "exec/slurm_args.h"

static const int64_t S = 1000000000;
enum { RESERVE_S = 30 }; /* an allocation's last seconds are for nobody */

/* ---- allocations ---- */

static struct pool_slot *slot_of(const struct pool *pool, uint32_t launch)
{
    for (uint32_t i = 0; i < pool->slots.len; i++)
        if (pool->slots.at[i]->launch == launch)
            return pool->slots.at[i];
    return NULL;
}

static char *slot_path(const struct pool *pool, uint32_t launch)
{
    char name[TOKEN_SIZE];
    snprintf(name, sizeof name, "%s.slot%u", pool->inner->run, (unsigned)launch);
    return slurm_path(pool->inner, "done", name, -1);
}

/* What an allocation runs: it says who it is and waits; SIGTERM ends it. */
static const char *holder_text(const struct pool *pool, struct arena *in, uint32_t launch)
{
    struct buf text = {0};
    char *path = slot_path(pool, launch);
    buf_str(&text, "echo \"$SLURM_JOB_ID $(uname -n) $SLURM_CLUSTER_NAME\" >");
    buf_shell_word(&text, path);
    buf_str(&text, ".new && mv ");
    buf_shell_word(&text, path);
    buf_str(&text, ".new ");
    buf_shell_word(&text, path);
    buf_str(&text, "; trap 'kill $!; exit 0' TERM; sleep 2147483647 & wait");
    const char *out = arena_str(in, buf_text(&text));
    buf_free(&text);
    free(path);
    return out;
}

/* The resources that --pool-resources gives, as those of a launch. */
static uint32_t read_request(const struct pool *pool, struct arena *in, struct launch_resource *out,
                             uint32_t most)
{
    uint32_t n = 0;
    for (const char *const *word = pool->how.pool_resources; word && *word && n < most; word++) {
        const char *equals = strchr(*word, '=');
        if (equals)
            out[n++] = (struct launch_resource){arena_copy(in, *word, (size_t)(equals - *word)),
                                                equals + 1, false};
    }
    return n;
}

static void ask_for(struct pool *pool, uint32_t n)
{
    enum { MOST = 40 };
    static const char *const keys[] = {"pool", NULL};
    struct arena scratch = {0};
    struct launch_resource resources[MOST];
    uint32_t nresources = read_request(pool, &scratch, resources, MOST);
    struct launch *launches = arena_array(&scratch, struct launch, n);
    for (uint32_t i = 0; i < n; i++) {
        struct pool_slot *slot = memory_zeroed(1, sizeof *slot);
        *slot = (struct pool_slot){.launch = SLOT_BASE + pool->next_slot++, .left = pool->whole};
        vec_push(&pool->slots, slot);
        launches[i] = (struct launch){.id = slot->launch,
                                      .name = "pool",
                                      .folder = "pool",
                                      .comment = "pool",
                                      .shell = holder_text(pool, &scratch, slot->launch),
                                      .cwd = pool->inner->workdir,
                                      .cores = pool->whole.cores,
                                      .keys = keys,
                                      .fingerprint = "",
                                      .resource = resources,
                                      .nresource = nresources,
                                      .attempt = 1};
    }
    exec_slurm.submit(&pool->inner->base, launches, n);
    arena_free(&scratch);
}

static void remove_slot(struct pool *pool, struct pool_slot *slot)
{
    char *path = slot_path(pool, slot->launch);
    unlink(path);
    free(path);
    pool_slot_lost(pool, slot);
    vec_remove(&pool->slots, slot);
    free(slot);
}

static void release(struct pool *pool, struct pool_slot *slot)
{
    struct slurm_job *job = slurm_job_of(pool->inner, slot->launch);
    bool again = slot->released;
    slot->released = true;
    if (job && !again)
        slurm_cancel_jobs(pool->inner, &job, 1);
}

/* How many allocations the waiting tasks need. */
static uint32_t wanted(const struct pool *pool)
{
    uint64_t cores = 0, gpus = 0;
    for (uint32_t i = pool->first; i < pool->waiting.len; i++) {
        cores += (uint64_t)pool->waiting.at[i]->ask.cores;
        gpus += (uint64_t)pool->waiting.at[i]->ask.gpus;
    }
    uint64_t n = pool->whole.cores
                     ? (cores + (uint64_t)pool->whole.cores - 1) / (uint64_t)pool->whole.cores
                     : 0;
    uint64_t by_gpus = pool->whole.gpus
                           ? (gpus + (uint64_t)pool->whole.gpus - 1) / (uint64_t)pool->whole.gpus
                           : 0;
    n = n > by_gpus ? n : by_gpus;
    return n < pool->how.pool_size ? (uint32_t)n : pool->how.pool_size;
}

/* Allocations that take tasks, or will. */
static uint32_t usable(const struct pool *pool)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < pool->slots.len; i++)
        n += !pool->slots.at[i]->released && !pool->slots.at[i]->closing;
    return n;
}

/* Whether there will be no such allocation: its request is at fault, or whatever broke several of
 * them does not pass. */
static bool is_not_to_be_had(struct pool *pool, const struct pool_slot *slot,
                             const struct exec_event *event)
{
    bool good = event->kind == EXEC_ENDED && !event->status;
    if (slot->job || slot->released || good || pool->first == pool->waiting.len)
        return false;
    bool blameless = event->kind == EXEC_LOST || event->blameless;
    return !blameless || ++pool->vain >= VAIN_MOST * wanted(pool);
}

/* Where an allocation cannot be had, the others are to do; where there are none, what waits
 * fails. */
static void slot_ended(struct pool *pool, struct pool_slot *slot, const struct exec_event *event)
{
    bool never = is_not_to_be_had(pool, slot, event);
    char *message = never ? slurm_copy(event->message) : NULL;
    remove_slot(pool, slot);
    pool->content |= never && usable(pool);
    while (never && !pool->content && pool->first < pool->waiting.len)
        pool_end_task(pool->waiting.at[pool->first++], 1, 0,
                      message ? message : "the pool gets no allocation", false);
    free(message);
}

static void on_inner(void *user, const struct exec_event *event)
{
    struct pool *pool = user;
    if (event->kind == EXEC_NOTE || event->kind == EXEC_MEASURED || event->launch < SLOT_BASE) {
        pool->options.on_event(pool->options.user, event);
        return;
    }
    struct pool_slot *slot = slot_of(pool, event->launch);
    if (event->kind != EXEC_ENDED && event->kind != EXEC_LOST)
        return;
    if (slot)
        slot_ended(pool, slot, event);
    vec_push(&pool->gone, event->launch);
}

static void open_slot(struct pool *pool, struct pool_slot *slot)
{
    struct arena scratch = {0};
    char *path = slot_path(pool, slot->launch);
    const char *text = fs_read(&scratch, path, NULL);
    unsigned job;
    if (text && sscanf(text, "%u %127s %63s", &job, slot->node, slot->cluster) >= 2) {
        slot->job = job;
        pool->vain = 0;
        pool->content = false;
        if (!strcmp(slot->cluster, pool->inner->cluster) || !*pool->inner->cluster)
            slot->cluster[0] = '\0';
        slot->idle_ns = clock_ns();
        slot->end_ns = pool->whole.seconds ? clock_ns() + (pool->whole.seconds - RESERVE_S) * S : 0;
    }
    free(path);
    arena_free(&scratch);
}

/* Whether nothing runs there, and it ends too soon for all that waits. */
static bool is_spent(const struct pool *pool, const struct pool_slot *slot)
{
    bool spent = slot->job && !slot->steps && !slot->released && !slot->closing;
    for (uint32_t i = pool->first; i < pool->waiting.len && spent; i++)
        spent = !pool_has_time(pool, slot, &pool->waiting.at[i]->ask);
    return spent && pool->first < pool->waiting.len;
}

/* Closes so many of those that are spent. */
static void close_spent(struct pool *pool, uint32_t n)
{
    for (uint32_t i = 0; i < pool->slots.len && n; i++) {
        struct pool_slot *slot = pool->slots.at[i];
        bool spent = is_spent(pool, slot);
        slot->closing |= spent;
        n -= spent;
    }
}

/* One that is spent may yet take shorter tasks: it stays where there is room for another beside
 * it. */
static void keep_size(struct pool *pool)
{
    uint32_t have = usable(pool), fit = have, busy = 0;
    for (uint32_t i = 0; i < pool->slots.len; i++) {
        busy += pool->slots.at[i]->steps > 0;
        fit -= is_spent(pool, pool->slots.at[i]);
    }
    uint32_t need = wanted(pool) + busy;
    need = need > pool->how.pool_size ? pool->how.pool_size : need;
    if (pool->content && !fit) {
        pool->content = false;
        pool->vain = 0;
    }
    if (pool->stopping || pool->content || clock_ns() < pool->not_before || need <= fit)
        return;
    uint32_t room = pool->how.pool_size - have, more = need - fit;
    if (room)
        ask_for(pool, more < room ? more : room);
    if (more > room)
        close_spent(pool, more - room);
}

static void release_idle(struct pool *pool)
{
    int64_t now = clock_ns();
    for (uint32_t i = 0; i < pool->slots.len; i++) {
        struct pool_slot *slot = pool->slots.at[i];
        bool idle = slot->job && !slot->steps && slot->idle_ns &&
                    now - slot->idle_ns > pool->how.pool_idle_s * S;
        bool over = slot->job && !slot->steps && slot->end_ns &&
                    slot->end_ns - now < pool->least_s * S;
        bool useless = pool->first == pool->waiting.len || is_spent(pool, slot);
        if (!slot->released && (over || (slot->closing && !slot->steps) || (idle && useless)))
            release(pool, slot);
    }
}

/* The inner executor frees an allocation's job when that is settled; not in the middle of its own
 * event. */
static void settle_gone(struct pool *pool)
{
    for (uint32_t i = 0; i < pool->gone.len; i++)
        exec_slurm.settled(&pool->inner->base, pool->gone.at[i], true);
    pool->gone.len = 0;
}

static void on_tick(void *user)
{
    struct pool *pool = user;
    pool_look(pool);
    settle_gone(pool);
    for (uint32_t i = 0; i < pool->slots.len; i++)
        if (!pool->slots.at[i]->job)
            open_slot(pool, pool->slots.at[i]);
    keep_size(pool);
    pool_dispatch(pool);
    release_idle(pool);
}

/* ---- the executor ---- */

static bool is_too_large(const struct pool *pool, const struct pool_task *task)
{
    bool long_one = pool->whole.seconds && task->ask.seconds > pool->whole.seconds - RESERVE_S;
    return !pool_fits(&task->ask, &pool->whole) || long_one;
}

static void refuse(struct pool_task *task)
{
    struct pool_ask *whole = &task->pool->whole;
    struct buf why = {0};
    buf_printf(&why,
               "the job asks for %d cores, %lld MB, %d GPUs, %lld minutes; an allocation of the "
               "pool has %d cores, %lld MB, %d GPUs, %lld minutes (--pool-resources), and its last "
               "%d s are not for jobs",
               task->ask.cores, (long long)task->ask.mem_mb, task->ask.gpus,
               (long long)(task->ask.seconds / 60), whole->cores, (long long)whole->mem_mb,
               whole->gpus, (long long)(whole->seconds / 60), RESERVE_S);
    free(task->message);
    task->message = buf_take(&why);
    pool_end_task(task, 1, 0, task->message, false);
}

static void submit_pool(struct executor *executor, const struct launch *launches, uint32_t n)
{
    struct pool *pool = (struct pool *)executor;
    for (uint32_t i = 0; i < n; i++) {
        struct pool_task *task = pool_task_new(pool, &launches[i]);
        if (is_too_large(pool, task))
            refuse(task);
        else
            vec_push(&pool->waiting, task);
    }
    if (!pool->tick)
        pool->tick = timer_open(pool->loop, 0, TICK_MS, on_tick, pool);
}

static void settled(struct executor *executor, uint32_t launch, bool good)
{
    struct pool *pool = (struct pool *)executor;
    struct pool_task *task = pool_task_of(pool, launch);
    if (!task || !task->ended) {
        exec_slurm.settled(&pool->inner->base, launch, good);
        return;
    }
    if (good && !pool->how.keep_logs)
        unlink(task->log);
    past_end_row(&pool->inner->past, task->token);
    pool_discard(task);
    pool->known.at[map_find(&pool->by_launch, launch) - 1] = NULL;
    pool_task_free(task);
}

/* Ends all allocations, also those that Slurm has not got yet, and of the launches those that are
 * no tasks of the pool: jobs of an earlier run. */
static void cancel_slots(struct pool *pool, const uint32_t *launches, uint32_t n, bool force)
{
    VEC(uint32_t) inner = {0};
    for (uint32_t i = 0; i < pool->slots.len; i++) {
        pool->slots.at[i]->released = true;
        vec_push(&inner, pool->slots.at[i]->launch);
    }
    for (uint32_t i = 0; i < n; i++)
        if (!pool_task_of(pool, launches[i]))
            vec_push(&inner, launches[i]);
    exec_slurm.cancel(&pool->inner->base, inner.at, inner.len, force);
    vec_free(&inner);
}

static void cancel_pool(struct executor *executor, const uint32_t *launches, uint32_t n, bool force)
{
    struct pool *pool = (struct pool *)executor;
    pool->stopping = true;
    while (pool->first < pool->waiting.len)
        pool_end_task(pool->waiting.at[pool->first++], -1, SIGTERM, NULL, false);
    cancel_slots(pool, launches, n, force);
    for (uint32_t i = 0; force && i < pool->known.len; i++)
        if (pool->known.at[i] && !pool->known.at[i]->ended)
            pool_end_task(pool->known.at[i], -1, SIGTERM, "left behind", false);
}

static bool adopt(struct executor *executor, const struct launch *launch, struct adopted *adopted)
{
    return slurm_adopt(&((struct pool *)executor)->inner->base, launch, adopted);
}

static uint32_t orphans(struct executor *executor, bool (*is_known)(void *user, const char *key),
                        void *user, bool cancel)
{
    return slurm_orphans(&((struct pool *)executor)->inner->base, is_known, user, cancel);
}

static void read_whole(struct pool *pool)
{
    enum { MOST = 40 };
    struct arena scratch = {0};
    struct launch_resource resources[MOST];
    struct launch launch = {.resource = resources};
    launch.nresource = read_request(pool, &scratch, resources, MOST);
    pool->whole.cores = (int)launch_number(&launch, "cpus_per_task", 1);
    pool->whole.mem_mb = launch_number(&launch, "mem_mb", INT64_MAX / 4); /* Slurm knows */
    pool->whole.seconds = launch_number(&launch, "runtime", 0) * 60;
    pool->whole.gpus = pool_gpus(&launch);
    int64_t half = (pool->whole.seconds - RESERVE_S) / 2;
    pool->least_s = half > 0 && half < UNKNOWN_S ? half : UNKNOWN_S;
    arena_free(&scratch);
}

static struct executor *open_pool(struct loop *loop, const struct exec_options *options)
{
    struct pool *pool = memory_zeroed(1, sizeof *pool);
    *pool = (struct pool){.base = {&exec_pool}, .options = *options, .loop = loop};
    if (options->slurm)
        pool->how = *options->slurm;
    struct slurm_options how = pool->how;
    struct exec_options inner = *options;
    how.array_min = 2;
    how.array_rules = NULL;
    inner.slurm = &how;
    inner.on_event = on_inner;
    inner.user = pool;
    pool->inner = (struct slurm *)exec_slurm.open(loop, &inner);
    read_whole(pool);
    pool->not_before = pool->inner->not_before;
    return &pool->base;
}

static void stop_when_empty(void *user)
{
    struct pool *pool = user;
    settle_gone(pool);
    if (!pool->slots.len || clock_ns() > pool->not_before)
        loop_stop(pool->loop);
}

/* Gives all allocations back and waits until Slurm has them. Those that it does not take are named:
 * they hold their cores until the next run ends them. */
static void give_all_back(struct pool *pool)
{
    enum { PATIENCE_S = 60 };
    cancel_slots(pool, NULL, 0, false);
    pool->not_before = clock_ns() + PATIENCE_S * S;
    if (pool->slots.len && !pool->inner->left)
        loop_run(pool->loop, stop_when_empty, pool);
    if (pool->slots.len && !pool->inner->left) {
        exec_note(&pool->options, "Slurm has not ended the pool's allocations within %d s.",
                  PATIENCE_S);
        cancel_slots(pool, NULL, 0, true);
    }
}

static void close_pool(struct executor *executor)
{
    struct pool *pool = (struct pool *)executor;
    timer_close(pool->tick);
    give_all_back(pool);
    for (uint32_t i = 0; i < pool->steps.len; i++) {
        if (pool->steps.at[i]->process)
            process_forget(pool->steps.at[i]->process);
        vec_free(&pool->steps.at[i]->tasks);
        free(pool->steps.at[i]);
    }
    for (uint32_t i = 0; i < pool->slots.len; i++)
        free(pool->slots.at[i]);
    for (uint32_t i = 0; i < pool->known.len; i++)
        if (pool->known.at[i])
            pool_task_free(pool->known.at[i]);
    exec_slurm.close(&pool->inner->base);
    vec_free(&pool->steps);
    vec_free(&pool->slots);
    vec_free(&pool->known);
    vec_free(&pool->waiting);
    vec_free(&pool->gone);
    map_free(&pool->by_launch);
    map_free(&pool->by_token);
    free(pool);
}

const struct executor_kind exec_pool = {.name = "pool",
                                        .open = open_pool,
                                        .submit = submit_pool,
                                        .cancel = cancel_pool,
                                        .close = close_pool,
                                        .settled = settled,
                                        .adopt = adopt,
                                        .orphans = orphans};
