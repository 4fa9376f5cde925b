// SPDX-License-Identifier: MIT
/* slurm_track.c: how jobs are. Two sources: the done files, looked for with one directory read a
 * tick, which tell of good ends within a fraction of a second and cost Slurm nothing; and one
 * squeue for all jobs (of each cluster), at an interval that grows while nothing happens, which
 * tells of all else. What squeue shows no more is asked of sacct by number, so no time window can
 * hide it. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "exec/slurm_inner.h"

static const int64_t S = 1000000000;
enum {
    FIRST_S = 2,
    LONGEST_S = 60,
    SILENT_S = 120,
    ABSENT_S = 30,
    ABSENT_POLLS = 3,
    TELL_WAIT_S = 30,
    NEVER_S = 5,
    REFUSALS = 3,
    PATIENCE_S = 10, /* sacct is waited for so long, where squeue has said enough */
    PROMPT_S = 5,    /* squeue takes so long at most, where all is well */
};

/* Whether its end matters: to this run, or to what waits for it to be dead. */
static bool is_awaited(const struct slurm_job *job)
{
    return job->launch || job->who.superseded;
}

/* ---- done files ---- */

static struct slurm_batch *batch_by_token(const struct slurm *slurm, const char *token, size_t len)
{
    uint32_t number = map_find(&slurm->by_token, hash_key(token, len));
    struct slurm_batch *batch = number ? slurm->batches.at[number] : NULL;
    return batch && strlen(batch->token) == len && !memcmp(batch->token, token, len) ? batch : NULL;
}

/* The job of "TOKEN.INDEX"; NULL if nobody knows it any more. */
static struct slurm_job *job_by_attempt(const struct slurm *slurm, const char *name)
{
    const char *dot = strrchr(name, '.');
    char *end;
    unsigned long index = dot ? strtoul(dot + 1, &end, 10) : 0;
    struct slurm_batch *batch = dot && dot[1] && !*end
                                    ? batch_by_token(slurm, name, (size_t)(dot - name))
                                    : NULL;
    return batch && index < batch->n ? batch->jobs[index] : NULL;
}

static void read_done(struct slurm_job *job, const char *name)
{
    struct slurm *slurm = job->slurm;
    struct arena scratch = {0};
    const char *text = fs_read(&scratch, arena_printf(&scratch, "%s/done/%s", slurm->dir, name),
                               NULL);
    if (text && slurm_read_done(text, &job->done) && job->done.restarts >= job->row.restarts) {
        job->has_done = true;
        job->start_ns = job->done.start_s * S;
        if (!slurm_ended_well(job))
            slurm->poll_now = true; /* whether Slurm starts it once more is Slurm's to say */
    }
    arena_free(&scratch);
}

void slurm_look_at_done(struct slurm *slurm)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/done", slurm->dir);
    DIR *dir = fs_opendir(path);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        struct slurm_job *job = entry->d_name[0] == 'k' ? job_by_attempt(slurm, entry->d_name)
                                                        : NULL;
        if (job && !job->has_done && job->stage == STAGE_LIVE)
            read_done(job, entry->d_name);
    }
    if (dir)
        closedir(dir);
}

/* ---- rows ---- */

/* An earlier run may have got the number on another cluster, or before this one began anew. A step
 * has a name of its own. */
static bool is_somebody_elses(const struct slurm_batch *batch, const struct slurm_row *row)
{
    bool of_this_run = batch->request;
    return !of_this_run && !*row->step && *row->name && strcmp(row->name, batch->token);
}

static bool has_number_of(const struct slurm_batch *batch, const struct slurm_row *row)
{
    return batch->job == row->id.job && !strcmp(batch->cluster, row->cluster);
}

