// SPDX-License-Identifier: MIT
/* routing.h: which accounts a workflow may use, by its config, and what its rules took before. */
#pragma once

#include "base/words.h"
#include "cli/session.h"
#include "run/route.h"

/* config["resources"]["accounts"] of the loaded workflow, else all accounts of `now` that may be
 * used. In the session's arena; *n may be 0. Those of the list that Slurm would refuse go to gone
 * instead (NULL: they stay). False after a diagnostic: an entry without a name. */
bool routing_accounts(struct session *s, const struct accounts *now,
                      const struct route_account **out, uint32_t *n, struct words *gone);
/* Whether the config of the workflow lists accounts. */
bool routing_lists_accounts(struct session *s);
/* config["cpu_time_multiplier"], in resources or on top; 0 if it is not there. False after a
 * diagnostic: it is no number above 0. */
bool routing_cpu_factor(struct session *s, double *out);
/* Calls know for every job of earlier runs that ended well. */
void routing_recall(struct session *s,
                    void (*know)(void *user, const char *rule, enum device device, double seconds),
                    void *user);
/* --reroute-after, and the time between looks that goes with it. False after a diagnostic. */
bool routing_pace(struct session *s, int64_t *patience_ns, int64_t *look_ns);
/* Adds live_accounts=JSON to what --config says, unless that says it already. True if it was
 * added. */
bool routing_inject(struct session *s, const struct accounts *now);
