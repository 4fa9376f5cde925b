// SPDX-License-Identifier: MIT
/* benchmark.h: benchmark files: a row for each time that the body of a task has run. */
#pragma once

#include "run/task.h"

/* Notes how the body ended. */
void benchmark_note(struct task *task, const struct exec_event *end);
/* Whether the body is to run once more: repeat(file, n). */
bool benchmark_goes_on(const struct task *task);
/* Writes the file, Snakemake's table or, for NAME.jsonl, a JSON object a line. False: task->why. */
bool benchmark_write(const struct task_context *context, struct task *task);