static struct slurm_batch *batch_of_row(struct slurm *slurm, const struct slurm_row *row)
{
    uint32_t number = map_find(&slurm->by_job, slurm_key(row->id.job, row->cluster));
    struct slurm_batch *batch = number ? slurm->batches.at[number] : NULL;
    if (batch && !is_somebody_elses(batch, row))
        return batch;
    if (batch)
        slurm_batch_unknown(batch);
    batch = batch_by_token(slurm, row->name, strlen(row->name));
    if (!batch || batch->process || (batch->job && !has_number_of(batch, row)))
        return NULL;
    if (batch->submitted) {
        slurm_batch_known(batch, row->id.job, row->cluster);
        return batch;
    }
    batch->job = row->id.job; /* its number was not known yet; taken up by whoever asked */
    snprintf(batch->cluster, sizeof batch->cluster, "%s", row->cluster);
    return batch;
}

static bool has_changed(const struct slurm_job *job, const struct slurm_row *row)
{
    return job->row.phase != row->phase || job->row.restarts != row->restarts;
}

/* Slurm has started it once more, or will. */
static void started_again(struct slurm_job *job, const struct slurm_row *row)
{
    char id[NAME_SIZE];
    slurm_job_name(job, id);
    if (job->launch)
        exec_note(&job->slurm->options, "Slurm starts job %s (%s) once more (%s).", id,
                  job->who.name, row->reason);
    job->has_done = false;
    job->ends_seen = job->asks = 0;
    job->asked = false;
}

static void take_row(struct slurm_job *job, const struct slurm_row *row)
{
    struct slurm *slurm = job->slurm;
    if (job->stage == STAGE_ENDED)
        return;
    if (has_changed(job, row))
        slurm->interval_ns = 0;
    if (row->restarts > job->row.restarts)
        started_again(job, row);
    bool news = strcmp(job->row.reason, row->reason) || job->row.phase != row->phase;
    if (news) {
        job->waits_ns = clock_ns();
        job->told_wait = false;
    }
    struct slurm_row kept = job->row;
    job->row = *row;
    if (job->asked && kept.phase == row->phase) /* the accounting has said more */
        memcpy(job->row.state, kept.state, sizeof kept.state);
    job->row.elements = job->row.cluster = NULL;
    job->missing_ns = job->missing_polls = job->unaccounted = 0;
    /* The accounts of another cluster are not those that jobs are moved between. */
    bool elsewhere = *job->batch->cluster;
    if (news && row->phase == SLURM_PENDING)
        slurm_report(job, &(struct exec_event){.kind = EXEC_WAITING,
                                               .message = elsewhere ? "" : job->row.reason});
    if (row->phase == SLURM_RUNNING || row->phase == SLURM_CLOSING)
        slurm_started(job);
    job->ends_seen += slurm_phase_is_end(row->phase);
    if (job->ends_seen == 1)
        job->end_seen_ns = clock_ns();
}

/* Waiting elements that are cancelled one by one leave no row of their own; the last of them leaves
 * one without an index, or with those that were there when the database last heard of it. */
static void take_rest(struct slurm_batch *batch, const struct slurm_row *row)
{
    if (*row->step || !slurm_phase_is_end(row->phase) || strstr(batch->rest, " by "))
        return;
    batch->rest_ns = *batch->rest ? batch->rest_ns : clock_ns();
    snprintf(batch->rest, sizeof batch->rest, "%s", row->state);
}

/* Has what a row says taken by each job that it is about. */
static void each_of_row(struct slurm *slurm, const struct slurm_row *row,
                        void (*take)(struct slurm_job *job, const struct slurm_row *row))
{
    struct slurm_batch *batch = batch_of_row(slurm, row);
    struct slurm_range range;
    if (!batch)
        return;
    if (batch->is_array && (row->elements || row->id.index < 0))
        take_rest(batch, row);
    if (!row->elements && batch->is_array && row->id.index < 0)
        return;
    int64_t index = row->id.index < 0 ? 0 : row->id.index;
    if (!row->elements && index < batch->n && batch->jobs[index])
        take(batch->jobs[index], row);
    for (const char *list = row->elements; list && slurm_next_range(&list, &range);)
        for (int64_t i = range.first; i <= range.last && i < batch->n; i += range.step)
            if (batch->jobs[i])
                take(batch->jobs[i], row);
}

