// SPDX-License-Identifier: MIT
/* slurm_text.h: what Slurm's commands print, read without trusting it: a site's banners stand
 * between the lines, fields may be missing, and a line that does not fit is passed over, never
 * guessed at. Pure functions on text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slurm_phase.h"

/* The id of an array element or a plain job: "5487_3" is {5487, 3}, "5487" is {5487, -1}. */
struct slurm_id {
    uint32_t job;
    int32_t index;
};
/* Reads an id at the start of text; what may follow is a ';' and a cluster, or the end. False: it
 * is none. */
bool slurm_read_id(const char *text, struct slurm_id *id);

/* The job id in what sbatch --parsable has printed among other lines, and the cluster behind ';'
 * ("" if none). False: there is none. */
bool slurm_read_submitted(const char *out, uint32_t *job, char cluster[64]);

/* One job, by squeue or sacct. Texts are cut to fit. */
struct slurm_row {
    struct slurm_id id;
    uint32_t raw_id;     /* the number of the element itself; 0: not told */
    const char *cluster; /* that was asked, "": this one; set and lent by whoever asked */
    enum slurm_phase phase;
    char state[32], reason[96], node[128];
    int status, signal; /* how it ended */
    uint32_t restarts;
    char name[64];        /* "": not told */
    bool several;         /* squeue, scontrol: it waits in more partitions than one */
    char sibling[64];     /* squeue, scontrol: the cluster of a federation that has it, if it has
                             left this one (REVOKED); "": none */
    const char *elements; /* scontrol, sacct: the elements of an array that this row is about, for
                             slurm_next_range, in the text that was read; NULL: one job */
    int64_t max_rss_kb;   /* sacct, of a step; 0: not told */
    char step[32];        /* sacct: "batch" of 17.batch; "" for the job itself */
};

/* The options of the one squeue and the one sacct whose output is read here. */
extern const char slurm_queue_format[], slurm_account_format[];
/* Reads the next good line of squeue's output; *at is advanced behind it. False: no more. */
bool slurm_next_queued(const char **at, struct slurm_row *row);
/* The same for sacct -P -n. */
bool slurm_next_accounted(const char **at, struct slurm_row *row);
/* Reads one record of "scontrol -o show job". All elements of an array that wait are one record. */
bool slurm_next_shown(const char **at, struct slurm_row *row);

/* Some elements of an array: first, first + step, ... up to last. */
struct slurm_range {
    int32_t first, last, step; /* step is at least 1 */
};
/* Reads the next range of a list like "0-3,7,10-20:5%2". False: no more. */
bool slurm_next_range(const char **list, struct slurm_range *range);

/* A number in "scontrol show config": the line "KEY   = 1001" or "KEY = 300 sec". otherwise if it
 * is not there. */
int64_t slurm_config_number(const char *text, const char *key, int64_t otherwise);
/* The word in that line; "" if it is not there. */
void slurm_config_word(const char *text, const char *key, char *out, size_t size);
/* Whether that line says so (case does not matter). */
bool slurm_config_is(const char *text, const char *key, const char *word);

/* What became of a call that failed, by what it printed on stderr. */
enum slurm_trouble {
    TROUBLE_REJECTED,  /* a definite no to this request */
    TROUBLE_BUSY,      /* a definite no for now */
    TROUBLE_FULL,      /* a definite no to so many jobs for now: the whole queue is full */
    TROUBLE_LIMIT,     /* a definite no to so many jobs: the limit of submitted ones is reached */
    TROUBLE_AMBIGUOUS, /* no answer: it may have been done all the same */
};
/* What a Slurm command's stderr tells of. */
enum slurm_trouble slurm_trouble(const char *err);
/* The part of the message that says why, without "sbatch: error: "; in out. */
void slurm_complaint(const char *err, char *out, size_t size);
/* The resource whose value that complaint is about ("slurm_account"), or NULL. */
const char *slurm_blamed_resource(const char *complaint);

/* What a pending job waits for. */
enum slurm_wait {
    WAIT_TURN,    /* others are first, or resources are busy */
    WAIT_QUOTA,   /* a group's or user's limit */
    WAIT_HELD,    /* somebody must do something */
    WAIT_RELEASE, /* so must its user: scontrol release */
    WAIT_UNFIT,   /* it can never start in this partition; it may in another that it names */
    WAIT_NEVER,   /* it can never start */
};
/* What a reason of squeue ("Priority", "AssocGrpCpuLimit") means for a job. */
enum slurm_wait slurm_wait(const char *reason);
/* What a waiting job asks for, and of whom. */
struct slurm_request {
    struct slurm_id id;
    char qos[64], account[64], user[64];
    char tres[400]; /* "cpu=48,mem=1000M,node=1,gres/gpu=2" */
};
extern const char slurm_request_format[]; /* of squeue -O */
bool slurm_next_request(const char **at, struct slurm_request *request);
/* Whether it is more than its QOS allows all jobs together, those of a user or those of an account
 * (or, of what the QOS does not limit, its account, one above that, or its user there), by the
 * answer of "scontrol -o show assoc_mgr flags=qos,assoc" ("GrpTRES=cpu=40(16),mem=319488(0)").
 * what: "the QOS clive for 48 cpu, of which it allows 40". */
bool slurm_exceeds(const struct slurm_request *request, const char *answer, char *what,
                   size_t size);
/* The next account of such an answer that stands above another. False: no more. */
bool slurm_next_parent(const char **answer, char parent[64]);
/* Whether such an answer says of an account what all its jobs may use together. */
bool slurm_shows_account(const char *answer, const char *account);
extern const char slurm_association_format[]; /* of sacctmgr -nP show assoc */
/* Adds what sacctmgr has printed in that format as lines of such an answer. */
void slurm_add_associations(const char *text, struct buf *answer);
/* What that reason means, for people; NULL: nothing is known. */
const char *slurm_wait_meaning(const char *reason);
