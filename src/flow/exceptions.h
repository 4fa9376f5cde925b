// SPDX-License-Identifier: MIT
/* exceptions.h: the classes of snakemake.exceptions. */
#pragma once

#include "python/value.h"

struct workflow;

/* The class of that name, made on first use; one that Snakemake has not is derived from
 * Exception. */
value flow_class(struct workflow *w, const char *class_name);
/* Puts all of them into the module snakemake.exceptions. False: raised. */
bool exceptions_fill(struct workflow *w, value module);