/* A job of a federation has begun on another cluster, where it is followed from now on; one that
 * has left that is to be found here. */
static bool has_left(struct slurm *slurm, const struct slurm_row *row)
{
    struct slurm_batch *batch = strcmp(row->state, "REVOKED") ? NULL : batch_of_row(slurm, row);
    const char *to = *row->cluster ? "" : row->sibling;
    if (!batch || batch->is_array || !strcmp(batch->cluster, to)) /* arrays stay where they are */
        return false;
    if (!batch->submitted) { /* is taken up by whoever asked */
        snprintf(batch->cluster, sizeof batch->cluster, "%s", to);
        return true;
    }
    slurm_batch_unknown(batch);
    slurm_batch_known(batch, row->id.job, to);
    slurm_note_id(batch);
    return true;
}

void slurm_take_row(struct slurm *slurm, const struct slurm_row *row)
{
    if (has_left(slurm, row))
        return;
    each_of_row(slurm, row, take_row);
}

/* ---- waiting jobs ---- */

/* Once for all jobs of a rule that wait for the same. */
static void tell_wait(const struct slurm_job *job, const char *id, const char *meaning)
{
    struct buf kind = {0};
    char help[48] = "";
    buf_printf(&kind, "%s %s", job->who.name, job->row.reason);
    if (words_add(&job->slurm->told_waits, buf_text(&kind))) {
        if (slurm_wait(job->row.reason) == WAIT_RELEASE)
            snprintf(help, sizeof help, "; 'scontrol release %u' lets it go",
                     (unsigned)job->batch->job); /* of an array: all that are held */
        exec_note(&job->slurm->options, "Slurm job %s (%s) waits: %s (%s%s).", id, job->who.name,
                  job->row.reason, meaning, help);
    }
    buf_free(&kind);
}

/* A job that cannot start is ended; one that somebody must help is told of once. */
static void judge_wait(struct slurm_job *job, int64_t now)
{
    char id[NAME_SIZE], why[160];
    if (job->row.phase != SLURM_PENDING || job->doomed || !job->waits_ns || !job->launch)
        return;
    const char *meaning = slurm_wait_meaning(job->row.reason);
    enum slurm_wait wait = slurm_wait(job->row.reason);
    if (wait == WAIT_UNFIT) /* the reason is about one of its partitions */
        wait = job->row.several ? WAIT_HELD : WAIT_NEVER;
    int64_t waited = now - job->waits_ns;
    slurm_job_name(job, id);
    if (wait == WAIT_NEVER && waited > NEVER_S * S) {
        snprintf(why, sizeof why, " (%s)", meaning);
        slurm_doom(job, why);
    } else if (wait != WAIT_TURN && wait != WAIT_NEVER && !job->told_wait &&
               waited > TELL_WAIT_S * S) {
        job->told_wait = true;
        tell_wait(job, id, meaning);
    }
    if (wait == WAIT_QUOTA && waited > NEVER_S * S && !*job->batch->cluster)
        slurm_doubt(job);
}

/* ---- batches whose submission was not answered ---- */

/* A job that has begun though Slurm did not show it: its claim says so. */
static void begun(struct slurm_job *job)
{
    struct slurm *slurm = job->slurm;
    struct arena scratch = {0};
    char *path = slurm_path(slurm, "claim", job->batch->token, job->index);
    const char *text = fs_read(&scratch, path, NULL);
    unsigned long id = text ? strtoul(text, NULL, 10) : 0;
    job->stage = STAGE_LIVE;
    slurm->live++;
    if (id && !job->batch->is_array && !job->batch->job)
        slurm_batch_known(job->batch, (uint32_t)id, job->batch->cluster);
    slurm_submitted(job);
    free(path);
    arena_free(&scratch);
}

