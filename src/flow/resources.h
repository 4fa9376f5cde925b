// SPDX-License-Identifier: MIT
/* resources.h: units of resources and where their values come from: built-in defaults, --default-resources, the
 * rule, --set-resources. */
#pragma once

#include "flow/ruleinfo.h"

struct workflow;
struct job_eval;

/* Sizes: "1.5 GB", "512MiB", "300" (MB) as MB, rounded up; false if text is none. 1 GB is 10^9 bytes, GiB binary. */
bool resource_size_mb(const char *text, int64_t *out);
/* Time spans: "1.5h", "2d", "30m", "90" (minutes) as minutes; false if text is none. */
bool resource_minutes(const char *text, int64_t *out);
/* 1000 -> "1 GB", as Snakemake shows megabytes. out: at least 32 bytes. */
void resource_show_mb(int64_t mb, char *out);
int64_t resource_mb_to_mib(int64_t mb);
int64_t resource_mib_to_mb(int64_t mib);

/* Reads --default-resources, --set-resources and --set-threads. False: complained or raised. */
bool resources_options(struct workflow *w);
/* rule->resources becomes the dict of all its resources: sizes under their _mb names, values not yet evaluated.
 * given: the rule's own, or NULL. False: raised. */
bool resources_merge(struct workflow *w, struct rule *rule, const struct given *given);
/* The value of a resource expression from the command line: a number, or a function of the job. NO_VALUE: raised. */
value resource_expression(struct workflow *w, const char *name, const char *text);
/* Whether v is a resource whose name says megabytes and whose other spellings are to be shown. */
bool resource_is_size(const char *name);
