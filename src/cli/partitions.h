// SPDX-License-Identifier: MIT
/* partitions.h: a site's file of partitions and their limits (--slurm-partition-config), as
 * Snakemake's Slurm plugin reads it:
 *
 *     partitions:
 *       short: {max_runtime: "4h", max_mem_mb: 64000, max_threads: 16}
 *       gpu: {max_runtime: "2-00:00:00", max_gpu: 8, available_gpu_models: [a100, h100]} */
#pragma once

#include "base/diag.h"
#include "exec/slurm_partition.h"

struct arena;

/* Reads it, in the arena. False after a diagnostic. */
bool partitions_read(struct arena *in, struct diags *dx, const char *path,
                     struct slurm_partitions *out);
