// SPDX-License-Identifier: MIT
/* slurm_quota.c: a job that waits for a limit of its group may wait for others to finish, or for
 * ever: when it asks for more than the limit itself. Slurm does not say which; so the request of a
 * job that has waited a while is compared with the limits of its QOS and its account, once for all
 * that ask for the same, with two calls for all that wait. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "exec/slurm_inner.h"

enum { ASKED = 1, TO_BE_ASKED }; /* a kind of requests; 0: not yet */
enum { MOST = 500 };             /* jobs in one question; the others' turn comes with later polls */

struct quota {
    struct slurm *slurm;
    VEC(struct slurm_request) requests;
    struct words accounts; /* that the question is about */
    bool of_database;      /* the controller does not tell of them */
    struct buf limits;     /* the answers */
};

static void end_quota(struct quota *quota)
{
    quota->slurm->quota = NULL;
    vec_free(&quota->requests);
    words_free(&quota->accounts);
    buf_free(&quota->limits);
    free(quota);
}

void slurm_forget_quotas(struct slurm *slurm)
{
    if (slurm->quota)
        end_quota(slurm->quota);
    buf_free(&slurm->quota_ids);
    map_free(&slurm->quota_kinds);
}

/* What a job asks for, of whom: equal jobs have the same. One of an earlier run, whose request is
 * not known any more, has that of its batch. */
static uint64_t kind_of(const struct slurm_job *job)
{
    const struct slurm_batch *batch = job->batch;
    const char *account = job->account ? job->account : "";
    uint64_t asks = batch->request ? batch->request : batch->number;
    return hash_mix(asks ^ hash_bytes(account, strlen(account))) | 1;
}

void slurm_doom(struct slurm_job *job, const char *why)
{
    char id[NAME_SIZE];
    struct buf text = {0};
    slurm_job_name(job, id);
    buf_printf(&text, "Slurm job %s can never start: %s%s", id, job->row.reason, why);
    free(job->message);
    job->message = buf_take(&text);
    job->doomed = true;
    slurm_cancel_soon(job);
}

static void doom_kind(struct slurm *slurm, uint64_t kind, const char *what)
{
    for (uint32_t i = 1; i < slurm->batches.len; i++) {
        struct slurm_batch *batch = slurm->batches.at[i];
        for (uint32_t k = 0; batch && k < batch->n; k++) {
            struct slurm_job *job = batch->jobs[k];
            if (job && job->stage == STAGE_LIVE && job->row.phase == SLURM_PENDING &&
                !job->doomed && kind_of(job) == kind)
                slurm_doom(job, what);
        }
    }
}

static void judge(struct slurm *slurm, const struct slurm_request *request, const char *limits)
{
    char what[240], why[260];
    uint32_t number = map_find(&slurm->by_job, slurm_key(request->id.job, ""));
    uint32_t index = request->id.index < 0 ? 0 : (uint32_t)request->id.index;
    struct slurm_batch *batch = number ? slurm->batches.at[number] : NULL;
    struct slurm_job *job = batch && index < batch->n ? batch->jobs[index] : NULL;
    if (!job || !slurm_exceeds(request, limits, what, sizeof what))
        return;
    map_set(&slurm->quota_kinds, kind_of(job), TO_BE_ASKED); /* the limit may change */
    snprintf(why, sizeof why, "; it asks %s", what);
    doom_kind(slurm, kind_of(job), why);
}

static bool ask_limits(struct quota *quota, uint32_t from);

/* Where the use of others is private (PrivateData), the controller shows no association but the
 * user's own; the database has the limits all the same. */
static bool is_hidden(const struct quota *quota)
{
    const struct words *accounts = &quota->accounts;
    for (uint32_t i = 0; i < accounts->list.len; i++)
        if (!slurm_shows_account(buf_text(&quota->limits), accounts->list.at[i]))
            return true;
    return false;
}

