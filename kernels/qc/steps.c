// SPDX-License-Identifier: MIT
// steps.c: deconvolution takes fewer steps where a channel is dim, cycle by cycle. The nuclear
// stain is the same in all of them, and near the limit some fall on one side and some on the other:
// their images are then not alike.
#include "qc/table.h"

#include <stdio.h>
#include <string.h>

static bool is_steps(const struct qc_value *v, int channel)
{
    return v->channel == channel && !strcmp(v->stage, "decon") && !strcmp(v->metric, "iterations");
}

// "10 steps in cycles 1, 3" for the cycles that took as many as value i.
static int put_cycles(char *to, size_t size, const struct qc_table *table, int i, int channel)
{
    const struct qc_value *v = table->values;
    int n = snprintf(to, size, "%g steps in cycles", v[i].value), first = n;
    for (int k = i; k < table->value_count && (size_t)n < size; k++)
        if (is_steps(&v[k], channel) && v[k].value == v[i].value)
            n += snprintf(to + n, size - (size_t)n, "%s %d", n > first ? "," : "", v[k].cycle);
    return (size_t)n < size ? n : (int)size - 1;
}

void qc_table_compare_steps(struct qc_table *table, int channel)
{
    char text[QC_NOTE - 200] = "";
    int n = 0, groups = 0;
    for (int i = 0; i < table->value_count; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++)
            seen = seen || (is_steps(&table->values[k], channel) &&
                            table->values[k].value == table->values[i].value);
        if (seen || !is_steps(&table->values[i], channel))
            continue;
        n += snprintf(text + n, sizeof text - (size_t)n, "%s", groups++ ? "; " : "");
        n += put_cycles(text + n, sizeof text - (size_t)n, table, i, channel);
    }
    if (groups > 1)
        qc_table_note(
            table,
            "decon: channel %d shows nuclei in every cycle, but is not sharpened alike: "
            "%s; deconv --iterations 10 --smooth 0, or --iterations 5 --plain --smooth 1, "
            "makes them alike",
            channel, text);
}
