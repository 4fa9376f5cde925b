// SPDX-License-Identifier: MIT
#include "qc/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qc/json.h"

void qc_table_free(struct qc_table *table)
{
    free(table->entries);
    free(table->values);
    free(table->notes);
    *table = (struct qc_table){0};
}

bool qc_table_is_whole(const struct qc_table *table, struct kin_error *err)
{
    return !table->failed || kin_fail(err, KIN_MEMORY, "no memory for quality reports");
}

// The array with room for one more; grows by doubling.
static void *room(struct qc_table *table, void *array, int count, size_t size)
{
    if (count & (count - 1))
        return array;
    void *larger = realloc(array, (size_t)(count ? 2 * count : 1) * size);
    if (!larger) {
        table->failed = true;
        return NULL;
    }
    return larger;
}

void qc_table_plane(struct qc_table *table, const struct qc_entry *entry)
{
    struct qc_entry *entries = room(table, table->entries, table->entry_count, sizeof *entries);
    if (!entries)
        return;
    table->entries = entries;
    entries[table->entry_count++] = *entry;
}

void qc_table_note(struct qc_table *table, const char *format, ...)
{
    char(*notes)[QC_NOTE] = room(table, table->notes, table->note_count, sizeof *notes);
    va_list args;
    if (!notes)
        return;
    table->notes = notes;
    va_start(args, format);
    vsnprintf(notes[table->note_count++], sizeof *notes, format, args);
    va_end(args);
}

// What cannot be is no measurement: the report that says so is odd.
static void refuse_value(struct qc_table *table, const struct qc_value *v)
{
    qc_table_note(table, "%s, cycle %d %s: %s is %g, which it cannot be", v->stage, v->cycle,
                  v->marker, v->metric, v->value);
    qc_table_value(table, "report", "odd_reports", v->cycle, v->channel, v->metric, 1);
}

void qc_table_value(struct qc_table *table, const char *stage, const char *metric, int cycle,
                    int channel, const char *marker, double value)
{
    struct qc_value *values, v = {.cycle = cycle, .channel = channel, .value = value};
    snprintf(v.stage, sizeof v.stage, "%s", stage);
    snprintf(v.metric, sizeof v.metric, "%s", metric);
    snprintf(v.marker, sizeof v.marker, "%s", marker ? marker : "");
    v.limit = qc_limit_find(stage, metric);
    v.status = qc_judge(v.limit, value);
    if (isnan(value))
        return;
    if (!qc_limit_allows(v.limit, value)) {
        refuse_value(table, &v);
    } else if ((values = room(table, table->values, table->value_count, sizeof *values))) {
        table->values = values;
        values[table->value_count++] = v;
    }
}

static bool same_stack(const struct qc_entry *a, const struct qc_entry *b)
{
    return !strcmp(a->stage, b->stage) && a->cycle == b->cycle && a->channel == b->channel;
}

static bool first_of_stack(const struct qc_table *table, int i)
{
    for (int k = 0; k < i; k++)
        if (same_stack(&table->entries[k], &table->entries[i]))
            return false;
    return true;
}

// A stack is as good as its worst plane, but a signal need only be seen in its best one.
static double extreme(const struct qc_table *table, int i, const struct qc_field *field,
                      bool highest, int *z)
{
    double best = NAN;
    for (int k = i; k < table->entry_count; k++) {
        const struct qc_entry *e = &table->entries[k];
        double v = same_stack(e, &table->entries[i]) ? qc_get(&e->plane, field) : NAN;
        if (isnan(v) || (!isnan(best) && (highest ? v <= best : v >= best)))
            continue;
        best = v;
        *z = e->z;
    }
    return best;
}

