// SPDX-License-Identifier: MIT
/* capacity.h: what a run on Slurm knows of its accounts: asked for before the workflow is read,
 * which gets it as live_accounts; looked at again while jobs wait. */
#pragma once

#include "cli/session.h"
#include "run/run.h"

struct capacity;

/* With --executor slurm: asks the site and gives the workflow live_accounts, unless the command
 * line does. False after a diagnostic (a blocked_accounts.yaml that is wrong). Where nothing can be
 * learnt the run goes on without. */
bool capacity_detect(struct session *s);
/* Of the loaded workflow: shows the pool of its accounts. */
void capacity_show(struct session *s);
/* Reads what its config says of accounts. False after a diagnostic. */
bool capacity_read(struct session *s);
/* Of what capacity_read has read: whether an account of the workflow has room; if not, false after
 * a diagnostic that says who fills them (in a dry run a warning). Workflows that list no accounts
 * are not judged. */
bool capacity_check(struct session *s);
/* Waits until one has. False: interrupted. */
bool capacity_wait(struct session *s);
/* The route of a run, NULL where there are no accounts to choose from; it lives as long as the
 * session. False after a diagnostic. */
bool capacity_route(struct session *s, struct route **out);
void capacity_free(struct capacity *capacity);
