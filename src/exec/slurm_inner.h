// SPDX-License-Identifier: MIT
/* slurm_inner.h: the inside of the slurm executor, shared by its files; only they include it.
 *
 *   slurm.c         opening, jobs, events, closing
 *   slurm_call.c    one call of a Slurm command
 *   slurm_submit.c  waiting jobs -> batches -> journal -> sbatch
 *   slurm_limit.c   the limit of submitted jobs
 *   slurm_log.c     where jobs write what they print
 *   slurm_track.c   done files and squeue -> how jobs are
 *   slurm_ends.c    what is said of a job that has ended
 *   slurm_past.c    jobs of an earlier run
 *   slurm_move.c    waiting jobs to another account
 *   slurm_measure.c what jobs that ended well have used
 *   slurm_quota.c   jobs that wait for ever
 *   slurm_stop.c    scancel
 *
 * A job's way:
 *     WAITING (in no batch) -> SUBMITTING (in a batch; the journal knows it) -> LIVE (Slurm has it)
 *     -> ENDED (reported) -> freed when the caller has recorded it.
 * Of an earlier run: LIVE or ENDED, with launch 0 until adopted. */
#pragma once

#include "base/map.h"
#include "base/pool.h"
#include "base/words.h"
#include "exec/exec.h"
#include "exec/past.h"
#include "exec/slurm_script.h"
#include "exec/slurm_text.h"
#include "loop/process.h"

enum {
    TICK_MS = 250,  /* between two looks at the done files */
    GATHER_MS = 50, /* ready jobs are gathered so long before they are submitted */
    MANY = 50,
    GATHER_MANY_MS = 1000, /* and so long while so many are with Slurm */
    SBATCH_AT_ONCE = 2,    /* more bring nothing */
    SBATCH_MS = 150000,
    QUERY_MS = 60000,
    LATE_MS = 20000, /* then it is told that a command does not answer */
    CANCEL_MS = 60000,
    FENCE_NS_S = 12,  /* a job that has lost its claim is dead after so many seconds */
    CANCEL_IDS = 500, /* per call of scancel */
    NAME_SIZE = 100,  /* of a job's id with its cluster */
};

enum slurm_stage { STAGE_WAITING, STAGE_SUBMITTING, STAGE_LIVE, STAGE_ENDED };

struct slurm;
struct slurm_batch;
struct cancel;
struct quota;

struct slurm_job {
    struct slurm *slurm;
    struct slurm_batch *batch; /* NULL: waits to be submitted */
    uint32_t index;            /* in the batch */
    uint32_t launch;           /* 0: of an earlier run, not adopted */
    enum slurm_stage stage;
    struct past_job who; /* its folder is that of its logs */
    char *place;         /* owned, for messages */
    /* what is submitted; owned, NULL once it has been */
    char *element, *request; /* its text; the options of sbatch, each ended by '\n' */
    char *comment;
    char *body;           /* path of its command where that is too long for an argument; or NULL */
    char *output, *error; /* patterns of its own log files (#SBATCH), or NULL */
    char *account;
    bool steps;    /* its work is in Slurm steps */
    bool single;   /* must not be part of an array */
    char *message; /* owned: why it cannot be submitted, or how it ended */
    char *log;     /* owned: the pattern of where its log is */
    /* what Slurm says */
    struct slurm_row row;    /* as last seen */
    int64_t start_ns;        /* wall clock; 0: has not started */
    int64_t missing_ns;      /* monotonic: since when Slurm does not show it; 0: it does */
    int missing_polls;       /* so many have not shown it */
    int unaccounted;         /* answers of sacct that did not know it meanwhile */
    int64_t waits_ns;        /* monotonic: since when it waits for the same reason */
    int64_t fence_ns;        /* monotonic: its end may be reported then; 0: not fenced */
    int ends_seen;           /* polls that saw its end */
    int64_t end_seen_ns;     /* monotonic: the first of them */
    bool started, told_wait; /* STARTED, or why it waits, has been reported */
    bool has_done;
    struct slurm_done done;
    bool never_began; /* it has ended without its script having begun */
    int asks;         /* questions to sacct about its end */
    bool asked;       /* there will be no more */
    int64_t max_rss_kb;
    bool cancelled;  /* by us */
    bool cancel_due; /* scancel is still to be told */
    bool displaced;  /* cancelled while it waited, to be submitted to another account */
    bool doomed;     /* can never start: message says why */
};

