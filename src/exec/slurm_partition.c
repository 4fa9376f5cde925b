// SPDX-License-Identifier: MIT
#include "exec/slurm_partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- what a job asks for ---- */

struct demand {
    double of[PARTITION_LIMITS];                  /* 0: nothing */
    const char *cluster, *gpu_model, *constraint; /* or NULL */
    bool mpi;
};

/* "gpu:2", "gpu:a100:2" among the words of gres; *named: what it says of the model, in the buffer,
 * or NULL. */
static double gres_gpus(const char *gres, char model[64], const char **named)
{
    *named = NULL;
    const char *at = gres ? strstr(gres, "gpu") : NULL;
    const char *first = at ? strchr(at, ':') : NULL, *end = at ? at + strcspn(at, ",") : NULL;
    if (!first || first > end)
        return 0;
    const char *second = memchr(first + 1, ':', (size_t)(end - first - 1));
    size_t len = second ? (size_t)(second - first - 1) : 0;
    if (second && len < 64) {
        memcpy(model, first + 1, len);
        model[len] = 0;
        *named = model;
    }
    return strtod((second ? second : first) + 1, NULL);
}

static struct demand demand_of(const struct launch *launch, char model[64])
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
    static const char *const clusters[] = {"slurm_cluster", "cluster", "clusters"};
    for (int i = 0; i < 3 && !d.cluster; i++)
        d.cluster = launch_text(launch, clusters[i]);
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        const char *text = launch_text(launch, resources[i]);
        d.of[i] = text ? fmax(strtod(text, NULL), 0) : 0;
    }
    d.of[LIMIT_GPU] = (double)launch_number(launch, "gpu", 0);
    d.gpu_model = launch_text(launch, "gpu_model");
    if (d.of[LIMIT_GPU] <= 0)
        d.of[LIMIT_GPU] = gres_gpus(launch_text(launch, "gres"), model, &d.gpu_model);
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
    char model[64];
    struct demand demand = demand_of(launch, model);
    for (uint32_t i = 0; i < partitions->n; i++) {
        double score = score_of(&partitions->at[i], &demand);
        if (score > most) {
            most = score;
            best = &partitions->at[i];
        }
    }
    return best;
}
