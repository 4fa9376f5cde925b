// SPDX-License-Identifier: MIT
/* copies.h: local copies of files that live in a storage (flow/storage.h): fetched before a job,
 * stored after it, removed when no job needs them any more. */
#pragma once

#include "run/task.h"

struct copies {
    const struct graph *g;
    /* a copy serves later jobs too; else it goes when the job that used it ends */
    bool shared;
    struct map active; /* file -> how many running jobs use its copy */
    VEC(file_id) left; /* of those that a job has used last time, and another was to use */
};

/* Brings what a task (all parts of a group) reads to its local paths. False: task->why. */
bool copies_fetch(const struct task_context *context, struct task *task);
/* Stores what a part of a task has made, logs alone after a failure. False: task->why. */
bool copies_store(const struct task_context *context, struct task *task, bool logs_only);
/* Removes what the storage holds of a task's outputs, except those that are updated in place. */
bool copies_remove_old(const struct task_context *context, struct task *task);
/* A temporary file goes from its storage too. False: *why, in the arena. */
bool copies_remove(const struct graph *g, file_id file, struct arena *in, const char **why);
/* The task has ended: copies that nobody needs go. */
void copies_release(const struct task_context *context, struct task *task);
/* The run has ended: copies for jobs that have not run go, too. */
void copies_end(struct copies *copies);
