// SPDX-License-Identifier: MIT
/* history.c: runs, attempts at jobs, and what was handed to a cluster. */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "state/lock.h"
#include "state/state_inner.h"

static void bind_text(struct query *query, int at, const char *text)
{
    query_text(query, at, text, text ? strlen(text) : 0);
}

/* A statement that changes something, too rarely to be kept; for run_once. NULL where none can
 * begin. */
static struct query *change(struct state *state, const char *sql)
{
    return db_begin(state->db) ? db_query(state->db, sql) : NULL;
}

/* Runs and frees it. */
static bool run_once(struct state *state, struct query *query)
{
    bool good = query_run(query);
    state->changed = true;
    query_free(query);
    return good;
}

bool state_begin_run(struct state *state, const char *command_line)
{
    struct query *add = change(
        state, "INSERT INTO run(start_ns, command, host, user, pid) VALUES(?1, ?2, ?3, ?4, ?5)");
    query_int(add, 1, clock_wall_ns());
    bind_text(add, 2, command_line);
    bind_text(add, 3, fs_hostname());
    bind_text(add, 4, fs_username());
    query_int(add, 5, getpid());
    bool good = run_once(state, add);
    state->run = good ? db_last_id(state->db) : 0;
    return good && state_sweep(state);
}

bool state_add_attempt(struct state *state, const struct attempt_record *attempt)
{
    struct query *add = state_statement(state, ADD_ATTEMPT);
    int64_t took_ns = attempt->end_ns - attempt->start_ns;
    state->stake_ns += attempt->start_ns && took_ns > 0 ? took_ns : 0;
    query_int(add, 1, state->run);
    bind_text(add, 2, attempt->rule);
    bind_text(add, 3, attempt->wildcards);
    query_int(add, 4, attempt->attempt);
    query_int(add, 5, attempt->status);
    query_int(add, 6, attempt->signal);
    query_int(add, 7, attempt->start_ns);
    query_int(add, 8, state_time_since(attempt->start_ns, attempt->end_ns));
    query_real(add, 9, attempt->cpu_s);
    query_int(add, 10, attempt->max_rss_kb);
    bind_text(add, 11, attempt->external_id);
    /* Its own machine is that of the run: not said again for every job. */
    bind_text(add, 12,
              attempt->host && strcmp(attempt->host, fs_hostname()) ? attempt->host : NULL);
    bind_text(add, 13, attempt->resources);
    bind_text(add, 14, attempt->why);
    bind_text(add, 15, attempt->log);
    return query_run(add);
}

/* One may have ended with status 0 and without its outputs. */
#define ENDED_BADLY                                                                                \
    "(attempt.status <> 0 OR attempt.signal <> 0 OR coalesce(attempt.why, '') <> '')"

/* Calls visit for the attempts that a condition chooses, oldest first. */
static bool visit_attempts(struct state *state, const char *where, attempt_visit *visit, void *user)
{
    struct arena scratch = {0};
    if (!state->db)
        return true;
    struct query *rows = db_query(
        state->db,
        arena_printf(
            &scratch,
            "SELECT rule, wildcards, attempt, attempt.status, signal, attempt.start_ns,"
            " attempt.end_ns, cpu_s, max_rss_kb, external_id, coalesce(attempt.host, run.host),"
            " resources, why, log FROM attempt LEFT JOIN run ON run.id = attempt.run"
            " WHERE %s ORDER BY attempt.id",
            where));
    while (query_row(rows)) {
        struct attempt_record attempt = {
            .rule = query_get_text(rows, 0, NULL),
            .wildcards = query_get_text(rows, 1, NULL),
            .attempt = (int)query_get_int(rows, 2),
            .status = (int)query_get_int(rows, 3),
            .signal = (int)query_get_int(rows, 4),
            .start_ns = query_get_int(rows, 5),
            .end_ns = state_end_time(query_get_int(rows, 5), query_get_int(rows, 6)),
            .cpu_s = query_get_real(rows, 7),
            .max_rss_kb = query_get_int(rows, 8),
            .external_id = query_get_text(rows, 9, NULL),
            .host = query_get_text(rows, 10, NULL),
            .resources = query_get_text(rows, 11, NULL),
            .why = query_get_text(rows, 12, NULL),
            .log = query_get_text(rows, 13, NULL)};
        visit(user, &attempt);
    }
    query_free(rows);
    arena_free(&scratch);
    return !db_failed(state->db);
}

