// SPDX-License-Identifier: MIT
/* slurm_ends.c: what is said of a job that has ended. A good end needs nothing but the done file. A
 * bad one needs Slurm's word, as Slurm may start the job once more; so does one of a job that was
 * told to end, which it may have done halfway, whatever its status. Where Slurm has given up a job
 * that may still run (its node is cut off), its claim is taken away and its end is reported only
 * when its own watch must have killed it: its successor writes the same files. */
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fs.h"
#include "exec/slurm_inner.h"

static const int64_t S = 1000000000;
enum { LATE_S = 15, LOST_S = 60, GONE_S = 3, GONE_POLLS = 2, AVOID_S = 1800 };

/* ---- what is reported ---- */

static void fill_times(const struct slurm_job *job, struct exec_event *event)
{
    event->start_ns = job->start_ns ? job->start_ns : job->who.submit_ns;
    event->end_ns = job->has_done ? job->done.end_s * S : clock_wall_ns();
    if (event->end_ns < event->start_ns)
        event->end_ns = event->start_ns;
    if (job->has_done) {
        event->user_s = job->done.user_s;
        event->system_s = job->done.system_s;
        event->host = job->done.host;
    } else if (*job->row.node) {
        event->host = job->row.node;
    }
    event->max_rss_kb = job->max_rss_kb;
}

static void leave(struct slurm_job *job)
{
    job->stage = STAGE_ENDED;
    job->slurm->live--;
    job->slurm->interval_ns = 0;
    slurm_has_room(job->slurm);
}

static void report_good(struct slurm_job *job)
{
    char *log = slurm_log_path(job);
    struct exec_event event = {.kind = EXEC_ENDED, .log = *log ? log : NULL};
    slurm_started(job);
    fill_times(job, &event);
    leave(job);
    slurm_report(job, &event);
    slurm_unmeasured(job);
    if (!job->launch)
        slurm_remove_log(job); /* nobody asks for it */
    free(log);
}

/* Whether Slurm has failed to start it, which is not the job's fault. */
static bool not_started(const struct slurm_job *job)
{
    return job->never_began && !strcmp(job->row.state, "FAILED");
}

static const char *meaning_of(const struct slurm_job *job)
{
    static const struct {
        const char *state, *meaning;
    } known[] = {
        {"OUT_OF_ME", "it needed more memory than mem_mb"},
        {"TIMEOUT", "it took longer than runtime"},
        {"DEADLINE", "its deadline passed"},
        {"NODE_FAIL", "its node failed"},
        {"BOOT_FAIL", "its node did not start"},
        {"PREEMPTED", "another job took its place"},
        {"CANCELLED", "somebody cancelled it"},
    };
    if (not_started(job))
        return "Slurm could not start it there; its log directory may be missing on that node";
    if (job->has_done && job->done.told && job->row.phase == SLURM_FAILED)
        return "it was told to end by SIGTERM: its runtime was nearly over";
    if (!strcmp(job->row.reason, "JobLaunchFailure") && job->row.signal == SIGKILL)
        return "Slurm killed it, probably for its memory";
    if (strstr(job->row.state, " by "))
        return NULL; /* that says it */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(job->row.state, known[i].state, strlen(known[i].state)))
            return known[i].meaning;
    return NULL;
}

/* How it ended: "CANCELLED by 1001" with the user's name. */
static void add_state(const struct slurm_job *job, const char *what, struct buf *out)
{
    const char *by = strstr(what, " by ");
    unsigned uid;
    const struct passwd *who = by && sscanf(by, " by %u", &uid) == 1 ? getpwuid(uid) : NULL;
    if (who)
        buf_printf(out, "%.*s by %s", (int)(by - what), what, who->pw_name);
    else
        buf_str(out, what);
    if (slurm_phase_is_end(job->row.phase) && job->never_began && !not_started(job))
        buf_str(out, " before it began");
}

