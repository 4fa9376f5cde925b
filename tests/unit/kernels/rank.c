// SPDX-License-Identifier: MIT
// rank.h beside sorting: every rank and the median, on values with and without ties, in order,
// reversed and random.
#include "core/rank.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 70 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void fill(double *values, int n, int kind)
{
    for (int i = 0; i < n; i++)
        values[i] = kind == 0   ? i
                    : kind == 1 ? n - i
                    : kind == 2 ? rand() % 5
                    : kind == 3 ? rand()
                                : 7;
    if (kind == 3 && n > 2)
        values[n / 2] = INFINITY, values[n / 3] = -INFINITY;
}

static bool parted(const double *values, int n, int k)
{
    bool good = true;
    for (int i = 0; i < n; i++)
        good &= i < k ? values[i] <= values[k] : values[i] >= values[k];
    return good;
}

int main(void)
{
    bool rank = true, parts = true, median = true, floats = true;
    for (int n = 1; n <= MOST; n++) {
        for (int kind = 0; kind < 5; kind++) {
            double values[MOST], sorted[MOST], work[MOST];
            float narrow[MOST];
            fill(values, n, kind);
            memcpy(sorted, values, sizeof sorted);
            qsort(sorted, (size_t)n, sizeof *sorted, by_value);
            for (int k = 0; k < n; k++) {
                memcpy(work, values, sizeof work);
                rank &= kin_rank_f64(work, (size_t)n, (size_t)k) == sorted[k];
                parts &= parted(work, n, k);
                for (int i = 0; i < n; i++)
                    narrow[i] = (float)values[i];
                floats &= kin_rank_f32(narrow, (size_t)n, (size_t)k) == (float)sorted[k];
            }
            double middle = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
            memcpy(work, values, sizeof work);
            median &= kin_median_f64(work, (size_t)n) == middle;
        }
    }
    ok(rank, "each rank is what sorting says");
    ok(parts, "smaller values stand before it, larger ones behind");
    ok(floats, "also of floats");
    ok(median, "the median of odd and even counts");
    float two[] = {3, 8};
    ok(kin_median_f32(two, 2) == 5.5f && isnan(kin_median_f32(two, 0)) &&
           isnan(kin_median_f64(NULL, 0)),
       "two values, and none");
    double five[] = {4, 1, 9, 2, 7};
    ok(kin_quantile_f64(five, 5, 0) == 1 && kin_quantile_f64(five, 5, 0.7) == 7 &&
           kin_quantile_f64(five, 5, 1) == 9 && isnan(kin_quantile_f64(NULL, 0, 0.5)),
       "shares of five values, and of none");
    return done();
}
