// SPDX-License-Identifier: MIT
// stitch_run.c: what the parts of a stitch ask before they take memory.
#include "tool/stitch_run.h"

bool stitch_room(const struct stitch_run *run, const char *what, size_t least, size_t most,
                 struct kin_error *err)
{
    size_t memory = run->params.memory, held = run->params.held;
    if (held + most > memory / 2)
        kin_return_blocks();
    return held + least <= memory ||
           kin_fail(err, KIN_MEMORY,
                    "%d MB are too little memory to find %s: at least %zu MB (--memory)",
                    run->options->common.memory, what, ((held + least) >> 20) + 1);
}
