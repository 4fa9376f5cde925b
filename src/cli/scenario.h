// SPDX-License-Identifier: MIT
/* scenario.h: a cluster to simulate, from a file or as it is now:
 *
 *     accounts:
 *       - {name: clive, cpu: 40, mem_gb: 312, gpu: 1}
 *       - {name: maigan, cpu: 80, mem_gb: 625, gpu: 2}
 *     load:                          # what others run; without `for` it stays
 *       - {account: clive, user: drew, at: 0, for: 3600, cpu: 8, mem_gb: 256, count: 1}
 *     times:                         # seconds; what is not here comes from earlier runs
 *       stitch_cycle: 120
 *       decon_cycle: {gpu: 300, cpu: 1500}
 *     delays: {start: 2, turn: 1, notice: 3}   # seconds: of the scheduler after a submission,
 *                                              # after an end; until an end is seen
 *     look: 30                       # seconds between looks at waiting jobs (or --reroute-after)
 *     first_run: true                # the scheduler does not know these times: it learns them */
#pragma once

#include "base/diag.h"
#include "hpc/model.h"
#include "hpc/pools.h"

struct scenario_time {
    const char *rule;
    double seconds[DEVICES]; /* 0: not said */
};

struct scenario {
    struct accounts accounts; /* limits, and what is used at the start */
    VEC(struct model_job) load;
    VEC(const char *) load_user; /* beside load */
    VEC(int64_t) load_ns;
    VEC(struct scenario_time) times;
    double start_s, turn_s, notice_s;
    double look_s; /* 0: not said */
    bool first_run;
};

/* Texts in the arena. False after a diagnostic. */
bool scenario_read(struct arena *in, struct diags *dx, const char *path, struct scenario *out);
/* The accounts of the user as they are: what is used now stays in use. */
bool scenario_of_now(struct diags *dx, const char *user, struct scenario *out);
void scenario_free(struct scenario *scenario);
/* The cluster with its load; its last account, without limits, is for jobs that are not
 * submitted. */
struct model *scenario_model(const struct scenario *scenario);