/* Accounts above those that are known are asked about, too. */
static void on_limits(void *user, const struct process_end *end)
{
    struct quota *quota = user;
    uint32_t known = quota->accounts.list.len, first = quota->limits.len;
    char parent[64];
    if (!end->status && quota->of_database)
        slurm_add_associations(end->out, &quota->limits);
    else if (!end->status)
        buf_add(&quota->limits, end->out, end->out_len);
    for (const char *at = buf_text(&quota->limits) + first; slurm_next_parent(&at, parent);)
        words_add(&quota->accounts, parent);
    if (quota->accounts.list.len > known && ask_limits(quota, known))
        return;
    if (!quota->of_database && is_hidden(quota)) {
        quota->of_database = true;
        if (ask_limits(quota, 0))
            return;
    }
    for (uint32_t i = 0; i < quota->requests.len; i++)
        judge(quota->slurm, &quota->requests.at[i], buf_text(&quota->limits));
    end_quota(quota);
}

/* "accounts=clive,maigan": those after so many. */
static void list_accounts(const struct quota *quota, const char *key, uint32_t from,
                          struct buf *out)
{
    for (uint32_t i = from; i < quota->accounts.list.len; i++)
        buf_printf(out, "%s%s", i > from ? "," : key, quota->accounts.list.at[i]);
}

/* The QOS, and of the associations those of some accounts: a site may have thousands. */
static bool ask_limits(struct quota *quota, uint32_t from)
{
    struct buf accounts = {0}, cluster = {0};
    list_accounts(quota, quota->of_database ? "account=" : "accounts=", from, &accounts);
    buf_printf(&cluster, "cluster=%s", quota->slurm->cluster);
    const char *const controller[] = {
        "scontrol",          "-o", "show", "assoc_mgr", from ? "flags=assoc" : "flags=qos,assoc",
        buf_text(&accounts), NULL};
    const char *const database[] = {"sacctmgr",
                                    "-nP",
                                    "show",
                                    "assoc",
                                    slurm_association_format,
                                    buf_text(&accounts),
                                    *quota->slurm->cluster ? buf_text(&cluster) : NULL,
                                    NULL};
    bool asked = slurm_call(quota->slurm, &(struct process_options){
                                              .argv = quota->of_database ? database : controller,
                                              .timeout_ms = QUERY_MS,
                                              .on_end = on_limits,
                                              .user = quota}) != NULL;
    buf_free(&accounts);
    buf_free(&cluster);
    return asked;
}

static void on_requests(void *user, const struct process_end *end)
{
    struct quota *quota = user;
    struct slurm_request request;
    if (end->status)
        map_free(&quota->slurm->quota_kinds); /* asked again at the next poll */
    for (const char *at = end->out; !end->status && slurm_next_request(&at, &request);) {
        vec_push(&quota->requests, request);
        words_add(&quota->accounts, request.account);
    }
    if (!quota->requests.len || !ask_limits(quota, 0))
        end_quota(quota);
}

void slurm_doubt(struct slurm_job *job)
{
    struct slurm *slurm = job->slurm;
    uint32_t *asked = map_at(&slurm->quota_kinds, kind_of(job));
    char id[32];
    if (*asked == ASKED || slurm->quota || slurm->quota_asks == MOST)
        return;
    *asked = ASKED;
    slurm->quota_asks++;
    slurm_job_id(job, id);
    buf_printf(&slurm->quota_ids, "%s%s", slurm->quota_ids.len ? "," : "", id);
}

void slurm_check_quotas(struct slurm *slurm)
{
    if (slurm->quota || !slurm->quota_ids.len)
        return;
    const char *ids = buf_text(&slurm->quota_ids);
    const char *const argv[] = {"squeue", "-h", "-a", "-r", "-j", ids, "-O", slurm_request_format,
                                NULL};
    struct quota *quota = memory_zeroed(1, sizeof *quota);
    quota->slurm = slurm;
    slurm->quota = quota;
    if (!slurm_call(
            slurm, &(struct process_options){
                       .argv = argv, .timeout_ms = QUERY_MS, .on_end = on_requests, .user = quota}))
        end_quota(quota);
    buf_reset(&slurm->quota_ids);
    slurm->quota_asks = 0;
}
