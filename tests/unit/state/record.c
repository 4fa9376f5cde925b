// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "base/fs.h"
#include "state/db.h"
#include "state/state_inner.h"
#include "state/record.h"
#include "test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct intern *names;
static struct diags *dx;
static struct state *state;

static sym_t sym(const char *text)
{
    return intern_str(names, text);
}

static void reopen(bool readonly)
{
    state_close(state);
    state = state_open(".", names, dx, readonly);
    if (!state)
        diag_print(dx, stdout, false);
}

static struct output_record record_of(const char *path)
{
    return (struct output_record){.path = sym(path),
                                  .rule = "stitch",
                                  .code = "tool {input}",
                                  .params = "1\n'a'",
                                  .inputs = "in/1\nin/2",
                                  .software = "",
                                  .shell = "tool in/1 in/2",
                                  .log = "l.log",
                                  .checksums = "in/1\tsha256:00",
                                  .start_ns = 5,
                                  .end_ns = clock_wall_ns(),
                                  .mtime_ns = 77,
                                  .size = 12};
}

static void test_life(void)
{
    sym_t a = sym("a.txt"), both[] = {a, sym("dir/b.txt")};
    ok(!state_find(state, a), "nothing is known");
    ok(state_begin_outputs(state, both, 2) && state_commit(state), "two outputs begin");
    ok(fs_exists(".snakemake/incomplete/YS50eHQ="), "with a marker as Snakemake makes it");
    const struct output_record *found = state_find(state, a);
    ok(found && found->incomplete && !strcmp(found->rule, ""), "they are incomplete");
    reopen(false);
    found = state_find(state, a);
    ok(found && found->incomplete, "also for the next run");
    struct output_record record = record_of("a.txt");
    ok(state_end_output(state, &record) && state_flush(state), "one ends");
    ok(!fs_exists(".snakemake/incomplete/YS50eHQ="), "its marker is gone");
    reopen(true);
    found = state_find(state, a);
    ok(found && !found->incomplete && found->start_ns == 5 && found->mtime_ns == 77 &&
           found->size == 12,
       "numbers");
    is(found->rule, "stitch", "rule");
    is(found->code, "tool {input}", "code");
    is(found->params, "1\n'a'", "params");
    is(found->inputs, "in/1\nin/2", "inputs");
    is(found->log, "l.log", "log");
    is(found->checksums, "in/1\tsha256:00", "checksums");
    struct arena arena = {0};
    is(state_shell(state, a, &arena), "tool in/1 in/2", "the command");
    arena_free(&arena);
    ok(state_find(state, both[1])->incomplete, "the other is still incomplete");
    reopen(false);
    ok(state_drop_outputs(state, both, 2) && state_flush(state), "both are forgotten");
    ok(!state_find(state, a) && !state_find(state, both[1]), "at once");
    reopen(true);
    ok(!state_find(state, a) && !state_find(state, both[1]), "and for the next run");
}

/* Killed between a record and the removal of its marker: the next run makes good for it, as
 * Snakemake would take the output for incomplete. A run that only looks does not. */
static void test_stale_marker(void)
{
    static const char marker[] = ".snakemake/incomplete/Yi50eHQ=";
    sym_t b = sym("b.txt");
    struct output_record record = record_of("b.txt");
    reopen(false);
    ok(state_begin_outputs(state, &b, 1) && state_end_output(state, &record) && state_flush(state),
       "an output ends");
    fs_write(marker, "", 0);
    fs_touch(marker, record.end_ns - 1000000, false);
    reopen(true);
    ok(!state_find(state, b)->incomplete, "an older marker does not count");
    reopen(false);
    ok(fs_exists(marker), "who only looks leaves it");
    ok(!state_find(state, b)->incomplete, "nor does it in a run");
    reopen(true);
    ok(!fs_exists(marker), "which removes it");
    reopen(false);
    ok(state_drop_outputs(state, &b, 1) && state_flush(state), "it is forgotten");
}

/* A child is killed in the middle of a burst of small jobs: what it began is never taken for
 * complete. */
