// SPDX-License-Identifier: MIT
/* loop.c: the loop, timers and signals. Closing: x_close() hands the handle to uv_close, and its
 * callback frees the owner; nothing is freed while libuv still knows it. */
#include "loop/loop.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/memory.h"
#include "loop/loop_inner.h"

struct timer {
    struct owner owner;
    uv_timer_t handle;
    void (*fire)(void *user);
    void *user; /* borrowed */
};

struct idle {
    struct owner owner;
    uv_idle_t handle;
    void (*fire)(void *user);
    void *user; /* borrowed */
};

struct signal_watch {
    struct owner owner;
    uv_signal_t handle;
    void (*fire)(void *user, int signum);
    void *user; /* borrowed */
};

/* Descriptors 0 to 2 are never given to anything else, or a child's output would land in it. */
static void fill_standard_fds(void)
{
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", O_RDWR);
    }
}

/* libuv opens a file, then a pipe, and aborts without a word where there is no room for that. */
static void want_room(const struct loop *loop)
{
    int ends[2], file = fcntl(loop->null_fd, F_DUPFD_CLOEXEC, 0);
    if (file < 0 || pipe2(ends, O_CLOEXEC))
        out_of_means("make a pipe", errno);
    close(file);
    close(ends[0]);
    close(ends[1]);
}

static void on_child_signal(uv_signal_t *handle, int signum)
{
    process_reap(handle->loop->data);
}

struct loop *loop_new(void)
{
    struct loop *loop = memory_zeroed(1, sizeof *loop);
    fill_standard_fds();
    signal(SIGPIPE, SIG_IGN); /* a child that does not read its stdin is no reason to end */
    loop->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (loop->null_fd < 0)
        out_of_means("open /dev/null", errno);
    want_room(loop);
    int error = uv_loop_init(&loop->uv);
    loop->uv.data = loop;
    error = error ? error : uv_signal_init(&loop->uv, &loop->children);
    error = error ? error : uv_signal_start(&loop->children, on_child_signal, SIGCHLD);
    if (error)
        out_of_means("wait for processes", -error);
    uv_unref((uv_handle_t *)&loop->children);
    return loop;
}

void loop_run(struct loop *loop, void (*turn)(void *user), void *user)
{
    loop->stopped = 0;
    do {
        uv_run(&loop->uv, UV_RUN_ONCE);
        if (turn)
            turn(user);
    } while (!loop->stopped && uv_loop_alive(&loop->uv));
}

void loop_stop(struct loop *loop)
{
    /* The round that runs is the last; uv_stop would also end that of loop_free. */
    loop->stopped = 1;
}

static void close_any(uv_handle_t *handle, void *unused)
{
    struct owner *owner = handle->data;
    if (owner)
        owner->close(owner);
    else if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

void loop_free(struct loop *loop)
{
    if (!loop)
        return;
    process_abandon_all(loop);
    uv_walk(&loop->uv, close_any, NULL);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    ensure(!uv_loop_close(&loop->uv));
    close(loop->null_fd);
    found_free(&loop->found);
    free(loop);
}

static void on_owner_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void close_handle(uv_handle_t *handle)
{
    if (!uv_is_closing(handle))
        uv_close(handle, on_owner_closed);
}

static void close_timer(struct owner *owner)
{
    close_handle((uv_handle_t *)&((struct timer *)owner)->handle);
}

static void on_timer(uv_timer_t *handle)
{
    struct timer *timer = handle->data;
    timer->fire(timer->user);
}

struct timer *timer_open(struct loop *loop, uint64_t ms, uint64_t repeat_ms,
                         void (*fire)(void *user), void *user)
{
    struct timer *timer = memory_zeroed(1, sizeof *timer);
    *timer = (struct timer){.owner = {close_timer}, .fire = fire, .user = user};
    uv_timer_init(&loop->uv, &timer->handle);
    timer->handle.data = timer;
    uv_update_time(&loop->uv); /* ms counts from now, not from the start of the round */
    uv_timer_start(&timer->handle, on_timer, ms, repeat_ms);
    return timer;
}

void timer_close(struct timer *timer)
{
    if (timer)
        close_timer(&timer->owner);
}

void timer_end(struct timer **timer)
{
    timer_close(*timer);
    *timer = NULL;
}

static void close_idle(struct owner *owner)
{
    close_handle((uv_handle_t *)&((struct idle *)owner)->handle);
}

static void on_idle(uv_idle_t *handle)
{
    struct idle *idle = handle->data;
    idle->fire(idle->user);
}

struct idle *idle_open(struct loop *loop, void (*fire)(void *user), void *user)
{
    struct idle *idle = memory_zeroed(1, sizeof *idle);
    *idle = (struct idle){.owner = {close_idle}, .fire = fire, .user = user};
    uv_idle_init(&loop->uv, &idle->handle);
    idle->handle.data = idle;
    uv_idle_start(&idle->handle, on_idle);
    return idle;
}

void idle_close(struct idle *idle)
{
    if (idle)
        close_idle(&idle->owner);
}

static void close_signal(struct owner *owner)
{
    close_handle((uv_handle_t *)&((struct signal_watch *)owner)->handle);
}

static sigset_t closed_signals; /* of watches that were closed; none ignored from the start */

/* Not ignored: programs that are started would inherit that. */
static void do_nothing(int signum)
{
    (void)signum;
}

static void set_closed(int signum, bool ends)
{
    struct sigaction action = {.sa_handler = ends ? SIG_DFL : do_nothing, .sa_flags = SA_RESTART};
    sigaction(signum, &action, NULL);
}

void signals_end_program(bool end)
{
    for (int signum = 1; signum < 32; signum++)
        if (sigismember(&closed_signals, signum) > 0)
            set_closed(signum, end);
}

static void on_signal(uv_signal_t *handle, int signum)
{
    struct signal_watch *watch = handle->data;
    watch->fire(watch->user, signum);
}

struct signal_watch *signal_open(struct loop *loop, int signum,
                                 void (*fire)(void *user, int signum), void *user)
{
    struct signal_watch *watch = memory_zeroed(1, sizeof *watch);
    *watch = (struct signal_watch){.owner = {close_signal}, .fire = fire, .user = user};
    uv_signal_init(&loop->uv, &watch->handle);
    watch->handle.data = watch;
    struct sigaction before;
    if (sigaction(signum, NULL, &before) || before.sa_handler != SIG_IGN)
        uv_signal_start(&watch->handle, on_signal, signum);
    uv_unref((uv_handle_t *)&watch->handle);
    return watch;
}

void signal_close(struct signal_watch *watch)
{
    if (!watch)
        return;
    int signum = watch->handle.signum; /* 0: it is ignored */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* libuv makes it one that ends the program */
    close_signal(&watch->owner);
    if (signum) {
        sigaddset(&closed_signals, signum);
        set_closed(signum, false);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
