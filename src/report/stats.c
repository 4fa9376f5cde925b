// SPDX-License-Identifier: MIT
#include "report/stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/words.h"
#include "graph/fresh.h"

struct rule_count {
    const char *name;
    uint32_t count, level;
};

static int by_level(const void *a, const void *b)
{
    const struct rule_count *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* One row a rule that has jobs to run; *n of them, in malloc memory. */
static struct rule_count *count_rules(const struct ready *order, uint32_t *n)
{
    const struct graph *g = order->g;
    uint32_t nrules = g->workflow->rules.len;
    struct rule_count *rows = memory_zeroed(nrules + 1, sizeof *rows);
    for (uint32_t i = 0; i < order->queue.len; i++) {
        struct rule_count *row = &rows[g->jobs.at[order->queue.at[i]].rule];
        uint32_t level = order->level[order->queue.at[i]];
        if (!row->count++ || level < row->level)
            row->level = level;
    }
    *n = 0;
    for (rule_id r = 1; r < nrules; r++)
        if (rows[r].count) {
            rows[r].name = sym_text(g->names, g->workflow->rules.at[r]->name);
            rows[(*n)++] = rows[r];
        }
    qsort(rows, *n, sizeof *rows, by_level);
    return rows;
}

void stats_text(const struct ready *order, struct buf *out)
{
    uint32_t n, total = 0;
    int width = 5; /* "total" */
    struct rule_count *rows = count_rules(order, &n);
    for (uint32_t i = 0; i < n; i++) {
        total += rows[i].count;
        size_t own = utf8_columns(rows[i].name, strlen(rows[i].name));
        width = (int)own > width ? (int)own : width;
    }
    char number[16];
    int digits = snprintf(number, sizeof number, "%u", total);
    digits = digits > 7 ? digits : 7; /* "count" and two blanks, as Snakemake has it */
    buf_printf(out, "Job stats:\n%-*s  %*s\n", width, "job", digits, "count");
    for (int i = 0; i < width; i++)
        buf_char(out, '-');
    buf_str(out, "  ");
    for (int i = 0; i < digits; i++)
        buf_char(out, '-');
    for (uint32_t i = 0; i < n; i++) {
        buf_char(out, '\n');
        buf_cell(out, rows[i].name, (size_t)width);
        buf_printf(out, "  %*u", digits, rows[i].count);
    }
    buf_printf(out, "\n%-*s  %*u\n", width, "total", digits, total);
    free(rows);
}

/* The sorted names of the rules that run for one of these reasons, separated by ", ". */
static void add_rule_names(const struct graph *g, const uint16_t *reasons, uint16_t wanted,
                           struct buf *out)
{
    enum { SHOWN = 50 };
    const char **names = memory_zeroed(g->workflow->rules.len + 1, sizeof *names);
    uint32_t n = 0;
    for (rule_id r = 1; r < g->workflow->rules.len; r++)
        if (reasons[r] & wanted)
            names[n++] = sym_text(g->names, g->workflow->rules.at[r]->name);
    qsort(names, n, sizeof *names, word_order);
    for (uint32_t i = 0; i < n && i < SHOWN; i++)
        buf_printf(out, "%s%s", i ? ", " : "", names[i]);
    if (n > SHOWN)
        buf_str(out, ", ...");
    free(names);
}

static uint16_t *reasons_by_rule(const struct graph *g)
{
    uint16_t *reasons = memory_zeroed(g->workflow->rules.len + 1, sizeof *reasons);
    for (job_id j = 1; j < g->jobs.len; j++)
        if (g->jobs.at[j].must_run)
            reasons[g->jobs.at[j].rule] |= g->jobs.at[j].reasons;
    return reasons;
}

static int by_title(const void *a, const void *b)
{
    return strcmp(reason_title(*(const int *)a), reason_title(*(const int *)b));
}

void reasons_text(const struct graph *g, struct buf *out)
{
    uint16_t *reasons = reasons_by_rule(g), all = 0;
    int bits[16], n = 0;
    for (rule_id r = 1; r < g->workflow->rules.len; r++)
        all |= reasons[r];
    for (int bit = 0; all >> bit; bit++)
        if (all >> bit & 1)
            bits[n++] = bit;
    qsort(bits, (size_t)n, sizeof *bits, by_title);
    buf_str(out, "Reasons:\n    (check individual jobs above for details)");
    for (int i = 0; i < n; i++) {
        buf_printf(out, "\n    %s:\n        ", reason_title(bits[i]));
        add_rule_names(g, reasons, (uint16_t)(1 << bits[i]), out);
    }
    free(reasons);
}

void provenance_rules_text(const struct graph *g, struct buf *out)
{
    uint16_t *reasons = reasons_by_rule(g);
    add_rule_names(g, reasons, REASON_CODE | REASON_PARAMS | REASON_INPUT_SET | REASON_SOFTWARE,
                   out);
    free(reasons);
}

uint32_t unrecorded_text(const struct graph *g, struct buf *out)
{
    uint16_t *rules = memory_zeroed(g->workflow->rules.len + 1, sizeof *rules);
    uint32_t n = 0;
    for (job_id j = 1; j < g->jobs.len; j++) {
        const struct job *job = &g->jobs.at[j];
        if (!job->needed || job->must_run || !job->unrecorded)
            continue;
        rules[job->rule] = 1;
        n++;
    }
    add_rule_names(g, rules, 1, out);
    free(rules);
    return n;
}
