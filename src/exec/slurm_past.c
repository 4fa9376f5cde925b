// SPDX-License-Identifier: MIT
/* slurm_past.c: what survives the engine. Before sbatch is called, a row of the journal says under
 * which name (the token) which jobs go out; whoever comes after a crash asks Slurm for the names
 * and numbers in the journal, and takes each job up where it is: waiting, running, or ended. A
 * row's jobs are lines of
 *
 *     ATTEMPT TAB FOLDER TAB FINGERPRINT TAB KEYS TAB NAME TAB MEMO          (%XX for what would
 * disturb) */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ensure.h"
#include "base/fs.h"
#include "base/hash.h"
#include "exec/slurm_inner.h"

/* ---- the journal ---- */

static void encode(struct buf *out, const char *text, char end)
{
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c <= ' ' || c == '%')
            buf_printf(out, "%%%02x", c);
        else
            buf_char(out, (char)c);
    }
    buf_char(out, end);
}

/* The next field of a line, owned; *at goes behind it. */
static char *decode(const char **at)
{
    struct buf out = {0};
    size_t n = strcspn(*at, "\t\n");
    for (const char *p = *at, *end = *at + n; p < end; p++) {
        unsigned byte;
        if (*p == '%' && end - p > 2 && sscanf(p + 1, "%2x", &byte) == 1) {
            buf_char(&out, (char)byte);
            p += 2;
        } else {
            buf_char(&out, *p);
        }
    }
    *at += n + ((*at)[n] == '\t');
    buf_str(&out, "");
    return buf_take(&out);
}

bool slurm_journal_add(struct slurm_batch *batch)
{
    const struct exec_journal *journal = batch->slurm->journal;
    struct buf jobs = {0};
    if (!journal)
        return true;
    for (uint32_t i = 0; i < batch->n; i++) {
        const struct slurm_job *job = batch->jobs[i];
        buf_printf(&jobs, "%d\t", job->attempt);
        encode(&jobs, job->folder, '\t');
        encode(&jobs, job->fingerprint, '\t');
        encode(&jobs, job->keys, '\t');
        encode(&jobs, job->name, '\t');
        encode(&jobs, job->memo, '\n');
    }
    struct exec_submission submission = {
        .token = batch->token,
        .account = batch->jobs[0]->account ? batch->jobs[0]->account : "",
        .jobs = buf_text(&jobs),
        .external_id = "",
        .time_ns = batch->time_ns};
    bool good = journal->add(journal->user, &submission);
    buf_free(&jobs);
    return good;
}

/* Slurm's times are whole seconds, and an hour of clocks that differ does no harm. */
enum { ABOUT_S = 3600 };

/* Makes a job of an earlier run findable by its keys. */
static void know_past(struct slurm_job *job)
{
    struct slurm *slurm = job->slurm;
    vec_push(&slurm->past, job);
    job->past = slurm->past.len;
    for (const char *key = job->keys; *key;) {
        size_t n = strcspn(key, ",");
        map_set(&slurm->by_key, hash_bytes(key, n) | 1, job->past);
        key += n + (key[n] == ',');
    }
}

static void remember_job(struct slurm_batch *batch, const char *line)
{
    struct slurm *slurm = batch->slurm;
    struct slurm_job *job = slurm_job_new(slurm, 0);
    struct buf log = {0};
    char *attempt = decode(&line);
    job->attempt = atoi(attempt);
    job->folder = decode(&line);
    job->fingerprint = decode(&line);
    job->keys = decode(&line);
    job->name = decode(&line);
    job->memo = decode(&line);
    job->stage = STAGE_LIVE;
    job->submit_ns = batch->time_ns;
    job->batch = batch;
    job->index = batch->open++;
    batch->jobs[job->index] = job;
    if (batch->is_array)
        buf_printf(&log, "%s/%.*s/%%A_%%a.log", slurm->logdir, (int)strcspn(job->folder, "/"),
                   job->folder);
    else
        buf_printf(&log, "%s/%s/%%j.log", slurm->logdir, job->folder);
    job->log = buf_take(&log);
    know_past(job);
    free(attempt);
}

static void remember_batch(void *to, const struct exec_submission *submission)
{
    struct slurm *slurm = to;
    uint32_t n = 0, id;
    char cluster[64];
    for (const char *at = submission->jobs; *at; at++)
        n += *at == '\n';
    if (!n)
        return;
    struct slurm_batch *batch = slurm_batch_new(slurm, submission->token, n);
    batch->past = true;
    batch->open = 0;
    batch->time_ns = submission->time_ns;
    for (const char *at = submission->jobs; *at; at += strcspn(at, "\n") + 1)
        remember_job(batch, at);
    if (slurm_read_submitted(submission->external_id, &id, cluster))
        slurm_batch_known(batch, id, cluster);
}

