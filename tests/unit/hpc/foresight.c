// SPDX-License-Identifier: MIT
#include "hpc/foresight.h"
#include "test.h"

static const int64_t S = 1000000000;

static bool safe(struct tres others, const struct foresight_job *jobs, uint32_t n, uint32_t leaver)
{
    return foresight_is_safe((struct tres){100, 100, 1}, others, jobs, n, leaver, 0);
}

static struct foresight_job waiting(int64_t mem_mb, int64_t seconds)
{
    return (struct foresight_job){{1, mem_mb, 0}, seconds * S, 0};
}

static void test_packing(void)
{
    struct foresight_job jobs[5] = {{{1, 70, 0}, 10 * S, 10 * S},
                                    waiting(30, 100),
                                    waiting(60, 500),
                                    waiting(40, 800),
                                    {{1, 30, 0}, 120 * S, 120 * S}};
    ok(!safe((struct tres){0}, jobs, 5, 1),
       "in 70 GB there is room for 30 and 40; where 30 have gone, 60 come first, and 40 wait");
    ok(safe((struct tres){0}, jobs, 2, 1), "who leaves nobody behind may leave");
    struct foresight_job alike[4] = {jobs[0], waiting(50, 100), waiting(50, 300), waiting(50, 20)};
    ok(safe((struct tres){0}, alike, 4, 1), "so may one of those that ask for the same");
    struct foresight_job small[3] = {jobs[0], waiting(60, 100), waiting(60, 100)};
    ok(safe((struct tres){0, 90, 0}, small, 3, 1),
       "and one that others would keep waiting for ever");
}

int main(void)
{
    test_packing();
    return done();
}
