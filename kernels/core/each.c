// SPDX-License-Identifier: MIT
// each.c: a parallel loop whose items may fail.
#include "core/each.h"

bool kin_each(int n, int threads, bool (*what)(void *user, int i, struct kin_error *why),
              void *user, struct kin_error *err)
{
    int failed = n;
    struct kin_error first = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads > 0 ? threads : 1)
    for (int i = 0; i < n; i++) {
        struct kin_error why = {0};
        bool good = what(user, i, &why);
#pragma omp critical(each_failed)
        if (!good && i < failed) {
            failed = i;
            first = why;
        }
    }
    return failed == n || kin_fail(err, first.code, "%s", first.text);
}
