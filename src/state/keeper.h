// SPDX-License-Identifier: MIT
/* keeper.h: a file that names the process that keeps something: "host pid start-of-process boot
 * user". A pid alone would be taken for that of another process once it is used again, or on
 * another machine that shares the file. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct keeper {
    char host[256], user[256], boot[64];
    uid_t writer; /* whose file it is */
    long pid;
    unsigned long long start; /* of the process, in ticks since boot; 0: not known */
};

/* Makes the file for this process; it must not be there yet. False with errno. */
bool keeper_write(const char *path);
/* False: there is no such file, or it says something else. */
bool keeper_read(const char *path, struct keeper *out);
bool keeper_is_here(const struct keeper *keeper); /* on this machine */
/* Whether a process of this machine is one of who wrote the file: others who may write in its
 * folder could name any process, and have it ended by who believes them. */
bool keeper_is_true(const struct keeper *keeper);
/* Whether it is known to be gone: on this machine, and ended or of an earlier boot. */
bool keeper_is_gone(const struct keeper *keeper);
/* Of those who see that the keeper is gone, one at a time may clear away what it kept, its file
 * last, and closes the descriptor then. -1: it is not gone, or another does that or has done it. */
int keeper_take_gone(const char *path);
/* Removes the file if its keeper is gone, never one that another has made meanwhile. */
void keeper_remove_gone(const char *path);
