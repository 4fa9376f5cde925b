// SPDX-License-Identifier: MIT
/* slurm.c: jobs handed to Slurm: sbatch, one squeue for all, scancel. See slurm_inner.h for the
 * parts and a job's way. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/path.h"
#include "exec/exec.h"
#include "exec/kinds.h"
#include "exec/slurm_args.h"
#include "exec/slurm_inner.h"

char *slurm_copy(const char *text)
{
    return text ? memory_text(text) : NULL;
}

char *slurm_path(const struct slurm *slurm, const char *folder, const char *token, int64_t index)
{
    struct buf path = {0};
    buf_printf(&path, "%s/%s/%s", slurm->dir, folder, token);
    if (index >= 0)
        buf_printf(&path, ".%lld", (long long)index);
    return buf_take(&path);
}

/* ---- events ---- */

void slurm_job_id(const struct slurm_job *job, char out[32])
{
    const struct slurm_batch *batch = job->batch;
    out[0] = '\0';
    if (batch && batch->job)
        snprintf(out, 32, batch->is_array ? "%u_%u" : "%u", (unsigned)batch->job,
                 (unsigned)job->index);
}

void slurm_job_name(const struct slurm_job *job, char out[NAME_SIZE])
{
    char id[32];
    slurm_job_id(job, id);
    bool there = *id && *job->batch->cluster;
    snprintf(out, NAME_SIZE, "%s%s%s", id, there ? ";" : "", there ? job->batch->cluster : "");
}

void slurm_report(struct slurm_job *job, struct exec_event *event)
{
    char id[NAME_SIZE];
    slurm_job_name(job, id);
    event->launch = job->launch;
    event->external_id = *id ? id : NULL;
    if (job->launch)
        job->slurm->options.on_event(job->slurm->options.user, event);
}

void slurm_submitted(struct slurm_job *job)
{
    char *log = job->output ? NULL : slurm_log_path(job); /* its own may name the node */
    slurm_report(job, &(struct exec_event){
                          .kind = EXEC_SUBMITTED, .start_ns = job->who.submit_ns, .log = log});
    free(log);
}

void slurm_started(struct slurm_job *job)
{
    if (job->started)
        return;
    job->started = true;
    if (!job->start_ns)
        job->start_ns = clock_wall_ns();
    slurm_report(job, &(struct exec_event){.kind = EXEC_STARTED,
                                           .start_ns = job->start_ns,
                                           .host = *job->row.node ? job->row.node : NULL});
}

/* ---- jobs and batches ---- */

struct slurm_job *slurm_job_new(struct slurm *slurm, uint32_t launch)
{
    struct slurm_job *job = memory_zeroed(1, sizeof *job);
    *job = (struct slurm_job){.slurm = slurm, .launch = launch, .who.submit_ns = clock_wall_ns()};
    if (launch)
        slurm_know(job);
    return job;
}

void slurm_know(struct slurm_job *job)
{
    struct slurm *slurm = job->slurm;
    uint32_t *place = map_at(&slurm->by_launch, job->launch);
    if (!*place) {
        vec_push(&slurm->known, NULL);
        *place = slurm->known.len;
    }
    slurm->known.at[*place - 1] = job;
}

void slurm_unknow(const struct slurm_job *job)
{
    struct slurm *slurm = job->slurm;
    uint32_t place = job->launch ? map_find(&slurm->by_launch, job->launch) : 0;
    if (place && slurm->known.at[place - 1] == job)
        slurm->known.at[place - 1] = NULL;
}

struct slurm_job *slurm_job_of(const struct slurm *slurm, uint32_t launch)
{
    uint32_t place = map_find(&slurm->by_launch, launch);
    return place ? slurm->known.at[place - 1] : NULL;
}

/* Frees it with all that it owns; its batch must not name it any more. */
static void slurm_job_free(struct slurm_job *job)
{
    char *const texts[] = {job->place, job->element, job->request, job->comment, job->message,
                           job->log,   job->output,  job->error,   job->account, job->body};
    past_remove(&job->slurm->past, &job->who);
    slurm_unknow(job);
    past_forget_job(&job->who);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    free(job);
}

