// SPDX-License-Identifier: MIT
/* choices.h: the options of `run` whose values are certain words. */
#pragma once

#include "cli/options.h"

/* Whether all of them were given words that they know, and no two options that exclude each other;
 * false after a diagnostic that names those. */
bool choices_check(const struct options *options, struct diags *dx);
/* A profile may name a logger that is a plug-in of Snakemake: its jobs are the same without, so a
 * warning serves. */
void choices_drop_logger(struct options *options, struct diags *dx);
