// SPDX-License-Identifier: MIT
#include "loop/spread.h"
#include "test.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { PIECES = 400 };

static struct {
    atomic_int calls[PIECES];
    atomic_int at_once, most;
    long wait; /* ns */
} seen;

static void wait_a_little(void *user, size_t i)
{
    int now = atomic_fetch_add(&seen.at_once, 1) + 1, most = atomic_load(&seen.most);
    while (now > most && !atomic_compare_exchange_weak(&seen.most, &most, now))
        ;
    if (user != &seen)
        abort();
    if (seen.wait)
        nanosleep(&(struct timespec){0, seen.wait}, NULL);
    atomic_fetch_add(&seen.calls[i], 1);
    atomic_fetch_sub(&seen.at_once, 1);
}

/* Answers whether each piece was done once. */
static bool done_once(size_t n, long wait)
{
    bool once = true;
    for (size_t i = 0; i < PIECES; i++)
        atomic_store(&seen.calls[i], 0);
    atomic_store(&seen.most, 0);
    seen.wait = wait;
    spread(n, wait_a_little, &seen);
    for (size_t i = 0; i < PIECES; i++)
        once &= atomic_load(&seen.calls[i]) == (i < n);
    return once;
}

int main(void)
{
    ok(done_once(0, 0) && atomic_load(&seen.most) == 0, "nothing");
    ok(done_once(1, 5000000) && atomic_load(&seen.most) == 1, "one piece");
    ok(done_once(3, 0) && atomic_load(&seen.most) == 1, "what takes no time is done alone");
    ok(done_once(PIECES, 1000000), "many pieces that wait, each once");
    ok(atomic_load(&seen.most) > 4 && atomic_load(&seen.most) <= 16, "up to 16 at a time");
    struct rlimit none = {0, 0};
    if (getuid() && !setrlimit(RLIMIT_NPROC, &none))
        ok(done_once(20, 1000000) && atomic_load(&seen.most) == 1,
           "alone where the system gives no threads");
    return done();
}
