// SPDX-License-Identifier: MIT
#include "run/growth.h"

#include <stdlib.h>

#include "base/clock.h"
#include "graph/chain.h"
#include "graph/checkpoint.h"
#include "python/threads.h"
#include "run/run_inner.h"
#include "run/priority.h"

enum { PATIENCE = 20 }; /* growing takes at most this part of the time */

static void on_timer(void *user)
{
    struct run *run = user;
    timer_end(&run->growth.timer);
}

bool growth_comes_first(const struct run *run)
{
    if (!run->growth.wanted || run->stopping)
        return false;
    bool groups = run->is_remote && run->remote.groups.all.len > 1;
    return groups || clock_ns() >= run->growth.due_ns;
}

/* Whether the run can do without what would come: here there is more to start, or a site is busy
 * with what it has. */
static bool can_wait(const struct run *run)
{
    return run->nactive && (run->is_remote || run->ready_taken < run->ready.queue.len ||
                            picker_waiting(&run->picker));
}

bool growth_is_due(struct run *run)
{
    struct growth *growth = &run->growth;
    if (!growth->wanted || run->stopping)
        return false;
    if (!can_wait(run) || growth_comes_first(run))
        return true;
    if (!growth->timer)
        growth->timer = timer_open(run->loop, (uint64_t)(growth->due_ns - clock_ns()) / 1000000 + 1,
                                   0, on_timer, run);
    return false;
}

/* ---- threads and queues ---- */

static void on_thread_timer(void *user)
{
    struct run *run = user;
    timer_end(&run->growth.thread_timer);
}

void growth_turn(struct run *run)
{
    struct growth *growth = &run->growth;
    int64_t now = clock_ns();
    threads_run(run->g->workflow->vm);
    if (!run->g->queued.len || now < growth->poll_ns)
        return;
    growth->wanted = growth->queues = true;
    growth->poll_ns = now + (int64_t)(run->options->queue_wait * 1e9);
}

void growth_wake(struct run *run)
{
    struct growth *growth = &run->growth;
    int64_t wait = threads_next(run->g->workflow->vm),
            poll = (growth->poll_ns - clock_ns()) / 1000000 + 1;
    if (run->g->queued.len && (wait < 0 || poll < wait))
        wait = poll;
    if (wait >= 0 && !growth->thread_timer)
        growth->thread_timer = timer_open(run->loop, wait > 0 ? (uint64_t)wait : 1, 0,
                                          on_thread_timer, run);
}

void growth_measure(struct run *run)
{
    free(run->chains);
    run->chains = graph_chains(run->g);
    run->picker.chain = run->here_picker.chain = run->chains;
}

void growth_count(struct run *run)
{
    ready_start(&run->ready, run->g, job_must_run);
    run->ready.streams = true;
    temps_start(&run->temps, run->g, run_remove_temp, run);
    run->temps.held = checkpoint_is_awaited(run->g);
}

static void count_anew(struct run *run)
{
    ready_end(&run->ready);
    temps_end(&run->temps);
    growth_count(run);
    run->ready_taken = 0;
    run->result->total = run->result->done + run->g->nmust_run;
    temps_sweep(&run->temps);
}

/* *changed: jobs know their inputs that did not. False after diagnostics. */
static bool build_more(struct run *run, bool *changed)
{
    struct graph *g = run->g;
    if (run->growth.queues)
        graph_reopen_queued(g);
    run->growth.queues = false;
    if (!checkpoint_grow(g, run->options->fresh, run->options->cut, changed))
        return false;
    if (*changed && run->options->first)
        graph_prioritize(g, run->options->first);
    return !*changed || priorities_set(g);
}

static bool tell_pickers(struct run *run, uint32_t old)
{
    if (!run->is_remote && !crew_grow(&run->crew, run->g))
        return false;
    growth_measure(run);
    run->picker.ring = run->crew.starters; /* none where jobs are submitted */
    picker_grow(&run->picker, old);
    if (!run->is_remote)
        return true;
    picker_grow(&run->here_picker, old);
    picker_drop_groups(&run->picker);
    return remote_regroup(&run->remote);
}

void growth(struct run *run)
{
    struct growth *growth = &run->growth;
    uint32_t old = run->g->jobs.len + 1;
    int64_t start = clock_ns();
    bool changed = false, good = build_more(run, &changed);
    growth->wanted = false;
    good = (!changed || tell_pickers(run, old)) && good;
    if (good && changed && run->options->grown)
        good = run->options->grown(run->options->grown_user);
    if (good && changed)
        count_anew(run);
    if (!good) {
        run->result->failed++;
        run_stop(run, 0);
    }
    int64_t end = clock_ns();
    growth->due_ns = end + PATIENCE * (end - start);
}