/* Was looked for long enough: what has not begun is prevented from it, and submitted anew. */
static void give_up(struct slurm_batch *batch)
{
    struct slurm *slurm = batch->slurm;
    for (uint32_t i = 0; i < batch->n; i++)
        if (batch->jobs[i] && batch->jobs[i]->stage == STAGE_SUBMITTING &&
            !slurm_revoke(batch, i, false))
            begun(batch->jobs[i]);
    if (slurm->stopping) {
        slurm_cancel_jobs(slurm, batch->jobs, batch->n);
        slurm_drop(batch);
    } else {
        slurm_resend(batch, 1);
    }
}

static void settle_ambiguous(struct slurm *slurm)
{
    uint32_t n = slurm->batches.len;
    for (uint32_t i = 1; i < n; i++) {
        struct slurm_batch *batch = slurm->batches.at[i];
        if (!batch || !batch->ambiguous)
            continue;
        if (batch->job) {
            slurm_accepted(batch, batch->job, batch->cluster);
        } else if (++batch->absent >= ABSENT_POLLS &&
                   clock_ns() - batch->ambiguous_ns > ABSENT_S * S) {
            give_up(batch);
        }
    }
}

/* ---- polling ---- */

static void ask_accounting(struct slurm *slurm);

static void each_live(struct slurm *slurm, void (*visit)(struct slurm_job *job, int64_t now))
{
    int64_t now = clock_ns();
    for (uint32_t i = 1; i < slurm->batches.len; i++) {
        struct slurm_batch *batch = slurm->batches.at[i];
        for (uint32_t k = 0; batch && k < batch->n; k++) {
            struct slurm_job *job = batch->jobs[k];
            if (job && job->stage == STAGE_LIVE)
                visit(job, now);
            if (slurm->batches.at[i] != batch)
                break;
        }
    }
}

static void mark_missing(struct slurm_job *job, int64_t now)
{
    if (strcmp(job->batch->cluster, job->slurm->asked_of))
        return;
    if (!job->missing_ns)
        job->missing_ns = now;
    job->missing_polls++;
}

/* The next look is to come soon. */
static void look_for_missing(struct slurm_job *job, int64_t now)
{
    struct slurm *slurm = job->slurm;
    if (job->missing_polls == 1 && slurm->next_poll_ns > now + FIRST_S * S)
        slurm->next_poll_ns = now + FIRST_S * S;
}

struct slurm_query slurm_query(const struct slurm *slurm, const char *cluster)
{
    /* -a: partitions that are hidden, or not for this user, too */
    const char *of = *cluster ? "-M" : NULL;
    if (slurm->use_scontrol)
        return (struct slurm_query){{"scontrol", "-a", "-o", "show", "job", of, cluster}};
    return (struct slurm_query){
        {"squeue", "-h", "-a", "--me", "-r", "-t", "all", "-O", slurm_queue_format, of, cluster}};
}

void slurm_take_answer(struct slurm *slurm, const char *cluster, const char *text)
{
    struct slurm_row row;
    bool (*next)(const char **at, struct slurm_row *row) = slurm->use_scontrol ? slurm_next_shown
                                                                               : slurm_next_queued;
    while (next(&text, &row)) {
        row.cluster = cluster;
        slurm_take_row(slurm, &row);
    }
}

static void schedule(struct slurm *slurm)
{
    int64_t longest = slurm->min_job_age / 3 * S;
    if (longest > LONGEST_S * S || !slurm->min_job_age) /* 0: Slurm forgets none */
        longest = LONGEST_S * S;
    else if (longest < FIRST_S * S)
        longest = FIRST_S * S;
    if (slurm->how.poll_s > 0)
        slurm->interval_ns = (int64_t)(slurm->how.poll_s * 1e9);
    else
        slurm->interval_ns = slurm->interval_ns ? slurm->interval_ns * 3 / 2 : FIRST_S * S;
    if (slurm->interval_ns > longest && !(slurm->how.poll_s > 0))
        slurm->interval_ns = longest;
    slurm->next_poll_ns = clock_ns() + slurm->interval_ns;
}

