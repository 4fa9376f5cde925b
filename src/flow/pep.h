// SPDX-License-Identifier: MIT
/* pep.h: `pepfile:` and `pepschema:`: a sample sheet as a portable encapsulated project, read by
 * peppy and checked by eido, which are foreign Python. */
#pragma once

#include "base/source.h"
#include "python/value.h"

struct workflow;

/* Makes the project of a file the scope's `pep`. False: raised. */
bool pep_load(struct workflow *w, value path, struct span span);
/* Checks that project against a schema, whose path is relative to the Snakefile. False: raised. */
bool pep_check(struct workflow *w, value schema, struct span span);