bool state_attempts(struct state *state, attempt_visit *visit, void *user)
{
    return visit_attempts(state, "NOT " ENDED_BADLY, visit, user);
}

bool state_failures(struct state *state, attempt_visit *visit, void *user)
{
    return visit_attempts(state,
                          "attempt.run = (SELECT max(id) FROM run) AND " ENDED_BADLY
                          " AND why IS NOT '" STATE_CANCELLED "'",
                          visit, user);
}

bool state_run_attempts(struct state *state, attempt_visit *visit, void *user)
{
    struct arena scratch = {0};
    bool good = visit_attempts(
        state, arena_printf(&scratch, "attempt.run = %lld", (long long)state->run), visit, user);
    arena_free(&scratch);
    return good;
}

bool state_set_memory(struct state *state, const char *external_id, int64_t max_rss_kb)
{
    struct query *set = change(
        state, "UPDATE attempt SET max_rss_kb = ?3 WHERE run = ?1 AND external_id = ?2");
    query_int(set, 1, state->run);
    bind_text(set, 2, external_id);
    query_int(set, 3, max_rss_kb);
    return run_once(state, set);
}

bool state_end_run(struct state *state, int exit_status)
{
    struct query *set = change(state, "UPDATE run SET end_ns = ?2, status = ?3 WHERE id = ?1");
    query_int(set, 1, state->run);
    query_int(set, 2, clock_wall_ns());
    query_int(set, 3, exit_status);
    return run_once(state, set) && state_flush(state);
}

/* How the jobs of a run have ended. */
static void count_jobs(struct state *state, int64_t run, struct run_record *out)
{
    struct query *count = db_query(
        state->db, "SELECT total(NOT bad), total(bad AND why IS NOT '" STATE_CANCELLED "'),"
                   " total(why IS '" STATE_CANCELLED "') FROM (SELECT " ENDED_BADLY
                   " AS bad, why, max(id) FROM attempt WHERE run = ?1 GROUP BY rule, wildcards)");
    query_int(count, 1, run);
    while (query_row(count)) {
        out->good = query_get_int(count, 0);
        out->bad = query_get_int(count, 1);
        out->cancelled = query_get_int(count, 2);
    }
    query_free(count);
}

/* The last run of a process, or of all (host NULL), without its jobs; its number, 0 if there is
 * none. */
static int64_t read_last(struct state *state, const char *host, long pid, struct arena *in,
                         struct run_record *out)
{
    int64_t run = 0;
    *out = (struct run_record){0};
    if (!state->db)
        return 0;
    struct query *last = db_query(
        state->db, "SELECT id, start_ns, end_ns, command, host, user, status FROM run"
                   " WHERE ?1 IS NULL OR (host = ?1 AND pid = ?2) ORDER BY id DESC LIMIT 1");
    bind_text(last, 1, host);
    query_int(last, 2, pid);
    while (query_row(last)) {
        run = query_get_int(last, 0);
        *out = (struct run_record){.start_ns = query_get_int(last, 1),
                                   .end_ns = query_get_int(last, 2),
                                   .command = arena_str(in, query_get_text(last, 3, NULL)),
                                   .host = arena_str(in, query_get_text(last, 4, NULL)),
                                   .user = arena_str(in, query_get_text(last, 5, NULL)),
                                   .status = (int)query_get_int(last, 6)};
    }
    query_free(last);
    return run;
}

static bool with_jobs(struct state *state, int64_t run, struct run_record *out)
{
    if (run)
        count_jobs(state, run, out);
    return run != 0;
}

bool state_last_run(struct state *state, struct arena *in, struct run_record *out)
{
    return with_jobs(state, read_last(state, NULL, 0, in, out), out);
}

