// SPDX-License-Identifier: MIT
/* spawn.h: starting a program whose descriptors the caller has opened. */
#pragma once

#include <stdbool.h>

struct spawn {
    const char **argv; /* NULL-terminated; argv[0] is looked up on PATH */
    const char **env;  /* NULL: inherited */
    const char *cwd;   /* NULL: inherited */
    int fd[3];         /* what becomes its stdin, stdout, stderr; -1: inherited */
    int keep;          /* one more descriptor that it inherits under the same number; 0: none */
    bool new_session;
    bool with_us; /* it ends when this process does */
};

/* The pid; or -errno if it could not be started, then *at_cwd says whether cwd was the reason. */
int spawn_start(const struct spawn *spawn, bool *at_cwd);
