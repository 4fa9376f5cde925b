// SPDX-License-Identifier: MIT
/* task_files.h: the files of a task before and after it runs. */
#pragma once

#include "run/task.h"

/* Refuses protected outputs, removes old outputs and logs, makes directories, marks outputs
 * incomplete in the store. False: task->why. */
bool files_prepare(const struct task_context *context, struct task *task);

/* After a good end: makes touch() files and missing logs. */
void task_after_body(const struct task_context *context, struct task *task);
/* Whether all outputs are there and as declared. *missing: some are only not there yet. False:
 * task->why. */
bool task_check(const struct task_context *context, struct task *task, bool *missing);
/* Has the file system look anew for absent outputs, which another machine may have made
 * (fs_renew). */
void task_renew(const struct task_context *context, const struct task *task);
/* Gives outputs their final times, and writes the benchmark: they can be stored. False:
 * task->why. */
bool task_seal(const struct task_context *context, struct task *task);
/* Then writes the record, and gives outputs their final modes. False: task->why. */
bool task_commit(const struct task_context *context, struct task *task);
/* Removes the files that were written to run it, unless they are to be kept. */
void task_remove_scripts(const struct task_context *context, const struct task *task);
/* After a failure of a task that has begun: removes outputs (unless they are to be kept) and what
 * the store knows of them. */
void task_discard(const struct task_context *context, struct task *task);
