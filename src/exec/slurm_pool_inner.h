// SPDX-License-Identifier: MIT
/* slurm_pool_inner.h: the inside of the pool executor: slurm_pool.c holds allocations,
 * slurm_pool_task.c runs tasks in them as Slurm steps.
 *
 *   slot  an allocation: ASKED (submitted) -> OPEN (its file says which job it is) -> gone
 *   step  one srun in a slot, which runs one task, or several short ones one after the other
 *   task  a launch of the caller: waiting -> in a step -> ended
 *
 * Allocations are jobs of an inner slurm executor, whose launches are numbered from SLOT_BASE. */
#pragma once

#include "exec/slurm_inner.h"

enum {
    SLOT_BASE = 0x40000000,
    STARTS_AT_ONCE = 16, /* steps on their way; more bring nothing */
    UNKNOWN_S = 60,      /* a task that does not say how long it takes has so much time at least */
    PACK_MOST = 32,
    REFUSALS_MOST = 3, /* by srun, of one task */
    VAIN_MOST = 3,     /* rounds of allocations that have ended before they were open */
};

struct pool;

struct pool_ask {
    int cores, gpus;
    int64_t mem_mb;
    int64_t seconds; /* it takes at most; 0: not said */
};

struct pool_slot {
    uint32_t launch;  /* of the inner executor */
    uint32_t job;     /* Slurm's number; 0: not open yet */
    char cluster[64]; /* another than this one; "": here */
    char node[128];
    struct pool_ask left;
    int64_t end_ns;  /* monotonic: its time is up */
    int64_t idle_ns; /* monotonic: since when it has no step; 0: it has */
    uint32_t steps;
    bool closing;  /* nothing starts there any more */
    bool released; /* it is being given back */
};

struct pool_task {
    struct pool *pool;
    struct pool_step *step; /* NULL: waits */
    uint32_t launch;
    char token[TOKEN_SIZE];
    struct past_job who;
    char *element, *script, *body, *log, *gres; /* owned; body: see slurm_element */
    char *message;                              /* owned: why it cannot run */
    int refusals; /* so often srun could not start it, though its allocation was there */
    struct pool_ask ask;
    bool journaled;
    bool ended; /* reported */
};

struct pool_step {
    struct pool *pool;
    struct pool_slot *slot;        /* NULL: it is gone */
    VEC(struct pool_task *) tasks; /* NULL: ended */
    struct pool_ask ask;
    struct process *process;
    bool begun; /* its first task has claimed its attempt */
};

struct pool {
    struct executor base;
    struct exec_options options;
    struct slurm_options how;
    struct slurm *inner;
    struct loop *loop;
    struct pool_ask whole;           /* what an allocation has */
    int64_t least_s;                 /* a task has so much time at least */
    VEC(struct pool_slot *) slots;   /* owned */
    VEC(struct pool_step *) steps;   /* owned */
    VEC(struct pool_task *) waiting; /* owned, in order */
    uint32_t first;                  /* of them, the first that waits */
    VEC(struct pool_task *) known;   /* by launch: place in by_launch; owned until settled */
    struct map by_launch, by_token;
    VEC(uint32_t) gone; /* launches of allocations that have ended */
    uint32_t serial, next_slot;
    uint32_t vain;      /* so many allocations in a row were never open, by nobody's fault */
    bool content;       /* no more than there are can be had */
    double mean_s;      /* how long tasks take; 0: not known */
    int64_t not_before; /* monotonic: nothing starts until then */
    int pause_s;        /* so long after an srun that did not reach Slurm; 0: they do */
    struct timer *tick;
    bool stopping;
};

/* slurm_pool_task.c */
/* A task of the launch, known and waiting; its message is set if it can never run. */
struct pool_task *pool_task_new(struct pool *pool, const struct launch *launch);
/* Frees it with all that it owns; it is not known any more. */
void pool_task_free(struct pool_task *task);
/* The task of a launch, or NULL. */
struct pool_task *pool_task_of(const struct pool *pool, uint32_t launch);
/* Starts what fits now. */
void pool_dispatch(struct pool *pool);
/* Looks which tasks have left their done files, and which steps have begun. */
void pool_look(struct pool *pool);
/* Reports the end of a task; message: why it failed, or NULL; blameless: not by its own fault. */
void pool_end_task(struct pool_task *task, int status, int signum, const char *message,
                   bool blameless);
/* The slot is gone: what ran there begins anew. */
void pool_slot_lost(struct pool *pool, struct pool_slot *slot);
/* How many GPUs a launch asks for: "gpu:a100:2" is 2, "gpu" is 1. */
int pool_gpus(const struct launch *launch);
/* Whether there is room for what is asked; the time is not looked at. */
bool pool_fits(const struct pool_ask *ask, const struct pool_ask *room);
/* Whether an allocation lasts as long as the task may take. */
bool pool_has_time(const struct pool *pool, const struct pool_slot *slot,
                   const struct pool_ask *ask);
/* Its files may go. */
void pool_discard(struct pool_task *task);
