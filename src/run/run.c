// SPDX-License-Identifier: MIT
#include "run/run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/memory.h"
#include "flow/storage.h"
#include "graph/gang.h"
#include "run/benchmark.h"
#include "run/copies.h"
#include "run/handover.h"
#include "run/run_inner.h"
#include "run/priority.h"
#include "run/task_body.h"
#include "run/task_files.h"
#include "run/tidy.h"
#include "run/transfers.h"

enum {
    FLUSH_MS = 200,   /* how long changes of the store may wait */
    TURN_MS = 100,    /* until the next turn that the observer wants */
    BATCH_MAX = 1000, /* tasks taken before they are started: those without a body are over then */
};

/* ---- events ---- */

/* Others run on this machine. */
static bool is_submitted(const struct run *run, const struct task *task)
{
    return run->is_remote && !task->local;
}

/* Nobody looks at what it leaves: that it has been submitted, or was only computed, is all. */
static bool is_detached(const struct run *run, const struct task *task)
{
    if (run->options->simulated)
        return true;
    return is_submitted(run, task) && run->options->remote->site.detached;
}

int64_t run_now(const struct run *run)
{
    return run->options->now ? run->options->now(run->executor) : clock_ns();
}

static void on_event(void *user, const struct exec_event *event)
{
    struct run *run = user;
    struct exec_event copy = *event;
    if (event->kind == EXEC_MEASURED) {
        if (run->context.state)
            state_set_memory(run->context.state, event->external_id, event->max_rss_kb);
        return;
    }
    if (event->kind == EXEC_NOTE) {
        run->observer->note(run->observer->user, event->message);
        return;
    }
    struct task *task = run->active.at[event->launch - 1];
    if (!task) /* its end was told before */
        return;
    copy.external_id = event->external_id ? arena_str(&task->scratch, event->external_id) : NULL;
    copy.host = event->host ? arena_str(&task->scratch, event->host) : NULL;
    copy.message = event->message ? arena_str(&task->scratch, event->message) : NULL;
    copy.log = event->log ? arena_str(&task->scratch, event->log) : NULL;
    vec_push(&run->events, copy);
}

static void part_ended(struct run *run, struct task *part, const struct exec_event *event,
                       bool good)
{
    part->end = *event;
    part->end_ns = event->end_ns ? event->end_ns : clock_wall_ns();
    if (good && !is_detached(run, part))
        task_after_body(&run->context, part);
}

/* To be submitted at the end of the turn: to the site, or to the executor of what stays here. */
static void queue_launch(struct run *run, const struct task *task, const struct launch *launch)
{
    if (task->local)
        vec_push(&run->here_launches, *launch);
    else
        vec_push(&run->launches, *launch);
}

/* Starts the body of a task again for the next row of its benchmark, or fails it where that cannot
 * be done. Those that a site runs are measured once. */
static bool starts_again(struct run *run, struct task *task, const struct exec_event *event)
{
    struct launch launch;
    if (event->kind != EXEC_ENDED || event->status || event->signal || is_submitted(run, task) ||
        is_detached(run, task))
        return false;
    benchmark_note(task, event);
    if (!benchmark_goes_on(task))
        return false;
    if (run->signals || !task_repeat(&run->context, task, &launch)) {
        run_fail(run, event->launch);
        return true;
    }
    launch.id = event->launch;
    queue_launch(run, task, &launch);
    return true;
}

static void body_ended(struct run *run, struct task *task, const struct exec_event *event)
{
    bool good = event->kind == EXEC_ENDED && (task->stopped || (!event->status && !event->signal));
    if (event->message)
        buf_str(&task->why, event->message);
    task->state = task_next(task->state, good ? TASK_ON_SUCCESS : TASK_ON_FAILURE);
    if (task->state == TASK_SETTLING)
        run_begin_settling(run, event->launch);
    for (uint32_t i = 0; i < task_parts(task); i++)
        part_ended(run, task_part(task, i), event, good);
    task->end = *event;
    task->deadline_ns = clock_ns() + (int64_t)(run->options->latency_wait * 1e9);
}

