/* SPDX-License-Identifier: MIT
 *
 * cholesky.h: small symmetric systems in double, on the host. */
#pragma once

#include <stdbool.h>

/* b becomes a^-1 b: a (n, n) is symmetric and positive, only its lower half is read, and it is
 * destroyed. False: it is not positive; b is as it was. */
bool cholesky_solve(double *a, double *b, int n);
