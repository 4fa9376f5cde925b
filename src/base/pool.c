// SPDX-License-Identifier: MIT
/* pool.c: growth of pools and vectors, doubling while small and by half once large. */
#include "base/pool.h"

#include <stdio.h>

#include "base/ensure.h"

enum { FIRST_CAP = 8, LARGE = 1 << 20 };
/* so that what the macros of pool.h ask for never wraps around */
static const uint32_t MOST = UINT32_MAX - 2;

static noreturn void out_of_ids(void)
{
    fprintf(stderr,
            "kintsugi-flow: more than %u things of a kind (jobs, files, what joins them) are too "
            "many\n",
            MOST);
    exit(1);
}

void *pool_grow(void *at, uint32_t *cap, uint32_t need, size_t size)
{
    uint64_t want = *cap < LARGE ? (uint64_t)*cap * 2 : (uint64_t)*cap + *cap / 2;
    if (want < FIRST_CAP)
        want = FIRST_CAP;
    if (want < need)
        want = need;
    if (need > MOST)
        out_of_ids();
    if (want > MOST)
        want = MOST;
    void *grown = size <= SIZE_MAX / want ? realloc(at, want * size) : NULL;
    if (!grown)
        out_of_memory();
    *cap = (uint32_t)want;
    return grown;
}