struct slurm_batch *slurm_batch_new(struct slurm *slurm, const char *token, uint32_t n)
{
    struct slurm_batch *batch = memory_zeroed(1, sizeof *batch);
    struct slurm_job **jobs = memory_zeroed(n, sizeof(struct slurm_job *));
    *batch = (struct slurm_batch){
        .slurm = slurm, .jobs = jobs, .n = n, .open = n, .is_array = n > 1, .in_file = n > 1};
    snprintf(batch->token, sizeof batch->token, "%s", token);
    batch->number = pool_add(&slurm->batches);
    slurm->batches.at[batch->number] = batch;
    map_set(&slurm->by_token, hash_key_of(batch->token), batch->number);
    return batch;
}

uint64_t slurm_key(uint32_t job, const char *cluster)
{
    return *cluster ? hash_mix(hash_bytes(cluster, strlen(cluster)) ^ job) | UINT64_C(1) << 63
                    : job;
}

void slurm_batch_known(struct slurm_batch *batch, uint32_t job, const char *cluster)
{
    batch->job = job;
    batch->submitted = true;
    batch->ambiguous = false;
    const char *other = strcmp(cluster, batch->slurm->cluster) ? cluster : "";
    if (other != batch->cluster)
        snprintf(batch->cluster, sizeof batch->cluster, "%s", other);
    uint32_t *place = map_at(&batch->slurm->by_job, slurm_key(job, batch->cluster));
    if (*place && *place != batch->number)
        batch->slurm->batches.at[*place]->job = 0; /* Slurm has lost that one */
    *place = batch->number;
}

void slurm_batch_unknown(struct slurm_batch *batch)
{
    if (batch->job)
        *map_at(&batch->slurm->by_job, slurm_key(batch->job, batch->cluster)) = 0;
    batch->job = 0;
}

static void free_batch(struct slurm_batch *batch)
{
    struct slurm *slurm = batch->slurm;
    for (uint32_t i = 0; i < batch->n; i++)
        if (batch->jobs[i])
            slurm_job_free(batch->jobs[i]);
    if (batch->process)
        process_forget(batch->process);
    slurm->batches.at[batch->number] = NULL;
    slurm_batch_unknown(batch);
    *map_at(&slurm->by_token, hash_key_of(batch->token)) = 0;
    free(batch->jobs);
    free(batch);
}

void slurm_batch_end(struct slurm_batch *batch)
{
    struct slurm *slurm = batch->slurm;
    past_end_row(&slurm->past, batch->token);
    if (batch->in_file)
        past_discard(&slurm->past, slurm_path(slurm, "jobs", batch->token, -1));
    free_batch(batch);
}

void slurm_settle(struct slurm_job *job)
{
    struct slurm *slurm = job->slurm;
    struct slurm_batch *batch = job->batch;
    if (!batch) {
        slurm_job_free(job);
        return;
    }
    past_discard(&slurm->past, slurm_path(slurm, "done", batch->token, job->index));
    if (!job->fence_ns &&
        job->row.phase != SLURM_BROKEN) /* what may come back must find its claim taken */
        past_discard(&slurm->past, slurm_path(slurm, "claim", batch->token, job->index));
    if (job->body)
        past_discard(&slurm->past, slurm_copy(job->body));
    batch->jobs[job->index] = NULL;
    batch->open--;
    slurm_job_free(job);
    if (!batch->open)
        slurm_batch_end(batch);
}

static void settled(struct executor *executor, uint32_t launch, bool good)
{
    struct slurm *slurm = (struct slurm *)executor;
    struct slurm_job *job = slurm_job_of(slurm, launch);
    if (job && job->stage == STAGE_LIVE && !slurm->left)
        slurm_give_back(job);
    if (!job || job->stage != STAGE_ENDED || slurm->left) /* what was left is for the next run */
        return;
    if (good)
        slurm_remove_log(job);
    slurm_settle(job);
}

/* ---- the tick ---- */

static void on_tick(void *user)
{
    struct slurm *slurm = user;
    if (!slurm->live && !slurm->waiting.len && slurm->sent == slurm->unsent.len &&
        !slurm->held.len && !slurm->sending && !slurm_has_unanswered(slurm)) {
        timer_end(&slurm->tick);
        return;
    }
    slurm_look(slurm);
    past_sweep(&slurm->past);
}

void slurm_wake(struct slurm *slurm)
{
    if (!slurm->tick)
        slurm->tick = timer_open(slurm->loop, TICK_MS, TICK_MS, on_tick, slurm);
}

/* ---- submitting ---- */

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            return true;
    return false;
}

/* No partition has room for what a job asks for: said once for each rule. */
static void tell_unfit(struct slurm *slurm, const char *rule)
{
    if (words_add(&slurm->unfit, rule))
        exec_note(&slurm->options,
                  "No partition of --slurm-partition-config has room for what rule %s asks for: "
                  "it goes to the default one.",
                  rule);
}

