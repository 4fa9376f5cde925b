// SPDX-License-Identifier: MIT
/* exec.h: ways to carry out jobs. An executor sees launches (text, directory, environment,
 * resources), never jobs, and reports what becomes of them as events, on the loop's thread.
 *
 *     struct exec_options options = {.on_event = on_event, .user = run};
 *     struct executor *ex = executor_open("local", loop, &options);
 *     executor_submit(ex, &launch, 1);
 *     ... EXEC_STARTED, then EXEC_ENDED arrive at on_event ...
 *     executor_close(ex);
 *
 * To add one: exec/NAME.c with a struct executor_kind, and a row in exec.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/usage.h"
#include "loop/loop.h"

struct slurm_partitions; /* slurm_partition.h */

/* One thing to run. All pointers are borrowed for the call of submit only. */
struct launch {
    uint32_t id;       /* the caller's number, in events */
    const char *name;  /* for people and job lists: "stitch:cycle=01" */
    const char *shell; /* shell text, run by bash -c (whole: prefix included); or NULL: */
    /* of a submitted one: runs before it, and instead of it where that fails; or NULL */
    const char *precommand;
    const char *program;     /* the shell that runs it; NULL: bash, or sh where there is none */
    const char *const *argv; /* a program, NULL-terminated */
    const char *cwd;         /* NULL: the current directory */
    const char *const *env;  /* "K=V" added to the environment, NULL-terminated; may be NULL */
    /* of a submitted one: made where it runs; NULL: $TMPDIR of that machine */
    const char *tmpdir;
    bool look;     /* its use of memory is looked at while it runs */
    bool together; /* of a local one: others run at the same time and may wait for it */
    int cores;
    int64_t mem_mb;                         /* 0: not stated */
    int64_t runtime_min;                    /* 0: not stated */
    const struct launch_resource *resource; /* all others: slurm_account, gres, ... */
    uint32_t nresource;
    /* Of a site's own submit command; NULL for other executors. */
    const char *submit;      /* the command, to which the path of the job script is added */
    const char *script_name; /* file name of the job script */
    const char *properties;  /* JSON about the job, for the script's second line */
    /* Of submitted ones that a later run can take up; NULL or 0 for other executors. */
    const char *const *keys; /* which jobs it is, the same in every run; NULL-terminated */
    const char *fingerprint; /* of code, params and inputs */
    int64_t newest_ns; /* when the last of its inputs and scripts has changed; 0: it has none */
    const char *memo;  /* given back with a job of an earlier run */
    int attempt;       /* 1.. */
    /* Of Slurm; NULL or 0 for other executors. */
    const char *folder;         /* of its logs, below the log directory: "stitch/cycle=01" */
    const char *comment;        /* shown by Slurm: "rule_stitch_wildcards_cycle=01" */
    const char *place;          /* where its rule stands: "Snakefile:12" */
    const char *const *outputs; /* removed before Slurm starts it once more; NULL-terminated */
    const char *const *sbatch;  /* options in its own #SBATCH lines */
    uint32_t nsbatch;
    bool steps; /* it runs srun: that is what signals are for */
};
struct launch_resource {
    const char *name, *text;
    bool is_default; /* not said by the rule */
};

enum exec_event_kind {
    EXEC_SUBMITTED, /* external_id, if known */
    EXEC_STARTED,
    EXEC_ENDED,    /* status, signal, times */
    EXEC_LOST,     /* nobody knows what became of it: an infrastructure failure; message */
    EXEC_MEASURED, /* of a job that has ended: external_id, max_rss_kb; launch is 0 */
    EXEC_NOTE,     /* something to be shown: message; launch is 0 */
    EXEC_WAITING,  /* it waits; message: Slurm's word for why */
    EXEC_MOVED,    /* it waits elsewhere now; message: the account */
};
struct exec_event {
    enum exec_event_kind kind;
    uint32_t launch;
    int status; /* exit status; -1 with a signal, or where the command has said none */
    int signal;
    int64_t start_ns, end_ns; /* wall clock, which may be set between them */
    int64_t took_ns;          /* whatever is done to that clock; 0: not known */
    double user_s, system_s;
    int64_t max_rss_kb;
    struct usage usage;      /* of launches that wanted to be looked at */
    const char *external_id; /* Slurm job id; NULL locally; valid during the callback */
    const char *host;        /* where it ran, or NULL */
    const char *message;     /* what went wrong in words, or NULL */
    /* what it prints; of one that ended well: kept until it is settled; or NULL */
    const char *log;
    bool blameless; /* a failure that is not the job's: its node broke, it was preempted */
    bool left;      /* given up at the second signal, and may still run */
};

/* What cluster-generic needs to know of the site; its texts are borrowed until close. */
struct site {
    /* prints running, success or failed for an id; NULL: marker files tell */
    const char *status;
    const char *cancel;    /* takes ids; NULL: jobs cannot be cancelled */
    const char *jobscript; /* its text with {properties} and {exec_job}; NULL: the usual one */
    uint32_t cancel_ids;   /* that it takes in one call; 0: all */
    const char *sidecar;   /* runs beside the engine (sidecar.h); NULL: none */
    double poll_s;         /* between two looks */
    bool detached;         /* a job counts as ended once it is submitted, its script stays */
};