struct slurm_batch {
    struct slurm *slurm;
    uint32_t number; /* in slurm->batches */
    char token[TOKEN_SIZE];
    uint32_t job;            /* Slurm's id; 0: not known */
    char cluster[64];        /* another than this one, or that it is to go to; "": here */
    struct slurm_job **jobs; /* owned, by index; NULL: settled and freed */
    uint32_t n, open;        /* jobs, and those not settled */
    bool is_array;
    bool submitted;          /* nothing of it is to be sent: Slurm has it, or it came to nothing */
    bool in_file;            /* what its jobs run is in jobs/TOKEN, not in the script for sbatch */
    uint64_t request;        /* hash of what its jobs ask for; 0: of an earlier run */
    char rest[32];           /* how those ended that had not begun and have no row; "": live */
    int64_t rest_ns;         /* when it was first seen */
    bool ambiguous;          /* sbatch may have submitted it */
    int absent;              /* polls that did not show it since */
    int64_t ambiguous_ns;    /* monotonic */
    int64_t time_ns;         /* wall clock, before sbatch */
    struct process *process; /* sbatch */
};

struct slurm {
    struct executor base;
    struct loop *loop;
    struct exec_options options;
    struct slurm_options how;
    struct past past;             /* the journal, and jobs of earlier runs */
    char *workdir, *dir, *logdir; /* owned, absolute; dir: .snakemake/slurm */
    char run[16];                 /* of this run's tokens */
    uint32_t serial;
    VEC(struct slurm_job *) waiting;    /* owned until in a batch */
    POOL(struct slurm_batch *) batches; /* owned; NULL: ended */
    VEC(uint32_t) unsent;               /* batches to be submitted, in order; from sent on */
    uint32_t sent;
    struct map by_job;             /* Slurm's id and cluster (slurm_key) -> batch */
    char cluster[64];              /* the name of this one; "": not known */
    struct map by_token;           /* hash -> batch */
    struct map by_launch;          /* launch -> place in known */
    VEC(struct slurm_job *) known; /* NULL: free */
    uint32_t sending;              /* sbatch running */
    int mute;      /* how often sbatch has failed without a word, one after the other */
    uint32_t live; /* jobs that Slurm has, of this run */
    struct timer *gather, *tick, *retry;
    int64_t retry_ms; /* how long to wait before the next sbatch; 0: no trouble */
    bool told_trouble, told_silence, told_limit, told_uncancelled;
    struct words unfit;      /* rules that no partition has room for */
    struct words told_waits; /* "RULE REASON" */
    /* the limit of submitted jobs */
    struct words full;  /* accounts that take no more */
    VEC(uint32_t) held; /* batches of those */
    struct timer *room; /* they are tried again then */
    int64_t room_ms;    /* how long to wait for it */
    /* polling */
    bool measuring, measured_last;
    bool asking, accounting, use_scontrol, poll_now;
    char asked_of[64];  /* the cluster that squeue is asked about; "": this one */
    bool silent, heard; /* in this round of questions some, and some have not, failed to answer */
    char accounting_of[64]; /* the cluster that sacct was asked about last; "": this one */
    bool no_accounting;     /* sacct does not work here */
    int64_t next_poll_ns, interval_ns;
    int64_t asked_ns, accounting_ns; /* monotonic: when squeue, sacct were started last */
    int bad_polls;
    bool configured, configuring;
    int64_t min_job_age, max_array;
    int64_t not_before;           /* monotonic: until then what was revoked at the start may run */
    bool stopping;                /* nothing is submitted any more */
    bool left;                    /* the second signal: nothing is waited for */
    struct quota *quota;          /* a question on its way, or NULL; owned */
    struct buf quota_ids;         /* of the next one: "12,13_4" */
    uint32_t quota_asks;          /* so many of them */
    struct map quota_kinds;       /* what has been asked about */
    VEC(struct cancel *) cancels; /* calls of scancel, those that wait to be made too; owned */
    bool cancels_due;             /* some job is cancel_due */
    VEC(char *) unmeasured; /* owned: ids of jobs that ended well, whose memory sacct may tell */
    struct {
        char node[128];
        int64_t until_ns;
    } broken[16];
    uint32_t nbroken;
};

/* ---- slurm.c ---- */
char *slurm_copy(const char *text); /* owned; NULL stays NULL */
/* A job of that launch, or of an earlier run (0), in no batch yet; slurm.c frees it. */
struct slurm_job *slurm_job_new(struct slurm *slurm, uint32_t launch);
/* Makes a job findable by its launch. */
void slurm_know(struct slurm_job *job);
void slurm_unknow(const struct slurm_job *job); /* nothing more is said of its launch */
/* The job of a launch; NULL: none. */
struct slurm_job *slurm_job_of(const struct slurm *slurm, uint32_t launch);
/* The text that Slurm knows a job by on its cluster: "5487_3". */
void slurm_job_id(const struct slurm_job *job, char out[32]);
/* The same for people, with the cluster if it is another, as sbatch says it: "5487_3;far". */
void slurm_job_name(const struct slurm_job *job, char out[NAME_SIZE]);
/* Sends an event of the job to the caller, with its launch and id put in; none if nobody has
 * adopted it. */
