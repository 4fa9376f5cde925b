// SPDX-License-Identifier: MIT
/* group.h: jobs that are submitted together: those of one group id that are connected by their
 * files, and, with --group-components, several such parts. Node-local files put their makers and
 * users into one group.
 *
 *     struct groups groups;
 *     if (!groups_start(&groups, g, &options)) ...     // a group that would wait for itself
 *     group_done(&groups, job);                        // as jobs end; groups.queue fills
 *     groups_end(&groups); */
#pragma once

#include "graph/graph.h"

struct group_options {
    const char *const *assign;     /* "rule=group" words (--groups) or NULL */
    const char *const *components; /* "group=n" words (--group-components) or NULL */
};

struct group {
    sym_t name;
    uint32_t first, n; /* in groups.members: makers before users */
    uint32_t left;     /* inputs that jobs outside still have to make */
    job_id head;       /* the job that stands for the group in queues */
};

struct groups {
    struct graph *g; /* borrowed */
    POOL(struct group) all;
    VEC(job_id) members;
    uint32_t *of;        /* by job: its group; 0: none */
    uint32_t njobs;      /* of the graph when of was made */
    VEC(uint32_t) queue; /* groups that can start, in the order in which they became ready */
};

/* Forms the groups of all jobs that must run and are not taken yet. False after a diagnostic. */
bool groups_start(struct groups *groups, struct graph *g, const struct group_options *options);
/* Frees what it holds. */
void groups_end(struct groups *groups);
/* A job has ended well. */
void group_done(struct groups *groups, job_id job);
/* The group of a job, 0: none. groups may be NULL. */
static inline uint32_t group_of(const struct groups *groups, job_id job)
{
    return groups && job < groups->njobs ? groups->of[job] : 0;
}
/* The level of each member within its group (makers in a row before it), a number for each in the
 * arena. Jobs joined by pipes are on one level. */
uint32_t *group_levels(const struct groups *groups, uint32_t k, struct arena *in);
/* The UUID that Snakemake gives a group job: that of its last job. In the arena. */
const char *group_uuid(const struct groups *groups, uint32_t k, struct arena *in);

/* Tells jobs whose input functions ask for groupid the id of their group ("local" without one) and
 * takes them back to be evaluated again. False if there are none. */
bool groups_reopen(struct groups *groups);
