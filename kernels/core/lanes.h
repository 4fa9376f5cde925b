/* SPDX-License-Identifier: MIT
 *
 * lanes.h: the same on several threads beside each other, for work that needs a few threads each
 * and waits now and then. */
#pragma once

#include "kintsugi.h"

enum { KIN_LANES = 16 }; /* at most */

/* Calls what(user, i) for each i below `lanes`, the first on this thread, each of the others on one
 * of its own; returns when all have ended. Parallel loops that they begin have `threads` threads.
 */
void kin_lanes(int lanes, int threads, void (*what)(void *user, int lane), void *user);

/* Calls what(user, i) for each i below n, in this order, on the next lane that is free, until it
 * has answered false. */
void kin_lanes_each(int n, int lanes, int threads, bool (*what)(void *user, int i), void *user);