static void submitted(struct run *run, struct task *task, const struct exec_event *event)
{
    if (!event->external_id)
        return;
    if (run->is_remote)
        remote_submitted(&run->remote, task, event->external_id);
    run->observer->submitted(run->observer->user, task, event->external_id, event->log);
}

static void drain(struct run *run)
{
    for (uint32_t i = 0; i < run->events.len; i++) {
        struct exec_event *event = &run->events.at[i];
        struct task *task = run->active.at[event->launch - 1];
        if (!task)
            continue;
        if (run->options->route)
            route_heard(run->options->route, event, run_now(run));
        if (event->kind == EXEC_SUBMITTED)
            submitted(run, task, event);
        else if (event->kind == EXEC_STARTED)
            task->state = task_next(task->state, TASK_ON_START);
        else if (starts_again(run, task, event))
            continue;
        else if (event->kind == EXEC_ENDED || event->kind == EXEC_LOST)
            body_ended(run, task, event);
        if (task->state == TASK_FAILED)
            run_fail(run, event->launch);
        else if (task->state == TASK_SETTLING && is_detached(run, task))
            run_finish(run, event->launch);
    }
    run->events.len = 0;
}

/* ---- starting ---- */

static void feed_groups(struct run *run)
{
    struct groups *groups = &run->remote.groups;
    while (run->remote.groups_fed < groups->queue.len) {
        uint32_t group = groups->queue.at[run->remote.groups_fed++];
        picker_add(&run->picker, groups->all.at[group].head);
    }
}

/* The jobs of a group are taken when it starts: until then a checkpoint may add to it. */
static void feed_picker(struct run *run)
{
    while (run->ready_taken < run->ready.queue.len) {
        job_id job = run->ready.queue.at[run->ready_taken++];
        bool here = run->is_remote && remote_stays(&run->remote, job);
        bool taken = run->g->jobs.at[job].taken;
        /* What waits for a checkpoint will be ready again when it knows its inputs. */
        if (run->g->jobs.at[job].waits_queue || run->g->jobs.at[job].waits_checkpoint)
            continue;
        if (run->is_remote && group_of(&run->remote.groups, job))
            continue;
        run->g->jobs.at[job].taken = true;
        if (taken)
            crew_ready_again(&run->crew, &run->ready, job);
        else if (crew_ready(&run->crew, &run->ready, &job))
            picker_add(here ? &run->here_picker : &run->picker, job);
    }
    if (run->is_remote)
        feed_groups(run);
}

/* A job without a body is done as soon as its turn comes. */
static void run_without_body(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    run_begin_settling(run, launch);
    task->end_ns = clock_wall_ns();
    task->deadline_ns = clock_ns() + (int64_t)(run->options->latency_wait * 1e9);
    for (uint32_t i = 0; i < task_parts(task) && !run->options->simulated; i++)
        task_after_body(&run->context, task_part(task, i));
    if (run->options->simulated)
        run_finish(run, launch);
    else
        run_settle(run, launch);
}

/* What is there before its service has begun was left by a run that was killed. */
static bool is_served(const struct run *run, file_id f)
{
    job_id maker = run->g->files.at[f].maker;
    uint32_t launch = run_launch_of(run, maker);
    bool begun = launch && run->active.at[launch - 1]->state >= TASK_SUBMITTED;
    return (begun || run->g->jobs.at[maker].done) && fs_exists(file_path(run->g, f));
}

/* The file of a service that the task uses, if it is not there yet; else 0. */
static file_id awaited_service(struct run *run, const struct task *task)
{
    struct input_walk walk = input_walk(run->g, task->job);
    for (file_id f; crew_has(&run->crew, task->job) && (f = input_next(run->g, &walk));)
        if (run->g->files.at[f].flags & FLAG_SERVICE && !is_served(run, f))
            return f;
    return 0;
}

