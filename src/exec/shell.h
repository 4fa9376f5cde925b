// SPDX-License-Identifier: MIT
/* shell.h: how a job's shell text becomes a program to run. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* The shell that runs commands: bash, or sh where there is none. In static storage. */
const char *shell_program(void);

/* A command longer than this is run from a file, as one argument of a program cannot hold it. */
enum { SHELL_ARGUMENT_MAX = 65535 };

/* Writes such a command to a new file .snakemake/shell_tmp.XXXXXX/script.sh below dir; its path in
 * the arena, NULL with errno. */
char *shell_script(struct arena *in, const char *dir, const char *command);
/* Removes the file and its directory. */
void shell_script_remove(const char *path);

/* "OMP_NUM_THREADS=4", ... and, if tmpdir is not NULL, "TMPDIR=...", ...; NULL-terminated, in the
 * arena. */
const char *const *shell_environment(struct arena *in, int threads, const char *tmpdir);

/* The environment of this process with additions ("K=V", NULL-terminated) that replace what has the
 * same name; in the arena, its texts borrowed. */
const char *const *shell_merge_environment(struct arena *in, const char *const *additions);
