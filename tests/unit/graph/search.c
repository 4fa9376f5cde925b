// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "graphtest.h"

/* Workflows and the jobs their targets need, in the order of their numbers; where an error is
 * expected, its headline. */
static const struct {
    const char *what, *snakefile, *exists, *targets, *jobs, *error;
} table[] = {
    {"a single job", "rule a:\n    output: 'x'\n", "", NULL, "a", ""},
    {"wildcards come from the target", "rule a:\n    output: '{s}-{t}.x'\n", "", "p-q.x", "a:p,q",
     ""},
    {"one job a rule and values, whoever asks",
     "rule all:\n    input: 'a1', 'a2', 'b1'\nrule a:\n    output: 'a{n}', 'b{n}'\n", "", NULL,
     "all a:1 a:2", ""},
    {"depth first numbers",
     "rule all:\n    input: 'b', 'd'\nrule b:\n    input: 'c'\n    output: 'b'\n"
     "rule c:\n    output: 'c'\nrule d:\n    output: 'd'\n",
     "", NULL, "all b c d", ""},
    {"a product of ruleorder with a missing input loses",
     "ruleorder: first > second\nrule first:\n    input: 'not.there'\n    output: 'x'\n"
     "rule second:\n    output: 'x'\n",
     "", "x", "second", ""},
    {"ruleorder decides when both work",
     "ruleorder: second > first\nrule first:\n    output: 'x'\nrule second:\n    output: 'x'\n", "",
     "x", "second", ""},
    {"a rule without wildcards is preferred",
     "rule any:\n    output: '{s}'\nrule one:\n    output: 'x'\n", "", "x", "one", ""},
    {"an existing file rescues a rule that cannot be applied",
     "rule all:\n    input: 'x'\nrule a:\n    input: 'not.there'\n    output: 'x'\n", "x", NULL,
     "all", ""},
    {"two rules, no order", "rule a:\n    output: '{s}.x'\nrule b:\n    output: 'p.{e}'\n", "",
     "p.x", "", "rule a (s=p) and rule b (e=x) both make 'p.x'"},
    {"two jobs with the same second output",
     "rule all:\n    input: 'a', 'b'\nrule a:\n    output: 'a', 'c'\nrule b:\n    output: 'b', "
     "'c'\n",
     "", NULL, "", "rule a and rule b both make 'c'"},
    {"missing input", "rule a:\n    input: 'y'\n    output: 'x'\n", "", NULL, "",
     "rule a needs 'y', which does not exist and no rule makes"},
    {"the root of several missing inputs is told",
     "rule a:\n    input: 'y'\n    output: 'x'\nrule b:\n    input: 'z'\n    output: 'y'\n", "",
     NULL, "", "rule b needs 'z', which does not exist and no rule makes"},
    {"a job that needs its own output", "rule a:\n    input: 'x'\n    output: 'x'\n", "", NULL, "",
     "rule a needs 'x', which depends on its own output"},
    {"a cycle of two",
     "rule a:\n    input: 'y'\n    output: 'x'\nrule b:\n    input: 'x'\n    output: 'y'\n", "",
     NULL, "", "rule a makes 'x' from files that depend on it"},
    {"a cycle ends at a file that exists",
     "rule a:\n    input: '{s}.y'\n    output: '{s}.x'\nrule b:\n    input: '{s}.x'\n    output: "
     "'{s}.y'\n",
     "p.y", "p.x", "a:p", ""},
    {"what fails inside a cycle can be made outside it",
     "rule all:\n    input: 'p.y', 'p.x'\n"
     "rule a:\n    input: '{s}.y'\n    output: '{s}.x'\nrule b:\n    input: '{s}.x'\n    output: "
     "'{s}.y'\n",
     "p.y", NULL, "all a:p", ""},
    {"a value that repeats itself", "rule a:\n    input: '{s}.x'\n    output: '{s}'\n", "", "p", "",
     "the value of wildcard 's' of rule a repeats itself: the rule seems to consume its own "
     "output"},
    {"a value that repeats itself in front",
     "rule a:\n    input: 'd/{s}.x', 'd/{s}.y'\n    output: '{s}.x', '{s}.y'\n", "", "p.x", "",
     "the value of wildcard 's' of rule a repeats itself: the rule seems to consume its own "
     "output"},
    {"a value that repeats itself in front, of a file that exists",
     "rule a:\n    input: 'd/{s}.x'\n    output: '{s}.x'\n", "d/p.x", "p.x", "a:p", ""},
    {"a value that begins alike and is just that",
     "rule a:\n    input: '{s}.y'\n    output: '{s}.x'\n", "00000000000000000000000001.y",
     "00000000000000000000000001.x", "a:00000000000000000000000001", ""},
    {"values without end, in more ways than can be tried",
     "rule a:\n    input: 'd/{s}.x'\n    output: '{s}.x'\nrule b:\n    input: 'e/{s}.x'\n    "
     "output: '{s}.x'\n",
     "", "p.x", "",
     "the value of wildcard 's' of rule a repeats itself: the rule seems to consume its own "
     "output"},
    {"a log is a product",
     "rule a:\n    output: 'x'\n    log: 'x.log'\nrule b:\n    input: 'x.log'\n    output: 'y'\n",
     "", "y", "b a", ""},
    {"a benchmark is a product",
     "rule a:\n    output: '{s}.x'\n    benchmark: '{s}.tsv'\n    shell: 'true'\n", "", "q.tsv",
     "a:q", ""},
    {"wildcards of the consumer come first",
     "rule all:\n    input: 'out/a_b_c.z'\nrule z:\n    input: 'mid/{s}_{t}.y'\n    output: "
     "'out/{s}_{t}.z'\n"
     "    wildcard_constraints: s='a'\nrule y:\n    output: 'mid/{s}_{t}.y'\n",
     "", NULL, "all z:a,b_c y:a,b_c", ""},
    {"else all products compete for the shortest values",
     "rule a:\n    output: '{s}.x', 'long/{s}.x'\n", "", "long/p.x", "a:p", ""},
    {"rules.x.output is made by x alone",
     "rule a:\n    output: '{s}.x'\nrule b:\n    output: 'p.x', 'p.y'\nrule c:\n    output: "
     "'{s}.y'\n"
     "rule d:\n    input: rules.b.output[0], rules.b.output[1]\n    output: 'd'\n",
     "", "d", "d b", ""},
    {"constraints that match the empty string", "rule a:\n    output: 'x{s,.*}'\n", "", "x",
     "a:", ""},
    {"constraints keep a rule away", "rule a:\n    output: '{s,[a-z]+}.x'\n", "", "P.x", "",
     "No rule to produce P.x (if you use input functions make sure that they don't raise "
     "unexpected exceptions)."},
    {"an output inside another's directory",
     "rule all:\n    input: 'd', 'd/x'\nrule a:\n    output: directory('d')\nrule b:\n    output: "
     "'d/x'\n",
     "", NULL, "", "output 'd/x' of rule b lies inside the directory 'd' that rule a makes"},
    {"an input function that raises, and another rule",
     "ruleorder: a > b\ndef f(w):\n    raise ValueError(w.s)\nrule a:\n    input: f\n    output: "
     "'{s}.x'\n"
     "rule b:\n    output: '{s}.x'\n",
     "", "p.x", "b:p", ""},
};

