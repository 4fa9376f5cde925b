// SPDX-License-Identifier: MIT
#include <time.h>

#include "graph/checkpoint.h"
#include "graphtest.h"
#include "state/record.h"

/* x.txt -> a.txt -> b.txt, c.txt beside it; all is the default target. */
static const char chain[] =
    "rule all:\n    input: 'b.txt', 'c.txt'\n"
    "rule a:\n    input: 'x.txt'\n    output: 'a.txt'\n    shell: 'true'\n"
    "rule b:\n    input: 'a.txt'\n    output: 'b.txt'\n    params: p=1\n    shell: 'true'\n"
    "rule c:\n    input: 'x.txt'\n    output: 'c.txt'\n    shell: 'true'\n";

static const struct fresh_options usual = {
    .triggers = TRIGGER_ALL, .max_checksum_size = 1000000, .rerun_incomplete = true};

/* "a: MISSING_OUTPUT; b: UPDATED_INPUT_RUN" of the jobs that must run, by number. */
static const char *decided(struct flowtest *t, const struct graph *g)
{
    const char *text = "";
    graph_check(g);
    for (uint32_t n = 0; n < g->jobs.len; n++)
        for (job_id j = 1; j < g->jobs.len; j++) {
            const struct job *job = &g->jobs.at[j];
            if (job->needed && job->number == n && job->must_run)
                text = arena_printf(&t->arena, "%s%s%s: %s", text, *text ? "; " : "",
                                    sym_text(g->names, job_rule(g, j)->name),
                                    graphtest_reasons(t, job->reasons));
        }
    return text;
}

static const char *decide(struct flowtest *t, struct graph *g, const struct fresh_options *options)
{
    return fresh_decide(g, options) ? decided(t, g) : "failed";
}

/* Which files exist and how old they are: "x.txt=1 a.txt=2"; what is decided without a store. */
static const struct {
    const char *what, *snakefile, *files, *targets, *decided;
} times[] = {
    {"nothing made yet", chain, "x.txt=1", NULL,
     "all: UPDATED_INPUT_RUN; b: MISSING_OUTPUT UPDATED_INPUT_RUN; a: MISSING_OUTPUT; c: "
     "MISSING_OUTPUT"},
    {"all up to date", chain, "x.txt=1 a.txt=2 b.txt=3 c.txt=2", NULL, ""},
    {"equal times are up to date", chain, "x.txt=2 a.txt=2 b.txt=2 c.txt=2", NULL, ""},
    {"a newer source", chain, "x.txt=9 a.txt=2 b.txt=3 c.txt=2", NULL,
     "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT_RUN; a: UPDATED_INPUT; c: UPDATED_INPUT"},
    {"a newer file in the middle", chain, "x.txt=1 a.txt=5 b.txt=3 c.txt=2", NULL,
     "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT"},
    {"a deleted intermediate is not remade", chain, "x.txt=1 b.txt=3 c.txt=2", NULL, ""},
    {"unless its source is newer than what was made from it", chain, "x.txt=4 b.txt=3 c.txt=5",
     NULL, "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT_RUN; a: MISSING_OUTPUT UPDATED_INPUT"},
    {"or it is asked for", chain, "x.txt=1 b.txt=3 c.txt=2", "a.txt", "a: MISSING_OUTPUT"},
    {"ancient inputs do not count",
     "rule a:\n    input: ancient('x.txt')\n    output: 'a.txt'\n    shell: 'true'\n",
     "x.txt=9 a.txt=2", NULL, ""},
    {"nor does an ancient one that is made again",
     "rule b:\n    input: ancient('a.txt')\n    output: 'b.txt'\n    shell: 'true'\n"
     "rule a:\n    input: 'x.txt'\n    output: 'a.txt'\n    shell: 'true'\n",
     "x.txt=9 a.txt=2 b.txt=3", NULL, "a: UPDATED_INPUT"},
    {"but a missing ancient one is made and used",
     "rule b:\n    input: ancient('a.txt')\n    output: 'b.txt'\n    shell: 'true'\n"
     "rule a:\n    input: 'x.txt'\n    output: 'a.txt'\n    shell: 'true'\n",
     "x.txt=1", NULL, "b: MISSING_OUTPUT UPDATED_INPUT_RUN; a: MISSING_OUTPUT"},
    {"a file that is an ancient and a plain input counts",
     "rule b:\n    input: ancient('a.txt'), 'a.txt'\n    output: 'b.txt'\n    shell: 'true'\n"
     "rule a:\n    input: 'x.txt'\n    output: 'a.txt'\n    shell: 'true'\n",
     "x.txt=9 a.txt=2 b.txt=3", NULL, "b: UPDATED_INPUT_RUN; a: UPDATED_INPUT"},
    {"the oldest output counts",
     "rule a:\n    input: 'x.txt'\n    output: 'a.txt', 'b.txt'\n    shell: 'true'\n",
     "x.txt=3 a.txt=2 b.txt=5", NULL, "a: UPDATED_INPUT"},
    {"one of two outputs missing",
     "rule a:\n    input: 'x.txt'\n    output: 'a.txt', 'b.txt'\n    shell: 'true'\n",
     "x.txt=1 a.txt=2", NULL, "a: MISSING_OUTPUT"},
    {"only the output that is not needed is missing",
     "rule b:\n    input: 'a.txt'\n    output: 'b.txt'\n    shell: 'true'\n"
     "rule a:\n    output: 'a.txt', 'other.txt'\n    shell: 'true'\n",
     "a.txt=2 b.txt=3", NULL, ""},
    {"neither input nor output", "rule a:\n    shell: 'true'\n", "", NULL, "a: NO_IO"},
    {"a body without output", "rule a:\n    input: 'x.txt'\n    shell: 'true'\n", "x.txt=1", NULL,
     "a: NO_OUTPUT"},
    {"a temporary file that is gone is not missed",
     "rule b:\n    input: 't.txt'\n    output: 'b.txt'\n    shell: 'true'\n"
     "rule a:\n    input: 'x.txt'\n    output: temp('t.txt')\n    shell: 'true'\n",
     "x.txt=1 b.txt=3", NULL, ""},
    {"a temporary file is made again for a new user",
     "rule all:\n    input: 'b.txt', 'c.txt'\n"
     "rule b:\n    input: 't.txt'\n    output: 'b.txt'\n    shell: 'true'\n"
     "rule c:\n    input: 't.txt'\n    output: 'c.txt'\n    shell: 'true'\n"
     "rule a:\n    input: 'x.txt'\n    output: temp('t.txt')\n    shell: 'true'\n",
     "x.txt=1 b.txt=3", NULL,
     "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT_RUN; a: MISSING_OUTPUT; c: MISSING_OUTPUT "
     "UPDATED_INPUT_RUN"},
};

