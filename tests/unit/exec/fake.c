// SPDX-License-Identifier: MIT
#include "exec/fake.h"
#include "test.h"

#include <signal.h>

static struct executor *executor;
static int64_t clock_now;
static struct exec_event last;
static int nends;

/* When a ends, c is submitted: what a scheduler would do. */
static void on_event(void *user, const struct exec_event *event)
{
    if (event->kind != EXEC_ENDED)
        return;
    nends++;
    last = *event;
    if (event->launch == 1)
        executor_submit(executor, &(struct launch){.id = 3, .name = "c", .shell = "rm -rf /"}, 1);
}

static int64_t now(void *user)
{
    return clock_now;
}

static void test_own_clock(void)
{
    struct loop *loop = loop_new();
    executor = executor_open("fake", loop, &(struct exec_options){.on_event = on_event});
    fake_script(executor, "b", 5000, 7, 0);
    struct launch both[] = {{.id = 1, .name = "a", .shell = "false"},
                            {.id = 2, .name = "b", .shell = "false"}};
    executor_submit(executor, both, 2);
    loop_run(loop, NULL, NULL);
    is(fake_history(executor),
       "0 start a\n0 start b\n1000 end a 0\n1000 start c\n2000 end c 0\n5000 end b 7\n",
       "everything in its time, by a clock that jumps");
    ok(nends == 3 && last.status == 7 && last.start_ns == 0 && last.end_ns == 5000000000,
       "the last event");
    ok(fake_now(executor) == 5000000000, "the clock stands at the last end");
    executor_close(executor);
    loop_free(loop);
}

static void test_given_clock(void)
{
    struct loop *loop = loop_new();
    executor = executor_open("fake", loop,
                             &(struct exec_options){.on_event = on_event, .now = now});
    struct launch two[] = {{.id = 4, .name = "d"}, {.id = 5, .name = "e"}};
    nends = 0;
    fake_script(executor, "d", 10, 0, 0);
    fake_script(executor, NULL, 20, 0, 0);
    executor_submit(executor, two, 2);
    clock_now = 9999999;
    executor->kind->poll(executor);
    ok(nends == 0, "nothing is due");
    clock_now = 10000000;
    executor->kind->poll(executor);
    ok(nends == 1 && last.launch == 4, "one is");
    uint32_t id = 5;
    executor_cancel(executor, &id, 1, false);
    executor->kind->poll(executor);
    ok(nends == 2 && last.signal == SIGTERM && last.status == -1, "a cancelled one ends now");
    executor_close(executor);
    loop_free(loop);
}

int main(void)
{
    test_own_clock();
    test_given_clock();
    return done();
}
