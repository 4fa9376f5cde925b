// SPDX-License-Identifier: MIT
/* ends.c: how tasks end: well, when their outputs are there; or not, and then perhaps they are
 * tried again. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/memory.h"
#include "graph/checkpoint.h"
#include "graph/gang.h"
#include "run/backup.h"
#include "run/copies.h"
#include "run/run_inner.h"
#include "run/task_files.h"

/* ---- active tasks ---- */

uint32_t run_activate(struct run *run, struct task *task)
{
    run->nactive++;
    if (run->free_ids.len) {
        uint32_t id = run->free_ids.at[--run->free_ids.len];
        run->active.at[id - 1] = task;
        return id;
    }
    vec_push(&run->active, task);
    return run->active.len;
}

void run_begin_settling(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    task->state = TASK_SETTLING;
    if (!task->settling)
        vec_push(&run->settling, launch);
    task->settling = true;
}

static struct picker *picker_of(struct run *run, const struct task *task)
{
    return task->local ? &run->here_picker : &run->picker;
}

static void note_remains(const struct run *run, const struct task *task)
{
    for (uint32_t i = 0; i < task_parts(task); i++)
        if (task_part(task, i)->remains)
            run->observer->note(run->observer->user, task_part(task, i)->remains);
}

static void retire(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    bool good = task->state == TASK_DONE;
    picker_release(picker_of(run, task), task);
    if (run->options->route)
        route_gone(run->options->route, launch, run_now(run));
    run_leave(run, launch);
    note_remains(run, task);
    bool detached = run->is_remote && run->options->remote->site.detached;
    if (!detached && !task->end.left) /* else it has not read them yet */
        copies_release(&run->context, task);
    task_free(task);
    run->active.at[launch - 1] = NULL;
    vec_push(&run->free_ids, launch);
    executor_settled(run->executor, launch, good);
    run->nactive--;
}

/* ---- ends ---- */

void run_remove_temp(void *user, file_id file)
{
    struct run *run = user;
    const char *path = file_path(run->g, file);
    if (run->options->notemp || (!run_remove_copy(run, file) && !fs_exists(path)))
        return;
    const char *why = temp_remove(run->g, file) ? NULL : strerror(errno);
    run->observer->removed(run->observer->user, path, why);
}

static const struct resource *resource_of(const struct run *run, const struct task *task,
                                          const char *name)
{
    return eval_resource(&task->eval, intern_find(run->g->names, name, strlen(name)));
}

/* What a job has asked for: a cluster's, "cpus=4,mem_mb=500", to be compared with what it used; and
 * "device=gpu", by which later runs estimate times. */
static void add_asked(const struct run *run, const struct task *task, struct buf *out)
{
    const struct resource *cpus = resource_of(run, task, "cpus_per_task"),
                          *mem = resource_of(run, task, "mem_mb");
    const struct resource *device = resource_of(run, task, "device");
    if (task->end.external_id)
        buf_printf(out, "cpus=%lld",
                   cpus && !cpus->is_text ? (long long)cpus->number : task->eval.threads);
    if (task->end.external_id && mem && !mem->is_text)
        buf_printf(out, ",mem_mb=%lld", (long long)mem->number);
    if (device && device->is_text)
        buf_printf(out, "%sdevice=%s", out->len ? "," : "", sym_text(run->g->names, device->text));
}

/* why: of one that failed, in words; else NULL. */
static void add_attempt(struct run *run, const struct task *task, const char *why)
{
    struct buf wildcards = {0}, log = {0}, asked = {0};
    if (!run->context.state)
        return;
    add_asked(run, task, &asked);
    for (uint32_t i = 0; i < task->eval.rule->wildcards.n; i++)
        buf_printf(&wildcards, "%s%s=%s", i ? "," : "",
                   sym_text(run->g->names, task->eval.rule->wildcards.name[i]),
                   sym_text(run->g->names, task->eval.wildcards[i]));
    for (uint32_t i = 0; why && i < task->eval.log.len; i++)
        buf_printf(&log, "%s\n", sym_text(run->g->names, task->eval.log.at[i].path));
    if (why && task->end.log)
        buf_printf(&log, "%s\n", task->end.log);
    struct attempt_record record = {.rule = sym_text(run->g->names, task->eval.rule->name),
                                    .wildcards = buf_text(&wildcards),
                                    .attempt = task->attempt,
                                    .status = task->end.status,
                                    .signal = task->end.signal,
                                    .start_ns = task->end.start_ns ? task->end.start_ns
                                                                   : task->start_ns,
                                    .end_ns = task->end_ns,
                                    .cpu_s = task->end.user_s + task->end.system_s,
                                    .max_rss_kb = task->end.max_rss_kb,
                                    .external_id = task->end.external_id,
                                    .host = task->end.host,
                                    .resources = buf_text(&asked),
                                    .why = why,
                                    .log = why ? buf_text(&log) : NULL};
    state_add_attempt(run->context.state, &record);
    buf_free(&asked);
    buf_free(&log);
    buf_free(&wildcards);
}

