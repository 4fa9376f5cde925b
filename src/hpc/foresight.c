// SPDX-License-Identifier: MIT
#include "hpc/foresight.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What is foreseen of those that stay behind. */
struct outlook {
    uint32_t never;  /* started: others hold the room */
    int64_t last_ns; /* the last end */
    double waited_s; /* all together */
};

struct queue {
    const struct foresight_job *jobs;
    uint32_t n, leaver, waiting;
    struct tres limit, used;
    int64_t *end_ns; /* of each job: 0: it waits; GONE */
};

enum { TRIALS = 16, MOST = 128 };
static const int64_t GONE = INT64_MAX;

static void start_all(struct queue *queue, int64_t now_ns, int64_t since_ns, struct outlook *out)
{
    for (uint32_t i = 0; i < queue->n; i++) {
        const struct foresight_job *job = &queue->jobs[i];
        if (queue->end_ns[i] || !tres_holds(tres_left(queue->limit, queue->used), job->request))
            continue;
        tres_add(&queue->used, &job->request);
        queue->end_ns[i] = now_ns + job->run_ns;
        queue->waiting--;
        if (queue->end_ns[i] > out->last_ns)
            out->last_ns = queue->end_ns[i];
        if (i == queue->leaver)
            continue;
        out->never--;
        out->waited_s += (double)(now_ns - since_ns) * 1e-9;
    }
}

/* Takes off what ends next; when that is, or GONE if nothing runs. */
static int64_t end_next(struct queue *queue)
{
    uint32_t next = queue->n;
    int64_t at_ns = GONE;
    for (uint32_t i = 0; i < queue->n; i++)
        if (queue->end_ns[i] && queue->end_ns[i] < at_ns)
            at_ns = queue->end_ns[next = i];
    if (next < queue->n) {
        queue->end_ns[next] = GONE;
        tres_take(&queue->used, &queue->jobs[next].request);
    }
    return at_ns;
}

static struct outlook play(struct queue *queue, struct tres used, bool leaves, int64_t now_ns)
{
    struct outlook out = {0};
    queue->used = used;
    queue->waiting = 0;
    for (uint32_t i = 0; i < queue->n; i++) {
        int64_t end_ns = queue->jobs[i].end_ns;
        bool waits = !end_ns && !(leaves && i == queue->leaver);
        queue->end_ns[i] = waits ? 0 : !end_ns ? GONE : end_ns > now_ns ? end_ns : now_ns;
        queue->waiting += waits;
        out.never += waits && i != queue->leaver;
    }
    for (int64_t at_ns = now_ns; queue->waiting && at_ns != GONE; at_ns = end_next(queue))
        start_all(queue, at_ns, now_ns, &out);
    return out;
}

static bool is_no_worse(struct queue *queue, struct tres used, int64_t now_ns)
{
    struct outlook stays = play(queue, used, false, now_ns),
                   leaves = play(queue, used, true, now_ns);
    if (leaves.never != stays.never)
        return leaves.never < stays.never;
    return leaves.last_ns <= stays.last_ns && leaves.waited_s <= stays.waited_s;
}

/* The same jobs, each taking half to twice as long as is expected; other ones by the seed. */
static void vary(const struct queue *queue, struct foresight_job *varied, uint32_t *seed,
                 int64_t now_ns)
{
    for (uint32_t i = 0; i < queue->n; i++) {
        const struct foresight_job *job = &queue->jobs[i];
        *seed = *seed * 1664525 + 1013904223;
        int64_t run_ns = (int64_t)((double)job->run_ns *
                                   (0.5 + 1.5 * (double)(*seed >> 8) / (1 << 24)));
        int64_t end_ns = job->end_ns - job->run_ns + run_ns;
        varied[i] = *job;
        varied[i].run_ns = run_ns;
        varied[i].end_ns = !job->end_ns ? 0 : end_ns > now_ns ? end_ns : now_ns;
    }
}

/* Whoever of them is started first, the room is used alike. */
static bool are_alike(const struct foresight_job *jobs, uint32_t n, uint32_t leaver)
{
    const struct tres *first = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (jobs[i].end_ns || i == leaver)
            continue;
        if (first && memcmp(first, &jobs[i].request, sizeof *first))
            return false;
        first = &jobs[i].request;
    }
    return true;
}

bool foresight_is_safe(struct tres limit, struct tres others, const struct foresight_job *jobs,
                       uint32_t n, uint32_t leaver, int64_t now_ns)
{
    if (n > MOST || are_alike(jobs, n, leaver))
        return true;
    struct tres ours = {0};
    struct queue known = {.jobs = jobs, .n = n, .leaver = leaver, .limit = limit};
    struct foresight_job *varied = memory_zeroed((size_t)n + 1, sizeof *varied);
    uint32_t seed = 1;
    known.end_ns = memory_zeroed((size_t)n + 1, sizeof *known.end_ns);
    for (uint32_t i = 0; i < n; i++)
        if (jobs[i].end_ns)
            tres_add(&ours, &jobs[i].request);
    tres_add(&others, &ours);
    bool safe = is_no_worse(&known, others, now_ns) && is_no_worse(&known, ours, now_ns);
    struct queue trial = known;
    trial.jobs = varied;
    for (int k = 0; safe && k < TRIALS; k++) {
        vary(&known, varied, &seed, now_ns);
        safe = is_no_worse(&trial, others, now_ns) && is_no_worse(&trial, ours, now_ns);
    }
    free(known.end_ns);
    free(varied);
    return safe;
}
