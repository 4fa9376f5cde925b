// SPDX-License-Identifier: MIT
/* turns.c: what a turn of the scheduler costs while 300,000 jobs are ready that share three
 * resources: in each turn two jobs end, and what fits is taken, its threads and resources
 * evaluated. Prints a sentence for docs/benchmarks.md. */
#include <time.h>

#include "graph/graphtest.h"
#include "run/pick.h"

enum { READY = 300000, TURNS = 50000, CORES = 64, ENDS = 2 };

static const char snakefile[] = "rule all:\n"
                                "    input:\n"
                                "        expand('a{n}', n=range(100000)),\n"
                                "        expand('b{n}', n=range(100000)),\n"
                                "        expand('c{n}', n=range(100000))\n"
                                "rule a:\n"
                                "    output: 'a{n}'\n"
                                "    threads: 4\n"
                                "    resources: mem_mb=4000, gpu=1\n"
                                "    shell: 'true'\n"
                                "rule b:\n"
                                "    output: 'b{n}'\n"
                                "    threads: lambda w: 1 + int(w.n) % 8\n"
                                "    resources: mem_mb=lambda w: 500 * (1 + int(w.n) % 40), io=1\n"
                                "    shell: 'true'\n"
                                "rule c:\n"
                                "    output: 'c{n}'\n"
                                "    resources: mem_mb=1000, io=lambda w: int(w.n) % 3\n"
                                "    shell: 'true'\n";

struct bench {
    struct flowtest t;
    struct picker picker;
    struct limit limits[3];
    VEC(struct task *) running; /* the oldest first, from .ended on */
    uint32_t ended;
    int64_t turn[TURNS]; /* ns */
    int64_t sweep;       /* ns, the longest */
};

static void start(struct bench *b)
{
    struct graph *g = graphtest_build(&b->t, snakefile, NULL, NULL);
    static const struct {
        const char *name;
        int64_t total;
    } rows[] = {{"mem_mb", 128000}, {"gpu", 4}, {"io", 20}};
    for (int i = 0; i < 3; i++)
        b->limits[i] = (struct limit){.name = intern_str(b->t.names, rows[i].name),
                                      .total = rows[i].total};
    b->picker = (struct picker){.cores = CORES, .limits = b->limits, .nlimits = 3};
    picker_start(&b->picker, g);
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].number)
            picker_add(&b->picker, j);
    heap_collect(b->t.w->vm); /* what reading the workflow has left */
}

/* Time of this process alone: a turn is far shorter than what others may take away at once. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void one_turn(struct bench *b)
{
    for (int i = 0; i < ENDS && b->ended < b->running.len; i++) {
        struct task *task = b->running.at[b->ended++];
        picker_release(&b->picker, task);
        task_free(task);
    }
    for (struct task *task; (task = picker_take(&b->picker));)
        vec_push(&b->running, task);
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static struct bench b;
    b.t = flowtest_open();
    start(&b);
    uint32_t ready = picker_waiting(&b.picker);
    for (int i = 0; i < TURNS; i++) {
        int64_t begin = cpu_ns();
        one_turn(&b);
        int64_t end = cpu_ns();
        b.turn[i] = end - begin;
        heap_collect(b.t.w->vm); /* as the engine does when the jobs of a turn have started */
        int64_t sweep = cpu_ns() - end;
        b.sweep = sweep > b.sweep ? sweep : b.sweep;
    }
    qsort(b.turn, TURNS, sizeof *b.turn, by_size);
    printf("A turn of the scheduler with %u ready jobs, 3 resources and %d cores, in which %d jobs "
           "end and %.1f start: %.1f us (median of %d), %.1f us (99 of 100), %.2f ms (the "
           "longest). Between turns, the longest sweep of the evaluator's heap: %.1f ms.\n",
           ready, CORES, ENDS, (double)b.running.len / TURNS, (double)b.turn[TURNS / 2] / 1e3,
           TURNS, (double)b.turn[TURNS / 100 * 99] / 1e3, (double)b.turn[TURNS - 1] / 1e6,
           (double)b.sweep / 1e6);
    return 0;
}
