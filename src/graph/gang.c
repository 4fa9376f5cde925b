// SPDX-License-Identifier: MIT
#include "graph/gang.h"

#include <stdlib.h>

#include "base/memory.h"

struct gangs {
    const struct graph *g;
    job_id *ring, maker;
    file_id file; /* the stream being looked at */
    uint32_t users;
    bool failed;
};

static bool refuse(struct gangs *gangs, job_id job, const char *why)
{
    gangs->failed = true;
    return complain_kind(gangs->g->workflow->diags, "WorkflowError", job_rule(gangs->g, job)->span,
                         "output '%s' is marked as %s, but %s", file_path(gangs->g, gangs->file),
                         gangs->g->files.at[gangs->file].flags & FLAG_PIPE ? "pipe" : "service",
                         why);
}

/* Makes one ring of two. */
static void join(job_id *ring, job_id a, job_id b)
{
    job_id at = a, next = ring[a] ? ring[a] : a, other = ring[b] ? ring[b] : b;
    while (ring[at] && at != b && ring[at] != a)
        at = ring[at];
    if (a == b || at == b)
        return;
    ring[a] = other;
    ring[b] = next;
}

static bool add_user(void *user, job_id job)
{
    struct gangs *gangs = user;
    if (!gangs->g->jobs.at[job].must_run)
        return true;
    gangs->users++;
    if (job_rule(gangs->g, job)->body == BODY_NONE)
        return refuse(gangs, job,
                      "the rule that wants it executes nothing: that would lead to a "
                      "deadlock");
    if (job_rule(gangs->g, job)->body == BODY_RUN)
        return refuse(gangs, job, "a run: block cannot use it; use shell: or script:");
    join(gangs->ring, gangs->maker, job);
    return true;
}

static bool look_at(struct gangs *gangs, job_id job, file_id file)
{
    const struct graph *g = gangs->g;
    gangs->file = file;
    gangs->maker = job;
    gangs->users = 0;
    if (job_rule(g, job)->body == BODY_RUN)
        return refuse(gangs, job, "a run: block cannot make it; use shell: or script:");
    if (!gangs->ring)
        gangs->ring = memory_zeroed(g->jobs.len + 1, sizeof *gangs->ring);
    file_users(g, file, add_user, gangs);
    if (!gangs->failed && !gangs->users)
        refuse(gangs, job, "no job uses it: that would lead to a deadlock");
    if (!gangs->failed && gangs->users > 1 && g->files.at[file].flags & FLAG_PIPE)
        refuse(gangs, job, "more than one job uses it");
    return !gangs->failed;
}

bool gangs_find(const struct graph *g, job_id **ring)
{
    struct gangs gangs = {.g = g};
    bool good = true;
    for (job_id j = 1; good && j < g->jobs.len; j++)
        for (uint32_t i = 0; good && g->jobs.at[j].must_run && i < g->jobs.at[j].noutputs; i++) {
            file_id f = job_outputs(g, j)[i];
            good = !is_stream(g, f) || g->jobs.at[j].taken || look_at(&gangs, j, f);
        }
    if (!good) {
        free(gangs.ring);
        gangs.ring = NULL;
    }
    *ring = gangs.ring;
    return good;
}
