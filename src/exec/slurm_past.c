// SPDX-License-Identifier: MIT
/* slurm_past.c: what an earlier run has left in Slurm (past.h): Slurm is asked for the names and
 * numbers in the journal, before anything else. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "exec/slurm_inner.h"

/* ---- the journal ---- */

bool slurm_journal_add(const struct slurm_batch *batch)
{
    struct buf jobs = {0}, where = {0};
    if (*batch->cluster) /* it is to go to another one, and to be looked for there */
        buf_printf(&where, ";%s", batch->cluster);
    for (uint32_t i = 0; i < batch->n; i++)
        past_write_job(&batch->jobs[i]->who, &jobs);
    struct exec_submission submission = {
        .token = batch->token,
        .account = batch->jobs[0]->account ? batch->jobs[0]->account : "",
        .jobs = buf_text(&jobs),
        .external_id = buf_text(&where),
        .time_ns = batch->time_ns};
    bool good = past_add_row(&batch->slurm->past, &submission);
    buf_free(&jobs);
    buf_free(&where);
    return good;
}

static const int64_t S = 1000000000;

/* Slurm's times are whole seconds, and an hour of clocks that differ does no harm. */
enum { ABOUT_S = 3600 };

static void remember_job(struct slurm_batch *batch, const char *line)
{
    struct slurm *slurm = batch->slurm;
    struct slurm_job *job = slurm_job_new(slurm, 0);
    past_read_job(line, &job->who);
    job->who.submit_ns = batch->time_ns;
    job->stage = STAGE_LIVE;
    job->batch = batch;
    job->index = batch->open++;
    batch->jobs[job->index] = job;
    slurm_set_log(job);
    past_add(&slurm->past, &job->who);
}

/* The journal does not tell where what a lone job runs stands. */
static bool has_manifest(const struct slurm_batch *batch)
{
    char *path = slurm_path(batch->slurm, "jobs", batch->token, -1);
    bool there = fs_exists(path);
    free(path);
    return there;
}

static void remember_batch(void *to, const struct exec_submission *submission)
{
    struct slurm *slurm = to;
    uint32_t n = past_count(submission->jobs), id;
    char cluster[64];
    struct slurm_batch *batch = slurm_batch_new(slurm, submission->token, n);
    batch->open = 0;
    batch->time_ns = submission->time_ns;
    batch->in_file |= has_manifest(batch);
    for (const char *at = submission->jobs; *at; at += strcspn(at, "\n") + 1)
        remember_job(batch, at);
    if (slurm_read_submitted(submission->external_id, &id, cluster))
        slurm_batch_known(batch, id, cluster);
    else if (*submission->external_id == ';')
        snprintf(batch->cluster, sizeof batch->cluster, "%s", submission->external_id + 1);
}

/* ---- asking, before anything else runs ---- */

struct answer {
    struct slurm *slurm;
    const char *program;
    char *out; /* owned */
    bool good, done, timed_out;
    char complaint[300];
};

static void on_answer(void *user, const struct process_end *end)
{
    struct answer *answer = user;
    answer->done = true;
    answer->good = !end->status && !end->timed_out && !end->signal;
    answer->timed_out = end->timed_out;
    answer->out = slurm_copy(end->out);
    slurm_complaint(end->timed_out ? "no answer" : end->err, answer->complaint,
                    sizeof answer->complaint);
    loop_stop(answer->slurm->loop);
}

static void on_late(void *user)
{
    struct answer *answer = user;
    slurm_late(answer->slurm, answer->program,
               "an earlier run has left jobs, and nothing begins before it is known how they are");
}

/* Waits for the command. */
static struct answer ask(struct slurm *slurm, const char *const *argv)
{
    struct answer answer = {.slurm = slurm, .program = argv[0]};
    struct process_options options = {.argv = argv,
                                      .timeout_ms = QUERY_MS,
                                      .late_ms = LATE_MS,
                                      .on_late = on_late,
                                      .on_end = on_answer,
                                      .user = &answer};
    if (!slurm_call(slurm, &options)) {
        snprintf(answer.complaint, sizeof answer.complaint, "%s: %s", argv[0], strerror(errno));
        return answer;
    }
    while (!answer.done)
        loop_run(slurm->loop, NULL, NULL);
    return answer;
}

