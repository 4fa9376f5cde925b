// SPDX-License-Identifier: MIT
/* pick.c: ready jobs stand on shelves, one a rule; what does not fit holds back only its own shelf.
 *
 *     fronts: heap of rules          the shelf whose first job comes first is at the top
 *     shelf:  heap of jobs           ready, not evaluated
 *             window of tasks        evaluated and waiting for room, in order
 *
 * A turn in which k jobs start costs k look-ups in heaps, and one look at each shelf that is
 * blocked; nothing where all cores are taken. */
#include "run/pick.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/gang.h"
#include "graph/group.h"

enum { WINDOW = 16 };

struct shelf {
    VEC(job_id) heap;          /* ready, not evaluated; best first */
    VEC(struct task *) window; /* evaluated, waiting; best first; owned */
    uint32_t place;            /* in picker.fronts, + 1; 0: not there */
};

void picker_start(struct picker *picker, struct graph *g)
{
    picker->g = g;
    picker->attempt = memory_zeroed(g->jobs.len + 1, sizeof *picker->attempt);
    picker->shelves = memory_zeroed(g->workflow->rules.len + 1, sizeof *picker->shelves);
}

void picker_end(struct picker *picker)
{
    for (rule_id r = 0; picker->shelves && r < picker->g->workflow->rules.len; r++) {
        struct shelf *shelf = &picker->shelves[r];
        for (uint32_t i = 0; i < shelf->window.len; i++)
            task_free(shelf->window.at[i]);
        vec_free(&shelf->window);
        vec_free(&shelf->heap);
    }
    free(picker->shelves);
    free(picker->attempt);
    vec_free(&picker->fronts);
    vec_free(&picker->blocked);
    picker->shelves = NULL;
    picker->attempt = NULL;
}

uint32_t picker_waiting(const struct picker *picker)
{
    return picker->waiting;
}

/* ---- the order ---- */

static uint32_t chain_of(const struct picker *picker, job_id job)
{
    return picker->chain ? picker->chain[job] : 0;
}

static bool before(const struct picker *picker, job_id a, job_id b)
{
    const struct job *x = &picker->g->jobs.at[a], *y = &picker->g->jobs.at[b];
    uint32_t i = chain_of(picker, a), k = chain_of(picker, b);
    if (x->priority != y->priority)
        return x->priority > y->priority;
    return i != k ? i > k : x->number < y->number;
}

/* ---- one shelf ---- */

