// SPDX-License-Identifier: MIT
/* shadow.h: a directory of its own for a job that says `shadow:`. What the job leaves there beside
 * its outputs and logs goes away with it.
 *
 *   minimal, copy-minimal   only the inputs, as links or copies
 *   shallow                 a link to each entry of the working directory
 *   full                    its directories remade, a link to each file */
#pragma once

#include "run/task.h"

/* Makes the directory and sets task->shadow to its absolute path, if the rule wants one. False:
 * task->why. */
bool shadow_open(const struct task_context *context, struct task *task);
/* Whether its inputs are copies. */
bool shadow_copies(const struct task *task);
/* Puts in it what the job is to see; when old outputs are gone. False: task->why. */
bool shadow_fill(const struct task_context *context, struct task *task);
/* Whether a file lies in a directory that is an output, with which it moves. */
bool shadow_holds(const struct task_context *context, const struct task *task, const char *path);
/* Moves outputs (not after a failure) and logs to where they belong and removes the directory. True
 * if the task has none. False: task->why; with good the directory stays, to be closed once more. */
bool shadow_close(const struct task_context *context, struct task *task, bool good);
