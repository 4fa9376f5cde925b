// SPDX-License-Identifier: MIT
#include "run/pick.h"
#include "graph/chain.h"
#include "graph/graphtest.h"

struct scene {
    struct flowtest t;
    struct graph *g;
    struct picker picker;
    VEC(struct task *) taken;
};

static struct scene scene_open(const char *snakefile, int cores)
{
    struct scene s = {.t = flowtest_open()};
    s.g = graphtest_build(&s.t, snakefile, NULL, NULL);
    s.picker.cores = cores;
    return s;
}

/* All jobs but the default target are ready. */
static void scene_start(struct scene *s)
{
    picker_start(&s->picker, s->g);
    for (job_id j = 1; j < s->g->jobs.len; j++)
        if (s->g->jobs.at[j].number)
            picker_add(&s->picker, j);
}

/* Takes all that fits: "a:1 b". */
static const char *scene_take(struct scene *s)
{
    const char *text = "";
    for (struct task *task; (task = picker_take(&s->picker));) {
        text = arena_printf(&s->t.arena, "%s%s%s", text, *text ? " " : "",
                            sym_text(s->g->names, task->eval.rule->name));
        for (uint32_t i = 0; i < task->eval.rule->wildcards.n; i++)
            text = arena_printf(&s->t.arena, "%s:%s", text,
                                sym_text(s->g->names, task->eval.wildcards[i]));
        vec_push(&s->taken, task);
    }
    return text;
}

/* The n-th task taken so far is over. */
static void scene_end(struct scene *s, uint32_t n)
{
    picker_release(&s->picker, s->taken.at[n]);
    task_free(s->taken.at[n]);
    s->taken.at[n] = NULL;
}

static void scene_close(struct scene *s)
{
    for (uint32_t i = 0; i < s->taken.len; i++)
        task_free(s->taken.at[i]);
    vec_free(&s->taken);
    picker_end(&s->picker);
    graph_free(s->g);
    flowtest_close(&s->t);
}

static void test_cores(void)
{
    struct scene s = scene_open("rule all:\n    input: 'a1', 'b1', 'a2', 'a3'\n"
                                "rule a:\n    output: 'a{n}'\n    shell: 'true'\n"
                                "rule b:\n    output: 'b{n}'\n    threads: 3\n    shell: 'true'\n",
                                3);
    scene_start(&s);
    is(scene_take(&s), "a:1 a:2 a:3", "small jobs pass a large one that does not fit");
    ok(picker_waiting(&s.picker) == 1, "which waits");
    scene_end(&s, 0);
    scene_end(&s, 1);
    is(scene_take(&s), "", "until there is room for it");
    scene_end(&s, 2);
    is(scene_take(&s), "b:1", "then it runs");
    ok(s.picker.cores_used == 3 && !picker_waiting(&s.picker), "with all cores");
    scene_close(&s);
}

static void test_capped(void)
{
    struct scene s = scene_open(
        "rule all:\n    input: 'a1', 'a2'\n"
        "rule a:\n    output: 'a{n}'\n    threads: 99\n    resources: mem_mb=5000\n"
        "    shell: 'true'\n",
        2);
    struct limit limits[] = {{intern_str(s.t.names, "mem_mb"), 1000, 0}};
    s.picker.limits = limits;
    s.picker.nlimits = 1;
    scene_start(&s);
    is(scene_take(&s), "a:1", "a job that asks for more than there is gets all there is");
    ok(s.taken.at[0]->eval.threads == 2 && s.picker.cores_used == 2, "of cores");
    ok(limits[0].used == 1000, "and of resources");
    scene_end(&s, 0);
    ok(limits[0].used == 0 && s.picker.cores_used == 0, "and gives it back");
    is(scene_take(&s), "a:2", "to the next");
    scene_close(&s);
}

static void test_limits(void)
{
    struct scene s = scene_open(
        "rule all:\n    input: 'a1', 'a2', 'a3', 'b1'\n"
        "rule a:\n    output: 'a{n}'\n    resources: gpu=1\n    shell: 'true'\n"
        "rule b:\n    output: 'b{n}'\n    shell: 'true'\n",
        0);
    struct limit limits[] = {{intern_str(s.t.names, "gpu"), 2, 0}};
    s.picker.limits = limits;
    s.picker.nlimits = 1;
    scene_start(&s);
    is(scene_take(&s), "a:1 a:2 b:1", "a limit holds only those that use the resource");
    scene_end(&s, 1);
    is(scene_take(&s), "a:3", "one ends, the next starts");
    scene_close(&s);
}

static void test_slots(void)
{
    struct scene s = scene_open("rule all:\n    input: 'a1', 'a2', 'a3'\n"
                                "rule a:\n    output: 'a{n}'\n    shell: 'true'\n",
                                0);
    s.picker.slots = 2;
    scene_start(&s);
    is(scene_take(&s), "a:1 a:2", "no more jobs at once than --jobs says");
    scene_end(&s, 0);
    is(scene_take(&s), "a:3", "the third when one has ended");
    scene_close(&s);
}