/* Starts what waited for a service that is there now (one that has ended will not come), or for a
 * storage. True if some of it has failed. */
static bool release_held(struct run *run)
{
    uint32_t n = 0;
    bool failed = false;
    for (uint32_t i = 0; i < run->held.len; i++) {
        struct launch launch = run->held.at[i];
        struct task *task = run->active.at[launch.id - 1];
        file_id f = awaited_service(run, task);
        bool over = f && !task->pending && run->g->jobs.at[run->g->files.at[f].maker].done;
        if (over && !task->not_carried)
            buf_printf(&task->why, "not started: the service that makes '%s' has ended",
                       file_path(run->g, f));
        if (over || task->not_carried) {
            run_fail(run, launch.id);
            failed = true;
        } else if (f || task->pending) {
            run->held.at[n++] = launch;
        } else {
            queue_launch(run, task, &launch);
        }
    }
    run->held.len = n;
    if (n && !run->settle_timer) /* a service may be there at any time */
        run->settle_timer = timer_open(run->loop, SETTLE_MS, SETTLE_MS, run_on_settle_timer, run);
    return failed;
}

static bool leave_lost(struct task *task)
{
    buf_str(&task->why, "not started: a job that must run at the same time has failed");
    return false;
}

/* Fails those of n launches whose gang has failed before they were started; how many are left. */
static uint32_t drop_lost_of(struct run *run, struct launch *launches, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct task *task = run->active.at[launches[i].id - 1];
        if (!crew_is_lost(&run->crew, task->job)) {
            launches[kept++] = launches[i];
        } else {
            leave_lost(task);
            run_fail(run, launches[i].id);
        }
    }
    return kept;
}

static void drop_lost(struct run *run)
{
    run->held.len = drop_lost_of(run, run->held.at, run->held.len);
    run->launches.len = drop_lost_of(run, run->launches.at, run->launches.len);
}

static bool prepare(struct run *run, struct task *task, struct launch *launch)
{
    for (uint32_t i = 0; i < task_parts(task); i++)
        task_part(task, i)->submitted = is_submitted(run, task);
    bool good = crew_is_lost(&run->crew, task->job) ? leave_lost(task)
                : run->options->simulated           ? task_pretend(&run->context, task, launch)
                : task->nparts                      ? group_prepare(&run->context, task, launch)
                                                    : task_prepare(&run->context, task, launch);
    if (good && is_submitted(run, task) && (launch->shell || launch->argv))
        good = remote_describe(&run->remote, &run->context, task, launch);
    for (uint32_t i = 0; i < task_parts(task); i++) {
        run->g->jobs.at[task_part(task, i)->job].taken = true;
        run->observer->started(run->observer->user, task_part(task, i));
    }
    return good;
}

/* What the executor has said of a launch that is not followed is not for the next of that id. */
static void forget_events(struct run *run, uint32_t id)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->events.len; i++)
        if (run->events.at[i].launch != id)
            run->events.at[kept++] = run->events.at[i];
    run->events.len = kept;
}

/* Whether an earlier run has submitted the job already: then it goes on. */
static bool take_up(struct run *run, struct task *task, uint32_t id)
{
    struct launch launch = {.id = id, .name = sym_text(run->g->names, task->eval.rule->name)};
    struct adopted adopted;
    if (!run->past || task->local || !handover_identify(run->g, task, &launch))
        return false;
    handover_read_script(task, &launch); /* what is wrong there is told when it is submitted */
    if (!executor_adopt(run->executor, &launch, &adopted))
        return false;
    task->attempt = adopted.attempt;
    bool good = handover_resume(&run->context, task, adopted.memo);
    for (uint32_t i = 0; i < task_parts(task); i++) {
        task_part(task, i)->submitted = true;
        task_part(task, i)->attempt = adopted.attempt;
        run->g->jobs.at[task_part(task, i)->job].taken = true;
        run->observer->started(run->observer->user, task_part(task, i));
    }
    task->state = task_next(task->state, TASK_ON_SUBMIT);
    if (!good) {
        run_fail(run, id);
        forget_events(run, id);
    }
    return true;
}