void qc_table_judge_planes(struct qc_table *table)
{
    for (int i = 0; i < table->entry_count; i++) {
        const struct qc_entry *e = &table->entries[i];
        for (int f = 0; f < qc_plane_field_count && first_of_stack(table, i); f++) {
            const struct qc_limit *limit = qc_limit_find(e->stage, qc_plane_fields[f].name);
            if (!limit)
                continue;
            int z = 0, before = table->value_count;
            bool highest = limit->higher || !strcmp(limit->metric, "snr_fg");
            double v = extreme(table, i, &qc_plane_fields[f], highest, &z);
            qc_table_value(table, e->stage, qc_plane_fields[f].name, e->cycle, e->channel,
                           e->marker, v);
            if (table->value_count > before)
                table->values[before].z = z;
        }
    }
}

static int order_of(int a, int b)
{
    return (a > b) - (a < b);
}

static int by_status(const void *a, const void *b)
{
    const struct qc_value *x = a, *y = b;
    if (x->status != y->status)
        return (int)y->status - (int)x->status;
    int order = strcmp(x->stage, y->stage);
    order = order ? order : order_of(x->cycle, y->cycle);
    order = order ? order : order_of(x->channel, y->channel);
    return order ? order : strcmp(x->metric, y->metric);
}

void qc_table_sort(struct qc_table *table)
{
    if (table->value_count)
        qsort(table->values, table->value_count, sizeof *table->values, by_status);
}

int qc_table_count(const struct qc_table *table, enum qc_status status)
{
    int n = 0;
    for (int i = 0; i < table->value_count; i++)
        n += table->values[i].status == status;
    return n;
}

double qc_table_cell(const struct qc_table *table, const char *stage, int cycle, int channel,
                     const struct qc_field *field)
{
    double sum = 0, n = 0;
    for (int i = 0; i < table->entry_count; i++) {
        const struct qc_entry *e = &table->entries[i];
        double v = !strcmp(e->stage, stage) && e->cycle == cycle && e->channel == channel
                       ? qc_get(&e->plane, field)
                       : NAN;
        if (!isnan(v)) {
            sum += v;
            n++;
        }
    }
    return n > 0 ? sum / n : NAN;
}

static struct js *value_js(const struct qc_value *v)
{
    struct js *o = js_object();
    js_set_text(o, "stage", v->stage);
    js_set_text(o, "metric", v->metric);
    if (v->cycle)
        js_set_number(o, "cycle", v->cycle);
    if (v->channel)
        js_set_number(o, "channel", v->channel);
    if (v->marker[0])
        js_set_text(o, "marker", v->marker);
    if (v->z)
        js_set_number(o, "z", v->z);
    js_set_number(o, "value", v->value);
    js_set_text(o, "unit", v->limit ? v->limit->unit : "");
    if (v->limit) {
        js_set_number(o, "yellow", v->limit->yellow);
        js_set_number(o, "red", v->limit->red);
        js_set_text(o, "worse", v->limit->higher ? "higher" : "lower");
    }
    js_set_text(o, "status", qc_status_name(v->status));
    return o;
}

struct js *qc_table_js(const struct qc_table *table)
{
    struct js *root = js_object(), *values = js_array(), *planes = js_array(), *notes = js_array();
    int red = qc_table_count(table, QC_RED), yellow = qc_table_count(table, QC_YELLOW);
    js_set_text(root, "status", red ? "red" : yellow ? "yellow" : "green");
    js_set_number(root, "red", red);
    js_set_number(root, "yellow", yellow);
    js_set_number(root, "green", qc_table_count(table, QC_GREEN));
    for (int i = 0; i < table->value_count; i++)
        js_push(values, value_js(&table->values[i]));
    for (int i = 0; i < table->entry_count; i++) {
        const struct qc_entry *e = &table->entries[i];
        struct js *plane = qc_plane_js(e->cycle, e->channel, e->marker, e->z, &e->plane);
        js_set_text(plane, "stage", e->stage);
        js_push(planes, plane);
    }
    for (int i = 0; i < table->note_count; i++)
        js_push_text(notes, table->notes[i]);
    js_set(root, "notes", notes);
    js_set(root, "values", values);
    js_set(root, "planes", planes);
    return root;
}
