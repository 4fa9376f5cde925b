// SPDX-License-Identifier: MIT
/* remote.h: what a run needs when jobs are submitted to a site: which jobs stay here, groups, the
 * submit command and properties of each job, and the ids that the site has given. */
#pragma once

#include "run/grouptask.h"

/* Of a run that submits its jobs. Borrowed. */
struct remote_options {
    const char *submit;     /* the site's command, with placeholders */
    const char *precommand; /* before each job; or NULL */
    const char *jobname;    /* of scripts: "snakejob.{name}.{jobid}.sh" */
    struct site site;
    const struct slurm_options *slurm; /* NULL: a site's submit command */
    bool cancel_orphans;               /* of earlier runs */
    struct group_options groups;
    int local_cores; /* for jobs that stay here */
    bool notemp;
};

struct remote {
    struct graph *g;
    const struct remote_options *options;
    struct groups groups;
    uint32_t groups_fed;   /* of groups.queue */
    struct map external;   /* job -> place in ids + 1 */
    VEC(const char *) ids; /* owned by texts */
    struct arena texts;
};

/* False after a diagnostic: a group that depends on itself, options that exclude each other. */
bool remote_start(struct remote *remote, struct graph *g, const struct remote_options *options);
/* Forms the groups anew: the graph has grown. */
bool remote_regroup(struct remote *remote);
/* Frees what it holds. */
void remote_end(struct remote *remote);

/* Whether a job runs on this machine: localrules and rules without a body that are in no group. */
bool remote_stays(const struct remote *remote, job_id job);

/* The maker of the picker's tasks (user: the remote): evaluates the head of a group, or a single
 * job. NULL after diagnostics. */
struct task *remote_task(const void *user, job_id job, int attempt, const struct picker *picker);

/* Fills what the executor needs of a prepared task: the submit command with its placeholders, the
 * script's name, the properties. False: task->why. */
bool remote_describe(struct remote *remote, const struct task_context *context, struct task *task,
                     struct launch *launch);
/* A task is known to the site by that id. */
void remote_submitted(struct remote *remote, const struct task *task, const char *id);