/* Once what it reads is here. */
static void launch_task(struct run *run, uint32_t id)
{
    struct task *task = run->active.at[id - 1];
    struct launch launch;
    if (run->options->route)
        route_place(run->options->route, task, id, run_now(run));
    if (!prepare(run, task, &launch)) {
        run_fail(run, id);
        return;
    }
    run_remove_old(run, id);
    if (!launch.shell && !launch.argv) {
        run_without_body(run, id);
        return;
    }
    launch.id = id;
    launch.together = crew_has(&run->crew, task->job);
    task->state = task_next(task->state, TASK_ON_SUBMIT);
    if (task->pending || awaited_service(run, task))
        vec_push(&run->held, launch);
    else
        queue_launch(run, task, &launch);
}

static void start_task(struct run *run, struct task *task)
{
    uint32_t id = run_activate(run, task);
    copies_take(&run->context, task);
    if (take_up(run, task, id))
        return;
    if (!run->transfers) {
        launch_task(run, id);
        return;
    }
    task->state = task_next(task->state, TASK_ON_FETCH);
    vec_push(&run->fetching, id);
    run_fetch(run, id);
}

/* Whether a task need not wait any longer: what starts together waits for all of it. */
static bool is_fetched(const struct run *run, const struct task *task)
{
    if (task->not_carried || crew_is_lost(&run->crew, task->job))
        return true;
    if (task->pending || !crew_has(&run->crew, task->job))
        return !task->pending;
    for (uint32_t i = 0; i < run->fetching.len; i++) {
        const struct task *other = run->active.at[run->fetching.at[i] - 1];
        if (other->pending && crew_tied(&run->crew, task->job, other->job))
            return false;
    }
    return true;
}

/* Starts tasks whose inputs are here; where nothing is to be started any more they are not, either.
 */
static void release_fetched(struct run *run)
{
    uint32_t n = run->fetching.len, kept = 0;
    VEC(uint32_t) fetched = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = run->fetching.at[i];
        if (run->stopping || is_fetched(run, run->active.at[id - 1]))
            vec_push(&fetched, id);
    }
    for (uint32_t i = 0, k = 0; i < n; i++)
        if (k < fetched.len && fetched.at[k] == run->fetching.at[i])
            k++;
        else
            run->fetching.at[kept++] = run->fetching.at[i];
    run->fetching.len = kept;
    for (uint32_t i = 0; i < fetched.len; i++) {
        uint32_t id = fetched.at[i];
        if (run->active.at[id - 1]->not_carried)
            run_fail(run, id);
        else if (run->stopping)
            run_forgo(run, id);
        else
            launch_task(run, id);
    }
    vec_free(&fetched);
}

static void evaluation_failed(struct run *run, struct picker *picker)
{
    run->result->failed++;
    picker->failed = false;
    if (!run->options->keep_going)
        run_stop(run, 0);
}

static void on_rate_timer(void *user)
{
    struct run *run = user;
    timer_end(&run->rate_timer);
}

/* Whether another job may start under the rate; if not, the loop wakes when it may. */
static bool rate_allows(struct run *run)
{
    const struct run_options *options = run->options;
    int64_t now = clock_ns();
    if (!options->rate_ns || run->starts.len < options->rate_jobs)
        return true;
    int64_t free_at = run->starts.at[run->nstarts % options->rate_jobs] + options->rate_ns;
    if (free_at <= now)
        return true;
    if (!run->rate_timer)
        run->rate_timer = timer_open(run->loop, (uint64_t)(free_at - now) / 1000000 + 1, 0,
                                     on_rate_timer, run);
    return false;
}

