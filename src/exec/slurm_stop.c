// SPDX-License-Identifier: MIT
/* slurm_stop.c: scancel, in chunks, a few at a time; a whole array by its number. What Slurm does
 * not take is tried again: the end of a job is only believed when Slurm confirms it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "exec/slurm_inner.h"

enum { AT_ONCE = 4, AGAIN_MS = 3000, ARGUMENTS = CANCEL_IDS + 8 };

struct cancel {
    struct slurm *slurm;
    const char *argv[ARGUMENTS];
    uint32_t n, ids;
    char cluster[64]; /* of these jobs; "": this one */
    struct arena texts;
    bool begun;          /* it runs, or waits to be tried again; false: it waits for its turn */
    struct timer *again; /* NULL: none */
    int tries;
};

static void start(struct cancel *cancel);

static void on_again(void *user)
{
    struct cancel *cancel = user;
    timer_end(&cancel->again);
    start(cancel);
}

static void try_again(struct cancel *cancel)
{
    cancel->again = timer_open(cancel->slurm->loop, AGAIN_MS, 0, on_again, cancel);
}

/* Starts those whose turn it is. */
static void pump(struct slurm *slurm, uint32_t at_once)
{
    uint32_t running = 0;
    for (uint32_t i = 0; i < slurm->cancels.len; i++)
        running += slurm->cancels.at[i]->begun;
    for (uint32_t i = 0; i < slurm->cancels.len && running < at_once; i++) {
        if (slurm->cancels.at[i]->begun)
            continue;
        start(slurm->cancels.at[i]);
        running++;
    }
}

static void free_cancel(struct cancel *cancel)
{
    struct slurm *slurm = cancel->slurm;
    vec_remove(&slurm->cancels, cancel);
    timer_close(cancel->again);
    arena_free(&cancel->texts);
    free(cancel);
}

static void tell_unanswered(struct slurm *slurm, const struct process_end *end)
{
    char complaint[300];
    slurm_complaint(end->err, complaint, sizeof complaint);
    if (!slurm->told_uncancelled)
        exec_note(&slurm->options,
                  "Slurm does not cancel jobs now (%s); it is told again until it does.",
                  end->timed_out || !*complaint ? "no answer" : complaint);
    slurm->told_uncancelled = true;
}

/* How often a scancel is called at most that ends so. Slurm may not have heard of it: it says so,
 * or was itself ended before it said anything. One that fails without a word may do so always (a
 * site's own), also where the jobs have ended: it is called a few times. A complaint about one id
 * (ended already, another's) leaves the others cancelled. */
static int most_tries(const struct process_end *end)
{
    enum { UNREACHED = 1000, WORDLESS = 5 };
    enum slurm_trouble trouble = slurm_trouble(end->err);
    if (end->timed_out || end->signal)
        return UNREACHED;
    if (end->status && (trouble == TROUBLE_AMBIGUOUS || trouble == TROUBLE_BUSY))
        return UNREACHED;
    return end->status && !*end->err ? WORDLESS : 1;
}

static void on_end(void *user, const struct process_end *end)
{
    struct cancel *cancel = user;
    struct slurm *slurm = cancel->slurm;
    if (!slurm->left && ++cancel->tries < most_tries(end)) {
        tell_unanswered(slurm, end);
        try_again(cancel);
        return;
    }
    free_cancel(cancel);
    slurm->poll_now = true;
    pump(slurm, AT_ONCE);
}

static void start(struct cancel *cancel)
{
    cancel->begun = true;
    if (!slurm_call(cancel->slurm, &(struct process_options){.argv = cancel->argv,
                                                             .timeout_ms = CANCEL_MS,
                                                             .on_end = on_end,
                                                             .user = cancel}))
        try_again(cancel); /* too many processes run here now */
}

static struct cancel *cancel_new(struct slurm *slurm, const char *cluster)
{
    struct cancel *cancel = memory_zeroed(1, sizeof *cancel);
    *cancel = (struct cancel){.slurm = slurm, .argv = {"scancel"}, .n = 1};
    snprintf(cancel->cluster, sizeof cancel->cluster, "%s", cluster);
    if (*cluster) {
        cancel->argv[cancel->n++] = "-M";
        cancel->argv[cancel->n++] = cancel->cluster;
    }
    vec_push(&slurm->cancels, cancel);
    return cancel;
}

static void add_id(struct slurm *slurm, struct cancel **cancel, const char *cluster, const char *id)
{
    if (!*cancel || (*cancel)->ids == CANCEL_IDS || strcmp((*cancel)->cluster, cluster))
        *cancel = cancel_new(slurm, cluster);
    (*cancel)->argv[(*cancel)->n++] = arena_str(&(*cancel)->texts, id);
    (*cancel)->ids++;
}

/* Whether all jobs of an array that still live are being cancelled. */
static bool is_whole(const struct slurm_batch *batch)
{
    for (uint32_t i = 0; i < batch->n; i++)
        if (batch->jobs[i] && batch->jobs[i]->stage == STAGE_LIVE && !batch->jobs[i]->cancelled)
            return false;
    return batch->is_array;
}

