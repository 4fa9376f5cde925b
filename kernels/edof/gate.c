// SPDX-License-Identifier: MIT
/* gate.c: which planes of a stack are fit to be used. Zeros are counted inside of the covered
 * area only, which is where any plane is not zero; a plane is judged by how many more zeros it has
 * than the best plane, because a stack that was deconvolved may have dark pixels that are zero in
 * all of them. */
#include "core/each.h"
#include "core/histogram.h"
#include "core/simd.h"
#include "edof/edof.h"

#include <stdlib.h>
#include <string.h>

enum { BAND = 64, SATURATED = 64000 };

struct band {
    uint16_t *rows; /* owned, (z, BAND, x) */
    int y0, count;  /* count 0: none */
};

struct gate {
    const struct kin_source *source;
    struct kin_dims dims;
    int threads;
    struct kin_histogram all; /* of all planes together, from `least` on */
    uint16_t least;           /* the clip is not below it: there are too many samples above */
    uint64_t *zeros, *high;   /* (z) */
    uint64_t dark;            /* pixels that are zero in all planes */
    struct band now, next;    /* one is counted while the other is read */
};

/* Row y of plane z in a band. */
static uint16_t *row_of(const struct gate *g, const struct band *band, int z, int y)
{
    return band->rows + ((size_t)z * BAND + (size_t)y) * (size_t)g->dims.x;
}

VECTOR_CLONES static void count_ends(const uint16_t *rows, size_t n, uint64_t *zeros,
                                     uint64_t *high)
{
    uint32_t low = 0, top = 0;
    for (size_t i = 0; i < n; i++) {
        low += rows[i] == 0;
        top += rows[i] >= SATURATED;
    }
    *zeros += low;
    *high += top;
}

static uint64_t dark_pixels(const struct gate *g, int y)
{
    uint64_t dark = 0;
    for (int x = 0; x < g->dims.x; x++) {
        int z = 0;
        while (z < g->dims.z && !row_of(g, &g->now, z, y)[x])
            z++;
        dark += z == g->dims.z;
    }
    return dark;
}

/* A row of all planes. */
static void count_row(struct gate *g, int y)
{
    bool may_be_dark = true;
    for (int z = 0; z < g->dims.z; z++) {
        const uint16_t *row = row_of(g, &g->now, z, y);
        uint64_t zeros = 0, high = 0;
        kin_histogram_add_from(&g->all, g->least, row, (size_t)g->dims.x);
        count_ends(row, (size_t)g->dims.x, &zeros, &high);
        may_be_dark &= zeros > 0;
#pragma omp atomic
        g->zeros[z] += zeros;
#pragma omp atomic
        g->high[z] += high;
    }
    uint64_t dark = may_be_dark ? dark_pixels(g, y) : 0;
#pragma omp atomic
    g->dark += dark;
}

/* The next band of a plane, else a row of the one that is there: there are more of these than
 * planes, so that no thread waits long for the last one. */
static bool read_or_count(void *user, int i, struct kin_error *err)
{
    struct gate *g = user;
    const struct band *next = &g->next;
    int planes = next->count ? g->dims.z : 0;
    if (i < planes)
        return g->source->rows(g->source->user, i, next->y0, next->count, row_of(g, next, i, 0),
                               err);
    count_row(g, i - planes);
    return true;
}

/* The band that was read is counted, and the one behind it read. */
static void move_on(struct gate *g)
{
    struct band counted = g->now;
    int y0 = g->next.y0 + g->next.count, left = g->dims.y - y0;
    g->now = g->next;
    g->next = (struct band){counted.rows, y0, left < BAND ? left : BAND};
}

/* The least value that at most `most` of the counted samples exceed, not below `from`. */
static int value_above_which(const struct gate *g, uint64_t most, int from)
{
    uint64_t above = 0;
    int value = KIN_BINS - 1;
    while (value > from && above + g->all.bins[value] <= most)
        above += g->all.bins[value--];
    return value;
}