static void make_files(const char *files)
{
    for (char name[64]; *files; files += strcspn(files, " "), files += *files == ' ') {
        long second = 0;
        if (sscanf(files, "%63[^=]=%ld", name, &second) == 2)
            graphtest_file(name, name, second);
    }
}

static void test_times(void)
{
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct flowtest t = flowtest_open();
        make_files(times[i].files);
        struct graph *g = graphtest_build(&t, times[i].snakefile, times[i].targets, NULL);
        is(decide(&t, g, &usual), times[i].decided, times[i].what);
        is(decide(&t, g, &usual), times[i].decided, "  and once more");
        graph_free(g);
        flowtest_close(&t);
    }
}

/* ---- forcing ---- */

static void test_forced(void)
{
    struct flowtest t = flowtest_open();
    make_files("x.txt=1 a.txt=2 b.txt=3 c.txt=2");
    struct graph *g = graphtest_build(&t, chain, NULL, NULL);
    struct fresh_options options = usual;
    options.force_targets = true;
    is(decide(&t, g, &options), "all: FORCED", "-f: the target alone");
    options = usual;
    options.force_all = true;
    ok(decide(&t, g, &options) && g->nmust_run == 4, "-F: all");
    options = usual;
    options.force_rules = (rule_id[]){workflow_rule(t.w, "a")->id, 0};
    is(decide(&t, g, &options), "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT_RUN; a: FORCED",
       "-R rule: it and what follows");
    options = usual;
    options.force_paths = (sym_t[]){intern_str(t.names, "c.txt"), 0};
    is(decide(&t, g, &options), "all: UPDATED_INPUT_RUN; c: FORCED", "-R file");
    graph_free(g);
    flowtest_close(&t);
}

/* Quadratic work would take minutes here. */
static void test_many_ancient(void)
{
    struct flowtest t = flowtest_open();
    struct graph *g = graphtest_build(
        &t,
        "rule all:\n    input: [ancient(f'{i}.txt') for i in range(200000)]\n"
        "rule a:\n    output: '{i}.txt'\n    shell: 'true'\n",
        NULL, NULL);
    clock_t start = clock();
    ok(fresh_decide(g, &usual) && g->nmust_run == 200001, "many ancient inputs");
    ok((clock() - start) / CLOCKS_PER_SEC < 20, "  are soon decided");
    graph_free(g);
    flowtest_close(&t);
}