static void test_kill(void)
{
    char path[32];
    pid_t child = fork();
    if (!child) {
        struct state *own = state_open(".", names, dx, false);
        for (int i = 0;; i++) {
            snprintf(path, sizeof path, "k/%d", i);
            sym_t one = sym(path);
            struct output_record record = record_of(path);
            state_begin_outputs(own, &one, 1);
            state_commit(own);
            fs_make_parent(path);
            fs_write(path, "", 0);
            if (i % 3)
                state_end_output(own, &record);
        }
    }
    usleep(900000);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    reopen(false);
    int begun = 0, complete = 0, wrong = 0;
    for (int i = 0;; i++, begun++) {
        snprintf(path, sizeof path, "k/%d", i);
        if (!fs_exists(path))
            break;
        const struct output_record *found = state_find(state, sym(path));
        wrong += !found || (!found->incomplete && i % 3 == 0);
        complete += found && !found->incomplete;
    }
    ok(begun > 20 && wrong == 0, "of %d outputs begun none that did not end is trusted", begun);
    ok(complete > 0, "%d are known to be complete", complete);
}

static void test_many(void)
{
    enum { MANY = 20000 };
    char path[64], inputs[64];
    reopen(false);
    for (int i = 0; i < MANY; i++) {
        snprintf(path, sizeof path, "results/s%06d.txt", i);
        snprintf(inputs, sizeof inputs, "raw/s%06d.txt", i);
        struct output_record record = record_of(path);
        record.inputs = inputs;
        if (!state_end_output(state, &record))
            break;
    }
    ok(state_flush(state), "%d records in one transaction", MANY);
    int64_t start = clock_ns();
    reopen(true);
    int good = 0;
    for (int i = 0; i < MANY; i++) {
        snprintf(path, sizeof path, "results/s%06d.txt", i);
        snprintf(inputs, sizeof inputs, "raw/s%06d.txt", i);
        const struct output_record *found = state_find(state, sym(path));
        good += found && !strcmp(found->inputs, inputs) && !strcmp(found->code, "tool {input}");
    }
    ok(good == MANY, "all are found again");
    printf("# %d records read in %.3f s\n", MANY, (double)(clock_ns() - start) * 1e-9);
}

static int64_t count_texts(void)
{
    struct db *db = db_open(".snakemake/kintsugi.db", false, dx);
    int64_t n = db_number(db, "SELECT count(*) FROM text", -1);
    db_close(db);
    return n;
}

/* All outputs anew, with params of this round. */
static void make_round(struct state *in, int round)
{
    enum { OUTPUTS = 1200 };
    char path[64], params[64];
    for (int i = 0; i < OUTPUTS; i++) {
        snprintf(path, sizeof path, "turn/%d.txt", i);
        snprintf(params, sizeof params, "round %d of %d", round, i);
        struct output_record record = record_of(path);
        record.params = params;
        state_end_output(in, &record);
    }
    state_flush(in);
}

/* Texts of records that were replaced do not pile up, and go under nobody's feet. */
static void test_sweep(void)
{
    reopen(false);
    fs_remove_tree(".snakemake");
    int64_t most = 0;
    for (int round = 0; round < 12; round++) {
        reopen(false);
        state_begin_run(state, "run");
        make_round(state, round);
        int64_t n = count_texts();
        most = n > most ? n : most;
    }
    ok(most > 1200 && most < 5 * 1200, "at most %lld texts for 1200 of twelve rounds",
       (long long)most);
    is(state_find(state, sym("turn/7.txt"))->params, "round 11 of 7", "the last ones are there");

    reopen(false);
    make_round(state, 100);
    make_round(state, 101);
    reopen(false);
    state_find(state, sym("turn/7.txt")); /* it has read what is going to be swept away */
    struct state *other = state_open(".", names, dx, false);
    int64_t before = count_texts();
    ok(state_begin_run(other, "run") && state_flush(other) && count_texts() < before - 1000,
       "another run sweeps");
    state_close(other);
    make_round(state, 100);
    reopen(true);
    is(state_find(state, sym("turn/7.txt"))->params, "round 100 of 7",
       "what this one knew is written again");
    reopen(false);
    make_round(state, 104);
    reopen(false);
    state_find(state, sym("turn/7.txt"));
    other = state_open(".", names, dx, false);
    make_round(other, 100);
    state_close(other);
    before = count_texts();
    ok(state_begin_run(state, "run") && state_flush(state) && count_texts() >= before,
       "nothing is swept that another may have come to use");
}

