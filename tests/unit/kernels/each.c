// SPDX-License-Identifier: MIT
// kin_each: every item once, whatever the threads; all are done although some fail; the lowest
// one's error is the one that is told.
#include "core/each.h"

#include "test.h"

#include <omp.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 40 };

struct items {
    int calls[ITEMS], thread[ITEMS];
    const int *bad; /* ends with -1 */
};

static bool visit(void *user, int i, struct kin_error *why)
{
    struct items *items = user;
    items->calls[i]++;
    items->thread[i] = omp_get_thread_num();
    for (const int *bad = items->bad; *bad >= 0; bad++)
        if (*bad == i) {
            usleep((useconds_t)(ITEMS - i) * 500); /* the lowest fails last */
            return kin_fail(why, KIN_IO, "item %d", i);
        }
    return true;
}

static void check(const char *what, int n, int threads, const int *bad, const char *error)
{
    struct items items = {.bad = bad};
    struct kin_error err = {0};
    bool good = kin_each(n, threads, visit, &items, &err), once = true, within = true;
    for (int i = 0; i < ITEMS; i++) {
        once &= items.calls[i] == (i < n);
        within &= items.thread[i] >= 0 && items.thread[i] < (threads > 0 ? threads : 1);
    }
    ok(once, "%s: each of %d items is done once", what, n);
    ok(within, "%s: thread numbers stay below the number of threads", what);
    ok(good == !error, "%s: says whether all went well", what);
    ok(error ? err.code == KIN_IO && !strcmp(err.text, error) : !err.code,
       "%s: the error is that of the lowest item (%s)", what, err.text);
}

int main(void)
{
    static const int none[] = {-1}, some[] = {31, 3, 17, -1}, first[] = {0, -1};
    check("one thread", ITEMS, 1, none, NULL);
    check("four threads", ITEMS, 4, none, NULL);
    check("more threads than items", 3, 8, none, NULL);
    check("threads not said", ITEMS, 0, none, NULL);
    check("threads below zero", ITEMS, -5, some, "item 3");
    check("no items", 0, 4, none, NULL);
    check("three fail, one thread", ITEMS, 1, some, "item 3");
    check("three fail, eight threads", ITEMS, 8, some, "item 3");
    check("the first fails", ITEMS, 4, first, "item 0");
    struct items items = {.bad = some};
    ok(!kin_each(ITEMS, 2, visit, &items, NULL), "nobody need ask for the error");
    return done();
}
