// SPDX-License-Identifier: MIT
#include "hpc/reroute.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

bool reroute_is_quota(const char *reason)
{
    return !strncmp(reason, "QOSGrp", 6) || !strncmp(reason, "AssocGrp", 8) ||
           !strncmp(reason, "AssociationResourceLimit", 24) || !strcmp(reason, "QOSResourceLimit");
}

/* What would be free there if only others used it. */
static struct tres left_without_us(const struct reroute_account *account)
{
    struct tres others = {account->used.cpu - account->ours.cpu,
                          account->used.mem_mb - account->ours.mem_mb,
                          account->used.gpu - account->ours.gpu};
    return tres_left(account->limit, others);
}

/* It waits for a GPU that a job of ours holds, and for nothing else. */
static bool waits_for_our_gpu(const struct reroute_job *job, const struct reroute_account *account)
{
    struct tres left = tres_left(account->limit, account->used), rest = job->request;
    rest.gpu = 0;
    return job->request.gpu > 0 && tres_holds(left, rest) &&
           tres_holds(left_without_us(account), job->request);
}

/* The account with the largest part of its limit left after the job; + 1, 0 if none holds it. */
static uint32_t roomiest(const struct reroute_job *job, const struct reroute_account *accounts,
                         const struct tres *left, uint32_t n)
{
    double best = -1;
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i == job->account || !accounts[i].usable || !tres_holds(left[i], job->request))
            continue;
        int64_t limit = accounts[i].limit.mem_mb;
        double part = limit > 0 ? (double)(left[i].mem_mb - job->request.mem_mb) / (double)limit
                                : 1;
        if (part > best) {
            best = part;
            found = i + 1;
        }
    }
    return found;
}

static void take(struct tres *left, struct tres request)
{
    *left = tres_left(*left, request);
}

/* Where it goes + 1, or 0; keeps the candidate. */
static uint32_t decide(const struct reroute *reroute, struct reroute_job *job,
                       const struct reroute_account *accounts, const struct tres *left, uint32_t n,
                       int64_t now_ns)
{
    bool stays = job->bound || !job->for_quota || waits_for_our_gpu(job, &accounts[job->account]) ||
                 (job->moved_ns && now_ns - job->moved_ns < reroute->settle_ns);
    uint32_t known = job->candidate;
    bool still = !stays && known && accounts[known - 1].usable &&
                 tres_holds(left[known - 1], job->request);
    if (!still) {
        job->candidate = stays ? 0 : roomiest(job, accounts, left, n);
        job->since_ns = now_ns;
    }
    return job->candidate && now_ns - job->since_ns >= reroute->patience_ns ? job->candidate : 0;
}

void reroute_look(const struct reroute *reroute, struct reroute_job *jobs, uint32_t njobs,
                  const struct reroute_account *accounts, uint32_t naccounts, int64_t now_ns,
                  reroute_moves *out)
{
    struct tres *left = calloc(naccounts + 1, sizeof *left);
    if (!left)
        out_of_memory();
    for (uint32_t i = 0; i < naccounts; i++) {
        left[i] = tres_left(accounts[i].limit, accounts[i].used);
        take(&left[i], accounts[i].due);
    }
    for (uint32_t i = 0; i < njobs; i++) {
        uint32_t to = decide(reroute, &jobs[i], accounts, left, naccounts, now_ns);
        if (jobs[i].candidate) /* room is promised once, whether it is used now or soon */
            take(&left[jobs[i].candidate - 1], jobs[i].request);
        if (!to)
            continue;
        vec_push(out, ((struct reroute_move){.job = i, .to = to - 1}));
        jobs[i].account = to - 1;
        jobs[i].moved_ns = now_ns;
        jobs[i].candidate = 0;
        jobs[i].for_quota = false;
    }
    free(left);
}
