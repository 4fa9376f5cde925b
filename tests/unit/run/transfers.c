// SPDX-License-Identifier: MIT
#include "run/transfers.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/part.h"
#include "base/path.h"
#include "flow/storage_kind.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 8 }; /* porters at a time */

static int refusals; /* so often there is no room for another process */

/* Instead of the C library's. */
pid_t vfork(void)
{
    if (refusals-- <= 0)
        return fork();
    errno = EAGAIN;
    return -1;
}

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

static void begin(struct told *told, const char *porter)
{
    *told = (struct told){.loop = loop_new()};
    told->transfers = transfers_new(
        &(struct transfers_options){.loop = told->loop, .self = porter, .note = note});
}

static void end(struct told *told)
{
    transfers_free(told->transfers);
    loop_free(told->loop);
}

static void fetch(struct told *told, uint32_t launch)
{
    char path[40];
    snprintf(path, sizeof path, "copies/%u", (unsigned)launch);
    struct storage_copy copy = {.place = {.kind = &storage_http,
                                          .query = "http://localhost/a",
                                          .shown = "http://localhost/a",
                                          .copied = true},
                                .path = path};
    transfers_add(told->transfers, launch, STORAGE_FETCH, &copy);
}

/* Others are broken off while their porters have answered, which nobody has heard yet: the one that
 * waits is given to another. */
static void test_answered_and_left(const char *porter)
{
    struct told told;
    begin(&told, porter);
    for (uint32_t launch = 1; launch <= MOST + 1; launch++)
        fetch(&told, launch);
    clock_sleep(INT64_C(500000000));
    for (uint32_t launch = 1; launch <= MOST; launch++)
        transfers_leave(told.transfers, launch);
    loop_run(told.loop, turn, &told);
    ok(told.nends == 1 && told.launch == MOST + 1, "who has left is not told");
    is(told.why, "", "what waited is carried");
    end(&told);
}

static void test_no_room(const char *porter)
{
    struct told told;
    begin(&told, porter);
    refusals = 3;
    fetch(&told, 1);
    fetch(&told, 2);
    ok(!told.nends, "without room for a porter nothing has failed");
    loop_run(told.loop, turn, &told);
    ok(told.nends == 2, "all is carried when there is room");
    is(told.why, "", "well");
    end(&told);
}

/* A run that is killed with its porters has left half a file, maybe far from its directory. */
static void test_litter(const char *porter)
{
    struct told told = {.loop = loop_new()};
    struct arena in = {0};
    told.transfers = transfers_new(&(struct transfers_options){
        .loop = told.loop, .self = porter, .litter = ".", .note = note});
    struct storage_copy copy = {.place = {.kind = &storage_fs, .query = "far/a", .shown = "far/a"},
                                .path = "copies/a"};
    transfers_add(told.transfers, 1, STORAGE_STORE, &copy);
    const char *noted = fs_read(&in, part_beside(&in, "./.snakemake/litter/list"), NULL);
    is(noted ? path_basename(noted) : "", path_basename(part_beside(&in, "far/a")),
       "what may be half stored is noted");
    loop_run(told.loop, turn, &told);
    arena_free(&in);
    end(&told);
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
    test_no_room(porter);
    test_litter(porter);
    fs_remove_tree(dir);
    return done();
}
