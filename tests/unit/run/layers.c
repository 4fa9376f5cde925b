// SPDX-License-Identifier: MIT
#include "run/layers.h"
#include "graph/graphtest.h"
#include "run/pick.h"

/* Four jobs of one level and one behind them, with threads and a runtime each. */
static const char snakefile[] = "rule all:\n"
                                "    input: 'e'\n"
                                "rule a:\n"
                                "    output: '{x}.o'\n"
                                "    threads: 3\n"
                                "    resources: runtime=lambda w: 10 * int(w.x), cpu_factor=4\n"
                                "    shell: 'x'\n"
                                "rule e:\n"
                                "    input: expand('{x}.o', x=range(1, 5))\n"
                                "    output: 'e'\n"
                                "    resources: runtime=5\n"
                                "    shell: 'x'\n";

struct scene {
    struct flowtest t;
    struct graph *g;
    struct task *task[8];
    uint32_t level[8], unit[8], n;
    struct arena in;
    struct buf why;
    struct layers layers;
};

static bool scene_make(struct scene *s, int cores)
{
    s->layers = (struct layers){
        .task = s->task, .level = s->level, .unit = s->unit, .n = s->n, .cores = cores};
    buf_reset(&s->why);
    return layers_make(&s->layers, s->g->names, &s->in, &s->why);
}

static void scene_open(struct scene *s)
{
    *s = (struct scene){.t = flowtest_open()};
    s->g = graphtest_build(&s->t, snakefile, NULL, NULL);
    for (job_id j = 1; j < s->g->jobs.len; j++) {
        const char *rule = sym_text(s->g->names, job_rule(s->g, j)->name);
        if (!strcmp(rule, "all"))
            continue;
        s->task[s->n] = task_new(s->g, j, 1, 0);
        s->level[s->n] = !strcmp(rule, "e");
        s->unit[s->n] = s->n;
        s->n++;
    }
}

static int64_t number(const struct scene *s, const char *name)
{
    for (uint32_t i = 0; i < s->layers.nresources; i++)
        if (!strcmp(sym_text(s->g->names, s->layers.resources[i].name), name))
            return s->layers.resources[i].number;
    return -1;
}

static void test_layers(void)
{
    struct scene s;
    scene_open(&s);
    ok(s.n == 5, "five jobs");
    ok(scene_make(&s, 0), "without limits they fit");
    ok(s.layers.threads == 12, "all four of a level side by side");
    ok(number(&s, "runtime") == 45, "the longest of each level, added up");
    ok(number(&s, "cpu_factor") == 4, "jobs side by side are not slower on CPUs than one is");
    ok(scene_make(&s, 7) && s.layers.threads == 6, "seven cores hold two of three threads");
    ok(number(&s, "runtime") == 40 + 20 + 5, "the longest are put together");
    for (uint32_t i = 0; i < s.n; i++)
        s.unit[i] = s.level[i] ? i : 0;
    ok(!scene_make(&s, 7), "jobs that must run at once do not fit");
    ok(strstr(buf_text(&s.why), "cores 12 of 7"), "which says what they need");
    ok(scene_make(&s, 12) && s.layers.threads == 12, "twelve cores hold them");
    for (uint32_t i = 0; i < s.n; i++)
        task_free(s.task[i]);
    buf_free(&s.why);
    arena_free(&s.in);
    graph_free(s.g);
    flowtest_close(&s.t);
}

int main(void)
{
    test_layers();
    return done();
}
