// SPDX-License-Identifier: MIT
// stitch_run.c: what the parts of a stitch ask before they take memory.
#include "tool/stitch_run.h"

#include <string.h>

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

struct stitch_correction stitch_correction_of(const struct stitch_run *run, int channel)
{
    bool keep = !strcmp(run->options->baseline, "keep");
    const struct illum_levels *levels = &run->levels[channel - 1];
    return (struct stitch_correction){kin_f32(&run->dark[channel - 1]),
                                      kin_f32(&run->gain[channel - 1]), keep ? NULL : levels->scale,
                                      keep ? NULL : levels->shift};
}
