// SPDX-License-Identifier: MIT
#include "hpc/reroute.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hpc/foresight.h"

bool reroute_is_quota(const char *reason)
{
    return !strncmp(reason, "QOSGrp", 6) || !strncmp(reason, "AssocGrp", 8) ||
           !strncmp(reason, "AssociationResourceLimit", 24) || !strcmp(reason, "QOSResourceLimit");
}

static struct tres used_by_others(const struct reroute_account *account)
{
    struct tres others = account->used;
    tres_take(&others, &account->ours);
    return others;
}

/* It waits for a GPU that a job of ours holds, and for nothing else. */
static bool waits_for_our_gpu(const struct reroute_job *job, const struct reroute_account *account)
{
    struct tres left = tres_left(account->limit, account->used), rest = job->request;
    rest.gpu = 0;
    return job->request.gpu > 0 && tres_holds(left, rest) &&
           tres_holds(tres_left(account->limit, used_by_others(account)), job->request);
}

/* The account with the largest part of its limit left after the job; + 1, 0 if none holds it. */
static uint32_t roomiest(const struct reroute_job *job, const struct reroute_view *view,
                         const struct tres *left)
{
    double best = -1;
    uint32_t found = 0;
    for (uint32_t i = 0; i < view->naccounts; i++) {
        if (i == job->account || !view->accounts[i].usable || !tres_holds(left[i], job->request))
            continue;
        int64_t limit = view->accounts[i].limit.mem_mb;
        double part = limit > 0 ? (double)(left[i].mem_mb - job->request.mem_mb) / (double)limit
                                : 1;
        if (part > best) {
            best = part;
            found = i + 1;
        }
    }
    return found;
}

/* Whether those that wait behind it, where it is, are no worse off without it. */
static bool may_leave(const struct reroute_view *view, uint32_t leaver)
{
    uint32_t n = 0, place = 0;
    const struct reroute_account *account = &view->accounts[view->jobs[leaver].account];
    struct foresight_job *queue = memory_zeroed((size_t)view->njobs + 1, sizeof *queue);
    for (uint32_t i = 0; i < view->njobs; i++) {
        const struct reroute_job *job = &view->jobs[i];
        if (job->account != view->jobs[leaver].account || (!job->for_quota && !job->end_ns))
            continue;
        if (i == leaver)
            place = n;
        queue[n++] = (struct foresight_job){job->request, job->run_ns, job->end_ns};
    }
    bool safe = foresight_is_safe(account->limit, used_by_others(account), queue, n, place,
                                  view->now_ns);
    free(queue);
    return safe;
}

static void take(struct tres *left, struct tres request)
{
    *left = tres_left(*left, request);
}

/* Where it goes + 1, or 0; keeps the candidate. */
static uint32_t decide(const struct reroute *reroute, const struct reroute_view *view,
                       uint32_t number, const struct tres *left)
{
    struct reroute_job *job = &view->jobs[number];
    int64_t now_ns = view->now_ns;
    bool stays = job->bound || !job->for_quota ||
                 waits_for_our_gpu(job, &view->accounts[job->account]) ||
                 (job->moved_ns && now_ns - job->moved_ns < reroute->settle_ns);
    uint32_t known = job->candidate;
    bool still = !stays && known && view->accounts[known - 1].usable &&
                 tres_holds(left[known - 1], job->request);
    if (!still) {
        job->candidate = stays ? 0 : roomiest(job, view, left);
        job->since_ns = now_ns;
    }
    if (job->candidate && !may_leave(view, number))
        job->candidate = 0;
    return job->candidate && now_ns - job->since_ns >= reroute->patience_ns ? job->candidate : 0;
}

void reroute_look(const struct reroute *reroute, const struct reroute_view *view,
                  reroute_moves *out)
{
    struct tres *left = memory_zeroed((size_t)view->naccounts + 1, sizeof *left);
    for (uint32_t i = 0; i < view->naccounts; i++) {
        left[i] = tres_left(view->accounts[i].limit, view->accounts[i].used);
        take(&left[i], view->accounts[i].due);
    }
    for (uint32_t i = 0; i < view->njobs; i++) {
        struct reroute_job *job = &view->jobs[i];
        uint32_t to = decide(reroute, view, i, left);
        if (job->candidate) /* room is promised once, whether it is used now or soon */
            take(&left[job->candidate - 1], job->request);
        if (!to)
            continue;
        vec_push(out, ((struct reroute_move){.job = i, .to = to - 1}));
        job->account = to - 1;
        job->moved_ns = view->now_ns;
        job->candidate = 0;
        job->for_quota = false;
    }
    free(left);
}
