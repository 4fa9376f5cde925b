// SPDX-License-Identifier: MIT
/* spread.h: work that waits for a disk or a network, many pieces of it at a time. */
#pragma once

#include <stddef.h>

/* Calls work(user, i) once for each i < n, in no order, and returns when all have returned. This
 * thread works alone for a few milliseconds; when that was not enough, up to 15 others help, which
 * end before it returns. Where the system gives no threads it goes on alone. work changes nothing
 * that another piece or anybody else looks at meanwhile. */
void spread(size_t n, void (*work)(void *user, size_t i), void *user);
