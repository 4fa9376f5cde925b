// SPDX-License-Identifier: MIT
/* part.h: names for what is not there as a whole yet: ".part-WHAT-WHERE-PID-START" beside what it
 * is to become. WHERE tells the machine as it has been since its start, START the process of that
 * PID (procfs.h): what a process has left that was killed is told from what one writes. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* A name beside a path, in the arena, that no other process uses for it, also on another machine
 * that sees the same file system. */
const char *part_beside(struct arena *in, const char *path);
/* Whether the last component of a path is such a name. */
bool part_is_one(const char *path);
/* Whether it is the name of one whose process has ended; false also where nobody can tell: it is of
 * another machine, or of before this one was started. */
bool part_is_left(const char *path);