/* Why, in Slurm's word; of one that never began: what it had waited for. */
static void add_reason(const struct slurm_job *job, struct buf *out)
{
    const char *reason = job->row.reason;
    bool waited = job->never_began && !*job->row.node && !not_started(job);
    if (!*reason || !strcmp(reason, "None") || !strcmp(reason, "NonZeroExitCode"))
        return;
    buf_printf(out, ", %s %s", waited ? "it had waited:" : "reason", reason);
    if (waited && slurm_wait(reason) >= WAIT_UNFIT)
        buf_printf(out, " (%s)", slurm_wait_meaning(reason));
}

/* What a program that cannot write there does not say. */
static bool is_full(const char *path)
{
    struct statvfs system;
    return !statvfs(path, &system) && !system.f_bavail;
}

/* The place of its log, and its end; one that never began has none. */
static void add_log(const struct slurm_job *job, struct buf *out)
{
    char *log = slurm_log_path(job);
    struct buf tail = {0};
    slurm_log_tail(log, &tail); /* which looks for it anew */
    bool there = fs_exists(log);
    if (there || !job->never_began || not_started(job))
        buf_printf(out, "\n    log: %s%s", log,
                   !there         ? " (it is not there)"
                   : is_full(log) ? " (its file system is full)"
                                  : "");
    buf_str(out, buf_text(&tail));
    buf_free(&tail);
    free(log);
}

/* What a person needs to know of a job that did not end well. */
static char *describe(const struct slurm_job *job, const char *what)
{
    struct buf text = {0};
    char id[NAME_SIZE];
    const char *meaning = meaning_of(job);
    slurm_job_name(job, id);
    buf_printf(&text, "Slurm job %s%s%s: ", *id ? id : job->batch->token,
               *job->row.node ? " on " : "", job->row.node);
    add_state(job, what, &text);
    if (meaning)
        buf_printf(&text, " (%s)", meaning);
    add_reason(job, &text);
    if (job->max_rss_kb)
        buf_printf(&text, ", peak memory %lld MB", (long long)(job->max_rss_kb / 1024));
    add_log(job, &text);
    return buf_take(&text);
}

static void avoid_node(struct slurm *slurm, const char *node)
{
    enum { ROOM = sizeof slurm->broken / sizeof *slurm->broken };
    if (!*node || strchr(node, '[') || strchr(node, ',') || slurm->nbroken == ROOM)
        return;
    snprintf(slurm->broken[slurm->nbroken].node, sizeof slurm->broken[0].node, "%s", node);
    slurm->broken[slurm->nbroken++].until_ns = clock_ns() + AVOID_S * S;
}

static void report_bad(struct slurm_job *job, enum exec_event_kind kind, const char *what)
{
    struct exec_event event = {.kind = kind,
                               .status = job->has_done && job->done.status ? job->done.status
                                                                           : job->row.status};
    char *message = job->message ? slurm_copy(job->message) : describe(job, what);
    event.blameless = (job->displaced && !job->started) ||
                      (!job->cancelled && !job->doomed &&
                       (kind == EXEC_LOST || job->row.phase == SLURM_BROKEN || not_started(job)));
    event.message = message;
    fill_times(job, &event);
    if (job->cancelled && !job->doomed) {
        event.status = -1;
        event.signal = SIGTERM;
    } else if (!event.status) {
        event.status = -1; /* its command has said none */
    }
    if (!strncmp(job->row.state, "NODE_FAIL", 9))
        avoid_node(job->slurm, job->row.node);
    leave(job);
    slurm_report(job, &event);
    free(message);
}

/* Takes the claim away; true when that is long enough ago. */
static bool is_fenced(struct slurm_job *job)
{
    if (!job->fence_ns) {
        bool begun = !slurm_revoke(job->batch, job->index, false);
        if (begun)
            slurm_revoke(job->batch, job->index, true);
        job->never_began = !begun;
        job->fence_ns = clock_ns() + (begun ? FENCE_NS_S : 0) * S;
    }
    return clock_ns() >= job->fence_ns;
}

static bool is_missing_for(const struct slurm_job *job, int seconds)
{
    return job->missing_ns && job->missing_polls >= GONE_POLLS && !job->slurm->bad_polls &&
           clock_ns() - job->missing_ns > seconds * S;
}

