// SPDX-License-Identifier: MIT
// qc_gain.c: deconvolution by the right point spread function brings light back to where it came
// from: the plane that is sharpest gains contrast, those beside the tissue hardly. By one that is
// far too wide (a wrong aperture or plane distance) it is the other way round.
#include "qc_table.h"

#include <math.h>
#include <string.h>

enum { LEAST_PLANES = 5 };

// Of a stack; z from 1. NAN: the plane was not measured.
static double std_of(const struct qc_table *table, const char *stage, const struct qc_entry *of,
                     int z)
{
    for (int i = 0; i < table->entry_count; i++) {
        const struct qc_entry *e = &table->entries[i];
        if (e->cycle == of->cycle && e->channel == of->channel && e->z == z &&
            !strcmp(e->stage, stage))
            return e->plane.std;
    }
    return NAN;
}

// The contrast of plane z after deconvolution, over that before.
static double gain(const struct qc_table *table, const struct qc_entry *of, int z)
{
    return std_of(table, "decon", of, z) / std_of(table, "stitch", of, z);
}

static void judge_stack(struct qc_table *table, const struct qc_entry *first)
{
    int planes = 0, sharpest = 1;
    double most = first->plane.std;
    for (double std; !isnan(std = std_of(table, "stitch", first, planes + 1)); planes++) {
        if (std <= most)
            continue;
        most = std;
        sharpest = planes + 1;
    }
    if (planes < LEAST_PLANES || sharpest == 1 || sharpest == planes)
        return;
    double ends = (gain(table, first, 1) + gain(table, first, planes)) / 2;
    if (ends > 0) // a NaN is not added
        qc_table_value(table, "decon", "focus_gain", first->cycle, first->channel, first->marker,
                       gain(table, first, sharpest) / ends);
}

void qc_table_judge_gain(struct qc_table *table)
{
    for (int i = 0; i < table->entry_count; i++)
        if (!strcmp(table->entries[i].stage, "stitch") && table->entries[i].z == 1)
            judge_stack(table, &table->entries[i]);
}
