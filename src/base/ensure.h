// SPDX-License-Identifier: MIT
/* ensure.h: broken invariants of our own end the program here; never used on what a user gives. */
#pragma once

#include <stdnoreturn.h>

/* Aborts with the place and the condition when it does not hold; also in release builds. */
#define ensure(cond) ((cond) ? (void)0 : ensure_failed(#cond, __FILE__, __LINE__))

/* What ensure() calls. */
noreturn void ensure_failed(const char *cond, const char *file, int line);

/* Ends the program with a message and status 1: memory has run out. */
noreturn void out_of_memory(void);
/* The same: the system refuses what nothing goes on without, "open /dev/null"; error is an
 * errno. */
noreturn void out_of_means(const char *what, int error);
