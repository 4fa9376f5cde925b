// SPDX-License-Identifier: MIT
/* loop_inner.h: what loop.c and process.c share; only this layer includes it. Every uv handle's
 * data points to its owner, whose first member is a struct owner; NULL for the loop's own
 * handles. */
#pragma once

#include <stdint.h>
#include <uv.h>

struct process;

/* Whatever has handles of its own. */
struct owner {
    void (*close)(
        struct owner *owner); /* starts the closing of all its handles; may be called twice */
};

/* A program as PATH has it. */
struct found {
    char *name, *search, *path; /* owned; search: the PATH in which it was found */
};

struct loop {
    uv_loop_t uv;
    uv_signal_t children;  /* SIGCHLD; keeps the loop alive while there are processes */
    struct process *first; /* those running, youngest first; owned by themselves */
    int null_fd;           /* /dev/null */
    struct found found;    /* the program started last */
    int stopped;
    char block[64 << 10]; /* where pipes are read to */
};

/* Looks which children have ended; the callback of children. */
void process_reap(struct loop *loop);
/* Frees what is remembered of a program. */
void found_free(struct found *found);
/* Closes the handles of all processes that still run; they are not reported. */
void process_abandon_all(struct loop *loop);