/* ---- asking, before anything else runs ---- */

struct answer {
    struct loop *loop;
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
    loop_stop(answer->loop);
}

/* Waits for the command. */
static struct answer ask(struct slurm *slurm, const char *const *argv)
{
    struct answer answer = {.loop = slurm->loop};
    struct process_options options = {
        .argv = argv, .timeout_ms = QUERY_MS, .on_end = on_answer, .user = &answer};
    if (!slurm_call(slurm, &options)) {
        snprintf(answer.complaint, sizeof answer.complaint, "%s: %s", argv[0], strerror(errno));
        return answer;
    }
    while (!answer.done)
        loop_run(slurm->loop, NULL, NULL);
    return answer;
}

/* Again and again until Slurm answers: without it nobody can know what runs. */
static void ask_queue(struct slurm *slurm)
{
    bool told = false;
    unsigned wait_s = 1;
    for (int times = 1;; times++, wait_s = wait_s < 60 ? wait_s * 2 : 60) {
        struct answer answer = ask(slurm, slurm_query(slurm));
        slurm_take_answer(slurm, answer.good ? answer.out : "");
        free(answer.out);
        if (answer.good)
            return;
        if (!told)
            slurm_note(slurm,
                       "An earlier run has left jobs, but Slurm does not tell their state (%s); it "
                       "is asked until it does.",
                       answer.complaint);
        told = true;
        slurm_query_failed(slurm, times, answer.timed_out, answer.complaint);
        nanosleep(&(struct timespec){.tv_sec = wait_s}, NULL);
    }
}

static void take_accounts(struct slurm *slurm, const char *const *argv)
{
    struct answer answer = ask(slurm, argv);
    struct slurm_row row;
    for (const char *at = answer.good ? answer.out : ""; slurm_next_accounted(&at, &row);)
        if (!*row.step)
            slurm_take_row(slurm, &row);
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
    snprintf(slurm->answer_of, sizeof slurm->answer_of, "%s", cluster);
    take_accounts(slurm, argv);
    slurm->answer_of[0] = '\0';
}

