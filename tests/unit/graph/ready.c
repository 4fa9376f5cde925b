// SPDX-License-Identifier: MIT
#include "graphtest.h"

static const char snakefile[] =
    "rule all:\n    input: expand('c{i}', i=range(20)), 'e'\n"
    "rule c:\n    input: expand('b{i}', i=range(20))\n    output: 'c{n}'\n"
    "rule b:\n    output: 'b{n}'\n    log: 'b{n}.log'\n"
    "rule e:\n    input: 'b3.log', 'b3', 'b3', 'c4'\n    output: 'e'\n";

static const char *name(const struct graph *g, job_id j)
{
    return sym_text(g->names, job_rule(g, j)->name);
}

static void test_order(struct graph *g)
{
    uint32_t n;
    job_id *order = graph_order(g, NULL, &n);
    ok(n == 42, "all %u jobs are in order", n);
    uint32_t *place = calloc(g->jobs.len, sizeof *place), wrong = 0;
    for (uint32_t i = 0; i < n; i++)
        place[order[i]] = i + 1;
    for (uint32_t i = 0; i < n; i++) {
        struct input_walk walk = input_walk(g, order[i]);
        for (file_id f; (f = input_next(g, &walk));) {
            job_id maker = g->files.at[f].maker;
            wrong += maker && (!place[maker] || place[maker] > place[order[i]]);
        }
    }
    ok(!wrong, "makers stand before users");
    free(place);
    free(order);
}

static void test_counts(struct graph *g)
{
    struct ready ready;
    ready_start(&ready, g, NULL);
    ok(ready.queue.len == 20, "at first only the b are ready");
    for (uint32_t i = 0; i < 19; i++)
        ready_done(&ready, ready.queue.at[i]);
    ok(ready.queue.len == 20, "no c before the last b");
    ready_done(&ready, ready.queue.at[19]);
    ok(ready.queue.len == 40, "then all c at once");
    for (uint32_t i = 20; i < 40; i++)
        ready_done(&ready, ready.queue.at[i]);
    ok(ready.queue.len == 41 && !strcmp(name(g, ready.queue.at[40]), "e"),
       "e needs a log, a file twice and c4");
    ok(ready.level[ready.queue.at[0]] == 0 && ready.level[ready.queue.at[20]] == 1 &&
           ready.level[ready.queue.at[40]] == 2,
       "levels count the makers in a row");
    ready_done(&ready, ready.queue.at[40]);
    ok(ready.queue.len == 42 && ready.queue.at[41] == g->target_jobs.at[0],
       "the target comes last");
    ready_end(&ready);
}

static bool is_b(const struct job *job)
{
    return job->rule == 3;
}

static void test_part(struct graph *g)
{
    uint32_t n;
    job_id *order = graph_order(g, is_b, &n);
    ok(n == 20, "a part of the jobs, without regard to the rest");
    free(order);
}

int main(void)
{
    struct flowtest t = flowtest_open();
    struct graph *g = graphtest_build(&t, snakefile, NULL, NULL);
    is(t.error, "", "the workflow");
    test_order(g);
    test_counts(g);
    test_part(g);
    graph_free(g);
    flowtest_close(&t);
    return done();
}
