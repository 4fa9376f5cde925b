// SPDX-License-Identifier: MIT
/* memsize.h: sizes of memory as Slurm reads and prints them: 4000 (MB), 1500k, 4GB, 812.50G, 1P,
 * and what older ones print of a request for each CPU or node, 2Gc, 4Gn. Units are of 1024, in
 * either case. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* In MB, rounded up, as sbatch counts it, and never so much that sums overflow. -1: no such size
 * (N/A, UNLIMITED, empty). */
int64_t memsize_mb(const char *text, size_t len);
/* In KB, rounded down; a number without a unit is in bytes, as sacct prints what was used. */
int64_t memsize_used_kb(const char *text, size_t len);
