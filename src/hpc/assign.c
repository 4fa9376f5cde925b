// SPDX-License-Identifier: MIT
#include "hpc/assign.h"

#include <stdbool.h>

static int64_t count(const struct assign_slots *slots, bool fixed)
{
    int64_t n = fixed || slots->free < 0 ? slots->all : slots->free;
    return n > 0 ? n : 0;
}

uint32_t assign_account(const struct assign_slots *slots, uint32_t n, uint64_t i)
{
    uint64_t usable = 0, before = 0;
    bool fixed = true;
    for (uint32_t k = 0; k < n; k++)
        fixed &= !count(&slots[k], false);
    for (uint32_t k = 0; k < n; k++) {
        uint64_t here = (uint64_t)count(&slots[k], fixed);
        if (i - before < here)
            return k;
        before += here;
        usable += here > 0;
    }
    uint64_t turn = usable ? i % usable : 0;
    for (uint32_t k = 0; k < n && usable; k++)
        if (count(&slots[k], fixed) && !turn--)
            return k;
    return n;
}