/* What 99.9 % of all samples do not exceed is not less than what a thousandth of as many exceeds
 * already. */
static void raise_least(struct gate *g)
{
    kin_histogram_gather(&g->all);
    g->least = (uint16_t)value_above_which(g, kin_count(g->dims) / 1000, g->least);
}

static bool count_all(struct gate *g, struct kin_error *err)
{
    bool good = true;
    int bands = 0;
    for (move_on(g); good && (g->now.count || g->next.count); move_on(g)) {
        kin_histogram_expect(&g->all,
                             (uint64_t)g->now.count * (uint64_t)g->dims.x * (uint64_t)g->dims.z);
        good = kin_each(g->now.count + (g->next.count ? g->dims.z : 0), g->threads, read_or_count,
                        g, err);
        bands += g->now.count > 0;
        if (bands && !(bands & (bands - 1))) /* it gathers: seldom */
            raise_least(g);
    }
    kin_histogram_gather(&g->all);
    return good;
}

/* The value that 99.9 % of the covered samples do not exceed; at least 1. */
static int clip_of(const struct gate *g)
{
    uint64_t covered = kin_count(g->dims) - g->dark * (uint64_t)g->dims.z;
    return value_above_which(g, covered / 1000, g->least > 1 ? g->least : 1);
}

static void shares(const struct gate *g, struct kin_edof_report *report)
{
    double plane = (double)g->dims.y * g->dims.x, covered = plane - (double)g->dark;
    report->covered = covered / plane;
    for (int z = 0; z < g->dims.z; z++) {
        report->zero[z] = covered > 0 ? ((double)g->zeros[z] - (double)g->dark) / covered : 0;
        report->saturated[z] = (double)g->high[z] / plane;
    }
}

static bool choose(const struct kin_edof_params *p, struct kin_edof_report *r,
                   struct kin_error *err)
{
    double least = 1;
    int empty = 0, bright = 0;
    bool ends = p->keep_ends || r->planes <= 4;
    for (int z = 0; z < r->planes; z++)
        least = r->zero[z] < least ? r->zero[z] : least;
    for (int z = 0; z < r->planes; z++) {
        bool dark = r->zero[z] - least > p->max_zero, high = r->saturated[z] > p->max_saturated;
        empty += dark;
        bright += high;
        if (!dark && !high && (ends || (z > 0 && z + 1 < r->planes)))
            r->used.number[r->used.count++] = z;
    }
    return r->used.count >= p->min_planes ||
           kin_fail(err, KIN_INPUT,
                    "%d of %d planes can be used (%d are needed): %d have too many zeros "
                    "(--max-zero), %d are saturated (--max-saturated)",
                    r->used.count, r->planes, p->min_planes, empty, bright);
}

bool kin_edof_gate(const struct kin_source *source, const struct kin_edof_params *params,
                   int threads, struct kin_edof_report *report, struct kin_error *err)
{
    struct kin_dims d = source->dims;
    size_t band = (size_t)BAND * (size_t)d.x * (size_t)d.z;
    struct gate g = {.source = source, .dims = d, .threads = threads > 0 ? threads : 1};
    *report = (struct kin_edof_report){.planes = d.z};
    bool good = kin_histogram_new(&g.all, g.threads);
    g.zeros = calloc(2 * (size_t)d.z, sizeof *g.zeros);
    g.now.rows = malloc(band * sizeof *g.now.rows);
    g.next.rows = malloc(band * sizeof *g.next.rows);
    good = good && g.zeros && g.now.rows && g.next.rows;
    if (!good)
        kin_fail(err, KIN_MEMORY, "no memory to look over %d planes", d.z);
    g.high = good ? g.zeros + d.z : NULL;
    good = good && count_all(&g, err);
    if (good) {
        shares(&g, report);
        report->clip = clip_of(&g);
        good = choose(params, report, err);
    }
    kin_histogram_free(&g.all);
    free(g.zeros);
    free(g.now.rows);
    free(g.next.rows);
    return good;
}
