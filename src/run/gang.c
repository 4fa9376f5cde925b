// SPDX-License-Identifier: MIT
#include "run/gang.h"

#include <stdlib.h>

#include "base/memory.h"
#include "graph/gang.h"

bool crew_start(struct crew *crew, const struct graph *g)
{
    *crew = (struct crew){0};
    if (!gangs_find(g, &crew->ring))
        return false;
    if (crew->ring)
        crew->state = memory_zeroed(g->jobs.len + 1, 1);
    return true;
}

void crew_end(struct crew *crew)
{
    free(crew->ring);
    free(crew->state);
    *crew = (struct crew){0};
}

bool is_service(const struct graph *g, job_id job)
{
    for (uint32_t i = 0; i < g->jobs.at[job].noutputs; i++)
        if (g->files.at[job_outputs(g, job)[i]].flags & FLAG_SERVICE)
            return true;
    return false;
}

bool crew_ready(struct crew *crew, struct ready *ready, job_id *job)
{
    if (!crew_has(crew, *job))
        return true;
    job_id first = *job, at = *job;
    bool all = true;
    crew->state[*job] = CREW_READY;
    ready_streams(ready, *job);
    do {
        first = at < first ? at : first;
        all &= crew->state[at] == CREW_READY;
        at = crew->ring[at];
    } while (at != *job);
    *job = first;
    return all;
}

bool crew_ended(struct crew *crew, const struct graph *g, job_id job)
{
    crew->state[job] = CREW_ENDED;
    for (job_id at = crew->ring[job]; at != job; at = crew->ring[at])
        if (crew->state[at] != CREW_ENDED && !is_service(g, at))
            return false;
    return true;
}
