// SPDX-License-Identifier: MIT
#include "hpc/pools.h"

const char *const device_names[DEVICES] = {"gpu", "cpu"};

void pools_add(struct pools *pools, enum device device, uint32_t account, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        vec_push(&pools->slots[device], ((struct pool_slot){.account = account}));
}

/* Expected ends are averages: a CPU that is sooner by less than a 32nd of the time until then is no
 * sooner. So a ratio of run times that is a whole number, where two choices tie, is decided alike
 * whatever the last few milliseconds say. */
static bool is_better(const struct pool_choice *a, const struct pool_choice *b, uint32_t account,
                      int64_t now_ns)
{
    if (!b->found)
        return true;
    if (a->device != b->device)
        return a->end_ns < b->end_ns - (b->end_ns - now_ns) / 32;
    return a->end_ns != b->end_ns ? a->end_ns < b->end_ns
                                  : a->account == account && b->account != account;
}

struct pool_choice pools_choose(const struct pools *pools, const struct pool_times *times,
                                const struct pool_wish *wish, int64_t now_ns)
{
    struct pool_choice best = {0};
    for (int d = 0; d < DEVICES; d++) {
        for (uint32_t i = 0; times->ns[d] && i < pools->slots[d].len; i++) {
            const struct pool_slot *slot = &pools->slots[d].at[i];
            int64_t start = slot->free_ns > now_ns ? slot->free_ns : now_ns;
            struct pool_choice one = {.found = true,
                                      .device = (enum device)d,
                                      .account = slot->account,
                                      .slot = i,
                                      .start_ns = start,
                                      .end_ns = start + times->ns[d],
                                      .late_ns = slot->late_ns};
            bool held = slot->free_ns <= now_ns && wish->room[d] &&
                        wish->room[d][slot->account] <= 0;
            if (!held && (!wish->only || slot->account == wish->account) &&
                is_better(&one, &best, wish->account, now_ns))
                best = one;
        }
    }
    return best;
}

int64_t pools_busy(const struct pools *pools, enum device device, uint32_t account, int64_t now_ns)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < pools->slots[device].len; i++)
        n += pools->slots[device].at[i].account == account &&
             pools->slots[device].at[i].free_ns > now_ns;
    return n;
}

int64_t pools_count(const struct pools *pools, enum device device, uint32_t account)
{
    return pools_busy(pools, device, account, -1);
}

void pools_take(struct pools *pools, const struct pool_choice *choice)
{
    pools->slots[choice->device].at[choice->slot].free_ns = choice->end_ns;
}

void pools_give(struct pools *pools, const struct pool_choice *choice, int64_t now_ns)
{
    struct pool_slot *slot = &pools->slots[choice->device].at[choice->slot];
    int64_t late = now_ns - (choice->end_ns - choice->late_ns);
    slot->free_ns += late - slot->late_ns;
    slot->late_ns = late;
}

void pools_free(struct pools *pools)
{
    for (int d = 0; d < DEVICES; d++)
        vec_free(&pools->slots[d]);
}