static void note_start(struct run *run)
{
    const struct run_options *options = run->options;
    if (!options->rate_ns)
        return;
    if (run->starts.len < options->rate_jobs)
        vec_push(&run->starts, clock_ns());
    else
        run->starts.at[run->nstarts % options->rate_jobs] = clock_ns();
    run->nstarts++;
}

static void take_gang(struct run *run, struct task *task)
{
    for (struct task *next; task; task = next) {
        next = task->gang;
        task->gang = NULL;
        vec_push(&run->batch, task);
        note_start(run);
    }
}

static void take_from(struct run *run, struct picker *picker)
{
    while (!run->stopping && run->batch.len < BATCH_MAX && rate_allows(run)) {
        struct task *task = picker_take(picker);
        if (picker->failed) {
            evaluation_failed(run, picker);
        } else if (task) {
            take_gang(run, task);
        } else {
            break;
        }
    }
}

/* Takes what fits now into the batch. */
static void take_batch(struct run *run)
{
    feed_picker(run);
    take_from(run, &run->picker);
    if (run->is_remote)
        take_from(run, &run->here_picker);
}

/* Jobs without bodies free others at once, so it goes round until nothing moves. */
static void pick(struct run *run)
{
    drop_lost(run);
    release_fetched(run);
    for (take_batch(run); run->batch.len; take_batch(run)) {
        run->observer->selected(run->observer->user, run->batch.len);
        for (uint32_t i = 0; i < run->batch.len; i++)
            start_task(run, run->batch.at[i]);
        run->batch.len = 0;
        release_fetched(run);
        drop_lost(run);
    }
}

static void on_flush_timer(void *user)
{
    struct run *run = user;
    timer_end(&run->flush_timer);
    if (!state_flush(run->context.state))
        run_stop(run, 0);
}

/* What a burst of small jobs left waiting in the store goes to disk soon, also if nothing else
 * happens. */
static void commit(struct run *run)
{
    struct state *state = run->context.state;
    if (!state)
        return;
    if (!state_commit(state))
        run_stop(run, 0);
    else if (state_pending(state) && !run->flush_timer)
        run->flush_timer = timer_open(run->loop, FLUSH_MS, 0, on_flush_timer, run);
}

static void submit(struct run *run)
{
    commit(run);
    if (run->launches.len)
        executor_submit(run->executor, run->launches.at, run->launches.len);
    run->launches.len = 0;
    if (run->here_launches.len)
        executor_submit(run->here, run->here_launches.at, run->here_launches.len);
    run->here_launches.len = 0;
}

/* ---- the loop ---- */

static void finish_loop(struct run *run)
{
    timer_end(&run->settle_timer);
    timer_end(&run->rate_timer);
    timer_end(&run->flush_timer);
    timer_end(&run->turn_timer);
    timer_end(&run->growth.timer);
    timer_end(&run->growth.thread_timer);
    if (run->context.state)
        state_flush(run->context.state);
    run->over = true;
    loop_stop(run->loop);
}

/* Only services run, and nobody is left who could start: their users have failed, or wait for what
 * will not be made. */
static void end_idle_services(struct run *run)
{
    VEC(uint32_t) launches = {0};
    uint32_t services = 0;
    for (uint32_t i = 0; run->crew.ring && i < run->active.len; i++) {
        struct task *task = run->active.at[i];
        if (!task || !is_service(run->g, task->job))
            continue;
        services++;
        if (task->state <= TASK_RUNNING && !task->stopped)
            vec_push(&launches, i + 1);
    }
    if (launches.len && services == run->nactive) {
        for (uint32_t i = 0; i < launches.len; i++)
            run->active.at[launches.at[i] - 1]->stopped = true;
        executor_cancel(run->executor, launches.at, launches.len, false);
    }
    vec_free(&launches);
}

