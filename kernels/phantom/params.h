/* SPDX-License-Identifier: MIT
 *
 * params.h: what may be chosen of a phantom. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct phantom_params {
    uint64_t seed;
    int cycles, channels, planes;
    int rows, cols;     /* tiles */
    int tile_h, tile_w; /* pixels */
    double overlap;     /* fraction of a tile */
    int difficulty;     /* 1 kind, 2 usual, 3 hard */
    double xy_nm, z_nm;
    bool skip_truth_images; /* no in-focus and signal images: for sizes where they would not fit */
};
