// SPDX-License-Identifier: MIT
#include "report/dot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/words.h"
#include "graph/ready.h"
#include "report/filegraph.h"
#include "report/rulenet.h"

static const char head[] = "digraph snakemake_dag {\n"
                           "    graph[bgcolor=white, margin=0];\n"
                           "    node[shape=box, style=rounded, fontname=sans,"
                           "                 fontsize=10, penwidth=2];\n"
                           "    edge[penwidth=2, color=grey];\n";

static const char mermaid_head[] = "---\ntitle: DAG\n---\nflowchart TB\n";

struct dot {
    const struct graph *g;
    enum drawing form;
    struct buf *out;
    struct buf styles; /* mermaid: they follow the nodes */
    struct buf edges;
    uint32_t *rank;  /* by rule: place of its name among all */
    struct map seen; /* edges already drawn */
};

struct named_rule {
    const char *name;
    rule_id id;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named_rule *)a)->name, ((const struct named_rule *)b)->name);
}

static uint32_t *rank_rules(const struct workflow *workflow)
{
    uint32_t n = workflow->rules.len;
    struct named_rule *names = memory_zeroed(n + 1, sizeof *names);
    uint32_t *rank = memory_zeroed(n + 1, sizeof *rank);
    for (rule_id r = 1; r < n; r++)
        names[r] = (struct named_rule){sym_text(workflow->names, workflow->rules.at[r]->name), r};
    if (n > 1)
        qsort(names + 1, n - 1, sizeof *names, by_name);
    for (uint32_t i = 1; i < n; i++)
        rank[names[i].id] = i - 1;
    free(names);
    return rank;
}

/* One of red, green, blue (0, 1, 2) of a hue, at the saturation and value of all nodes. */
static int shade(double hue, int which)
{
    static const uint8_t order[6][3] = {{0, 3, 1}, {2, 0, 1}, {1, 0, 3},
                                        {1, 2, 0}, {3, 1, 0}, {0, 1, 2}};
    const double s = 0.6, v = 0.85;
    int sector = (int)(hue * 6);
    double rest = hue * 6 - sector;
    double levels[4] = {v, v * (1 - s), v * (1 - s * rest), v * (1 - s * (1 - rest))};
    return (int)lrint(255 * levels[order[sector % 6][which]]); /* 178.5 is 178, as in Python */
}

/* A label within quotes of the language; its lines are apart by newlines. */
static void dot_label(struct buf *out, const char *label)
{
    buf_char(out, '"');
    for (; *label; label++)
        if (*label == '\n')
            buf_str(out, "\\n");
        else
            buf_printf(out, strchr("\"\\", *label) ? "\\%c" : "%c", *label);
    buf_char(out, '"');
}

/* Quoted only where a character would end it or mean something. */
static void mermaid_label(struct buf *out, const char *label)
{
    const char *quote = strpbrk(label, "\"\\[](){}<>|#&;`") ? "\"" : "";
    buf_str(out, quote);
    for (; *label; label++)
        if (*label == '\n')
            buf_str(out, " - ");
        else if (strchr("\"#&<>`", *label))
            buf_printf(out, "#%d;", *label);
        else
            buf_char(out, *label);
    buf_str(out, quote);
}

static void mermaid_node(struct dot *dot, uint32_t number, double hue, const char *label,
                         bool dashed)
{
    buf_printf(dot->out, "\tid%u[", number);
    mermaid_label(dot->out, label);
    buf_str(dot->out, "]\n");
    buf_printf(&dot->styles, "\tstyle id%u fill:#%02X%02X%02X,stroke-width:2px,color:#333333%s\n",
               number, shade(hue, 0), shade(hue, 1), shade(hue, 2),
               dashed ? ",stroke-dasharray: 5 5" : "");
}

static void dot_node(struct dot *dot, uint32_t number, double hue, const char *label, bool dashed)
{
    buf_printf(dot->out, "\t%u[label = ", number);
    dot_label(dot->out, label);
    buf_printf(dot->out, ", color = \"%.2f 0.6 0.85\", style=\"rounded%s\"];\n", hue,
               dashed ? ",dashed" : "");
}

static void add_node(struct dot *dot, uint32_t number, rule_id rule, const char *label, bool dashed)
{
    uint32_t nrules = dot->g->workflow->rules.len - 1;
    double hue = dot->rank[rule] * (2.0 / (3.0 * nrules));
    if (dot->form == DRAW_MERMAID)
        mermaid_node(dot, number, hue, label, dashed);
    else if (dot->form == DRAW_FILES)
        filegraph_node(dot->g, rule, number, (int[]){shade(hue, 0), shade(hue, 1), shade(hue, 2)},
                       dot->out);
    else
        dot_node(dot, number, hue, label, dashed);
}

static void add_edge(struct dot *dot, uint32_t from, uint32_t to)
{
    uint32_t *seen = map_at(&dot->seen, map_pair(from + 1, to + 1));
    if (!*seen)
        buf_printf(&dot->edges, dot->form == DRAW_MERMAID ? "\tid%u --> id%u\n" : "\t%u -> %u\n",
                   from, to);
    *seen = 1;
}

