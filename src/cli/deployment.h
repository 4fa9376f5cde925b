// SPDX-License-Identifier: MIT
/* deployment.h: the software of rules and the options about it: scripts, conda, containers,
 * environment modules. */
#pragma once

#include "cli/session.h"
#include "flow/software.h"

/* What of them the workflow needs to know. */
struct software_options deployment_options(struct session *s);
/* Visits the stack of every job (only: of those that must run), once for a rule where all are the
 * same. The session's deploy is there then. False: visit said so, or a directive raised. */
bool deployment_each(struct session *s, bool only,
                     bool (*visit)(struct session *s, const struct software *software, void *user),
                     void *user);
/* Makes what all jobs that must run (or all: every job) ask for; only_tell: says it. False after a
 * diagnostic. */
bool deployment_make(struct session *s, bool all, bool only_tell);
/* Whether the scripts, notebooks and wrappers of jobs that must run (or all: of every job) are
 * there, so that it is told before anything runs, not hours later; remote ones are fetched. Not
 * those whose names depend on the job. False after a diagnostic. */
bool deployment_scripts(struct session *s, bool all);
/* Notices about software that is asked for and not used. */
void deployment_say_ignored(struct session *s);
/* --list-conda-envs, --conda-create-envs-only, --conda-cleanup-envs, --container-cleanup-images:
 * the exit status; -1: none was given. */
int deployment_verbs(struct session *s);
