// SPDX-License-Identifier: MIT
/* usage.h: what a process and all that it has started use, looked at from time to time in /proc:
 * the numbers of benchmark files that the kernel does not add up itself. */
#pragma once

#include <stdbool.h>

/* Megabytes (1024 * 1024). Memory: the most that was seen at once; input and output: what the
 * processes had moved that were there at the last look. */
struct usage {
    bool seen;
    double rss, vms, uss, pss;
    double in, out;
};

/* Looks at a process tree once; usage keeps the largest values. Processes that end meanwhile are
 * passed over. */
void usage_look(struct usage *usage, int pid);
