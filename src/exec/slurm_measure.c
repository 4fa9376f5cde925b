// SPDX-License-Identifier: MIT
/* slurm_measure.c: the peak memory of jobs that ended well. Only Slurm's accounting knows it, and
 * nobody waits for it: it is asked for many jobs at once, at most as often as squeue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/slurm_inner.h"

enum { MOST = 1000, LAST_MS = 20000 };

void slurm_unmeasured(struct slurm_job *job)
{
    char id[32];
    slurm_job_id(job, id);
    if (*id && job->launch && !job->slurm->no_accounting && !*job->batch->cluster)
        vec_push(&job->slurm->unmeasured, slurm_copy(id));
}

void slurm_forget_unmeasured(struct slurm *slurm)
{
    for (uint32_t i = 0; i < slurm->unmeasured.len; i++)
        free(slurm->unmeasured.at[i]);
    vec_free(&slurm->unmeasured);
}

static void on_measured(void *user, const struct process_end *end)
{
    struct slurm *slurm = user;
    struct slurm_row row;
    slurm->measuring = false;
    for (const char *at = end->out; !end->status && slurm_next_accounted(&at, &row);) {
        char id[32];
        if (strcmp(row.step, "batch") || !row.max_rss_kb)
            continue;
        snprintf(id, sizeof id, row.id.index < 0 ? "%u" : "%u_%d", (unsigned)row.id.job,
                 (int)row.id.index);
        slurm->options.on_event(slurm->options.user,
                                &(struct exec_event){.kind = EXEC_MEASURED,
                                                     .external_id = id,
                                                     .max_rss_kb = row.max_rss_kb});
    }
    if (!slurm->measured_last)
        return;
    if (end->status || end->timed_out)
        slurm_forget_unmeasured(slurm); /* they are not worth waiting for */
    loop_stop(slurm->loop);
}

void slurm_measure(struct slurm *slurm)
{
    struct buf ids = {0};
    if (slurm->measuring || !slurm->unmeasured.len)
        return;
    for (uint32_t n = 0; slurm->unmeasured.len && n < MOST; n++) {
        char *id = slurm->unmeasured.at[--slurm->unmeasured.len];
        buf_printf(&ids, "%s%s", n ? "," : "", id);
        free(id);
    }
    const char *const argv[] = {
        "sacct", "-n", "-P", "-j", buf_text(&ids), "-o", slurm_account_format, NULL};
    slurm->measuring = slurm_call(slurm, &(struct process_options){.argv = argv,
                                                                   .timeout_ms = QUERY_MS,
                                                                   .on_end = on_measured,
                                                                   .user = slurm}) != NULL;
    buf_free(&ids);
}

static void on_too_late(void *user)
{
    struct slurm *slurm = user;
    slurm->measuring = false;
    slurm_forget_unmeasured(slurm);
    loop_stop(slurm->loop);
}

void slurm_measure_last(struct slurm *slurm)
{
    struct timer *patience = timer_open(slurm->loop, LAST_MS, 0, on_too_late, slurm);
    slurm->measured_last = true;
    for (slurm_measure(slurm); slurm->measuring; slurm_measure(slurm))
        loop_run(slurm->loop, NULL, NULL);
    timer_close(patience);
}
