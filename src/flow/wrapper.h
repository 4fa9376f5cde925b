// SPDX-License-Identifier: MIT
/* wrapper.h: wrappers, which rules name by version and folder ("v3.3.3/bio/bwa/mem"): a script, and
 * beside it the environment.yaml of what it calls. Without --wrapper-prefix they come from
 * snakemake/snakemake-wrappers on GitHub; a name may also be a URL or an absolute path, of the
 * folder or of the script in it. */
#pragma once

#include "base/arena.h"

struct scope;
struct workflow;

/* Where what has this name lies; scope: of the rule that names it. NULL: raised. */
const char *wrapper_origin(struct workflow *w, struct arena *in, const struct scope *scope,
                           const char *name);
/* The script of the wrapper at an origin, as a local file. NULL: raised. */
const char *wrapper_script(struct workflow *w, struct arena *in, const char *origin);
/* The origin of its environment's definition, which need not be there. */
const char *wrapper_environment(struct arena *in, const char *origin);
/* The Snakefile of a meta-wrapper, a module of several rules with wrappers. *tag: the version that
 * stands for "master" in its rules, or NULL. NULL: raised. */
const char *wrapper_snakefile(struct workflow *w, struct arena *in, const char *name,
                              const char **tag);
