// SPDX-License-Identifier: MIT
/* foresight.h: what becomes of the jobs that stay behind when one leaves its account. What remains
 * of a queue may be packed otherwise, and end later for it: of jobs of 30, 60 and 40 GB the first
 * and the last run side by side in 70 GB; where the first has gone, the one of 60 takes the room
 * and the last waits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "hpc/tres.h"

/* A job of ours in an account's queue, which is in the order in which they are started. */
struct foresight_job {
    struct tres request;
    int64_t run_ns; /* how long it is expected to take */
    int64_t end_ns; /* when it is expected to end, if it runs; 0: it waits */
};

/* Whether those that wait, without the one of number `leaver`, start no later on average, and the
 * last ends no later, than with it: as far as is expected, and in trials where jobs take half to
 * twice as long; with what others use there for ever, and gone at once. The same question has the
 * same answer. It is not asked of jobs that are alike, nor of more than 128: who of so many is
 * first is nothing to the whole. */
bool foresight_is_safe(struct tres limit, struct tres others, const struct foresight_job *jobs,
                       uint32_t n, uint32_t leaver, int64_t now_ns);
