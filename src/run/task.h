// SPDX-License-Identifier: MIT
/* task.h: one attempt at one job, and what was evaluated for it. What it runs is task_body.h, its
 * files before and after that task_files.h.
 *
 *   WAITING    evaluated, does not fit beside what runs now
 *   FETCHING   its inputs come from a storage
 *   SUBMITTED  handed to the executor
 *   RUNNING    the executor says so
 *   SETTLING   ended well; some outputs are not visible yet (network file systems)
 *   STORING    its outputs go into a storage
 *   DONE, FAILED */
#pragma once

#include "base/buf.h"
#include "exec/exec.h"
#include "flow/software.h"
#include "graph/fresh.h"
#include "state/record.h"

enum task_state {
    TASK_WAITING,
    TASK_FETCHING,
    TASK_SUBMITTED,
    TASK_RUNNING,
    TASK_SETTLING,
    TASK_STORING,
    TASK_DONE,
    TASK_FAILED
};

/* What can happen to a task until its outputs are looked at, or stored; ends.c ends it. */
enum task_event {
    TASK_ON_FETCH,
    TASK_ON_SUBMIT,
    TASK_ON_START,
    TASK_ON_SUCCESS, /* the process ended with 0 */
    TASK_ON_FAILURE, /* it did not, or could not be started or prepared */
    TASK_ON_STORE,   /* all outputs are there and as declared, and are to be stored */
};
/* The state after an event; one that means nothing in the state leaves it as it is. */
enum task_state task_next(enum task_state state, enum task_event event);

struct task {
    job_id job;
    uint8_t state; /* enum task_state */
    bool settling; /* it is among run->settling */
    bool parked;   /* settled; it counts when the jobs that pipes tie it to have ended well, too */
    bool broken_off;  /* by a signal to the engine, or as one of its gang has failed */
    bool half_stored; /* broken off: some of its outputs may be half made in a storage */
    bool not_carried; /* something that it waited for could not be; why says what */
    uint32_t pending; /* files that are carried for it */
    bool stopped;     /* a service that was ended because nobody needs it any more */
    /* the next task that must start with this one, or NULL; owned until taken */
    struct task *gang;
    /* what the picker has taken for it: its resources may change when it is placed. By limit; in
     * scratch */
    int cores_held;
    int64_t *held;
    bool begun;           /* old outputs may be gone: a failure discards what is there */
    int attempt;          /* 1.. */
    struct arena scratch; /* all that was evaluated */
    struct job_files inputs;
    struct job_eval eval;      /* outputs, logs, threads, resources */
    struct job_record record;  /* what the store will know; set by task_prepare */
    const char *command;       /* shell text as run, or NULL */
    const char *source;        /* the script, notebook or wrapper as its rule names it, or NULL */
    struct software_wrap wrap; /* how its commands run; set by task_prepare */
    const char *cache_key;     /* under which the outputs are to be cached, or NULL */
    const char *shadow;        /* absolute path of its shadow directory, or NULL */
    const char *remains;       /* what is to be said of a shadow directory that stays, or NULL */
    const char *script[2];     /* generated files to remove afterwards, or NULL */
    int64_t start_ns, end_ns;  /* wall clock */
    int64_t deadline_ns;       /* SETTLING: monotonic */
    int64_t renew_ns;          /* SETTLING: when outputs are looked for anew; monotonic */
    struct exec_event *runs;   /* with a benchmark: how its body ended each time; in scratch */
    uint32_t nruns;
    struct exec_event end; /* how the process ended; its strings are copied into scratch */
    struct buf why;        /* for a failure: what is wrong, in words */
    struct buf removed;    /* for a failure: outputs that were there, in words */
    bool submitted;        /* to a site's scheduler */
    bool local;            /* of a run that submits jobs: this one stays here */
    bool in_group;         /* it is a part of a group; outputs on its node need not be here */
    bool touched;          /* nothing runs, outputs that are there are made new: none need be */
    uint32_t layer;        /* parts of a group: those of a layer run side by side */
    struct task **part;    /* a group: its jobs, makers before users; owned */
    uint32_t nparts;
    sym_t group; /* a group: its name */
    const char *group_id;
};

/* The jobs of a group one by one; of any other task it is the only part itself. */
static inline uint32_t task_parts(const struct task *task)
{
    return task->nparts ? task->nparts : 1;
}
static inline struct task *task_part(const struct task *task, uint32_t i)
{
    return task->nparts ? task->part[i] : (struct task *)task;
}

/* Evaluates threads and resources of a job; NULL after diagnostics. cores caps threads (0: no
 * cap). */
struct task *task_new(struct graph *g, job_id job, int attempt, int cores);
/* Frees a task with its parts and those of its gang; NULL is fine. */
void task_free(struct task *task);

/* What the run as a whole decides for all tasks. */
struct copies;
struct task_context {
    struct graph *g;
    struct state *state; /* NULL: no records */
    const char *self;    /* this program, for run: blocks */
    /* options to give a child that runs a run: block; NULL-terminated */
    const char *const *run_args;
    const char *started_in;     /* the directory in which those options hold */
    struct deploy *deploy;      /* makes the software of jobs */
    const char *cache_dir;      /* --cache: where results are shared; or NULL */
    const rule_id *cache_rules; /* 0-terminated: those of --cache */
    struct copies *copies;      /* of files in a storage; NULL: there are none */
    const char *litter;         /* where what tasks make for a while is noted: litter.h */
    const char *shadow_prefix;  /* where shadow directories are made; NULL: .snakemake */
    const char *edit_notebook;  /* "IP:PORT": notebooks are opened there for editing; or NULL */
    int64_t max_checksum_size;
    bool benchmark_extended;
    bool drop_records; /* of outputs: what was known of them before stays */
    bool keep_incomplete, skip_script_cleanup, notemp;
    bool steps; /* jobs of a group run as Slurm steps in its allocation */
};

/* Fills what a launch asks for: its cores, resources, memory and time. The resources, in the arena,
 * are returned too, to be completed. */
struct launch_resource *task_request(const struct job_eval *eval, struct arena *in,
                                     struct launch *launch);
/* Puts what an evaluation for the task (its own, or that of another job) raised into task->why,
 * with its kind and place. False. */
bool task_raised(struct task *task, struct job_eval *eval);
