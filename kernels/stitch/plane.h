/* SPDX-License-Identifier: MIT
 *
 * plane.h: planes of a mosaic from the tile files of a cycle, in bands of rows: no more than
 * the tiles under one band are in memory. */
#pragma once

#include "qc/qc.h"
#include "stitch/stitch.h"
#include "stitch/tiles.h"

struct stitch_correction {      /* of one channel; host memory, (tile_h, tile_w) */
    const float *dark;          /* ADU */
    const float *gain;          /* 1 / flat */
    const float *scale, *shift; /* [tile]: then pixel * scale - shift; both NULL: as they are */
};

struct stitch_output {    /* where a plane goes; each may be NULL */
    const char *path;     /* a TIFF file */
    const char *cover;    /* a TIFF file, uint8: 255 where a tile lies */
    struct qc_scan *scan; /* on the device that makes the plane if stitch_looks_there, or the CPU */
    struct stitch_seams *seams;
    bool *one_value; /* [tile]: becomes true where the raw pixels are all the same */
    double pixel_nm; /* edge of a pixel, said in the files; 0: not known */
};

enum { STITCH_BESIDE = 8 }; /* planes that are made at a time, at most */

/* Whether a card has room for looking at a plane (stitch_output's scan) where it is made. */
bool stitch_looks_there(const struct device *dev, const struct stitch_params *params,
                        const struct stitch_model *model,
                        const struct stitch_correction *correction);

/* How many planes may be made at a time, as params->beside says then: on a card, as many as threads
 * and memory allow without cutting a plane into smaller bands or windows; else 1. */
int stitch_planes_beside(const struct device *dev, const struct stitch_params *params,
                         const struct stitch_model *model,
                         const struct stitch_correction *correction, int planes);

/* Makes one plane. A tile that is not there is left out; what only it would cover is 0.
 * Where params->beside says so, other threads may make others, each with its share of the device;
 * then a card that refuses memory ends it. */
bool stitch_plane(struct device *dev, const struct stitch_params *params,
                  const struct stitch_model *model, const struct stitch_source *source, int plane,
                  int channel, const struct stitch_correction *correction,
                  const struct stitch_output *output, struct kin_error *err);
