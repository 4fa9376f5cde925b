// SPDX-License-Identifier: MIT
/* spread.c: see spread.h. The threads are not libuv's pool, which ends the program where it gets no
 * threads, and would be there when the program forks. */
#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

#include "loop/spread.h"

static const uint64_t ALONE = 3000000;  /* ns */
enum { HELPERS = 15, STACK = 1 << 20 }; /* what looks up the names of hosts wants room */

struct share {
    size_t n;
    void (*work)(void *user, size_t i);
    void *user;
    atomic_size_t next;
};

/* Answers whether there was one. */
static bool do_one(struct share *share)
{
    size_t i = atomic_fetch_add(&share->next, 1);
    if (i < share->n)
        share->work(share->user, i);
    return i < share->n;
}

static void do_all(void *share)
{
    while (do_one(share))
        ;
}

static void do_together(struct share *share)
{
    uv_thread_t helper[HELPERS];
    uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = STACK};
    size_t helpers = 0, left = share->n - atomic_load(&share->next);
    while (helpers < HELPERS && helpers < left &&
           !uv_thread_create_ex(&helper[helpers], &options, do_all, share))
        helpers++;
    do_all(share);
    while (helpers)
        uv_thread_join(&helper[--helpers]);
}

void spread(size_t n, void (*work)(void *user, size_t i), void *user)
{
    struct share share = {.n = n, .work = work, .user = user};
    uint64_t begun = uv_hrtime();
    while (do_one(&share))
        if (uv_hrtime() - begun > ALONE && atomic_load(&share.next) < n) {
            do_together(&share);
            return;
        }
}