/* Whether nothing is carried any more, and nobody left who did. */
static bool is_carried(struct run *run)
{
    return !run->transfers || (!transfers_busy(run->transfers) && !transfers_close(run->transfers));
}

static void on_turn_timer(void *user)
{
    struct run *run = user;
    timer_end(&run->turn_timer);
}

static void tell_turn(struct run *run)
{
    bool again = run->observer->turn(run->observer->user, run->nactive, run->result->done,
                                     run->result->total);
    if (again && !run->turn_timer)
        run->turn_timer = timer_open(run->loop, TURN_MS, 0, on_turn_timer, run);
}

static void on_turn(void *user)
{
    struct run *run = user;
    drain(run);
    run_note_carried(run);
    run_settle_all(run);
    growth_turn(run);
    if (growth_comes_first(run))
        growth(run);
    /* What has no body may end as it is picked, a checkpoint too; with what fails while it is held,
     * others of its gang do that are about to start. */
    do
        for (pick(run); growth_is_due(run); pick(run))
            growth(run);
    while (release_held(run));
    submit(run);
    if (run->options->route)
        route_turn(run->options->route, run_now(run));
    heap_collect(run->g->workflow->vm);
    tell_turn(run);
    uint32_t waiting = picker_waiting(&run->picker) +
                       (run->is_remote ? picker_waiting(&run->here_picker) : 0);
    bool more = !run->stopping && (waiting || run->g->queued.len);
    if (!more)
        end_idle_services(run);
    if (!run->nactive && !more && is_carried(run))
        finish_loop(run);
    else
        growth_wake(run);
}

static void on_signal(void *user, int signum)
{
    struct run *run = user;
    run->result->interrupted = true;
    run->signals++;
    run_stop(run, signum);
    VEC(uint32_t) launches = {0};
    if (run->transfers)
        transfers_stop(run->transfers);
    for (uint32_t i = 0; i < run->active.len; i++) {
        const struct task *task = run->active.at[i];
        if (task && task->state != TASK_FETCHING && task->state < TASK_SETTLING)
            vec_push(&launches, i + 1);
    }
    executor_cancel(run->executor, launches.at, launches.len, run->signals > 1);
    if (run->here)
        executor_cancel(run->here, launches.at, launches.len, run->signals > 1);
    vec_free(&launches);
}

static void take_remote_tasks(struct picker *picker, const struct remote *remote)
{
    picker->make = remote_task;
    picker->maker = remote;
    picker->groups = &remote->groups;
}

static bool open_remote(struct run *run)
{
    const struct run_options *options = run->options;
    struct exec_options exec = {.on_event = on_event, .user = run};
    struct limit *limits = memory_zeroed(options->nlimits + 1, sizeof *limits);
    if (options->nlimits)
        memcpy(limits, options->limits, options->nlimits * sizeof *limits);
    run->is_remote = true;
    run->here = executor_open("local", run->loop, &exec);
    run->here_picker = (struct picker){
        .cores = options->remote->local_cores, .limits = limits, .nlimits = options->nlimits};
    picker_start(&run->here_picker, run->g);
    take_remote_tasks(&run->here_picker, &run->remote);
    take_remote_tasks(&run->picker, &run->remote);
    return remote_start(&run->remote, run->g, options->remote);
}

static void close_remote(struct run *run)
{
    if (!run->is_remote)
        return;
    executor_close(run->here);
    free(run->here_picker.limits);
    picker_end(&run->here_picker);
    vec_free(&run->here_launches);
    remote_end(&run->remote);
}

static void on_carrying(void *user, const char *text)
{
    struct run *run = user;
    run->observer->note(run->observer->user, text);
}

