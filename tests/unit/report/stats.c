// SPDX-License-Identifier: MIT
#include "report/stats.h"

#include <signal.h>
#include <sys/time.h>

#include "base/memory.h"
#include "graph/graphtest.h"
#include "report/dot.h"
#include "report/jobtext.h"
#include "report/log.h"

static const char snakefile[] =
    "rule all:\n    input: 'b1', 'b2', 'c'\n"
    "rule a_long_name:\n    output: 'a{n}'\n    log: 'l{n}'\n    threads: 4\n"
    "    resources: mem_mb=500\n    shell: 'echo {wildcards.n} > {output}'\n"
    "rule b:\n    input: 'a{n}'\n    output: 'b{n}'\n    priority: 3\n"
    "rule c:\n    input: 'a1'\n    output: 'c'\n    message: 'making {output}'\n";

static struct graph *decided(struct flowtest *t, const char *text)
{
    struct fresh_options options = {.triggers = TRIGGER_ALL};
    struct graph *g = graphtest_build(t, text, NULL, NULL);
    fresh_decide(g, &options);
    return g;
}

static void test_stats(struct graph *g)
{
    struct buf out = {0};
    struct ready order;
    ready_walk(&order, g, job_must_run);
    stats_text(&order, &out);
    ready_end(&order);
    is(buf_text(&out),
       "Job stats:\njob            count\n-----------  -------\na_long_name        2\n"
       "b                  2\nc                  1\nall                1\ntotal              6\n",
       "the table as Snakemake prints it, by levels and names");
    buf_reset(&out);
    reasons_text(g, &out);
    is(buf_text(&out),
       "Reasons:\n    (check individual jobs above for details)\n"
       "    input files updated by another job:\n        all, b, c\n"
       "    output files have to be generated:\n        a_long_name, b, c",
       "the reasons by rule");
    buf_reset(&out);
    provenance_rules_text(g, &out);
    is(buf_text(&out), "", "nothing is known of earlier runs");
    buf_free(&out);
}

static void test_blocks(struct graph *g)
{
    struct job_text text = {
        .g = g, .dry_run = true, .with_reason = true, .with_shell = true, .cores = 3};
    ok(job_text_make(&text, graphtest_job(g, "a_long_name")), "a job's block");
    is(buf_text(&text.block),
       "rule a_long_name:\n    output: a1\n    log: l1\n    jobid: 2\n"
       "    reason: Missing output files: a1\n    wildcards: n=1\n    threads: 3\n"
       "    resources: tmpdir=/tmp, mem_mb=500, mem=500 MB, mem_mib=477",
       "line by line");
    is(buf_text(&text.shell), "echo 1 > a1", "and its command");
    job_text_make(&text, graphtest_job(g, "b"));
    is(buf_text(&text.block),
       "rule b:\n    input: a1\n    output: b1\n    jobid: 1\n"
       "    reason: Missing output files: b1; Input files updated by another job: a1\n"
       "    wildcards: n=1\n    priority: 3\n    resources: tmpdir=/tmp",
       "with priority");
    is(buf_text(&text.shell), "None", "no command");
    job_text_make(&text, graphtest_job(g, "c"));
    is(buf_text(&text.block),
       "Job 5: making c\nReason: Missing output files: c; "
       "Input files updated by another job: a1",
       "a message replaces the block");
    text.dry_run = false;
    text.with_reason = false;
    job_text_make(&text, graphtest_job(g, "all"));
    is(buf_text(&text.block),
       "localrule all:\n    input: b1, b2, c\n    jobid: 0\n    resources: tmpdir=/tmp",
       "in a real run");
    job_text_free(&text);
}

static const struct {
    unsigned quiet, asked;
    bool wanted;
} levels[] = {
    {0, QUIET_RULES, true},
    {QUIET_RULES, QUIET_RULES, false},
    {QUIET_RULES, QUIET_PROGRESS, true},
    {QUIET_PROGRESS | QUIET_RULES, QUIET_HOST, true},
    {QUIET_ALL, QUIET_HOST, false},
    {QUIET_ALL, QUIET_REASON, false},
};

static void test_log(void)
{
    struct log log;
    FILE *out = fopen("out", "w+");
    log_open(&log, out, 0, false);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        log.quiet = levels[i].quiet;
        ok(log_wants(&log, levels[i].asked) == levels[i].wanted, "--quiet %u, message of %u",
           levels[i].quiet, levels[i].asked);
    }
    ok(!log.color && !log.terminal, "a file is no terminal");
    log_say(&log, LOG_INFO, "unwanted"); /* with QUIET_ALL */
    log_say(&log, LOG_ERROR, "%d%%", 50);
    log.quiet = 0;
    log_progress(&log, "half");
    log_block(&log, "rule a:", 7, false);
    log_block(&log, "rule b:", 7, false);
    log_close(&log);
    fclose(out);
    struct arena in = {0};
    size_t len;
    const char *text = fs_read(&in, "out", &len);
    ok(text && !strncmp(text, "50%\n\n[", 6),
       "errors in any case, no escape sequences, no progress line, a blank line before a job");
    const char *a = strstr(text, "rule a:\n[");
    ok(a && strstr(a, "]\nrule b:\n"), "but none between two jobs");
    arena_free(&in);
}

static volatile sig_atomic_t rings;

static void ring(int signum)
{
    (void)signum;
    rings++;
}

static void ring_every(int64_t us)
{
    struct timeval each = {us / 1000000, us % 1000000};
    setitimer(ITIMER_REAL, &(struct itimerval){each, each}, NULL);
}

/* Nobody reads it. */
static void test_unread(void)
{
    int ends[2];
    struct log log;
    struct sigaction action = {.sa_handler = ring}, before;
    FILE *out = pipe(ends) ? NULL : fdopen(ends[1], "w");
    char *much = memory_zeroed(1, 1 << 20);
    memset(much, 'x', (1 << 20) - 1);
    sigaction(SIGALRM, &action, &before);
    log_open(&log, out, 0, false);
    log.patience = LOG_UNTIL_SIGNAL;
    ring_every(20000);
    log_say(&log, LOG_ERROR, "%s", much);
    log_flush(&log);
    ring_every(0);
    ok(rings, "what nobody reads waits for a signal");
    rings = 0;
    ring_every(60000000);
    log_say(&log, LOG_ERROR, "more");
    log_close(&log);
    ok(!rings, "and what is said afterwards for none");
    ring_every(0);
    sigaction(SIGALRM, &before, NULL);
    free(much);
    close(ends[0]);
    fclose(out);
}

int main(void)
{
    struct flowtest t = flowtest_open();
    setenv("TMPDIR", "/tmp", 1);
    struct graph *g = decided(&t, snakefile);
    test_stats(g);
    test_blocks(g);
    test_log();
    test_unread();
    graph_free(g);
    flowtest_close(&t);
    return done();
}
