// SPDX-License-Identifier: MIT
/* slurm_submit.c: ready jobs become batches, batches become calls of sbatch. What asks for the same
 * goes out as one array. A call that fails is one of three: rejected (the jobs fail, in Slurm's
 * words), refused for now (tried again), or without an answer: then it may have been done all the
 * same, and is looked for by its name before it is made again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/line.h"
#include "base/memory.h"
#include "exec/slurm_args.h"
#include "exec/slurm_inner.h"

enum { RETRY_MS = 1000, RETRY_MOST_MS = 60000, ARRAY_MOST = 1000, MUTE_MOST = 2 };

/* ---- batches ---- */

static void new_token(struct slurm *slurm, char out[TOKEN_SIZE])
{
    snprintf(out, TOKEN_SIZE, "kf.%s.%u", slurm->run, (unsigned)++slurm->serial);
}

/* Whether Slurm would refuse it as part of a script, which may be 4 MB long (max_script_size) and
 * must not hold a line that ends as in DOS. */
static bool is_unfit(const char *element)
{
    enum { MOST = 1 << 20 };
    return strstr(element, "\r\n") || strlen(element) > MOST;
}

/* The file that the elements of an array read. False with errno. */
static bool write_manifest(const struct slurm_batch *batch)
{
    struct buf text = {0};
    const char **elements = memory_zeroed(batch->n, sizeof *elements);
    char *path = slurm_path(batch->slurm, "jobs", batch->token, -1);
    for (uint32_t i = 0; i < batch->n; i++)
        elements[i] = batch->jobs[i]->element;
    slurm_manifest(elements, batch->n, &text);
    bool good = fs_write(path, text.at, text.len);
    free(elements);
    free(path);
    buf_free(&text);
    return good;
}

/* Equal for jobs that ask for the same. */
static uint64_t key_of(const struct slurm_job *job)
{
    uint64_t key = hash_bytes(job->request, strlen(job->request));
    return hash_mix(key ^ job->steps ^ hash_bytes(job->who.folder, strcspn(job->who.folder, "/"))) |
           1;
}

static void fail_job(struct slurm_job *job, const char *message)
{
    job->stage = STAGE_ENDED;
    slurm_report(job, &(struct exec_event){.kind = EXEC_ENDED,
                                           .status = 1,
                                           .start_ns = job->who.submit_ns,
                                           .end_ns = clock_wall_ns(),
                                           .message = message});
}

static void fail_batch(struct slurm_batch *batch, const char *message)
{
    for (uint32_t i = 0; i < batch->n; i++)
        if (batch->jobs[i] && batch->jobs[i]->stage == STAGE_SUBMITTING)
            fail_job(batch->jobs[i], message);
    batch->submitted = true;
}

/* The logs of a batch are in one directory. */
static bool check_log(struct slurm_batch *batch)
{
    struct buf why = {0};
    char *dir = slurm_unwritable_log(batch->jobs[0]);
    if (!dir)
        return true;
    buf_printf(&why, "nothing can be written to the directory of its log, '%s': %s", dir,
               strerror(errno));
    fail_batch(batch, buf_text(&why));
    buf_free(&why);
    free(dir);
    return false;
}

/* The one other cluster that a job is to go to; NULL: it goes here, or Slurm chooses. */
static const char *wanted_cluster(const struct slurm_job *job, char name[64])
{
    static const char option[] = "--clusters=";
    const char *found = NULL;
    size_t len = 0;
    const char *at = job->request;
    for (struct line line; line_next(&at, &line);)
        if (!strncmp(line.at, option, sizeof option - 1)) {
            found = line.at + sizeof option - 1;
            len = line.len - (sizeof option - 1);
        }
    if (!len || len >= 64 || memchr(found, ',', len))
        return NULL;
    memcpy(name, found, len);
    name[len] = '\0';
    return strcmp(name, job->slurm->cluster) && strcmp(name, "all") ? name : NULL;
}