void slurm_report(struct slurm_job *job, struct exec_event *event);
/* Reports that Slurm has the job, and where its log will be. */
void slurm_submitted(struct slurm_job *job);
/* Reports that the job runs, the first time it is called. */
void slurm_started(struct slurm_job *job);
/* Adds a batch with room for n jobs. */
struct slurm_batch *slurm_batch_new(struct slurm *slurm, const char *token, uint32_t n);
/* Slurm has a batch under that number, on that cluster: its jobs are found by them. */
void slurm_batch_known(struct slurm_batch *batch, uint32_t job, const char *cluster);
/* Its number is not, or no longer, that of a job of ours: it may be found by its name. */
void slurm_batch_unknown(struct slurm_batch *batch);
/* The key of by_job; cluster "": this one. */
uint64_t slurm_key(uint32_t job, const char *cluster);
/* Nothing of it is left: the journal forgets it with the caller's next commit, its files go later
 * than that. */
void slurm_batch_end(struct slurm_batch *batch);
/* A job has been settled; the last one ends its batch. */
void slurm_settle(struct slurm_job *job);
/* The path of a job's file in a folder of .snakemake/slurm; index -1: the batch's. Owned by the
 * caller. */
char *slurm_path(const struct slurm *slurm, const char *folder, const char *token, int64_t index);
/* Makes sure that the timers run that are needed. */
void slurm_wake(struct slurm *slurm);

/* ---- slurm_call.c ---- */
/* Runs a Slurm command in a session of its own, with what belongs to a job taken out of the
 * environment. NULL with errno. */
struct process *slurm_call(struct slurm *slurm, const struct process_options *options);
/* Says, once while it lasts, that a command does not answer, and what that means. */
void slurm_late(struct slurm *slurm, const char *program, const char *meaning);
/* One has answered. */
void slurm_prompt(struct slurm *slurm);
/* Reads "scontrol show config" once; then goes on with the waiting jobs. */
void slurm_configure(struct slurm *slurm);
/* Takes what it has printed. */
void slurm_take_config(struct slurm *slurm, const char *text);

/* ---- slurm_submit.c ---- */
/* Puts the waiting jobs into batches, like with like, and those into the journal. */
void slurm_gather(struct slurm *slurm);
/* Sends unsent batches, as many as may be under way at once. */
void slurm_pump(struct slurm *slurm);
/* Writes down under which number, on which cluster, Slurm has a batch. */
void slurm_note_id(const struct slurm_batch *batch);
/* Slurm has taken a batch under that number. */
void slurm_accepted(struct slurm_batch *batch, uint32_t id, const char *cluster);
/* What Slurm has not taken of a batch is to be sent once more, first of all, in so many parts (1 or
 * 2) under new tokens. */
void slurm_resend(struct slurm_batch *batch, uint32_t parts);
/* The unsent batches from there on go before all others. */
void slurm_put_first(struct slurm *slurm, uint32_t from);

/* ---- slurm_limit.c ---- */
/* Slurm has refused a batch for the limit of submitted jobs. */
void slurm_over_limit(struct slurm_batch *batch, const char *why);
/* Whether a batch is to wait for room; then it is kept. */
bool slurm_hold(struct slurm_batch *batch);
/* A job has ended. */
void slurm_has_room(struct slurm *slurm);
/* Frees what is known of limits; the executor closes. */
void slurm_forget_limits(struct slurm *slurm);

/* ---- slurm_track.c ---- */
void slurm_look(struct slurm *slurm); /* the tick */
/* Whether sbatch has not answered for some batch. */
bool slurm_has_unanswered(const struct slurm *slurm);
/* Takes note of the done files that have appeared. */
void slurm_look_at_done(struct slurm *slurm);
/* Takes what Slurm says of a job, or of those of an array that have not begun. */
void slurm_take_row(struct slurm *slurm, const struct slurm_row *row);
/* Whether Slurm does not say how jobs are; whether its accounting does not say more. */
bool slurm_is_silent(const struct slurm *slurm);
bool slurm_accounting_is_late(const struct slurm *slurm);
/* The command that asks how all jobs on a cluster ("": this one) are: squeue, or scontrol where
 * squeue does not work. The cluster's name is borrowed. */
