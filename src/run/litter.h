// SPDX-License-Identifier: MIT
/* litter.h: what a process makes for a while and removes itself, wherever that lies: shadow
 * directories, scripts of jobs, files that are half copied into a cache or a storage. It is noted,
 * so that a later run in the same directory can remove what a killed one has left.
 *
 *     .snakemake/litter/.part-WHAT-WHERE-PID-START    (base/part.h) of one process: absolute paths,
 *                                                     each ended by a NUL byte */
#pragma once

/* Notes a path that this process is about to make, or has just made, for itself. Without effect if
 * workdir is NULL (what is made is to outlive this process) or nothing can be noted. */
void litter_note(const char *workdir, const char *path);
/* All that this process has noted is gone again. */
void litter_end(const char *workdir);
/* Removes what processes of this user on this machine have noted and that are gone. */
void litter_sweep(const char *workdir);