static void test_table(void)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct flowtest t = flowtest_open();
        if (*table[i].exists)
            flowtest_write(table[i].exists, "");
        struct graph *g = graphtest_build(&t, table[i].snakefile, table[i].targets, NULL);
        is(t.error, table[i].error, table[i].what);
        if (!*table[i].error)
            is(graphtest_jobs(&t, g, false), table[i].jobs, "  its jobs");
        graph_free(g);
        flowtest_close(&t);
    }
}

static void test_allow_ambiguity(void)
{
    struct flowtest t = flowtest_open();
    struct graph_options options = {.allow_ambiguity = true};
    struct graph *g = graphtest_build(&t, "rule a:\n    output: 'x'\nrule b:\n    output: 'x'\n",
                                      "x", &options);
    is(graphtest_jobs(&t, g, false), "a", "the first of two rules when ambiguity is allowed");
    graph_free(g);
    flowtest_close(&t);
}

static void test_chain(void)
{
    enum { N = 200000 };
    struct flowtest t = flowtest_open();
    int64_t start = clock_ns();
    struct graph *g = graphtest_build(
        &t,
        "rule step:\n    input: lambda w: f'f{int(w.n)-1}' if int(w.n) > 1 else []\n"
        "    output: 'f{n,[0-9]+}'\n",
        "f200000", NULL);
    is(t.error, "", "a chain of 200,000 jobs");
    ok(g->jobs.len == N + 1, "has 200,000 jobs");
    ok(clock_ns() - start < 60000000000, "in less than a minute, sanitized or not");
    uint32_t n;
    job_id *order = graph_order(g, NULL, &n);
    ok(n == N && g->jobs.at[order[0]].number == N - 1 && g->jobs.at[order[N - 1]].number == 0,
       "in order from the far end");
    free(order);
    graph_free(g);
    flowtest_close(&t);
}

