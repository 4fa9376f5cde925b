// SPDX-License-Identifier: MIT
// cholesky.c: a = L L^T, then two triangular systems.
#include "core/cholesky.h"

#include <math.h>

static bool factor(double *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double v = a[i * n + j];
            for (int k = 0; k < j; k++)
                v -= a[i * n + k] * a[j * n + k];
            if (i == j && !(v > 0))
                return false;
            a[i * n + j] = i == j ? sqrt(v) : v / a[j * n + j];
        }
    return true;
}

bool cholesky_solve(double *a, double *b, int n)
{
    if (!factor(a, n))
        return false;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return true;
}
