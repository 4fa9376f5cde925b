// SPDX-License-Identifier: MIT
/* run_inner.h: the inside of a run, shared by run.c (events and starts), ends.c (how tasks end),
 * carry.c (what is fetched and stored) and growth.c; only these include it. */
#pragma once

#include "graph/ready.h"
#include "run/crew.h"
#include "run/growth.h"
#include "run/remote.h"
#include "run/run.h"
#include "run/temp.h"

enum { SETTLE_MS = 100 };      /* how often outputs are looked for that are not visible yet */
enum { RENEW_NS = 500000000 }; /* and how often the file system is to look anew */

struct run {
    struct graph *g;
    const struct run_options *options;
    const struct run_observer *observer;
    struct run_result *result;
    struct task_context context;
    struct loop *loop;
    struct executor *executor;
    struct signal_watch *on_int, *on_term, *on_hangup;
    struct timer *settle_timer;
    struct timer *flush_timer; /* armed while the store holds changes that wait */
    struct timer *rate_timer;  /* armed while starts wait for the rate */
    struct timer *turn_timer;  /* armed while the observer wants another turn */
    struct picker picker;
    bool is_remote; /* jobs are submitted; then: */
    struct remote remote;
    struct executor *here; /* for those that stay */
    struct picker here_picker;
    VEC(struct launch) here_launches;
    uint32_t *chains; /* owned; graph_chains */
    struct ready ready;
    struct crew crew;
    uint32_t ready_taken; /* of ready.queue: already given to the picker */
    struct temps temps;
    VEC(struct exec_event) events; /* of this turn; strings live in their task's scratch */
    VEC(struct task *) active;     /* by launch id - 1; NULL: free */
    VEC(uint32_t) free_ids;        /* of active */
    uint32_t nactive;
    VEC(uint32_t) settling;   /* launches whose bodies ended well; some are judged already */
    VEC(struct task *) batch; /* picked in this round */
    /* their service is not there yet, or what they made earlier is still in a storage */
    VEC(struct launch) held;
    VEC(uint32_t) fetching;      /* launches whose inputs come from a storage */
    struct transfers *transfers; /* NULL: nothing lives in a storage */
    VEC(struct launch) launches; /* prepared, to be submitted at the end of the turn */
    VEC(int64_t) starts;         /* when the last rate_jobs jobs started, as a ring */
    uint32_t nstarts;
    struct exec_journal journal; /* of submissions */
    uint32_t past;               /* of them, those that earlier runs have left open */
    uint8_t *blameless;          /* by job: failures that were not its own; NULL: none yet */
    uint32_t nblameless;         /* room there */
    struct growth growth;
    bool stopping; /* nothing new is started */
    bool left;     /* jobs that were given up may still run */
    bool over;     /* nothing is left to be waited for */
    int signals;   /* received */
};

/* The time by the clock of the executor. */
int64_t run_now(const struct run *run);
/* The body of a task has ended well: its outputs are to be looked at. */
void run_begin_settling(struct run *run, uint32_t launch);
/* A launch id for a task. */
uint32_t run_activate(struct run *run, struct task *task);
/* The launch of a job's task; 0: it has none now. */
uint32_t run_launch_of(const struct run *run, job_id job);
/* Nothing new is started from now on; signum 0: because a job failed. */
void run_stop(struct run *run, int signum);
/* A task has ended well, or not; its launch id is free then. */
void run_finish(struct run *run, uint32_t launch);
void run_fail(struct run *run, uint32_t launch);
/* A task that has not begun is not to start any more: that is no failure. */
void run_forgo(struct run *run, uint32_t launch);
/* The outputs of a task are where they belong: it ends, well or not. */
void run_end_stored(struct run *run, uint32_t launch);
/* Looks at the outputs of a task whose process ended well; the other at those of all such tasks. */
void run_settle(struct run *run, uint32_t launch);
void run_settle_all(struct run *run);
void run_on_settle_timer(void *user);
/* Removes a temporary file that has served. */
void run_remove_temp(void *user, file_id file);

/* carry.c. Has what a task reads fetched; what it is about to make anew removed from its storage;
 * task->pending counts. */
void run_fetch(struct run *run, uint32_t launch);
void run_remove_old(struct run *run, uint32_t launch);
/* Has what a task has made stored; it is STORING then. False: there is nothing to be stored. */
bool run_store(struct run *run, uint32_t launch);
/* A task waits no longer for what is carried for it. */
void run_leave(struct run *run, uint32_t launch);
/* A part of a task has failed: its logs are stored; and if it was STORING, what is in a storage of
 * its outputs goes. */
void run_discard_stored(struct run *run, struct task *part, bool storing);
/* Removes a file from its storage. False: it is in none. */
bool run_remove_copy(struct run *run, file_id file);
/* Notes what has been carried: tasks that were STORING end. */
void run_note_carried(struct run *run);
