// SPDX-License-Identifier: MIT
/* A job written to a spec file and carried out from it sees the very values it was given. */
#include "run/spec.h"
#include "graph/graphtest.h"

static const char snakefile[] =
    "rule all:\n    input: 'out'\n"
    "rule a:\n    input: x='plain', many=['a b', \"q'u\\\"o\", '-dash', 'b\\\\slash', 'umläut']\n"
    "    output: 'o{v,(?s:.*)}.{w,(?s:.*)}'\n"
    "    threads: 3\n    resources: mem_mb=17, word='two words', sign='a=\"b\",c'\n"
    "    run:\n"
    "        with open('told', 'w') as f:\n"
    "            f.write(repr([wildcards.v, wildcards.w, input.x, list(input.many), threads, "
    "resources.mem_mb,\n"
    "                          resources.word, resources.sign]))\n";

static const struct {
    const char *v, *w, *told;
} values[] = {
    {"1", "2", "['1', '2', "},
    {"", "", "['', '', "},
    {"line\nbreak", "tab\there", "['line\\nbreak', 'tab\\there', "},
    {"q'u\"o", "$(rm) `x` \\n", "['q\\'u\"o', '$(rm) `x` \\\\n', "},
    {"ü", "  ", "['ü', '  ', "},
};
static const char rest[] = "'plain', ['a b', 'q\\'u\"o', '-dash', 'b\\\\slash', 'umläut'], 3, 17, "
                           "'two words', 'a=\"b\",c']";

static const char *told(struct flowtest *t)
{
    size_t len;
    const char *text = fs_read(&t->arena, "told", &len);
    return text ? arena_copy(&t->arena, text, len) : "nothing";
}

static void round_trip(struct flowtest *t, struct graph *g, const char *v, const char *w,
                       const char *want)
{
    sym_t wildcards[] = {intern_str(t->names, v), intern_str(t->names, w)};
    job_id id = graph_job(g, workflow_rule(t->w, "a")->id, wildcards, 0);
    struct task *task = NULL;
    const char *args[] = {NULL}, *file = NULL;
    struct task_context context = {.g = g, .self = "self", .run_args = args, .started_in = t->dir};
    g->target_jobs.len = 0;
    vec_push(&g->target_jobs, id);
    if (ok(graph_build(g) && (task = task_new(g, id, 1, 0)), "a job with v=%zu bytes", strlen(v))) {
        const char *const *argv = spec_command(&context, task, &file);
        ok(argv && !strcmp(argv[0], "self") && !strcmp(argv[2], file) && !argv[3],
           "the child's command line");
        unlink("told");
        ok(spec_run(t->w, file), "it runs from its file");
        is(told(t), want, "and sees the same values");
        const char *before = file;
        task->start_ns++;
        ok(spec_command(&context, task, &file) && strcmp(file, before),
           "at another time it has another file: pids come again");
    }
    task_free(task);
}

int main(void)
{
    struct flowtest t = flowtest_open();
    const char *const inputs[] = {"plain", "a b", "q'u\"o", "-dash", "b\\slash", "umläut", "out"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        flowtest_write(inputs[i], "");
    struct graph *g = graphtest_build(&t, snakefile, NULL, NULL);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        round_trip(&t, g, values[i].v, values[i].w,
                   arena_printf(&t.arena, "%s%s", values[i].told, rest));
    ok(!spec_run(t.w, "no such file"), "a file that is not there is an error");
    ok(strstr(diag_last(t.dx), "cannot read"), "with words");
    graph_free(g);
    flowtest_close(&t);
    return done();
}
