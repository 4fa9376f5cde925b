// SPDX-License-Identifier: MIT
#include "exec/slurm_partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/gres.h"
#include "exec/slurm_args.h"

const char *const partition_limit_names[PARTITION_LIMITS] = {
    [LIMIT_RUNTIME] = "max_runtime",
    [LIMIT_MEM_MB] = "max_mem_mb",
    [LIMIT_MEM_MB_PER_CPU] = "max_mem_mb_per_cpu",
    [LIMIT_NODES] = "max_nodes",
    [LIMIT_TASKS] = "max_tasks",
    [LIMIT_TASKS_PER_NODE] = "max_tasks_per_node",
    [LIMIT_MPI_TASKS] = "max_mpi_tasks",
    [LIMIT_THREADS] = "max_threads",
    [LIMIT_CPUS_PER_TASK] = "max_cpus_per_task",
    [LIMIT_CPUS_PER_GPU] = "max_cpus_per_gpu",
    [LIMIT_GPU] = "max_gpu",
};

const char *const slurm_cluster_names[SLURM_CLUSTER_NAMES] = {"slurm_cluster", "cluster",
                                                              "clusters"};

/* ---- what a job asks for ---- */

struct demand {
    double of[PARTITION_LIMITS];                  /* 0: nothing */
    const char *cluster, *gpu_model, *constraint; /* or NULL */
    bool mpi;
};

/* The model in "tmp:5,gpu:a100:2"; NULL: it says none. */
static const char *gpu_model(struct arena *in, const char *gres)
{
    while (strncmp(gres, "gpu:", 4)) {
        const char *comma = strchr(gres, ',');
        if (!comma)
            return NULL;
        gres = comma + 1;
    }
    gres += 4;
    size_t len = strcspn(gres, ":,");
    return strspn(gres, "0123456789") < len ? arena_copy(in, gres, len) : NULL;
}

static struct demand demand_of(struct arena *in, const struct launch *launch)
{
    static const char *const resources[] = {[LIMIT_RUNTIME] = "runtime",
                                            [LIMIT_MEM_MB] = "mem_mb",
                                            [LIMIT_MEM_MB_PER_CPU] = "mem_mb_per_cpu",
                                            [LIMIT_NODES] = "nodes",
                                            [LIMIT_TASKS] = "tasks",
                                            [LIMIT_TASKS_PER_NODE] = "tasks_per_node",
                                            [LIMIT_MPI_TASKS] = "mpi_tasks"};
    struct demand d = {.constraint = launch_text(launch, "constraint"),
                       .mpi = launch_text(launch, "mpi")};
    for (int i = 0; i < SLURM_CLUSTER_NAMES && !d.cluster; i++)
        d.cluster = launch_text(launch, slurm_cluster_names[i]);
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        const char *text = launch_text(launch, resources[i]);
        d.of[i] = text ? fmax(strtod(text, NULL), 0) : 0;
    }
    const char *gres = launch_gres(in, launch);
    d.of[LIMIT_GPU] = gres ? (double)gres_gpus(gres, strlen(gres)) : 0;
    d.gpu_model = gres ? gpu_model(in, gres) : NULL;
    d.of[LIMIT_THREADS] = launch->cores > 0 ? launch->cores : 1;
    if (launch_text(launch, "cpus_per_task"))
        d.of[LIMIT_CPUS_PER_TASK] = fmax((double)launch_number(launch, "cpus_per_task", 1), 1);
    else if (d.of[LIMIT_GPU] > 0 && launch_text(launch, "cpus_per_gpu"))
        d.of[LIMIT_CPUS_PER_GPU] = fmax((double)launch_number(launch, "cpus_per_gpu", 0), 0);
    else
        d.of[LIMIT_CPUS_PER_TASK] = d.of[LIMIT_THREADS];
    return d;
}

/* ---- how it fits ---- */

/* Whether a word is in a list; an empty one does not say. */
static bool is_listed(const char *const *list, const char *word, size_t len)
{
    if (!*list)
        return true;
    while (*list && (strlen(*list) != len || memcmp(*list, word, len)))
        list++;
    return *list;
}

/* Whether all words of a constraint, separated by commas, are listed. */
static bool are_listed(const char *const *list, const char *words)
{
    for (const char *at = words; *at;) {
        at += strspn(at, ", ");
        size_t len = strcspn(at, ", ");
        if (len && !is_listed(list, at, len))
            return false;
        at += len;
    }
    return true;
}

/* Adds the share of a limit that is asked for; false: it is more than all. */
static bool add_share(double asked, double most, double *score)
{
    if (asked <= 0 || isinf(most))
        return true;
    *score += asked / most;
    return asked <= most;
}

/* Shares of all limits that it asks of, added; -INFINITY: it does not fit. */
static double score_of(const struct slurm_partition *p, const struct demand *d)
{
    double score = 0;
    bool fits = d->cluster ? p->cluster && !strcmp(p->cluster, d->cluster) : !p->cluster;
    for (int i = 0; i < PARTITION_LIMITS && fits; i++)
        fits = add_share(d->of[i], p->most[i], &score);
    fits = fits && add_share(d->of[LIMIT_CPUS_PER_TASK], p->most[LIMIT_THREADS], &score);
    if (d->of[LIMIT_GPU] > 0 && d->gpu_model && p->gpu_models)
        fits = fits && is_listed(p->gpu_models, d->gpu_model, strlen(d->gpu_model));
    if (d->constraint && p->constraints)
        fits = fits && are_listed(p->constraints, d->constraint);
    if (!fits || (d->mpi && p->no_mpi))
        return -INFINITY;
    bool spare_gpus = d->of[LIMIT_GPU] <= 0 && p->most[LIMIT_GPU] > 0;
    return score - spare_gpus; /* they are for jobs that use them */
}

const struct slurm_partition *slurm_partition_for(const struct slurm_partitions *partitions,
                                                  const struct launch *launch)
{
    const struct slurm_partition *best = NULL;
    double most = -INFINITY;
    struct arena scratch = {0};
    struct demand demand = demand_of(&scratch, launch);
    for (uint32_t i = 0; i < partitions->n; i++) {
        double score = score_of(&partitions->at[i], &demand);
        if (score > most) {
            most = score;
            best = &partitions->at[i];
        }
    }
    arena_free(&scratch);
    return best;
}
