// SPDX-License-Identifier: MIT
/* slurm_asks.h: how much a job asks Slurm for, all its nodes and tasks together, as sbatch counts
 * it. */
#pragma once

#include "exec/slurm_args.h"

struct slurm_asks {
    int64_t cpus, mem_mb, gpus; /* mem_mb 0: not stated */
};

/* What the options of sbatch add up to: "--ntasks=4 --cpus-per-task=2 --mem=8G" is 8 CPUs. */
struct slurm_asks slurm_asks_of(const char *const *words, uint32_t n);
/* The same for the options that a launch will have. */
struct slurm_asks slurm_asks(const struct launch *launch);
