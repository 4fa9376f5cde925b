// SPDX-License-Identifier: MIT
// signal.c: whether a channel shows anything. What a tile shows, it shows in neighbouring
// planes too, in focus or not; noise differs from plane to plane, and what the camera adds is the
// same in all tiles.
#include "illum/illum.h"

#include <math.h>
#include <stdlib.h>

enum {
    M = ILLUM_PIXELS,
    BIN = 4, /* cells that are averaged: there is less noise in them */
    SIDE = ILLUM_SIDE / BIN,
    CELLS = SIDE * SIDE,
    LEAST_PLACES = 4
};

struct sums { /* over the cells of pairs of planes, each less its own mean */
    double aa, ab, bb;
};

/* The binned thumbnails, each less the mean of all and then its own; owned. NULL: no memory. */
static float *binned(const float *thumbs, int n)
{
    float *cells = calloc((size_t)n * CELLS, sizeof *cells);
    for (int i = 0; cells && i < n; i++)
        for (int x = 0; x < M; x++)
            cells[(size_t)i * CELLS + x / ILLUM_SIDE / BIN * SIDE + x % ILLUM_SIDE / BIN] +=
                thumbs[(size_t)i * M + x] / (BIN * BIN);
    for (int x = 0; cells && x < CELLS; x++) {
        double mean = 0;
        for (int i = 0; i < n; i++)
            mean += cells[(size_t)i * CELLS + x] / (double)n;
        for (int i = 0; i < n; i++)
            cells[(size_t)i * CELLS + x] -= (float)mean;
    }
    for (int i = 0; cells && i < n; i++) {
        float mean = (float)kin_mean_f32(cells + (size_t)i * CELLS, CELLS);
        for (int x = 0; x < CELLS; x++)
            cells[(size_t)i * CELLS + x] -= mean;
    }
    return cells;
}

static void add_pair(const float *a, const float *b, struct sums *s)
{
    for (int x = 0; x < CELLS; x++) {
        s->aa += (double)a[x] * a[x];
        s->ab += (double)a[x] * b[x];
        s->bb += (double)b[x] * b[x];
    }
}

double illum_signal(const float *thumbs, const int *place_of, int n, int places)
{
    struct sums s = {0};
    int *last = malloc((size_t)places * sizeof *last), seen = 0;
    float *cells = binned(thumbs, n);
    for (int k = 0; last && k < places; k++)
        last[k] = -1;
    for (int i = 0; last && cells && i < n; i++) {
        int k = place_of[i];
        if (last[k] < 0)
            seen++;
        else
            add_pair(cells + (size_t)last[k] * CELLS, cells + (size_t)i * CELLS, &s);
        last[k] = i;
    }
    free(last);
    free(cells);
    return seen >= LEAST_PLACES && s.aa > 0 && s.bb > 0 ? s.ab / sqrt(s.aa * s.bb) : NAN;
}
