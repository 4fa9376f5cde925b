// SPDX-License-Identifier: MIT
/* gres.h: generic resources as Slurm writes them: "gpu:a100:2", "gres/gpu:2,gres/nvme:1",
 * "gpu:4(S:0-1)". */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* How many GPUs they are: "gpu" is one; 0 for N/A. */
int64_t gres_gpus(const char *text, size_t len);
/* The others: "lscratch:9" of "gpu:1,lscratch:9"; "" if there are none. */
const char *gres_without_gpus(struct arena *in, const char *text);
