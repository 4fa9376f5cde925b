// SPDX-License-Identifier: MIT
/* route.h: where the jobs of a run go while it goes on: which account and device each job gets when
 * it starts, and to which account it is moved while it still waits. What is decided is decided by
 * pure functions of src/hpc; here their numbers are kept. It runs the same on a cluster and in a
 * simulation: time and looks at the accounts come from outside.
 *
 *     route_place -> executor -> route_heard (waits, starts, ends)
 *                             -> route_turn: look, then move */
#pragma once

#include "base/words.h"
#include "exec/exec.h"
#include "hpc/accounts.h"
#include "hpc/pools.h"
#include "run/task.h"

struct route;

/* How much longer CPUs take, while nothing is known of a rule that has no resource cpu_factor: 16
 * cores beside an H200, for a cycle from raw tiles to images in focus (docs/benchmarks.md). By how
 * much a job's limit of time grows there: with more, partitions refuse it. Both are what the config
 * says if it says anything. */
enum { ROUTE_CPU_FACTOR = 17, ROUTE_CPU_LIMIT = 5 };

/* An account that may be used, in order of preference. */
struct route_account {
    const char *name;
    const char *partition[DEVICES]; /* NULL: as the job says */
    int64_t slots[DEVICES];         /* as configured; -1: what its limits give */
};

struct route_options {
    const struct route_account *accounts; /* borrowed */
    uint32_t naccounts;
    /* the workflow lists them: its jobs may be moved among them. Else a job that names its account
     * stays there. */
    bool listed;
    const struct words *gone; /* accounts that Slurm would refuse: jobs that name one are as if they
                               * said auto; NULL: none */
    /* what they have and what is used; looks fill it anew; NULL: not known */
    struct accounts *now;
    bool live;         /* account: auto goes by what is free, else by all slots */
    bool moves;        /* waiting jobs are moved */
    bool cpus_too;     /* device: auto may be a CPU */
    double cpu_factor; /* 0: ROUTE_CPU_FACTOR and ROUTE_CPU_LIMIT */
    int64_t look_ns, patience_ns, settle_ns; /* 0: 30 s, 60 s, 300 s */
    /* Brings .now up to date, then calls done(arg), now or later from the loop. NULL: no looks. */
    void (*look)(void *user, struct loop *loop, void (*done)(void *arg), void *arg);
    void (*stop)(void *user); /* done is not to be called any more; NULL: it never comes late */
    void (*moved)(void *user, const char *job, const char *from, const char *to,
                  const char *reason);
    void *user;
};

/* Options are kept by reference. */
struct route *route_new(struct intern *names, const struct route_options *options);
void route_free(struct route *route);

/* How long jobs of a rule took on a device before this run, on average. */
void route_know(struct route *route, const char *rule, enum device device, double seconds);

/* The run is there. */
void route_open(struct route *route, struct loop *loop, struct executor *executor);
void route_close(struct route *route);

/* Before the command of a job is made: fills in account "auto" and device "auto", with all that
 * follows from them (partition, gres, memory, time). */
void route_place(struct route *route, struct task *task, uint32_t launch, int64_t now_ns);
/* Something has become of a launch. */
void route_heard(struct route *route, const struct exec_event *event, int64_t now_ns);
/* A launch is over; one of which no end was heard was never submitted. */
void route_gone(struct route *route, uint32_t launch, int64_t now_ns);
/* Once a turn: looks and moves if it is time. */
void route_turn(struct route *route, int64_t now_ns);

/* How much longer a launch is assumed to take on CPUs than on a GPU if one of both is known. */
double route_cpu_factor(const struct route *route, uint32_t launch);
/* How many jobs were moved. */
uint32_t route_moved(const struct route *route);
/* What a launch asks for, all its nodes and tasks together; NULL: it was not placed. Until the next
 * is placed. */
const struct tres *route_request(const struct route *route, uint32_t launch);
