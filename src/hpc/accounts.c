// SPDX-License-Identifier: MIT
/* accounts.c: accounts and what they leave free; read by accounts_read.c, shown by
 * accounts_text.c. */
#include "hpc/accounts.h"

#include <string.h>
#include <strings.h>

enum { CPUS_PER_JOB = 8, MEM_PER_JOB_GB = 48, CPU_PERCENT = 85 };

struct account *accounts_find(const struct accounts *accounts, const char *name, size_t len)
{
    for (uint32_t i = 0; i < accounts->all.len; i++)
        if (strlen(accounts->all.at[i].name) == len &&
            !strncasecmp(accounts->all.at[i].name, name, len))
            return &accounts->all.at[i];
    return NULL;
}

struct account *accounts_add(struct accounts *accounts, const char *name, size_t len)
{
    struct account *known = accounts_find(accounts, name, len);
    if (known)
        return known;
    struct account account = {.name = arena_copy(&accounts->arena, name, len),
                              .qos_limit = tres_unset,
                              .own_limit = tres_unset,
                              .limit = tres_unset,
                              .burst = len > 2 && !memcmp(name + len - 2, "-b", 2)};
    account.qos = account.name;
    vec_push(&accounts->all, account);
    return &accounts->all.at[accounts->all.len - 1];
}

struct parent *accounts_parent(const struct accounts *accounts, const char *name)
{
    for (uint32_t i = 0; name && i < accounts->parents.len; i++)
        if (!strcmp(accounts->parents.at[i].name, name))
            return &accounts->parents.at[i];
    return NULL;
}

void accounts_block(struct accounts *accounts, const struct blocked *blocked, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct account *account = accounts_find(accounts, blocked[i].name, strlen(blocked[i].name));
        if (account && !account->blocked)
            account->blocked = &blocked[i];
    }
}

bool account_usable(const struct account *account)
{
    return !account->blocked && !account->burst && !account->no_qos;
}

static bool is_set(const struct tres *tres)
{
    return tres->cpu >= 0 || tres->mem_mb >= 0 || tres->gpu >= 0;
}

void accounts_forget_use(struct accounts *accounts)
{
    accounts->queue_seen = false;
    for (uint32_t i = 0; i < accounts->parents.len; i++)
        accounts->parents.at[i].asked = !is_set(&accounts->parents.at[i].limit);
    for (uint32_t i = 0; i < accounts->all.len; i++) {
        struct account *account = &accounts->all.at[i];
        account->qos_used = account->own_used = account->running = (struct tres){0};
        account->pending = account->queued = (struct tres){0};
        account->use_from = FROM_NOBODY;
        account->counts = false;
        account->holders.len = account->counted.len = 0;
    }
}

/* The QOS counts all its jobs, the association those of the account: where the QOS has no limit, it
 * is the association that fills up; where the controller does not show that, squeue may. */
static void finish_account(struct account *account, bool queue_seen)
{
    bool by_qos = is_set(&account->qos_limit) || !is_set(&account->own_limit);
    account->limit = tres_tighter(account->qos_limit, account->own_limit);
    if (account->use_from == FROM_SCONTROL && !by_qos && !account->counts && queue_seen)
        account->use_from = FROM_SQUEUE;
    if (account->use_from == FROM_SCONTROL)
        account->running = by_qos ? account->qos_used : account->own_used;
    else if (account->use_from == FROM_SQUEUE)
        account->running = account->queued;
}

static void bound_one(int64_t above, int64_t used_above, int64_t *limit, int64_t *used)
{
    if (above < 0)
        return;
    int64_t left = above > used_above ? above - used_above : 0;
    *limit = *limit < 0 || above < *limit ? above : *limit;
    if (*used < *limit - left)
        *used = *limit - left;
}

/* No more is left to an account than to those above it. */
static void bound_by_parents(const struct accounts *accounts, struct account *account)
{
    const struct parent *parent = accounts_parent(accounts, account->parent);
    for (uint32_t i = 0; parent && i < accounts->parents.len; i++) {
        bound_one(parent->limit.cpu, parent->used.cpu, &account->limit.cpu, &account->running.cpu);
        bound_one(parent->limit.mem_mb, parent->used.mem_mb, &account->limit.mem_mb,
                  &account->running.mem_mb);
        bound_one(parent->limit.gpu, parent->used.gpu, &account->limit.gpu, &account->running.gpu);
        parent = accounts_parent(accounts, parent->parent);
    }
}

void accounts_finish(struct accounts *accounts)
{
    for (uint32_t i = 0; i < accounts->all.len; i++) {
        struct account *account = &accounts->all.at[i];
        if (account->use_from == FROM_NOBODY && accounts->queue_seen)
            account->use_from = FROM_SQUEUE;
        finish_account(account, accounts->queue_seen);
        bound_by_parents(accounts, account);
    }
}

bool accounts_are_known(const struct accounts *accounts)
{
    bool known = accounts->queue_seen;
    for (uint32_t i = 0; i < accounts->all.len; i++)
        known |= accounts->all.at[i].limit_from != FROM_NOBODY ||
                 accounts->all.at[i].use_from != FROM_NOBODY;
    return known;
}

struct tres account_limit(const struct accounts *accounts, const struct account *account)
{
    struct tres limit = account->limit;
    limit.cpu = limit.cpu < 0 ? accounts->cluster.cpu : limit.cpu;
    limit.mem_mb = limit.mem_mb < 0 ? accounts->cluster.mem_mb : limit.mem_mb;
    limit.gpu = limit.gpu < 0 ? accounts->cluster.gpu : limit.gpu;
    return limit;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

struct slots account_slots(const struct accounts *accounts, const struct account *account)
{
    struct tres limit = account_limit(accounts, account), used = account->running;
    int64_t cpus = accounts->cpus_per_job ? accounts->cpus_per_job : CPUS_PER_JOB;
    int64_t mem_gb = accounts->mem_per_job_gb ? accounts->mem_per_job_gb : MEM_PER_JOB_GB;
    int64_t capped = limit.cpu * CPU_PERCENT / 100;
    tres_add(&used, &account->pending);
    struct tres left = tres_left(limit, used);
    int64_t cpus_left = capped > used.cpu ? capped - used.cpu : 0;
    return (struct slots){.gpu = limit.gpu,
                          .cpu = capped / cpus,
                          .gpu_free = left.gpu,
                          .mem_free_gb = left.mem_mb / 1024,
                          .cpu_free = least(cpus_left / cpus, left.mem_mb / 1024 / mem_gb)};
}

void accounts_free(struct accounts *accounts)
{
    for (uint32_t i = 0; i < accounts->all.len; i++) {
        vec_free(&accounts->all.at[i].holders);
        vec_free(&accounts->all.at[i].counted);
    }
    vec_free(&accounts->all);
    vec_free(&accounts->parents);
    vec_free(&accounts->notes);
    arena_free(&accounts->arena);
    *accounts = (struct accounts){.cpus_per_job = accounts->cpus_per_job,
                                  .mem_per_job_gb = accounts->mem_per_job_gb};
}