static void test_foreign(void)
{
    /* Written by Snakemake 9: shortened. */
    static const char metadata[] =
        "{\"rule\": \"b\", \"input\": [\"a.in\", \"z\"], \"log\": [], \"shellcmd\": \"cp a.in o\", "
        "\"params\": "
        "[\"'x'\","
        " \"3\"], \"code\": \"cp {input} {output}\", \"record_format_version\": 6, \"conda_env\": "
        "null,"
        " \"software_stack_hash\": \"d41d\", \"job_hash\": 1, \"starttime\": 1795235507.25, "
        "\"endtime\": 1795235508.0,"
        " \"incomplete\": false, \"input_checksums\": {\"a.in\":"
        " \"sha256:fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603\","
        " \"z\": \"21e721c35a5823fdb452fa2f9f0a612c74fb952e06927489c6b27a43b817bed4\", \"y\": "
        "\"?\"}}";
    const char *name = ".snakemake/metadata/b3V0L8OpLnR4dA=="; /* out/\xC3\xA9.txt */
    sym_t out = sym("out/\xC3\xA9.txt");
    fs_make_parent(name);
    fs_write(name, metadata, sizeof metadata - 1);
    reopen(true);
    const struct output_record *found = state_find(state, out);
    if (!ok(found && found->foreign && !found->incomplete, "a record of Snakemake's"))
        return;
    is(found->rule, "b", "its rule");
    is(found->code, "cp {input} {output}", "its code");
    is(found->params, "'x'\n3", "its params");
    is(found->inputs, "a.in\nz", "its inputs");
    is(found->checksums,
       "a.in\t-44g_C5MPySMYMOb1lLzwTRymLuXe4tNWQO4UFViBgM\nz\tIechw1pYI_"
       "20UvovnwphLHT7lS4GknSJxrJ6Q7gXvtQ\ny\t",
       "its checksums");
    is(found->software, "d41d", "its software");
    ok(found->start_ns == 1795235507250000000, "its time");
    fs_make_parent(".snakemake/incomplete/x");
    fs_write(".snakemake/incomplete/b3V0L8OpLnR4dA==", "{}", 2);
    reopen(true);
    ok(state_find(state, out)->incomplete, "a marker of Snakemake's");
    char longer[300];
    memset(longer, 'p', 299);
    longer[299] = '\0';
    sym_t far = sym(longer);
    reopen(false);
    ok(state_begin_outputs(state, &far, 1) && state_flush(state),
       "a path longer than a file name may be");
    reopen(true);
    ok(state_find(state, far)->incomplete, "is found again");
    reopen(false);
    ok(state_drop_outputs(state, &out, 1) && state_drop_outputs(state, &far, 1) &&
           state_flush(state),
       "dropped");
    ok(!fs_exists(name) && !state_find(state, out), "Snakemake's record goes with ours");
}

static int visited;

static void on_submission(void *user, const struct submission *submission)
{
    visited++;
    is(submission->token, "kf.1", "the token");
    is(submission->external_id, "42", "the id");
    is(submission->jobs, "1-3", "the jobs");
}

static void on_failure(void *user, const struct attempt_record *attempt)
{
    (void)user;
    visited++;
    is(attempt->wildcards, "x=2", "the job that failed");
    ok(attempt->status == 3, "how");
    is(attempt->why, "too big", "why");
    is(attempt->log, "x.log\n", "where it says more");
}

static void on_old_failure(void *user, const struct attempt_record *attempt)
{
    (void)user;
    visited++;
    ok(attempt->status == 4 && !strcmp(attempt->wildcards, "x=0"),
       "how a job failed, in an old store");
    is(attempt->why, "", "but not why");
    is(attempt->log, "", "nor where it says more");
}