void slurm_cancel_jobs(struct slurm *slurm, struct slurm_job *const *jobs, uint32_t n)
{
    struct cancel *cancel = NULL;
    struct slurm_batch *whole = NULL;
    for (uint32_t i = 0; i < n; i++)
        if (jobs[i])
            jobs[i]->cancelled = true;
    for (uint32_t i = 0; i < n; i++) {
        char id[32];
        if (!jobs[i] || jobs[i]->stage != STAGE_LIVE || !jobs[i]->batch->job ||
            jobs[i]->batch == whole)
            continue;
        slurm_job_id(jobs[i], id);
        if (is_whole(jobs[i]->batch)) {
            whole = jobs[i]->batch;
            snprintf(id, sizeof id, "%u", (unsigned)whole->job);
        }
        add_id(slurm, &cancel, jobs[i]->batch->cluster, id);
    }
    pump(slurm, AT_ONCE);
}

void slurm_cancel_soon(struct slurm_job *job)
{
    job->cancelled = job->cancel_due = true;
    job->slurm->cancels_due = true;
}

void slurm_cancel_due(struct slurm *slurm)
{
    VEC(struct slurm_job *) jobs = {0};
    for (uint32_t i = 1; slurm->cancels_due && i < slurm->batches.len; i++) {
        struct slurm_batch *batch = slurm->batches.at[i];
        for (uint32_t k = 0; batch && k < batch->n; k++) {
            struct slurm_job *job = batch->jobs[k];
            if (!job || !job->cancel_due)
                continue;
            job->cancel_due = false;
            vec_push(&jobs, job);
        }
    }
    slurm->cancels_due = false;
    slurm_cancel_jobs(slurm, jobs.at, jobs.len);
    vec_free(&jobs);
}

/* Those that run go on by themselves. */
void slurm_forget_cancels(struct slurm *slurm)
{
    pump(slurm, UINT32_MAX);
    while (slurm->cancels.len)
        free_cancel(slurm->cancels.at[0]);
}

/* ---- the whole run ---- */

static void report_cancelled(struct slurm_job *job, bool left)
{
    job->stage = STAGE_ENDED;
    slurm_report(job, &(struct exec_event){.kind = EXEC_ENDED,
                                           .status = -1,
                                           .signal = SIGTERM,
                                           .start_ns = job->who.submit_ns,
                                           .end_ns = clock_wall_ns(),
                                           .message = left ? "left behind" : NULL,
                                           .left = left});
}

void slurm_drop(struct slurm_batch *batch)
{
    batch->ambiguous = false;
    batch->submitted = true;
    for (uint32_t i = 0; i < batch->n; i++)
        if (batch->jobs[i] && batch->jobs[i]->stage == STAGE_SUBMITTING)
            report_cancelled(batch->jobs[i], false);
}

/* What Slurm has not seen ends at once. */
static void drop_waiting(struct slurm *slurm)
{
    for (uint32_t i = 0; i < slurm->waiting.len; i++)
        report_cancelled(slurm->waiting.at[i], false);
    slurm->waiting.len = 0;
    for (uint32_t i = 0; i < slurm->held.len; i++)
        slurm_drop(slurm->batches.at[slurm->held.at[i]]);
    slurm->held.len = 0;
    while (slurm->sent < slurm->unsent.len) {
        struct slurm_batch *batch = slurm->batches.at[slurm->unsent.at[slurm->sent++]];
        if (batch && !batch->submitted)
            slurm_drop(batch);
    }
}

/* The second signal: nothing is waited for, and what is left is said. */
static void leave_all(struct slurm *slurm)
{
    struct buf ids = {0};
    uint32_t n = 0;
    slurm->left = true;
    for (uint32_t i = 1; i < slurm->batches.len; i++) {
        struct slurm_batch *batch = slurm->batches.at[i];
        for (uint32_t k = 0; batch && k < batch->n; k++) {
            struct slurm_job *job = batch->jobs[k];
            char id[NAME_SIZE];
            if (!job || (job->stage != STAGE_LIVE && job->stage != STAGE_SUBMITTING))
                continue;
            slurm_job_name(job, id);
            if (n++ < SHOWN_IDS)
                buf_printf(&ids, " %s", *id ? id : batch->token);
            slurm->live -= job->stage == STAGE_LIVE;
            report_cancelled(job, true);
        }
    }
    past_tell_left(&slurm->past, &slurm->options, n, buf_text(&ids));
    buf_free(&ids);
}

void slurm_cancel(struct executor *executor, const uint32_t *launches, uint32_t n, bool force)
{
    struct slurm *slurm = (struct slurm *)executor;
    VEC(struct slurm_job *) jobs = {0};
    for (uint32_t i = 0; i < n; i++) {
        struct slurm_job *job = slurm_job_of(slurm, launches[i]);
        if (job && job->stage != STAGE_ENDED)
            vec_push(&jobs, job);
    }
    slurm->stopping = true; /* it is only called when the run ends */
    slurm_cancel_jobs(slurm, jobs.at, jobs.len);
    drop_waiting(slurm);
    if (force)
        leave_all(slurm);
    slurm->interval_ns = 0;
    vec_free(&jobs);
}
