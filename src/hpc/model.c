// SPDX-License-Identifier: MIT
/* model.c: a heap of events to come; in each account, waiting jobs in rows of equal requests, so
 * that a job that ends costs a look at the heads of the rows, not at all that wait. */
#include "hpc/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

struct row {
    struct tres request;
    VEC(uint32_t) jobs; /* in the order of submission; from head on */
    uint32_t head;
};

struct place {
    const char *name;
    struct tres limit, used, ours;
    struct tres pending; /* what waits here asks for */
    VEC(struct row) rows;
    double ours_gpu, ours_cpu; /* times seconds */
    int64_t seen_ns;           /* up to when they are summed up */
    uint32_t jobs;
};

struct job {
    struct model_job is;
    uint32_t id;      /* the caller's; 0: somebody else's */
    const char *user; /* somebody else's */
    uint64_t order;
    int64_t start_ns;
    enum { COMING, WAITING, RUNNING, GONE } state;
};

enum due { DUE_ARRIVE, DUE_END, DUE_TURN, DUE_NOTICE, DUE_TICK };

struct entry {
    int64_t at_ns;
    uint64_t order;
    enum due due;
    uint32_t job;
};

struct model {
    struct arena arena;
    VEC(struct place) places;
    POOL(struct job) jobs;
    VEC(struct entry) heap;
    VEC(struct model_event) out; /* to be given, from given on */
    uint32_t given;
    struct map by_id;
    uint64_t order;
    int64_t now_ns, start_ns, turn_ns, notice_ns, tick_ns;
    uint32_t ours;    /* that have not ended */
    uint32_t waiting; /* of ours */
    bool ticking;
};

struct model *model_new(void)
{
    struct model *model = memory_zeroed(1, sizeof *model);
    return model;
}

void model_free(struct model *model)
{
    for (uint32_t i = 0; i < model->places.len; i++) {
        for (uint32_t k = 0; k < model->places.at[i].rows.len; k++)
            vec_free(&model->places.at[i].rows.at[k].jobs);
        vec_free(&model->places.at[i].rows);
    }
    vec_free(&model->places);
    pool_free(&model->jobs);
    vec_free(&model->heap);
    vec_free(&model->out);
    map_free(&model->by_id);
    arena_free(&model->arena);
    free(model);
}

uint32_t model_add_account(struct model *model, const char *name, struct tres limit)
{
    struct place place = {.name = arena_str(&model->arena, name), .limit = limit};
    vec_push(&model->places, place);
    return model->places.len - 1;
}

void model_set_delays(struct model *model, int64_t start_ns, int64_t turn_ns, int64_t notice_ns)
{
    model->turn_ns = turn_ns;
    model->start_ns = start_ns;
    model->notice_ns = notice_ns;
}

void model_set_tick(struct model *model, int64_t tick_ns)
{
    model->tick_ns = tick_ns;
}

int64_t model_now(const struct model *model)
{
    return model->now_ns;
}

/* ---- the heap ---- */

