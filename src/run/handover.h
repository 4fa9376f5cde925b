// SPDX-License-Identifier: MIT
/* handover.h: what goes with a job that is handed to a scheduler, so that it can be found again: a
 * key that is the same in every run, a fingerprint of what it computes, and the journal in the
 * store. */
#pragma once

#include "run/grouptask.h"

/* Fills keys, fingerprint and the time of the inputs of a launch; the task need not be prepared.
 * False after diagnostics. */
bool handover_identify(struct graph *g, struct task *task, struct launch *launch);
/* The options in the #SBATCH lines of the task's own script, if it has one. What is wrong with
 * them, in the task's scratch, or NULL. */
const char *handover_read_script(struct task *task, struct launch *launch);
/* handover_identify, and the memo, of a task that has been prepared. False: task->why. */
bool handover_mark(const struct task_context *context, struct task *task, struct launch *launch);
/* handover_mark and handover_read_script, and what else Slurm is told: log folder, comment, place,
 * outputs. False: task->why. */
bool handover_describe(const struct task_context *context, struct task *task,
                       struct launch *launch);
/* Makes a task that was not prepared in this run one that has been, with the memo of its launch.
 * False: task->why. */
bool handover_resume(const struct task_context *context, struct task *task, const char *memo);

/* The journal of a store, which is borrowed. What another run that goes on has submitted is not
 * passed on. */
struct exec_journal handover_journal(struct state *state);
/* How many submissions of earlier runs have not ended, of those whose tokens begin so (past.h; "":
 * all). */
uint32_t handover_open_submissions(struct state *state, const char *tokens);
/* Of these, how many no other run follows. */
uint32_t handover_left_submissions(struct state *state);
/* Shows (and cancels) what an earlier run has left running that is not part of this one. */
void handover_orphans(const struct graph *g, struct executor *executor, bool cancel);