uint32_t run_launch_of(const struct run *run, job_id job)
{
    for (uint32_t i = 0; i < run->active.len; i++)
        if (run->active.at[i] && run->active.at[i]->job == job)
            return i + 1;
    return 0;
}

/* What has been read through a pipe may be cut off. */
static void fail_with_gang(struct run *run, uint32_t launch)
{
    buf_str(&run->active.at[launch - 1]->why, "a job that a pipe ties to it has failed");
    run_fail(run, launch);
}

/* After a failure: those that ended well before. */
static void fail_gang(struct run *run, job_id job)
{
    for (job_id at = run->crew.ring[job]; at != job; at = run->crew.ring[at]) {
        uint32_t launch = run_launch_of(run, at);
        uint8_t state = launch ? run->active.at[launch - 1]->state : TASK_WAITING;
        if ((state == TASK_SETTLING || state == TASK_STORING) &&
            crew_is_piped(&run->crew, run->g, at))
            fail_with_gang(run, launch);
    }
}

/* Ends those of a gang that still run: its services when all others are done, or all after a
 * failure. */
static void stop_gang(struct run *run, job_id job, bool failed)
{
    VEC(uint32_t) launches = {0};
    if (failed)
        crew_failed(&run->crew, job);
    job_id at = job;
    do {
        uint32_t launch = run_launch_of(run, at);
        struct task *task = launch ? run->active.at[launch - 1] : NULL;
        bool service = is_service(run->g, at);
        at = run->crew.ring[at];
        if (!task || task->state == TASK_FETCHING || task->state > TASK_RUNNING || task->stopped)
            continue;
        task->stopped = service && !failed;
        if (failed || task->stopped)
            vec_push(&launches, launch);
    } while (at != job);
    if (launches.len)
        executor_cancel(run->executor, launches.at, launches.len, false);
    vec_free(&launches);
}

/* A job has ended, which may have been the last of its gang, or the last one to use a service. */
static void stop_served(struct run *run, job_id job)
{
    const struct crew *crew = &run->crew;
    struct input_walk walk = input_walk(run->g, job);
    if (crew_has(crew, job)) {
        crew_ended(&run->crew, job);
        if (crew_is_over(crew, run->g, job))
            stop_gang(run, job, false);
    }
    for (file_id f; (f = input_next(run->g, &walk));) {
        job_id maker = run->g->files.at[f].flags & FLAG_SERVICE ? run->g->files.at[f].maker : 0;
        if (maker && crew_has(crew, maker) && crew_is_over(crew, run->g, maker))
            stop_gang(run, maker, false);
    }
}

static void finish_part(struct run *run, struct task *part)
{
    part->state = TASK_DONE;
    run->g->jobs.at[part->job].done = true;
    if (part->eval.rule->checkpoint && !run->options->simulated) {
        checkpoint_ended(run->g, part->job);
        run->growth.wanted = true;
    }
    run->result->done++;
    add_attempt(run, part, NULL);
    run->observer->finished(run->observer->user, part, run->result->done, run->result->total);
}

void run_finish(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    job_id head = task->job;
    for (uint32_t i = 0; i < task_parts(task); i++)
        finish_part(run, task_part(task, i));
    for (uint32_t i = 0; i < task_parts(task); i++) {
        job_id job = task_part(task, i)->job;
        ready_done(&run->ready, job);
        if (run->is_remote)
            group_done(&run->remote.groups, job);
        temps_done(&run->temps, job);
    }
    task->state = TASK_DONE;
    retire(run, launch);
    if (run->crew.ring)
        stop_served(run, head);
}

