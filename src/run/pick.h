// SPDX-License-Identifier: MIT
/* pick.h: which of the ready jobs start now: by priority, then those on the longest chains of jobs,
 * then in order of discovery, as far as cores and resources reach. Jobs are evaluated when they
 * come near the front, not before; a job too large for what is free waits while others pass it, of
 * its own rule as many as can be seen past a window of such jobs. */
#pragma once

#include "run/task.h"

struct limit {
    sym_t name;
    int64_t total, used;
    bool within_job; /* counts within a submitted job, not over all jobs */
};

struct picker;
/* The task of a job of the picker, evaluated, as task_new. */
typedef struct task *task_maker(const void *user, job_id job, int attempt,
                                const struct picker *picker);

struct picker {
    struct graph *g;
    int cores, cores_used;      /* cores 0: no limit */
    uint32_t slots, slots_used; /* --jobs; 0: no limit */
    uint32_t services;          /* of slots_used: tasks that end when others have */
    struct limit *limits;       /* borrowed from the options; .used is kept here */
    uint32_t nlimits;
    struct shelf *shelves;       /* owned; by rule: its jobs that are ready */
    VEC(rule_id) fronts;         /* a heap of the rules that have some, by their first */
    VEC(rule_id) blocked;        /* while one is looked for: rules whose jobs do not fit */
    uint32_t waiting;            /* jobs ready and not taken */
    const uint32_t *chain;       /* by job: how long a chain of jobs it is part of (graph/chain.h);
                              borrowed; NULL: all alike */
    const job_id *ring;          /* gangs (graph/gang.h), borrowed; NULL: none */
    task_maker *make;            /* NULL: task_new */
    const void *maker;           /* its user; borrowed */
    const struct groups *groups; /* of jobs that are submitted together; borrowed; NULL: none */
    int *attempt;                /* by job: the next attempt's number, 0 as 1 */
    bool failed;                 /* evaluating a job raised: diagnostics are recorded */
    job_id failed_job;
};

/* Begins with nothing to pick; cores, slots and limits have been set. The graph is borrowed until
 * picker_end. */
void picker_start(struct picker *picker, struct graph *g);
/* The graph has more jobs than before, up from number old; those that it does not need any more
 * leave. */
void picker_grow(struct picker *picker, uint32_t old);
/* A job is ready. */
void picker_add(struct picker *picker, job_id job);
/* The next task that fits, the caller's, its cores and resources taken; NULL if none does, or one
 * could not be evaluated (picker->failed). The first task of a gang carries the others in .gang:
 * they fit and are taken together. */
struct task *picker_take(struct picker *picker);
/* Gives back what a task held. */
void picker_release(struct picker *picker, const struct task *task);
/* Takes out the heads of groups: they are about to be formed anew. */
void picker_drop_groups(struct picker *picker);
/* Jobs that are ready and not taken. */
uint32_t picker_waiting(const struct picker *picker);
/* Frees what it holds, tasks that wait too. */
void picker_end(struct picker *picker);
