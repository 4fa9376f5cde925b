// SPDX-License-Identifier: MIT
/* procfs.h: what the system tells of processes. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* When a process was started, in clock ticks since boot: with its pid, which is used again, it
 * names one process. 0 if there is none, or nobody can tell. *dead (may be NULL): it has ended, and
 * only its parent has not asked for its status. */
unsigned long long process_started(long pid, bool *dead);
/* Whether the process that was started then (0: not known) is none any more. One that the system
 * hides from this user has not ended. */
bool process_has_ended(long pid, unsigned long long start);
/* Whose process it is; false: there is none, or the system hides it from this user. */
bool process_user(long pid, uid_t *user);
/* Whether a process of this group has not ended. */
bool process_group_lives(long group);
enum { PROCESS_BOOT_SIZE = 64 };
/* A text for the time since the last start of this machine; false if nobody can tell. */
bool process_boot(char out[PROCESS_BOOT_SIZE]);
/* A number for the set of processes among which pids mean the same (a container has its own); 0 if
 * nobody can tell. */
unsigned long long process_namespace(void);
