/* SPDX-License-Identifier: MIT
 *
 * stitch_solve.h: from measured edges to places, in double on the host.
 */
#pragma once

#include "stitch.h"

/* The least correlation at which a pair counts. */
double stitch_ncc_least(const struct stitch_params *params);

/* Rejects edges that cannot be right, gives them the median of their row or column, and places all
 * tiles by weighted least squares. Fills accepted, residual and residual_rms too. False: no memory.
 */
bool stitch_solve(const struct stitch_params *params, struct stitch_model *model,
                  struct kin_error *err);