/* The graph has grown behind a checkpoint, and all is decided once more. */
static void test_once_more(void)
{
    struct flowtest t = flowtest_open();
    make_files("x.txt=1 a.txt=2 b.txt=3 c.txt=2");
    struct graph *g = graphtest_build(&t, chain, NULL, NULL);
    struct fresh_options options = usual;
    options.force_rules = (rule_id[]){workflow_rule(t.w, "a")->id, 0};
    decide(&t, g, &options);
    struct job *a =
        &g->jobs.at[graph_known_job(g, *options.force_rules, intern_str(t.names, "a.txt"))];
    a->taken = true;
    is(decide(&t, g, &options), "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT_RUN; a: FORCED",
       "a job that runs keeps its reasons");
    a->done = true;
    is(decide(&t, g, &options), "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT_RUN",
       "what it has made anew is used, also if nothing in it is new");
    job_id b = graph_known_job(g, workflow_rule(t.w, "b")->id, intern_str(t.names, "b.txt"));
    g->jobs.at[b].has_waited = true;
    is(decide(&t, g, &options), "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT_RUN",
       "so by a job that has waited for an earlier checkpoint");
    graph_free(g);
    flowtest_close(&t);
}

static void test_selected(void)
{
    struct flowtest t = flowtest_open();
    make_files("x.txt=1");
    struct graph *g = graphtest_build(&t, chain, NULL, NULL);
    struct cut until = {.until = {.rules = (rule_id[]){workflow_rule(t.w, "a")->id, 0}}};
    fresh_decide(g, &usual);
    graph_select(g, &until);
    is(decided(&t, g), "a: MISSING_OUTPUT", "--until keeps a rule and what it needs");
    graph_free(g);
    g = graphtest_build(&t, chain, NULL, NULL);
    struct cut omit = {.omit = {.rules = (rule_id[]){workflow_rule(t.w, "b")->id, 0}}};
    graph_select(g, &omit);
    graph_check(g);
    is(graphtest_jobs(&t, g, false), "c a",
       "--omit-from leaves out a rule and its users; what they need stays");
    graph_free(g);
    flowtest_close(&t);
}

/* --until a rule whose jobs only a checkpoint tells. */
static void test_until_behind_checkpoint(void)
{
    static const char text[] =
        "rule all:\n    input: 'b.txt', lambda w: [s + '.fin' for s in "
        "open(checkpoints.c.get().output[0]).read().split()]\n"
        "checkpoint c:\n    input: 'x.txt'\n    output: 'c.txt'\n    shell: 'true'\n"
        "rule fin:\n    output: '{s}.fin'\n    shell: 'true'\n"
        "rule b:\n    output: 'b.txt'\n    shell: 'true'\n";
    static const char both[] = "fin: MISSING_OUTPUT; fin: MISSING_OUTPUT";
    struct flowtest t = flowtest_open();
    make_files("x.txt=1");
    struct graph *g = graphtest_targets(&t, text, NULL, NULL);
    struct cut fin = {.until = {.rules = (rule_id[]){workflow_rule(t.w, "fin")->id, 0}}};
    struct cut b = {.until = {.rules = (rule_id[]){workflow_rule(t.w, "b")->id, 0}}};
    checkpoint_watch(g);
    ok(checkpoint_build(g, &usual, &fin), "none of its jobs is known");
    is(decided(&t, g), "c: MISSING_OUTPUT", "the checkpoint that may tell them is kept");
    bool changed;
    job_id c = graphtest_job(g, "c");
    graphtest_file("c.txt", "1 2", 2);
    graph_stat_file(g, graph_find_file(g, intern_str(t.names, "c.txt")));
    g->jobs.at[c].taken = g->jobs.at[c].done = true;
    ok(checkpoint_grow(g, &usual, &fin, &changed) && changed, "it has run");
    is(decided(&t, g), both, "the jobs that it tells are kept");
    ok(checkpoint_grow(g, &usual, &fin, &changed) && !changed, "that is all");
    graph_free(g);
    g = graphtest_targets(&t, text, NULL, NULL);
    checkpoint_watch(g);
    ok(checkpoint_build(g, &usual, &fin), "it has run before");
    is(decided(&t, g), both, "the same");
    graph_free(g);
    g = graphtest_targets(&t, text, NULL, NULL);
    checkpoint_watch(g);
    graphtest_file("x.txt", "x.txt", 9);
    ok(checkpoint_build(g, &usual, &b), "it must run");
    is(decided(&t, g), "b: MISSING_OUTPUT", "not for a rule whose jobs are known");
    graph_free(g);
    flowtest_close(&t);
}

