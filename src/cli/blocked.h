// SPDX-License-Identifier: MIT
/* blocked.h: accounts that are not to be used, from files blocked_accounts.yaml:
 *
 *     - name: clive
 *       reason: limited to 1 GPU, and full of the group's own jobs
 *       date: 2026-04-12
 *
 * of the site (/etc/kintsugi, or the folder that KINTSUGI_SITE names), of the user
 * (~/.config/kintsugi) and of the project (its folder workflow, or itself). */
#pragma once

#include "base/diag.h"
#include "base/pool.h"
#include "hpc/accounts.h"

typedef VEC(struct blocked) blocked_list;

/* All entries; texts in the arena. False after a diagnostic: an entry without reason or date. */
bool blocked_read(struct arena *in, struct diags *dx, const char *project, blocked_list *out);