void slurm_query_failed(struct slurm *slurm, int times, bool timed_out, const char *err)
{
    if (times == REFUSALS && !timed_out && slurm_trouble(err) == TROUBLE_REJECTED)
        slurm->use_scontrol = !slurm->use_scontrol;
}

static void silent(struct slurm *slurm, const struct process_end *end)
{
    const char *of = slurm->asked_of;
    char complaint[300];
    slurm_complaint(end->err, complaint, sizeof complaint);
    slurm->silent = true;
    if ((slurm->bad_polls || end->timed_out) && !slurm->told_silence) {
        exec_note(&slurm->options,
                  "Slurm does not tell the state of jobs%s%s (%s); they continue, and it is asked "
                  "again.",
                  *of ? " on " : "", of, end->timed_out || !*complaint ? "no answer" : complaint);
        slurm->told_silence = true;
    }
    if (!*of)
        slurm_query_failed(slurm, slurm->bad_polls + 1, end->timed_out, end->err);
}

static void hear(struct slurm *slurm, const char *answer)
{
    slurm->heard = true;
    each_live(slurm, mark_missing); /* those that the answer names are not */
    slurm_take_answer(slurm, slurm->asked_of, answer);
}

/* All clusters have been asked. */
static void end_round(struct slurm *slurm)
{
    if (slurm->silent) {
        int64_t wait = (int64_t)FIRST_S << (slurm->bad_polls < 6 ? slurm->bad_polls : 6);
        slurm->next_poll_ns = clock_ns() + (wait > SILENT_S ? SILENT_S : wait) * S;
        slurm->bad_polls++;
    } else {
        slurm_prompt(slurm);
        slurm->bad_polls = 0;
        schedule(slurm);
    }
    if (!slurm->heard)
        return;
    each_live(slurm, look_for_missing);
    if (!slurm->silent)
        settle_ambiguous(slurm);
    each_live(slurm, judge_wait);
    slurm_check_quotas(slurm);
    ask_accounting(slurm);
    slurm_measure(slurm);
}

static bool is_followed(const struct slurm_batch *batch)
{
    bool live = batch->ambiguous;
    for (uint32_t i = 0; i < batch->n && !live; i++) {
        const struct slurm_job *job = batch->jobs[i];
        live = job && job->stage == STAGE_LIVE && is_awaited(job);
    }
    return live;
}

/* The first cluster that has jobs of ours, in the order of names, behind that one; NULL: none. */
static const char *next_cluster(const struct slurm *slurm, const char *behind)
{
    const char *found = NULL;
    for (uint32_t i = 1; i < slurm->batches.len; i++) {
        const struct slurm_batch *batch = slurm->batches.at[i];
        if (batch && strcmp(batch->cluster, behind) > 0 &&
            (!found || strcmp(batch->cluster, found) < 0) && is_followed(batch))
            found = batch->cluster;
    }
    return found;
}

static void ask_queue(struct slurm *slurm, const char *cluster);

static void on_queue(void *user, const struct process_end *end)
{
    struct slurm *slurm = user;
    slurm->asking = false;
    if (end->timed_out || end->signal || end->status)
        silent(slurm, end);
    else
        hear(slurm, end->out);
    const char *next = next_cluster(slurm, slurm->asked_of);
    if (next)
        ask_queue(slurm, next);
    else
        end_round(slurm);
}

static void on_late_queue(void *user)
{
    slurm_late(user, slurm_query(user, "").argv[0],
               "how jobs are is not known until it does; they continue, and it is asked again");
}