bool state_last_end(struct state *state, struct arena *in, struct run_record *out)
{
    return read_last(state, NULL, 0, in, out) != 0;
}

bool state_run_of(struct state *state, const char *host, long pid, struct arena *in,
                  struct run_record *out)
{
    return with_jobs(state, read_last(state, host, pid, in, out), out);
}

bool state_add_submission(struct state *state, const struct submission *submission)
{
    struct query *add = change(
        state, "INSERT INTO submission(token, run, account, jobs, external_id, status, time_ns)"
               " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    bind_text(add, 1, submission->token);
    query_int(add, 2, state->run);
    bind_text(add, 3, submission->account);
    bind_text(add, 4, submission->jobs);
    bind_text(add, 5, submission->external_id);
    bind_text(add, 6, submission->status ? submission->status : "submitting");
    query_int(add, 7, submission->time_ns ? submission->time_ns : clock_wall_ns());
    return run_once(state, add);
}

bool state_set_submission(struct state *state, const struct submission *submission)
{
    struct query *set = change(state, "UPDATE submission SET external_id = ifnull(?2, external_id),"
                                      " account = ifnull(?3, account), status = ifnull(?4, status),"
                                      " run = ifnull(nullif(?5, 0), run) WHERE token = ?1");
    bind_text(set, 1, submission->token);
    bind_text(set, 2, submission->external_id);
    bind_text(set, 3, submission->account);
    bind_text(set, 4, submission->status);
    query_int(set, 5, state->run);
    return run_once(state, set);
}

/* ---- what is out ---- */

/* The runs that hold a lock of the directory, but for this one. */
struct going {
    struct state *state;
    VEC(int64_t) runs;
    bool known;
};

/* Of several runs with the number of a process only the last can go on. */
static void add_going(void *user, const struct lock_owner *owner)
{
    struct going *going = user;
    if (owner->pid == getpid() && !strcmp(owner->host, fs_hostname()))
        return;
    struct query *last = db_query(going->state->db,
                                  "SELECT max(id) FROM run WHERE host = ?1 AND pid = ?2");
    bind_text(last, 1, owner->host);
    query_int(last, 2, owner->pid);
    while (query_row(last))
        vec_push(&going->runs, query_get_int(last, 0));
    query_free(last);
}

/* Locks are looked at after the rows: a run takes its lock before it adds any. */
static bool goes_on(struct going *going, int64_t run)
{
    if (!going->known)
        lock_owners(going->state->dir, add_going, going);
    going->known = true;
    for (uint32_t i = 0; i < going->runs.len; i++)
        if (going->runs.at[i] == run)
            return true;
    return false;
}

static bool each_submission(struct state *state, bool left,
                            void (*visit)(void *user, const struct submission *submission),
                            void *user)
{
    struct going going = {.state = state};
    if (!state->db)
        return true;
    struct query *rows = db_query(
        state->db, "SELECT token, account, jobs, external_id, status, time_ns, run FROM submission"
                   " WHERE status <> 'ended' ORDER BY rowid");
    while (query_row(rows)) {
        struct submission submission = {.token = query_get_text(rows, 0, NULL),
                                        .account = query_get_text(rows, 1, NULL),
                                        .jobs = query_get_text(rows, 2, NULL),
                                        .external_id = query_get_text(rows, 3, NULL),
                                        .status = query_get_text(rows, 4, NULL),
                                        .time_ns = query_get_int(rows, 5)};
        if (!left || !goes_on(&going, query_get_int(rows, 6)))
            visit(user, &submission);
    }
    query_free(rows);
    vec_free(&going.runs);
    return !db_failed(state->db);
}

bool state_submissions(struct state *state,
                       void (*visit)(void *user, const struct submission *submission), void *user)
{
    return each_submission(state, false, visit, user);
}

bool state_left_submissions(struct state *state,
                            void (*visit)(void *user, const struct submission *submission),
                            void *user)
{
    return each_submission(state, true, visit, user);
}
