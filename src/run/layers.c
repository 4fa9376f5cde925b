// SPDX-License-Identifier: MIT
#include "run/layers.h"

#include <string.h>

#include "flow/units.h"
#include "run/pick.h"

enum { CORES = 0 }; /* the first column */

/* A resource that some job names. */
struct column {
    sym_t name;            /* 0: cores */
    bool is_text, adds_up; /* runtime: longest in a layer, sum over layers */
    bool is_factor;        /* cpu_factor: the largest, as it is no amount */
    sym_t text;
    int64_t limit; /* 0: none */
    int64_t total;
};

struct table {
    struct layers *layers;
    struct intern *names;
    struct arena *in;
    struct buf *why;
    struct column *column;
    uint32_t ncolumn;
    struct levels levels; /* of the tasks */
};

/* What must run at once: one job, or several joined by pipes. */
struct unit {
    uint32_t number;
    int64_t *value; /* by column */
    double width;   /* the largest part of a limit that it takes */
    uint32_t layer;
};

/* ---- columns ---- */

static bool is_unknown(const struct intern *names, const struct resource *r)
{
    return r->is_text && !strcmp(sym_text(names, r->text), "<TBD>");
}

/* mem and disk only show mem_mb and disk_mb again. */
static bool is_shown_again(const char *name)
{
    return !strcmp(name, "mem") || !strcmp(name, "disk");
}

static int64_t limit_of(const struct table *t, sym_t name)
{
    for (uint32_t i = 0; i < t->layers->nlimits; i++)
        if (t->layers->limits[i].name == name)
            return t->layers->limits[i].total;
    return 0;
}

static void add_column(struct table *t, const struct resource *r)
{
    const char *name = sym_text(t->names, r->name);
    for (uint32_t c = 1; c < t->ncolumn; c++)
        if (t->column[c].name == r->name)
            return;
    if (is_shown_again(name) || is_unknown(t->names, r))
        return;
    struct column *column = &t->column[t->ncolumn++];
    column->name = r->name;
    column->adds_up = !strcmp(name, "runtime");
    column->is_factor = !strcmp(name, "cpu_factor");
    column->limit = column->adds_up ? 0 : limit_of(t, r->name);
}

static void make_columns(struct table *t)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < t->layers->n; i++)
        most += t->layers->task[i]->eval.nresources;
    t->column = arena_array(t->in, struct column, most);
    t->ncolumn = 1;
    t->column[CORES].limit = t->layers->cores;
    for (uint32_t i = 0; i < t->layers->n; i++)
        for (uint32_t k = 0; k < t->layers->task[i]->eval.nresources; k++)
            add_column(t, &t->layers->task[i]->eval.resources[k]);
}

/* Texts must be the same everywhere. */
static bool check_text(struct table *t, struct column *column)
{
    for (uint32_t i = 0; i < t->layers->n; i++) {
        const struct resource *r = eval_resource(&t->layers->task[i]->eval, column->name);
        if (!r || !r->is_text || is_unknown(t->names, r))
            continue;
        if (column->is_text && column->text != r->text) {
            buf_printf(
                t->why,
                "resource %s is a string, but not all jobs of the group want the same: '%s', "
                "'%s'",
                sym_text(t->names, column->name), sym_text(t->names, column->text),
                sym_text(t->names, r->text));
            return false;
        }
        column->is_text = true;
        column->text = r->text;
    }
    return true;
}

/* ---- levels ---- */

struct levels levels_sort(const uint32_t *level, uint32_t n, struct arena *in)
{
    struct levels out = {.order = arena_array(in, uint32_t, n + 1)};
    for (uint32_t i = 0; i < n; i++)
        out.last = level[i] > out.last ? level[i] : out.last;
    out.first = arena_array(in, uint32_t, (size_t)out.last + 2);
    uint32_t *next = arena_array(in, uint32_t, (size_t)out.last + 1);
    for (uint32_t i = 0; i < n; i++)
        out.first[level[i] + 1]++;
    for (uint32_t l = 0; l <= out.last; l++) {
        out.first[l + 1] += out.first[l];
        next[l] = out.first[l];
    }
    for (uint32_t i = 0; i < n; i++)
        out.order[next[level[i]]++] = i;
    return out;
}

/* ---- units ---- */

static void merge(const struct table *t, int64_t *into, const int64_t *value, bool side_by_side)
{
    for (uint32_t c = 0; c < t->ncolumn; c++) {
        if (t->column[c].adds_up != side_by_side && !t->column[c].is_factor)
            into[c] += value[c];
        else if (value[c] > into[c])
            into[c] = value[c];
    }
}

static int64_t *values_of(const struct table *t, const struct task *task)
{
    int64_t *value = arena_array(t->in, int64_t, t->ncolumn);
    value[CORES] = task->eval.rule->body == BODY_NONE ? 0 : task->eval.threads;
    for (uint32_t c = 1; c < t->ncolumn; c++) {
        const struct resource *r = eval_resource(&task->eval, t->column[c].name);
        value[c] = r && !r->is_text ? r->number : 0;
    }
    return value;
}

/* The units of a level; in the arena. */
static struct unit *units_of(const struct table *t, uint32_t level, uint32_t *n)
{
    const struct layers *layers = t->layers;
    const struct levels *levels = &t->levels;
    struct unit *unit = arena_array(t->in, struct unit,
                                    levels->first[level + 1] - levels->first[level] + 1);
    *n = 0;
    for (uint32_t at = levels->first[level]; at < levels->first[level + 1]; at++) {
        uint32_t u = 0, i = levels->order[at];
        while (u < *n && unit[u].number != layers->unit[i])
            u++;
        if (u == *n)
            unit[(*n)++] = (struct unit){.number = layers->unit[i],
                                         .value = arena_array(t->in, int64_t, t->ncolumn)};
        merge(t, unit[u].value, values_of(t, layers->task[i]), true);
    }
    return unit;
}

