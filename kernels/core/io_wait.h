/* SPDX-License-Identifier: MIT
 *
 * io_wait.h: how long threads stood still for files.
 *
 *     struct io_mark mark = io_enter();
 *     ... read or write ...
 *     io_leave(&mark);
 *
 * What passes between the two less the processor time that the thread had in it, and less the time
 * it stood in the queue for a processor: decoding and a busy machine are not waiting for a disk. */
#pragma once

#include <stdint.h>

struct io_mark {
    int64_t wall, busy; /* ns */
};

/* Around what reads or writes, on the same thread. */
struct io_mark io_enter(void);
void io_leave(const struct io_mark *mark);

/* Seconds that all threads together have waited so far. */
double io_wait(void);
