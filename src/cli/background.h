// SPDX-License-Identifier: MIT
/* background.h: --detach: the process goes on as a child in a session of its own. What it says
 * before it has begun its work, the caller of the program sees. */
#pragma once

#include <stdbool.h>

typedef void background_say(void *user, long child, const char *log);

/* In the child: -1; its output goes to log from now on, behind what stands there or (afresh) in its
 * place. In the parent: the exit status. say is called at once; then this waits until the child
 * calls background_begun(), or ends: then it shows what the child has written, and the status is
 * the child's. EXIT_BAD after an error on stderr. */
int background_go(const char *log, bool afresh, background_say *say, void *user);
/* Nothing that follows could be told at once. Does nothing in a process that has not come from
 * background_go(), or has called this before. */
void background_begun(void);
