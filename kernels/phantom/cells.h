/* SPDX-License-Identifier: MIT
 *
 * cells.h: the cells of a phantom's tissue. They stand on a lattice of CELL_UM squares,
 * each with a Poisson number of them; everything about a cell is drawn from its square and number,
 * so that any region finds the same cells. A share of them is drawn anew in each cycle but the
 * first: tissue that was lost or moved. */
#pragma once

#include "phantom/world.h"

#define CELL_UM        20.0 /* side of a square of the lattice */
#define CELL_RADIUS_UM 4.2  /* the largest semi-axis of a nucleus */

struct cell {
    double y, x;          /* tissue frame, px */
    double z;             /* above the surface, planes */
    double r, flat, turn; /* semi-axis px, second to first, angle */
    double rz;            /* axial semi-axis, planes */
    double lobe;          /* phase of the edge's three lobes */
    double amplitude;
    uint32_t id[3]; /* square y, x, number: what its expression is drawn from */
    bool glows;     /* strongly autofluorescent */
};

/* How many cells a square has (Poisson by inversion). */
int cells_in_square(const struct world *world, int gy, int gx);

/* Cell `number` of a square, as the cycle finds it. */
void cell_draw(const struct world *world, int cycle, int gy, int gx, int number, struct cell *c);

/* How strongly a cell shows a marker; 0 for most. */
double cell_expression(const struct world *world, const struct cell *cell, int marker);

/* Whether a marker stains nuclei; else membranes. */
bool marker_is_nuclear(const struct world *world, int marker);
