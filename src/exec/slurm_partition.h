// SPDX-License-Identifier: MIT
/* slurm_partition.h: the partitions of a site with what a job may ask them for, and the one that
 * suits a job: of those that have room for it the one of which it fills most, so that small jobs
 * leave large nodes alone. Limits and scores are those of Snakemake's Slurm plugin. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct launch;

enum partition_limit {
    LIMIT_RUNTIME, /* minutes */
    LIMIT_MEM_MB,
    LIMIT_MEM_MB_PER_CPU,
    LIMIT_NODES,
    LIMIT_TASKS,
    LIMIT_TASKS_PER_NODE,
    LIMIT_MPI_TASKS,
    LIMIT_THREADS,
    LIMIT_CPUS_PER_TASK,
    LIMIT_CPUS_PER_GPU,
    LIMIT_GPU,
    PARTITION_LIMITS
};

/* How a site's file calls them: "max_runtime", ... */
extern const char *const partition_limit_names[PARTITION_LIMITS];

/* What names another cluster, as a resource or in a site's file: the first that is given counts. */
enum { SLURM_CLUSTER_NAMES = 3 };
extern const char *const slurm_cluster_names[SLURM_CLUSTER_NAMES];

struct slurm_partition {
    const char *name;
    const char *cluster;           /* that jobs must name; NULL: they must name none */
    double most[PARTITION_LIMITS]; /* INFINITY: no limit */
    const char *const *gpu_models, *const *constraints; /* NULL-terminated; NULL or empty: any */
    bool no_mpi;
};

/* All of a site, as slurm_options has them. */
struct slurm_partitions {
    const struct slurm_partition *at;
    uint32_t n;
};

/* The one that suits a launch best, of equals the first; NULL: none has room for it. */
const struct slurm_partition *slurm_partition_for(const struct slurm_partitions *partitions,
                                                  const struct launch *launch);
