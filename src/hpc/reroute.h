// SPDX-License-Identifier: MIT
/* reroute.h: which pending jobs go to another account. Pure: it is told what waits and what is free
 * at every look, and says what to move; who moves is somebody else. A job moves if
 *
 *   - it waits for a limit of its account's group, and is not bound to that account,
 *   - another account of its list has had room for it at every look since patience_ns ago,
 *   - it has not been moved within settle_ns,
 *   - what it waits for is not just a GPU that other jobs of ours hold,
 *   - those that it leaves behind are not foreseen to be worse off (foresight.h). */
#pragma once

#include <stdbool.h>

#include "base/pool.h"
#include "hpc/tres.h"

struct reroute_account {
    struct tres limit;
    struct tres used; /* running, of everybody */
    struct tres ours; /* of these, our own */
    struct tres due;  /* what jobs of ours that wait there will take first */
    bool usable;
};

struct reroute_job {
    uint32_t launch;
    uint32_t account; /* where it waits */
    struct tres request;
    int64_t run_ns;     /* how long it is expected to take */
    int64_t end_ns;     /* when it is expected to end, if it runs; 0: it waits */
    bool for_quota;     /* it waits for a limit of the group, as far as is known */
    bool bound;         /* to its account */
    int64_t moved_ns;   /* when it was moved last; 0: never */
    uint32_t candidate; /* where there was room at the last look, + 1 */
    int64_t since_ns;   /* since when */
};

struct reroute {
    int64_t patience_ns, settle_ns; /* 60 s and 300 s */
};

struct reroute_move {
    uint32_t job; /* number in the list of jobs */
    uint32_t to;  /* account */
};
typedef VEC(struct reroute_move) reroute_moves;

/* What is there at a look. Jobs are all of ours: those that wait, which may be moved, and those
 * that run. */
struct reroute_view {
    struct reroute_job *jobs;
    uint32_t njobs;
    const struct reroute_account *accounts;
    uint32_t naccounts;
    int64_t now_ns;
};

/* One look. Updates the jobs' candidates; adds the moves to out. */
void reroute_look(const struct reroute *reroute, const struct reroute_view *view,
                  reroute_moves *out);

/* Whether Slurm's reason for waiting is a limit of a group: QOSGrpMemLimit, AssocGrpCpuLimit,
 * ... */
bool reroute_is_quota(const char *reason);
