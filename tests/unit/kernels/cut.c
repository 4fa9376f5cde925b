// SPDX-License-Identifier: MIT
// cut.c: blocks of an axis cover it, and overlap as far as they must.
#include "deconv/cut.h"

#include "test.h"

/* What is wrong with a cut; NULL: nothing. */
static const char *fault(const struct cut_axis *a, int halo, enum rl_ends ends)
{
    bool mirrored = ends == RL_MIRRORED;
    if (cut_core(a, 0) != 0 || cut_core(a, a->count) != a->length)
        return "the cores do not cover the axis";
    for (int i = 0; i < a->count; i++) {
        int start = cut_start(a, i), end = start + a->n, from = cut_core(a, i),
            to = cut_core(a, i + 1);
        bool first = i == 0, last = i == a->count - 1;
        if (from >= to || to - from > a->widest)
            return "a core is empty, or wider than the widest";
        if (from - start < (first && mirrored ? 0 : halo) ||
            end - to < (last && end == a->length ? 0 : halo))
            return "a halo is too narrow";
        if (mirrored &&
            (start < 0 || (first && start != 0) || (last && a->count > 1 && end != a->length)))
            return "a mirrored end is not the image's";
    }
    return NULL;
}

static void check_cuts(enum rl_ends ends, const char *name)
{
    static const int lengths[] = {32, 97, 512, 1000, 1003, 2560, 11213}, halos[] = {1, 7, 97};
    const char *wrong = NULL;
    int cuts = 0;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int h = 0; h < 3; h++)
            for (int count = 1; count <= 12; count++) {
                struct cut_axis a = cut_axis(lengths[l], count, halos[h], ends);
                cuts += a.n > 0;
                if (a.n && !wrong)
                    wrong = fault(&a, halos[h], ends);
            }
    ok(!wrong && cuts > 100, "%s: %d cuts of all kinds (%s)", name, cuts,
       wrong ? wrong : "all whole");
}

int main(void)
{
    check_cuts(RL_MIRRORED, "mirrored");
    check_cuts(RL_MIRRORED_Z, "periodic blocks of a mirrored image");
    check_cuts(RL_PERIODIC, "periodic");
    struct cut_axis exact = cut_axis(1024, 1, 97, RL_MIRRORED),
                    padded = cut_axis(1003, 1, 97, RL_MIRRORED),
                    period = cut_axis(1003, 1, 0, RL_PERIODIC);
    ok(exact.n == 1024 && padded.n >= 1100 && period.n == 1003,
       "a mirrored image of a good length and a period take no padding");
    ok(!cut_axis(100, 3, 60, RL_MIRRORED).n, "blocks as long as the whole are none");
    int start;
    struct cut_axis window = cut_window(5000, 4700, 300, 97, RL_MIRRORED, &start);
    ok(start + window.n == 5000 && window.n >= 494,
       "a window at the end stays inside a mirrored image");
    window = cut_window(5000, 4700, 300, 97, RL_PERIODIC, &start);
    ok(start <= 4603 && start + window.n >= 5097, "and goes on beyond a periodic one");
    window = cut_window(400, 50, 300, 97, RL_MIRRORED, &start);
    ok(start == 0 && window.n == cut_axis(400, 1, 97, RL_MIRRORED).n,
       "a window of nearly all is all");
    return done();
}
