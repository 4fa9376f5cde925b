// SPDX-License-Identifier: MIT
/* spec.h: a run: block is carried out by a child of this engine, which reads the Snakefile again
 * and one job from a spec file: fields that end in NUL bytes, so that any path fits:
 *
 *     rule NAME, attempt N, jobid N, threads N, wildcards COUNT VALUE...,
 *     inputs COUNT (PATH NAME LISTED)..., resources COUNT (NAME IS_TEXT VALUE)...,
 *     shadow directory or nothing */
#pragma once

#include "run/task.h"

/* Writes the spec below .snakemake/scripts and gives the child's command line (in the task's
 * scratch); *file is the spec's path. NULL: task->why. */
const char *const *spec_command(const struct task_context *context, struct task *task,
                                const char **file);

/* In the child: runs the block. False after diagnostics. */
bool spec_run(struct workflow *workflow, const char *file);
