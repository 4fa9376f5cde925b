/* SPDX-License-Identifier: MIT
 *
 * region.h: any rectangle of a phantom's tissue: what lies under each of its pixels. */
#pragma once

#include "phantom/world.h"

/* The tissue under a grid of pixels. */
struct region {
    int cycle;
    bool registered; /* pixels are in the tissue frame; else in the cycle's */
    double y0, x0;   /* of the first pixel */
    int h, w;
    float *py, *px; /* owned, (h, w): each pixel's tissue point */
    float *tissue;  /* owned, (h, w): 1 in tissue, 0 on glass */
    float *glow;    /* owned, (h, w): autofluorescence of unit channel */
    float *texture; /* owned, (h, w) */
    float *z0;      /* owned, (h, w): the surface, planes from 0, of that cycle */
};

/* Fills in the tables of a region whose place and size are set. False: no memory; close it all the
 * same. */
bool region_open(struct region *region, const struct world *world, struct kin_error *err);
void region_close(struct region *region);

/* The rectangle of its tissue points, {y0, x0, y1, x1}. */
void region_box(const struct region *region, double box[4]);

/* Where the tissue point p stands in the region's frame. */
void region_place(const struct region *region, const struct world *world, const double p[2],
                  double q[2]);

/* Where in-focus tissue lies at a tissue point with surface noise f2, planes from 0. */
float world_surface(const struct world *world, int cycle, float f2, double x);