static void ask_queue(struct slurm *slurm, const char *cluster)
{
    snprintf(slurm->asked_of, sizeof slurm->asked_of, "%s", cluster);
    struct slurm_query query = slurm_query(slurm, slurm->asked_of);
    slurm->asked_ns = clock_ns();
    slurm->asking = slurm_call(slurm, &(struct process_options){.argv = query.argv,
                                                                .timeout_ms = QUERY_MS,
                                                                .late_ms = LATE_MS,
                                                                .on_late = on_late_queue,
                                                                .on_end = on_queue,
                                                                .user = slurm}) != NULL;
    if (!slurm->asking)
        on_queue(slurm, &(struct process_end){.status = 127, .err = "squeue cannot be started"});
}

/* This cluster is asked first, then the others that have jobs of ours. */
static void poll(struct slurm *slurm)
{
    slurm->poll_now = slurm->silent = slurm->heard = false;
    ask_queue(slurm, "");
}

bool slurm_is_silent(const struct slurm *slurm)
{
    return slurm->bad_polls || (slurm->asking && clock_ns() - slurm->asked_ns > PROMPT_S * S);
}

bool slurm_accounting_is_late(const struct slurm *slurm)
{
    return slurm->accounting && clock_ns() - slurm->accounting_ns > PATIENCE_S * S;
}

/* ---- accounting: of those that ended badly or vanished ---- */

static bool needs_accounting(const struct slurm_job *job)
{
    bool ended = slurm_phase_is_end(job->row.phase) && job->row.phase != SLURM_DONE &&
                 job->ends_seen;
    bool gone = job->missing_ns && clock_ns() - job->missing_ns > S;
    return job->stage == STAGE_LIVE && is_awaited(job) && !job->asked && job->batch->job &&
           (ended || gone);
}

static void account_job(struct slurm_job *job, const struct slurm_row *row)
{
    /* the row of elements that have not begun may be older than what squeue has said */
    bool begun = row->elements && *job->row.node;
    if (job->stage != STAGE_LIVE || begun)
        return;
    if (row->max_rss_kb > job->max_rss_kb)
        job->max_rss_kb = row->max_rss_kb;
    if (*row->step || !slurm_phase_is_end(row->phase))
        return;
    struct slurm_row kept = job->row;
    if (job->missing_ns) {
        job->row = *row;
        job->row.restarts = kept.restarts;
        memcpy(job->row.reason, kept.reason, sizeof kept.reason);
        job->ends_seen += 2;
        job->end_seen_ns = job->missing_ns;
    } else {
        snprintf(job->row.state, sizeof job->row.state, "%s", row->state);
    }
    job->row.elements = job->row.cluster = NULL;
    job->asked = true;
}

static void count_unaccounted(struct slurm_job *job, int64_t now)
{
    (void)now;
    job->unaccounted += job->asks && job->missing_ns && !slurm_phase_is_end(job->row.phase);
}

/* Whether the accounting may yet say who has cancelled a job, which squeue does not: where many are
 * cancelled, it learns of them seconds later. */
static bool wants_name(const struct slurm_job *job)
{
    return job->row.phase == SLURM_KILLED && !job->cancelled && !strstr(job->row.state, " by ") &&
           (job->asks < 2 || clock_ns() - job->end_seen_ns < PATIENCE_S * S);
}

/* The database may lag behind: squeue has said enough. */
static void stop_asking(struct slurm_job *job, int64_t now)
{
    (void)now;
    if (slurm_phase_is_end(job->row.phase) && job->asks && !wants_name(job))
        job->asked = true;
}

static void on_account(void *user, const struct process_end *end)
{
    struct slurm *slurm = user;
    struct slurm_row row;
    bool good = !end->status && !end->timed_out;
    slurm->accounting = false;
    if (!good)
        slurm->no_accounting |= slurm_trouble(end->err) == TROUBLE_REJECTED && !end->timed_out;
    for (const char *at = end->out; slurm_next_accounted(&at, &row);) {
        row.cluster = slurm->accounting_of;
        each_of_row(slurm, &row, account_job);
    }
    if (good)
        each_live(slurm, count_unaccounted);
    each_live(slurm, stop_asking);
}

