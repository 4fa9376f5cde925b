// SPDX-License-Identifier: MIT
/* slurm_move.c: a waiting job goes to another account: by scontrol update, which keeps its number
 * and its age. Where the site forbids that, it is cancelled while it waits, never once it runs, and
 * its end is nobody's fault: the caller submits it anew. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "exec/slurm_inner.h"

struct move {
    struct slurm *slurm;
    uint32_t launch;
    char id[32];
    struct arena texts;
    const char *account;
    const char *argv[8];
};

static struct slurm_job *job_of(const struct move *move)
{
    struct slurm_job *job = slurm_job_of(move->slurm, move->launch);
    char id[32] = "";
    if (job && job->batch)
        slurm_job_id(job, id);
    return job && job->stage == STAGE_LIVE && !strcmp(id, move->id) ? job : NULL;
}

static void free_move(struct move *move)
{
    arena_free(&move->texts);
    free(move);
}

static void on_cancelled(void *user, const struct process_end *end)
{
    struct move *move = user;
    (void)end; /* the poll tells what became of it */
    move->slurm->poll_now = true;
    free_move(move);
}

static void refused(struct move *move, struct slurm_job *job, const char *err)
{
    char why[200];
    struct buf message = {0};
    slurm_complaint(err, why, sizeof why);
    buf_printf(
        &message,
        "Slurm does not move waiting jobs here (%s): the job is cancelled and submitted again",
        why);
    free(job->message);
    job->message = buf_take(&message);
    job->displaced = true;
    const char *argv[] = {"scancel", "-t", "PENDING", move->id, NULL};
    memcpy(move->argv, argv, sizeof argv);
    if (!slurm_call(move->slurm, &(struct process_options){.argv = move->argv,
                                                           .timeout_ms = CANCEL_MS,
                                                           .on_end = on_cancelled,
                                                           .user = move}))
        free_move(move);
}

static void on_moved(void *user, const struct process_end *end)
{
    struct move *move = user;
    struct slurm_job *job = job_of(move);
    bool good = !end->status && !end->signal;
    move->slurm->poll_now = true;
    if (job && !job->started && good) {
        free(job->account);
        job->account = slurm_copy(move->account);
        job->waits_ns = 0;
        if (job->batch->n == 1)
            past_set_row(&move->slurm->past, &(struct exec_submission){.token = job->batch->token,
                                                                       .account = job->account});
        slurm_report(job, &(struct exec_event){.kind = EXEC_MOVED, .message = job->account});
    } else if (job && !job->started && !end->timed_out &&
               slurm_trouble(end->err) == TROUBLE_REJECTED) {
        refused(move, job, end->err);
        return;
    }
    free_move(move);
}

void slurm_move(struct executor *executor, uint32_t launch, const struct exec_place *place)
{
    struct slurm *slurm = (struct slurm *)executor;
    struct move *move = memory_zeroed(1, sizeof *move);
    *move = (struct move){.slurm = slurm, .launch = launch};
    struct slurm_job *job = slurm_job_of(slurm, launch);
    uint32_t n = 0;
    if (!job || job->stage != STAGE_LIVE || job->row.phase != SLURM_PENDING || !job->batch->job ||
        *job->batch->cluster || slurm->stopping) {
        free_move(move);
        return;
    }
    slurm_job_id(job, move->id);
    move->account = arena_str(&move->texts, place->account);
    move->argv[n++] = "scontrol";
    move->argv[n++] = "update";
    move->argv[n++] = arena_printf(&move->texts, "jobid=%s", move->id);
    move->argv[n++] = arena_printf(&move->texts, "account=%s", place->account);
    if (place->qos)
        move->argv[n++] = arena_printf(&move->texts, "qos=%s", place->qos);
    if (place->partition)
        move->argv[n++] = arena_printf(&move->texts, "partition=%s", place->partition);
    if (!slurm_call(slurm, &(struct process_options){.argv = move->argv,
                                                     .timeout_ms = QUERY_MS,
                                                     .on_end = on_moved,
                                                     .user = move}))
        free_move(move);
}
