// SPDX-License-Identifier: MIT
/* What rules mean for given wildcards: inputs, params, resources, shell commands, scripts, run
 * blocks. */
#include "flowtest.h"

#include "base/clock.h"

static const char *const snakefile =
    "def many(w):\n    return [w.s + str(i) for i in range(2)]\n"
    "def named(w):\n    return {'k': 'K' + w.s, 'l': ['L1', 'L2']}\n"
    "rule a:\n"
    "    input: 'in/{s}', m=many, e=[], u=lambda w: 'w/{s}'\n"
    "    output: 'out/{s}.txt', o='out/{s}.o'\n"
    "    log: 'log/{s}'\n"
    "    params: 'p{s}', c=lambda wildcards, input, output: input.m[1] + output.o, d={'k': [1, "
    "2]}, n=3\n"
    "    threads: lambda w, attempt: 2 * attempt\n"
    "    resources: mem='1.5 GB', runtime='2h', foo=lambda w, threads: threads + 1, txt='some', "
    "none=None\n"
    "    priority: lambda w: 7\n"
    "    message: 'hello {wildcards.s}'\n"
    "    shell: 'cat {input[0]} {input.m} {input.e} {params.c:q} {params.d[k][1]} {threads} "
    "{resources.mem_mb}'\n"
    "           ' {wildcards} {rule} {log} {{x}} {output.o!r} {GLOB}'\n"
    "GLOB = ['g', 'h i']\n"
    "rule quoted:\n    output: 'q'\n    message: ''\n    shell: 'echo {GLOB:q}'\n"
    "rule unpacked:\n    input: unpack(named)\n    output: '{s}.u'\n    shell: 'echo {input.k} "
    "{input.l} {input}'\n"
    "rule other:\n    input: rules.a.output.o, ancient('old')\n    output: '{s}.v'\n"
    "rule missing:\n    input: '{s}'\n    output: '{s}.w'\n    params: lambda w, input: "
    "open(input[0]).read()\n"
    "    shell: 'echo {params[0]}'\n"
    "rule bad:\n    input: lambda w: w.nothing\n    output: '{s}.x'\n"
    "rule bad_shell:\n    output: '{s}.y'\n    shell: 'echo {s}'\n"
    "rule bare:\n    output: '{s}.z'\n    params: t=resources.foo\n    resources: foo=9\n    "
    "shell: 'echo {params.t}'\n"
    "rule run:\n    output: '{s}.run'\n    run:\n"
    "        word = wildcards.s + 'X'\n        shell('echo {word} > {output}')\n"
    "        with open(output[0] + '2', 'w') as f:\n            f.write(shell('echo {word}', "
    "read=True))\n"
    "checkpoint point:\n    output: '{s}.cp'\n"
    "rule after:\n    input: lambda w: checkpoints.point.get(s=w.s).output[0]\n    output: "
    "'{s}.after'\n";

static void test_job(struct flowtest *t)
{
    struct job_files input = {0};
    enum eval_result result;
    struct job_eval eval = flowtest_job(t, "a", "S", &input, &result);
    double priority;
    ok(result == EVAL_OK, "input is evaluated");
    is(flowtest_files(t, &input), "in/S m=[S0 m=[S1 u=w/S",
       "patterns, functions, wildcards in what they return");
    eval.attempt = 2;
    ok(eval_resources(&eval, 0) == EVAL_OK && eval.threads == 4, "threads know the attempt");
    ok(eval_params(&eval) == EVAL_OK, "params");
    is(eval_params_record(&eval), "'pS'\n3\n{'k': [1, 2]}",
       "params that count: not those made from input");
    is(eval_shell(&eval, true),
       "cat in/S S0 S1  S1out/S.o 2 4 1500 s=S a log/S {x} 'out/S.o' g h i", "the shell command");
    is(eval_message(&eval), "hello S", "the message");
    ok(eval_priority(&eval, &priority) == EVAL_OK && priority == 7, "the priority");
    ok(eval_resources(&eval, 3) == EVAL_OK && eval.threads == 3, "cores cap threads");
    job_eval_free(&eval);
    vec_free(&input);
}

static void test_resources(struct flowtest *t)
{
    struct job_files input = {0};
    enum eval_result result;
    struct job_eval eval = flowtest_job(t, "a", "S", &input, &result);
    struct buf text = {0};
    eval_resources(&eval, 0);
    for (uint32_t i = 0; i < eval.nresources; i++) {
        const struct resource *r = &eval.resources[i];
        const char *name = sym_text(t->names, r->name);
        if (!strcmp(name, "tmpdir"))
            continue;
        buf_printf(&text, "%s=", name);
        if (r->is_text)
            buf_printf(&text, "%s;", sym_text(t->names, r->text));
        else
            buf_printf(&text, "%ld;", (long)r->number);
    }
    is(buf_text(&text), "mem_mb=1500;mem=1.5 GB;mem_mib=1431;runtime=120;foo=3;txt=some;",
       "resources in their units, None left out");
    buf_free(&text);
    job_eval_free(&eval);
    vec_free(&input);
}

static void test_one(struct flowtest *t, const char *rule, const char *want_input,
                     const char *want_shell)
{
    struct job_files input = {0};
    enum eval_result result;
    struct job_eval eval = flowtest_job(t, rule, "S", &input, &result);
    is(flowtest_files(t, &input), want_input, rule);
    if (want_shell)
        is(eval_shell(&eval, true), want_shell, "its command");
    ok(!eval_message(&eval), "no message, or an empty one");
    job_eval_free(&eval);
    vec_free(&input);
}