static int attempts_of(const struct run *run, const struct task *task)
{
    int most = 0;
    for (uint32_t i = 0; i < task_parts(task); i++) {
        int retries = eval_retries(task_part(task, i)->eval.rule, run->options->retries);
        most = retries > most ? retries : most;
    }
    return most < INT_MAX ? 1 + most : INT_MAX;
}

void run_stop(struct run *run, int signum)
{
    if (!run->stopping)
        run->observer->stopping(run->observer->user, signum);
    run->stopping = true;
}

static void fail_part(struct run *run, const struct task *task, struct task *part, bool final)
{
    const struct buf *why = part->why.len ? &part->why : &task->why; /* cleaning up may add to it */
    struct run_failure failure = {part, arena_str(&part->scratch, buf_text(why)), final};
    bool storing = task->state == TASK_STORING;
    part->broken_off = run->signals > 0 ||
                       (crew_has(&run->crew, part->job) && crew_is_lost(&run->crew, part->job));
    part->half_stored = storing && run->signals;
    run->left |= task->end.left;
    if (!task->end.left) { /* else it may still write, and the next run finds it again */
        task_discard(&run->context, part);
        run_discard_stored(run, part, storing);
    }
    add_attempt(run, part, run->signals ? STATE_CANCELLED : failure.why);
    if (!run->signals)
        run->observer->failed(run->observer->user, &failure);
}

/* Whether a failure was none of the job's own (its node broke) and may be forgiven once more. */
static bool is_forgiven(struct run *run, const struct task *task)
{
    enum { OFTEN = 3 };
    if (!task->end.blameless)
        return false;
    if (run->nblameless < run->g->jobs.len) {
        run->blameless = memory_resized(run->blameless, run->g->jobs.len, 1);
        memset(run->blameless + run->nblameless, 0, run->g->jobs.len - run->nblameless);
        run->nblameless = run->g->jobs.len;
    }
    return run->blameless[task->job]++ < OFTEN;
}

static void try_again(struct run *run, const struct task *task, bool forgiven)
{
    struct picker *picker = picker_of(run, task);
    picker->attempt[task->job] = task->attempt + !forgiven;
    for (uint32_t i = 0; i < task->nparts; i++)
        run->g->jobs.at[task->part[i]->job].taken = false;
    picker_add(picker, task->job);
}

void run_forgo(struct run *run, uint32_t launch)
{
    run->active.at[launch - 1]->state = TASK_WAITING;
    retire(run, launch);
}

/* The most that a job of a gang asks for. */
static int attempts_of_gang(const struct run *run, job_id job)
{
    int most = 0;
    job_id at = job;
    if (!crew_can_repeat(&run->crew, run->g, job))
        return 1;
    do {
        int retries = eval_retries(job_rule(run->g, at), run->options->retries);
        most = retries > most ? retries : most;
        at = run->crew.ring[at];
    } while (at != job);
    return most < INT_MAX ? 1 + most : INT_MAX;
}

/* The last of a gang has failed: all start anew. */
static void repeat_gang(struct run *run, job_id job, int attempt)
{
    job_id first = crew_repeat(&run->crew, job);
    if (!first)
        return;
    job_id at = first;
    do {
        run->picker.attempt[at] = attempt;
        at = run->crew.ring[at];
    } while (at != first);
    picker_add(&run->picker, first);
}

void run_fail(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    job_id job = task->job;
    bool gang = crew_has(&run->crew, job);
    bool forgiven = !gang && is_forgiven(run, task);
    int attempt = task->attempt,
        attempts = gang ? attempts_of_gang(run, job) : attempts_of(run, task);
    bool final = (attempt >= attempts && !forgiven) || run->signals;
    for (uint32_t i = 0; i < task_parts(task); i++)
        fail_part(run, task, task_part(task, i), final);
    for (uint32_t i = 0; i < task_parts(task); i++)
        task_part(task, i)->state = TASK_FAILED;
    task->state = TASK_FAILED;
    if (final) {
        run->result->cancelled += run->signals > 0;
        run->result->failed += !run->signals;
        if (!run->options->keep_going)
            run_stop(run, 0);
    } else if (!gang) {
        try_again(run, task, forgiven);
    }
    retire(run, launch);
    if (gang) {
        stop_gang(run, job, true);
        fail_gang(run, job);
        if (!final && run->crew.state[job] == CREW_FAILED)
            repeat_gang(run, job, attempt + 1);
    }
}