static void finish(struct dot *dot)
{
    buf_add(dot->out, dot->styles.at, dot->styles.len);
    buf_add(dot->out, dot->edges.at, dot->edges.len);
    if (dot->form != DRAW_MERMAID)
        buf_str(dot->out, "}            \n");
    buf_free(&dot->styles);
    buf_free(&dot->edges);
    map_free(&dot->seen);
    free(dot->rank);
}

/* Whether some maker of the job's inputs has this wildcard with the same value: then it is not
 * repeated. */
static bool inherited(const struct graph *g, job_id id, sym_t name, sym_t text)
{
    struct input_walk walk = input_walk(g, id);
    for (file_id f; (f = input_next(g, &walk));) {
        job_id maker = g->files.at[f].maker;
        for (uint32_t i = 0; maker && i < job_rule(g, maker)->wildcards.n; i++)
            if (job_rule(g, maker)->wildcards.name[i] == name && job_wildcards(g, maker)[i] == text)
                return true;
    }
    return false;
}

/* Its wildcards are sorted as the lines that they become. */
static void job_label(const struct graph *g, job_id id, struct buf *out)
{
    const struct rule *rule = job_rule(g, id);
    struct arena lines = {0};
    const char **line = arena_array(&lines, const char *, rule->wildcards.n + 1u);
    uint32_t n = 0;
    buf_str(out, sym_text(g->names, rule->name));
    for (uint32_t i = 0; i < rule->wildcards.n; i++)
        if (!inherited(g, id, rule->wildcards.name[i], job_wildcards(g, id)[i]))
            line[n++] = arena_printf(&lines, "%s: %s", sym_text(g->names, rule->wildcards.name[i]),
                                     sym_text(g->names, job_wildcards(g, id)[i]));
    qsort(line, n, sizeof *line, word_order);
    for (uint32_t i = 0; i < n; i++)
        buf_printf(out, "\n%s", line[i]);
    arena_free(&lines);
}

static void job_edges(struct dot *dot, job_id id)
{
    const struct graph *g = dot->g;
    struct input_walk walk = input_walk(g, id);
    for (file_id f; (f = input_next(g, &walk));)
        if (g->files.at[f].maker)
            add_edge(dot, g->jobs.at[g->files.at[f].maker].number, g->jobs.at[id].number);
}

void dot_jobs(const struct graph *g, enum drawing form, struct buf *out)
{
    struct dot dot = {.g = g, .form = form, .out = out, .rank = rank_rules(g->workflow)};
    uint32_t n;
    job_id *jobs = graph_by_number(g, &n);
    struct buf label = {0};
    buf_str(out, form == DRAW_MERMAID ? mermaid_head : head);
    for (uint32_t i = 0; i < n; i++) {
        const struct job *job = &g->jobs.at[jobs[i]];
        buf_reset(&label);
        job_label(g, jobs[i], &label);
        add_node(&dot, job->number, job->rule, buf_text(&label), !job->must_run);
        job_edges(&dot, jobs[i]);
    }
    buf_free(&label);
    free(jobs);
    finish(&dot);
}

void dot_rules(const struct graph *g, enum drawing form, struct buf *out)
{
    struct dot dot = {.g = g, .form = form, .out = out, .rank = rank_rules(g->workflow)};
    struct rule_net net = rule_net(g);
    buf_str(out, form == DRAW_MERMAID ? mermaid_head : head);
    for (uint32_t i = 0; i < net.nnodes; i++) {
        rule_id rule = net.node[i].rule;
        add_node(&dot, i, rule, sym_text(g->names, g->workflow->rules.at[rule]->name), false);
    }
    for (uint32_t i = 0; i < net.nedges; i++)
        add_edge(&dot, net.edge[i].from, net.edge[i].to);
    rule_net_free(&net);
    finish(&dot);
}

void d3_jobs(const struct graph *g, struct buf *out)
{
    struct map seen = {0};
    struct buf name = {0};
    uint32_t n, nedges = 0;
    job_id *jobs = graph_by_number(g, &n);
    buf_str(out, "{\"nodes\": [");
    for (uint32_t i = 0; i < n; i++) {
        const struct job *job = &g->jobs.at[jobs[i]];
        sym_t rule = job_rule(g, jobs[i])->name;
        buf_reset(&name);
        buf_json(&name, sym_text(g->names, rule), sym_len(g->names, rule));
        buf_printf(
            out, "%s{\"id\": %u, \"value\": {\"jobid\": %u, \"label\": \"%s\", \"rule\": \"%s\"}}",
            i ? ", " : "", job->number, job->number, buf_text(&name), buf_text(&name));
    }
    buf_free(&name);
    buf_str(out, "], \"edges\": [");
    for (uint32_t i = 0; i < n; i++) {
        struct input_walk walk = input_walk(g, jobs[i]);
        for (file_id f; (f = input_next(g, &walk));) {
            job_id maker = g->files.at[f].maker;
            uint32_t *drawn = maker ? map_at(&seen, map_pair(maker, jobs[i])) : NULL;
            if (!maker || (*drawn)++ || !g->jobs.at[maker].must_run)
                continue;
            buf_printf(out, "%s{\"u\": %u, \"v\": %u}", nedges++ ? ", " : "",
                       g->jobs.at[maker].number, g->jobs.at[jobs[i]].number);
        }
    }
    buf_str(out, "]}\n");
    map_free(&seen);
    free(jobs);
}