static void shelf_push(const struct picker *picker, struct shelf *shelf, job_id job)
{
    vec_push(&shelf->heap, job);
    job_id *heap = shelf->heap.at;
    uint32_t i = shelf->heap.len - 1;
    for (; i && before(picker, job, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = job;
}

static job_id shelf_pop(const struct picker *picker, struct shelf *shelf)
{
    job_id *heap = shelf->heap.at, best = heap[0], last = heap[--shelf->heap.len];
    uint32_t n = shelf->heap.len, i = 0;
    for (uint32_t kid; (kid = 2 * i + 1) < n; i = kid) {
        if (kid + 1 < n && before(picker, heap[kid + 1], heap[kid]))
            kid++;
        if (!before(picker, heap[kid], last))
            break;
        heap[i] = heap[kid];
    }
    if (n)
        heap[i] = last;
    return best;
}

/* Puts a task in its place among the n of a window, which has room. */
static void insert_task(const struct picker *picker, struct task **window, uint32_t n,
                        struct task *task)
{
    for (; n && before(picker, task->job, window[n - 1]->job); n--)
        window[n] = window[n - 1];
    window[n] = task;
}

/* The first job of a shelf, which is not empty. */
static job_id front(const struct picker *picker, rule_id rule)
{
    const struct shelf *shelf = &picker->shelves[rule];
    if (!shelf->window.len)
        return shelf->heap.at[0];
    job_id job = shelf->window.at[0]->job;
    return shelf->heap.len && before(picker, shelf->heap.at[0], job) ? shelf->heap.at[0] : job;
}

/* ---- the heap of shelves ---- */

static void set_front(struct picker *picker, uint32_t i, rule_id rule)
{
    picker->fronts.at[i] = rule;
    picker->shelves[rule].place = i + 1;
}

static void rise(struct picker *picker, uint32_t i, rule_id rule)
{
    const rule_id *heap = picker->fronts.at;
    job_id job = front(picker, rule);
    for (; i && before(picker, job, front(picker, heap[(i - 1) / 2])); i = (i - 1) / 2)
        set_front(picker, i, heap[(i - 1) / 2]);
    set_front(picker, i, rule);
}

/* Puts a shelf in the place of the one at the top. */
static void sink(struct picker *picker, rule_id rule)
{
    const rule_id *heap = picker->fronts.at;
    uint32_t n = picker->fronts.len, i = 0;
    job_id job = front(picker, rule);
    for (uint32_t kid; (kid = 2 * i + 1) < n; i = kid) {
        if (kid + 1 < n && before(picker, front(picker, heap[kid + 1]), front(picker, heap[kid])))
            kid++;
        if (!before(picker, front(picker, heap[kid]), job))
            break;
        set_front(picker, i, heap[kid]);
    }
    set_front(picker, i, rule);
}

/* Takes the shelf at the top out of the heap. */
static void drop_top(struct picker *picker)
{
    picker->shelves[picker->fronts.at[0]].place = 0;
    rule_id last = picker->fronts.at[--picker->fronts.len];
    if (picker->fronts.len)
        sink(picker, last);
}

static void add_shelf(struct picker *picker, rule_id rule)
{
    const struct shelf *shelf = &picker->shelves[rule];
    if (!shelf->heap.len && !shelf->window.len)
        return;
    vec_push(&picker->fronts, rule);
    rise(picker, picker->fronts.len - 1, rule);
}

void picker_add(struct picker *picker, job_id job)
{
    rule_id rule = picker->g->jobs.at[job].rule;
    struct shelf *shelf = &picker->shelves[rule];
    shelf_push(picker, shelf, job);
    picker->waiting++;
    if (shelf->place)
        rise(picker, shelf->place - 1, rule);
    else
        add_shelf(picker, rule);
}

/* The graph has grown, and nobody needs the job any more: it may be needed again later. Jobs that
 * start with others stay. */
static bool is_left(const struct picker *picker, job_id id)
{
    struct job *job = &picker->g->jobs.at[id];
    bool tied = (picker->ring && picker->ring[id]) ||
                (picker->groups && group_of(picker->groups, id));
    if (job->needed || tied)
        return false;
    job->taken = false;
    return true;
}

/* Puts the jobs of a shelf in order again that are still needed, without the heads of groups or
 * with them. */
static void reorder(struct picker *picker, struct shelf *shelf, bool drop_groups)
{
    uint32_t kept = 0, n = shelf->heap.len;
    for (uint32_t i = 0; i < shelf->window.len; i++) {
        struct task *task = shelf->window.at[i];
        if ((task->nparts && drop_groups) || is_left(picker, task->job))
            task_free(task);
        else
            insert_task(picker, shelf->window.at, kept++, task);
    }
    shelf->window.len = kept;
    shelf->heap.len = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!(drop_groups && group_of(picker->groups, shelf->heap.at[i])) &&
            !is_left(picker, shelf->heap.at[i]))
            shelf_push(picker, shelf, shelf->heap.at[i]);
    picker->waiting += shelf->window.len + shelf->heap.len;
}

static void reshelve(struct picker *picker, bool drop_groups)
{
    picker->waiting = 0;
    picker->fronts.len = 0;
    for (rule_id r = 1; r < picker->g->workflow->rules.len; r++) {
        reorder(picker, &picker->shelves[r], drop_groups);
        picker->shelves[r].place = 0;
        add_shelf(picker, r);
    }
}

void picker_grow(struct picker *picker, uint32_t old)
{
    uint32_t n = picker->g->jobs.len + 1;
    picker->attempt = memory_resized(picker->attempt, n, sizeof *picker->attempt);
    if (n > old)
        memset(picker->attempt + old, 0, (n - old) * sizeof *picker->attempt);
    reshelve(picker, false);
}

void picker_drop_groups(struct picker *picker)
{
    reshelve(picker, true);
}

/* ---- fitting ---- */

static int64_t demand(const struct task *task, const struct limit *limit)
{
    const struct resource *asked = eval_resource(&task->eval, limit->name);
    if (!asked || asked->is_text)
        return 0;
    /* more than there is: all, as in Snakemake */
    return asked->number < limit->total ? asked->number : limit->total;
}

static int cores_of(const struct picker *picker, const struct task *task)
{
    bool idle = !task->nparts && task->eval.rule->body == BODY_NONE;
    if (idle || !picker->cores) /* 0: as many as there are jobs */
        return 0;
    return task->eval.threads > picker->cores ? picker->cores : task->eval.threads;
}

/* A gang fits if all its tasks do; one that is too large for the machine starts when it is
 * alone. So does what waits for room where only services run: they wait for it. */
static bool fits(const struct picker *picker, const struct task *head)
{
    int64_t cores = 0;
    uint32_t slots = 0;
    for (const struct task *task = head; task; task = task->gang, slots++)
        cores += cores_of(picker, task);
    if (picker->slots_used == picker->services && (head->gang || picker->services))
        return true;
    if (picker->cores && cores && picker->cores_used + cores > picker->cores)
        return false;
    if (picker->slots && picker->slots_used + slots > picker->slots)
        return false;
    for (uint32_t i = 0; i < picker->nlimits; i++) {
        int64_t left = picker->limits[i].total - picker->limits[i].used;
        for (const struct task *task = head; task && !picker->limits[i].within_job;
             task = task->gang) {
            left -= demand(task, &picker->limits[i]);
            if (left < 0)
                return false;
        }
    }
    return true;
}

static void hold(struct picker *picker, struct task *task)
{
    task->held = arena_array(&task->scratch, int64_t, picker->nlimits + 1);
    task->cores_held = cores_of(picker, task);
    picker->cores_used += task->cores_held;
    picker->slots_used++;
    picker->services += is_service(picker->g, task->job);
    for (uint32_t i = 0; i < picker->nlimits; i++) {
        task->held[i] = picker->limits[i].within_job ? 0 : demand(task, &picker->limits[i]);
        picker->limits[i].used += task->held[i];
    }
}

void picker_release(struct picker *picker, const struct task *task)
{
    picker->cores_used -= task->cores_held;
    picker->slots_used--;
    picker->services -= is_service(picker->g, task->job);
    for (uint32_t i = 0; i < picker->nlimits; i++)
        picker->limits[i].used -= task->held[i];
}

/* ---- taking ---- */

/* The place in a window of the first task that fits; window.len if none does. */
static uint32_t first_fit(const struct picker *picker, const struct shelf *shelf)
{
    uint32_t i = 0;
    while (i < shelf->window.len && !fits(picker, shelf->window.at[i]))
        i++;
    return i;
}

static struct task *take_at(struct picker *picker, struct shelf *shelf, uint32_t i)
{
    struct task *task = shelf->window.at[i];
    memmove(shelf->window.at + i, shelf->window.at + i + 1,
            (shelf->window.len - i - 1) * sizeof *shelf->window.at);
    shelf->window.len--;
    picker->waiting--;
    for (struct task *one = task; one; one = one->gang)
        hold(picker, one);
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
        struct task *task = picker->make ? picker->make(picker->maker, at, attempt, picker)
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

/* Evaluates the best of a shelf's heap into its place in the window. */
static bool look_at_next(struct picker *picker, struct shelf *shelf)
{
    job_id job = shelf_pop(picker, shelf);
    struct task *task = new_task(picker, job);
    if (!task) {
        picker->failed = true;
        picker->failed_job = job;
        picker->waiting--;
        return false;
    }
    vec_push(&shelf->window, task);
    insert_task(picker, shelf->window.at, shelf->window.len - 1, task);
    return true;
}

/* The first of a shelf that fits; NULL if none does, or one could not be evaluated. */
static struct task *take_from_shelf(struct picker *picker, struct shelf *shelf)
{
    for (;;) {
        uint32_t i = first_fit(picker, shelf), n = shelf->window.len;
        bool more = shelf->heap.len && n < WINDOW;
        if (i < n && !(more && before(picker, shelf->heap.at[0], shelf->window.at[i]->job)))
            return take_at(picker, shelf, i);
        if (!more || (i == n && n && is_full(picker)) || !look_at_next(picker, shelf))
            return NULL;
    }
}

struct task *picker_take(struct picker *picker)
{
    struct task *task = NULL;
    picker->blocked.len = 0;
    while (!task && !picker->failed && picker->fronts.len) {
        rule_id rule = picker->fronts.at[0];
        task = take_from_shelf(picker, &picker->shelves[rule]);
        drop_top(picker);
        vec_push(&picker->blocked, rule);
        if (!task && is_full(picker))
            break;
    }
    for (uint32_t i = 0; i < picker->blocked.len; i++)
        add_shelf(picker, picker->blocked.at[i]);
    return task;
}
