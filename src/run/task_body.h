// SPDX-License-Identifier: MIT
/* task_body.h: what a task runs: the command, script or run: block of its rule, in its shadow
 * directory and software, as a launch for the executor. */
#pragma once

#include "run/task.h"

/* Before the start: evaluates params and command, removes old outputs and logs, makes directories,
 * marks the outputs incomplete. Fills *launch; its texts live in task->scratch. False: task->why
 * says what is wrong. A rule without a body has launch->shell and argv NULL: there is nothing to
 * run. */
bool task_prepare(const struct task_context *context, struct task *task, struct launch *launch);

/* Instead of it, where nothing is to be started: the task goes on since an earlier run, and shadow
 * is its shadow directory, or NULL; or its outputs are only touched. False: task->why. */
bool task_resume(const struct task_context *context, struct task *task, const char *shadow);
/* The same for a simulation: only what the job asks for; nothing on disk is touched. */
bool task_pretend(const struct task_context *context, struct task *task, struct launch *launch);

/* Prepares the body of a task for its next time: repeat() of its benchmark. False: task->why. */
bool task_repeat(const struct task_context *context, struct task *task, struct launch *launch);
