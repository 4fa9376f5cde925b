// SPDX-License-Identifier: MIT
#include "run/pick.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "run/remote.h"

enum { WINDOW = 64 };

void picker_start(struct picker *picker, struct graph *g)
{
    picker->g = g;
    picker->attempt = calloc(g->jobs.len + 1, sizeof *picker->attempt);
    if (!picker->attempt)
        out_of_memory();
}

void picker_grow(struct picker *picker, uint32_t old)
{
    uint32_t n = picker->g->jobs.len + 1;
    picker->attempt = realloc(picker->attempt, n * sizeof *picker->attempt);
    if (!picker->attempt)
        out_of_memory();
    if (n > old)
        memset(picker->attempt + old, 0, (n - old) * sizeof *picker->attempt);
}

void picker_end(struct picker *picker)
{
    for (uint32_t i = 0; i < picker->window.len; i++)
        task_free(picker->window.at[i]);
    vec_free(&picker->window);
    vec_free(&picker->heap);
    free(picker->attempt);
    picker->attempt = NULL;
}

void picker_drop_groups(struct picker *picker)
{
    uint32_t kept = 0, n = picker->heap.len;
    for (uint32_t i = 0; i < picker->window.len; i++) {
        struct task *task = picker->window.at[i];
        if (task->nparts)
            task_free(task);
        else
            picker->window.at[kept++] = task;
    }
    picker->window.len = kept;
    job_id *old = picker->heap.at;
    memset(&picker->heap, 0, sizeof picker->heap);
    for (uint32_t i = 0; i < n; i++)
        if (!group_of(&picker->remote->groups, old[i]))
            picker_add(picker, old[i]);
    free(old);
}

uint32_t picker_waiting(const struct picker *picker)
{
    return picker->heap.len + picker->window.len;
}

/* ---- the heap ---- */

static bool before(const struct graph *g, job_id a, job_id b)
{
    const struct job *x = &g->jobs.at[a], *y = &g->jobs.at[b];
    return x->priority != y->priority ? x->priority > y->priority : x->number < y->number;
}

void picker_add(struct picker *picker, job_id job)
{
    vec_push(&picker->heap, job);
    job_id *heap = picker->heap.at;
    uint32_t i = picker->heap.len - 1;
    for (; i && before(picker->g, job, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = job;
}

static job_id pop(struct picker *picker)
{
    job_id *heap = picker->heap.at, best = heap[0], last = heap[--picker->heap.len];
    uint32_t n = picker->heap.len, i = 0;
    for (uint32_t kid; (kid = 2 * i + 1) < n; i = kid) {
        if (kid + 1 < n && before(picker->g, heap[kid + 1], heap[kid]))
            kid++;
        if (!before(picker->g, heap[kid], last))
            break;
        heap[i] = heap[kid];
    }
    if (n)
        heap[i] = last;
    return best;
}

/* ---- fitting ---- */

static int64_t demand(const struct task *task, const struct limit *limit)
{
    for (uint32_t i = 0; i < task->eval.nresources; i++)
        if (task->eval.resources[i].name == limit->name && !task->eval.resources[i].is_text) {
            int64_t n = task->eval.resources[i].number;
            return n < limit->total
                       ? n
                       : limit->total; /* more than there is: all of it, as in Snakemake */
        }
    return 0;
}

static int cores_of(const struct picker *picker, const struct task *task)
{
    bool idle = !task->nparts && task->eval.rule->body == BODY_NONE;
    int n = idle ? 0 : task->eval.threads;
    return picker->cores && n > picker->cores ? picker->cores : n;
}

/* A gang fits if all its tasks do; one that is too large for the machine starts when it is alone. */
static bool fits(const struct picker *picker, const struct task *head)
{
    int cores = 0;
    uint32_t slots = 0;
    for (const struct task *task = head; task; task = task->gang, slots++)
        cores += cores_of(picker, task);
    if (head->gang && !picker->slots_used)
        return true;
    if (picker->cores && cores && picker->cores_used + cores > picker->cores)
        return false;
    if (picker->slots && picker->slots_used + slots > picker->slots)
        return false;
    for (uint32_t i = 0; i < picker->nlimits; i++) {
        int64_t wanted = picker->limits[i].used;
        for (const struct task *task = head; task; task = task->gang)
            wanted += demand(task, &picker->limits[i]);
        if (!picker->limits[i].within_job && wanted > picker->limits[i].total)
            return false;
    }
    return true;
}

static void hold(struct picker *picker, const struct task *task, int sign)
{
    picker->cores_used += sign * cores_of(picker, task);
    picker->slots_used += (uint32_t)sign;
    for (uint32_t i = 0; i < picker->nlimits; i++)
        picker->limits[i].used += sign * demand(task, &picker->limits[i]);
}

void picker_release(struct picker *picker, const struct task *task)
{
    hold(picker, task, -1);
}

/* The place in the window of the first task that fits; window.len if none does. */
static uint32_t first_fit(const struct picker *picker)
{
    uint32_t i = 0;
    while (i < picker->window.len && !fits(picker, picker->window.at[i]))
        i++;
    return i;
}

static struct task *take_at(struct picker *picker, uint32_t i)
{
    struct task *task = picker->window.at[i];
    memmove(picker->window.at + i, picker->window.at + i + 1,
            (picker->window.len - i - 1) * sizeof *picker->window.at);
    picker->window.len--;
    for (const struct task *one = task; one; one = one->gang)
        hold(picker, one, 1);
    return task;
}

static bool is_full(const struct picker *picker)
{
    return (picker->cores && picker->cores_used >= picker->cores) ||
           (picker->slots && picker->slots_used >= picker->slots);
}

/* The task of a job, with those of its gang; NULL if one cannot be evaluated. */
static struct task *new_task(struct picker *picker, job_id job)
{
    struct task *head = NULL;
    job_id at = job;
    do {
        int attempt = picker->attempt[at] ? picker->attempt[at] : 1;
        struct task *task = picker->remote ? remote_task(picker->remote, at, attempt, picker)
                                           : task_new(picker->g, at, attempt, picker->cores);
        if (!task) {
            task_free(head);
            return NULL;
        }
        if (head) {
            task->gang = head->gang;
            head->gang = task;
        } else {
            head = task;
        }
        at = picker->ring ? picker->ring[at] : 0;
    } while (at && at != job);
    return head;
}

/* Evaluates the best of the heap into its place in the window. */
static bool look_at_next(struct picker *picker)
{
    job_id job = pop(picker);
    struct task *task = new_task(picker, job);
    if (!task) {
        picker->failed = true;
        picker->failed_job = job;
        return false;
    }
    vec_push(&picker->window, task);
    struct task **window = picker->window.at;
    uint32_t i = picker->window.len - 1;
    for (; i && before(picker->g, job, window[i - 1]->job); i--)
        window[i] = window[i - 1];
    window[i] = task;
    return true;
}

struct task *picker_take(struct picker *picker)
{
    for (;;) {
        uint32_t i = first_fit(picker), n = picker->window.len;
        bool more = picker->heap.len && n < WINDOW;
        if (i < n && !(more && before(picker->g, picker->heap.at[0], picker->window.at[i]->job)))
            return take_at(picker, i);
        if (!more || (i == n && n && is_full(picker)) || !look_at_next(picker))
            return NULL;
    }
}