/* What the Slurm executors need to know; texts are borrowed until close. */
struct slurm_options {
    const char *logdir;            /* absolute; NULL: .snakemake/slurm_logs */
    const char *qos, *reservation; /* of all jobs; NULL: as their resources say */
    bool no_account;               /* slurm_account is not passed on */
    bool requeue;                  /* Slurm may start a job again by itself */
    bool keep_logs;                /* also of jobs that ended well */
    const char *exclude;           /* "n1,n2": nodes to avoid, besides those that failed; or NULL */
    int old_logs_days;             /* older ones are removed; 0: none */
    uint32_t array_min, array_max; /* jobs to make an array of; array_min 0: none */
    const char *const *array_rules; /* only of these; NULL: of all */
    double poll_s;                  /* between two looks; 0: adapts */
    /* to choose from for jobs that name none; NULL: Slurm chooses */
    const struct slurm_partitions *partitions;
    /* of the pool: */
    uint32_t pool_size;
    const char *const *pool_resources; /* of an allocation: "NAME=VALUE", NULL-terminated */
    int pool_idle_s;                   /* an allocation without work is given back after that */
    const char *const *pool_srun;      /* further options of srun, NULL-terminated; may be NULL */
};

/* A batch of jobs that was submitted, as it stands in the journal. */
struct exec_submission {
    const char *token; /* tells this submission from all others; in Slurm, its job name */
    const char *account, *jobs, *external_id, *status; /* NULL: as before */
    int64_t time_ns;
};
/* Where submissions are written down before they are made. Functions return false when the disk
 * fails. */
struct exec_journal {
    void *user;
    bool (*add)(void *user, const struct exec_submission *submission);
    bool (*set)(void *user, const struct exec_submission *submission);
    bool (*flush)(void *user); /* all of it is on disk then */
    /* Those that have not ended, oldest first. */
    void (*each)(void *user, void (*visit)(void *to, const struct exec_submission *submission),
                 void *to);
};

struct exec_options {
    void (*on_event)(void *user, const struct exec_event *event);
    void *user;
    int64_t (*now)(void *user);         /* fake executor: its clock; NULL: the real one */
    const struct site *site;            /* cluster-generic */
    const struct slurm_options *slurm;  /* slurm, pool */
    const struct exec_journal *journal; /* of those that submit jobs; NULL: none */
};

/* Where a waiting job is to go; NULL: as before. */
struct exec_place {
    const char *account, *qos, *partition;
};

struct executor; /* an open executor */

/* A job that an earlier run has submitted and that goes on as this run's. */
struct adopted {
    int attempt;
    const char *memo; /* of its launch; borrowed until the next call */
};

struct executor_kind {
    const char *name;
    bool local;    /* uses this machine's cores */
    bool internal; /* not for people: tests and simulate open it */
    struct executor *(*open)(struct loop *loop, const struct exec_options *options);
    void (*submit)(struct executor *executor, const struct launch *launches, uint32_t n);
    /* force: SIGKILL */
    void (*cancel)(struct executor *executor, const uint32_t *launches, uint32_t n, bool force);
    void (*poll)(struct executor *executor); /* NULL: it needs none */
    void (*close)(struct executor *executor);
    /* NULL: it does not care */
    void (*settled)(struct executor *executor, uint32_t launch, bool good);
    /* Jobs of an earlier run; NULL: it leaves none behind. */
    bool (*adopt)(struct executor *executor, const struct launch *launch, struct adopted *adopted);
    uint32_t (*orphans)(struct executor *executor, bool (*is_known)(void *user, const char *key),
                        void *user, bool cancel);
    /* NULL: it cannot */
    void (*move)(struct executor *executor, uint32_t launch, const struct exec_place *place);
};
struct executor {
    const struct executor_kind *kind;
};

/* NULL if there is no executor of that name. */
const struct executor_kind *executor_kind(const char *name);
/* The executor of that name, the caller's; NULL if there is none. The options are copied, what they
 * point to is borrowed. */
struct executor *executor_open(const char *name, struct loop *loop,
                               const struct exec_options *options);
/* Starts launches, or submits them; they and their texts are borrowed during the call. How it went
 * is told by events: each launch ends with one EXEC_ENDED or EXEC_LOST, and what cannot be started
 * ends so too. */
void executor_submit(struct executor *executor, const struct launch *launches, uint32_t n);
/* Asks launches to end (SIGTERM or the like), force: at once; their ends come as events. Those it
 * does not know are passed over. */
void executor_cancel(struct executor *executor, const uint32_t *launches, uint32_t n, bool force);
/* No events come any more. What runs on this machine is killed, what was submitted to a site goes
 * on. */
void executor_close(struct executor *executor);
/* The caller has recorded how a launch ended: it is forgotten with the next commit, not before; if
 * good, its outputs were there, and its log is of no use any more. */
void executor_settled(struct executor *executor, uint32_t launch, bool good);
/* Whether an earlier run has submitted the job already (its keys, fingerprint and id are looked
 * at): events come as if it had been submitted now. Not if an input has changed since: then it is
 * stopped before submit starts the new one. */
bool executor_adopt(struct executor *executor, const struct launch *launch,
                    struct adopted *adopted);
/* Notes jobs of an earlier run none of whose keys is known, and cancels them if it is to. How many
 * there are. */
uint32_t executor_orphans(struct executor *executor, bool (*is_known)(void *user, const char *key),
                          void *user, bool cancel);
/* Asks for a job that waits to be moved; EXEC_MOVED tells that it was. It may have started
 * meanwhile: then nothing comes. */
void executor_move(struct executor *executor, uint32_t launch, const struct exec_place *place);
/* For executors: says something to whom the options name (EXEC_NOTE). */
void exec_note(const struct exec_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Names of the executors, for messages: "local, slurm"; internal ones are not told. */
const char *executor_names(void);
/* The one whose name a mistyped one may mean; NULL if none is close. */
const char *executor_nearest(const char *name);
