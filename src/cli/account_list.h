// SPDX-License-Identifier: MIT
/* account_list.h: the list of accounts in a config.yaml, edited as text, so that comments and
 * everything else stay as they are, byte for byte:
 *
 *     resources:
 *       accounts:
 *         - {name: clive, gpu_slots: 1}      # an entry in one line
 *         - name: maigan                     # or in several
 *           gpu_slots: 2 */
#pragma once

#include "base/buf.h"
#include "hpc/accounts.h"

/* What is to be done with an entry. */
enum account_fate { ACCOUNT_STAYS, ACCOUNT_GOES };

struct account_edit {
    void *user;
    enum account_fate (*judge)(void *user, const char *name); /* of an entry that is there */
    /* lines for new entries, without indentation and end; NULL-terminated */
    const char *const *add;
};
struct account_edited {
    uint32_t kept, removed, added;
};

/* Adds the edited text to out. False if the text has no such list: then nothing is added. */
bool account_list_edit(const char *text, const struct account_edit *edit, struct buf *out,
                       struct account_edited *result);

/* "{name: clive, gpu_slots: 1, cpu_slots: 4, partition_gpu: ..., partition_cpu: ...}" in the
 * arena. */
const char *account_list_entry(struct arena *in, const struct accounts *accounts,
                               const struct account *account);
