// SPDX-License-Identifier: MIT
#include "run/task.h"
#include "test.h"

#define STATES(X)                                                                                  \
    X(WAITING) X(FETCHING) X(SUBMITTED) X(RUNNING) X(SETTLING) X(STORING) X(DONE) X(FAILED)
#define EVENTS(X) X(ON_FETCH) X(ON_SUBMIT) X(ON_START) X(ON_SUCCESS) X(ON_FAILURE) X(ON_STORE)

static const char *const state_names[] = {
#define X(name) #name,
    STATES(X)
#undef X
};
static const char *const event_names[] = {
#define X(name) #name,
    EVENTS(X)
#undef X
};

enum {
    W = TASK_WAITING,
    I = TASK_FETCHING,
    B = TASK_SUBMITTED,
    R = TASK_RUNNING,
    S = TASK_SETTLING,
    O = TASK_STORING,
    D = TASK_DONE,
    F = TASK_FAILED
};

/* A row a state, a column an event: FETCH, SUBMIT, START, SUCCESS, FAILURE, STORE. What comes late
 * or twice changes nothing. */
static const uint8_t next[8][6] = {
    [W] = {I, B, W, W, F, W},                           /* a task that cannot be prepared fails */
    [I] = {I, B, I, I, F, I}, [B] = {B, B, R, S, F, B}, /* no start may be told */
    [R] = {R, R, R, S, F, R}, [S] = {S, S, S, S, F, O}, [O] = {O, O, O, O, F, O},
    [D] = {D, D, D, D, D, D}, [F] = {F, F, F, F, F, F},
};

int main(void)
{
    for (uint8_t state = 0; state < 8; state++)
        for (uint8_t event = 0; event < 6; event++)
            is(state_names[task_next(state, event)], state_names[next[state][event]],
               event_names[event]);
    return done();
}
