// SPDX-License-Identifier: MIT
/* sidecar.h: a program of a site that runs beside the engine, as long as that submits: a server
 * that asks a scheduler for many. The first line that it prints is for the site's other commands,
 * in SNAKEMAKE_CLUSTER_SIDECAR_VARS. */
#pragma once

#include "loop/loop.h"

struct sidecar;

/* Starts it by sh; on_ready is called from the loop once it has said its line, or has ended
 * without. */
struct sidecar *sidecar_open(struct loop *loop, const char *command, void (*on_ready)(void *user),
                             void *user);
/* "SNAKEMAKE_CLUSTER_SIDECAR_VARS=...", for the environment; NULL: nothing is known so far.
 * Borrowed. */
const char *sidecar_environment(const struct sidecar *sidecar);
/* Why there will be none; NULL: it may still come. Borrowed. */
const char *sidecar_failure(const struct sidecar *sidecar);
/* Asks it to end, and frees. NULL is fine. */
void sidecar_close(struct sidecar *sidecar);
