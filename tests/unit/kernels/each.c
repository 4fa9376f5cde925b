// SPDX-License-Identifier: MIT
// kin_each: every item once, whatever the threads; all are done although some fail; the lowest
// one's error is the one that is told. kin_each_piece: every row once, one piece of a plane at a
// time. kin_lanes: every lane once, with its threads; kin_lanes_each: every item once, until one
// fails.
#include "core/each.h"
#include "core/lanes.h"

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

/* ---- pieces ---------------------------------------------------------------------------------- */

enum { PLANES = 5, HEIGHT = 37, ROWS = 8 };

struct stack {
    int seen[PLANES][HEIGHT], next[PLANES], busy[PLANES], clashes;
    bool fails;
};

static bool see(void *user, const struct kin_piece *piece, struct kin_error *why)
{
    struct stack *s = user;
    int before;
#pragma omp atomic capture
    before = s->busy[piece->z]++;
#pragma omp atomic
    s->clashes += before != 0;
#pragma omp atomic
    s->clashes += s->next[piece->z] != piece->y0;
    s->next[piece->z] = piece->y0 + piece->rows;
    for (int y = piece->y0; y < piece->y0 + piece->rows; y++)
        s->seen[piece->z][y]++;
    usleep(200);
#pragma omp atomic
    s->busy[piece->z]--;
    return !s->fails || piece->z < 3 || piece->y0 < ROWS ||
           kin_fail(why, KIN_IO, "plane %d, row %d", piece->z, piece->y0);
}

static void test_pieces(int threads)
{
    struct stack s = {.fails = false};
    struct kin_error err = {0};
    bool good = kin_each_piece(PLANES, HEIGHT, ROWS, threads, see, &s, &err), once = true;
    for (int i = 0; i < PLANES * HEIGHT; i++)
        once = once && s.seen[i / HEIGHT][i % HEIGHT] == 1;
    ok(good && once, "%d threads: each row of each plane is done once", threads);
    ok(!s.clashes, "%d threads: no plane by two at a time, and from its top", threads);
    s = (struct stack){.fails = true};
    good = kin_each_piece(PLANES, HEIGHT, ROWS, threads, see, &s, &err);
    ok(!good && !strcmp(err.text, "plane 3, row 8"), "%d threads: the first upper piece tells (%s)",
       threads, err.text);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static void count_lane(void *user, int lane)
{
    int *threads = user;
    threads[lane] += omp_get_max_threads();
}

static void test_lanes(void)
{
    int threads[KIN_LANES] = {0}, before = omp_get_max_threads();
    bool right = true;
    kin_lanes(KIN_LANES - 1, 3, count_lane, threads);
    for (int i = 0; i < KIN_LANES; i++)
        right = right && threads[i] == (i < KIN_LANES - 1 ? 3 : 0);
    ok(right, "each lane runs once, with its threads");
    ok(omp_get_max_threads() == before, "the caller has its own again");
}

static bool visit_in_lane(void *user, int i)
{
    struct kin_error why;
    return visit(user, i, &why);
}

// Each of the first ones is done once, up to one that fails or those that were begun beside it.
static void test_lanes_each(int lanes)
{
    static const int none[] = {-1}, some[] = {31, 3, 17, -1};
    struct items all = {.bad = none}, few = {.bad = some};
    int done = 0, last = -1;
    bool once = true;
    kin_lanes_each(ITEMS, lanes, 1, visit_in_lane, &all);
    kin_lanes_each(ITEMS, lanes, 1, visit_in_lane, &few);
    for (int i = 0; i < ITEMS; i++) {
        once = once && all.calls[i] == 1 && few.calls[i] <= 1;
        done += few.calls[i];
        last = few.calls[i] ? i : last;
    }
    ok(once, "%d lanes: every item once", lanes);
    ok(last >= 3 && done == last + 1 && (lanes > 1 || last == 3),
       "those up to item %d, where the fourth fails", last);
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
    test_pieces(1);
    test_pieces(8);
    test_lanes();
    test_lanes_each(1);
    test_lanes_each(5);
    struct items items = {.bad = some};
    ok(!kin_each(ITEMS, 2, visit, &items, NULL), "nobody need ask for the error");
    return done();
}
