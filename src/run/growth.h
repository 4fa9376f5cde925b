// SPDX-License-Identifier: MIT
/* growth.h: the graph grows when a checkpoint has told the jobs that wait for it their inputs. Only
 * these are evaluated; linking and judging what is known then goes once over the graph. Where many
 * checkpoints end one after the other that would be quadratic, so those of a while grow together: a
 * growth waits until twenty times what the last one took have gone by, unless nothing else is
 * left to be started. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct run;

struct growth {
    bool wanted;                /* a checkpoint has ended */
    int64_t due_ns;             /* monotonic; not before it while other jobs are ready */
    struct timer *timer;        /* armed while one waits */
    bool queues;                /* queues that yield inputs are to be looked at too */
    int64_t poll_ns;            /* monotonic: when that is due */
    struct timer *thread_timer; /* armed while threads of the Snakefile or queues want to go on */
};

/* Once a turn: lets the Snakefile's threads go on, and looks at queues when it is time. */
void growth_turn(struct run *run);
/* Makes the loop turn when the next of them wants to go on. */
void growth_wake(struct run *run);
/* Whether the graph should grow before more is started: its time has come, or there are groups of
 * submitted jobs, which must know their members before they start. */
bool growth_comes_first(const struct run *run);
/* Whether it should when all is started that can be; if it should a little later, the loop wakes up
 * then. */
bool growth_is_due(struct run *run);
/* Tells the pickers which jobs are on long chains of those that are left. */
void growth_measure(struct run *run);
/* Begins to count which jobs are ready and which temporary files are still needed. */
void growth_count(struct run *run);
/* Lets it grow. After a failure the run stops. */
void growth(struct run *run);
