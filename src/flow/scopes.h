// SPDX-License-Identifier: MIT
/* scopes.h: what a resource counts against: a limit over all jobs of the run (global), or only
 * within one submitted job (local); and the limits of --resources. */
#pragma once

#include "flow/workflow.h"

/* Reads --set-resource-scopes. False: complained. */
bool resource_scopes_options(struct workflow *w);
/* Whether a resource is local to a submitted job: what the command line says, else the Snakefile,
 * else memory and disk are. The spellings mem, mem_mb and mem_mib are one. */
bool resource_is_local(const struct workflow *w, const char *name);

struct resource_limit {
    const char *name; /* borrowed from the workflow */
    int64_t total;
};
/* The limits of --resources in standard units (mem_mb), in the arena. */
struct resource_limit *resource_limits(const struct workflow *w, struct arena *in, uint32_t *n);
