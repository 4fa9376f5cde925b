// SPDX-License-Identifier: MIT
// rank.c: selection by partitions around the value that lies where the wanted one belongs (Hoare,
// CACM 4:321, 1961).
#include "core/rank.h"

#include <math.h>

#define SELECTION(type, rank, median)                                                              \
    type rank(type *values, size_t n, size_t k)                                                    \
    {                                                                                              \
        ptrdiff_t first = 0, last = (ptrdiff_t)n - 1, wanted = (ptrdiff_t)k;                       \
        while (first < last) {                                                                     \
            type pivot = values[wanted];                                                           \
            ptrdiff_t i = first, j = last;                                                         \
            while (i <= j) {                                                                       \
                while (values[i] < pivot)                                                          \
                    i++;                                                                           \
                while (values[j] > pivot)                                                          \
                    j--;                                                                           \
                if (i <= j) {                                                                      \
                    type kept = values[i];                                                         \
                    values[i++] = values[j];                                                       \
                    values[j--] = kept;                                                            \
                }                                                                                  \
            }                                                                                      \
            first = j < wanted ? i : first;                                                        \
            last = wanted < i ? j : last;                                                          \
        }                                                                                          \
        return values[wanted];                                                                     \
    }                                                                                              \
                                                                                                   \
    type median(type *values, size_t n)                                                            \
    {                                                                                              \
        if (!n)                                                                                    \
            return NAN;                                                                            \
        type upper = rank(values, n, n / 2), lower = values[0];                                    \
        for (size_t i = 1; i < n / 2; i++)                                                         \
            lower = values[i] > lower ? values[i] : lower;                                         \
        return n % 2 ? upper : (lower + upper) / 2;                                                \
    }

SELECTION(float, kin_rank_f32, kin_median_f32)
SELECTION(double, kin_rank_f64, kin_median_f64)

double kin_quantile_f64(double *values, size_t n, double q)
{
    return n ? kin_rank_f64(values, n, (size_t)lround(q * (double)(n - 1))) : NAN;
}
