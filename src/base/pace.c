// SPDX-License-Identifier: MIT
/* pace.c: see pace.h. A start takes the place of the one that is so many before it, and comes a
 * period after that at the earliest: places are given under the lock, in the order of asking, and
 * waited for outside. */
#include "base/pace.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"

enum { MOST_STARTS = 10000, MOST_SECONDS = 1000 };
static const double SECOND = 1e9, LONGEST = 1e16, CLOSE = 1e-6; /* ns, ns (some months), starts */

struct lane {
    struct lane *next;
    const char *key;
    uint32_t oldest;   /* the place that is free first */
    int64_t free_at[]; /* monotonic, ns; so many as starts in a period */
};

struct pace {
    pthread_mutex_t lock; /* of all below */
    struct arena in;
    struct lane *lanes;
    uint32_t starts;      /* in a period */
    int64_t period;       /* ns */
    const int64_t *given; /* the turns, or NULL: */
    uint32_t ngiven;      /* so many are left */
};

/* 2.5 starts a second are 5 in two. */
static bool is_whole(double starts)
{
    return starts > 1 - CLOSE && fabs(starts - round(starts)) < CLOSE;
}

struct pace *pace_new(double per_second)
{
    struct pace *pace = memory_zeroed(1, sizeof *pace);
    int seconds = 1;
    while (seconds < MOST_SECONDS && !is_whole(per_second * seconds))
        seconds++;
    pace->starts = (uint32_t)fmin(fmax(1, floor(per_second * seconds + CLOSE)), MOST_STARTS);
    pace->period = (int64_t)fmin(pace->starts / per_second * SECOND, LONGEST);
    pthread_mutex_init(&pace->lock, NULL);
    return pace;
}

struct pace *pace_given(struct arena *in, const int64_t *turns, uint32_t n)
{
    struct pace *pace = arena_new(in, struct pace);
    pthread_mutex_init(&pace->lock, NULL);
    int64_t *given = arena_array(in, int64_t, n + 1);
    memcpy(given, turns, n * sizeof *given);
    pace->given = given;
    pace->ngiven = n;
    return pace;
}

static int64_t next_given(struct pace *pace)
{
    if (!pace->ngiven)
        return 0;
    pace->ngiven--;
    return *pace->given++;
}

void pace_free(struct pace *pace)
{
    if (!pace)
        return;
    pthread_mutex_destroy(&pace->lock);
    arena_free(&pace->in);
    free(pace);
}

static struct lane *lane_of(struct pace *pace, const char *key)
{
    struct lane *lane = pace->lanes;
    while (lane && strcmp(lane->key, key))
        lane = lane->next;
    if (lane)
        return lane;
    lane = arena_alloc(&pace->in, sizeof *lane + pace->starts * sizeof lane->free_at[0]);
    lane->key = arena_str(&pace->in, key);
    lane->next = pace->lanes;
    return pace->lanes = lane;
}

int64_t pace_take(struct pace *pace, const char *key)
{
    if (pace->given)
        return next_given(pace);
    pthread_mutex_lock(&pace->lock);
    struct lane *lane = lane_of(pace, key);
    int64_t now = clock_ns(), start = lane->free_at[lane->oldest];
    start = start > now ? start : now;
    lane->free_at[lane->oldest] = start + pace->period;
    lane->oldest = (lane->oldest + 1) % pace->starts;
    pthread_mutex_unlock(&pace->lock);
    return start;
}

void pace_wait(struct pace *pace, const char *key)
{
    clock_sleep(pace_take(pace, key) - clock_ns());
}
