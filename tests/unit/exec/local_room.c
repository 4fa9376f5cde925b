// SPDX-License-Identifier: MIT
/* local_room.c: the local executor on a machine that has room for a few processes only. */
#include "base/fs.h"
#include "exec/exec.h"
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static struct loop *loop;
static struct executor *executor;
static int room, lack; /* processes that there may be; what is said to more */
static pid_t forked[64];
static int nforked;
static uint32_t started[16], ended[16];
static int nstarted, nended, notes;
static struct exec_event ends[16]; /* by launch */
static char message[512];

/* Instead of the C library's. */
pid_t vfork(void)
{
    int there = 0;
    for (int i = 0; i < nforked; i++)
        there += !kill(forked[i], 0);
    if (there >= room) {
        errno = lack;
        return -1;
    }
    pid_t pid = fork();
    if (pid > 0) {
        setpgid(pid, pid); /* vfork would return after the child has done it */
        forked[nforked++] = pid;
    }
    return pid;
}

static void on_event(void *user, const struct exec_event *event)
{
    if (event->kind == EXEC_STARTED) {
        started[nstarted++] = event->launch;
    } else if (event->kind == EXEC_NOTE) {
        notes++;
        printf("# %s\n", event->message);
    } else {
        ended[nended++] = event->launch;
        ends[event->launch] = *event;
        snprintf(message, sizeof message, "%s", event->message ? event->message : "");
    }
}

static void submit(uint32_t id, const char *shell, bool together)
{
    char name[] = "K=V", folder[] = "sub";
    const char *env[] = {name, NULL};
    executor_submit(executor,
                    &(struct launch){.id = id,
                                     .name = "test",
                                     .shell = shell,
                                     .env = env,
                                     .cwd = folder,
                                     .together = together},
                    1);
    memset(name, 'x', 3); /* they are borrowed during submit only */
    memset(folder, 'x', 3);
}

static void begin(int places, int error)
{
    room = places;
    lack = error;
    nstarted = nended = notes = nforked = 0;
    *message = 0;
}

static void test_wait(void)
{
    begin(2, EAGAIN);
    for (uint32_t id = 1; id <= 5; id++)
        submit(id, "[ $K = V ] && [ ${PWD##*/} = sub ]", false);
    ok(nstarted == 2 && !nended, "as many start as there is room for");
    ok(notes == 1, "the others wait, which is said once");
    loop_run(loop, NULL, NULL);
    ok(nstarted == 5 && nended == 5, "they start when others have ended");
    for (uint32_t i = 0; i < 5; i++)
        ok(started[i] == i + 1 && !ends[i + 1].status, "launch %u in its turn, as it was", i + 1);
    for (uint32_t id = 6; id <= 9; id++)
        submit(id, "true", false);
    loop_run(loop, NULL, NULL);
    ok(nended == 9 && notes == 1, "no more is said, also when it happens again");
}

static void cancel_three(void *user)
{
    executor_cancel(executor, (const uint32_t[]){1, 2, 3}, 3, false);
}

static void test_cancel(void)
{
    begin(1, ENOMEM);
    submit(1, "sleep 30", false);
    submit(2, "true", false);
    submit(3, "true", false);
    struct timer *timer = timer_open(loop, 1, 0, cancel_three, NULL);
    loop_run(loop, NULL, NULL);
    timer_close(timer);
    ok(nstarted == 1 && nended == 3, "what waits and is cancelled ends without a start");
    ok(ends[2].signal == SIGTERM && ends[3].signal == SIGTERM, "as by a signal");
}

static void make_room(void *user)
{
    room = 1;
}

static void test_alone(void)
{
    begin(0, EAGAIN);
    submit(1, "true", false);
    struct timer *timer = timer_open(loop, 1, 0, make_room, NULL);
    loop_run(loop, NULL, NULL);
    timer_close(timer);
    ok(nstarted == 1 && !ends[1].status, "others may make room, too");
    begin(0, EAGAIN);
    submit(1, "true", false);
    loop_run(loop, NULL, NULL);
    ok(!nstarted && ends[1].status == 127, "where nobody does, it fails");
    ok(strstr(message, "'bash' could not be started: ") && strstr(message, "ulimit -u"),
       "and says why");
}

static void stop_loop(void *user)
{
    loop_stop(loop);
}

static void test_together(void)
{
    begin(1, EAGAIN);
    submit(1, "sleep 60", false);
    submit(2, "true", true);
    submit(3, "true", false);
    while (!nended) {
        struct timer *timer = timer_open(loop, 100, 0, stop_loop, NULL);
        loop_run(loop, NULL, NULL);
        timer_close(timer);
    }
    ok(nended == 1 && ended[0] == 2 && ends[2].status == 127,
       "one that others may wait for does not wait for them");
    executor_cancel(executor, (const uint32_t[]){1}, 1, false);
    loop_run(loop, NULL, NULL);
    ok(nended == 3 && !ends[3].status, "any other does");
}

static void test_close(void)
{
    begin(1, EAGAIN);
    submit(1, "sleep 30", false);
    submit(2, "true", false);
    executor_close(executor);
    loop_run(loop, NULL, NULL);
    ok(!nended && nstarted == 1, "after closing nothing starts and nothing is told");
}

int main(void)
{
    char dir[] = "/tmp/kf-room-XXXXXX";
    if (!ok(mkdtemp(dir) && !chdir(dir) && fs_mkdirs("sub"), "a directory to work in"))
        return done();
    loop = loop_new();
    executor = executor_open("local", loop, &(struct exec_options){.on_event = on_event});
    test_wait();
    test_cancel();
    test_alone();
    test_together();
    test_close();
    loop_free(loop);
    ok(!chdir("/") && fs_remove_tree(dir), "all is removed");
    return done();
}