static void make_batch(struct slurm *slurm, struct slurm_job *const *jobs, uint32_t n)
{
    char token[TOKEN_SIZE], cluster[64];
    new_token(slurm, token);
    struct slurm_batch *batch = slurm_batch_new(slurm, token, n);
    if (wanted_cluster(jobs[0], cluster))
        snprintf(batch->cluster, sizeof batch->cluster, "%s", cluster);
    batch->time_ns = clock_wall_ns();
    batch->request = key_of(jobs[0]);
    batch->in_file |= is_unfit(jobs[0]->element);
    for (uint32_t i = 0; i < n; i++) {
        batch->jobs[i] = jobs[i];
        jobs[i]->batch = batch;
        jobs[i]->index = i;
        jobs[i]->stage = STAGE_SUBMITTING;
        slurm_set_log(jobs[i]);
    }
    if (check_log(batch))
        vec_push(&slurm->unsent, batch->number);
}

/* Writes down what is about to be submitted, all of it on disk before the first sbatch. */
static void journal_batches(struct slurm *slurm, uint32_t from)
{
    bool good = true;
    for (uint32_t i = from; i < slurm->unsent.len; i++) {
        struct slurm_batch *batch = slurm->batches.at[slurm->unsent.at[i]];
        if (batch->in_file && !write_manifest(batch))
            fail_batch(batch, "the texts of the jobs cannot be written to .snakemake/slurm");
        good = good && slurm_journal_add(batch);
    }
    good = good && past_flush(&slurm->past);
    for (uint32_t i = from; !good && i < slurm->unsent.len; i++)
        fail_batch(slurm->batches.at[slurm->unsent.at[i]],
                   "the submission cannot be written to the store in .snakemake");
}

/* Jobs that ask for the same, in order of appearance. */
struct alike {
    VEC(struct slurm_job *) jobs;
};

/* How large an array may be; below 2: there are none. */
static uint32_t largest_array(const struct slurm *slurm)
{
    int64_t most = slurm->how.array_max ? slurm->how.array_max : ARRAY_MOST;
    int64_t allowed = slurm->max_array - 1; /* MaxArraySize 0 switches arrays off */
    most = most < allowed ? most : allowed;
    return slurm->how.array_min && most > 1 ? (uint32_t)most : 0;
}

static void batch_alike(struct slurm *slurm, const struct alike *alike)
{
    uint32_t most = largest_array(slurm);
    bool array = most && alike->jobs.len >= slurm->how.array_min && alike->jobs.len > 1;
    for (uint32_t i = 0; i < alike->jobs.len;) {
        uint32_t left = alike->jobs.len - i, n = !array ? 1 : left < most ? left : most;
        make_batch(slurm, alike->jobs.at + i, n);
        i += n;
    }
}

/* Takes those that can go now out of the waiting ones; what is wrong with a job is told here. */
static void sort_waiting(struct slurm *slurm, struct map *place, struct alike **groups, uint32_t *n)
{
    VEC(struct alike) out = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < slurm->waiting.len; i++) {
        struct slurm_job *job = slurm->waiting.at[i];
        if (past_blocks(&slurm->past, &job->who)) {
            slurm->waiting.at[kept++] = job;
            continue;
        }
        if (job->message) {
            fail_job(job, job->message);
            continue;
        }
        uint32_t single = 0, *at = job->single ? &single : map_at(place, key_of(job));
        if (!*at) {
            vec_push(&out, ((struct alike){0}));
            *at = out.len;
        }
        vec_push(&out.at[*at - 1].jobs, job);
    }
    slurm->waiting.len = kept;
    *groups = out.at;
    *n = out.len;
}

void slurm_gather(struct slurm *slurm)
{
    struct map place = {0};
    struct alike *groups;
    uint32_t n, from = slurm->unsent.len;
    if (slurm->stopping || clock_ns() < slurm->not_before)
        return; /* the next tick tries again */
    sort_waiting(slurm, &place, &groups, &n);
    for (uint32_t i = 0; i < n; i++) {
        batch_alike(slurm, &groups[i]);
        vec_free(&groups[i].jobs);
    }
    free(groups);
    map_free(&place);
    if (slurm->unsent.len > from)
        journal_batches(slurm, from);
    slurm_pump(slurm);
}

/* ---- sbatch ---- */

/* Nodes that are to be avoided, and those that have failed lately, besides those that the job
 * excludes itself: sbatch takes the last list. One that names the job's nodes, or a file of nodes,
 * stays as it is. */
