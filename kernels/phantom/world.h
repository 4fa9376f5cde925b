/* SPDX-License-Identifier: MIT
 *
 * world.h: the tissue of a phantom as a function of a point, and how each cycle finds it.
 * phantom.c takes pictures of it.
 *
 * Three frames, all in pixels, y first:
 *   tissue   where nuclei are placed; equal to the mosaic frame of cycle 1;
 *   cycle c  the mosaic frame of cycle c: q = A (p - centre) + centre + t + u(p) for a tissue point
 *            p. */
#pragma once

#include "device/warp.h"
#include "phantom/noise.h"
#include "phantom/params.h"

/* Of the random numbers; the noise fields come first. */
enum world_stream {
    STREAM_MASK,
    STREAM_SURFACE,
    STREAM_TEXTURE,
    STREAM_FIELD_Y,
    STREAM_FIELD_X = STREAM_FIELD_Y + 1000,
    STREAM_CYCLE = 5000,
    STREAM_COUNT,
    STREAM_CELL,
    STREAM_CHANGE,
    STREAM_EXPRESSION,
    STREAM_DEBRIS,
};

struct difficulty { /* what grows with --difficulty; a row of a table in phantom/world.c */
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
/* Its number among those of all cycles. */
int world_marker_number(const struct world *world, int cycle, int channel);
const char *world_marker_name(const struct world *world, int cycle, int channel, char *text,
                              size_t size);
