// SPDX-License-Identifier: MIT
// each.c: a parallel loop whose items may fail.
#include "core/each.h"

#include <pthread.h>
#include <stdlib.h>

bool kin_each(int n, int threads, bool (*what)(void *user, int i, struct kin_error *why),
              void *user, struct kin_error *err)
{
    int failed = n;
    struct kin_error first = {0};
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(threads > 0 ? threads : 1)
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

struct pieces {
    int n, height, rows;
    int *done; /* (n), owned: pieces of each plane */
    pthread_mutex_t door;
    pthread_cond_t moved;
    bool (*what)(void *user, const struct kin_piece *piece, struct kin_error *why);
    void *user;
};

/* The piece above is done or under way: it was taken before. */
static void wait_for_turn(struct pieces *p, int z, int turn)
{
    pthread_mutex_lock(&p->door);
    while (p->done[z] < turn)
        pthread_cond_wait(&p->moved, &p->door);
    pthread_mutex_unlock(&p->door);
}

static bool do_piece(void *at, int i, struct kin_error *why)
{
    struct pieces *p = at;
    int z = i % p->n, turn = i / p->n, y0 = turn * p->rows, left = p->height - y0;
    struct kin_piece piece = {z, y0, left < p->rows ? left : p->rows};
    wait_for_turn(p, z, turn);
    bool good = p->what(p->user, &piece, why);
    pthread_mutex_lock(&p->door);
    p->done[z]++;
    pthread_cond_broadcast(&p->moved);
    pthread_mutex_unlock(&p->door);
    return good;
}

bool kin_each_piece(int n, int height, int rows, int threads,
                    bool (*what)(void *user, const struct kin_piece *piece, struct kin_error *why),
                    void *user, struct kin_error *err)
{
    struct pieces p = {.n = n, .height = height, .rows = rows, .what = what, .user = user};
    p.done = calloc((size_t)n, sizeof *p.done);
    if (!p.done)
        return kin_fail(err, KIN_MEMORY, "no memory for %d planes", n);
    pthread_mutex_init(&p.door, NULL);
    pthread_cond_init(&p.moved, NULL);
    bool good = kin_each(n * ((height + rows - 1) / rows), threads, do_piece, &p, err);
    pthread_cond_destroy(&p.moved);
    pthread_mutex_destroy(&p.door);
    free(p.done);
    return good;
}
