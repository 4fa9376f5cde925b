// SPDX-License-Identifier: MIT
/* model.h: a cluster that is only computed: accounts with limits, jobs that wait until their
 * account has room and then take their time, and jobs of others that come and go. Events come in
 * the order of time; nothing here knows of workflows.
 *
 *     struct model *model = model_new();
 *     uint32_t clive = model_add_account(model, "clive", limit);
 *     model_submit(model, 1, &(struct model_job){clive, request, 60e9}, 0);
 *     while (model_next(model, INT64_MAX, &event)) ... // MODEL_START at 0, MODEL_END at 60e9
 *
 * In an account the first job that fits starts first, as Slurm's backfill does with jobs that wait
 * for a group's limit. */
#pragma once

#include <stdbool.h>

#include "hpc/accounts.h"
#include "hpc/tres.h"

struct model;

struct model_job {
    uint32_t account;
    struct tres request;
    int64_t run_ns;
};

enum model_event_kind {
    MODEL_START,
    MODEL_LEFT, /* it has ended; nobody knows yet */
    MODEL_END,  /* it is known */
    MODEL_WAIT, /* it does not fit: reason */
    MODEL_TICK, /* jobs of ours are there: time to look */
};
struct model_event {
    enum model_event_kind kind;
    int64_t at_ns, start_ns;
    uint32_t id;
    const char *reason; /* as Slurm calls it */
};

struct model_use {
    double gpu_s, cpu_s; /* of our jobs, over time */
    uint32_t jobs;       /* of ours that ran there */
};

/* A cluster without accounts and jobs at time 0, the caller's. */
struct model *model_new(void);
void model_free(struct model *model);
/* An account; limits not set hold anything. Its number. */
uint32_t model_add_account(struct model *model, const char *name, struct tres limit);
/* Jobs of somebody else, which come at at_ns. */
void model_add_foreign(struct model *model, const char *user, const struct model_job *job,
                       int64_t at_ns);
/* The time from submission to start at best, from an end to the start of what waited for it, and
 * from the end until it is known. */
void model_set_delays(struct model *model, int64_t start_ns, int64_t turn_ns, int64_t notice_ns);
/* The time between two ticks; 0: none. */
void model_set_tick(struct model *model, int64_t tick_ns);

/* A job of ours. id is the caller's, not 0. */
void model_submit(struct model *model, uint32_t id, const struct model_job *job, int64_t now_ns);
/* A waiting job goes to another account. False if it does not wait any more. */
bool model_move(struct model *model, uint32_t id, uint32_t account, int64_t now_ns);
/* The next event up to that time; false: there is none, or nothing of ours runs or waits. A job
 * that can never start waits for ever: the last events are ticks then, model_is_stuck tells. */
bool model_next(struct model *model, int64_t until_ns, struct model_event *event);
/* Whether jobs of ours wait while nothing is to come that could free anything. */
bool model_is_stuck(const struct model *model);

/* What the accounts use now, as accounts_read_* would tell. accounts has the model's accounts, in
 * order, or is empty. */
void model_show(const struct model *model, struct accounts *accounts);
/* What an account has used until then, and has now. */
struct model_use model_account_use(const struct model *model, uint32_t account, int64_t until_ns);
/* The time by the cluster's clock. */
int64_t model_now(const struct model *model);