/* Again and again until Slurm answers: without it nobody can know what runs. A cluster that is not
 * known any more is not waited for. */
static void ask_cluster(struct slurm *slurm, const char *cluster)
{
    int64_t wait_s = 1;
    for (int times = 1;; times++, wait_s = wait_s < 60 ? wait_s * 2 : 60) {
        struct answer answer = ask(slurm, slurm_query(slurm, cluster).argv);
        slurm_take_answer(slurm, cluster, answer.good ? answer.out : "");
        free(answer.out);
        if (answer.good) {
            slurm_prompt(slurm);
            return;
        }
        if (*cluster && strstr(answer.complaint, "known by database"))
            return;
        if (!slurm->told_silence)
            exec_note(&slurm->options,
                      "An earlier run has left jobs%s%s, but Slurm does not tell their state (%s); "
                      "it is asked until it does.",
                      *cluster ? " on " : "", cluster,
                      *answer.complaint ? answer.complaint : "no answer");
        slurm->told_silence = true;
        if (!*cluster)
            slurm_query_failed(slurm, times, answer.timed_out, answer.complaint);
        clock_sleep(wait_s * S);
    }
}

/* This cluster, and each of the others that a job has gone to. */
static void ask_queues(struct slurm *slurm)
{
    struct words clusters = {0};
    ask_cluster(slurm, "");
    for (uint32_t i = 1; i < slurm->batches.len; i++)
        if (slurm->batches.at[i] && *slurm->batches.at[i]->cluster)
            words_add(&clusters, slurm->batches.at[i]->cluster);
    for (uint32_t i = 0; i < clusters.list.len; i++)
        ask_cluster(slurm, clusters.list.at[i]);
    words_free(&clusters);
}

/* Jobs that have named this cluster are here. */
static void find_own(struct slurm *slurm)
{
    static const char *const argv[] = {"scontrol", "show", "config", NULL};
    for (uint32_t i = 1; i < slurm->batches.len; i++) {
        struct slurm_batch *batch = slurm->batches.at[i];
        if (!batch || !*batch->cluster)
            continue;
        if (!slurm->configured) {
            struct answer answer = ask(slurm, argv);
            slurm_take_config(slurm, answer.good ? answer.out : "");
            free(answer.out);
        }
        if (strcmp(batch->cluster, slurm->cluster))
            continue;
        uint32_t job = batch->job;
        slurm_batch_unknown(batch);
        batch->cluster[0] = '\0';
        if (job)
            slurm_batch_known(batch, job, "");
    }
}

static void take_accounts(struct slurm *slurm, const char *cluster, const char *const *argv)
{
    struct answer answer = ask(slurm, argv);
    struct slurm_row row;
    for (const char *at = answer.good ? answer.out : ""; slurm_next_accounted(&at, &row);) {
        row.cluster = cluster;
        if (!*row.step && !row.elements) /* what waits has no result */
            slurm_take_row(slurm, &row);
    }
    slurm->no_accounting |= !answer.good && !answer.timed_out &&
                            slurm_trouble(answer.complaint) == TROUBLE_REJECTED;
    free(answer.out);
}

static bool is_unseen(const struct slurm_job *job)
{
    return job && !*job->row.state && !job->has_done;
}

/* Jobs in one question. */
enum { MOST = 1000 };

/* sacct by number for batches whose number is known. */
static void ask_by_number(struct slurm *slurm, const char *ids, const char *cluster)
{
    const char *const argv[] = {
        "sacct", "-X", "-n", "-P", "-j", ids, "-o", slurm_account_format, *cluster ? "-M" : NULL,
        cluster, NULL};
    take_accounts(slurm, cluster, argv);
}

/* By name for the others, since the first of them was submitted. */
static void ask_by_name(struct slurm *slurm, const char *names, int64_t since_ns,
                        const char *cluster)
{
    time_t since = (time_t)(since_ns / 1000000000 - ABOUT_S);
    struct tm local;
    char start[32];
    strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%S", localtime_r(&since, &local));
    const char *const argv[] = {"sacct",
                                "-X",
                                "-n",
                                "-P",
                                "-S",
                                start,
                                "--name",
                                names,
                                "-o",
                                slurm_account_format,
                                *cluster ? "-M" : NULL,
                                cluster,
                                NULL};
    take_accounts(slurm, cluster, argv);
}

