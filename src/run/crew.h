// SPDX-License-Identifier: MIT
/* crew.h: jobs that start together because pipes or services tie them (see graph/gang.h). A gang
 * waits until all its jobs are ready; it is one entry of the picker. A service ends when the other
 * jobs of its gang have, and all others that use it. Where there are pipes, the gang ends well as a
 * whole or not at all: what was read from a job that failed is cut off. */
#pragma once

#include "graph/ready.h"
#include "run/pick.h"

struct crew {
    job_id *ring;     /* owned; NULL: there are no gangs */
    job_id *starters; /* the same without those that follow upon others of their gang; owned */
    uint8_t *state;   /* by job: enum crew_state */
    uint32_t njobs;   /* that all have room for */
};
enum crew_state { CREW_WAITS, CREW_READY, CREW_WELL, CREW_ENDED, CREW_LOST, CREW_FAILED };

/* False after a diagnostic. */
bool crew_start(struct crew *crew, const struct graph *g);
/* The graph has grown: new jobs find their gangs; those of which a job has been ready stay as they
 * are. False after a diagnostic. */
bool crew_grow(struct crew *crew, const struct graph *g);
/* Frees what it holds. */
void crew_end(struct crew *crew);
/* A job is ready: its streams are there for those who use them. True if it (or its whole gang, of
 * which *job is set to the first) can go to the picker. */
bool crew_ready(struct crew *crew, struct ready *ready, job_id *job);
/* The graph has grown, and a job that was ready before is counted as ready again. */
void crew_ready_again(const struct crew *crew, struct ready *ready, job_id job);
static inline bool crew_has(const struct crew *crew, job_id job)
{
    return crew->ring && crew->ring[job];
}
/* Whether two jobs start together. */
bool crew_tied(const struct crew *crew, job_id a, job_id b);
/* A job of a gang has ended. */
void crew_ended(struct crew *crew, job_id job);
/* Whether of a job's gang only services still run, and nobody is left whom they serve: jobs that
 * the graph has got since are of other gangs, or of none. */
bool crew_is_over(const struct crew *crew, const struct graph *g, job_id job);
/* A job of a gang has failed: the others are of no use. */
void crew_failed(struct crew *crew, job_id job);
static inline bool crew_is_lost(const struct crew *crew, job_id job)
{
    return crew_has(crew, job) && crew->state[job] >= CREW_LOST;
}
/* Whether the job is no service and the gang has pipes: it ends as the others do. */
bool crew_is_piped(const struct crew *crew, const struct graph *g, job_id job);
/* The outputs of such a job are there. True if those of all others are, too. */
bool crew_well(struct crew *crew, const struct graph *g, job_id job);
/* Whether a gang may be tried again after a failure: pipes tie all that it made to each other. */
bool crew_can_repeat(const struct crew *crew, const struct graph *g, job_id job);
/* All of a gang that can repeat have failed: it waits for the picker once more. Its first job; 0:
 * some have not. */
job_id crew_repeat(struct crew *crew, job_id job);