/* A store of version 1 has no room for why a job failed. */
static void test_old_version(void)
{
    reopen(false);
    struct db *db = db_open(".snakemake/kintsugi.db", false, dx);
    ok(db_exec(
           db,
           "DROP TABLE attempt;"
           "CREATE TABLE attempt(id INTEGER PRIMARY KEY, run INTEGER, rule TEXT NOT NULL, "
           "wildcards TEXT, attempt INTEGER, status INTEGER, signal INTEGER, start_ns INTEGER, "
           "end_ns INTEGER, cpu_s REAL, max_rss_kb INTEGER, external_id TEXT, host TEXT, "
           "resources TEXT);"
           "PRAGMA user_version = 1;"
           "INSERT INTO run(start_ns, command) VALUES(1, 'kintsugi-flow run');"
           "INSERT INTO attempt(run, rule, wildcards, attempt, status, signal, start_ns, end_ns)"
           " VALUES(last_insert_rowid(), 'a', 'x=0', 1, 4, 0, 1, 2)"),
       "a store as version 1 wrote it");
    db_close(db);
    reopen(true);
    ok(state != NULL, "is read as it is");
    visited = 0;
    ok(state_failures(state, on_old_failure, NULL) && visited == 1,
       "with the failures of its last run");
    reopen(false);
    ok(state != NULL && state_begin_run(state, "kintsugi-flow run") &&
           state_add_attempt(state, &(struct attempt_record){.rule = "a",
                                                             .wildcards = "x=2",
                                                             .status = 3,
                                                             .why = "too big",
                                                             .log = "x.log\n"}) &&
           state_end_run(state, 1),
       "and brought up to date when there is something to write");
    visited = 0;
    ok(state_failures(state, on_failure, NULL) && visited == 1, "failures of the last run");
}

static void test_history(void)
{
    reopen(false);
    ok(state_begin_run(state, "kintsugi-flow run all"), "a run");
    ok(state_add_attempt(
           state,
           &(struct attempt_record){.rule = "a", .wildcards = "x=1", .attempt = 1, .cpu_s = 1.5}),
       "an attempt");
    ok(state_add_submission(state, &(struct submission){.token = "kf.1", .jobs = "1-3"}) &&
           state_flush(state) && state_add_submission(state, &(struct submission){.token = "kf.2"}),
       "submissions");
    ok(state_set_submission(state, &(struct submission){.token = "kf.1", .external_id = "42"}) &&
           state_set_submission(state, &(struct submission){.token = "kf.2", .status = "ended"}),
       "what became of them");
    ok(state_end_run(state, 0) && !state_pending(state), "the end");
    reopen(true);
    ok(state_submissions(state, on_submission, NULL) && visited == 1, "one is still out");
}

/* How many of small attempts one after the other go to disk at once. */
static int count_prompt(int64_t took_ns)
{
    int prompt = 0;
    for (int i = 0; i < 50; i++) {
        state->next_commit_ns = clock_ns() + INT64_C(60000000000); /* a slow disk */
        state_add_attempt(
            state, &(struct attempt_record){
                       .rule = "a", .attempt = 1, .start_ns = 1000, .end_ns = 1000 + took_ns});
        state_commit(state);
        prompt += !state_pending(state);
    }
    state_flush(state);
    return prompt;
}

static void test_stake(void)
{
    reopen(false);
    ok(state && count_prompt(100000000) == 0, "short attempts wait for a commit");
    ok(count_prompt(INT64_C(1000000000)) == 5, "until together they took long");
    ok(count_prompt(INT64_C(3600000000000)) == 50, "a long one never waits");
}

static void test_trouble(void)
{
    state_close(state);
    state = NULL;
    fs_write(".snakemake/kintsugi.db",
             "this is not a database, but long enough to be looked at as one ..........", 70);
    ok(!state_open(".", names, dx, false) && strstr(diag_last(dx), "not a database"),
       "a damaged file is told");
    diag_drop(dx, 0);
    fs_remove_tree(".snakemake");
    state = state_open(".", names, dx, true);
    ok(state && !state_find(state, sym("a.txt")) && !fs_exists(".snakemake"),
       "reading only makes nothing");
    state_close(state);
    ok(fs_write(".snakemake", "", 0) && !state_open(".", names, dx, false) && diag_errors(dx) == 1,
       "a file in the way is told");
    diag_drop(dx, 0);
    state = NULL;
}

int main(void)
{
    char dir[] = "/tmp/kf-state-XXXXXX";
    struct sources *sources = sources_new();
    dx = diags_new(sources);
    names = intern_new();
    if (!ok(mkdtemp(dir) && !chdir(dir), "a directory to work in"))
        return done();
    reopen(false);
    test_life();
    test_stale_marker();
    test_kill();
    test_many();
    test_sweep();
    test_foreign();
    test_history();
    test_stake();
    test_old_version();
    test_trouble();
    ok(!chdir("/") && fs_remove_tree(dir), "all is removed");
    state_close(state);
    intern_free(names);
    diags_free(dx);
    sources_free(sources);
    return done();
}
