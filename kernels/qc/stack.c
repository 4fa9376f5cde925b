// SPDX-License-Identifier: MIT
// stack.c: what the contrast of a stack's planes says. It rises towards the tissue and falls
// behind it: a plane that has less than planes on both sides does not belong where it stands.
//
// Deconvolution by the right point spread function brings light back to where it came from: the
// plane that is sharpest gains contrast, those beside the tissue hardly. By one that is far too
// wide (a wrong aperture or plane distance) it is the other way round.
#include "qc/table.h"

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

struct peak { // of a stitched stack's contrast
    int planes, at;
    double most;
};

static struct peak peak_of(const struct qc_table *table, const struct qc_entry *first)
{
    struct peak peak = {0, 1, first->plane.std};
    for (double std; !isnan(std = std_of(table, "stitch", first, peak.planes + 1)); peak.planes++) {
        if (std <= peak.most)
            continue;
        peak.most = std;
        peak.at = peak.planes + 1;
    }
    return peak;
}

static void judge_gain(struct qc_table *table, const struct qc_entry *first, struct peak peak)
{
    if (peak.at == 1 || peak.at == peak.planes)
        return;
    double ends = (gain(table, first, 1) + gain(table, first, peak.planes)) / 2;
    if (ends > 0) // a NaN is not added
        qc_table_value(table, "decon", "focus_gain", first->cycle, first->channel, first->marker,
                       gain(table, first, peak.at) / ends);
}

struct dip {
    double depth;
    int at;
};

// From an end of the stack to its peak: how far a plane falls below those that it has passed.
static struct dip deepest(const struct qc_table *table, const struct qc_entry *first, int from,
                          int to)
{
    struct dip dip = {0, 0};
    double passed = 0;
    for (int z = from, step = from < to ? 1 : -1; z != to; z += step) {
        double std = std_of(table, "stitch", first, z);
        passed = fmax(passed, std);
        if (passed - std > dip.depth)
            dip = (struct dip){passed - std, z};
    }
    return dip;
}

static void judge_order(struct qc_table *table, const struct qc_entry *first, struct peak peak)
{
    struct dip before = deepest(table, first, 1, peak.at),
               behind = deepest(table, first, peak.planes, peak.at),
               dip = before.depth > behind.depth ? before : behind;
    if (!(peak.most > 0))
        return;
    qc_table_value(table, "stitch", "contrast_dip", first->cycle, first->channel, first->marker,
                   dip.depth / peak.most);
    if (qc_judge(qc_limit_find("stitch", "contrast_dip"), dip.depth / peak.most) > QC_GREEN)
        qc_table_note(table,
                      "stitch cycle %d, channel %d: plane %d has less contrast than planes on both "
                      "sides of it: are planes exchanged, or was one taken badly?",
                      first->cycle, first->channel, dip.at);
}

void qc_table_judge_stacks(struct qc_table *table)
{
    for (int i = 0; i < table->entry_count; i++) {
        const struct qc_entry first = table->entries[i];
        if (strcmp(first.stage, "stitch") || first.z != 1)
            continue;
        struct peak peak = peak_of(table, &first);
        if (peak.planes < LEAST_PLANES)
            continue;
        judge_order(table, &first, peak);
        judge_gain(table, &first, peak);
    }
}
