// SPDX-License-Identifier: MIT
/* pools.h: GPU slots and CPU slots of all accounts as two pools that fill at once, and the choice
 * between them for a job that can use either: the slot on which it is expected to end first.
 *
 *     struct pool_choice c = pools_choose(&pools, &(struct pool_times){{30e9, 150e9}}, UINT32_MAX, false, now);
 *     pools_take(&pools, &c);
 *     ... the job has ended ...
 *     pools_give(&pools, &c, now);
 */
#pragma once

#include <stdbool.h>

#include "base/pool.h"

enum device { DEVICE_GPU, DEVICE_CPU, DEVICES };
extern const char *const device_names[DEVICES]; /* "gpu", "cpu" */

struct pool_slot {
    uint32_t account;
    int64_t free_ns; /* when the jobs that have it are expected to have ended */
};

struct pools {
    VEC(struct pool_slot) slots[DEVICES];
};

/* How long the job takes on a device; 0: it cannot use it. */
struct pool_times {
    int64_t ns[DEVICES];
};

struct pool_choice {
    bool found;
    enum device device;
    uint32_t account, slot;
    int64_t start_ns, end_ns; /* expected */
};

/* n more slots of an account. */
void pools_add(struct pools *pools, enum device device, uint32_t account, int64_t n);
/* The slot where the job ends first; of equals a GPU, then the account asked for (or any:
 * UINT32_MAX), then the first. only: on that account alone. */
struct pool_choice pools_choose(const struct pools *pools, const struct pool_times *times,
                                uint32_t account, bool only, int64_t now_ns);
/* The slot is the job's from now on. */
void pools_take(struct pools *pools, const struct pool_choice *choice);
/* The job has ended now: those behind it on that slot come sooner or later than was expected. */
void pools_give(struct pools *pools, const struct pool_choice *choice, int64_t now_ns);
void pools_free(struct pools *pools);
