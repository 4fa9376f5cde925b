// SPDX-License-Identifier: MIT
/* accounts.h: what the Slurm accounts of a user may use, what everybody uses of it now, and the
 * slots that leaves. The readers take the output of Slurm's commands as it is; probe.h runs them.
 *
 *     struct accounts accounts = {0};
 *     accounts_read_associations(&accounts, text_of_sacctmgr);
 *     accounts_read_assoc_mgr(&accounts, text_of_scontrol);
 *     accounts_read_queue(&accounts, text_of_squeue);
 *     accounts_finish(&accounts);
 *     struct slots slots = account_slots(&accounts, &accounts.all.at[0]);
 *     accounts_free(&accounts); */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/pool.h"
#include "hpc/tres.h"

/* What one user holds of an account. */
struct holder {
    const char *user;
    struct tres running, pending;
    uint32_t nrunning, npending; /* jobs, tasks of arrays counted one by one */
};

/* Why an account is not to be used. Texts are borrowed. */
struct blocked {
    const char *name, *reason, *date;
    const char *file; /* that says so */
};

enum known_from { FROM_NOBODY, FROM_SCONTROL, FROM_SACCTMGR, FROM_SQUEUE, FROM_SLURMINFO };

/* An account above those of the user in the tree of accounts: what it may use bounds all below
 * it. */
struct parent {
    const char *name;
    const char *parent; /* above it, or NULL */
    struct tres limit, used;
    bool asked; /* for its use, and the first time for its limit */
    bool told;  /* its limit was read, or nobody tells it */
};

struct account {
    const char *name;
    const char *parent;             /* above it, or NULL if that is not known */
    const char *qos;                /* what its jobs get if they ask for none */
    struct tres qos_limit;          /* GrpTRES of the QOS */
    struct tres own_limit;          /* of the account's and the user's associations */
    struct tres limit;              /* of both together: accounts_finish */
    struct tres qos_used, own_used; /* running, as the controller counts */
    struct tres running;            /* all users: accounts_finish */
    struct tres pending;            /* what all users wait for, as far as it can be seen */
    struct tres queued;             /* running, as squeue shows it */
    enum known_from limit_from, use_from;
    VEC(struct holder) holders; /* users, as squeue shows them */
    VEC(struct holder) counted; /* users of the QOS, as the controller counts them */
    const struct blocked *blocked;
    bool burst;  /* its name ends in -b: left out */
    bool told;   /* the limit of its association was read, or nobody tells it */
    bool counts; /* the controller has shown own_used */
    bool no_qos; /* unlike others of the user: its association is half deleted */
};

struct accounts {
    struct arena arena;
    VEC(struct account) all;                    /* in the order of discovery */
    VEC(struct parent) parents;                 /* of all, those above these, and so on */
    VEC(const char *) notes;                    /* sources that were missing or refused, in words */
    struct tres cluster;                        /* all nodes: the limit where an account has none */
    const char *cluster_name;                   /* or NULL */
    const char *gpu_partitions, *cpu_partition; /* "b200,turin", "default"; or NULL */
    int cpus_per_job;                           /* of a CPU slot; 0: 8 */
    int64_t mem_per_job_gb;                     /* of a CPU slot; 0: 48 */
    bool queue_seen;                            /* squeue answered */
    bool enforced; /* Slurm refuses jobs of accounts that the user does not have */
};

struct slots {
    int64_t gpu, cpu;           /* at most */
    int64_t gpu_free, cpu_free; /* now */
    int64_t mem_free_gb;
};

/* The account of that name, added if it is new. Valid until the next one is added. */
struct account *accounts_add(struct accounts *accounts, const char *name, size_t len);
/* NULL if there is none of that name; Slurm takes it in capitals, too. */
struct account *accounts_find(const struct accounts *accounts, const char *name, size_t len);
/* NULL if there is none of that name, or name is NULL. */
struct parent *accounts_parent(const struct accounts *accounts, const char *name);
/* The first that is blocked by an entry of that name gets the entry (borrowed). */
void accounts_block(struct accounts *accounts, const struct blocked *blocked, uint32_t n);
/* Whether jobs may be sent to it. */
bool account_usable(const struct account *account);

/* Readers; any text is taken, what is not understood is passed over. True if anything was found.
 *
 * scontrol show config: the name of this cluster, and whether accounts are enforced. */
bool accounts_read_config(struct accounts *accounts, const char *text);
/* sacctmgr -nP show assoc format=account,user,partition,qos,defaultqos,grptres,cluster: adds
 * accounts, those of this cluster if its name is known. */
bool accounts_read_associations(struct accounts *accounts, const char *text);
/* sacctmgr -nP show assoc format=account,user,parentname,grptres: limits of accounts that are there
 * already and of those above them, which are added. */
bool accounts_read_account_limits(struct accounts *accounts, const char *text);
/* sacctmgr -nP show qos format=name,grptres */
bool accounts_read_qos(struct accounts *accounts, const char *text);
/* scontrol show assoc_mgr, one record a line (-o) or many. add: accounts of that user's
 * associations are added; else NULL. */
bool accounts_read_assoc_mgr(struct accounts *accounts, const char *text, const char *add);
/* squeue -O Account:|,QOS:|,State:|,UserName:|,tres-alloc:| ; or, of versions before 20.02, squeue
 * -o %a|%q|%T|%u|%D|%C|%m|%b. False if the text is neither; no rows at all are well. */
bool accounts_read_queue(struct accounts *accounts, const char *text);
/* slurmInfo -g ACCOUNT, a command of some sites: limits, and use by all users. */
bool accounts_read_slurminfo(struct accounts *accounts, const char *text);
/* scontrol show node: what all nodes have together. */
bool accounts_read_nodes(struct accounts *accounts, const char *text);

/* sinfo -h -o %P|%G: partitions with GPUs, and the default one or the first without. */
bool accounts_read_partitions(struct accounts *accounts, const char *text);

/* Forgets use, to be read anew. */
void accounts_forget_use(struct accounts *accounts);
/* Puts together limits and use of all sources. */
void accounts_finish(struct accounts *accounts);

/* GPU slots are its GPUs; CPU slots are 85% of its CPUs in jobs of cpus_per_job. Free are those
 * that neither run nor are waited for. */
struct slots account_slots(const struct accounts *accounts, const struct account *account);
/* Whether anybody could say anything of any of them. */
bool accounts_are_known(const struct accounts *accounts);
/* The limit, with the cluster's size where the account has none. */
struct tres account_limit(const struct accounts *accounts, const struct account *account);

/* "drew 256 GB, 8 CPUs; 3 others": who holds most of an account; "" if nobody is known. */
void account_holders_text(const struct account *account, struct buf *out);
/* The table of `kintsugi-flow accounts`. */
void accounts_table(const struct accounts *accounts, const char *user, struct buf *out);
/* [{"name":"maigan","gpu_avail":2,"cpu_avail":4,"mem_avail_gb":593}] */
void accounts_json(const struct accounts *accounts, struct buf *out);
/* The same with other slots, by account, as what is free. */
void accounts_json_of(const struct accounts *accounts, const struct slots *dealt, struct buf *out);

/* Frees what was read; it is empty then, but for what a slot is to have. */
void accounts_free(struct accounts *accounts);
