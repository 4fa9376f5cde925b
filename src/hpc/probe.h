// SPDX-License-Identifier: MIT
/* probe.h: asks the site what its accounts have. Sources, in this order, each only where those
 * before it left something open: sacctmgr (which accounts), scontrol show assoc_mgr (limits, use of
 * all users), squeue (who, and what waits), sacctmgr (limits), slurmInfo, scontrol show node.
 *
 *     struct probe *probe = probe_start(loop, &options, &accounts, on_done, user);
 *     ... loop_run ... on_done(user) once; then &accounts is filled, the probe is gone */
#pragma once

#include "hpc/accounts.h"
#include "loop/loop.h"

struct probe;

struct probe_options {
    const char *user;
    const char *const *names; /* only these accounts, NULL-terminated; NULL: all of the user's */
    uint64_t timeout_ms;      /* of each command; 0: 15 s */
    bool partitions;          /* are asked for, too */
    bool again;               /* accounts and limits are known: only use is asked for */
};

/* Everything borrowed until on_done, which is called from the loop. */
struct probe *probe_start(struct loop *loop, const struct probe_options *options,
                          struct accounts *accounts, void (*on_done)(void *user), void *user);
/* on_done will not be called; commands that run are left to end. */
void probe_stop(struct probe *probe);

/* The same with a loop of its own. True if any account was found. */
bool probe_accounts(const struct probe_options *options, struct accounts *accounts);
