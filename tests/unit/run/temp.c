// SPDX-License-Identifier: MIT
#include "run/temp.h"
#include "graph/graphtest.h"

/* t is used by b and c; u by nobody; v.txt is a target. */
static const char snakefile[] = "rule all:\n    input: 'b', 'c', 'v.txt'\n"
                                "rule a:\n    output: temp('t'), temp('u'), 'plain'\n"
                                "rule b:\n    input: 't'\n    output: 'b'\n"
                                "rule c:\n    input: 't', 'plain'\n    output: 'c'\n"
                                "rule v:\n    output: temp('v.txt')\n";

struct removed {
    struct flowtest *t;
    const struct graph *g;
    const char *text;
};

static void remove_file(void *user, file_id file)
{
    struct removed *r = user;
    r->text = arena_printf(&r->t->arena, "%s%s%s", r->text, *r->text ? " " : "",
                           file_path(r->g, file));
    ((struct graph *)r->g)->files.at[file].mtime = MTIME_ABSENT;
}

static const char *job_done(struct temps *temps, struct flowtest *t, const char *rule)
{
    struct removed removed = {t, temps->g, ""};
    struct graph *g = (struct graph *)temps->g;
    temps->user = &removed;
    job_id j = graphtest_job(g, rule);
    g->jobs.at[j].done = true;
    for (uint32_t i = 0; i < g->jobs.at[j].noutputs; i++)
        g->files.at[job_outputs(g, j)[i]].mtime = 1;
    temps_done(temps, j);
    return removed.text;
}

/* What goes when no checkpoint is open any more. */
static const char *sweep(struct temps *temps, struct flowtest *t)
{
    struct removed removed = {t, temps->g, ""};
    temps->held = false;
    temps->user = &removed;
    temps_sweep(temps);
    return removed.text;
}

static struct graph *start(struct flowtest *t, struct temps *temps)
{
    struct fresh_options options = {.triggers = TRIGGER_ALL};
    struct graph *g = graphtest_build(t, snakefile, "all v.txt", NULL);
    fresh_decide(g, &options);
    temps_start(temps, g, remove_file, NULL);
    return g;
}

static void test_counts(void)
{
    struct flowtest t = flowtest_open();
    struct temps temps;
    struct graph *g = start(&t, &temps);
    is(job_done(&temps, &t, "a"), "u", "what nobody needs goes at once, t stays");
    is(job_done(&temps, &t, "b"), "", "while another job needs it");
    is(job_done(&temps, &t, "c"), "t", "and goes with the last one; the plain output stays");
    is(job_done(&temps, &t, "v"), "", "a target stays");
    is(job_done(&temps, &t, "all"), "", "even when its user is done");
    temps_end(&temps);
    graph_free(g);
    flowtest_close(&t);
}

static void test_held(void)
{
    struct flowtest t = flowtest_open();
    struct temps temps;
    struct graph *g = start(&t, &temps);
    temps.held = true;
    is(job_done(&temps, &t, "a"), "", "nothing goes while a checkpoint is open");
    is(job_done(&temps, &t, "b"), "", "nothing");
    is(sweep(&temps, &t), "u", "the sweep takes what nobody needs and leaves what c needs");
    temps_end(&temps);
    graph_free(g);
    flowtest_close(&t);
}

static void test_of_earlier_run(void)
{
    struct flowtest t = flowtest_open();
    struct temps temps;
    struct graph *g = start(&t, &temps);
    g->files.at[graph_find_file(g, intern_str(t.names, "t"))].mtime = 1;
    temps.held = true;
    is(job_done(&temps, &t, "b"), "", "a file of an earlier run waits for a checkpoint, too");
    is(job_done(&temps, &t, "c"), "", "when its last user is done");
    is(sweep(&temps, &t), "t", "and goes with it");
    temps_end(&temps);
    graph_free(g);
    flowtest_close(&t);
}

int main(void)
{
    test_counts();
    test_held();
    test_of_earlier_run();
    return done();
}
