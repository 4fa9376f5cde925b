// SPDX-License-Identifier: MIT
/* site.h: the options of a run that submits its jobs. */
#pragma once

#include "cli/session.h"
#include "run/remote.h"

/* Whether --executor names one that hands jobs to Slurm itself. */
bool site_is_slurm(const struct options *options);
/* Whether --executor names one that submits jobs. */
bool site_is_used(const struct options *options);
/* Whether the commands are there with which it submits them. False after a diagnostic. */
bool site_is_there(struct session *s);
/* --groups, --group-components. */
struct group_options site_groups(const struct options *options);
/* The words of --slurm-array-jobs, which Snakemake's plugin separates by commas or semicolons: a
 * number, "all" or rules; NULL: none. */
const char *const *site_array_words(struct session *s);
/* The options of submit, status and cancel commands, job scripts, names, local cores. False after a
 * diagnostic. */
bool site_fill(struct session *s, struct remote_options *out);
