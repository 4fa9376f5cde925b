// SPDX-License-Identifier: MIT
/* slurm_args.h: what a job asks for, as options of sbatch. Values never see a shell: each is one
 * word of an argument list. */
#pragma once

#include "base/arena.h"
#include "base/pool.h"
#include "exec/exec.h"

typedef VEC(const char *) slurm_words; /* texts in an arena; free with vec_free */

/* Adds the options for a launch: those of its own #SBATCH lines first, then its resources, which
 * win. NULL, or what is wrong with them, in the arena. */
const char *slurm_args(struct arena *in, const struct launch *launch,
                       const struct slurm_options *options, slurm_words *out);

/* Cuts text into words as a shell would, with quotes and backslashes and nothing else. False: a
 * quote is open. */
bool slurm_split(struct arena *in, const char *text, slurm_words *out);

/* The options in the #SBATCH lines at the head of a script, in the order given. NULL, or what is
 * wrong, in the arena. */
const char *slurm_script_args(struct arena *in, const char *script, slurm_words *out);

/* The value of an option in such a list ("output", 'o'), the last one; NULL if it is not there. */
const char *slurm_find_arg(const char *const *words, uint32_t n, const char *name, char letter);

/* The number of a resource, or otherwise if it is not given; and its text or NULL. */
int64_t launch_number(const struct launch *launch, const char *name, int64_t otherwise);
const char *launch_text(const struct launch *launch, const char *name);
/* The generic resources of a launch, GPUs that it asks for otherwise (gpu, gpu_model) included:
 * "gpu:a100:2"; NULL: none. */
const char *launch_gres(struct arena *in, const struct launch *launch);