/* ---- with a store ---- */

static void record_all(struct flowtest *t, struct graph *g, struct state *state)
{
    for (job_id j = 1; j < g->jobs.len; j++) {
        struct job_record now;
        char *checksum = content_checksum(&t->arena, "x.txt");
        if (!fresh_record(g, j, &t->arena, &now))
            abort();
        for (uint32_t i = 0; i < g->jobs.at[j].noutputs; i++) {
            struct output_record record = {
                .path = g->files.at[job_outputs(g, j)[i]].path,
                .rule = "r",
                .code = now.code,
                .params = now.params,
                .inputs = now.inputs,
                .software = "",
                .shell = "",
                .log = "",
                .checksums = arena_printf(&t->arena, "x.txt\t%s\n", checksum)};
            state_end_output(state, &record);
        }
    }
    state_commit(state);
}

static const char changed_code[] =
    "rule all:\n    input: 'b.txt', 'c.txt'\n"
    "rule a:\n    input: 'x.txt'\n    output: 'a.txt'\n    shell: 'true '\n"
    "rule b:\n    input: 'a.txt'\n    output: 'b.txt'\n    params: p=1\n    shell: 'true'\n"
    "rule c:\n    input: 'x.txt'\n    output: 'c.txt'\n    shell: 'true'\n";
static const char changed_params[] =
    "rule all:\n    input: 'b.txt', 'c.txt'\n"
    "rule a:\n    input: 'x.txt'\n    output: 'a.txt'\n    shell: 'true'\n"
    "rule b:\n    input: 'a.txt'\n    output: 'b.txt'\n    params: p='1'\n    shell: 'true'\n"
    "rule c:\n    input: 'x.txt'\n    output: 'c.txt'\n    shell: 'true'\n";
static const char renamed_params[] =
    "rule all:\n    input: 'b.txt', 'c.txt'\n"
    "rule a:\n    input: 'x.txt'\n    output: 'a.txt'\n    shell: 'true'\n"
    "rule b:\n    input: 'a.txt'\n    output: 'b.txt'\n    params: other=1\n    shell: 'true'\n"
    "rule c:\n    input: 'x.txt'\n    output: 'c.txt'\n    shell: 'true'\n";
static const char changed_inputs[] =
    "rule all:\n    input: 'b.txt', 'c.txt'\n"
    "rule a:\n    input: 'x.txt'\n    output: 'a.txt'\n    shell: 'true'\n"
    "rule b:\n    input: 'a.txt'\n    output: 'b.txt'\n    params: p=1\n    shell: 'true'\n"
    "rule c:\n    input: 'x.txt', 'y.txt'\n    output: 'c.txt'\n    shell: 'true'\n";

static const struct {
    const char *what, *snakefile;
    unsigned triggers;
    const char *decided;
} records[] = {
    {"nothing has changed", chain, TRIGGER_ALL, ""},
    {"the code has", changed_code, TRIGGER_ALL,
     "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT_RUN; a: CODE"},
    {"but it does not count", changed_code, TRIGGER_ALL & ~TRIGGER_CODE, ""},
    {"a param has", changed_params, TRIGGER_ALL, "all: UPDATED_INPUT_RUN; b: PARAMS"},
    {"but it does not count", changed_params, TRIGGER_MTIME, ""},
    {"names of params do not matter", renamed_params, TRIGGER_ALL, ""},
    {"an input more", changed_inputs, TRIGGER_ALL, "all: UPDATED_INPUT_RUN; c: INPUT_SET"},
    {"but it does not count", changed_inputs, TRIGGER_CODE | TRIGGER_PARAMS, ""},
};

static const char *decide_with(struct flowtest *t, const char *snakefile, struct state *state,
                               unsigned triggers)
{
    struct fresh_options options = usual;
    options.state = state;
    options.triggers = triggers;
    struct graph *g = graphtest_build(t, snakefile, NULL, NULL);
    const char *text = decide(t, g, &options);
    graph_free(g);
    return text;
}