static void add_exclude(struct slurm *slurm, struct arena *in, slurm_words *words)
{
    const char *own = slurm_find_arg(words->at, words->len, "exclude", 'x');
    struct buf nodes = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < slurm->nbroken; i++)
        if (slurm->broken[i].until_ns > clock_ns())
            slurm->broken[kept++] = slurm->broken[i];
    slurm->nbroken = kept;
    if (slurm->how.exclude)
        buf_printf(&nodes, ",%s", slurm->how.exclude);
    for (uint32_t i = 0; i < kept; i++)
        buf_printf(&nodes, ",%s", slurm->broken[i].node);
    if (nodes.len && !(own && strchr(own, '/')) &&
        !slurm_find_arg(words->at, words->len, "nodelist", 'w'))
        vec_push(words, arena_printf(in, "--exclude=%s%s", own ? own : "", nodes.at + !own));
    buf_free(&nodes);
}

/* The job hears SIGTERM before its time is up: a minute at most, or a fifth of a short time. Slurm
 * looks twice a minute, and signals at once what would be late at the next look. */
static void add_signal(struct arena *in, bool steps, slurm_words *words)
{
    enum { LOOK_S = 30 };
    const char *time = slurm_find_arg(words->at, words->len, "time", 't');
    long minutes = time && !time[strspn(time, "0123456789")] ? atol(time) : 0;
    long before_s = (minutes >= 5 ? 60 : minutes * 12) - LOOK_S;
    if (before_s > 0 && !slurm_find_arg(words->at, words->len, "signal", 0))
        vec_push(words, arena_printf(in, "--signal=%sTERM@%ld", steps ? "" : "B:", before_s));
}

static void build_command(const struct slurm_batch *batch, struct arena *in, slurm_words *words)
{
    struct slurm *slurm = batch->slurm;
    const struct slurm_job *job = batch->jobs[0];
    vec_push(words, "sbatch");
    vec_push(words, "--parsable");
    const char *at = job->request;
    for (struct line line; line_next(&at, &line);)
        vec_push(words, arena_copy(in, line.at, line.len));
    add_signal(in, job->steps, words);
    add_exclude(slurm, in, words);
    vec_push(words, arena_printf(in, "--job-name=%s", batch->token));
    vec_push(words, arena_printf(in, "--comment=%.*s%s", batch->is_array ? 5 : 200, job->comment,
                                 batch->is_array
                                     ? arena_printf(in, "%.*s", (int)strcspn(job->who.folder, "/"),
                                                    job->who.folder)
                                     : ""));
    vec_push(words, arena_printf(in, "--output=%s", job->log));
    if (job->error)
        vec_push(words, arena_printf(in, "--error=%s", job->error));
    vec_push(words, "--open-mode=append");
    if (!slurm_find_arg(words->at, words->len, "export", 0))
        vec_push(words, "--export=ALL");
    vec_push(words, arena_printf(in, "--chdir=%s", slurm->workdir));
    if (batch->is_array)
        vec_push(words, arena_printf(in, "--array=0-%u", (unsigned)batch->n - 1));
    vec_push(words, NULL);
}

/* What was only needed to submit it goes. */
static void forget_texts(struct slurm_job *job)
{
    free(job->element);
    free(job->request);
    job->element = job->request = NULL;
}

void slurm_note_id(const struct slurm_batch *batch)
{
    char text[96];
    snprintf(text, sizeof text, *batch->cluster ? "%u;%s" : "%u", (unsigned)batch->job,
             batch->cluster);
    past_set_row(&batch->slurm->past, &(struct exec_submission){.token = batch->token,
                                                                .external_id = text,
                                                                .status = "submitted"});
}

void slurm_accepted(struct slurm_batch *batch, uint32_t id, const char *cluster)
{
    struct slurm *slurm = batch->slurm;
    slurm_batch_known(batch, id, cluster);
    slurm_note_id(batch);
    for (uint32_t i = 0; i < batch->n; i++) {
        if (!batch->jobs[i] || batch->jobs[i]->stage != STAGE_SUBMITTING)
            continue;
        batch->jobs[i]->stage = STAGE_LIVE;
        slurm->live++;
        forget_texts(batch->jobs[i]);
        slurm_submitted(batch->jobs[i]);
    }
    slurm->interval_ns = 0;
    slurm->next_poll_ns = clock_ns() + 1000000000;
    if (slurm->told_trouble)
        exec_note(&slurm->options, "Slurm accepts jobs again.");
    slurm->told_trouble = false;
    slurm->retry_ms = slurm->room_ms = 0;
    slurm_wake(slurm);
    if (slurm->stopping)
        slurm_cancel_jobs(slurm, batch->jobs, batch->n);
}

