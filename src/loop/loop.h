// SPDX-License-Identifier: MIT
/* loop.h: the event loop, and with process.h the only door to libuv. Timers, signals and wake-ups
 * are handles owned by whoever opened them; callbacks are short and post work, they never change
 * a job. Closing is one ritual: x_close() starts it, loop_run ends only when every handle is
 * closed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct loop;

/* A loop with nothing open, the caller's; the program waits for its children through it, and writes
 * to closed pipes fail instead of ending it. */
struct loop *loop_new(void);
/* Runs until nothing is open any more or loop_stop was called. turn, if set, is called once at the
 * end of every round of events. */
void loop_run(struct loop *loop, void (*turn)(void *user), void *user);
/* The round that runs is the last. */
void loop_stop(struct loop *loop);
void loop_free(struct loop *loop); /* closes what is still open */

/* A one-shot or repeating timer (repeat_ms 0: once). It is its owner's to close, also when it has
 * fired; an armed timer keeps the loop running. */
struct timer;
struct timer *timer_open(struct loop *loop, uint64_t ms, uint64_t repeat_ms,
                         void (*fire)(void *user), void *user);
void timer_close(struct timer *timer); /* NULL is fine */
/* The same, and *timer is NULL then: none is open. */
void timer_end(struct timer **timer);

/* fire once in every round, which does not wait then: for work that needs a turn between two steps.
 * Keeps the loop running until it is closed. */
struct idle;
struct idle *idle_open(struct loop *loop, void (*fire)(void *user), void *user);
void idle_close(struct idle *idle);

/* SIGINT, SIGTERM...: fire(user, signum) on the loop's thread. A watch does not keep the loop
 * running. A signal that was ignored when the program started, as SIGINT is for what a shell runs
 * in the background, stays so. */
struct signal_watch;
struct signal_watch *signal_open(struct loop *loop, int signum,
                                 void (*fire)(void *user, int signum), void *user);
/* From then on the signal does nothing: the short work at the end of a run, such as writing its end
 * and removing its lock, is not cut off by a second one. */
void signal_close(struct signal_watch *watch);
/* What was watched and is closed ends the program again, or does nothing again: around long work
 * that comes after a run. */
void signals_end_program(bool end);
