// SPDX-License-Identifier: MIT
/* backup.h: outputs that a job updates in place are copied to .snakemake/backup first, and put back
 * if it fails. */
#pragma once

#include "run/task.h"

/* Copies what update() outputs hold now; one that a killed job has left half changed is put back
 * first. False: task->why. */
bool backup_make(const struct task_context *context, struct task *task);
/* Puts one back; false if there was none: then what stands there is the failed job's. */
bool backup_restore(const struct task_context *context, const char *path);
/* Forgets the copies: all parts of the task have ended well. */
void backup_drop(const struct task_context *context, struct task *task);