/* Whether the accounting does not know of it either. */
static bool is_unaccounted(const struct slurm_job *job)
{
    return job->slurm->no_accounting || !job->batch->job || job->unaccounted >= GONE_POLLS;
}

/* Whether somebody has cancelled an element of an array while it waited: Slurm may keep no record
 * of that. */
static bool vanished_waiting(const struct slurm_job *job)
{
    const struct slurm_batch *batch = job->batch;
    /* the accounting may yet say who it was */
    bool rest = *batch->rest && clock_ns() - batch->rest_ns > GONE_S * S;
    bool told = rest || job->cancelled;
    bool waited = job->row.phase == SLURM_PENDING || !*job->row.state;
    return batch->is_array && waited && is_missing_for(job, GONE_S) &&
           (told || job->unaccounted >= GONE_POLLS) && slurm_revoke(batch, job->index, false);
}

/* Whether its own record is all that is left of it, and will be: an accounting that does not answer
 * is waited for. */
static bool has_own_record_only(const struct slurm_job *job)
{
    return job->has_done && is_missing_for(job, is_unaccounted(job) ? GONE_S : LOST_S);
}

static bool end_missing(struct slurm_job *job)
{
    if (vanished_waiting(job)) {
        job->never_began = true;
        job->row.phase = SLURM_KILLED;
        snprintf(job->row.state, sizeof job->row.state, "%s",
                 *job->batch->rest ? job->batch->rest : "CANCELLED");
        report_bad(job, EXEC_ENDED, job->row.state);
    } else if (has_own_record_only(job)) {
        job->row.reason[0] = '\0'; /* that of an earlier time */
        report_bad(job, EXEC_ENDED, "it has ended, and Slurm knows nothing of it any more");
    } else if (is_missing_for(job, LOST_S) && is_fenced(job)) {
        report_bad(job, EXEC_LOST, "Slurm knows nothing of it any more, and it has left no result");
    } else {
        return false;
    }
    return true;
}

/* Whether Slurm has ended it without its script having begun. A restart that has begun has taken
 * the claim over from the start before. */
static bool has_not_begun(const struct slurm_job *job)
{
    struct arena scratch = {0};
    unsigned number, restarts = 0;
    if (slurm_revoke(job->batch, job->index, false))
        return true;
    char *path = slurm_path(job->slurm, "claim", job->batch->token, job->index);
    const char *text = job->row.restarts ? fs_read(&scratch, path, NULL) : NULL;
    bool before = text && sscanf(text, "%u %u", &number, &restarts) == 2 &&
                  restarts < job->row.restarts;
    free(path);
    arena_free(&scratch);
    return before;
}

bool slurm_ended_well(const struct slurm_job *job)
{
    bool told = job->done.told || (job->cancelled && !slurm_is_silent(job->slurm));
    return job->has_done && !job->done.status && (!told || job->row.phase == SLURM_DONE);
}

bool slurm_try_end(struct slurm_job *job)
{
    enum slurm_phase phase = job->row.phase;
    bool known = job->asked || job->slurm->no_accounting || slurm_accounting_is_late(job->slurm);
    if (slurm_ended_well(job)) {
        report_good(job);
    } else if (job->has_done && job->cancelled && slurm_is_silent(job->slurm)) {
        report_bad(job, EXEC_ENDED, "cancelled"); /* Slurm does not start it once more */
    } else if (!slurm_phase_is_end(phase)) {
        if (!end_missing(job))
            return false;
    } else if (phase == SLURM_DONE && !job->has_done) {
        if (clock_ns() - job->end_seen_ns < LATE_S * S)
            return false; /* the shared file system may be late */
        report_good(job);
    } else if (phase == SLURM_BROKEN && !job->has_done) {
        if (!known || !is_fenced(job))
            return false;
        report_bad(job, EXEC_ENDED, job->row.state);
    } else {
        if (!known || (!job->has_done && job->ends_seen < 2))
            return false;
        job->never_began = !job->has_done && has_not_begun(job);
        report_bad(job, EXEC_ENDED, job->row.state);
    }
    if (!job->launch)
        slurm_settle(job);
    return true;
}
