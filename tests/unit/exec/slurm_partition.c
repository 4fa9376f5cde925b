// SPDX-License-Identifier: MIT
/* The partition that suits a job: as Snakemake's Slurm plugin 2.8.0 chooses
 * (get_best_partition). */
#include "exec/slurm_partition.h"

#include <math.h>

#include "exec/exec.h"
#include "test.h"

enum { MOST = 4 };

#define NO_LIMITS                                                                                  \
    {                                                                                              \
        INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY,  \
            INFINITY, 0                                                                            \
    }

static const char *const any[] = {NULL};
static struct slurm_partition at[] = {
    {.name = "short", .most = NO_LIMITS, .no_mpi = true},
    {.name = "long", .most = NO_LIMITS},
    {.name = "gpu", .most = NO_LIMITS, .gpu_models = (const char *const[]){"a100", "h100", NULL}},
    {.name = "large", .most = NO_LIMITS, .constraints = (const char *const[]){"intel", "ib", NULL}},
    {.name = "away", .most = NO_LIMITS, .cluster = "other", .gpu_models = any, .constraints = any},
};

static const struct row {
    const char *says;
    struct launch_resource resources[MOST];
    int cores;
    const char *expect; /* NULL: none */
} rows[] = {
    {"a short job fills the short partition most", {{"runtime", "60", false}}, 1, "short"},
    {"a longer one does not fit there", {{"runtime", "500", false}}, 1, "long"},
    {"nor does one with more threads", {{"runtime", "60", false}}, 8, "long"},
    {"or more cpus_per_task", {{"cpus_per_task", "8", false}}, 1, "long"},
    {"much memory", {{"mem_mb", "500000", false}}, 1, "large"},
    {"a gpu", {{"gpu", "2", false}}, 1, "gpu"},
    {"more than there are", {{"gpu", "9", false}}, 1, NULL},
    {"of a model that is there", {{"gres", "gpu:a100:1", false}}, 1, "gpu"},
    {"and of none", {{"gres", "gpu:v100:1", false}}, 1, NULL},
    {"gres without a gpu", {{"gres", "shard:2", false}, {"runtime", "60", false}}, 1, "short"},
    {"cpus_per_gpu count where there are gpus",
     {{"gpu", "1", false}, {"cpus_per_gpu", "20", false}},
     1,
     NULL},
    {"and nowhere else", {{"cpus_per_gpu", "20", false}, {"runtime", "60", false}}, 1, "short"},
    {"mpi", {{"mpi", "mpiexec", false}, {"runtime", "60", false}}, 1, "long"},
    {"a constraint", {{"mem_mb", "500000", false}, {"constraint", "ib,intel", false}}, 1, "large"},
    {"that is not there", {{"mem_mb", "500000", false}, {"constraint", "ib,amd", false}}, 1, NULL},
    {"a cluster", {{"cluster", "other", false}}, 64, "away"},
    {"whose lists are empty",
     {{"cluster", "other", false}, {"gres", "gpu:v100:1", false}, {"constraint", "ib", false}},
     1,
     "away"},
    {"an unknown one", {{"clusters", "third", false}}, 1, NULL},
};

int main(void)
{
    at[0].most[LIMIT_RUNTIME] = 120;
    at[1].most[LIMIT_RUNTIME] = 10000;
    at[0].most[LIMIT_THREADS] = 4;
    at[1].most[LIMIT_THREADS] = at[3].most[LIMIT_THREADS] = 64;
    at[0].most[LIMIT_MEM_MB] = at[1].most[LIMIT_MEM_MB] = at[2].most[LIMIT_MEM_MB] = 64000;
    at[2].most[LIMIT_GPU] = at[4].most[LIMIT_GPU] = 8;
    at[2].most[LIMIT_CPUS_PER_GPU] = 16;
    struct slurm_partitions all = {at, sizeof at / sizeof *at};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct launch launch = {.cores = rows[i].cores, .resource = rows[i].resources};
        while (launch.nresource < MOST && rows[i].resources[launch.nresource].name)
            launch.nresource++;
        const struct slurm_partition *best = slurm_partition_for(&all, &launch);
        is(best ? best->name : "none", rows[i].expect ? rows[i].expect : "none", rows[i].says);
    }
    return done();
}