static void test_priorities(void)
{
    struct scene s = scene_open("rule all:\n    input: 'a1', 'a2', 'b1', 'a3'\n"
                                "rule a:\n    output: 'a{n}'\n    shell: 'true'\n"
                                "rule b:\n    output: 'b{n}'\n    shell: 'true'\n",
                                1);
    s.g->jobs.at[graphtest_job(s.g, "b")].priority = 7;
    scene_start(&s);
    is(scene_take(&s), "b:1", "priority first");
    scene_end(&s, 0);
    is(scene_take(&s), "a:1", "then the order of discovery");
    scene_close(&s);
}

static void test_late_priority(void)
{
    struct scene s = scene_open("rule all:\n    input: 'a1', 'a2', 'b1', 'a3'\n"
                                "rule a:\n    output: 'a{n}'\n    shell: 'true'\n"
                                "rule b:\n    output: 'b{n}'\n    shell: 'true'\n",
                                1);
    job_id b = graphtest_job(s.g, "b");
    s.g->jobs.at[b].priority = 7;
    picker_start(&s.picker, s.g);
    for (job_id j = 1; j < s.g->jobs.len; j++)
        if (s.g->jobs.at[j].number && j != b)
            picker_add(&s.picker, j);
    is(scene_take(&s), "a:1", "one starts while others have been looked at");
    picker_add(&s.picker, b);
    scene_end(&s, 0);
    is(scene_take(&s), "b:1", "a job of higher priority that is ready later goes before them");
    scene_close(&s);
}

static void test_chains(void)
{
    struct scene s = scene_open(
        "rule all:\n    input: 'x1', 'x2', 'c1', 'c2'\n"
        "rule x:\n    output: 'x{n}'\n    shell: 'true'\n"
        "rule a:\n    output: 'a{n}'\n    shell: 'true'\n"
        "rule c:\n    input: 'a{n}'\n    output: 'c{n}'\n    shell: 'true'\n",
        1);
    uint32_t *chains;
    for (job_id j = 1; j < s.g->jobs.len; j++)
        s.g->jobs.at[j].must_run = true;
    s.picker.chain = chains = graph_chains(s.g);
    scene_start(&s);
    is(scene_take(&s), "c:1", "those on the longest chain go first, in order of discovery");
    ok(chains[graphtest_job(s.g, "x")] == 2 && chains[graphtest_job(s.g, "a")] == 3 &&
           chains[graphtest_job(s.g, "c")] == 3 && chains[graphtest_job(s.g, "all")] == 3,
       "a chain counts all its jobs, the last one too");
    scene_close(&s);
    free(chains);
}

static void test_rules_apart(void)
{
    struct scene s = scene_open(
        "rule all:\n    input: expand('g{n}', n=range(200)), 'a1', 'a2'\n"
        "rule g:\n    output: 'g{n}'\n    resources: gpu=1\n    shell: 'true'\n"
        "rule a:\n    output: 'a{n}'\n    shell: 'true'\n",
        4);
    struct limit limits[] = {{intern_str(s.t.names, "gpu"), 1, 0}};
    s.picker.limits = limits;
    s.picker.nlimits = 1;
    scene_start(&s);
    is(scene_take(&s), "g:0 a:1 a:2",
       "two hundred jobs that wait for a resource hold nobody else back");
    ok(picker_waiting(&s.picker) == 199, "and wait themselves");
    scene_close(&s);
}

static void test_many(void)
{
    enum { N = 1000 };
    struct scene s = scene_open(
        "rule all:\n    input: expand('a{n}', n=range(1000))\n"
        "rule a:\n    output: 'a{n}'\n    threads: lambda w: int(w.n) % 5\n    shell: 'true'\n",
        8);
    scene_start(&s);
    uint32_t ended = 0;
    bool within = true;
    while (ended < N) {
        uint32_t before = s.taken.len;
        scene_take(&s);
        within &= s.picker.cores_used <= 8;
        if (s.taken.len == ended && s.taken.len == before)
            break;
        scene_end(&s, ended++);
    }
    ok(ended == N && !picker_waiting(&s.picker),
       "a thousand jobs of 0 to 4 cores all get their turn");
    ok(within, "never above the limit");
    ok(s.picker.cores_used == 0, "nothing is held at the end");
    scene_close(&s);
}

static void test_failing_function(void)
{
    struct scene s = scene_open(
        "def boom(w):\n    raise ValueError('no')\n"
        "rule all:\n    input: 'a1', 'b1'\n"
        "rule a:\n    output: 'a{n}'\n    resources: mem_mb=boom\n    shell: 'true'\n"
        "rule b:\n    output: 'b{n}'\n    shell: 'true'\n",
        1);
    scene_start(&s);
    is(scene_take(&s), "", "a resource function that raises");
    ok(s.picker.failed && s.picker.failed_job == graphtest_job(s.g, "a"), "is told with its job");
    s.picker.failed = false;
    is(scene_take(&s), "b:1", "and others can go on");
    scene_close(&s);
}

int main(void)
{
    test_cores();
    test_capped();
    test_limits();
    test_slots();
    test_priorities();
    test_late_priority();
    test_chains();
    test_rules_apart();
    test_many();
    test_failing_function();
    return done();
}
