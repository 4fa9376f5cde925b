// SPDX-License-Identifier: MIT
/* profile.h: default options from YAML files: --profile (several; $SNAKEMAKE_PROFILE),
 * --workflow-profile, and profiles/default beside the Snakefile or in the working directory. The
 * command line goes before the workflow profile, that before a later --profile, that before an
 * earlier one. */
#pragma once

#include "cli/session.h"

/* False after diagnostics. say: each is named on stderr. */
bool profiles_apply(struct session *s, bool say);