/* "account clive (slurm_account, rule at Snakefile:12)" */
static void rejected(struct slurm_batch *batch, const char *err)
{
    char complaint[600];
    struct buf text = {0};
    slurm_complaint(err, complaint, sizeof complaint);
    const char *resource = slurm_blamed_resource(err);
    for (uint32_t i = 0; i < batch->n; i++) {
        struct slurm_job *job = batch->jobs[i];
        if (!job)
            continue;
        buf_reset(&text);
        buf_printf(&text, "Slurm refuses the job: %s",
                   *complaint ? complaint : "sbatch failed without a message");
        if (resource)
            buf_printf(&text, "\n    because of the resource %s", resource);
        if (job->place)
            buf_printf(&text, "\n    of the rule at %s", job->place);
        buf_str(&text, "\n    options: ");
        for (const char *at = job->request; at && *at; at++)
            buf_char(&text, *at == '\n' ? ' ' : *at);
        fail_job(job, buf_text(&text));
    }
    batch->submitted = true;
    buf_free(&text);
}

static void on_retry(void *user)
{
    struct slurm *slurm = user;
    timer_end(&slurm->retry);
    slurm_pump(slurm);
}

static void back_off(struct slurm *slurm, const char *why)
{
    char complaint[300];
    slurm_complaint(why, complaint, sizeof complaint);
    slurm->retry_ms = slurm->retry_ms ? slurm->retry_ms * 2 : RETRY_MS;
    slurm->retry_ms = slurm->retry_ms > RETRY_MOST_MS ? RETRY_MOST_MS : slurm->retry_ms;
    if (!slurm->told_trouble)
        exec_note(&slurm->options,
                  "Slurm does not take jobs now (%s); they are submitted again until it does.",
                  *complaint ? complaint : "no answer");
    slurm->told_trouble = true;
    if (!slurm->retry)
        slurm->retry = timer_open(slurm->loop, (uint64_t)slurm->retry_ms, 0, on_retry, slurm);
}

static void unanswered(struct slurm_batch *batch, const char *why)
{
    batch->ambiguous = true;
    batch->absent = 0;
    batch->ambiguous_ns = clock_ns();
    batch->slurm->poll_now = true;
    back_off(batch->slurm, why);
    slurm_wake(batch->slurm);
}

static void send_later(struct slurm_batch *batch, const char *why)
{
    vec_push(&batch->slurm->unsent, batch->number);
    slurm_put_first(batch->slurm, batch->slurm->unsent.len - 1);
    back_off(batch->slurm, why);
}

/* Where this machine is short of something, that may pass. */
static void not_started(struct slurm_batch *batch, int error)
{
    char why[200];
    snprintf(why, sizeof why, "sbatch cannot be started: %s", strerror(error));
    if (process_error_passes(error))
        send_later(batch, why);
    else
        fail_batch(batch, why);
}

/* A definite no. */
static void refused(struct slurm_batch *batch, const char *err)
{
    enum slurm_trouble trouble = slurm_trouble(err);
    if (trouble == TROUBLE_REJECTED) {
        rejected(batch, err);
    } else if (batch->slurm->stopping) {
        slurm_drop(batch);
    } else if (trouble == TROUBLE_LIMIT) {
        slurm_over_limit(batch, err);
    } else if (trouble == TROUBLE_FULL && batch->open > 1) {
        back_off(batch->slurm, err);
        slurm_resend(batch, 2); /* an array goes in whole: there may be room for half of it */
    } else {
        send_later(batch, err);
    }
}

/* Whether sbatch fails without a word, which is no refusal: its answer may have got lost. Where it
 * goes on like that, something else is wrong. */
static bool is_mute(struct slurm *slurm, const struct process_end *end)
{
    char complaint[300];
    slurm_complaint(end->err, complaint, sizeof complaint);
    return !*complaint && ++slurm->mute < MUTE_MOST;
}

