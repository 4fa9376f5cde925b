// SPDX-License-Identifier: MIT
#include "state/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/procfs.h"
#include "test.h"

enum { ROUNDS = 100, RIVALS = 4 };

static bool child_ended_well(pid_t child)
{
    int status = 1;
    return waitpid(child, &status, 0) == child && !status;
}

/* A file whose keeper is gone. */
static bool leave(const char *path)
{
    pid_t child = fork();
    if (!child)
        _exit(!keeper_write(path));
    return child_ended_well(child);
}

/* A process that is killed at any moment leaves no file that nobody can read. */
static void test_kill(void)
{
    struct keeper keeper;
    int unreadable = 0, written = 0;
    for (int i = 0; i < 200; i++) {
        pid_t child = fork();
        while (!child) {
            keeper_write("left");
            unlink("left");
        }
        usleep(200 + 37 * (useconds_t)i % 1000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        bool there = fs_exists("left");
        written += there;
        unreadable += there && !(keeper_read("left", &keeper) && keeper_is_gone(&keeper));
        unlink("left");
    }
    ok(!unreadable, "a kill leaves no file without its text: %d of %d", unreadable, written);
    ok(system("rm -f .part-*") == 0, "names of their own aside");
}

static void test_one(void)
{
    struct keeper keeper;
    ok(keeper_write("own") && keeper_read("own", &keeper) && keeper_is_here(&keeper) &&
           !keeper_is_gone(&keeper) && keeper.pid == getpid(),
       "this process keeps something");
    ok(!keeper_write("own") && errno == EEXIST, "which nobody else can keep");
    ok(keeper_take_gone("own") < 0 && keeper_take_gone("none") < 0, "or clear away");
    ok(leave("left") && keeper_read("left", &keeper) && keeper_is_gone(&keeper), "one is gone");
    int fd = keeper_take_gone("left");
    ok(fd >= 0 && keeper_take_gone("left") < 0, "one clears away after it");
    unlink("left");
    ok(keeper_write("left") && keeper_take_gone("left") < 0, "who comes next is not gone");
    close(fd);
    keeper_remove_gone("left");
    ok(fs_exists("left"), "and is not removed");
    unlink("left");
    unlink("own");
    ok(leave("left"), "another is gone");
    keeper_remove_gone("left");
    ok(!fs_exists("left"), "and removed");
}

static bool names(const char *pid, struct keeper *keeper)
{
    struct arena in = {0};
    const char *text = arena_printf(&in, "%s %s 0 - somebody\n", fs_hostname(), pid);
    bool named = fs_write("told", text, strlen(text)) && keeper_read("told", keeper);
    arena_free(&in);
    return named;
}

/* Files that no keeper has written, but somebody who may write there. */
static void test_lies(void)
{
    static const char *const none[] = {"0", "-1", "-2", "4294967295", "-4294967297"};
    struct keeper keeper;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ok(!names(none[i], &keeper), "%s is no process, but many to a signal", none[i]);
    ok(keeper_write("own") && keeper_read("own", &keeper) && keeper_is_true(&keeper),
       "who wrote the file is whose process it names");
    unlink("own");
    uid_t first;
    bool foreign = names("1", &keeper) && process_user(1, &first) &&
                   (first != geteuid() || !chown("told", first + 1, getegid()));
    ok(!foreign || (keeper_read("told", &keeper) && !keeper_is_true(&keeper)),
       "a process of somebody else is not believed");
    unlink("told");
}

/* Takes over what was left, if nobody else does: its own name stands there then. */
static void compete(int go)
{
    struct keeper keeper;
    char byte;
    (void)!read(go, &byte, 1); /* all at once */
    for (;;) {
        if (keeper_read("left", &keeper) && !keeper_is_gone(&keeper))
            _exit(0);
        keeper_remove_gone("left");
        if (keeper_write("left"))
            break;
    }
    if (!fs_write_new("taken.1", "", 0))
        fs_write_new("taken.2", "", 0);
    while (!fs_exists("over")) /* it keeps it */
        usleep(1000);
    _exit(0);
}

static void test_many(void)
{
    int twice = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int go[2];
        pid_t rivals[RIVALS];
        if (!leave("left") || pipe(go))
            break;
        for (int i = 0; i < RIVALS; i++)
            if (!(rivals[i] = fork())) {
                close(go[1]);
                compete(go[0]);
            }
        close(go[0]);
        close(go[1]);
        for (int ended = 0; !fs_exists("taken.2") && (ended < RIVALS - 1 || !fs_exists("taken.1"));)
            ended += waitpid(-1, NULL, WNOHANG) > 0 || usleep(500);
        twice += fs_exists("taken.2");
        fs_write("over", "", 0);
        while (waitpid(-1, NULL, 0) > 0)
            continue;
        unlink("over");
        unlink("left");
        unlink("taken.1");
        unlink("taken.2");
    }
    ok(!twice, "of many who see that one is gone, one takes over: %d times more", twice);
}

int main(void)
{
    char dir[] = "/tmp/kf-keeper-XXXXXX";
    if (!ok(mkdtemp(dir) && !chdir(dir), "a directory to work in"))
        return done();
    test_one();
    test_lies();
    test_kill();
    test_many();
    ok(!chdir("/") && fs_remove_tree(dir), "all is removed");
    return done();
}
