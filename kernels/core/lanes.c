// SPDX-License-Identifier: MIT
// lanes.c: several threads, each of which has others for its loops.
#include "core/lanes.h"
#include "core/background.h"

#include <omp.h>
#include <pthread.h>

struct lane {
    void (*what)(void *user, int lane);
    void *user;
    int number, threads;
};

static bool run(void *at, struct kin_error *err)
{
    const struct lane *lane = at;
    int threads = omp_get_max_threads(); /* of loops that this thread begins */
    omp_set_num_threads(lane->threads);
    lane->what(lane->user, lane->number);
    omp_set_num_threads(threads);
    return true;
}

void kin_lanes(int lanes, int threads, void (*what)(void *user, int lane), void *user)
{
    struct kin_background *others[KIN_LANES];
    struct lane all[KIN_LANES];
    struct kin_error none = {0};
    for (int i = 0; i < lanes; i++)
        all[i] = (struct lane){what, user, i, threads > 0 ? threads : 1};
    for (int i = 1; i < lanes; i++) {
        others[i] = kin_background_new();
        kin_background_do(others[i], run, &all[i], &none);
    }
    run(&all[0], &none);
    for (int i = 1; i < lanes; i++)
        kin_background_end(others[i], &none);
}

struct handing_out {
    bool (*what)(void *user, int i);
    void *user;
    int n;
    pthread_mutex_t door; /* of what follows */
    int next;
    bool stopped;
};

/* The next one; n: there is none. */
static int take(struct handing_out *h, bool stop)
{
    pthread_mutex_lock(&h->door);
    h->stopped = h->stopped || stop;
    int i = h->stopped || h->next == h->n ? h->n : h->next++;
    pthread_mutex_unlock(&h->door);
    return i;
}

static void take_all(void *user, int lane)
{
    struct handing_out *h = user;
    bool good = true;
    for (int i = take(h, false); i < h->n; i = take(h, !good))
        good = h->what(h->user, i);
}

void kin_lanes_each(int n, int lanes, int threads, bool (*what)(void *user, int i), void *user)
{
    struct handing_out h = {.what = what, .user = user, .n = n};
    pthread_mutex_init(&h.door, NULL);
    kin_lanes(lanes, threads, take_all, &h);
    pthread_mutex_destroy(&h.door);
}
