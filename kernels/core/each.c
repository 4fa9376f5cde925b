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

struct pieces {
    int n, height, rows;
    pthread_mutex_t *doors; /* (n), owned: of the planes */
    bool (*what)(void *user, const struct kin_piece *piece, struct kin_error *why);
    void *user;
};

static bool do_piece(void *at, int i, struct kin_error *why)
{
    const struct pieces *p = at;
    int z = i % p->n, y0 = i / p->n * p->rows, left = p->height - y0;
    struct kin_piece piece = {z, y0, left < p->rows ? left : p->rows};
    pthread_mutex_lock(&p->doors[z]);
    bool good = p->what(p->user, &piece, why);
    pthread_mutex_unlock(&p->doors[z]);
    return good;
}

bool kin_each_piece(int n, int height, int rows, int threads,
                    bool (*what)(void *user, const struct kin_piece *piece, struct kin_error *why),
                    void *user, struct kin_error *err)
{
    struct pieces p = {n, height, rows, malloc((size_t)n * sizeof *p.doors), what, user};
    if (!p.doors)
        return kin_fail(err, KIN_MEMORY, "no memory for %d planes", n);
    for (int z = 0; z < n; z++)
        pthread_mutex_init(&p.doors[z], NULL);
    bool good = kin_each(n * ((height + rows - 1) / rows), threads, do_piece, &p, err);
    for (int z = 0; z < n; z++)
        pthread_mutex_destroy(&p.doors[z]);
    free(p.doors);
    return good;
}
