// SPDX-License-Identifier: MIT
#include "run/crew.h"

#include <stdlib.h>

#include "base/memory.h"
#include "graph/gang.h"

/* Whether one of its gang has been ready. */
static bool has_begun(const struct crew *crew, job_id job)
{
    job_id at = job;
    while (crew->state[at] == CREW_WAITS && crew->ring[at] != job)
        at = crew->ring[at];
    return crew->state[at] != CREW_WAITS;
}

/* Whether b is another one of the ring that a is in. */
static bool is_beside(const job_id *ring, job_id a, job_id b)
{
    job_id at = ring[a];
    while (at != a && at != b)
        at = ring[at];
    return at != a;
}

static void leave_ring(job_id *ring, job_id job)
{
    job_id before = ring[job];
    while (before && ring[before] != job)
        before = ring[before];
    if (before)
        ring[before] = ring[job] == before ? 0 : ring[job];
}

/* Into the rings of a graph that has grown. */
static void keep_begun(const struct crew *crew, job_id *ring)
{
    for (job_id j = 1; j < crew->njobs; j++)
        if (crew->ring[j] && has_begun(crew, j)) {
            leave_ring(ring, j);
            ring[j] = crew->ring[j];
        }
}

bool crew_start(struct crew *crew, const struct graph *g)
{
    *crew = (struct crew){0};
    return crew_grow(crew, g);
}

bool crew_grow(struct crew *crew, const struct graph *g)
{
    uint32_t n = g->jobs.len + 1;
    job_id *ring;
    if (!gangs_find(g, &ring))
        return false;
    if (!ring && !crew->ring)
        return true;
    if (!ring)
        ring = memory_zeroed(n, sizeof *ring);
    keep_begun(crew, ring);
    crew->state = memory_resized(crew->state, n, 1);
    for (uint32_t j = crew->njobs; j < n; j++)
        crew->state[j] = CREW_WAITS;
    free(crew->ring);
    crew->ring = ring;
    free(crew->starters);
    crew->starters = gangs_starters(g, ring);
    crew->njobs = n;
    return true;
}

void crew_end(struct crew *crew)
{
    free(crew->ring);
    free(crew->starters);
    free(crew->state);
    *crew = (struct crew){0};
}

bool crew_ready(struct crew *crew, struct ready *ready, job_id *job)
{
    if (!crew_has(crew, *job))
        return true;
    job_id first = *job, at = *job;
    bool all = true;
    if (crew_is_lost(crew, *job))
        return false;
    crew->state[*job] = CREW_READY;
    ready_streams(ready, *job);
    if (!crew->starters[*job])
        return true;
    do {
        first = at < first ? at : first;
        all &= crew->state[at] == CREW_READY;
        at = crew->starters[at];
    } while (at != *job);
    *job = first;
    return all;
}

void crew_ready_again(const struct crew *crew, struct ready *ready, job_id job)
{
    if (crew_has(crew, job) && crew->state[job] == CREW_READY)
        ready_streams(ready, job);
}

bool crew_tied(const struct crew *crew, job_id a, job_id b)
{
    return crew_has(crew, a) && crew->starters[a] && is_beside(crew->starters, a, b);
}

void crew_ended(struct crew *crew, job_id job)
{
    crew->state[job] = CREW_ENDED;
}

/* Looks for one who may still use what a service makes. Other services of its gang do not count:
 * they end with it. */
struct user_search {
    const struct crew *crew;
    const struct graph *g;
    job_id service;
    bool found;
};

static bool look_for_user(void *user, job_id job)
{
    struct user_search *search = user;
    const struct job *j = &search->g->jobs.at[job];
    bool mate = is_service(search->g, job) && is_beside(search->crew->ring, search->service, job);
    search->found = j->must_run && !j->done && !mate && !crew_is_lost(search->crew, job);
    return !search->found;
}

/* Whether one is left who uses what a service makes. */
static bool serves(const struct crew *crew, const struct graph *g, job_id service)
{
    struct user_search search = {crew, g, service, false};
    for (uint32_t i = 0; i < g->jobs.at[service].noutputs && !search.found; i++) {
        file_id f = job_outputs(g, service)[i];
        if (g->files.at[f].flags & FLAG_SERVICE)
            file_users(g, f, look_for_user, &search);
    }
    return search.found;
}

bool crew_is_over(const struct crew *crew, const struct graph *g, job_id job)
{
    job_id at = job;
    do {
        if (is_service(g, at) ? serves(crew, g, at) : crew->state[at] != CREW_ENDED)
            return false;
        at = crew->ring[at];
    } while (at != job);
    return true;
}

void crew_failed(struct crew *crew, job_id job)
{
    for (job_id at = crew->ring[job]; at != job; at = crew->ring[at])
        if (crew->state[at] < CREW_ENDED)
            crew->state[at] = CREW_LOST;
    crew->state[job] = CREW_FAILED;
}

bool crew_is_piped(const struct crew *crew, const struct graph *g, job_id job)
{
    if (!crew_has(crew, job) || is_service(g, job))
        return false;
    job_id at = job;
    while (!job_makes(g, at, FLAG_PIPE) && crew->ring[at] != job)
        at = crew->ring[at];
    return job_makes(g, at, FLAG_PIPE);
}

bool crew_well(struct crew *crew, const struct graph *g, job_id job)
{
    crew->state[job] = CREW_WELL;
    for (job_id at = crew->ring[job]; at != job; at = crew->ring[at])
        if (crew->state[at] < CREW_WELL && !is_service(g, at))
            return false;
    return true;
}

bool crew_can_repeat(const struct crew *crew, const struct graph *g, job_id job)
{
    bool pipes = false, all = true;
    job_id at = job;
    do {
        pipes |= job_makes(g, at, FLAG_PIPE);
        all &= crew->starters[at] && crew->state[at] != CREW_ENDED;
        at = crew->ring[at];
    } while (at != job);
    return pipes && all;
}

job_id crew_repeat(struct crew *crew, job_id job)
{
    job_id first = job;
    for (job_id at = crew->ring[job]; at != job; at = crew->ring[at]) {
        if (crew->state[at] != CREW_FAILED)
            return 0;
        first = at < first ? at : first;
    }
    for (job_id at = crew->ring[job]; crew->state[at] == CREW_FAILED; at = crew->ring[at])
        crew->state[at] = CREW_READY;
    return first;
}
