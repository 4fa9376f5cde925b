// SPDX-License-Identifier: MIT
/* copies.h: local copies of files that live in a storage (flow/storage.h): which of them a job
 * needs before it starts, which it has made, and when nobody needs them any more. carry.c has them
 * fetched and stored. */
#pragma once

#include "flow/storage.h"
#include "run/task.h"

struct copies {
    const struct graph *g;
    /* a copy serves later jobs too; else it goes when the job that used it ends */
    bool shared;
    struct map active; /* path -> how many use the copy: running jobs, and logs on their way */
    VEC(file_id) left; /* of those that a job has used last time, and another was to use */
};

/* Files to be carried; texts in the scratch of their task. To be vec_free()d. */
struct copy_list {
    VEC(struct storage_copy);
};

/* A task (all parts of a group) begins to use copies, until copies_release. */
void copies_take(const struct task_context *context, struct task *task);
/* Adds what a task (all parts of a group) needs at its local paths. */
void copies_wanted(const struct task_context *context, struct task *task, struct copy_list *out);
/* Adds what a part has made that belongs into a storage; logs alone after a failure. */
void copies_made(const struct task_context *context, struct task *part, bool logs_only,
                 struct copy_list *out);
/* Adds those outputs of a part that may be in a storage, except those that are updated in place. */
void copies_old(const struct task_context *context, struct task *part, struct copy_list *out);
/* Whether a file that was being stored may be half made: it is in a storage that is no file
 * system. */
bool copies_is_half(const struct task_context *context, struct task *task,
                    const struct job_file *file);
/* Whether a file has a copy, in a storage; in the arena. */
bool copies_find(const struct graph *g, file_id file, struct arena *in, struct storage_copy *out);
/* Takes what is known of a file that was just stored from its copy, which is as old. False: it has
 * none, or its storage is a file system, which is asked as soon. */
bool copies_know(const struct task_context *context, struct task *task, sym_t path);
/* A copy is used by nobody in particular, until it is dropped. */
void copies_hold(const struct task_context *context, const char *path);
/* That use of it has ended. */
void copies_drop(const struct task_context *context, const char *path);
/* The task has ended: copies that nobody needs go. */
void copies_release(const struct task_context *context, struct task *task);
/* The run has ended: copies for jobs that have not run go, too. */
void copies_end(struct copies *copies);