static bool has_unseen(const struct slurm_batch *batch)
{
    bool unseen = false;
    for (uint32_t k = 0; batch && k < batch->n; k++)
        unseen |= is_unseen(batch->jobs[k]);
    return unseen;
}

/* Those of other clusters, a call for each batch: they are few. */
static void ask_other_clusters(struct slurm *slurm)
{
    for (uint32_t i = 1; i < slurm->batches.len; i++) {
        const struct slurm_batch *batch = slurm->batches.at[i];
        char id[16], cluster[64];
        if (!has_unseen(batch) || !*batch->cluster)
            continue;
        snprintf(id, sizeof id, "%u", (unsigned)batch->job);
        snprintf(cluster, sizeof cluster, "%s", batch->cluster); /* the answer may change it */
        if (batch->job)
            ask_by_number(slurm, id, cluster);
        else
            ask_by_name(slurm, batch->token, batch->time_ns, cluster);
    }
}

static void ask_accounts(struct slurm *slurm)
{
    struct buf ids = {0}, names = {0};
    int64_t oldest = INT64_MAX;
    uint32_t n = 0, nnames = 0, end = slurm->batches.len;
    for (uint32_t i = 1; i < end; i++) {
        const struct slurm_batch *batch = slurm->batches.at[i];
        bool unseen = has_unseen(batch) && !*batch->cluster;
        if (unseen && batch->job)
            buf_printf(&ids, "%s%u", n++ ? "," : "", (unsigned)batch->job);
        else if (unseen)
            buf_printf(&names, "%s%s", nnames++ ? "," : "", batch->token);
        if (unseen && batch->time_ns < oldest)
            oldest = batch->time_ns;
        bool last = i + 1 == end;
        if (n == MOST || (n && last)) {
            ask_by_number(slurm, buf_text(&ids), "");
            buf_reset(&ids);
            n = 0;
        }
        if (nnames == MOST || (nnames && last)) {
            ask_by_name(slurm, buf_text(&names), oldest, "");
            buf_reset(&names);
            nnames = 0;
        }
    }
    buf_free(&ids);
    buf_free(&names);
    ask_other_clusters(slurm);
}

bool slurm_revoke(const struct slurm_batch *batch, uint32_t index, bool begun)
{
    char *path = slurm_path(batch->slurm, "claim", batch->token, index);
    bool good = past_revoke(path, begun);
    free(path);
    return good;
}

/* What Slurm has never seen, or knows no more, and left no result, is kept from beginning and
 * forgotten. False: some of it has begun all the same, after Slurm was asked: Slurm is to be asked
 * again, unless this is the final judgement. */
static bool judge(struct slurm_batch *batch, bool final)
{
    struct slurm *slurm = batch->slurm;
    bool good = true;
    if (batch->job && !batch->submitted)
        slurm_batch_known(batch, batch->job, batch->cluster);
    for (uint32_t i = 0, n = batch->n; i < n; i++) {
        struct slurm_job *job = batch->jobs[i];
        bool last = batch->open == 1;
        if (!is_unseen(job))
            continue;
        if (!slurm_revoke(batch, i, false)) {
            good &= final;
            if (!final)
                continue;
            if (slurm_revoke(batch, i, true))
                slurm->not_before = clock_ns() + FENCE_NS_S * S;
        }
        job->fence_ns = 1; /* the claim stays taken */
        slurm_settle(job);
        if (last)
            return good;
    }
    return good;
}

static bool judge_all(struct slurm *slurm, bool final)
{
    bool good = true;
    for (uint32_t i = 1; i < slurm->batches.len; i++)
        if (slurm->batches.at[i])
            good &= judge(slurm->batches.at[i], final);
    return good;
}

/* Allocations of a pool end: their engine is gone, and what ran in them has lost its claim. */
static void end_pools(struct past *past)
{
    for (uint32_t i = 0; i < past->jobs.len; i++)
        if (past->jobs.at[i] && !strcmp(past->jobs.at[i]->keys, "pool"))
            past_supersede(past, past->jobs.at[i]);
}

