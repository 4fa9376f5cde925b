// SPDX-License-Identifier: MIT
/* task_files.h: private to the run layer: the files of a task before and after it runs. */
#pragma once

#include "run/task.h"

/* Refuses protected outputs, removes old outputs and logs, makes directories, marks outputs
 * incomplete in the store. False: task->why. */
bool files_prepare(const struct task_context *context, struct task *task);