/* The cluster that is asked next: this one if there is anything to ask, else the others in turn. */
static const char *cluster_to_ask(const struct slurm *slurm)
{
    const char *found = NULL;
    for (uint32_t i = 1; i < slurm->batches.len; i++) {
        const struct slurm_batch *batch = slurm->batches.at[i];
        bool better = batch && (!found || !*batch->cluster ||
                                (*found && !strcmp(found, slurm->accounting_of)));
        for (uint32_t k = 0; better && k < batch->n; k++) {
            if (!batch->jobs[k] || !needs_accounting(batch->jobs[k]))
                continue;
            found = batch->cluster;
            break;
        }
        if (found && !*found)
            break;
    }
    return found;
}

static void ask_accounting(struct slurm *slurm)
{
    enum { MOST = 1000 };
    struct buf ids = {0};
    uint32_t n = 0;
    if (slurm->accounting || slurm->no_accounting)
        return;
    const char *cluster = cluster_to_ask(slurm);
    if (!cluster)
        return;
    snprintf(slurm->accounting_of, sizeof slurm->accounting_of, "%s", cluster);
    for (uint32_t i = 1; i < slurm->batches.len; i++) {
        struct slurm_batch *batch = slurm->batches.at[i];
        bool of = batch && !strcmp(batch->cluster, cluster), whole = false;
        for (uint32_t k = 0; of && k < batch->n && n < MOST; k++) {
            if (!batch->jobs[k] || !needs_accounting(batch->jobs[k]))
                continue;
            batch->jobs[k]->asks++;
            if (!*batch->jobs[k]->row.node && batch->is_array) {
                whole = true; /* sacct finds those that have not begun by the array's number only */
                continue;
            }
            char id[32];
            slurm_job_id(batch->jobs[k], id);
            buf_printf(&ids, "%s%s", n++ ? "," : "", id);
        }
        if (whole)
            buf_printf(&ids, "%s%u", n++ ? "," : "", (unsigned)batch->job);
    }
    const char *const argv[] = {"sacct",
                                "-n",
                                "-P",
                                "-j",
                                buf_text(&ids),
                                "-o",
                                slurm_account_format,
                                *cluster ? "-M" : NULL,
                                slurm->accounting_of,
                                NULL};
    slurm->accounting_ns = clock_ns();
    slurm->accounting = slurm_call(slurm, &(struct process_options){.argv = argv,
                                                                    .timeout_ms = QUERY_MS,
                                                                    .on_end = on_account,
                                                                    .user = slurm}) != NULL;
    slurm->no_accounting |= !slurm->accounting && !process_error_passes(errno); /* no sacct here */
    buf_free(&ids);
}

/* ---- the tick ---- */

static void end_one(struct slurm_job *job, int64_t now)
{
    (void)now;
    if (is_awaited(job))
        slurm_try_end(job);
}

bool slurm_has_unanswered(const struct slurm *slurm)
{
    bool found = false;
    for (uint32_t i = 1; i < slurm->batches.len && !found; i++)
        found = slurm->batches.at[i] && slurm->batches.at[i]->ambiguous;
    return found;
}

void slurm_look(struct slurm *slurm)
{
    slurm_look_at_done(slurm);
    each_live(slurm, end_one);
    slurm_cancel_due(slurm);
    bool due = slurm->poll_now || clock_ns() >= slurm->next_poll_ns;
    if (due && !slurm->asking && !slurm->left && (slurm->live || slurm_has_unanswered(slurm)))
        poll(slurm);
    if (slurm->waiting.len && slurm->configured && !slurm->gather)
        slurm_gather(slurm); /* those that were blocked */
}
