// SPDX-License-Identifier: MIT
/* units.h: sizes and time spans as people write them in resources, read and shown as Snakemake
 * does. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* "1.5 GB", "512MiB" as bytes; false if text is no number with a unit. */
bool size_bytes(const char *text, double *out);
/* Sizes: "1.5 GB", "512MiB", "300" (MB) as MB, rounded up; false if text is none. 1 GB is 10^9
 * bytes, GiB binary. */
bool resource_size_mb(const char *text, int64_t *out);
/* Time spans: "1.5h", "2d", "30m", "90" (minutes) as minutes; false if text is none. */
bool resource_minutes(const char *text, int64_t *out);
/* 1000 -> "1 GB", as Snakemake shows megabytes. out: at least 32 bytes. */
void resource_show_mb(int64_t mb, char *out);
/* Between the two: Snakemake rounds so. */
int64_t resource_mb_to_mib(int64_t mb);
int64_t resource_mib_to_mb(int64_t mib);
/* Whether the name says megabytes of a size whose other spellings are to be shown. */
bool resource_is_size(const char *name);