void slurm_remember(struct slurm *slurm)
{
    past_each_row(&slurm->past, remember_batch, slurm);
    if (!slurm->past.jobs.len)
        return;
    find_own(slurm);
    ask_queues(slurm);
    slurm_look_at_done(slurm);
    ask_accounts(slurm);
    if (!judge_all(slurm, false)) { /* a call of sbatch was still on its way */
        ask_queues(slurm);
        slurm_look_at_done(slurm);
        judge_all(slurm, true);
    }
    end_pools(&slurm->past);
    slurm->next_poll_ns = 0;
}

/* ---- adopting ---- */

static struct slurm_job *job_of(const struct past_job *who)
{
    return (struct slurm_job *)((char *)who - offsetof(struct slurm_job, who));
}

static bool is_alive(const struct past_job *who)
{
    const struct slurm_job *job = job_of(who);
    return job->stage == STAGE_LIVE && !job->has_done && !slurm_phase_is_end(job->row.phase);
}

/* If it has ended, its end must be a result that counts. */
static bool is_usable(const struct past_job *who)
{
    const struct slurm_job *job = job_of(who);
    return slurm_ended_well(job) ||
           (job->row.phase != SLURM_KILLED && job->row.phase != SLURM_BROKEN);
}

static void supersede(struct past_job *who)
{
    struct slurm_job *job = job_of(who);
    if (!is_alive(who)) {
        slurm_settle(job);
        return;
    }
    job->slurm->live++;
    slurm_cancel_soon(job);
    slurm_wake(job->slurm);
}

void slurm_give_back(struct slurm_job *job)
{
    slurm_unknow(job);
    job->launch = 0;
    job->who.superseded = true;
    past_add(&job->slurm->past, &job->who);
    if (is_alive(&job->who))
        slurm_cancel_soon(job);
}

/* Whether this run follows all that is left of a batch. */
static bool is_taken(const struct slurm_batch *batch)
{
    for (uint32_t i = 0; i < batch->n; i++)
        if (batch->jobs[i] && !batch->jobs[i]->launch)
            return false;
    return true;
}

static void take_over(struct past_job *who, const struct launch *launch)
{
    struct slurm_job *job = job_of(who);
    job->launch = launch->id;
    free(job->place);
    job->place = slurm_copy(launch->place);
    job->output = slurm_own_log(job->slurm, launch, "output", 'o');
    slurm_set_log(job);
    slurm_know(job);
    job->slurm->live++;
    if (is_taken(job->batch))
        past_own_row(&job->slurm->past, job->batch->token);
    slurm_submitted(job);
    if (job->row.phase == SLURM_RUNNING || job->row.phase == SLURM_CLOSING)
        slurm_started(job);
    slurm_wake(job->slurm);
}

static void name_job(const struct past_job *who, char *out, size_t size)
{
    char id[NAME_SIZE];
    slurm_job_name(job_of(who), id);
    snprintf(out, size, "%s", id);
}

struct past slurm_past(const struct exec_options *options)
{
    static const struct past_kind kind = {.tokens = slurm_tokens,
                                          .what = "Slurm job",
                                          .id = name_job,
                                          .is_alive = is_alive,
                                          .is_usable = is_usable,
                                          .supersede = supersede,
                                          .take_over = take_over};
    return (struct past){.kind = &kind, .journal = options->journal};
}

bool slurm_adopt(struct executor *executor, const struct launch *launch, struct adopted *adopted)
{
    return past_adopt(&((struct slurm *)executor)->past, launch, adopted);
}

uint32_t slurm_orphans(struct executor *executor, bool (*is_known)(void *user, const char *key),
                       void *user, bool cancel)
{
    struct slurm *slurm = (struct slurm *)executor;
    struct buf words = {0};
    uint32_t n = past_orphans(&slurm->past, is_known, user, cancel, &words);
    if (n)
        exec_note(&slurm->options, "%s%s", buf_text(&words),
                  cancel ? "Cancelled." : "They go on; --cancel-orphans cancels them.");
    buf_free(&words);
    return n;
}
