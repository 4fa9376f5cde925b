// SPDX-License-Identifier: MIT
/* generic_inner.h: the inside of the cluster-generic executor, shared by its files; only they
 * include it.
 *
 *   generic.c         submitting, looking after
 *   generic_cancel.c  cancelling
 *   generic_past.c    the journal; jobs of an earlier run
 *
 * A job's files lie in a directory of its run, .snakemake/tmp.XXXXXX, under its number N: N.claim
 * is made when it begins, N.jobfinished or N.jobfailed when it has ended; N.submitted is what the
 * submit command says: it is there as soon as that is started, and the id in it survives the
 * engine. It is locked as long as the command runs, so that the next run waits for an id that is
 * not there yet. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/pool.h"
#include "exec/exec.h"
#include "exec/past.h"
#include "exec/sidecar.h"
#include "loop/process.h"

enum generic_state {
    QUEUED,     /* waits for its turn, or for what an earlier run has left to be dead */
    SUBMITTING, /* the submit command runs (many simple ones run the job themselves) */
    ACTIVE,     /* submitted; looked after every poll_s */
    CHECKING,   /* the status command runs */
    DOOMED,     /* is to be cancelled; the cancel command is called once at a time */
    CANCELLING, /* the cancel command has its id */
    ENDED,      /* reported; kept until the caller has recorded it */
    PAST,       /* of an earlier run, nobody has asked for it yet */
    AWAITED,    /* somebody has, but its submit command still runs */
};

/* The files of one run. */
struct generic_dir {
    char *path;    /* absolute, owned */
    uint32_t open; /* jobs whose rows have not ended */
};

struct generic_entry {
    struct generic *generic;
    enum generic_state state;
    struct past_job who; /* its folder: "tmp.XXXXXX/N/NAME OF THE SCRIPT" */
    char token[TOKEN_SIZE];
    struct generic_dir *dir;
    uint32_t launch; /* 0: of an earlier run, not adopted */
    char *command;   /* owned: submit command with the script's path */
    /* owned: paths */
    char *script, *finished, *failed, *claim, *submitted;
    char *external;          /* owned: the id, or NULL */
    char *message;           /* owned: why it cannot be submitted, or NULL */
    struct process *process; /* SUBMITTING, CHECKING */
    int64_t start_ns;
    int bad_status; /* useless answers of the status command in a row */
    bool cancelled;
    bool adopted;                    /* submitted by an earlier run */
    bool left;                       /* may still run: its row stays open */
    bool listed;                     /* it is in all */
    TAILQ_ENTRY(generic_entry) link; /* in all */
    TAILQ_ENTRY(generic_entry) turn; /* in to_submit or to_check */
    struct generic_turns *waits_in;  /* one of these, or NULL */
};
TAILQ_HEAD(generic_turns, generic_entry); /* those that wait for a command, in order */

struct generic {
    struct executor base;
    struct loop *loop;
    struct exec_options options;
    struct site site;
    struct past past;
    char run[16];                    /* of this run's tokens */
    struct generic_dir *dir;         /* of this run; NULL: none yet */
    VEC(struct generic_dir *) dirs;  /* owned: this one, and those of earlier runs */
    TAILQ_HEAD(, generic_entry) all; /* in the order of submission; owned */
    struct generic_turns to_submit, to_check;
    bool check_next;                       /* they take turns */
    VEC(struct generic_entry *) by_launch; /* by launch - 1; NULL: none */
    uint32_t running;                      /* submit and status commands */
    uint32_t cancels;                      /* cancel commands that run */
    struct sidecar *sidecar;               /* owned; NULL: none */
    struct timer *poll_timer, *pump_timer, *impatient;
    uint32_t serial; /* of scripts: attempts have their own markers */
};

/* ---- generic.c ---- */
/* Makes sure that the timers run. */
void generic_arm(struct generic *generic);
/* Among those that are looked after, and known by its launch if it has one. */
void generic_list(struct generic_entry *entry);
/* Frees it with all that it owns; it is not found any more. */
void generic_free(struct generic_entry *entry);
/* The id in what the submit command has said, owned; NULL: none. */
char *generic_id_in(const char *path);
/* Reports that the job has been submitted, and, as no more will be heard, that it has started. */
void generic_report_submitted(struct generic_entry *entry);
/* Whether the script has left word of its end. */
bool generic_has_ended(const struct generic_entry *entry);
/* A new file for what the submit command says, locked for as long as it is open; -1 with errno. */
int generic_open_submitted(const struct generic_entry *entry);
/* The job of a launch; NULL: none. */
struct generic_entry *generic_entry_of(const struct generic *generic, uint32_t launch);
/* What the site's commands find in their environment; in arena memory. */
const char *const *generic_environment(struct generic *generic, struct arena *in);
/* Reports the end of a job, which is looked after no more; of one of an earlier run for which
 * nobody waits, forgets it. */
void generic_report(struct generic_entry *entry, enum exec_event_kind kind, int status,
                    const char *message);

/* ---- generic_cancel.c ---- */
/* As struct executor_kind asks for it. */
void generic_cancel(struct executor *executor, const uint32_t *launches, uint32_t n, bool force);
/* Has the jobs that are DOOMED cancelled. */
void generic_cancel_doomed(struct generic *generic);
/* Has a job cancelled that was given up before its id was known. False: it was not, or the site
 * cannot. */
bool generic_cancel_late(struct generic_entry *entry);

/* ---- generic_past.c ---- */
/* Sets where the files of a job are, and its token: by its folder and the directory of its run. */
void generic_set_paths(struct generic_entry *entry);
/* Its end has been recorded, or nobody wants to know: it is forgotten, unless it is left behind. */
void generic_settle(struct generic_entry *entry);
/* The past of a new executor; reads the journal. */
void generic_remember(struct generic *generic);
/* past_adopt, as struct executor_kind asks for it. */
bool generic_adopt(struct executor *executor, const struct launch *launch, struct adopted *adopted);
/* Whether the submit command that an earlier run has started still runs, and neither it has told
 * the id yet nor the job its end. */
bool generic_is_under_way(const struct generic_entry *entry);
/* Whether what is known of a job of an earlier run is of use: it has ended, or can be followed. */
bool generic_is_usable(const struct generic_entry *entry);
/* past_orphans, the same. */
uint32_t generic_orphans(struct executor *executor, bool (*is_known)(void *user, const char *key),
                         void *user, bool cancel);
/* Keeps a job from beginning, as long as the directory of its run is there: its claim stays. False:
 * it has begun. */
bool generic_revoke(struct generic_entry *entry);
/* Ends a job of an earlier run for which nobody waits. */
void generic_supersede(struct generic_entry *entry);
/* The caller has adopted a job and cannot follow it: it ends like one that is superseded. */
void generic_give_back(struct generic_entry *entry);
/* Frees what nobody has asked for, and removes the directories of runs of which nothing is left. */
void generic_close_past(struct generic *generic);
