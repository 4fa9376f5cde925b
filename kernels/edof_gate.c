// SPDX-License-Identifier: MIT
/* edof_gate.c: which planes of a stack are fit to be used. Zeros are counted inside of the covered
 * area only, which is where any plane is not zero; a plane is judged by how many more zeros it has
 * than the best plane, because a stack that was deconvolved may have dark pixels that are zero in
 * all of them. */
#include "edof.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 65536, BAND = 64, SATURATED = 64000 };

struct gate {
    struct kin_dims dims;
    uint64_t *bins;         /* of all planes together */
    uint64_t *zeros, *high; /* (z) */
    uint64_t dark;          /* pixels that are zero in all planes */
    uint16_t *rows;         /* a band, (z, BAND, x) */
};

static uint16_t *rows_of(const struct gate *g, int z)
{
    return g->rows + (size_t)z * BAND * (size_t)g->dims.x;
}

static void count_plane(struct gate *g, int z, size_t n, uint32_t *bins)
{
    const uint16_t *rows = rows_of(g, z);
    uint64_t zeros = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        bins[rows[i]]++;
        zeros += rows[i] == 0;
        high += rows[i] >= SATURATED;
    }
    g->zeros[z] += zeros;
    g->high[z] += high;
}

static uint64_t dark_pixels(const struct gate *g, size_t n)
{
    uint64_t dark = 0;
#pragma omp parallel for reduction(+ : dark) schedule(static)
    for (size_t i = 0; i < n; i++) {
        int z = 0;
        while (z < g->dims.z && !rows_of(g, z)[i])
            z++;
        dark += z == g->dims.z;
    }
    return dark;
}

/* One band of all planes, several planes at a time, each thread with BINS of its own; the error is
 * that of the lowest plane that has one. */
static bool count_band(struct gate *g, const struct kin_source *source, int y0, int rows,
                       uint32_t *bins, struct kin_error *err)
{
    int failed = g->dims.z;
    struct kin_error first = {0};
#pragma omp parallel for schedule(dynamic, 1)
    for (int z = 0; z < g->dims.z; z++) {
        struct kin_error why = {0};
        if (source->rows(source->user, z, y0, rows, rows_of(g, z), &why)) {
            count_plane(g, z, (size_t)rows * (size_t)g->dims.x,
                        bins + (size_t)omp_get_thread_num() * BINS);
            continue;
        }
#pragma omp critical(gate_failed)
        if (z < failed) {
            failed = z;
            first = why;
        }
    }
    return failed == g->dims.z || kin_fail(err, first.code, "%s", first.text);
}

static bool count_all(struct gate *g, const struct kin_source *source, struct kin_error *err)
{
    size_t threads = (size_t)omp_get_max_threads();
    uint32_t *bins = calloc(threads * BINS, sizeof *bins);
    bool good = bins || kin_fail(err, KIN_MEMORY, "no memory to look over %d planes", g->dims.z);
    for (int y0 = 0; good && y0 < g->dims.y; y0 += BAND) {
        int rows = g->dims.y - y0 < BAND ? g->dims.y - y0 : BAND;
        memset(bins, 0, threads * BINS * sizeof *bins);
        good = count_band(g, source, y0, rows, bins, err);
        for (size_t i = 0; good && i < threads * BINS; i++)
            g->bins[i % BINS] += bins[i];
        if (good)
            g->dark += dark_pixels(g, (size_t)rows * (size_t)g->dims.x);
    }
    free(bins);
    return good;
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
    size_t band = (size_t)BAND * (size_t)d.x * (size_t)d.z;
    struct gate g = {.dims = d};
    *report = (struct kin_edof_report){.planes = d.z};
    g.bins = calloc(BINS, sizeof *g.bins);
    g.zeros = calloc(2 * (size_t)d.z, sizeof *g.zeros);
    g.rows = malloc(band * sizeof *g.rows);
    bool good = g.bins && g.zeros && g.rows;
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
    return good;
}