static void test_maker(struct flowtest *t)
{
    struct job_files input = {0};
    enum eval_result result;
    struct job_eval eval = flowtest_job(t, "other", "S", &input, &result);
    ok(input.len == 2 && input.at[0].maker == workflow_rule(t->w, "a")->id,
       "a path of a rule knows its maker");
    ok(input.at[1].flags == FLAG_ANCIENT && !input.at[1].maker, "flags of input");
    job_eval_free(&eval);
    vec_free(&input);
}

static void test_failures(struct flowtest *t)
{
    struct job_files input = {0};
    enum eval_result result;
    struct job_eval eval = flowtest_job(t, "bad", "S", &input, &result);
    ok(result == EVAL_FAILED && !eval_report(&eval), "an exception in an input function");
    ok(strstr(diag_last(t->dx), "has no attribute 'nothing'"), "is reported");
    diag_drop(t->dx, 0);
    eval = flowtest_job(t, "bad_shell", "S", &input, &result);
    ok(!eval_shell(&eval, true) && !eval_report(&eval), "an unknown name in a command");
    ok(strstr(diag_last(t->dx), "Did you mean 'wildcards.s'?"), "is reported with a hint");
    diag_drop(t->dx, 0);
    job_eval_free(&eval);
    vec_free(&input);
}

static bool never_ready(void *user, rule_id rule, const sym_t *wildcards)
{
    return *(bool *)user;
}

static void test_checkpoint(struct flowtest *t)
{
    struct job_files input = {0};
    enum eval_result result;
    bool ready = false;
    t->w->checkpoint_ready = never_ready;
    t->w->checkpoint_user = &ready;
    struct job_eval eval = flowtest_job(t, "after", "S", &input, &result);
    ok(result == EVAL_CHECKPOINT && eval.wait_rule == workflow_rule(t->w, "point")->id,
       "a job waits for a checkpoint");
    is(result == EVAL_CHECKPOINT ? sym_text(t->names, eval.wait_wildcards[0]) : "", "S",
       "of these wildcards");
    ok(input.len == 1 && input.at[0].checkpoint && !strcmp(flowtest_files(t, &input), "S.cp"),
       "its first output stands for what is not known");
    input.len = 0;
    ready = true;
    eval = flowtest_job(t, "after", "S", &input, &result);
    ok(result == EVAL_OK, "and goes on when it is done");
    is(flowtest_files(t, &input), "S.cp", "with its output");
    job_eval_free(&eval);
    vec_free(&input);
}

static void test_run(struct flowtest *t)
{
    struct job_files input = {0};
    enum eval_result result;
    struct job_eval eval = flowtest_job(t, "run", "S", &input, &result);
    bool fine = eval_run(&eval);
    if (!fine)
        eval_report(&eval);
    ok(fine, "a run block runs (%s)", diag_last(t->dx));
    char *text = fs_read(&t->arena, "S.run", NULL), *read = fs_read(&t->arena, "S.run2", NULL);
    is(text, "SX\n", "shell() sees the local names");
    is(read, "SX\n", "and gives back what a command prints");
    job_eval_free(&eval);
    vec_free(&input);
}

static void test_million(struct flowtest *t)
{
    struct rule *rule = workflow_rule(t->w, "missing");
    struct job_eval eval = {.workflow = t->w, .scratch = &t->arena, .rule = rule};
    struct job_files input = {0};
    sym_t wildcards[1];
    char text[16];
    int64_t start = clock_ns();
    eval.wildcards = wildcards;
    for (int i = 0; i < 200000; i++) {
        int len = snprintf(text, sizeof text, "%d", i);
        wildcards[0] = intern(t->names, text, (size_t)len);
        input.len = 0;
        eval_input(&eval, &input);
        eval_output(&eval);
    }
    double seconds = (double)(clock_ns() - start) / 1e9;
    ok(input.len == 1 && seconds < 2, "200,000 jobs' files in %.3f s", seconds);
    job_eval_free(&eval);
    vec_free(&input);
}

/* A function per job: memory must not grow with the number of evaluations. */
static void test_flat(struct flowtest *t)
{
    struct job_files input = {0};
    sym_t wildcards[1];
    size_t early = 0;
    int64_t start = clock_ns();
    struct job_eval eval = {.workflow = t->w, .scratch = &t->arena, .wildcards = wildcards};
    eval.rule = workflow_rule(t->w, "unpacked");
    for (int i = 0; i < 100000; i++) {
        char text[16];
        int len = snprintf(text, sizeof text, "%d", i % 100);
        wildcards[0] = intern(t->names, text, (size_t)len);
        input.len = 0;
        eval.epoch = 0;
        eval_input(&eval, &input);
        heap_collect(t->w->vm);
        if (i == 20000)
            early = heap_bytes(t->w->vm);
    }
    size_t late = heap_bytes(t->w->vm);
    ok(input.len == 3 && late < early + (4 << 20),
       "100,000 calls in %.3f s, the heap from %zu to %zu bytes",
       (double)(clock_ns() - start) / 1e9, early, late);
    job_eval_free(&eval);
    vec_free(&input);
}

int main(void)
{
    struct flowtest t = flowtest_open();
    if (ok(flowtest_load(&t, snakefile), "the Snakefile is read (%s)", t.error)) {
        test_job(&t);
        test_resources(&t);
        test_one(&t, "quoted", "", "echo g 'h i'");
        test_one(&t, "unpacked", "k=KS l=[L1 l=[L2", "echo KS L1 L2 KS L1 L2");
        test_one(&t, "missing", "S", "echo <TBD>");
        test_one(&t, "bare", "", "echo 9");
        test_maker(&t);
        test_failures(&t);
        test_checkpoint(&t);
        test_run(&t);
        test_million(&t);
        test_flat(&t);
    }
    flowtest_close(&t);
    return done();
}
