// SPDX-License-Identifier: MIT
/* lock.h: the lock of a working directory, mutual with Snakemake: text files N.input.lock and
 * N.output.lock in .snakemake/locks that list the inputs and outputs of a run. Two runs may share a
 * directory if no output of one is an input or output of the other. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

struct lock;

/* What a run reads and makes; borrowed during a call. */
struct lock_files {
    const char *const *inputs;
    uint32_t ninputs;
    const char *const *outputs;
    uint32_t noutputs;
};

/* Takes the lock; NULL after a diagnostic that says who holds it and how to remove a stale one
 * (--unlock), with errno: 0 unless it cannot be written. */
struct lock *lock_take(const char *dir, struct diags *dx, const struct lock_files *files);
/* The files of the run are others by now: a checkpoint has told. False after a diagnostic: another
 * run uses some of them; the lock is held all the same. */
bool lock_renew(struct lock *lock, struct diags *dx, const struct lock_files *files);
/* Only looks whether other runs are in the way of these files; false after a diagnostic. */
bool lock_look(const char *dir, struct diags *dx, const struct lock_files *files);
/* Gives it back; NULL is fine. */
void lock_release(struct lock *lock);
/* Removes the locks whose holders are known to be gone, as taking one does. */
void lock_remove_stale(const char *dir);
struct lock_owner {
    const char *host, *user; /* valid during the visit */
    long pid;
    bool is_true; /* on this machine: the process is one of who made the lock (keeper.h) */
};
/* Visits the runs that hold locks of a directory and are not known to be gone (visit: NULL to count
 * them only); how many there are. */
uint32_t lock_owners(const char *dir, void (*visit)(void *user, const struct lock_owner *owner),
                     void *user);
/* --unlock: removes all locks of the directory, whoever holds them. False with errno. */
bool lock_remove_all(const char *dir);
