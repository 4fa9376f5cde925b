// SPDX-License-Identifier: MIT
/* edof_gate.c: which planes of a stack are fit to be used. Zeros are counted inside of the covered
 * area only, which is where any plane is not zero; a plane is judged by how many more zeros it has
 * than the best plane, because a stack that was deconvolved may have dark pixels that are zero in
 * all of them. */
#include "edof.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 65536, BAND = 64, SATURATED = 64000 };

struct gate {
    struct kin_dims dims;
    uint64_t *bins;         /* of all planes together */
    uint64_t *zeros, *high; /* (z) */
    uint64_t dark;          /* pixels that are zero in all planes */
    uint16_t *rows;         /* a band of one plane */
    uint8_t *seen;          /* a band: not zero in some plane */
};

static void count_plane(struct gate *g, int z, size_t n)
{
    uint64_t zeros = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        uint16_t v = g->rows[i];
        g->bins[v]++;
        zeros += v == 0;
        high += v >= SATURATED;
        g->seen[i] |= v != 0;
    }
    g->zeros[z] += zeros;
    g->high[z] += high;
}

static bool count_all(struct gate *g, const struct kin_source *source, struct kin_error *err)
{
    for (int y0 = 0; y0 < g->dims.y; y0 += BAND) {
        int rows = g->dims.y - y0 < BAND ? g->dims.y - y0 : BAND;
        size_t n = (size_t)rows * (size_t)g->dims.x;
        memset(g->seen, 0, n);
        for (int z = 0; z < g->dims.z; z++) {
            if (!source->rows(source->user, z, y0, rows, g->rows, err))
                return false;
            count_plane(g, z, n);
        }
        for (size_t i = 0; i < n; i++)
            g->dark += !g->seen[i];
    }
    return true;
}

/* The value that 99.9 % of the covered samples do not exceed. */
static int clip_of(const struct gate *g)
{
    uint64_t skip = g->dark * (uint64_t)g->dims.z, total = kin_count(g->dims) - skip, seen = 0;
    for (int i = 0; i < BINS; i++) {
        seen += g->bins[i] - (i ? 0 : skip);
        if (seen * 1000 >= total * 999 && i)
            return i;
    }
    return BINS - 1;
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
    bool ends = p->keep_ends || r->planes <= 4;
    for (int z = 0; z < r->planes; z++)
        least = r->zero[z] < least ? r->zero[z] : least;
    for (int z = 0; z < r->planes; z++) {
        bool fit = r->zero[z] - least <= p->max_zero && r->saturated[z] <= p->max_saturated;
        if (fit && (ends || (z > 0 && z + 1 < r->planes)))
            r->used.number[r->used.count++] = z;
    }
    return r->used.count >= p->min_planes ||
           kin_fail(err, KIN_INPUT,
                    "%d of %d planes pass the gate (zeros, saturation), %d are needed",
                    r->used.count, r->planes, p->min_planes);
}

bool kin_edof_gate(const struct kin_source *source, const struct kin_edof_params *params,
                   struct kin_edof_report *report, struct kin_error *err)
{
    struct kin_dims d = source->dims;
    size_t band = (size_t)BAND * (size_t)d.x;
    struct gate g = {.dims = d};
    *report = (struct kin_edof_report){.planes = d.z};
    g.bins = calloc(BINS, sizeof *g.bins);
    g.zeros = calloc(2 * (size_t)d.z, sizeof *g.zeros);
    g.rows = malloc(band * sizeof *g.rows);
    g.seen = malloc(band);
    bool good = g.bins && g.zeros && g.rows && g.seen;
    if (!good)
        kin_fail(err, KIN_MEMORY, "no memory to look over %d planes", d.z);
    g.high = good ? g.zeros + d.z : NULL;
    good = good && count_all(&g, source, err);
    if (good) {
        shares(&g, report);
        report->clip = clip_of(&g);
        good = choose(params, report, err);
    }
    free(g.bins);
    free(g.zeros);
    free(g.rows);
    free(g.seen);
    return good;
}
