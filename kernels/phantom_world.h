/* SPDX-License-Identifier: MIT
 *
 * phantom_world.h: the tissue of a phantom and how each cycle finds it. phantom.c takes pictures of
 * it.
 *
 * Three frames, all in pixels, y first:
 *   tissue   where nuclei are placed; equal to the mosaic frame of cycle 1;
 *   cycle c  the mosaic frame of cycle c: q = A (p - centre) + centre + t + u(p) for a tissue point
 * p. */
#pragma once

#include "noise.h"
#include "phantom.h"
#include "warp.h"

struct difficulty { /* what grows with --difficulty; a row of a table in phantom_world.c */
    double jitter, backlash, drift;   /* stage, px (backlash, drift: along x) */
    double theta;                     /* camera against stage, rad */
    double vignette;                  /* depth of the flat field's fall-off */
    double photons, background, read; /* electrons: of a nucleus, of empty glass, read noise */
    double dark_slope;                /* ADU across the dark field */
    double rotation, scale;           /* of a cycle: degrees, relative; standard deviations */
    double shift, field;              /* of a cycle: largest translation, non-rigid amplitude, px */
    double changed;                   /* share of cells that differ from cycle 1 */
    double autofluorescence;          /* height to a nucleus */
    double surface, tilt, z_shift;    /* planes */
    double hot;                       /* share of hot pixels */
    double debris;                    /* specks a Mpx */
};

struct world {
    struct phantom_params params;
    struct difficulty d;
    double px_um;           /* micrometres a pixel */
    int canvas_h, canvas_w; /* of cycle 1's mosaic */
    struct noise mask, surface, texture;
    double mask_level;     /* tissue where mask noise is above it */
    struct warp_map *maps; /* owned, [cycle]; tissue to cycle frame; grids owned */
    double *z_offset;      /* owned, [cycle], planes */
};

/* Draws the world for mosaics of about that size. */
bool world_open(struct world *world, const struct phantom_params *params, int canvas_h,
                int canvas_w, struct kin_error *err);
void world_close(struct world *world);

/* What a channel shows. */
enum stain { STAIN_NUCLEI, STAIN_MARKER, STAIN_BLANK };
/* What that channel of that cycle shows. */
enum stain world_stain(const struct world *world, int cycle, int channel);
/* Its name, in text or static. */
const char *world_marker_name(const struct world *world, int cycle, int channel, char *text,
                              size_t size);

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

/* What of the object is drawn: everything, or only the stain without autofluorescence and
 * debris. */
enum parts { PARTS_ALL, PARTS_SIGNAL };

/* volume (planes, h, w) = the object of a channel, 1.0 being a usual nucleus. */
void region_object(const struct world *world, const struct region *region, int channel,
                   enum parts parts, float *volume);

/* Calls back for each nucleus of the reference cycle whose centre lies on cycle 1's canvas. */
void world_each_nucleus(const struct world *world,
                        void (*found)(void *user, double y, double x, double z, double radius_um),
                        void *user);