/* By name for the others, since the first of them was submitted. */
static void ask_by_name(struct slurm *slurm, const char *names, int64_t since_ns)
{
    time_t since = (time_t)(since_ns / 1000000000 - ABOUT_S);
    struct tm local;
    char start[32];
    strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%S", localtime_r(&since, &local));
    const char *const argv[] = {
        "sacct", "-X", "-n", "-P", "-S", start, "--name", names, "-o", slurm_account_format, NULL};
    take_accounts(slurm, argv);
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
        char id[16];
        if (!has_unseen(batch) || !*batch->cluster)
            continue;
        snprintf(id, sizeof id, "%u", (unsigned)batch->job);
        ask_by_number(slurm, id, batch->cluster);
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
            ask_by_name(slurm, buf_text(&names), oldest);
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
    static const char text[] = "revoked 0\n";
    char *path = slurm_path(batch->slurm, "claim", batch->token, index), found[16] = "";
    bool good = false;
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0) {
        good = write(fd, text, sizeof text - 1) > 0;
        close(fd);
    } else if (begun) {
        good = fs_write(path, text, sizeof text - 1);
    } else if ((fd = open(path, O_RDONLY | O_CLOEXEC)) >= 0) {
        good = read(fd, found, sizeof found - 1) > 0 && !strncmp(found, text, 7);
        close(fd);
    }
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
        slurm_batch_known(batch, batch->job, "");
    for (uint32_t i = 0, n = batch->n; i < n; i++) {
        struct slurm_job *job = batch->jobs[i];
        bool last = batch->open == 1;
        if (!is_unseen(job))
            continue;
        if (!slurm_revoke(batch, i, false)) {
            good &= final;
            if (!final)
                continue;
            slurm->fenced |= slurm_revoke(batch, i, true);
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

void slurm_remember(struct slurm *slurm)
{
    if (!slurm->journal)
        return;
    slurm->journal->each(slurm->journal->user, remember_batch, slurm);
    if (!slurm->past.len)
        return;
    ask_queue(slurm);
    slurm_look_at_done(slurm);
    ask_accounts(slurm);
    if (!judge_all(slurm, false)) { /* a call of sbatch was still on its way */
        ask_queue(slurm);
        slurm_look_at_done(slurm);
        judge_all(slurm, true);
    }
    slurm->next_poll_ns = 0;
}

/* ---- adopting ---- */

static struct slurm_job *past_job(const struct slurm *slurm, const char *key, size_t len)
{
    uint32_t place = slurm->past.len ? map_find(&slurm->by_key, hash_bytes(key, len) | 1) : 0;
    return place ? slurm->past.at[place - 1] : NULL;
}

/* Whether it may still write. */
static bool is_alive(const struct slurm_job *job)
{
    return job->stage == STAGE_LIVE && !job->has_done && !slurm_phase_is_end(job->row.phase);
}

/* Whether its end, if it has ended, is a result that counts. */
static bool is_usable(const struct slurm_job *job)
{
    if (job->has_done && !job->done.status)
        return true;
    return job->row.phase != SLURM_KILLED && job->row.phase != SLURM_BROKEN;
}

static void leave_past(struct slurm_job *job)
{
    if (job->past)
        job->slurm->past.at[job->past - 1] = NULL;
    job->past = 0;
}

/* Ends what an earlier run has left of the same job. */
void slurm_supersede(struct slurm_job *job)
{
    if (job->superseded)
        return;
    if (!is_alive(job)) {
        slurm_settle(job);
        return;
    }
    job->superseded = true;
    job->slurm->live++;
    slurm_cancel_soon(job);
    slurm_wake(job->slurm);
}

void slurm_give_back(struct slurm_job *job)
{
    slurm_unknow(job);
    job->launch = 0;
    job->superseded = true;
    know_past(job);
    if (is_alive(job))
        slurm_cancel_soon(job);
}

static bool keys_equal(const char *joined, const char *const *keys)
{
    for (; *keys; keys++) {
        size_t n = strlen(*keys);
        if (strncmp(joined, *keys, n))
            return false;
        joined += n;
        if (keys[1] && *joined++ != ',')
            return false;
    }
    return !*joined;
}

static void take_over(struct slurm_job *job, const struct launch *launch)
{
    leave_past(job);
    job->launch = launch->id;
    free(job->name);
    free(job->place);
    job->name = slurm_copy(launch->name ? launch->name : "");
    job->place = slurm_copy(launch->place);
    slurm_know(job);
    job->slurm->live++;
    slurm_submitted(job);
    if (job->row.phase == SLURM_RUNNING || job->row.phase == SLURM_CLOSING)
        slurm_started(job);
    slurm_wake(job->slurm);
}

bool slurm_adopt(struct executor *executor, const struct launch *launch, int64_t newest_ns,
                 struct adopted *adopted)
{
    struct slurm *slurm = (struct slurm *)executor;
    if (!slurm->past.len || !launch->keys || !launch->keys[0])
        return false;
    struct slurm_job *job = past_job(slurm, launch->keys[0], strlen(launch->keys[0]));
    if (job && !job->superseded && keys_equal(job->keys, launch->keys) &&
        !strcmp(job->fingerprint, launch->fingerprint) && job->batch->time_ns >= newest_ns &&
        is_usable(job)) {
        take_over(job, launch);
        *adopted = (struct adopted){job->attempt, job->memo};
        return true;
    }
    for (const char *const *key = launch->keys; *key; key++) {
        job = past_job(slurm, *key, strlen(*key));
        if (job)
            slurm_supersede(job);
    }
    return false;
}

bool slurm_is_blocked(const struct slurm_job *job)
{
    for (const char *key = job->keys; job->slurm->past.len && *key;) {
        size_t n = strcspn(key, ",");
        if (past_job(job->slurm, key, n))
            return true;
        key += n + (key[n] == ',');
    }
    return false;
}

/* ---- orphans ---- */

static bool is_any_known(const struct slurm_job *job, bool (*is_known)(void *user, const char *key),
                         void *user)
{
    bool known = false;
    char *keys = slurm_copy(job->keys), *rest = keys;
    for (const char *key; !known && (key = strtok_r(rest, ",", &rest));)
        known = is_known(user, key);
    free(keys);
    return known;
}

uint32_t slurm_orphans(struct executor *executor, bool (*is_known)(void *user, const char *key),
                       void *user, bool cancel)
{
    struct slurm *slurm = (struct slurm *)executor;
    struct buf list = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < slurm->past.len; i++) {
        struct slurm_job *job = slurm->past.at[i];
        char id[32];
        if (!job || job->superseded || is_any_known(job, is_known, user))
            continue;
        slurm_job_id(job, id);
        if (is_alive(job) && n++ < 20)
            buf_printf(&list, "%s%s (%s)", list.len ? ", " : "", id, job->name);
        if (cancel || !is_alive(job))
            slurm_supersede(job);
    }
    if (n)
        slurm_note(slurm, "%u Slurm job%s of an earlier run %s not part of this one: %s%s. %s",
                   (unsigned)n, n == 1 ? "" : "s", n == 1 ? "is" : "are", buf_text(&list),
                   n > 20 ? ", ..." : "",
                   cancel ? "Cancelled." : "They go on; --cancel-orphans cancels them.");
    buf_free(&list);
    return n;
}
