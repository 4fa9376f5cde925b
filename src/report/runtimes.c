// SPDX-License-Identifier: MIT
#include "report/runtimes.h"

#include <stdlib.h>

#include "base/memory.h"
#include "graph/ready.h"

struct collecting {
    const struct graph *g;
    uint32_t *node; /* by rule: 1 + its node */
    struct runtimes *out;
};

/* From the earliest start to the latest end that the records of its outputs know. */
static void add_job(struct collecting *c, struct state *state, job_id id)
{
    const struct job *job = &c->g->jobs.at[id];
    struct job_time time = {.node = c->node[job->rule] - 1};
    for (uint32_t i = 0; i < job->noutputs; i++) {
        file_id file = job_outputs(c->g, id)[i];
        const struct output_record *record = state_find(state, c->g->files.at[file].path);
        if (!record || record->incomplete || !record->end_ns) {
            c->out->nmissing++;
            c->out->missing = file_path(c->g, file);
            continue;
        }
        if (!time.start_ns || record->start_ns < time.start_ns)
            time.start_ns = record->start_ns;
        if (record->end_ns > time.end_ns)
            time.end_ns = record->end_ns;
    }
    if (time.start_ns && time.end_ns >= time.start_ns)
        vec_push(&c->out->jobs, time);
}

static int by_rule(const void *a, const void *b)
{
    const struct job_time *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The value below which the part q of n sorted ones lies, interpolated. */
static double quantile(const double *at, uint32_t n, double q)
{
    double place = q * (n - 1);
    uint32_t i = (uint32_t)place;
    return i + 1 < n ? at[i] + (place - i) * (at[i + 1] - at[i]) : at[n - 1];
}

/* The n jobs of one rule. */
static void sum_up(struct runtimes *out, const struct job_time *job, uint32_t n)
{
    struct rule_time *rule = &out->rule[job->node];
    double *seconds = memory_zeroed(n, sizeof *seconds);
    for (uint32_t i = 0; i < n; i++) {
        seconds[i] = (double)(job[i].end_ns - job[i].start_ns) * 1e-9;
        rule->total += seconds[i];
        if (!out->start_ns || job[i].start_ns < out->start_ns)
            out->start_ns = job[i].start_ns;
        if (job[i].end_ns > out->end_ns)
            out->end_ns = job[i].end_ns;
    }
    qsort(seconds, n, sizeof *seconds, by_number);
    rule->njobs = n;
    rule->least = seconds[0];
    rule->lower = quantile(seconds, n, 0.25);
    rule->median = quantile(seconds, n, 0.5);
    rule->upper = quantile(seconds, n, 0.75);
    rule->most = seconds[n - 1];
    free(seconds);
}

static void add_attempt(void *user, const struct attempt_record *attempt)
{
    struct collecting *c = user;
    const struct rule *rule = workflow_rule(c->g->workflow, attempt->rule);
    uint32_t node = rule ? c->node[rule->id] : 0;
    if (!node)
        return;
    struct rule_time *time = &c->out->rule[node - 1];
    time->nattempts++;
    time->cpu_s += attempt->cpu_s;
    if (attempt->max_rss_kb > time->max_rss_kb)
        time->max_rss_kb = attempt->max_rss_kb;
}

void runtimes_collect(const struct graph *g, const struct rule_net *net, struct state *state,
                      struct runtimes *out)
{
    struct collecting c = {.g = g, .out = out};
    uint32_t n;
    *out = (struct runtimes){.rule = memory_zeroed(net->nnodes + 1, sizeof *out->rule)};
    if (!state)
        return;
    c.node = memory_zeroed(g->workflow->rules.len + 1, sizeof *c.node);
    for (uint32_t i = 0; i < net->nnodes; i++)
        c.node[net->node[i].rule] = i + 1;
    job_id *jobs = graph_by_number(g, &n);
    for (uint32_t i = 0; i < n; i++)
        add_job(&c, state, jobs[i]);
    if (out->jobs.len)
        qsort(out->jobs.at, out->jobs.len, sizeof *out->jobs.at, by_rule);
    for (uint32_t i = 0, end; i < out->jobs.len; i = end) {
        for (end = i + 1; end < out->jobs.len && out->jobs.at[end].node == out->jobs.at[i].node;)
            end++;
        sum_up(out, &out->jobs.at[i], end - i);
    }
    state_attempts(state, add_attempt, &c);
    free(jobs);
    free(c.node);
}

void runtimes_free(struct runtimes *runtimes)
{
    vec_free(&runtimes->jobs);
    free(runtimes->rule);
}
