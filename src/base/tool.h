// SPDX-License-Identifier: MIT
/* tool.h: other programs that are called and waited for. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/* Where PATH has a program, in malloc memory; NULL: nowhere. */
char *tool_find(const char *name);
/* Whether PATH holds a program of that name. */
bool tool_on_path(const char *name);
/* Runs a command by a shell (found on PATH) and adds what it writes to both its outputs, or only to
 * the first, to out. *status: its exit status, or less than 0: -(the signal that ended it). False
 * with errno: it could not be started; then *status is -1. */
bool tool_run(const char *shell, const char *command, bool errors_too, struct buf *out,
              int *status);
/* The same with both outputs, and with an input, which no list of processes shows as it does a
 * command; it has to fit into a pipe (64 KiB as a rule). */
bool tool_feed(const char *shell, const char *command, const char *input, struct buf *out,
               int *status);
/* The same with this program's own inputs and outputs, as a terminal has them. */
bool tool_wait(const char *shell, const char *command, int *status);
