// SPDX-License-Identifier: MIT
/* module_snakemake.h: import snakemake.utils, .io, .exceptions, .logging, .shell natively. */
#pragma once

#include "python/native.h"

struct workflow;

/* Makes the modules known to the workflow's vm. */
void module_snakemake_add(struct workflow *w);
/* The object `logger`. NO_VALUE: raised. */
value module_snakemake_logger(struct workflow *w);
/* The function async_run. */
value module_snakemake_async_run(struct vm *vm);
