// SPDX-License-Identifier: MIT
/* exec.h: ways to carry out jobs. An executor sees launches (text, directory, environment, resources), never jobs, and
 * reports what becomes of them as events, on the loop's thread.
 *
 *     struct executor *ex = executor_open("local", loop, &(struct exec_options){.on_event = on_event, .user = run});
 *     executor_submit(ex, &launch, 1);
 *     ... EXEC_STARTED, then EXEC_ENDED arrive at on_event ...
 *     executor_close(ex);
 *
 * To add one: exec/NAME.c with a struct executor_kind, and a row in exec.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/loop.h"

/* One thing to run. All pointers are borrowed for the call of submit only. */
struct launch {
    uint32_t id;             /* the caller's number, in events */
    const char *name;        /* for people and job lists: "stitch:cycle=01" */
    const char *shell;       /* shell text, run by bash -c (whole: prefix included); or NULL: */
    const char *program;     /* the shell that runs it; NULL: bash, or sh where there is none */
    const char *const *argv; /* a program, NULL-terminated */
    const char *cwd;         /* NULL: the current directory */
    const char *const *env;  /* "K=V" added to the environment, NULL-terminated; may be NULL */
    int cores;
    int64_t mem_mb;          /* 0: not stated */
    int64_t runtime_min;     /* 0: not stated */
    const struct launch_resource *resource; /* all others: slurm_account, gres, ... */
    uint32_t nresource;
    /* Of a site's own submit command; NULL for other executors. */
    const char *submit;      /* the command, to which the path of the job script is added */
    const char *script_name; /* file name of the job script */
    const char *properties;  /* JSON about the job, for the script's second line */
};
struct launch_resource {
    const char *name, *text;
};

enum exec_event_kind {
    EXEC_SUBMITTED, /* external_id is known */
    EXEC_STARTED,
    EXEC_ENDED,     /* status, signal, times */
    EXEC_LOST,      /* nobody knows what became of it: an infrastructure failure; message */
};
struct exec_event {
    enum exec_event_kind kind;
    uint32_t launch;
    int status;              /* exit status; -1 with a signal */
    int signal;
    int64_t start_ns, end_ns; /* wall clock */
    double user_s, system_s;
    int64_t max_rss_kb;
    const char *external_id; /* Slurm job id; NULL locally; valid during the callback */
    const char *host;        /* where it ran, or NULL */
    const char *message;     /* what went wrong in words, or NULL */
};

/* What cluster-generic needs to know of the site; its texts are borrowed until close. */
struct site {
    const char *status;    /* prints running, success or failed for an id; NULL: marker files tell */
    const char *cancel;    /* takes ids; NULL: jobs cannot be cancelled */
    const char *jobscript; /* its text with {properties} and {exec_job}; NULL: the usual one */
    double poll_s;         /* between two looks */
    bool detached;         /* a job counts as ended once it is submitted, its script stays */
};

struct exec_options {
    void (*on_event)(void *user, const struct exec_event *event);
    void *user;
    int64_t (*now)(void *user); /* fake executor: its clock; NULL: the real one */
    const struct site *site;    /* cluster-generic */
};

struct executor; /* an open executor */

struct executor_kind {
    const char *name;
    bool local;              /* uses this machine's cores */
    struct executor *(*open)(struct loop *loop, const struct exec_options *options);
    void (*submit)(struct executor *executor, const struct launch *launches, uint32_t n);
    void (*cancel)(struct executor *executor, const uint32_t *launches, uint32_t n, bool force); /* force: SIGKILL */
    void (*poll)(struct executor *executor); /* NULL: it needs none */
    void (*close)(struct executor *executor);
};
struct executor {
    const struct executor_kind *kind;
};

/* NULL if there is no executor of that name. */
const struct executor_kind *executor_kind(const char *name);
struct executor *executor_open(const char *name, struct loop *loop, const struct exec_options *options);
void executor_submit(struct executor *executor, const struct launch *launches, uint32_t n);
void executor_cancel(struct executor *executor, const uint32_t *launches, uint32_t n, bool force);
void executor_close(struct executor *executor);
/* Names of all executors, for messages: "local, fake". */
const char *executor_names(void);
