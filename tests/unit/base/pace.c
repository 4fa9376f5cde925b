// SPDX-License-Identifier: MIT
#include "base/pace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "test.h"

#include <pthread.h>

/* Milliseconds that n starts of one host take. */
static double starts(struct pace *pace, const char *key, int n)
{
    int64_t begun = clock_ns();
    while (n--)
        pace_wait(pace, key);
    return (double)(clock_ns() - begun) / 1e6;
}

static void *start_ten(void *pace)
{
    starts(pace, "h", 10);
    return NULL;
}

int main(void)
{
    struct pace *pace = pace_new(50);
    ok(starts(pace, "h", 50) < 500, "as many as a second may have start at once");
    ok(starts(pace, "other", 50) < 500, "each host for itself");
    ok(starts(pace, "h", 1) > 400, "the next waits until a second after the first");
    pace_free(pace);
    pace = pace_new(2.5);
    ok(starts(pace, "h", 5) < 1000, "2.5 a second: five at once");
    ok(starts(pace, "h", 1) > 1000, "in two seconds");
    pace_free(pace);
    pace = pace_new(20);
    pthread_t helper[4];
    int64_t begun = clock_ns();
    for (int i = 0; i < 4; i++)
        pthread_create(&helper[i], NULL, start_ten, pace);
    for (int i = 0; i < 4; i++)
        pthread_join(helper[i], NULL);
    double ms = (double)(clock_ns() - begun) / 1e6;
    ok(ms > 900 && ms < 1900, "40 of four threads, 20 a second, take a second: %.0f ms", ms);
    pace_free(pace);
    struct arena in = {0};
    int64_t now = clock_ns(), turns[] = {now + 200000000, now + 400000000};
    struct pace *given = pace_given(&in, turns, 2);
    ok(pace_take(given, "h") == turns[0], "a turn that was taken elsewhere");
    pace_wait(given, "h");
    ok(clock_ns() >= turns[1], "the second is waited for");
    ok(starts(given, "h", 5) < 200, "then there is nothing to wait for");
    arena_free(&in);
    pace = pace_new(1);
    int64_t first = pace_take(pace, "h");
    ok(pace_take(pace, "h") - first > 900000000,
       "turns are a second apart, whoever waits for them");
    pace_free(pace);
    pace_free(pace_new(1e-12));
    pace_free(pace_new(1e9));
    return done();
}