static bool open_run(struct run *run)
{
    const struct run_options *options = run->options;
    struct exec_options exec = {.on_event = on_event, .user = run};
    if (options->remote) {
        exec.site = &options->remote->site;
        exec.slurm = options->remote->slurm;
    }
    if (options->remote && run->context.state) {
        run->past = handover_open_submissions(run->context.state, "");
        run->journal = handover_journal(run->context.state);
        exec.journal = &run->journal;
    }
    run->loop = loop_new();
    if (run->context.copies)
        run->transfers = transfers_new(&(struct transfers_options){
            run->loop, run->context.self, run->context.litter, on_carrying, run});
    run->executor = executor_open(options->executor, run->loop, &exec);
    if (!run->executor) {
        transfers_free(run->transfers);
        loop_free(run->loop);
        return complain(run->g->workflow->diags, (struct span){0},
                        "there is no executor '%s'; known: %s", options->executor,
                        executor_names());
    }
    if (options->route)
        route_open(options->route, run->loop, run->executor);
    if (options->opened)
        options->opened(options->opened_user, run->executor);
    run->on_int = signal_open(run->loop, SIGINT, on_signal, run);
    run->on_term = signal_open(run->loop, SIGTERM, on_signal, run);
    /* jobs of a cluster outlive a lost connection, and the next run finds them */
    if (!options->remote)
        run->on_hangup = signal_open(run->loop, SIGHUP, on_signal, run);
    run->picker = (struct picker){.cores = options->cores,
                                  .slots = (uint32_t)options->jobs,
                                  .limits = options->limits,
                                  .nlimits = options->nlimits};
    run->picker.ring = options->remote ? NULL : run->crew.starters;
    picker_start(&run->picker, run->g);
    growth_count(run);
    return true;
}

static void close_run(struct run *run)
{
    signal_close(run->on_int);
    signal_close(run->on_term);
    signal_close(run->on_hangup);
    if (run->options->route)
        route_close(run->options->route);
    executor_close(run->executor);
    close_remote(run);
    transfers_free(run->transfers);
    loop_free(run->loop);
    picker_end(&run->picker);
    crew_end(&run->crew);
    ready_end(&run->ready);
    temps_end(&run->temps);
    vec_free(&run->events);
    vec_free(&run->starts);
    vec_free(&run->active);
    vec_free(&run->settling);
    vec_free(&run->free_ids);
    vec_free(&run->batch);
    vec_free(&run->held);
    vec_free(&run->fetching);
    vec_free(&run->launches);
    free(run->chains);
    free(run->blameless);
}

bool run_jobs(struct graph *g, const struct run_options *options,
              const struct run_observer *observer, struct run_result *result)
{
    struct run run = {.g = g,
                      .options = options,
                      .observer = observer,
                      .result = result,
                      .context = options->task};
    struct copies copies = {.g = g, .shared = !options->remote || options->share_copies};
    *result = (struct run_result){.total = g->nmust_run};
    run.context.g = g;
    /* In a pool a group is a step itself: steps of its members would wait for room beside it. */
    run.context.steps = options->remote && !strcmp(options->executor, "slurm");
    run.context.copies = workflow_has_storage(g->workflow) && !options->simulated ? &copies : NULL;
    if (options->simulated || (options->remote && options->remote->site.detached))
        run.context.state = NULL; /* nobody sees the jobs end: nothing to be recorded */
    if (!priorities_set(g) || !crew_start(&run.crew, g) || !open_run(&run))
        return false;
    if (options->remote)
        crew_end(&run.crew); /* streams make groups there */
    if (options->remote && !open_remote(&run)) {
        close_run(&run);
        return false;
    }
    if (run.past)
        handover_orphans(g, run.executor, options->remote->cancel_orphans && !g->waiting.len);
    growth_measure(&run);
    on_turn(&run); /* the first picks; the loop turns from then on */
    if (!run.over)
        loop_run(run.loop, on_turn, &run);
    close_run(&run);
    copies_end(&copies);
    storage_prune(g->workflow);
    if (!options->simulated && !(options->remote && options->remote->site.detached) && !run.left)
        tidy_directories(g);
    return !result->failed && !result->interrupted && result->done == result->total;
}