static void set_request(struct slurm_job *job, const struct launch *launch)
{
    struct slurm *slurm = job->slurm;
    struct arena scratch = {0};
    struct buf out = {0};
    slurm_words words = {0};
    const char *why = slurm_args(&scratch, launch, &slurm->how, &words);
    for (uint32_t i = 0; i < words.len && !why; i++) {
        if (has_control(words.at[i]))
            why = arena_printf(&scratch, "an option for sbatch holds a control character: %s",
                               words.at[i]);
        buf_printf(&out, "%s\n", words.at[i]);
    }
    if (!why && slurm->how.partitions && !launch->nsbatch &&
        !slurm_find_arg(words.at, words.len, "partition", 'p'))
        tell_unfit(slurm, job->who.name);
    job->message = slurm_copy(why);
    job->account = slurm_copy(slurm_find_arg(words.at, words.len, "account", 'A'));
    buf_str(&out, "");
    job->request = buf_take(&out);
    job->output = slurm_own_log(slurm, launch, "output", 'o');
    job->error = slurm_own_log(slurm, launch, "error", 'e');
    job->single = job->output || job->error;
    vec_free(&words);
    arena_free(&scratch);
}

static void submit_one(struct slurm *slurm, const struct launch *launch)
{
    struct slurm_job *job = slurm_job_new(slurm, launch->id);
    struct buf element = {0};
    past_describe(&job->who, launch);
    job->place = slurm_copy(launch->place);
    job->comment = slurm_copy(launch->comment ? launch->comment : "");
    job->steps = launch->steps;
    set_request(job, launch);
    job->single |= slurm->how.array_rules && !word_in(slurm->how.array_rules, job->who.name);
    char name[TOKEN_SIZE + 8];
    snprintf(name, sizeof name, "%s.%u.body", slurm->run, (unsigned)++slurm->serial);
    job->body = slurm_path(slurm, "jobs", name, -1);
    if (!slurm_element(launch, job->body, past_blocks(&slurm->past, &job->who), &element) &&
        !job->message)
        job->message = slurm_copy("the text of the job cannot be written to .snakemake/slurm");
    buf_str(&element, "");
    job->element = buf_take(&element);
    if (!launch->shell || !fs_exists(job->body)) {
        free(job->body);
        job->body = NULL;
    }
    vec_push(&slurm->waiting, job);
}

static void on_gather(void *user)
{
    struct slurm *slurm = user;
    timer_end(&slurm->gather);
    if (slurm->configured)
        slurm_gather(slurm);
    else if (!slurm->configuring)
        slurm_configure(slurm);
    if (slurm->configured && slurm->waiting.len)
        slurm_gather(slurm);
}

static void submit_slurm(struct executor *executor, const struct launch *launches, uint32_t n)
{
    struct slurm *slurm = (struct slurm *)executor;
    for (uint32_t i = 0; i < n; i++)
        submit_one(slurm, &launches[i]);
    /* Where many run, more become ready every moment: a little patience makes arrays of them. */
    uint64_t ms = slurm->how.array_min && slurm->live > MANY ? GATHER_MANY_MS : GATHER_MS;
    if (!slurm->gather)
        slurm->gather = timer_open(slurm->loop, ms, 0, on_gather, slurm);
    slurm_wake(slurm);
}

/* ---- opening, closing ---- */

static bool is_old(const char *path, int days)
{
    struct stat st;
    return !lstat(path, &st) && S_ISREG(st.st_mode) &&
           clock_wall_ns() / 1000000000 - st.st_mtime > days * 86400LL;
}

struct sweep {
    const char *root;
    int days;
};

static bool sweep_entry(void *user, const char *path, bool is_dir)
{
    struct sweep *sweep = user;
    struct arena scratch = {0};
    const char *full = path_join(&scratch, sweep->root, path);
    if (!is_dir && is_old(full, sweep->days))
        unlink(full);
    arena_free(&scratch);
    return true;
}

static void remove_old(const char *dir, int days)
{
    struct sweep sweep = {dir, days};
    if (days > 0 && fs_is_dir(dir))
        fs_walk(dir, false, sweep_entry, &sweep, NULL);
}

/* Directories of rules that have no log left; one that a job of another run is about to write to is
 * made again with its next submission. */
