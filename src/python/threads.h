// SPDX-License-Identifier: MIT
/* threads.h: Python threads that take turns. Each has a C stack and an evaluator's stack of its own
 * and runs until it pauses (time.sleep, a lock, a queue); then another goes on whose time has come.
 * Nothing ever runs beside anything else, so that the evaluator needs no lock. A thread that
 * computes without a pause keeps all others waiting. */
#pragma once

#include "python/value.h"

struct vm;

/* Starts a thread that calls function; it runs until its first pause. object: what stands for it in
 * Python. False: raised. */
bool threads_spawn(struct vm *vm, value function, value object);
/* Lets others run; goes on after so many seconds. */
void threads_pause(struct vm *vm, double seconds);
/* The object of the thread that runs; NO_VALUE: the main one. */
value threads_current(const struct vm *vm);
/* How many threads beside the main one have not ended. */
uint32_t threads_alive(const struct vm *vm);
/* For C callers between evaluations: lets those go on whose time has come. */
void threads_run(struct vm *vm);
/* Milliseconds until a thread wants to go on; -1: there is none. */
int threads_next(const struct vm *vm);

/* For the evaluator. */
void threads_mark(struct vm *vm);
void threads_end(struct vm *vm);