static void test_records(void)
{
    struct flowtest t = flowtest_open();
    make_files("x.txt=1 y.txt=1 a.txt=2 b.txt=3 c.txt=2");
    struct graph *g = graphtest_build(&t, chain, NULL, NULL);
    struct state *state = state_open(".", t.names, t.dx, false);
    record_all(&t, g, state);
    graph_free(g);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        is(decide_with(&t, records[i].snakefile, state, records[i].triggers), records[i].decided,
           records[i].what);
    graphtest_file("x.txt", "x.txt", 9);
    is(decide_with(&t, chain, state, TRIGGER_ALL), "",
       "a touched small input with the same content");
    graphtest_file("x.txt", "other", 9);
    is(decide_with(&t, chain, state, TRIGGER_ALL),
       "all: UPDATED_INPUT_RUN; b: UPDATED_INPUT_RUN; a: UPDATED_INPUT; c: UPDATED_INPUT",
       "and with another one");
    graphtest_file("x.txt", "x.txt", 1);
    sym_t c = intern_str(t.names, "c.txt");
    state_begin_outputs(state, &c, 1);
    is(decide_with(&t, chain, state, TRIGGER_ALL), "all: UPDATED_INPUT_RUN; c: INCOMPLETE",
       "an output that a killed run has left incomplete");
    state_drop_outputs(state, &c, 1);
    state_flush(state);
    is(decide_with(&t, changed_inputs, state, TRIGGER_ALL), "",
       "nothing is known of an output: only times count");
    state_close(state);
    flowtest_close(&t);
}

/* A checkpoint that only params ask for. */
static void test_params_of_checkpoint(void)
{
    static const char asks[] =
        "checkpoint c:\n    input: 'x.txt'\n    output: 'c.txt'\n    shell: 'true'\n"
        "rule b:\n    input: 'c.txt'\n    output: 'b.txt'\n"
        "    params: p=lambda w: open(checkpoints.c.get().output[0]).read()\n    shell: 'true'\n";
    struct flowtest t = flowtest_open();
    make_files("x.txt=1 c.txt=2 b.txt=3");
    struct fresh_options options = usual;
    struct state *state = options.state = state_open(".", t.names, t.dx, false);
    struct graph *g = graphtest_targets(&t, asks, "b.txt", NULL);
    checkpoint_watch(g);
    ok(checkpoint_build(g, &usual, NULL), "nothing is known of the outputs");
    record_all(&t, g, state);
    is(decide(&t, g, &options), "", "decided again, a finished checkpoint is heard");
    static const struct {
        const char *files, *text, *decided, *what;
    } rows[] = {
        {"x.txt=1", "c.txt", "", "at first, too"},
        {"x.txt=1", "other", "b: PARAMS", "it tells something else"},
        {"x.txt=9", "c.txt", "b: UPDATED_INPUT_RUN; c: UPDATED_INPUT", "it will run"},
        {"x.txt=1", NULL, "", "its file has been removed: what is not known has not changed"},
    };
    options.max_checksum_size = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        graph_free(g);
        make_files(rows[i].files);
        if (rows[i].text)
            graphtest_file("c.txt", rows[i].text, 2);
        else
            remove("c.txt");
        g = graphtest_targets(&t, asks, "b.txt", NULL);
        checkpoint_watch(g);
        ok(checkpoint_build(g, &options, NULL), "built");
        is(decided(&t, g), rows[i].decided, rows[i].what);
    }
    graph_free(g);
    state_close(state);
    flowtest_close(&t);
}

/* ---- what a reason is about ---- */

static const char *details(struct flowtest *t, const struct graph *g, const char *rule,
                           enum reason reason)
{
    uint32_t n;
    const char *text = "";
    sym_t *syms = fresh_details(g, graphtest_job(g, rule), reason, &t->arena, &n);
    for (uint32_t i = 0; i < n; i++)
        text = arena_printf(&t->arena, "%s%s%s", text, i ? " " : "", sym_text(t->names, syms[i]));
    return text;
}

static void test_details(void)
{
    struct flowtest t = flowtest_open();
    make_files("x.txt=9 a.txt=2");
    struct graph *g = graphtest_build(&t, chain, NULL, NULL);
    decide(&t, g, &usual);
    is(details(&t, g, "a", REASON_UPDATED_INPUT), "x.txt", "the input that is newer");
    is(details(&t, g, "b", REASON_MISSING_OUTPUT), "b.txt", "the output that is missing");
    is(details(&t, g, "b", REASON_UPDATED_INPUT_RUN), "a.txt", "the input that another job makes");
    is(details(&t, g, "all", REASON_UPDATED_INPUT_RUN), "b.txt c.txt", "all of them");
    graph_free(g);
    flowtest_close(&t);
}

int main(void)
{
    test_times();
    test_forced();
    test_many_ancient();
    test_once_more();
    test_selected();
    test_until_behind_checkpoint();
    test_records();
    test_params_of_checkpoint();
    test_details();
    return done();
}
