/* SPDX-License-Identifier: MIT
 *
 * rank.h: order statistics, on the host. They reorder the values, of which none may be NaN. */
#pragma once

#include <stddef.h>

/* The value that would stand at k (counted from 0, below n) if the n values were sorted. Those
 * before it are then no larger, those behind it no smaller. */
float kin_rank_f32(float *values, size_t n, size_t k);
double kin_rank_f64(double *values, size_t n, size_t k);

/* The middle one, or the mean of the middle two; NAN: there are none. */
float kin_median_f32(float *values, size_t n);
double kin_median_f64(double *values, size_t n);

/* The one at share q of them, 0 the least, 1 the largest; NAN: there are none. */
double kin_quantile_f64(double *values, size_t n, double q);
