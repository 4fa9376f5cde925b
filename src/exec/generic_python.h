// SPDX-License-Identifier: MIT
/* generic_python.h: submit scripts in Python read a job script with snakemake.utils; where
 * Snakemake is not installed, they find a small package of that name. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* Writes the package below dir; false with errno. */
bool generic_python_write(struct arena *in, const char *dir);
/* "PYTHONPATH=..." with dir at the end of what is set already, in the arena. */
const char *generic_python_path(struct arena *in, const char *dir);