static bool sooner(const struct entry *a, const struct entry *b)
{
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

static void push(struct model *model, int64_t at_ns, enum due due, uint32_t job)
{
    struct entry entry = {at_ns, ++model->order, due, job};
    vec_push(&model->heap, entry);
    struct entry *heap = model->heap.at;
    uint32_t i = model->heap.len - 1;
    for (; i && sooner(&entry, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = entry;
}

static struct entry pop(struct model *model)
{
    struct entry *heap = model->heap.at, best = heap[0], last = heap[--model->heap.len];
    uint32_t n = model->heap.len, i = 0;
    for (uint32_t kid; (kid = 2 * i + 1) < n; i = kid) {
        if (kid + 1 < n && sooner(&heap[kid + 1], &heap[kid]))
            kid++;
        if (!sooner(&heap[kid], &last))
            break;
        heap[i] = heap[kid];
    }
    if (n)
        heap[i] = last;
    return best;
}

static void tell(struct model *model, enum model_event_kind kind, const struct job *job,
                 const char *reason)
{
    struct model_event event = {kind, model->now_ns, job ? job->start_ns : 0, job ? job->id : 0,
                                reason};
    vec_push(&model->out, event);
}

/* ---- accounts ---- */

/* Sums up what has been used since the last change. */
static void account_for(struct place *place, int64_t now_ns)
{
    double s = (double)(now_ns - place->seen_ns) * 1e-9;
    place->ours_gpu += s * (double)place->ours.gpu;
    place->ours_cpu += s * (double)place->ours.cpu;
    place->seen_ns = now_ns;
}

static void occupy(struct model *model, const struct job *job, int sign)
{
    struct place *place = &model->places.at[job->is.account];
    account_for(place, model->now_ns);
    void (*hold)(struct tres * sum, const struct tres *request) = sign > 0 ? tres_add : tres_take;
    hold(&place->used, &job->is.request);
    if (job->id)
        hold(&place->ours, &job->is.request);
}

static const char *reason_of(const struct place *place, const struct tres *request)
{
    struct tres left = tres_left(place->limit, place->used);
    return !tres_holds(left, (struct tres){0, request->mem_mb, 0}) ? "QOSGrpMemLimit"
           : !tres_holds(left, (struct tres){request->cpu, 0, 0})  ? "QOSGrpCpuLimit"
                                                                   : "QOSGrpGRES";
}

/* A job is to be WAITING, or to be it no more. */
static void set_waiting(struct model *model, struct job *job, bool waits)
{
    (waits ? tres_add : tres_take)(&model->places.at[job->is.account].pending, &job->is.request);
    job->state = waits ? WAITING : COMING;
}

static void start(struct model *model, uint32_t number)
{
    struct job *job = &model->jobs.at[number];
    set_waiting(model, job, false);
    job->state = RUNNING;
    job->start_ns = model->now_ns;
    occupy(model, job, 1);
    push(model, model->now_ns + job->is.run_ns, DUE_END, number);
    if (!job->id)
        return;
    model->waiting--;
    model->places.at[job->is.account].jobs++;
    tell(model, MODEL_START, job, NULL);
}

/* The first job of a row that still waits there; 0: none. */
static uint32_t head_of(struct model *model, struct row *row, uint32_t account)
{
    for (; row->head < row->jobs.len; row->head++) {
        const struct job *job = &model->jobs.at[row->jobs.at[row->head]];
        if (job->state == WAITING && job->is.account == account)
            return row->jobs.at[row->head];
    }
    row->jobs.len = row->head = 0;
    return 0;
}

/* Starts all that fit, oldest first. */
static void start_waiting(struct model *model, uint32_t account)
{
    for (;;) {
        struct place *place = &model->places.at[account];
        struct tres left = tres_left(place->limit, place->used);
        struct row *best = NULL;
        uint32_t oldest = 0;
        for (uint32_t i = 0; i < place->rows.len; i++) {
            struct row *row = &place->rows.at[i];
            uint32_t job = tres_holds(left, row->request) ? head_of(model, row, account) : 0;
            if (!job || (oldest && model->jobs.at[job].order > model->jobs.at[oldest].order))
                continue;
            oldest = job;
            best = row;
        }
        if (!best)
            return;
        best->head++;
        start(model, oldest);
    }
}

static struct row *row_for(struct place *place, const struct tres *request)
{
    for (uint32_t i = 0; i < place->rows.len; i++)
        if (!memcmp(&place->rows.at[i].request, request, sizeof *request))
            return &place->rows.at[i];
    struct row row = {.request = *request};
    vec_push(&place->rows, row);
    return &place->rows.at[place->rows.len - 1];
}

/* The job is there: it starts, or waits and says why. */
static void arrive(struct model *model, uint32_t number)
{
    struct job *job = &model->jobs.at[number];
    uint32_t account = job->is.account;
    set_waiting(model, job, true);
    job->order = ++model->order;
    struct row *row = row_for(&model->places.at[account], &job->is.request);
    vec_push(&row->jobs, number);
    start_waiting(model, account);
    job = &model->jobs.at[number];
    if (job->state != WAITING || !job->id)
        return;
    tell(model, MODEL_WAIT, job, reason_of(&model->places.at[account], &job->is.request));
}

/* ---- jobs ---- */

void model_add_foreign(struct model *model, const char *user, const struct model_job *job,
                       int64_t at_ns)
{
    uint32_t number = pool_add(&model->jobs);
    model->jobs.at[number].is = *job;
    model->jobs.at[number].user = arena_str(&model->arena, user);
    if (at_ns > model->now_ns)
        push(model, at_ns, DUE_ARRIVE, number);
    else
        arrive(model, number); /* whoever looks now sees it */
}

void model_submit(struct model *model, uint32_t id, const struct model_job *job, int64_t now_ns)
{
    uint32_t number = pool_add(&model->jobs);
    model->jobs.at[number].is = *job;
    model->jobs.at[number].id = id;
    map_set(&model->by_id, id, number);
    model->ours++;
    model->waiting++;
    push(model, now_ns + model->start_ns, DUE_ARRIVE, number);
    if (model->tick_ns && !model->ticking)
        push(model, now_ns + model->tick_ns, DUE_TICK, 0);
    model->ticking = model->tick_ns > 0;
}

bool model_move(struct model *model, uint32_t id, uint32_t account, int64_t now_ns)
{
    uint32_t number = map_find(&model->by_id, id);
    if (!number || model->jobs.at[number].state != WAITING)
        return false;
    set_waiting(model, &model->jobs.at[number], false);
    model->jobs.at[number].is.account = account;
    push(model, now_ns, DUE_ARRIVE, number);
    return true;
}

static void end(struct model *model, uint32_t number)
{
    struct job *job = &model->jobs.at[number];
    job->state = GONE;
    occupy(model, job, -1);
    if (job->id) {
        tell(model, MODEL_LEFT, job, NULL);
        push(model, model->now_ns + model->notice_ns, DUE_NOTICE, number);
    }
    if (model->turn_ns)
        push(model, model->now_ns + model->turn_ns, DUE_TURN, number);
    else
        start_waiting(model, job->is.account);
}

static void tick(struct model *model)
{
    model->ticking = model->ours > 0 && !model_is_stuck(model);
    if (model->ticking)
        push(model, model->now_ns + model->tick_ns, DUE_TICK, 0);
    tell(model, MODEL_TICK, NULL, NULL);
}

static void happen(struct model *model, struct entry entry)
{
    model->now_ns = entry.at_ns;
    switch (entry.due) {
    case DUE_ARRIVE: arrive(model, entry.job); break;
    case DUE_END: end(model, entry.job); break;
    case DUE_TURN: start_waiting(model, model->jobs.at[entry.job].is.account); break;
    case DUE_TICK: tick(model); break;
    case DUE_NOTICE:
        model->ours--;
        tell(model, MODEL_END, &model->jobs.at[entry.job], NULL);
        break;
    }
}

bool model_is_stuck(const struct model *model)
{
    bool more = false;
    for (uint32_t i = 0; i < model->heap.len; i++)
        more |= model->heap.at[i].due != DUE_TICK;
    return model->waiting && !more;
}

bool model_next(struct model *model, int64_t until_ns, struct model_event *event)
{
    while (model->given == model->out.len) {
        model->given = model->out.len = 0;
        if (!model->ours || !model->heap.len || model->heap.at[0].at_ns > until_ns)
            return false;
        happen(model, pop(model));
    }
    *event = model->out.at[model->given++];
    return true;
}

/* ---- what it looks like ---- */

void model_show(const struct model *model, struct accounts *accounts)
{
    for (uint32_t i = 0; i < model->places.len; i++) {
        const struct place *place = &model->places.at[i];
        struct account *account = accounts_add(accounts, place->name, strlen(place->name));
        account->qos_limit = account->limit = place->limit;
        account->qos_used = account->running = place->used;
        account->pending = place->pending;
        account->limit_from = account->use_from = FROM_SCONTROL;
    }
}

struct model_use model_account_use(const struct model *model, uint32_t account, int64_t until_ns)
{
    struct place place = model->places.at[account];
    account_for(&place, until_ns);
    return (struct model_use){place.ours_gpu, place.ours_cpu, place.jobs};
}
