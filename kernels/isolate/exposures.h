/* SPDX-License-Identifier: MIT
 *
 * exposures.h: how long each channel of each cycle was exposed, as microscopes write it down
 * (CODEX: exposure_times.txt):
 *
 *     Cycle,CH1,CH2,CH3,CH4
 *     1,10,500,350,500 */
#pragma once

#include "kintsugi.h"

struct exposures {
    int cycles, channels;
    double *ms; /* (cycles, channels); owned */
};

/* Reads the times of all cycles and channels, all above 0; fields are parted by commas, semicolons
 * or blanks, the line with the names may be missing. False: KIN_INPUT with the line. */
bool exposures_read(const char *path, int cycles, int channels, struct exposures *out,
                    struct kin_error *err);
void exposures_free(struct exposures *exposures);

/* Milliseconds; cycle and channel count from 1. */
double exposures_ms(const struct exposures *exposures, int cycle, int channel);
