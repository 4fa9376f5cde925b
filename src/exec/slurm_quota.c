// SPDX-License-Identifier: MIT
/* slurm_quota.c: a job that waits for a limit of its group may wait for others to finish, or for
 * ever: when it asks for more than the limit itself. Slurm does not say which; so for one job of a
 * batch that has waited a while its request is compared with the limits of its QOS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ensure.h"
#include "exec/slurm_inner.h"

/* One question on its way. The batch may end meanwhile: it is found again by its number. */
struct quota {
    struct slurm *slurm;
    uint32_t batch;
    char qos[64], request[400];
};

static void end_quota(struct quota *quota)
{
    struct slurm *slurm = quota->slurm;
    for (uint32_t i = 0; i < slurm->quotas.len; i++)
        if (slurm->quotas.at[i] == quota)
            slurm->quotas.at[i--] = slurm->quotas.at[--slurm->quotas.len];
    free(quota);
}

void slurm_forget_quotas(struct slurm *slurm)
{
    while (slurm->quotas.len)
        end_quota(slurm->quotas.at[0]);
}

static void doom(struct slurm_batch *batch, const struct quota *quota, const char *what)
{
    for (uint32_t i = 0; i < batch->n; i++) {
        struct slurm_job *job = batch->jobs[i];
        char id[32];
        struct buf why = {0};
        if (!job || job->stage != STAGE_LIVE || job->row.phase != SLURM_PENDING || job->doomed)
            continue;
        slurm_job_id(job, id);
        buf_printf(&why, "Slurm job %s can never start: %s; it asks the QOS %s for %s", id,
                   job->row.reason, quota->qos, what);
        free(job->message);
        job->message = buf_take(&why);
        job->doomed = true;
        slurm_cancel_jobs(batch->slurm, &job, 1);
    }
}

static void on_limits(void *user, const struct process_end *end)
{
    struct quota *quota = user;
    struct slurm_batch *batch = quota->slurm->batches.at[quota->batch];
    char what[160];
    if (batch && !end->status && slurm_exceeds(quota->request, end->out, what, sizeof what))
        doom(batch, quota, what);
    end_quota(quota);
}

/* "clive|cpu=48,mem=10M,...|" */
static void on_request(void *user, const struct process_end *end)
{
    struct quota *quota = user;
    char option[80];
    if (end->status || sscanf(end->out, "%63[^|]|%399[^|]|", quota->qos, quota->request) != 2) {
        end_quota(quota);
        return;
    }
    snprintf(option, sizeof option, "qos=%s", quota->qos);
    const char *const argv[] = {"scontrol", "-o", "show", "assoc_mgr", "flags=qos", option, NULL};
    if (!slurm_call(quota->slurm,
                    &(struct process_options){
                        .argv = argv, .timeout_ms = QUERY_MS, .on_end = on_limits, .user = quota}))
        end_quota(quota);
}

void slurm_check_quota(struct slurm_job *job)
{
    struct quota *quota = calloc(1, sizeof *quota);
    char id[32];
    if (!quota)
        out_of_memory();
    *quota = (struct quota){.slurm = job->slurm, .batch = job->batch->number};
    vec_push(&job->slurm->quotas, quota);
    slurm_job_id(job, id);
    const char *const argv[] = {"squeue", "-h", "-r", "-j", id, "-O", "QOS:|,tres-alloc:|", NULL};
    if (!slurm_call(job->slurm,
                    &(struct process_options){
                        .argv = argv, .timeout_ms = QUERY_MS, .on_end = on_request, .user = quota}))
        end_quota(quota);
}
