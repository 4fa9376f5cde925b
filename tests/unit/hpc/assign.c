// SPDX-License-Identifier: MIT
#include "hpc/assign.h"
#include "test.h"

/* Accounts clive and maigan: what nine cycles get. */
static void test_cycles(void)
{
    static const struct {
        struct assign_slots slots[2];
        const char *got;
        const char *what;
    } cases[] = {
        {{{1, 1}, {2, 2}}, "cmmmcmcmc", "both healthy: the queue, then round"},
        {{{1, 0}, {2, 2}}, "mmmmmmmmm", "clive is full: every cycle goes to maigan"},
        {{{1, 0}, {2, 0}}, "cmmmcmcmc", "all full: their slots count as if they were free"},
        {{{1, -1}, {2, -1}}, "cmmmcmcmc", "nothing is known of now: the same"},
        {{{3, 3}, {2, 1}}, "cccmcmcmc", "round by the number of the cycle"},
        {{{0, 0}, {2, 1}}, "mmmmmmmmm", "an account without slots is left out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[10] = "";
        for (uint32_t job = 0; job < 9; job++)
            got[job] = "cm-"[assign_account(cases[i].slots, 2, job)];
        is(got, cases[i].got, cases[i].what);
    }
    struct assign_slots none[2] = {{0, 0}, {0, -1}};
    ok(assign_account(none, 2, 0) == 2 && assign_account(NULL, 0, 5) == 0, "nobody has any");
}

int main(void)
{
    test_cycles();
    return done();
}
