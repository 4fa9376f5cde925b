// SPDX-License-Identifier: MIT
#include "run/transfers.h"
#include "base/clock.h"
#include "base/fs.h"
#include "flow/storage_kind.h"
#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 8 }; /* porters at a time */

struct told {
    struct loop *loop;
    struct transfers *transfers;
    uint32_t nends, launch; /* of the last end */
    char why[200];
};

static void note(void *user, const char *text)
{
    (void)user, (void)text;
}

static void turn(void *user)
{
    struct told *told = user;
    struct transfer_end end;
    while (transfers_next_end(told->transfers, &end)) {
        told->nends++;
        told->launch = end.launch;
        snprintf(told->why, sizeof told->why, "%s", end.why ? end.why : "");
    }
    if (!transfers_busy(told->transfers))
        loop_stop(told->loop);
}

/* Others are broken off while their porters have answered, which nobody has heard yet: the one that
 * waits is given to another. */
static void test_answered_and_left(const char *porter)
{
    struct told told = {.loop = loop_new()};
    struct storage_copy copy = {.place = {.kind = &storage_http,
                                          .query = "http://localhost/a",
                                          .shown = "http://localhost/a",
                                          .copied = true}};
    told.transfers = transfers_new(
        &(struct transfers_options){.loop = told.loop, .self = porter, .note = note});
    for (uint32_t launch = 1; launch <= MOST + 1; launch++) {
        char path[40];
        snprintf(path, sizeof path, "copies/%u", (unsigned)launch);
        copy.path = path;
        transfers_add(told.transfers, launch, STORAGE_FETCH, &copy);
    }
    clock_sleep(INT64_C(500000000));
    for (uint32_t launch = 1; launch <= MOST; launch++)
        transfers_leave(told.transfers, launch);
    loop_run(told.loop, turn, &told);
    ok(told.nends == 1 && told.launch == MOST + 1, "who has left is not told");
    is(told.why, "", "what waited is carried");
    transfers_free(told.transfers);
    loop_free(told.loop);
}

int main(void)
{
    static const char script[] = "#!/bin/sh\nprintf '1\\0\\0'\nexec cat >/dev/null\n";
    char dir[] = "/tmp/unit-transfers-XXXXXX", porter[64];
    if (!mkdtemp(dir) || chdir(dir))
        return 1;
    snprintf(porter, sizeof porter, "%s/porter", dir);
    fs_write(porter, script, sizeof script - 1);
    chmod(porter, 0755);
    test_answered_and_left(porter);
    fs_remove_tree(dir);
    return done();
}
