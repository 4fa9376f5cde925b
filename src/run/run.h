// SPDX-License-Identifier: MIT
/* run.h: the workflow in motion. One event loop: executors and signals leave events in a queue,
 * which is drained once a turn; then tasks that ended are settled, new ones are picked, their start
 * is committed to the store, and they are submitted together.
 *
 *     events -> drain -> settle -> pick -> commit -> submit */
#pragma once

#include "run/pick.h"
#include "run/route.h"
#include "run/task.h"

struct remote_options;

struct run_options {
    const char *executor;                /* "local" */
    const struct remote_options *remote; /* remote.h; NULL: all jobs run here */
    int cores, jobs;                     /* 0: no limit */
    int retries;
    double latency_wait; /* seconds */
    double queue_wait;   /* seconds between looks at queues that yield inputs */
    uint32_t rate_jobs;  /* at most so many starts ... */
    int64_t rate_ns;     /* ... within this time; 0: no limit */
    bool keep_going, notemp;
    bool share_copies;    /* of a run that submits jobs: local copies of stored files serve all */
    struct limit *limits; /* --resources */
    uint32_t nlimits;
    const struct fresh_options *fresh; /* for deciding again when a checkpoint has added jobs */
    const struct cut *cut;             /* --until, --omit-from, the same; may be NULL */
    const struct selection *first;     /* --prioritize, the same; NULL: nothing */
    struct task_context task;          /* .g is set by run_jobs */
    /* May be NULL: is told that a checkpoint has added jobs. False after a diagnostic: they are not
     * to run. */
    bool (*grown)(void *user);
    void *grown_user;
    struct route *route; /* where jobs go; NULL: as their resources say */
    /* nothing is run or looked at: the executor only tells times */
    bool simulated;
    int64_t (*now)(const struct executor *executor); /* its clock; NULL: the monotonic one */
    /* May be NULL: is shown the executor before anything is submitted, as simulations want. */
    void (*opened)(void *user, struct executor *executor);
    void *opened_user;
};

struct run_failure {
    const struct task *task;
    const char *why; /* in words; "" for a plain non-zero exit */
    bool final;      /* no attempt is left */
};

/* What the layer above shows. Every member must be set. */
struct run_observer {
    void *user;
    void (*selected)(void *user, uint32_t n);
    void (*started)(void *user, struct task *task);
    /* id: of the scheduler that has it now; log: the file of what it will print, or NULL */
    void (*submitted)(void *user, const struct task *task, const char *id, const char *log);
    void (*finished)(void *user, const struct task *task, uint32_t done, uint32_t total);
    void (*failed)(void *user, const struct run_failure *failure);
    /* a temporary file; why: it is still there */
    void (*removed)(void *user, const char *path, const char *why);
    void (*stopping)(void *user, int signum);   /* 0: because a job failed */
    void (*note)(void *user, const char *text); /* what the executor has to say */
    /* once a turn of the loop; answers whether another one is wanted soon, whatever happens */
    bool (*turn)(void *user, uint32_t running, uint32_t done, uint32_t total);
};

struct run_result {
    uint32_t done, failed, total;
    uint32_t cancelled; /* when it was interrupted */
    bool interrupted;
};

/* Runs every job that must run (fresh_decide). False if any failed or the run was interrupted;
 * diagnostics hold what is not a job's failure. */
bool run_jobs(struct graph *g, const struct run_options *options,
              const struct run_observer *observer, struct run_result *result);
