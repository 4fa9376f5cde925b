// SPDX-License-Identifier: MIT
/* gang.h: jobs that must run at the same time: pipe() and service() outputs tie their maker to
 * those who use them. A gang is a ring of jobs. */
#pragma once

#include "graph/graph.h"

/* Whether the file exists only while its maker runs. */
static inline bool is_stream(const struct graph *g, file_id file)
{
    return g->files.at[file].flags & (FLAG_PIPE | FLAG_SERVICE);
}

/* Whether the job has an output with one of these flags. */
bool job_makes(const struct graph *g, job_id job, uint16_t flags);
static inline bool is_service(const struct graph *g, job_id job)
{
    return job_makes(g, job, FLAG_SERVICE);
}

/* By job the next of its ring, 0 for jobs of no gang, in malloc memory; *ring stays NULL if there
 * is no gang. Over jobs that must run, and streams whose maker has not been taken. False after a
 * diagnostic: a stream that nobody uses, a pipe with several users, rules that cannot take part. */
bool gangs_find(const struct graph *g, job_id **ring);
/* The same rings without the jobs that wait for what others of their gang make as an ordinary file,
 * over others or not: clients of a service that follow upon others start when their turn comes. In
 * malloc memory; NULL if ring is. */
job_id *gangs_starters(const struct graph *g, const job_id *ring);
