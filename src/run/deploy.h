// SPDX-License-Identifier: MIT
/* deploy.h: makes the software stacks that jobs ask for (flow/software.h): conda environments,
 * pulled images; and says how commands run in them. The tools (conda, mamba or micromamba;
 * apptainer or singularity) are looked for when they are first needed. Calls wait until the tools
 * have ended.
 *
 *     struct deploy *deploy = deploy_new(workflow, say, user);
 *     deploy_make(deploy, &software, false, &why) && deploy_wrap(deploy, &software, ...) */
#pragma once

#include "flow/software.h"

struct deploy;

/* say: one line about what is being done. */
struct deploy *deploy_new(struct workflow *workflow, void (*say)(void *user, const char *text),
                          void *user);
void deploy_free(struct deploy *deploy);

/* Makes what a stack lacks; each stack once. only_tell: says what would be made. False: *why. */
bool deploy_make(struct deploy *deploy, const struct software *software, bool only_tell,
                 struct buf *why);

/* The folder with the packages of an environment that has been made, relative to the working
 * directory; fetched if it is not there. NULL: *why. */
const char *deploy_archive(struct deploy *deploy, const struct software *software, struct buf *why);

/* How a command of a job runs in a stack that has been made. cwd: where a container starts, NULL:
 * the working directory; script_dir: a directory that it must see, or NULL. In the arena; false:
 * *why. */
bool deploy_wrap(struct deploy *deploy, const struct software *software, const char *cwd,
                 const char *script_dir, struct arena *in, struct software_wrap *out,
                 struct buf *why);
/* Whether the stack has a Python of its own that can run scripts. */
bool deploy_has_python(struct deploy *deploy, const struct software_wrap *wrap);
