/* SPDX-License-Identifier: MIT
 *
 * solve.h: from measured edges to places, in double on the host. */
#pragma once

#include "stitch/stitch.h"

/* The least correlation at which a pair counts. */
double stitch_ncc_least(const struct stitch_params *params);

/* Where pairs of a kind should be displaced to, and how far from there they are looked for; px, y
 * and x. */
struct stitch_reach {
    int nominal[2], radius[2];
};
/* For tiles one below the other, or side by side. */
struct stitch_reach stitch_reach(const struct stitch_params *params, bool vertical);

/* Whether an edge correlates better than tiles that have nothing in common. */
bool stitch_edge_counts(const struct stitch_params *params, const struct stitch_edge *edge);

/* Rejects edges that cannot be right, gives them what the stage does elsewhere, and places all
 * tiles by weighted least squares. Fills accepted, residual, loops and residual_rms too. False: no
 * memory. */
bool stitch_solve(const struct stitch_params *params, struct stitch_model *model,
                  struct kin_error *err);