struct slurm_query {
    const char *argv[12];
};
struct slurm_query slurm_query(const struct slurm *slurm, const char *cluster);
/* Takes what it has printed. */
void slurm_take_answer(struct slurm *slurm, const char *cluster, const char *text);
/* It has failed so many times in a row here: a site may forbid or lack one of the two. */
void slurm_query_failed(struct slurm *slurm, int times, bool timed_out, const char *err);

/* ---- slurm_ends.c ---- */
/* Reports what can be reported of a job that has ended; false: not yet. */
bool slurm_try_end(struct slurm_job *job);
/* Whether its own record, with Slurm's word if it was told to end, says that it has done its
 * work. */
bool slurm_ended_well(const struct slurm_job *job);

/* ---- slurm_log.c ---- */
/* The pattern that a launch's own #SBATCH lines have for an option, owned; NULL: none. */
char *slurm_own_log(const struct slurm *slurm, const struct launch *launch, const char *option,
                    char letter);
/* Sets where the log of a job in a batch is. */
void slurm_set_log(struct slurm_job *job);
/* Makes the directory of its log where its name is known: without it Slurm would end the job
 * without a word. The one that cannot be written to, owned, or NULL; errno says why. */
char *slurm_unwritable_log(const struct slurm_job *job);
/* The path of its log with %j and the like put in; owned by the caller, "" if it has none. */
char *slurm_log_path(const struct slurm_job *job);
/* Adds the last lines of a log. */
void slurm_log_tail(const char *path, struct buf *out);
/* A log that serves nobody any more, unless logs are kept. */
void slurm_remove_log(const struct slurm_job *job);

/* ---- slurm_measure.c ---- */
/* Remembers a job that has ended well. */
void slurm_unmeasured(struct slurm_job *job);
/* Asks sacct for the memory of those jobs, unless it is at it. */
void slurm_measure(struct slurm *slurm);
/* The same for the last of them; waits for the answers, but not for long. */
void slurm_measure_last(struct slurm *slurm);
/* Frees what is remembered of them. */
void slurm_forget_unmeasured(struct slurm *slurm);

/* ---- slurm_past.c ---- */
/* The past of a new executor. */
struct past slurm_past(const struct exec_options *options);
/* Reads the journal and asks Slurm, before anything else. */
void slurm_remember(struct slurm *slurm);
/* Writes a batch into the journal before it is sent. False after a diagnostic. */
bool slurm_journal_add(const struct slurm_batch *batch);
/* past_adopt and past_orphans, as struct executor_kind asks for them. */
bool slurm_adopt(struct executor *executor, const struct launch *launch, struct adopted *adopted);
uint32_t slurm_orphans(struct executor *executor, bool (*is_known)(void *user, const char *key),
                       void *user, bool cancel);
/* The caller has adopted a job and cannot follow it: it ends like one that is superseded. */
void slurm_give_back(struct slurm_job *job);
/* Takes the claim of an attempt away: past_revoke. */
bool slurm_revoke(const struct slurm_batch *batch, uint32_t index, bool begun);

/* ---- slurm_move.c ---- */
/* Has a job that waits in Slurm moved to another account; nothing if it has begun. */
void slurm_move(struct executor *executor, uint32_t launch, const struct exec_place *place);

/* ---- slurm_quota.c ---- */
/* A job waits for a limit: it is to be asked whether it asks for more than the limit. */
void slurm_doubt(struct slurm_job *job);
/* Asks about all that are in doubt; those that can never start, and their like, fail. */
void slurm_check_quotas(struct slurm *slurm);
/* A waiting job that can never start is cancelled and fails; why: what follows Slurm's reason. */
void slurm_doom(struct slurm_job *job, const char *why);
/* Ends a question that is under way and frees the rest. */
void slurm_forget_quotas(struct slurm *slurm);

/* ---- slurm_stop.c ---- */
/* Marks the jobs (NULL: skipped) as cancelled and calls scancel for those that Slurm has. */
void slurm_cancel_jobs(struct slurm *slurm, struct slurm_job *const *jobs, uint32_t n);
/* The same for one of many: they are cancelled together, with slurm_cancel_due. */
void slurm_cancel_soon(struct slurm_job *job);
/* Cancels all that slurm_cancel_soon has named since. */
void slurm_cancel_due(struct slurm *slurm);
/* Frees the calls of scancel; those under way go on alone. */
void slurm_forget_cancels(struct slurm *slurm);
/* The run ends: cancels these launches, drops what waits; force: waits for none of them. */
void slurm_cancel(struct executor *executor, const uint32_t *launches, uint32_t n, bool force);
/* What Slurm has not taken of a batch ends as cancelled; it is not sent any more. */
void slurm_drop(struct slurm_batch *batch);