/* ---- settling: outputs may become visible late ---- */

static bool check(const struct run *run, struct task *task, bool *missing)
{
    bool good = true;
    for (uint32_t i = 0; good && i < task_parts(task); i++)
        good = task_check(&run->context, task_part(task, i), missing);
    return good;
}

/* Whether all outputs are there. What is missing may have been made by another machine: the file
 * system looks anew at times. */
static bool look(const struct run *run, struct task *task, bool *missing)
{
    bool good = check(run, task, missing);
    if (good || !*missing || clock_ns() < task->renew_ns)
        return good;
    task->renew_ns = clock_ns() + RENEW_NS;
    for (uint32_t i = 0; i < task_parts(task); i++)
        task_renew(&run->context, task_part(task, i));
    return check(run, task, missing);
}

static bool seal(const struct run *run, struct task *task)
{
    bool good = true;
    for (uint32_t i = 0; good && i < task_parts(task); i++)
        good = task_seal(&run->context, task_part(task, i));
    return good;
}

static bool commit_task(const struct run *run, struct task *task)
{
    bool good = true;
    for (uint32_t i = 0; good && i < task_parts(task); i++)
        good = task_commit(&run->context, task_part(task, i));
    for (uint32_t i = 0; good && i < task_parts(task);
         i++) /* until here a failure brings back what was there */
        backup_drop(&run->context, task_part(task, i));
    return good;
}

/* A slow file system looks the same as a job that does not make its output. */
static void tell_wait(const struct run *run, struct task *task)
{
    for (uint32_t i = 0; i < task_parts(task); i++)
        if (task_part(task, i)->why.len)
            buf_printf(&task_part(task, i)->why,
                       " (waited %g s; where the file system is slow: --latency-wait)",
                       run->options->latency_wait);
}

void run_end_stored(struct run *run, uint32_t launch)
{
    if (commit_task(run, run->active.at[launch - 1]))
        run_finish(run, launch);
    else
        run_fail(run, launch);
}

static void end_well(struct run *run, uint32_t launch)
{
    if (!seal(run, run->active.at[launch - 1]))
        run_fail(run, launch);
    else if (!run_store(run, launch))
        run_end_stored(run, launch);
}

/* The last of a gang has its outputs: all count now. */
static void end_gang(struct run *run, job_id job)
{
    job_id at = job;
    do {
        uint32_t launch = run_launch_of(run, at);
        if (launch && run->active.at[launch - 1]->parked)
            end_well(run, launch);
        at = run->crew.ring[at];
    } while (at != job);
}

static void settle_in_gang(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    job_id job = task->job;
    if (crew_is_lost(&run->crew, job)) {
        fail_with_gang(run, launch);
        return;
    }
    task->parked = true;
    if (crew_well(&run->crew, run->g, job))
        end_gang(run, job);
}

void run_settle(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    bool missing;
    if (look(run, task, &missing)) {
        if (crew_is_piped(&run->crew, run->g, task->job))
            settle_in_gang(run, launch);
        else
            end_well(run, launch);
    } else if (!missing || clock_ns() >= task->deadline_ns) {
        if (missing)
            tell_wait(run, task);
        run_fail(run, launch);
    }
}

void run_on_settle_timer(void *user)
{
    (void)user; /* waking the loop is enough: each turn settles */
}

static bool is_settling(const struct run *run, uint32_t launch)
{
    const struct task *task = run->active.at[launch - 1];
    return task && task->state == TASK_SETTLING && !task->parked;
}

void run_settle_all(struct run *run)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->settling.len; i++) {
        uint32_t launch = run->settling.at[i];
        if (is_settling(run, launch))
            run_settle(run, launch);
        if (is_settling(run, launch))
            run->settling.at[kept++] = launch;
        else if (run->active.at[launch - 1])
            run->active.at[launch - 1]->settling = false;
    }
    run->settling.len = kept;
    bool waiting = run->held.len || kept;
    if (waiting && !run->settle_timer)
        run->settle_timer = timer_open(run->loop, SETTLE_MS, SETTLE_MS, run_on_settle_timer, run);
    if (!waiting)
        timer_end(&run->settle_timer);
}
