// SPDX-License-Identifier: MIT
// copies.c: a camera never takes the same image twice: planes that agree in every number, to ten
// digits, are copies. They come from files that were copied, or exported twice under two names, and
// fit everything: a cycle that is a copy of another is registered without any error.
#include "qc/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int order_of(double a, double b)
{
    return isnan(a) || isnan(b) ? !isnan(a) - !isnan(b) : (a > b) - (a < b);
}

static int by_numbers(const struct qc_entry *a, const struct qc_entry *b)
{
    int order = 0;
    for (int f = 0; f < qc_plane_field_count && !order; f++)
        order = order_of(qc_get(&a->plane, &qc_plane_fields[f]),
                         qc_get(&b->plane, &qc_plane_fields[f]));
    return order;
}

static int by_place(const struct qc_entry *a, const struct qc_entry *b)
{
    int order = a->cycle - b->cycle;
    order = order ? order : a->channel - b->channel;
    return order ? order : a->z - b->z;
}

// Copies beside each other, the original first.
static int by_picture(const void *a, const void *b)
{
    const struct qc_entry *x = *(const struct qc_entry *const *)a,
                          *y = *(const struct qc_entry *const *)b;
    int order = by_numbers(x, y);
    return order ? order : by_place(x, y);
}

struct copy {
    const struct qc_entry *of, *at;
};

static int by_copy(const void *a, const void *b)
{
    return by_place(((const struct copy *)a)->at, ((const struct copy *)b)->at);
}

// Among n planes, sorted by picture. A plane of one value is told of elsewhere.
static int list_copies(const struct qc_entry *const *planes, int n, struct copy *copies)
{
    int count = 0, first = 0;
    for (int i = 1; i < n; i++) {
        if (by_numbers(planes[first], planes[i]))
            first = i;
        else if (planes[i]->plane.std > 0)
            copies[count++] = (struct copy){planes[first], planes[i]};
    }
    qsort(copies, (size_t)count, sizeof *copies, by_copy);
    return count;
}

static void tell_copies(struct qc_table *table, const struct copy *copies, int count)
{
    for (int i = 0, n; i < count; i += n) {
        const struct qc_entry *at = copies[i].at, *of = copies[i].of;
        for (n = 1; i + n < count && copies[i + n].at->cycle == at->cycle &&
                    copies[i + n].at->channel == at->channel;)
            n++;
        qc_table_value(table, at->stage, "copied_planes", at->cycle, at->channel, at->marker, n);
        qc_table_note(table,
                      "%s, cycle %d %s: %d plane%s of channel %d that no camera took: plane %d is "
                      "that of cycle %d, channel %d, plane %d (files copied or exported twice?)",
                      at->stage, at->cycle, at->marker, n, n > 1 ? "s" : "", at->channel, at->z,
                      of->cycle, of->channel, of->z);
    }
}

void qc_table_find_copies(struct qc_table *table, const char *stage)
{
    size_t room = (size_t)table->entry_count + 1;
    const struct qc_entry **planes = malloc(room * sizeof *planes);
    struct copy *copies = malloc(room * sizeof *copies);
    int n = 0;
    for (int i = 0; planes && i < table->entry_count; i++)
        if (!strcmp(table->entries[i].stage, stage))
            planes[n++] = &table->entries[i];
    if (planes && copies) {
        qsort(planes, (size_t)n, sizeof *planes, by_picture);
        tell_copies(table, copies, list_copies(planes, n, copies));
    } else {
        table->failed = true;
    }
    free(planes);
    free(copies);
}
