// SPDX-License-Identifier: MIT
/* pools.h: GPU slots and CPU slots of all accounts as two pools that fill at once, and the choice
 * between them for a job that can use either: the slot on which it is expected to end first.
 *
 *     struct pool_choice c = pools_choose(&pools, &(struct pool_times){{30e9, 150e9}}, &wish, now);
 *     pools_take(&pools, &c);
 *     ... the job has ended ...
 *     pools_give(&pools, &c, now); */
#pragma once

#include <stdbool.h>

#include "base/pool.h"

enum device { DEVICE_GPU, DEVICE_CPU, DEVICES };
extern const char *const device_names[DEVICES]; /* "gpu", "cpu" */

struct pool_slot {
    uint32_t account;
    int64_t free_ns; /* when the jobs that have it are expected to have ended */
    int64_t late_ns; /* of this: how much later than once thought, by the last end */
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
    int64_t late_ns;          /* of the slot, in these */
};

/* n more slots of an account. */
void pools_add(struct pools *pools, enum device device, uint32_t account, int64_t n);
/* What a choice has to keep to. */
struct pool_wish {
    uint32_t account; /* of equals, slots of this one; UINT32_MAX: any */
    bool only;        /* on that account alone */
    /* By account: how many more slots of the device may be in use at once (memory); NULL: all. */
    const int64_t *room[DEVICES];
};
/* The slot where the job ends first; of equals, or nearly so, a GPU, then the account wished for,
 * then the first. */
struct pool_choice pools_choose(const struct pools *pools, const struct pool_times *times,
                                const struct pool_wish *wish, int64_t now_ns);
/* How many slots of an account there are, and are in use. */
int64_t pools_count(const struct pools *pools, enum device device, uint32_t account);
int64_t pools_busy(const struct pools *pools, enum device device, uint32_t account, int64_t now_ns);
/* The slot is the job's from now on. */
void pools_take(struct pools *pools, const struct pool_choice *choice);
/* The job has ended now: those behind it on that slot come sooner or later than was expected. */
void pools_give(struct pools *pools, const struct pool_choice *choice, int64_t now_ns);
/* Frees what it holds. */
void pools_free(struct pools *pools);