static void test_dense(void)
{
    enum { N = 500 };
    struct flowtest t = flowtest_open();
    struct graph *g = graphtest_build(
        &t,
        "rule d:\n    input: expand('c{i}', i=range(500))\n"
        "rule c:\n    input: expand('b{i}', i=range(500))\n    output: 'c{n}'\n"
        "rule f:\n    input: lambda w: [f'b{i}' for i in range(500)]\n    output: 'f{n}'\n"
        "rule b:\n    output: 'b{n}'\n",
        "d f1 f2", NULL);
    is(t.error, "", "a dense layer of 500 x 500");
    ok(g->jobs.len == 1 + 1 + N + N + 2, "%u jobs", g->jobs.len - 1);
    ok(g->edges.len <= 3 * N + N + 1 + 2, "%u edges, not 500 x 500", g->edges.len);
    ok(g->bundles.len == 1 + 3, "three lists: of d, of all c, of all f");
    job_id c = graphtest_job(g, "c");
    uint32_t n = 0;
    struct input_walk walk = input_walk(g, c);
    while (input_next(g, &walk))
        n++;
    ok(n == N, "and each c still walks over %u inputs", n);
    graph_free(g);
    flowtest_close(&t);
}

static void test_many_outputs(void)
{
    struct flowtest t = flowtest_open();
    struct graph *g = graphtest_build(&t, "rule a:\n    output: expand('f{i}', i=range(70000))\n",
                                      NULL, NULL);
    is(t.error, "", "a rule with 70,000 outputs");
    ok(g->jobs.at[1].noutputs == 70000, "has them all");
    ok(g->files.at[graph_find_file(g, intern_str(t.names, "f69999"))].maker == 1,
       "and makes the last one");
    graph_free(g);
    flowtest_close(&t);
}

static void test_many_inputs(void)
{
    struct flowtest t = flowtest_open();
    struct graph *g = graphtest_build(
        &t,
        "rule a:\n    input: *[f'f{i}' for i in range(70000)], last='f0'\n"
        "rule f:\n    output: 'f{n}'\n",
        NULL, NULL);
    struct job_files inputs = {0};
    struct job_eval eval;
    is(t.error, "", "a rule with 70,000 input items");
    graph_job_eval(g, 1, &t.arena, &inputs, &eval);
    ok(inputs.len == 70001 && inputs.at[70000].name && !inputs.at[70000 - 65536].name,
       "names stay with their items");
    job_eval_free(&eval);
    vec_free(&inputs);
    graph_free(g);
    flowtest_close(&t);
}

int main(void)
{
    test_table();
    test_allow_ambiguity();
    test_chain();
    test_dense();
    test_many_outputs();
    test_many_inputs();
    return done();
}
