// SPDX-License-Identifier: MIT
// unlike.c: the structure of an overlap from one tile, and what it says of pairs.
#include "stitch/unlike.h"
#include "core/simd.h"

#include <math.h>
#include <string.h>

enum { SQUARE = 8 };               /* blocks of 2 x 2 px: shading is the same within so many */
static const double TELLING = 0.3; /* a lower promise may be noise */
static const double SHARE = 0.6;   /* of its promise an overlap of one scene holds at least */
static const double UNEVEN = 1.3;  /* times as bright as neighbours: no shading, no bleaching */
static const double BLURRED = 0.6; /* of the neighbours' detail */

/* Pixels have 16 bits: sums of them and of their products are exact, in whatever order. */

struct sums { /* of the diagonals of blocks, and of their products, column by column */
    double u[SQUARE], v[SQUARE], uv[SQUARE];
};

/* Of the blocks of a square, which are `wide` by `high`. */
VECTOR_CLONES static void add_blocks(struct sums *to, const uint16_t *pixels, int stride, int high,
                                     int wide)
{
    for (int y = 0; y < high; y++) {
        const uint16_t *row = pixels + (size_t)(2 * y) * (size_t)stride, *below = row + stride;
#pragma omp simd
        for (int x = 0; x < wide; x++) {
            double u = row[2 * x] + below[2 * x + 1], v = row[2 * x + 1] + below[2 * x];
            to->u[x] += u;
            to->v[x] += v;
            to->uv[x] += u * v;
        }
    }
}

/* What the means of diagonals have in common about theirs, summed over the blocks of a square. */
static double common(const uint16_t *pixels, int stride, int h, int w)
{
    struct sums sums = {0};
    double n = (double)(h / 2) * (w / 2), u = 0, v = 0, uv = 0;
    add_blocks(&sums, pixels, stride, h / 2, w / 2);
    for (int x = 0; x < SQUARE; x++) {
        u += sums.u[x] / 2;
        v += sums.v[x] / 2;
        uv += sums.uv[x] / 4;
    }
    return n ? uv - u * v / n : 0;
}

VECTOR_CLONES static void add_row(double *to, double *squares_to, const uint16_t *row, int w)
{
    double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
    for (int x = 0; x < w; x++) {
        double v = row[x];
        sum += v;
        squares += v * v;
    }
    *to += sum;
    *squares_to += squares;
}

struct unlike_view unlike_look(const uint16_t *pixels, int stride, int h, int w)
{
    double sum = 0, squares = 0, structure = 0, n = (double)h * w;
    for (int y = 0; y < h; y++)
        add_row(&sum, &squares, pixels + (size_t)y * (size_t)stride, w);
    for (int y = 0; y < h; y += 2 * SQUARE)
        for (int x = 0; x < w; x += 2 * SQUARE)
            structure += 4 * common(pixels + (size_t)y * (size_t)stride + x, stride,
                                    h - y < 2 * SQUARE ? h - y : 2 * SQUARE,
                                    w - x < 2 * SQUARE ? w - x : 2 * SQUARE);
    double variance = squares - sum * sum / n;
    return (struct unlike_view){sum / n, fmax(0, structure) / n,
                                variance > 0 ? fmin(1, fmax(0, structure / variance)) : 0};
}

void unlike_compare(struct stitch_edge *edge, const struct unlike_view *from,
                    const struct unlike_view *to)
{
    edge->promise = sqrt(from->share * to->share);
    edge->light = edge->detail = 0;
    if (fmax(from->share, to->share) <= TELLING || from->mean <= 0 || to->mean <= 0)
        return;
    edge->light = to->mean / from->mean;
    edge->detail = from->structure > 0 ? sqrt(to->structure / from->structure) : 0;
}

/* Whether two overlaps of a tile at least are unlike, and at most half as many fit. Those with
 * tiles that are foreign themselves do not count. */
static bool is_foreign(const struct stitch_model *m, int k, int fits_allowed)
{
    int fit = 0, unlike = 0;
    for (int e = 0; e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        if (edge->from != k && edge->to != k)
            continue;
        int other = edge->from == k ? edge->to : edge->from;
        fit += edge->accepted;
        unlike += edge->unlike && (!fits_allowed || m->places[other].fault != STITCH_FOREIGN);
    }
    return unlike > 1 && fit <= fits_allowed && 2 * fit <= unlike;
}

/* How a tile compares with its neighbours, in the overlaps that fit. */
struct comparison {
    int count;          /* of overlaps that tell */
    double least, most; /* light */
    double detail;      /* the most */
};

static struct comparison compare(const struct stitch_model *m, int k)
{
    struct comparison c = {0, INFINITY, 0, 0};
    for (int e = 0; e < m->edge_count; e++) {
        const struct stitch_edge *edge = &m->edges[e];
        if (!edge->accepted || !(edge->light > 0) || (edge->from != k && edge->to != k))
            continue;
        double light = edge->to == k ? edge->light : 1 / edge->light,
               detail = edge->to == k ? edge->detail : 1 / edge->detail;
        c.count++;
        c.least = fmin(c.least, light);
        c.most = fmax(c.most, light);
        c.detail = fmax(c.detail, detail);
    }
    return c;
}

static enum stitch_fault fault_of(const struct stitch_model *m, int k)
{
    struct comparison c = compare(m, k);
    if (c.count < 2)
        return STITCH_SOUND;
    if (c.least > UNEVEN || c.most < 1 / UNEVEN)
        return STITCH_UNEVEN;
    return c.detail < BLURRED ? STITCH_BLURRED : STITCH_SOUND;
}

void unlike_find(struct stitch_model *m)
{
    m->unlike = 0;
    memset(m->faulty, 0, sizeof m->faulty);
    for (int e = 0; e < m->edge_count; e++) {
        struct stitch_edge *edge = &m->edges[e];
        edge->unlike = !edge->accepted && edge->promise > TELLING &&
                       edge->ncc < SHARE * edge->promise;
        m->unlike += edge->unlike;
    }
    for (int fits_allowed = 0; fits_allowed < 2; fits_allowed++) /* one may fit by accident */
        for (int k = 0; k < m->tiles; k++)
            if (is_foreign(m, k, fits_allowed))
                m->places[k].fault = STITCH_FOREIGN;
    for (int k = 0; k < m->tiles; k++) {
        struct stitch_place *place = &m->places[k];
        if (place->fault == STITCH_SOUND)
            place->fault = fault_of(m, k);
        m->faulty[place->fault]++;
    }
}
