// SPDX-License-Identifier: MIT
/* background.h: --detach: the process goes on as a child in a session of its own. What it says
 * before it has begun its work, the caller of the program sees. */
#pragma once

#include "base/diag.h"

/* In the child: -1; its output is appended to log from now on. In the parent: the exit status. It
 * says who goes on and where the log is, and waits until the child calls background_begun(), or
 * ends: then it shows what the child has written, and the status is the child's. EXIT_BAD after a
 * diagnostic. */
int background_go(const char *log, struct diags *dx);
/* Nothing that follows could be told at once. Does nothing in a process that has not come from
 * background_go(), or has called this before. */
void background_begun(void);
