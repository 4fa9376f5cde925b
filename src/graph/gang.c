// SPDX-License-Identifier: MIT
#include "graph/gang.h"

#include <stdlib.h>

#include "base/memory.h"

bool job_makes(const struct graph *g, job_id job, uint16_t flags)
{
    for (uint32_t i = 0; i < g->jobs.at[job].noutputs; i++)
        if (g->files.at[job_outputs(g, job)[i]].flags & flags)
            return true;
    return false;
}

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

/* ---- who starts at once ---- */

/* A walk from the jobs of one gang along what they make. */
struct lateness {
    const struct graph *g;
    job_id *gang; /* by job: the first of its gang, 0: of none */
    job_id *seen; /* by job: the gang from which it was reached */
    job_id first; /* of the gang in turn */
    bool *late;   /* by job */
    VEC(job_id) stack;
};

static bool reach(void *user, job_id job)
{
    struct lateness *l = user;
    if (l->seen[job] == l->first)
        return true;
    l->seen[job] = l->first;
    l->late[job] = l->gang[job] == l->first;
    vec_push(&l->stack, job);
    return true;
}

static void follow(struct lateness *l, job_id job, bool streams)
{
    for (uint32_t i = 0; i < l->g->jobs.at[job].noutputs; i++) {
        file_id f = job_outputs(l->g, job)[i];
        if (streams || !is_stream(l->g, f))
            file_users(l->g, f, reach, l);
    }
}

static void find_late(struct lateness *l, const job_id *ring, job_id first)
{
    job_id at = first;
    l->first = first;
    do {
        follow(l, at, false);
        at = ring[at];
    } while (at != first);
    while (l->stack.len)
        follow(l, l->stack.at[--l->stack.len], true);
}

static bool has_service(const struct graph *g, const job_id *ring, job_id first)
{
    job_id at = first;
    while (!is_service(g, at) && ring[at] != first)
        at = ring[at];
    return is_service(g, at);
}

/* Takes the late ones out of their rings. */
static job_id *without_late(const job_id *ring, const bool *late, uint32_t n)
{
    job_id *out = memory_zeroed(n, sizeof *out);
    for (job_id j = 1; j < n; j++) {
        if (!ring[j] || late[j])
            continue;
        job_id next = ring[j];
        while (late[next])
            next = ring[next];
        out[j] = next;
    }
    return out;
}

job_id *gangs_starters(const struct graph *g, const job_id *ring)
{
    uint32_t n = g->jobs.len + 1;
    if (!ring)
        return NULL;
    struct lateness l = {.g = g,
                         .gang = memory_zeroed(n, sizeof *l.gang),
                         .seen = memory_zeroed(n, sizeof *l.seen),
                         .late = memory_zeroed(n, sizeof *l.late)};
    for (job_id first = 1; first < g->jobs.len; first++) {
        for (job_id at = first; ring[first] && !l.gang[at]; at = ring[at])
            l.gang[at] = first;
        if (l.gang[first] == first && has_service(g, ring, first))
            find_late(&l, ring, first);
    }
    job_id *out = without_late(ring, l.late, n);
    vec_free(&l.stack);
    free(l.gang);
    free(l.seen);
    free(l.late);
    return out;
}
