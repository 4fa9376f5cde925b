// SPDX-License-Identifier: MIT
#include "exec/slurm_asks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/gres.h"
#include "base/memsize.h"

static const int64_t MOST = INT64_C(1) << 40; /* no sum of these overflows */

struct options {
    const char *const *words;
    uint32_t n;
};

static int64_t capped(double n)
{
    return n > 0 ? n < (double)MOST ? (int64_t)n : MOST : 0;
}

static int64_t times(int64_t a, int64_t b)
{
    return capped((double)a * (double)b);
}

static const char *text_of(const struct options *o, const char *name, char letter)
{
    return slurm_find_arg(o->words, o->n, name, letter);
}

/* At least 1 where it is stated ("2-4" nodes are 2), else 0. */
static int64_t count(const struct options *o, const char *name, char letter)
{
    const char *text = text_of(o, name, letter);
    int64_t n = text ? capped(strtod(text, NULL)) : 0;
    return text && n < 1 ? 1 : n;
}

/* In MB; 0 where it is not stated. */
static int64_t memory(const struct options *o, const char *name)
{
    const char *text = text_of(o, name, 0);
    int64_t mb = text ? memsize_mb(text, strlen(text)) : 0;
    return mb > 0 ? mb : 0;
}

/* "2", "a100:2", "a100:1,h100:1"; -1 where it is not stated. */
static int64_t gpus(const struct options *o, const char *name, char letter)
{
    const char *text = text_of(o, name, letter);
    int64_t sum = 0;
    for (const char *at = text; at && *at; at += strcspn(at, ","), at += *at == ',') {
        size_t len = strcspn(at, ",");
        const char *colon = memchr(at, ':', len);
        const char *number = colon ? colon + 1 : at;
        sum += isdigit((unsigned char)*number) ? capped(strtod(number, NULL)) : 1;
    }
    return text ? capped((double)sum) : -1;
}

/* As many tasks as are stated, for each GPU or node if so, or one a node. */
static int64_t tasks_of(const struct options *o, int64_t nodes, int64_t all_gpus)
{
    int64_t n = count(o, "ntasks", 'n');
    if (!n && all_gpus > 0)
        n = times(count(o, "ntasks-per-gpu", 0), all_gpus);
    if (!n)
        n = times(count(o, "ntasks-per-node", 0), nodes);
    return n ? n : nodes;
}

struct slurm_asks slurm_asks_of(const char *const *words, uint32_t n)
{
    struct options o = {words, n};
    struct slurm_asks asks = {0};
    const char *gres = text_of(&o, "gres", 0);
    int64_t nodes = count(&o, "nodes", 'N'), all = gpus(&o, "gpus", 'G'),
            per_node = gpus(&o, "gpus-per-node", 0), per_task = gpus(&o, "gpus-per-task", 0);
    nodes = nodes ? nodes : 1;
    if (all < 0 && per_node >= 0)
        all = times(per_node, nodes);
    if (all < 0 && gres)
        all = times(gres_gpus(gres, strlen(gres)), nodes);
    int64_t tasks = tasks_of(&o, nodes, all);
    asks.gpus = all >= 0 ? all : per_task > 0 ? times(per_task, tasks) : 0;
    int64_t cpus = count(&o, "cpus-per-task", 'c'), per_gpu = count(&o, "cpus-per-gpu", 0);
    asks.cpus = !cpus && per_gpu && asks.gpus ? times(per_gpu, asks.gpus)
                                              : times(cpus ? cpus : 1, tasks);
    int64_t mem_per_cpu = memory(&o, "mem-per-cpu"), mem_per_gpu = memory(&o, "mem-per-gpu");
    asks.mem_mb = mem_per_cpu   ? times(mem_per_cpu, asks.cpus)
                  : mem_per_gpu ? times(mem_per_gpu, asks.gpus)
                                : times(memory(&o, "mem"), nodes);
    return asks;
}

struct slurm_asks slurm_asks(const struct launch *launch)
{
    struct arena scratch = {0};
    slurm_words words = {0};
    slurm_args(&scratch, launch, &(struct slurm_options){0}, &words);
    struct slurm_asks asks = slurm_asks_of(words.at, words.len);
    vec_free(&words);
    arena_free(&scratch);
    return asks;
}
