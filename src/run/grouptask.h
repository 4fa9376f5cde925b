// SPDX-License-Identifier: MIT
/* grouptask.h: one attempt at a group of jobs that run as one. The task has the jobs as its parts,
 * makers before users; its own evaluation holds what stands for the whole: threads, resources,
 * inputs from outside, outputs for the outside. */
#pragma once

#include "graph/group.h"
#include "run/pick.h"

/* Evaluates all jobs of a group and what the group asks for. NULL after diagnostics. */
struct task *group_task_new(const struct groups *groups, uint32_t k, int attempt,
                            const struct picker *picker);

/* Prepares every part and makes *launch one shell script of them all: layer by layer, the jobs of a
 * layer side by side. shell and argv are NULL if no job has a body. False: task->why. */
bool group_prepare(const struct task_context *context, struct task *task, struct launch *launch);

/* Makes the launch of one job complete in itself: directories and touch() files are made by its
 * script, as nobody is there when it ends. */
void group_complete(const struct task_context *context, struct task *task, struct launch *launch);