static void on_submitted(void *user, const struct process_end *end)
{
    struct slurm_batch *batch = user;
    struct slurm *slurm = batch->slurm;
    uint32_t id;
    char cluster[64];
    batch->process = NULL;
    slurm->sending--;
    if (slurm_read_submitted(end->out, &id, cluster)) {
        slurm->mute = 0;
        slurm_accepted(batch, id, cluster);
    } else if (end->timed_out || end->signal || !end->status) {
        unanswered(batch, end->timed_out ? "no answer" : end->err);
    } else if (is_mute(slurm, end) || slurm_trouble(end->err) == TROUBLE_AMBIGUOUS) {
        unanswered(batch, end->err);
    } else {
        refused(batch, end->err);
    }
    slurm_pump(slurm);
}

static void on_late(void *user)
{
    struct slurm *slurm = ((struct slurm_batch *)user)->slurm;
    if (!slurm->told_trouble)
        exec_note(&slurm->options, "Slurm does not take jobs now (sbatch, for %d s no answer).",
                  LATE_MS / 1000);
    slurm->told_trouble = true;
}

static void send(struct slurm_batch *batch)
{
    struct slurm *slurm = batch->slurm;
    struct arena scratch = {0};
    slurm_words words = {0};
    struct buf script = {0};
    build_command(batch, &scratch, &words);
    slurm_script(slurm->dir, batch->token, batch->in_file ? NULL : batch->jobs[0]->element,
                 &script);
    struct process_options options = {.argv = words.at,
                                      .cwd = slurm->workdir,
                                      .stdin_text = script.at,
                                      .stdin_len = script.len,
                                      .timeout_ms = SBATCH_MS,
                                      .late_ms = LATE_MS,
                                      .on_late = on_late,
                                      .on_end = on_submitted,
                                      .user = batch};
    batch->process = slurm_call(slurm, &options);
    if (batch->process)
        slurm->sending++;
    else
        not_started(batch, errno);
    vec_free(&words);
    buf_free(&script);
    arena_free(&scratch);
}

void slurm_pump(struct slurm *slurm)
{
    while (!slurm->stopping && !slurm->retry && slurm->sending < SBATCH_AT_ONCE &&
           slurm->sent < slurm->unsent.len) {
        struct slurm_batch *batch = slurm->batches.at[slurm->unsent.at[slurm->sent++]];
        if (batch && !batch->submitted && batch->open && !slurm_hold(batch))
            send(batch);
    }
    if (slurm->sent == slurm->unsent.len)
        slurm->sent = slurm->unsent.len = 0;
}

void slurm_put_first(struct slurm *slurm, uint32_t from)
{
    VEC(uint32_t) number = {0};
    for (uint32_t i = from; i < slurm->unsent.len; i++)
        vec_push(&number, slurm->unsent.at[i]);
    if (!number.len)
        return;
    memmove(slurm->unsent.at + slurm->sent + number.len, slurm->unsent.at + slurm->sent,
            (from - slurm->sent) * sizeof *number.at);
    memcpy(slurm->unsent.at + slurm->sent, number.at, number.len * sizeof *number.at);
    vec_free(&number);
}

void slurm_resend(struct slurm_batch *batch, uint32_t parts)
{
    struct slurm *slurm = batch->slurm;
    VEC(struct slurm_job *) jobs = {0};
    uint32_t from = slurm->unsent.len;
    for (uint32_t i = 0; i < batch->n; i++)
        if (batch->jobs[i] && batch->jobs[i]->stage == STAGE_SUBMITTING) {
            vec_push(&jobs, batch->jobs[i]);
            batch->jobs[i] = NULL;
            batch->open--;
        }
    batch->ambiguous = false;
    batch->submitted = true;
    for (uint32_t begin = 0; begin < jobs.len;) {
        uint32_t n = (jobs.len - begin) / parts + ((jobs.len - begin) % parts != 0);
        make_batch(slurm, jobs.at + begin, n);
        begin += n;
        parts -= parts > 1;
    }
    if (jobs.len) {
        journal_batches(slurm, from);
        slurm_put_first(slurm, from);
    }
    vec_free(&jobs);
    if (!batch->open)
        slurm_batch_end(batch);
    slurm_pump(slurm);
}