static void remove_empty(const char *dir)
{
    struct arena scratch = {0};
    DIR *entries = opendir(dir);
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        if (entry->d_name[0] != '.')
            rmdir(path_join(&scratch, dir, entry->d_name)); /* fails if it is not empty */
    if (entries)
        closedir(entries);
    arena_free(&scratch);
}

enum { OLD_DAYS = 30 };

/* An engine removes files of attempts that have ended many at a time: one that is killed leaves
 * some. Where nothing is open nobody needs them. */
static void remove_ended(const struct slurm *slurm)
{
    struct arena scratch = {0};
    uint32_t i = 1;
    while (i < slurm->batches.len && !slurm->batches.at[i])
        i++;
    if (i >= slurm->batches.len) {
        remove_old(path_join(&scratch, slurm->dir, "jobs"), OLD_DAYS);
        remove_old(path_join(&scratch, slurm->dir, "done"), OLD_DAYS);
    }
    arena_free(&scratch);
}

static void make_dirs(struct slurm *slurm)
{
    struct arena scratch = {0};
    static const char *const parts[] = {"jobs", "claim", "done"};
    for (int i = 0; i < 3; i++)
        fs_mkdirs(path_join(&scratch, slurm->dir,
                            parts[i])); /* what fails is told when a job is written */
    char *claims = path_join(&scratch, slurm->dir, "claim");
    remove_old(claims, OLD_DAYS);
    remove_old(slurm->logdir, slurm->how.old_logs_days);
    arena_free(&scratch);
}

static struct executor *open_slurm(struct loop *loop, const struct exec_options *options)
{
    struct arena scratch = {0};
    struct slurm *slurm = memory_zeroed(1, sizeof *slurm);
    *slurm = (struct slurm){
        .base = {&exec_slurm}, .loop = loop, .options = *options, .past = slurm_past(options)};
    if (options->slurm)
        slurm->how = *options->slurm;
    slurm->workdir = slurm_copy(fs_cwd(&scratch));
    slurm->dir = slurm_copy(path_join(&scratch, slurm->workdir, ".snakemake/slurm"));
    slurm->logdir = slurm_copy(slurm->how.logdir
                                   ? slurm->how.logdir
                                   : path_join(&scratch, slurm->workdir, ".snakemake/slurm_logs"));
    past_name_run(slurm->run);
    make_dirs(slurm);
    unsetenv("SNAKEMAKE_PROFILE"); /* not meant for engines that a job may start */
    arena_free(&scratch);
    slurm_remember(slurm);
    remove_ended(slurm);
    return &slurm->base;
}

static void close_slurm(struct executor *executor)
{
    struct slurm *slurm = (struct slurm *)executor;
    slurm_cancel_due(slurm);
    for (uint32_t i = 0; i < slurm->waiting.len; i++)
        slurm_job_free(slurm->waiting.at[i]);
    slurm->waiting.len = 0;
    bool left = false;
    for (uint32_t i = 1; i < slurm->batches.len;
         i++) /* what is left is found again by the next run */
        if (slurm->batches.at[i]) {
            free_batch(slurm->batches.at[i]);
            left = true;
        }
    if (!slurm->left && !slurm->told_silence)
        slurm_measure_last(slurm);
    slurm_forget_unmeasured(slurm);
    timer_close(slurm->gather);
    timer_close(slurm->tick);
    timer_close(slurm->retry);
    slurm_forget_limits(slurm);
    words_free(&slurm->unfit);
    words_free(&slurm->told_waits);
    slurm_forget_cancels(slurm);
    slurm_forget_quotas(slurm);
    if (!slurm->how.keep_logs && !left)
        remove_empty(slurm->logdir);
    past_close(&slurm->past);
    vec_free(&slurm->waiting);
    pool_free(&slurm->batches);
    vec_free(&slurm->unsent);
    map_free(&slurm->by_job);
    map_free(&slurm->by_token);
    map_free(&slurm->by_launch);
    vec_free(&slurm->known);
    vec_free(&slurm->cancels);
    free(slurm->workdir);
    free(slurm->dir);
    free(slurm->logdir);
    free(slurm);
}

const struct executor_kind exec_slurm = {.name = "slurm",
                                         .open = open_slurm,
                                         .submit = submit_slurm,
                                         .cancel = slurm_cancel,
                                         .close = close_slurm,
                                         .move = slurm_move,
                                         .settled = settled,
                                         .adopt = slurm_adopt,
                                         .orphans = slurm_orphans};
