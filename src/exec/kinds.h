// SPDX-License-Identifier: MIT
/* kinds.h: the executors by their variables; for exec.c's table. */
#pragma once

struct executor_kind;

extern const struct executor_kind exec_local;   /* local.c: children of this process */
extern const struct executor_kind exec_fake;    /* fake.c: nothing runs; outcomes by script */
extern const struct executor_kind exec_generic; /* generic.c: a submit command of the site */
extern const struct executor_kind exec_slurm;   /* slurm.c: sbatch */
extern const struct executor_kind exec_pool;    /* slurm_pool.c: steps in held allocations */