static bool is_within(const struct table *t, const int64_t *value)
{
    for (uint32_t c = 0; c < t->ncolumn; c++)
        if (t->column[c].limit && value[c] > t->column[c].limit)
            return false;
    return true;
}

static bool complain_width(struct table *t, const struct unit *unit)
{
    buf_str(t->why, "jobs that must run at the same time need more than there is:");
    for (uint32_t c = 0; c < t->ncolumn; c++)
        if (t->column[c].limit && unit->value[c] > t->column[c].limit)
            buf_printf(t->why, " %s %lld of %lld",
                       c == CORES ? "cores" : sym_text(t->names, t->column[c].name),
                       (long long)unit->value[c], (long long)t->column[c].limit);
    return false;
}

/* Longest first, then widest. */
static bool before(const struct table *t, const struct unit *a, const struct unit *b)
{
    for (uint32_t c = 1; c < t->ncolumn; c++)
        if (t->column[c].adds_up && a->value[c] != b->value[c])
            return a->value[c] > b->value[c];
    return a->width > b->width;
}

static void sort_units(const struct table *t, struct unit *unit, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < t->ncolumn; c++) {
            double part = t->column[c].limit ? (double)unit[i].value[c] / (double)t->column[c].limit
                                             : 0;
            unit[i].width = part > unit[i].width ? part : unit[i].width;
        }
    for (uint32_t i = 1; i < n; i++) {
        struct unit moving = unit[i];
        uint32_t k = i;
        for (; k && before(t, &moving, &unit[k - 1]); k--)
            unit[k] = unit[k - 1];
        unit[k] = moving;
    }
}

/* Each unit goes into the first layer in which it fits. *next: the number of the next layer. */
static bool place_units(struct table *t, struct unit *unit, uint32_t n, uint32_t *next)
{
    int64_t **sum = arena_array(t->in, int64_t *, n + 1), *all, *trial;
    uint32_t first = *next;
    trial = arena_array(t->in, int64_t, t->ncolumn);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;
        if (!is_within(t, unit[i].value))
            return complain_width(t, &unit[i]);
        for (; first + k < *next; k++) {
            memcpy(trial, sum[k], t->ncolumn * sizeof *trial);
            merge(t, trial, unit[i].value, true);
            if (is_within(t, trial))
                break;
        }
        if (first + k == *next) {
            sum[k] = arena_array(t->in, int64_t, t->ncolumn);
            ++*next;
        }
        merge(t, sum[k], unit[i].value, true);
        unit[i].layer = first + k;
    }
    all = arena_array(t->in, int64_t, t->ncolumn);
    for (uint32_t k = 0; first + k < *next; k++)
        merge(t, all, sum[k], false);
    for (uint32_t c = 0; c < t->ncolumn; c++) {
        struct column *column = &t->column[c];
        column->total = column->adds_up          ? column->total + all[c]
                        : all[c] > column->total ? all[c]
                                                 : column->total;
    }
    return true;
}

static bool place_level(struct table *t, uint32_t level, uint32_t *next)
{
    uint32_t n;
    struct unit *unit = units_of(t, level, &n);
    sort_units(t, unit, n);
    if (!place_units(t, unit, n, next))
        return false;
    for (uint32_t at = t->levels.first[level]; at < t->levels.first[level + 1]; at++) {
        uint32_t u = 0, i = t->levels.order[at];
        while (unit[u].number != t->layers->unit[i])
            u++;
        t->layers->layer[i] = unit[u].layer;
    }
    return true;
}

/* ---- results ---- */

static void add_result(struct table *t, const struct column *column)
{
    struct layers *layers = t->layers;
    const char *name = sym_text(t->names, column->name);
    layers->resources[layers->nresources++] = (struct resource){
        .name = column->name,
        .is_text = column->is_text,
        .number = column->is_text ? 0 : column->total,
        .text = column->text,
    };
    if (strcmp(name, "mem_mb") && strcmp(name, "disk_mb"))
        return;
    char shown[32], stem[8] = "";
    snprintf(stem, sizeof stem, "%.*s", (int)strlen(name) - 3, name);
    resource_show_mb(column->total, shown);
    layers->resources[layers->nresources++] = (struct resource){
        .name = intern_str(t->names, stem), .is_text = true, .text = intern_str(t->names, shown)};
}

bool layers_make(struct layers *layers, struct intern *names, struct arena *in, struct buf *why)
{
    struct table t = {.layers = layers, .names = names, .in = in, .why = why};
    uint32_t next = 0;
    make_columns(&t);
    t.levels = levels_sort(layers->level, layers->n, in);
    for (uint32_t c = 1; c < t.ncolumn; c++)
        if (!check_text(&t, &t.column[c]))
            return false;
    layers->layer = arena_array(in, uint32_t, layers->n + 1);
    for (uint32_t level = 0; level <= t.levels.last; level++)
        if (!place_level(&t, level, &next))
            return false;
    layers->threads = (int)t.column[CORES].total;
    layers->resources = arena_array(in, struct resource, 2 * t.ncolumn + 1);
    layers->nresources = 0;
    for (uint32_t c = 1; c < t.ncolumn; c++)
        add_result(&t, &t.column[c]);
    return true;
}
