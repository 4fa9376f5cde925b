/* SPDX-License-Identifier: MIT
 *
 * truth_places.h: where tiles lie, as stitched and as they truly are. */
#pragma once

#include "qc/truth_images.h"

struct truth_place {
    int row, col;
    double y, x;
    bool held; /* by a measured overlap at least; else it stands where the stage may have been */
};

/* Places of a cycle's tiles as stitched and as they truly are, by tile; the caller frees both. */
void truth_places(const struct comparing *c, int cycle, struct truth_place **found, int *nf,
                  struct truth_place **wanted, int *nw);

/* Error of the positions, rms and worst; unheld: the share of tiles that no overlap holds. */
struct truth_pair truth_compare_places(const struct comparing *c, double *unheld);
