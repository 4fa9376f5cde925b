// SPDX-License-Identifier: MIT
#include "run/task.h"
#include "test.h"

#define STATES(X) X(WAITING) X(SUBMITTED) X(RUNNING) X(SETTLING) X(DONE) X(FAILED)
#define EVENTS(X) X(ON_SUBMIT) X(ON_START) X(ON_SUCCESS) X(ON_FAILURE) X(ON_OUTPUT) X(ON_MISSING)

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
    B = TASK_SUBMITTED,
    R = TASK_RUNNING,
    S = TASK_SETTLING,
    D = TASK_DONE,
    F = TASK_FAILED
};

/* A row a state, a column an event: SUBMIT, START, SUCCESS, FAILURE, OUTPUT, MISSING. What comes
 * late or twice changes nothing. */
static const uint8_t next[6][6] = {
    [W] = {B, W, W, F, W, W}, /* a task that cannot be prepared fails */
    [B] = {B, R, S, F, B, B}, /* the end may be told without the start */
    [R] = {R, R, S, F, R, R}, [S] = {S, S, S, F, D, F},
    [D] = {D, D, D, D, D, D}, [F] = {F, F, F, F, F, F},
};

int main(void)
{
    for (uint8_t state = 0; state < 6; state++)
        for (uint8_t event = 0; event < 6; event++)
            is(state_names[task_next(state, event)], state_names[next[state][event]],
               event_names[event]);
    return done();
}
