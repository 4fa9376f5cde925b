// SPDX-License-Identifier: MIT
#include "loop/loop.h"
#include "base/clock.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct seen {
    struct loop *loop;
    struct timer *timer;
    struct signal_watch *watch;
    int fired, turns, signum;
};

static void on_once(void *user)
{
    struct seen *seen = user;
    seen->fired++;
    timer_close(seen->timer);
}

static void on_tick(void *user)
{
    struct seen *seen = user;
    if (++seen->fired == 5)
        timer_close(seen->timer);
}

static void on_stop(void *user)
{
    struct seen *seen = user;
    seen->fired++;
    loop_stop(seen->loop);
}

static void on_raise(void *user)
{
    raise(SIGUSR1);
    on_once(user);
}

static void on_usr1(void *user, int signum)
{
    struct seen *seen = user;
    seen->signum = signum;
    signal_close(seen->watch);
}

static void count_turn(void *user)
{
    ((struct seen *)user)->turns++;
}

/* The exit status of a process that makes its first loop where n more files may be opened; -1: it
 * died. */
static int status_with(rlim_t n)
{
    int status = 0;
    pid_t child = fork();
    if (!child) {
        int next = open("/dev/null", O_WRONLY);
        struct rlimit most = {(rlim_t)next + n, (rlim_t)next + n};
        dup2(next, STDERR_FILENO);
        close(next);
        setrlimit(RLIMIT_NOFILE, &most);
        loop_free(loop_new());
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_descriptors(void)
{
    bool told = true;
    for (rlim_t n = 0; n < 4; n++)
        told &= status_with(n) == 1;
    ok(told && !status_with(20), "a program that may open too few files ends with status 1");
}

static void test_timers(void)
{
    struct seen seen = {.loop = loop_new()};
    int64_t start = clock_ns();
    seen.timer = timer_open(seen.loop, 20, 0, on_once, &seen);
    loop_run(seen.loop, count_turn, &seen);
    ok(seen.fired == 1 && clock_ns() - start >= 19000000,
       "a timer fires once, not before its time");
    ok(seen.turns >= 1, "the turn is called");
    seen.fired = 0;
    seen.timer = timer_open(seen.loop, 1, 1, on_tick, &seen);
    loop_run(seen.loop, NULL, NULL);
    ok(seen.fired == 5, "a repeating timer fires until it is closed");
    seen.timer = timer_open(seen.loop, 0, 1, on_stop, &seen);
    loop_run(seen.loop, NULL, NULL);
    int fired = seen.fired;
    ok(fired >= 6, "the loop stops though a timer is open");
    loop_run(seen.loop, NULL, NULL);
    ok(seen.fired > fired, "and goes on where it was");
    loop_free(seen.loop); /* the timer is still open: freeing closes it */
}

static void stop_turn(void *user)
{
    struct seen *seen = user;
    seen->turns++;
    loop_stop(seen->loop);
}

static void test_stop_in_turn(void)
{
    struct seen seen = {.loop = loop_new()};
    timer_open(seen.loop, 0, 1, count_turn, &seen);
    loop_run(seen.loop, stop_turn, &seen);
    ok(seen.turns >= 1, "a turn may stop the loop");
    loop_free(seen.loop);
    ok(true, "which is then freed with an open timer");
}

static void test_signals(void)
{
    struct seen seen = {.loop = loop_new()};
    seen.watch = signal_open(seen.loop, SIGUSR1, on_usr1, &seen);
    seen.timer = timer_open(seen.loop, 1, 0, on_raise, &seen);
    struct seen other = {.loop = seen.loop};
    other.timer = timer_open(seen.loop, 50, 0, on_once, &other);
    loop_run(seen.loop, NULL, NULL);
    ok(seen.signum == SIGUSR1, "a signal comes through the loop");
    seen.signum = 0;
    signal(SIGUSR1, SIG_IGN);
    seen.watch = signal_open(seen.loop, SIGUSR1, on_usr1, &seen);
    seen.timer = timer_open(seen.loop, 1, 0, on_raise, &seen);
    loop_run(seen.loop, NULL, NULL);
    signal_close(seen.watch);
    ok(!seen.signum, "one that is ignored stays ignored");
    signal_open(seen.loop, SIGUSR2, on_usr1, &seen);
    loop_run(seen.loop, NULL, NULL);
    ok(true, "a signal that is waited for does not keep the loop running");
    loop_free(seen.loop);
    loop_free(NULL);
}

int main(void)
{
    test_descriptors();
    test_timers();
    test_stop_in_turn();
    test_signals();
    return done();
}
