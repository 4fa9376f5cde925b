// SPDX-License-Identifier: MIT
/* assign.h: KINTSUGI's assignment of jobs to accounts, decided once, by number of the job:
 *
 *     slots free now        clive 1, maigan 2
 *     job 1                 clive          a queue of every account as often as it has free slots
 *     jobs 2, 3             maigan
 *     jobs 4, 5, 6, 7, ...  maigan, clive, maigan, clive   beyond it round all that have any
 *
 * Accounts without free slots are skipped; if none has any, the slots that are not free count. */
#pragma once

#include <stdint.h>

struct assign_slots {
    int64_t all, free; /* free: -1 if it is not known: then all of them */
};

/* The account of job number i (from 0); n if no account has a slot. */
uint32_t assign_account(const struct assign_slots *slots, uint32_t n, uint64_t i);
