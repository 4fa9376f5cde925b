// SPDX-License-Identifier: MIT
/* orphan.h: jobs that outlive an engine that was killed. A local job must not go on writing while
 * the next run makes the same files. Every child inherits a mark in its environment that names the
 * engine and the working directory; the next run in that directory ends what carries the mark of an
 * engine that is gone. */
#pragma once

#include <stdbool.h>

#define ORPHAN_MARK "KINTSUGI_FLOW_OWNER" /* the variable; empty: nobody's child */

/* Marks this process, and so all that it starts. */
void orphan_mark(const char *workdir);

/* Kills marked processes of this directory whose engine no longer lives, and waits until they are
 * gone (2 s at most). Returns how many there were. Only processes of this user, on this machine.
 * spares: whether those of an engine by its pid stay: its run has gone well, and what a job of it
 * has left in the background, such as a server, is meant to be there. */
int orphan_kill(const char *workdir, bool (*spares)(void *user, long owner), void *user);
